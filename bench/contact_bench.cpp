// SPDX-License-Identifier: Apache-2.0
// Tippe's contact solver against those of Siconos, in processor time, one run each, one BLAS thread. Every answer is judged by the
// same residual eta. How to run it and how to read the tables: docs/howto/benchmarks.md.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "collection_report.h"
#include "packing.h"
#include "siconos.h"
#include "tippe/core/error.h"
#include "tippe_result.h"

namespace tippe::bench {
namespace {

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
  std::fflush(stdout);
  for (const double mu : friction) {
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

  CollectionOptions collected;
  collected.folder = TIPPE_SOURCE_DIR "/../shared/problems";
  CLI::App* collection = app.add_subcommand("collection", "the collected friction problems of a folder");
  collection->add_option("folder", collected.folder, "with the folders fc3d and fc2d of FCLIB files")->capture_default_str();
  collection->add_option("--siconos-cache", collected.siconos_cache,
                         "keeps the results of Siconos in this file and takes them from there");
  collection->add_option("--budget", collected.budget, "processor time of all attempts of a Siconos solver, s")
      ->capture_default_str();
  collection->add_flag("--only-siconos", collected.only_siconos, "leaves Tippe out");

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
  if (siconos_solvers(3).empty()) {
    if (collected.only_siconos) throw InputError({}, "--only-siconos: built without Siconos numerics");
    fmt::print("Built without Siconos numerics: Tippe alone.\n");
  }
  if (collection->parsed()) report_collection(collected);
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
