// SPDX-License-Identifier: Apache-2.0
#include "collection.h"

#include <algorithm>

#include "tippe/core/error.h"
#include "tippe/exchange/problem_file.h"

namespace tippe::bench {
std::vector<NamedProblem> read_collection(const std::filesystem::path& folder) {
  std::vector<NamedProblem> problems;
  for (const std::string kind : {"fc3d", "fc2d"}) {
    if (!std::filesystem::is_directory(folder / kind)) continue;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / kind)) {
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
      problems.push_back({kind + "/" + path.stem().string(), kind == "fc3d" ? 3 : 2,
                          std::get<InclusionProblem>(read_problem(path).problem)});
    }
  }
  if (problems.empty()) throw FileError(folder.string() + ": no fc3d/*.hdf5 and no fc2d/*.hdf5");
  return problems;
}

}  // namespace tippe::bench
