// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/alternating_directions.h"
#include "tippe/solve/anderson.h"
#include "tippe/solve/contact_newton.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/interior_point.h"
#include "tippe/solve/planar_pivoting.h"
#include "tippe/solve/projected.h"
#include "tippe/solve/stage_book.h"
#include "tippe/solve/sweeper.h"

namespace tippe {

/// Solves one island of a contact problem by the method asked for. Stages start from the best iterate so far, the last means also from zero, and only the
/// residual measured on the problem as given says which that is. Keeps its memory between islands and between solves.
class IslandSolver {
 public:
  /// Books its stages there; must outlive this.
  explicit IslandSolver(StageBook& book) : book_(book) {}

  /// From the warm start Lambda to the best iterate. `insist`: the portfolio has been through, and what is left are its last means.
  void solve(const InclusionProblem& problem, const ContactSolverOptions& options, bool insist, KeptVector& Lambda);
  /// What the claim of a solution of the last problem rests on, see certify_residual().
  [[nodiscard]] Residual certify(const KeptVector& Lambda) {
    return certify_prepared_residual(*problem_, Lambda, residual_work_);
  }

 private:
  void start(const InclusionProblem& problem, const ContactSolverOptions& options, const KeptVector& warm_start);
  [[nodiscard]] bool done() const { return residual_.relative <= options_.tolerance; }
  [[nodiscard]] bool will_do() const { return done() || residual_.relative <= options_.enough; }
  /// Measures the residual of r_ on the problem as given; keeps r_ if it is the best.
  double judge();
  /// Runs a stage from the best iterate; `run` returns its iterations.
  template <class Run>
  void stage(ContactMethod method, Run&& run);

  void run_method();
  void run_portfolio();
  void come_from_inside();
  void insist();
  void begin_afresh(double factorization, int proximal_budget);

  // Stages: from r_ on, at most so many iterations; they return how many they took.
  int sweep(int most);
  int accelerated_sweeps(int most, double affordable_work);
  int momentum_sweeps(int most);
  int newton_steps(int most, int most_poor);
  int proximal_steps(int most);
  int alternating_steps(int most);
  int interior_point_steps(int most, double handover);
  int interior_point_alone(int most);
  int convex_steps(int most);
  int pivot();
  int enumerate();
  int projected_sweeps(int most);

  StageBook& book_;
  const InclusionProblem* problem_ = nullptr;
  ContactSolverOptions options_;
  NormalForm form_;
  KeptVector r_;       // the iterate, in the variables of the form
  KeptVector best_;    // the best one, with
  Residual residual_;  // its measured residual

  Sweeper sweeper_;
  AndersonAcceleration anderson_;
  ContactNewton newton_;
  AlternatingDirections alternating_;
  InteriorPoint interior_point_;
  PlanarPivoting pivoting_;
  ProjectedSolver projected_;
  KeptVector Lambda_, previous_;
  ResidualWork residual_work_;
};

}  // namespace tippe
