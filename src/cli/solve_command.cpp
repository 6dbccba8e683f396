// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/json_output.h"
#include "cli/message.h"
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

int fail(const SolveArguments& arguments, const SourcePosition& position, const std::string& message) {
  if (arguments.json) {
    print_out("{}\n", solve_failure_json(position.file.empty() ? message : position.file + ": " + message));
  } else {
    print_error(position, message);
  }
  return kBadInput;
}

/// Reads a file that may make HDF5 crash.
StoredProblem read_guarded(const SolveArguments& arguments) {
  const auto json = [](const std::string& message) { return solve_failure_json(message); };
  const DamageGuard guard = arguments.json ? DamageGuard::for_file(arguments.file, kBadInput, json)
                                           : DamageGuard::for_file(arguments.file, kBadInput);
  return read_problem(arguments.file);
}

int solve(const SolveArguments& arguments) {
  try {
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
    return report.status == "converged" ? kFine : kNumericalFailure;
  } catch (const InputError& error) {
    return fail(arguments, error.position(), error.what());
  } catch (const FileError& error) {
    return fail(arguments, {}, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(arguments, {}, error.what());
  } catch (const std::bad_alloc&) {
    return fail(arguments, {arguments.file, 0, 0}, "not enough memory for this problem");
  } catch (const std::length_error&) {
    return fail(arguments, {arguments.file, 0, 0}, "not enough memory for this problem");
  }
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
      "  tippe solve problems/stack.hdf5 --describe\n\n"
      "Exit codes: 0 solved, 2 bad file or usage, 3 not solved (the best iterate is given) or proved to have no solution.");
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
  command->add_option("--threads", arguments->request.threads, "1 (default) or 2; the result is the same")
      ->type_name("COUNT");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the report, also on failure");
  command->add_flag("--impulses", arguments->impulses, "Print the impulses too");
  command->add_flag("--describe", arguments->describe,
                    "Print rank, spectrum and symmetry of the matrix and the ranges of mu and of the diagonal too");
  command->callback([arguments, &exit_code] { exit_code = solve(*arguments); });
}

}  // namespace tippe::cli
