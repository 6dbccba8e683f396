// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/integrate/motion_laws.h"
#include "tippe/integrate/step_evaluation.h"

namespace tippe {

/// What the rows of the equations of a step are measured by: the largest size of their terms at the iterates so far.
class RowSizes {
 public:
  /// All of them must outlive it. `tolerance`: 1, that rows must reach.
  RowSizes(const StepEquations& equations, StepEvaluation& evaluation, const MotionLaws& laws, double tolerance);

  void forget();
  /// Takes an iterate into account, with the laws as they are.
  void grow(const Eigen::VectorXd& x);
  /// Where velocities vanish, all terms of a row may: forces in balance leave every velocity uncertain by round-off of the speed that
  /// the largest of them would give with the same energy, sqrt(M_ii) v_i = max (size of the first equation)_j / sqrt(M_jj). It counts
  /// in all rows, as round-off only. Multipliers do not count: those of contradicting constraints grow without bound.
  void allow_for_balanced_forces(const Eigen::VectorXd& x, const std::vector<double>& jacobian, double dt);
  /// A trial far away has sizes that say nothing of the solution x, with the residual r: then the rows are measured anew, at the solution alone. Whether they
  /// are small still. `speed`: m/s, the largest at the beginning of the step.
  [[nodiscard]] bool are_small_at(const Eigen::VectorXd& x, const Eigen::VectorXd& r, double speed,
                                  const std::vector<double>& jacobian, double dt);

  /// |r| of a row relative to its size, and the largest.
  [[nodiscard]] double relative(const Eigen::VectorXd& r, Eigen::Index row) const;
  [[nodiscard]] double largest(const Eigen::VectorXd& r) const;
  /// Share of a size that is due to round-off only, where a step must reach the tolerance.
  [[nodiscard]] double round_off_part() const;

 private:
  void evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& size);

  const StepEquations& equations_;
  StepEvaluation& evaluation_;
  const MotionLaws& laws_;
  double tolerance_;
  Eigen::VectorXd size_, trial_size_, free_size_, free_x_, speed_;
  Eigen::VectorXd lowest_u_, highest_u_;  // of the iterates that sizes were taken at
};

}  // namespace tippe
