// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tippe/exchange/problem_file.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"

namespace tippe::cli {

/// Keeps the contact problem of one step of a run: `tippe run --dump-problem TIME|step:N|worst`.
///   TIME     the step that reaches this time
///   step:N   the Nth step of the whole run, from 1
///   worst    the step that failed; if none did, all are solved to the tolerance, and it is the one that took most iterations,
///            of those the one with the largest residual
class ProblemDump {
 public:
  /// Throws InputError for a text that is none of these, and for a step that this run will not make. `done`, `reached`: steps and
  /// time (s) that a resumed run has behind it.
  ProblemDump(const std::string& wanted, const Scene& scene, std::int64_t done, double reached);

  /// After every step.
  void look(const StepView& step);

  /// Writes the problem and returns an empty text, or tells why there is none.
  [[nodiscard]] std::string write(const std::filesystem::path& path, const std::string& title) const;

 private:
  [[nodiscard]] bool wants(const StepView& step) const;

  bool worst_ = false;
  std::optional<std::int64_t> number_;
  double time_ = 0.0;       // s
  double tolerance_ = 0.0;  // s  a time within this is the same
  bool seen_ = false;       // the step that is wanted was made
  std::optional<InclusionProblem> problem_;
  std::int64_t step_ = 0;  // that it belongs to
  double begin_ = 0.0, end_ = 0.0, residual_ = 0.0;
  int iterations_ = 0;
};

}  // namespace tippe::cli
