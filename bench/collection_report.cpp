// SPDX-License-Identifier: Apache-2.0
#include "collection_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "collection.h"
#include "siconos_cache.h"
#include "tippe_result.h"

namespace tippe::bench {
namespace {

std::string milliseconds(double seconds) {
  return seconds < 0.0 ? "-" : fmt::format("{:.4g}", 1e3 * seconds);
}

/// Sums and counts over the problems of one dimension.
struct Totals {
  int problems = 0, at_8 = 0, at_12 = 0, false_claims = 0, siconos_solved = 0;
  double tippe = 0.0, siconos = 0.0;  // s  over the problems that both solved, without the one that nobody solves
  int compared = 0, slower = 0;
  double log_ratios = 0.0;  // over the compared ones with at least 20 contacts
  int large = 0;
};

constexpr int kLargeContacts = 20;
const std::set<std::string> kLeftOut = {"fc3d/RockPile_tob1"};  // solved to 1e-8 by no solver known

constexpr double kTarget = 1e-8;

/// Results of all solvers that the cache does not have. First a short time for each; those that fail then get the whole budget, but
/// one that is twenty times slower than another is of no interest.
std::vector<SiconosResult> solve_by_all(const NamedProblem& item, double budget, SiconosCache& cache) {
  const std::vector<SiconosSolver>& solvers = siconos_solvers(item.dimension);
  std::vector<SiconosResult> results(solvers.size());
  double best = std::numeric_limits<double>::infinity();
  for (const double round : {std::min(2.0, budget), budget}) {
    for (size_t k = 0; k < solvers.size(); ++k) {
      SiconosResult& result = results[k];
      if (const SiconosResult* known = cache.find(item.name, solvers[k].name)) {
        result = *known;
      } else if (const double limit = std::min(round, std::max(2.0, 20.0 * best));
                 !result.solved() && limit > result.budget) {
        result = solve_by_siconos(item.problem, solvers[k], kTarget, 1e-6, limit);
      }
      if (result.solved()) best = std::min(best, result.seconds);
    }
  }
  for (size_t k = 0; k < solvers.size(); ++k) {
    if (cache.find(item.name, solvers[k].name) == nullptr) cache.store(item.name, solvers[k].name, results[k]);
  }
  return results;
}

void report_problem(const NamedProblem& item, const CollectionOptions& options, SiconosCache& cache, Totals& totals) {
  double best = -1.0;
  std::string best_name = "-", columns;
  const std::vector<SiconosResult> results = solve_by_all(item, options.budget, cache);
  for (size_t k = 0; k < results.size(); ++k) {
    const SiconosResult& result = results[k];
    columns += fmt::format(" {:>9}", result.solved() ? milliseconds(result.seconds) : fmt::format("({:.0e})", result.eta));
    if (result.solved() && (best < 0.0 || result.seconds < best)) {
      best = result.seconds;
      best_name = siconos_solvers(item.dimension)[k].name;
    }
  }
  ++totals.problems;
  if (best >= 0.0) ++totals.siconos_solved;
  fmt::print("{:<46} {:>5}", item.name, item.contacts());
  if (!options.only_siconos) {
    const TippeResult at_8 = solve_by_tippe(item.problem, kTarget), at_12 = solve_by_tippe(item.problem, 1e-12);
    fmt::print("  {:>22} {:>6} {:>9} {:>7.0e} {:>9} {:>7.0e}", at_8.stage, at_8.iterations, milliseconds(at_8.seconds),
               at_8.eta, milliseconds(at_12.seconds), at_12.eta);
    totals.at_8 += at_8.eta <= kTarget;
    totals.at_12 += at_12.eta <= 1e-12;
    totals.false_claims += (at_8.converged && !(at_8.eta <= kTarget)) + (at_12.converged && !(at_12.eta <= 1e-12));
    if (!kLeftOut.contains(item.name) && best >= 0.0) {
      const double ratio = best / at_8.seconds;
      columns += fmt::format(" {:>7} {:>8.2f}", best_name, ratio);
      totals.tippe += at_8.seconds;
      totals.siconos += best;
      ++totals.compared;
      totals.slower += ratio < 1.0;
      if (item.contacts() >= kLargeContacts) {
        totals.log_ratios += std::log(ratio);
        ++totals.large;
      }
    }
  } else if (best >= 0.0) {
    columns += fmt::format(" {:>7} {:>8}", best_name, milliseconds(best));
    if (!kLeftOut.contains(item.name)) totals.siconos += best;
  }
  fmt::print("{}\n", columns);
  std::fflush(stdout);
}

}  // namespace

void report_collection(const CollectionOptions& options) {
  SiconosCache cache(options.siconos_cache);
  const std::vector<NamedProblem> problems = read_collection(options.folder);
  for (const int dimension : {3, 2}) {
    fmt::print("\nContacts with {} rows. Times in ms of processor time; (eta) where a solver fails.\n", dimension);
    fmt::print("{:<46} {:>5}", "problem", "n");
    if (!options.only_siconos)
      fmt::print("  {:>22} {:>6} {:>9} {:>7} {:>9} {:>7}", "last stage", "iter", "1e-8", "eta", "1e-12", "eta");
    for (const SiconosSolver& solver : siconos_solvers(dimension)) fmt::print(" {:>9}", solver.name);
    const bool alone = siconos_solvers(dimension).empty();
    if (!alone) fmt::print(" {:>7} {:>8}", "best", options.only_siconos ? "ms" : "ratio");
    fmt::print("\n");
    Totals totals;
    for (const NamedProblem& item : problems) {
      if (item.dimension == dimension) report_problem(item, options, cache, totals);
    }
    fmt::print("\n");
    if (!alone)
      fmt::print("Siconos, best of its solvers: {} of {} with eta <= 1e-8\n", totals.siconos_solved, totals.problems);
    if (options.only_siconos) {
      fmt::print("total without RockPile_tob1: {:.4g} s\n", totals.siconos);
      continue;
    }
    fmt::print("Tippe: {} of {} with eta <= 1e-8, {} with eta <= 1e-12; \"converged\" above the tolerance: {}\n",
               totals.at_8, totals.problems, totals.at_12, totals.false_claims);
    if (totals.compared == 0) continue;
    fmt::print(
        "total over {} problems, without RockPile_tob1: Tippe {:.4g} s, Siconos {:.4g} s, ratio {:.2f}; slower on {}\n",
        totals.compared, totals.tippe, totals.siconos, totals.siconos / totals.tippe, totals.slower);
    if (totals.large > 0) {
      fmt::print("geometric mean of the ratios over {} problems with at least {} contacts: {:.2f}\n", totals.large,
                 kLargeContacts, std::exp(totals.log_ratios / totals.large));
    }
  }
}

}  // namespace tippe::bench
