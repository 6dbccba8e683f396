// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// A contact problem at one instant, given directly as matrices; docs/analysis_files.md describes the file.
struct InstantProblem {
  std::string title;
  AccelerationProblem acceleration;
  std::optional<ImpactProblem> impact;  // if the file has a velocity and a restitution
  std::vector<std::string> notes;       // what of the file was not used, and why
};

/// Reads a problem, JSON (with comments) or TOML. Throws InputError with file, line and column for anything that is no problem.
[[nodiscard]] InstantProblem load_instant(const std::filesystem::path& path);

/// The same from a text: JSON if the name of the file ends in .json or the text begins with { or a comment //, /*; else TOML.
[[nodiscard]] InstantProblem read_instant(const std::string& text, const std::string& file);

/// Whether a file is such a problem rather than a scene: JSON as above, or TOML with the top-level key M. What cannot be read is
/// none, unless its name ends in .json.
[[nodiscard]] bool is_instant_file(const std::filesystem::path& path);

}  // namespace tippe
