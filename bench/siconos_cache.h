// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "siconos.h"

namespace tippe::bench {

/// Results of Siconos kept in a text file, one line each: problem, solver, seconds, eta, tolerance, iterations, storage, budget.
class SiconosCache {
 public:
  /// An empty path keeps results in memory only. Throws InputError for a line that is not one of ours.
  explicit SiconosCache(std::filesystem::path file);

  [[nodiscard]] const SiconosResult* find(const std::string& problem, const std::string& solver) const;
  /// Writes to the file at once.
  void store(const std::string& problem, const std::string& solver, const SiconosResult& result);

 private:
  std::filesystem::path file_;
  std::map<std::string, SiconosResult> results_;
};

}  // namespace tippe::bench
