// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/contact/start_report.h"
#include "tippe/core/error.h"
#include "tippe/integrate/constraint_report.h"
#include "tippe/scene/scene.h"

namespace tippe::cli {

/// The object of `tippe run --json` for a run that never began, with null where there is nothing to say.
[[nodiscard]] std::string run_failure_json(const std::string& status, const SourcePosition& position,
                                           const std::string& message, const std::string& scene_file = {});

/// The object of `tippe compare --json` for a comparison that never began.
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

/// The object of `tippe orbit --json` for a search that never began.
[[nodiscard]] std::string orbit_failure_json(const std::string& status, const SourcePosition& position,
                                             const std::string& message, const std::string& scene_file = {});

/// The object of `tippe solve --json` for a file or a request that was refused.
[[nodiscard]] std::string solve_failure_json(const std::string& message);

}  // namespace tippe::cli
