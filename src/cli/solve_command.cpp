// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/output.h"
#include "tippe/study/solve_report.h"

namespace tippe::cli {
namespace {

struct SolveArguments {
  std::string file;
  SolveRequest request;
  bool json = false;
  bool impulses = false;
  bool describe = false;
};

/// Reads a file that may make HDF5 crash.
StoredProblem read_guarded(const SolveArguments& arguments) {
  const auto json = [](const std::string& message) { return failure_json(Answer::kSolve, {kFileTrouble, {}, message}); };
  const DamageGuard guard = arguments.json ? DamageGuard::for_file(arguments.file, kFileTrouble, json)
                                           : DamageGuard::for_file(arguments.file, kFileTrouble);
  return read_problem(arguments.file);
}

int solve(const SolveArguments& arguments) {
  const StoredProblem stored = read_guarded(arguments);
  const SolveReport report = solve_stored(stored, arguments.request);
  std::optional<ProblemDescription> description;
  if (arguments.describe) description = describe(stored);
  if (arguments.json) {
    print_out("{}\n", solve_json(report, arguments.impulses, description));
  } else {
    print_out("{}", solve_text(arguments.file, report, description));
    if (arguments.impulses) print_out("{}", impulses_text(stored, report.impulses));
  }
  return report.outcome == SolveOutcome::kConverged ? kFine : kNumericalFailure;
}

}  // namespace

void add_solve_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<SolveArguments>();
  CLI::App* command = app.add_subcommand("solve", "Solve the contact or complementarity problem in a file");
  command->footer(
      "Files: FCLIB local and global, LCP (M, q), MLCP (A, B, C, D, a, b), and what 'tippe run --dump-problem' writes\n"
      "(docs/problem_files.md), told apart by their content. The residual is measured from the returned impulses alone.\n\n"
      "Examples:\n"
      "  tippe solve problems/stack.hdf5\n"
      "  tippe solve problems/stack.hdf5 --solver gauss-seidel --tol 1e-6 --json --impulses\n"
      "  tippe solve problems/stack.hdf5 --solver projected-jacobi --alpha 0.8 --no-transform\n"
      "  tippe solve problems/stack.hdf5 --describe\n\n"
      "Exit codes: 0 solved, 2 bad problem or usage, 3 not solved (the best iterate is given) or proved to have no "
      "solution,\n"
      "4 the file cannot be read.");
  command->add_option("file", arguments->file, "The problem (HDF5, docs/problem_files.md)")->required()->type_name("FILE");
  command->add_option("--solver", arguments->request.solver, "One of 'tippe list solvers' instead of the default, portfolio")
      ->type_name("NAME");
  command
      ->add_option("--tol", arguments->request.tolerance,
                   "The problem is solved when the residual is at most this (default 1e-8)")
      ->type_name("NUMBER");
  command
      ->add_option("--max-iterations", arguments->request.max_iterations,
                   "Of a single method; 0, the default: its own budget")
      ->type_name("COUNT");
  command
      ->add_option("--alpha", arguments->request.alpha,
                   "Relaxation of projected-jacobi (default 0.3) and projected-gauss-seidel (1), up to 2")
      ->type_name("NUMBER");
  command->add_flag("!--no-recover", arguments->request.recover,
                    "Of the two: no diagonal step while the prox does not project");
  command->add_flag("!--no-transform", arguments->request.transform, "Of the two: ellipses are not turned into discs");
  command->add_option("--threads", arguments->request.threads, "1 (default) or 2; the result is the same")
      ->type_name("COUNT");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the report, also on failure");
  command->add_flag("--impulses", arguments->impulses, "Print the impulses too");
  command->add_flag("--describe", arguments->describe,
                    "Print rank, spectrum and symmetry of the matrix and the ranges of mu and of the diagonal too");
  command->callback([arguments, &exit_code] {
    exit_code = guarded([&] { return solve(*arguments); }, {Answer::kSolve, arguments->json, arguments->file});
  });
}

}  // namespace tippe::cli
