// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/constraint_names.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// The bilateral constraints in a step that solves for impulses: they are kept by velocities, W'u + chi = 0, and eliminated from
/// everything else through the constrained mass.
class BilateralRows {
 public:
  explicit BilateralRows(const System& system);

  /// W, chi where the evaluator is. False, with status and culprit, if they are not finite.
  bool evaluate(Evaluator& evaluator, StepReport& report);
  [[nodiscard]] const SparseColumns& W() const { return W_; }

  /// Moves velocities to the nearest that keep the constraints. False, with status and culprit, if they contradict each other.
  bool keep(ConstrainedMass& M, Eigen::VectorXd& u, StepReport& report);
  /// Books the step in which the constraints' impulse on the velocities was `impulse` and the velocities became u: least-norm
  /// impulses, what is left of gamma, and the work -chi . Lambda of moving constraints.
  void book(ConstrainedMass& M, const Eigen::VectorXd& impulse, const Eigen::VectorXd& u, ConstraintStep& step,
            StepReport& report);

 private:
  const System& system_;
  SparseColumns W_;
  Eigen::VectorXd chi_, right_side_, change_, misfit_, size_;
  ContradictionTest contradiction_;
};

}  // namespace tippe
