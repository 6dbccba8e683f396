// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/command.h"
#include "tippe/core/error.h"
#include "tippe/run/run_summary.h"

namespace tippe::cli {

/// Why a command ends without what it was asked for. May be thrown.
struct Failure {
  ExitCode code = kNumericalFailure;
  SourcePosition position;
  std::string message;
};

/// What `--json` prints one object of.
enum class Answer { kRun, kCompare, kCheck, kAnalyze, kModes, kOrbit, kBranch, kLyapunov, kVerify, kSolve };

/// The `status` in JSON of a command that ends with this code: "ok", "bad_input", "failed", "interrupted".
[[nodiscard]] const char* status_of(ExitCode code);

/// What a command that ran to this status ends with.
[[nodiscard]] ExitCode exit_code_of(RunStatus status);

/// The object of an answer that is not known: all its keys, null or [] where there is nothing to say. `file`: the scene or problem.
[[nodiscard]] std::string failure_json(Answer answer, const Failure& failure, const std::string& file = {});

/// How a command answers.
struct Asked {
  std::optional<Answer> answer;  // nothing: the command prints no JSON
  const bool& json;              // whether it was asked for
  const std::string& file;       // the scene or problem, as far as it is known when something fails
};

/// Prints a failure, on standard output if JSON was asked for, and returns its code.
int tell(const Failure& failure, const Asked& asked);

/// The exit code of a command. What it throws is told.
int guarded(const std::function<int()>& command, const Asked& asked);
/// Of a command without JSON.
int guarded(const std::function<int()>& command);

}  // namespace tippe::cli
