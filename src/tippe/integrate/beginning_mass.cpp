// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/beginning_mass.h"

#include <algorithm>

#include "tippe/integrate/constraint_names.h"

namespace tippe {

BeginningMass::BeginningMass(const System& system, Evaluator& evaluator) : system_(system) {
  evaluator.set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  evaluator.evaluate_constraint_directions(W_, chi_);  // for the pattern
  mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_);
  for (const Constraint& constraint : system.constraints()) holonomic_.push_back(constraint.holonomic ? 1 : 0);
  dropped_.assign(holonomic_.size(), 0);
}

void BeginningMass::take_all_rows() {
  std::fill(dropped_.begin(), dropped_.end(), 0);
}

bool BeginningMass::factorize(Evaluator& evaluator, bool laws_act, StepReport& report) {
  redundant_rows_.clear();
  take_all_rows();
  if (dropped_.empty() && (!laws_act || is_ready_)) return true;
  evaluator.evaluate_dynamics(dynamics_);
  evaluator.evaluate_constraint_directions(W_, chi_);
  if (!mass_.factorize(dynamics_.M, W_)) {
    if (!laws_act) return true;
    report.status = StepReport::Status::kMassSingular;
    report.culprit = describe_massless(system_, mass_.massless_direction());
    return false;
  }
  is_ready_ = dropped_.empty() && system_.constant_mass();
  if (!mass_.rank().redundant()) return true;
  redundant_rows_ = mass_.redundant_rows();
  mass_.choose_dependent(holonomic_, dropped_);
  return true;
}

}  // namespace tippe
