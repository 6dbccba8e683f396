// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// M under the constraints where a step begins, and which rows of constraints depend on others there.
class BeginningMass {
 public:
  BeginningMass(const System& system, Evaluator& evaluator);

  /// At the state of the evaluator, as far as a step needs it. `laws_act`: then there must be a factorization, else the report says why not, and the answer is false.
  bool factorize(Evaluator& evaluator, bool laws_act, StepReport& report);

  [[nodiscard]] ConstrainedMass& mass() { return mass_; }
  /// Of each constraint: whether it has a position. Such rows are rather kept.
  [[nodiscard]] const std::vector<char>& holonomic() const { return holonomic_; }
  /// Of each constraint: whether it is left out because it depends on others. It holds by itself then, and carries no impulse.
  [[nodiscard]] const std::vector<char>& dropped() const { return dropped_; }
  void take_all_rows();
  /// That take part in a dependency.
  [[nodiscard]] const std::vector<int>& redundant_rows() const { return redundant_rows_; }
  /// m/s  of the constraints.
  [[nodiscard]] const Eigen::VectorXd& chi() const { return chi_; }

 private:
  const System& system_;
  Dynamics dynamics_;
  SparseColumns W_;
  Eigen::VectorXd chi_;
  ConstrainedMass mass_;
  std::vector<char> holonomic_, dropped_;
  std::vector<int> redundant_rows_;
  bool is_ready_ = false;  // constant and without constraints
};

}  // namespace tippe
