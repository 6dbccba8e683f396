// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/integrate/integrator.h"
#include "tippe/integrate/motion_laws.h"
#include "tippe/integrate/row_sizes.h"
#include "tippe/integrate/step_evaluation.h"
#include "tippe/integrate/step_matrix.h"

namespace tippe {

/// Newton's method for the equations and inclusions of a step: the equations are linearised, and the inclusion problem that remains is
/// solved by the contact solver, until the residual no longer falls: to round-off. Without laws a line search helps. The
/// factorization is kept while the residual falls at least tenfold per iteration.
class StepNewton {
 public:
  struct Options {
    double tolerance;        // 1  of |row| relative to the size of its terms and of the inclusions: what a step must reach
    double inner_tolerance;  // 1  to which inclusion problems are solved
    double projected;        // by Moeller's projected Newton iteration (2.72) alone, with this alpha; 0: not
  };
  /// All of them must outlive it.
  StepNewton(const StepEquations& equations, StepEvaluation& evaluation, MotionLaws& laws, const Options& options);

  /// The step from a state with velocities u, beginning with uniform motion without constraint impulses. `dropped`: rows of constraints that are left out, whose
  /// multipliers are zero. False if it is not solved.
  bool solve(const State& state, const Eigen::VectorXd& u, double dt, const std::vector<char>& dropped, StepReport& report);

  // Of the last iterate.
  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }
  [[nodiscard]] const Eigen::VectorXd& r() const { return r_; }
  [[nodiscard]] double residual() const { return rho_; }
  [[nodiscard]] const Residual& inclusion_residual() const { return inclusion_; }
  [[nodiscard]] double relative_row(Eigen::Index row) const { return sizes_.relative(r_, row); }
  /// Whether rows that were left out hold at the solution, too: positions, and velocities where the scheme keeps them. `holonomic`: of each constraint.
  [[nodiscard]] bool dropped_rows_hold(const std::vector<char>& dropped, const std::vector<char>& holonomic);

 private:
  /// Where the iteration stands.
  struct Progress {
    bool has_factor = false;                                // of a Jacobian
    bool fresh = false;                                     // it is the one at x_
    bool rows_allowed = false, inclusions_allowed = false;  // for round-off beside the sizes of terms
    double rows = 0.0, inclusions = 0.0;                    // residuals of the two at x_
    int failures = 0;
  };
  bool solve_equations(double dt, StepReport& report);
  bool solve_with_laws(double dt, StepReport& report);
  bool linearize(double dt);
  bool find_correction(double dt, Progress& progress, StepReport& report);
  [[nodiscard]] double search_along_correction(double dt, Progress& progress);
  void try_impulses(const Progress& progress, StepReport& report);
  [[nodiscard]] double measure_trial(double dt, Progress& progress);
  [[nodiscard]] bool is_at_floor(double rows, const Progress& progress) const;
  bool return_to_floor(double dt);
  void take_trial(double rho);
  void evaluate_residual(const Eigen::VectorXd& x, Eigen::VectorXd& r);
  [[nodiscard]] bool rows_are_small(double dt) { return sizes_.are_small_at(x_, r_, speed_, jacobian_, dt); }

  const StepEquations& equations_;
  StepEvaluation& evaluation_;
  MotionLaws& laws_;
  Options options_;
  StepMatrix matrix_;
  RowSizes sizes_;
  std::vector<double> jacobian_;
  const std::vector<char>* dropped_ = nullptr;
  double speed_ = 0.0;  // m/s  the largest where the step begins
  Eigen::VectorXd x_, r_, trial_, trial_r_, correction_;
  double rho_ = 0.0;    // largest relative row of r_, and residual of the inclusions
  Residual inclusion_;  // the latter
};

}  // namespace tippe
