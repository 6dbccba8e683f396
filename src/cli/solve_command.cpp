// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/json_output.h"
#include "cli/message.h"
#include "cli/solve_report.h"

namespace tippe::cli {
namespace {

struct SolveArguments {
  std::string file;
  SolveRequest request;
  bool json = false;
  bool impulses = false;
  bool describe = false;
};

void print_line(const std::string& label, const std::string& value) {
  fmt::print("  {:<24}{}\n", label, value);
}

const char* title_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kFc3d:
      return "friction in space, FCLIB local";
    case ProblemKind::kFc2d:
      return "friction in the plane, FCLIB local";
    case ProblemKind::kGfc3d:
      return "friction in space, FCLIB global";
    case ProblemKind::kGfc2d:
      return "friction in the plane, FCLIB global";
    case ProblemKind::kLcp:
      return "linear complementarity";
    case ProblemKind::kMlcp:
      return "mixed linear complementarity";
    case ProblemKind::kInclusion:
      return "inclusion problem";
  }
  return "";
}

void print_description(const ProblemDescription& description) {
  const MatrixReport& matrix = description.matrix;
  print_line("rows", fmt::format("{}", matrix.rows));
  print_line("symmetry",
             matrix.asymmetry == 0.0 ? "exact" : fmt::format("differs by {:.3g} of the largest entry", matrix.asymmetry));
  print_line("diagonal", fmt::format("from {:.6g} to {:.6g}", matrix.smallest_diagonal, matrix.largest_diagonal));
  if (matrix.spectrum) {
    print_line("rank", fmt::format("{}", matrix.spectrum->rank));
    print_line(matrix.spectrum->eigenvalues ? "eigenvalues" : "singular values",
               fmt::format("from {:.6g} to {:.6g}", matrix.spectrum->smallest, matrix.spectrum->largest));
  } else {
    print_line("rank, spectrum", fmt::format("not computed above {} rows", kMostSpectrumRows));
  }
  if (description.mu) print_line("mu", fmt::format("from {:.6g} to {:.6g}", description.mu->first, description.mu->second));
}

/// One line for each contact: its number and its rows. Numbers have as many digits as give back the same bits.
void print_impulses(const StoredProblem& stored, const Eigen::VectorXd& impulses) {
  const auto* problem = std::get_if<InclusionProblem>(&stored.problem);
  fmt::print("impulses\n");
  const auto blocks = problem != nullptr ? problem->laws.size() : static_cast<size_t>(impulses.size());
  Eigen::Index row = 0;
  for (size_t i = 0; i < blocks; ++i) {
    fmt::print("  {}", i);
    const int size = problem != nullptr ? problem->G.blocks.block_size(static_cast<int>(i)) : 1;
    for (int k = 0; k < size; ++k) fmt::print(" {}", impulses[row++]);
    fmt::print("\n");
  }
}

void print_report(const SolveArguments& arguments, const SolveReport& report,
                  const std::optional<ProblemDescription>& description) {
  const bool rows = report.kind == ProblemKind::kLcp || report.kind == ProblemKind::kMlcp;
  fmt::print("{}: {} ({})\n", arguments.file, title_of(report.kind), name_of(report.kind));
  print_line(rows ? "complementarity rows" : "contacts", fmt::format("{}", report.contacts));
  if (report.islands > 1) print_line("islands", fmt::format("{}, solved apart", report.islands));
  if (description) print_description(*description);
  print_line("solver", report.solver);
  for (const SolveStage& stage : report.stages) {
    print_line("stage", fmt::format("{}: {} iterations, {:.3g} s, residual {:.3g}", stage.name, stage.iterations,
                                    stage.seconds, stage.residual));
  }
  if (report.status == "converged") {
    print_line("result", report.stages.empty() ? "converged" : fmt::format("converged, by {}", report.stages.back().name));
  } else if (report.status == "no_solution") {
    print_line("result", fmt::format("no solution: {}", report.reason));
  } else {
    print_line("result", fmt::format("not solved ({}); the best iterate is given", report.reason));
  }
  print_line("residual", fmt::format("{:.3g} (tolerance {:.3g})", report.residual, arguments.request.tolerance));
  if (report.worst >= 0)
    print_line(rows ? "worst row" : "worst contact", fmt::format("{}, with {:.3g}", report.worst, report.worst_residual));
  print_line("iterations", fmt::format("{}", report.iterations));
  print_line("wall time", fmt::format("{:.3g} s", report.wall_time));
}

int fail(const SolveArguments& arguments, const SourcePosition& position, const std::string& message) {
  if (arguments.json) {
    fmt::print("{}\n", solve_failure_json(position.file.empty() ? message : position.file + ": " + message));
  } else {
    print_error(position, message);
  }
  return kBadInput;
}

/// Reads a file that may make HDF5 crash.
StoredProblem read_guarded(const SolveArguments& arguments) {
  const std::string message = arguments.file + ": damaged: the HDF5 library crashed while reading it";
  const DamageGuard guard = arguments.json
                                ? DamageGuard(STDOUT_FILENO, solve_failure_json(message) + "\n", kBadInput)
                                : DamageGuard(STDERR_FILENO, fmt::format("tippe: error: {}\n", message), kBadInput);
  return read_problem(arguments.file);
}

int solve(const SolveArguments& arguments) {
  try {
    const StoredProblem stored = read_guarded(arguments);
    const SolveReport report = solve_stored(stored, arguments.request);
    std::optional<ProblemDescription> description;
    if (arguments.describe) description = describe(stored);
    if (arguments.json) {
      fmt::print("{}\n", solve_json(report, arguments.impulses, description));
    } else {
      print_report(arguments, report, description);
      if (arguments.impulses) print_impulses(stored, report.impulses);
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
