// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/bilateral_rows.h"

#include <algorithm>
#include <cmath>

namespace tippe {

BilateralRows::BilateralRows(const System& system) : system_(system) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  evaluator->evaluate_constraint_directions(W_, chi_);  // for the pattern
}

bool BilateralRows::evaluate(Evaluator& evaluator, StepReport& report) {
  if (W_.columns() == 0) return true;
  evaluator.evaluate_constraint_directions(W_, chi_);
  report.culprit = find_non_finite_row(system_, W_, chi_, chi_);
  if (report.culprit.empty()) return true;
  report.status = StepReport::Status::kNotFinite;
  return false;
}

bool BilateralRows::keep(ConstrainedMass& M, Eigen::VectorXd& u, StepReport& report) {
  if (W_.columns() == 0) return true;
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the round-off of the first
    right_side_ = -chi_;
    for (int k = 0; k < W_.columns(); ++k) right_side_[k] -= W_.dot(k, u.data());
    M.smallest_change(right_side_, change_, misfit_);
    u += change_;
  }
  if (!M.rank().redundant()) return true;
  right_side_ = -chi_;  // W'u fits any dependence; what moves may not
  size_ = chi_.cwiseAbs();
  return !contradiction_.find(system_, M, right_side_, size_, 0.0, "velocity", report);
}

void BilateralRows::book(ConstrainedMass& M, const Eigen::VectorXd& impulse, const Eigen::VectorXd& u, ConstraintStep& step,
                         StepReport& report) {
  if (W_.columns() == 0) return;
  M.multipliers(impulse, step.impulse);
  step.on_velocities.setZero();
  step.redundant = M.rank().redundant();
  step.residual = 0.0;
  for (int k = 0; k < W_.columns(); ++k) {
    W_.add_to(k, step.impulse[k], step.on_velocities.data());
    step.residual = std::max(step.residual, std::abs(W_.dot(k, u.data()) + chi_[k]));
  }
  report.work_done -= step.impulse.dot(chi_);
}

}  // namespace tippe
