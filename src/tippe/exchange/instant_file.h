// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "tippe/problem/instant.h"

namespace tippe {

/// Reads a contact problem given directly as matrices, JSON (with comments) or TOML (docs/analysis_files.md). It has accelerations,
/// and an impact if the file has a velocity and a restitution. Throws InputError with file, line and column for anything that is no problem.
[[nodiscard]] Instant load_instant(const std::filesystem::path& path);

/// The same from a text: JSON if the name of the file ends in .json or the text begins with { or a comment //, /*; else TOML.
[[nodiscard]] Instant read_instant(const std::string& text, const std::string& file);

/// Whether a file is such a problem rather than a scene: JSON as above, or TOML with the top-level key M. What cannot be read is
/// none, unless its name ends in .json.
[[nodiscard]] bool is_instant_file(const std::filesystem::path& path);

}  // namespace tippe
