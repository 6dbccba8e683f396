// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/integrate/step_equations.h"
#include "tippe/model/state.h"

namespace tippe {

/// The equations of one step at iterates x of its unknowns. Every call says at which x: nothing depends on the call before but begin().
class StepEvaluation {
 public:
  explicit StepEvaluation(const StepEquations& equations);

  /// The step from a state with velocities u, of length dt.
  void begin(const State& state, const Eigen::VectorXd& u, double dt);

  /// Without the impulses of laws.
  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r);
  /// The sizes of the terms that the rows of the residual are the sum of.
  void sizes(const Eigen::VectorXd& x, Eigen::VectorXd& size);
  /// In the order of StepEquations::pattern(); zero where only laws have entries.
  void jacobian(const Eigen::VectorXd& x, std::vector<double>& values);
  /// qE and the path s, one after the other.
  [[nodiscard]] const Eigen::VectorXd& end(const Eigen::VectorXd& x);
  struct Energy {
    double lost_in_damping, work_done;  // J
  };
  [[nodiscard]] Energy energy(const Eigen::VectorXd& x);
  /// What the constraints do to the velocities.
  void constraint_impulse(const Eigen::VectorXd& x, Eigen::VectorXd& impulse);
  /// The inputs of the step with x, for the functions of laws.
  [[nodiscard]] std::span<double> memory(const Eigen::VectorXd& x);

 private:
  const StepEquations& equations_;
  std::vector<double> memory_, sizes_in_memory_;
  Eigen::VectorXd unused_, end_;
};

}  // namespace tippe
