// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tippe/problem/inclusion_problem.h"

namespace tippe::bench {

struct NamedProblem {
  std::string name;  // "fc3d/KaplasTower"
  int dimension;     // rows of each contact, 3 or 2
  InclusionProblem problem;

  [[nodiscard]] int contacts() const { return problem.G.blocks.blocks(); }
};

/// The local friction problems (FCLIB) of the folders fc3d and fc2d of a collection, by name. Throws FileError if there are none.
[[nodiscard]] std::vector<NamedProblem> read_collection(const std::filesystem::path& folder);

}  // namespace tippe::bench
