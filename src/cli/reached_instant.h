// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/failure.h"
#include "tippe/study/reached_instant.h"

namespace tippe::cli {

/// `time`: as --time was given, s; absent: the start of the scene. Throws InputError for a time before it, and Failure if the
/// simulation does not get there.
[[nodiscard]] ReachedInstant reach_instant(const std::string& file, const SceneOverrides& overrides,
                                           const std::optional<std::string>& time, bool show_progress);

/// --time, --integrator, --dt and --set: how to get from a scene to an instant.
void add_instant_options(CLI::App& command, std::optional<std::string>& time, SceneOverrides& overrides);

/// The file of a name or path. Throws FileError for a folder.
[[nodiscard]] std::string find_scene_or_problem(const std::string& name);

/// Throws InputError if options were given that mean nothing for a problem.
void require_no_scene_options(const std::string& file, const std::optional<std::string>& time,
                              const SceneOverrides& overrides);

}  // namespace tippe::cli
