// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/solve_report.h"
#include "tippe/core/error.h"
#include "tippe/integrate/constraint_report.h"
#include "tippe/model/start_report.h"
#include "tippe/report/comparison.h"
#include "tippe/scene/scene.h"

namespace tippe::cli {

/// The one JSON object of `tippe run --json` and `tippe show --json`; the keys are documented in docs/program.md.
[[nodiscard]] std::string run_json(const RunHead& head, const RunSummary& summary, const RecordedEvents& events,
                                   const std::vector<std::string>& files);

/// The same object for a run that never began, with null where there is nothing to say.
[[nodiscard]] std::string run_failure_json(const std::string& status, const SourcePosition& position,
                                           const std::string& message, const std::string& scene_file = {});

/// The one JSON object of `tippe compare --json`; `message`: of a failure or interrupt, else empty.
[[nodiscard]] std::string compare_json(const Comparison& comparison, const std::string& status, const std::string& message,
                                       const std::vector<std::string>& not_run, const std::vector<std::string>& files);

/// The same object for a comparison that never began.
[[nodiscard]] std::string compare_failure_json(const std::string& status, const SourcePosition& position,
                                               const std::string& message, const std::string& scene_file = {});

/// The one JSON object of `tippe check --json`.
[[nodiscard]] std::string check_json(const Scene& scene, const StartReport& start, const ConstraintReport& constraints,
                                     const std::vector<std::string>& warnings);

/// The same object for a scene that was refused.
[[nodiscard]] std::string check_failure_json(const std::string& status, const SourcePosition& position,
                                             const std::string& message, const std::string& scene_file = {});

/// The object of `tippe analyze --json` for an instant that was not analysed.
[[nodiscard]] std::string analyze_failure_json(const std::string& status, const SourcePosition& position,
                                               const std::string& message, const std::string& file = {});

/// The object of `tippe modes --json` for an instant whose modes are not known.
[[nodiscard]] std::string modes_failure_json(const std::string& status, const SourcePosition& position,
                                             const std::string& message, const std::string& file = {});

/// The one JSON object of `tippe solve --json`.
[[nodiscard]] std::string solve_json(const SolveReport& report, bool impulses,
                                     const std::optional<ProblemDescription>& description);

/// The same object for a file or a request that was refused.
[[nodiscard]] std::string solve_failure_json(const std::string& message);

}  // namespace tippe::cli
