// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tippe/study/scene_branch.h"

namespace tippe {

/// The marks and ends of branches, for the terminal.
[[nodiscard]] std::string branch_text(const SceneBranches& branches);

/// The one JSON object of `tippe orbit --continue --json`; the keys are documented in docs/program.md.
[[nodiscard]] std::string branch_json(const SceneBranches& branches, const std::vector<std::string>& files);

/// One line for each orbit: branch, parameter, period, stability, the largest multiplier, what mark it is, and its state.
[[nodiscard]] std::string branch_csv(const SceneBranches& branches);

/// The same as HDF5; docs/howto/orbit.md has its datasets. Throws FileError.
void write_branch_file(const SceneBranches& branches, const std::filesystem::path& path);

/// Points that others found, under the branches: a row for each, whose first column is the parameter.
struct BranchBackground {
  std::vector<std::string> names;
  std::vector<double> values;  // row by row
};

/// The branches as a page: stable orbits solid, unstable ones dashed, marks with their names. Throws FileError.
void write_branch_page(const SceneBranches& branches, const BranchBackground& background, const std::filesystem::path& path);

}  // namespace tippe
