// SPDX-License-Identifier: Apache-2.0
#include "siconos_cache.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "tippe/core/error.h"

namespace tippe::bench {

SiconosCache::SiconosCache(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream fields(line);
    std::string problem, solver;
    SiconosResult result;
    if (!(fields >> problem >> solver >> result.seconds >> result.eta >> result.tolerance >> result.iterations >>
          result.storage >> result.budget)) {
      throw InputError({file_.string(), number, 1}, "not a line of a cache of Siconos results: " + line);
    }
    results_[problem + ' ' + solver] = result;
  }
}

const SiconosResult* SiconosCache::find(const std::string& problem, const std::string& solver) const {
  const auto found = results_.find(problem + ' ' + solver);
  return found == results_.end() ? nullptr : &found->second;
}

void SiconosCache::store(const std::string& problem, const std::string& solver, const SiconosResult& result) {
  results_[problem + ' ' + solver] = result;
  if (file_.empty()) return;
  std::ofstream out(file_, std::ios::app);
  out << fmt::format("{} {} {:.6g} {:.3g} {:.0e} {} {} {:.3g}\n", problem, solver, result.seconds, result.eta,
                     result.tolerance, result.iterations, result.storage, result.budget);
}

}  // namespace tippe::bench
