// SPDX-License-Identifier: Apache-2.0
// Tippe's contact solver against those of Siconos, in processor time, one run each, one BLAS thread. Every answer is judged by the
// same residual eta. How to run it and how to read the tables: docs/howto/benchmarks.md.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "collection.h"
#include "packing.h"
#include "processor_time.h"
#include "siconos.h"
#include "siconos_cache.h"
#include "tippe/core/error.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::bench {
namespace {

struct TippeResult {
  double seconds = -1.0;  // s  mean of cold solves, each with a new solver
  double eta = -1.0;
  bool converged = false;
  int iterations = 0;
  std::string stage;  // the last one
};

TippeResult solve_by_tippe(const InclusionProblem& problem, const ContactSolverOptions& options) {
  TippeResult result;
  Solution solution;
  result.seconds = mean_processor_time([&] { solution = {}; },
                                       [&] {
                                         ContactSolver solver;
                                         solver.solve(problem, options, solution);
                                         result.stage = solver.stages().empty() ? "-" : solver.stages().back().name;
                                       });
  ResidualWork work;
  result.eta = evaluate_residual(problem, solution.Lambda, work).relative;
  result.converged = solution.converged();
  result.iterations = solution.iterations;
  return result;
}

TippeResult solve_by_tippe(const InclusionProblem& problem, double tolerance) {
  ContactSolverOptions options;
  options.tolerance = tolerance;
  return solve_by_tippe(problem, options);
}

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

void report_problem(const NamedProblem& item, double budget, SiconosCache& cache, bool only_siconos, Totals& totals) {
  double best = -1.0;
  std::string best_name = "-", columns;
  const std::vector<SiconosResult> results = solve_by_all(item, budget, cache);
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
  if (!only_siconos) {
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

void report_collection(const std::filesystem::path& folder, double budget, const std::string& cache_file,
                       bool only_siconos) {
  SiconosCache cache(cache_file);
  const std::vector<NamedProblem> problems = read_collection(folder);
  for (const int dimension : {3, 2}) {
    fmt::print("\nContacts with {} rows. Times in ms of processor time; (eta) where a solver fails.\n", dimension);
    fmt::print("{:<46} {:>5}", "problem", "n");
    if (!only_siconos)
      fmt::print("  {:>22} {:>6} {:>9} {:>7} {:>9} {:>7}", "last stage", "iter", "1e-8", "eta", "1e-12", "eta");
    for (const SiconosSolver& solver : siconos_solvers(dimension)) fmt::print(" {:>9}", solver.name);
    fmt::print(" {:>7} {:>8}\n", "best", only_siconos ? "ms" : "ratio");
    Totals totals;
    for (const NamedProblem& item : problems) {
      if (item.dimension == dimension) report_problem(item, budget, cache, only_siconos, totals);
    }
    fmt::print("\nSiconos, best of its solvers: {} of {} with eta <= 1e-8\n", totals.siconos_solved, totals.problems);
    if (only_siconos) {
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

const SiconosSolver* find_nsgs() {
  for (const SiconosSolver& solver : siconos_solvers(3)) {
    if (solver.name == std::string("NSGS")) return &solver;
  }
  return nullptr;
}

/// Time of a sweep: the difference between 2n and n sweeps, so that what comes before and after them cancels.
void report_sweep(PackingOptions options, int sweeps) {
  constexpr double kNever = 1e-300;
  const Packing packing = make_packing(options);
  fmt::print("{} spheres, {} contacts, mu = {}; ns per contact and sweep, from {} and {} sweeps\n", packing.bodies(),
             packing.contacts(), options.mu, sweeps, 2 * sweeps);
  const auto per_contact = [&](double difference) { return 1e9 * difference / sweeps / packing.contacts(); };

  double siconos = -1.0;
  if (const SiconosSolver* nsgs = find_nsgs()) {
    const InclusionProblem problem = contact_problem(packing, DelassusForm::kExplicit);
    const auto time = [&](int count) {
      return attempt_siconos(problem, *nsgs, SiconosSolver::Storage::kBlocks, kNever, count, 600.0).seconds;
    };
    const double once = time(sweeps), twice = time(2 * sweeps);
    if (once > 0.0 && twice > 0.0) siconos = per_contact(twice - once);
    fmt::print("  {:<28} {:>8.1f}\n", "Siconos NSGS, blocks", siconos);
  }
  for (const DelassusForm form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    const InclusionProblem problem = contact_problem(packing, form);
    ContactSolverOptions solver;
    solver.method = ContactMethod::kGaussSeidel;
    solver.tolerance = kNever;
    const auto time = [&](int count) {
      solver.max_iterations = count;
      return solve_by_tippe(problem, solver).seconds;
    };
    const double once = time(sweeps), own = per_contact(time(2 * sweeps) - once);
    fmt::print("  {:<28} {:>8.1f}", form == DelassusForm::kExplicit ? "Tippe, explicit" : "Tippe, body space", own);
    if (siconos > 0.0) fmt::print("   {:.2f} times faster than Siconos", siconos / own);
    fmt::print("\n");
  }
}

/// Time until eta <= target.
void report_packings(PackingOptions options, const std::vector<double>& friction, int seeds, double target, double budget) {
  fmt::print(
      "Processor time in s until eta <= {:.0e}\n{:>6} {:>5} {:>8} {:>8} | {:>9} {:>7} {:>6} {:>22} | {:>9} {:>7} | {:>9} "
      "{:>7} {:>6} | {:>7}\n",
      target, "mu", "seed", "spheres", "contacts", "explicit", "eta", "iter", "last stage", "bodies", "eta", "NSGS", "eta",
      "iter", "ratio");
  for (options.mu = 0.0; const double mu : friction) {
    options.mu = mu;
    for (int seed = 1; seed <= seeds; ++seed) {
      options.seed = static_cast<std::uint64_t>(seed);
      const Packing packing = make_packing(options);
      const InclusionProblem problem = contact_problem(packing, DelassusForm::kExplicit);
      const TippeResult own = solve_by_tippe(problem, target),
                        bodies = solve_by_tippe(contact_problem(packing, DelassusForm::kFactored), target);
      fmt::print("{:>6} {:>5} {:>8} {:>8} | {:>9.3f} {:>7.0e} {:>6} {:>22} | {:>9.3f} {:>7.0e} |", mu, seed,
                 packing.bodies(), packing.contacts(), own.seconds, own.eta, own.iterations, own.stage, bodies.seconds,
                 bodies.eta);
      std::fflush(stdout);
      if (const SiconosSolver* nsgs = find_nsgs()) {
        const SiconosResult other = solve_by_siconos(problem, *nsgs, target, 1e-2, budget);
        fmt::print(" {:>9.3f} {:>7.0e} {:>6} | {:>7.2f}", other.seconds, other.eta, other.iterations,
                   other.solved() ? other.seconds / own.seconds : -1.0);
      }
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
}

/// One BLAS thread. The libraries read this when they are loaded, so the program starts itself again with it.
void start_with_one_thread(char** argv) {
  const char* threads = std::getenv("OPENBLAS_NUM_THREADS");
  if (threads != nullptr && threads == std::string("1")) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);  // returns only if it fails
  throw FileError("cannot start again with OPENBLAS_NUM_THREADS=1; set it before");
}

int run(int argc, char** argv) {
  start_with_one_thread(argv);
  CLI::App app{"Tippe's contact solver against those of Siconos"};
  app.require_subcommand(1);

  std::string folder = TIPPE_SOURCE_DIR "/../shared/problems", cache_file;
  double budget = 30.0;
  bool only_siconos = false;
  CLI::App* collection = app.add_subcommand("collection", "the collected friction problems of a folder");
  collection->add_option("folder", folder, "with the folders fc3d and fc2d of FCLIB files")->capture_default_str();
  collection->add_option("--siconos-cache", cache_file,
                         "keeps the results of Siconos in this file and takes them from there");
  collection->add_option("--budget", budget, "processor time of all attempts of a Siconos solver, s")->capture_default_str();
  collection->add_flag("--only-siconos", only_siconos, "leaves Tippe out");

  PackingOptions options;
  int sweeps = 50;
  CLI::App* sweep = app.add_subcommand("sweep", "time of a Gauss-Seidel sweep on a large packing");
  int sweep_contacts = 100'000;
  sweep->add_option("--contacts", sweep_contacts)->capture_default_str();
  sweep->add_option("--mu", options.mu)->capture_default_str();
  sweep->add_option("--sweeps", sweeps)->capture_default_str()->check(CLI::PositiveNumber);

  std::vector<double> friction = {0.2, 0.5, 0.8};
  int packing_contacts = 6600, seeds = 2;
  double target = 1e-4, packing_budget = 120.0;
  CLI::App* packing = app.add_subcommand("packing", "time to solve packings");
  packing->add_option("--contacts", packing_contacts)->capture_default_str();
  packing->add_option("--mu", friction)->capture_default_str();
  packing->add_option("--seeds", seeds, "seeds 1 .. N")->capture_default_str();
  packing->add_option("--target", target, "eta to be reached")->capture_default_str();
  packing->add_option("--budget", packing_budget, "processor time of all attempts of Siconos NSGS, s")
      ->capture_default_str();

  CLI11_PARSE(app, argc, argv);
  if (siconos_solvers(3).empty()) fmt::print("Built without Siconos numerics: Tippe alone.\n");
  if (collection->parsed()) report_collection(folder, budget, cache_file, only_siconos);
  options.contacts = sweep->parsed() ? sweep_contacts : packing_contacts;
  if (sweep->parsed()) report_sweep(options, sweeps);
  if (packing->parsed()) report_packings(options, friction, seeds, target, packing_budget);
  return 0;
}

}  // namespace
}  // namespace tippe::bench

int main(int argc, char** argv) {
  try {
    return tippe::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
