// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tippe::test {

/// The collection of one-step problems that may lie beside the source tree, or where TIPPE_PROBLEMS says.
inline std::filesystem::path problem_folder() {
  const char* given = std::getenv("TIPPE_PROBLEMS");
  return given != nullptr ? std::filesystem::path(given)
                          : std::filesystem::path(TIPPE_SOURCE_DIR).parent_path() / "shared" / "problems";
}

/// The files of a part of it ("fc3d"), by the alphabet; none if it is not there.
inline std::vector<std::filesystem::path> collected_problems(const std::string& part) {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(problem_folder() / part, missing)) {
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace tippe::test
