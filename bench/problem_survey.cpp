// SPDX-License-Identifier: Apache-2.0
// How many generated contact problems the default solves from a cold start, class by class, and which it does not.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "generated.h"
#include "processor_time.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/problem/residual.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::bench {
namespace {

struct Options {
  int count = 250;
  std::uint64_t first = 1;
  std::string only, dump;
};

struct Solved {
  std::uint64_t seed;
  int contacts;
  double residual, seconds;  // 1, s  of the processor
};

/// From zero, judged by the residual of the impulses alone.
Solved solve_cold(const InclusionProblem& problem, std::uint64_t seed, double tolerance) {
  ContactSolver solver;
  Solution solution;
  const double begin = processor_time();
  solver.solve(problem, {.tolerance = tolerance}, solution);
  const double seconds = processor_time() - begin;
  ResidualWork work;
  return {seed, static_cast<int>(problem.laws.size()), certify_residual(problem, solution.Lambda, work).relative, seconds};
}

double share(const std::vector<Solved>& all, double tolerance) {
  const auto solved = std::ranges::count_if(all, [&](const Solved& one) { return one.residual <= tolerance; });
  return 100.0 * static_cast<double>(solved) / static_cast<double>(all.size());
}

void print_class(const std::string& name, const std::vector<Solved>& usual, const std::vector<Solved>& exact) {
  std::vector<double> seconds;
  int most = 0;
  for (const Solved& one : usual) {
    seconds.push_back(one.seconds);
    most = std::max(most, one.contacts);
  }
  std::ranges::sort(seconds);
  fmt::print("{:<8} {:8} {:9} {:12.1f} {:12.1f} {:10.2f} {:10.0f}\n", name, usual.size(), most, share(usual, 1e-8),
             share(exact, 1e-12), 1e3 * seconds[seconds.size() / 2], 1e3 * seconds.back());
  for (const Solved& one : usual) {
    if (one.residual > 1e-8)
      fmt::print("  not solved: {} {}, {} contacts, {:.2e}\n", name, one.seed, one.contacts, one.residual);
  }
  std::fflush(stdout);
}

void survey(const Options& options) {
  fmt::print("{:<8} {:>8} {:>9} {:>12} {:>12} {:>10} {:>10}\n", "class", "problems", "contacts", "solved to", "solved to",
             "ms", "ms");
  fmt::print("{:<8} {:>8} {:>9} {:>12} {:>12} {:>10} {:>10}\n", "", "", "at most", "1e-8, %", "1e-12, %", "median",
             "longest");
  std::vector<Solved> all, all_exact;
  for (const std::string name : kProblemClasses) {
    if (!options.only.empty() && options.only != name) continue;
    std::vector<Solved> usual, exact;
    for (std::uint64_t seed = options.first; seed < options.first + static_cast<std::uint64_t>(options.count); ++seed) {
      const InclusionProblem problem = contact_problem(make_problem(name, seed), DelassusForm::kCheaper);
      if (!options.dump.empty()) write_problem(options.dump, problem);
      usual.push_back(solve_cold(problem, seed, 1e-8));
      exact.push_back(solve_cold(problem, seed, 1e-12));
    }
    print_class(name, usual, exact);
    all.insert(all.end(), usual.begin(), usual.end());
    all_exact.insert(all_exact.end(), exact.begin(), exact.end());
  }
  if (!all.empty()) print_class("all", all, all_exact);
}

}  // namespace
}  // namespace tippe::bench

int main(int argc, char** argv) {
  tippe::bench::Options options;
  CLI::App app(
      "Generated contact problems that are hard, solved by the default from a cold start; processor time of one thread");
  app.add_option("--count", options.count, "of each class")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--first", options.first, "the first seed")->capture_default_str();
  app.add_option("--class", options.only, "one class alone");
  app.add_option("--dump", options.dump, "write the problem to this file (the last one, if there are several)");
  CLI11_PARSE(app, argc, argv);
  tippe::bench::survey(options);
}
