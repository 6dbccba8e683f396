// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tippe::bench {

struct CollectionOptions {
  std::filesystem::path folder;
  double budget = 30.0;       // s  processor time of all attempts of a Siconos solver on a problem
  std::string siconos_cache;  // file; empty: none
  bool only_siconos = false;
};

/// Prints the table of a collection. Throws FileError or InputError for what cannot be read.
void report_collection(const CollectionOptions& options);

}  // namespace tippe::bench
