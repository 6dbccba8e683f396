// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/exchange/problem_file.h"
#include "tippe/problem/matrix_report.h"
#include "tippe/solve/stage.h"

namespace tippe {

/// What to ask of a solver.
struct SolveRequest {
  std::string solver = "portfolio";
  double tolerance = 1e-8;  // 1  of the residual
  int max_iterations = 0;   // of a single method; 0: its own budget
  int threads = 1;
  // Of the projected iterations, which alone take them (ProjectedOptions); nothing: their own.
  std::optional<double> alpha = {};  // 1  relaxation, in (0, 2]
  bool recover = true, transform = true;
};

/// What became of a problem.
enum class SolveOutcome { kConverged, kNotConverged, kNoSolution };
/// "converged", "not_converged", "no_solution"
[[nodiscard]] const char* name_of(SolveOutcome outcome);

/// What is known of a problem and its solution.
struct SolveReport {
  ProblemKind kind = ProblemKind::kInclusion;
  int contacts = 0;  // laws of a contact problem, complementarity rows of an LCP or MLCP
  int islands = 0;   // contact problems only
  SolveOutcome outcome = SolveOutcome::kNotConverged;
  std::string reason;  // why it is not converged: the certificate, or what the solver said of itself
  double residual = -1.0, worst_residual = -1.0;  // measured from the impulses alone
  int worst = -1;                                 // contact or row that contributes most, from 0; -1 if there is none
  std::string solver;
  double tolerance = 0.0;  // 1  that was asked for
  std::vector<SolveStage> stages;
  int iterations = 0;
  double wall_time = 0.0;  // s  the solve alone
  Eigen::VectorXd impulses;
  Eigen::VectorXd farkas;  // with no_solution: the vector that proves it; empty if the proof is an enumeration
};

/// Throws InputError for a solver that does not exist for this kind of problem, or another bad request.
[[nodiscard]] SolveReport solve_stored(const StoredProblem& stored, const SolveRequest& request);

/// What may be told of a problem before it is solved.
struct ProblemDescription {
  MatrixReport matrix;                          // of an MLCP: (A C; D B)
  std::optional<std::pair<double, double>> mu;  // smallest and largest coefficient of friction, if there is friction
};
[[nodiscard]] ProblemDescription describe(const StoredProblem& stored);

/// For the terminal; `name`: of the problem.
[[nodiscard]] std::string solve_text(const std::string& name, const SolveReport& report,
                                     const std::optional<ProblemDescription>& description = {});

/// One line for each contact: its number and its rows. Numbers have as many digits as give back the same bits.
[[nodiscard]] std::string impulses_text(const StoredProblem& stored, const Eigen::VectorXd& impulses);

/// One JSON object; docs/program.md lists the keys.
[[nodiscard]] std::string solve_json(const SolveReport& report, bool impulses,
                                     const std::optional<ProblemDescription>& description = {});

}  // namespace tippe
