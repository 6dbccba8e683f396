// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "siconos.h"

namespace tippe::bench {

/// Results of Siconos kept in a text file, one line each: problem, solver, seconds, eta, tolerance, iterations, storage, budget.
class SiconosCache {
 public:
  /// An empty path keeps results in memory only. Throws InputError for a line that is not one of ours.
  explicit SiconosCache(std::filesystem::path file);

  /// The stored result, or that of `solve`, which is stored at once.
  const SiconosResult& get(const std::string& problem, const std::string& solver,
                           const std::function<SiconosResult()>& solve);

 private:
  std::filesystem::path file_;
  std::map<std::string, SiconosResult> results_;
};

}  // namespace tippe::bench
