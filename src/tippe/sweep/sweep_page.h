// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tippe {

/// So many numbers are in a page at most; of more every second row is shown, or every third, ...
constexpr size_t kMostNumbersOfPage = 4'000'000;

/// How a front end says that a run be repeated: the command for the scene, and what stands before each name=value.
struct RepeatingWords {
  std::string command, option;
};

/// Writes the page of the result of a sweep: the points of its section or a column of its runs over what varied, as points with their density, as a picture over
/// two names, or as a histogram. Throws FileError.
void write_sweep_page(const std::filesystem::path& sweep, const std::filesystem::path& page, const RepeatingWords& words);

}  // namespace tippe
