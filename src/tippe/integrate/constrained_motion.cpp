// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constrained_motion.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "tippe/integrate/constraint_names.h"

namespace tippe {

ConstrainedMotion::ConstrainedMotion(const System& system) : system_(system), evaluator_(system.make_evaluator()) {
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(system.nq());
  u_zero_.setZero(system.nu());
  evaluator_->set_state(0.0, q, u_zero_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  for (size_t k = 0; k < system.constraints().size(); ++k) {
    if (system.constraints()[k].holonomic) holonomic_.push_back(static_cast<int>(k));
  }
  select_holonomic();
  mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_);
  holonomic_mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_holonomic_);
}

void ConstrainedMotion::select_holonomic() {
  W_holonomic_.clear();
  for (const int k : holonomic_) {
    for (int p = W_.start[k]; p < W_.start[k + 1]; ++p) W_holonomic_.push(W_.row[p], W_.value[p]);
    W_holonomic_.finish_column();
  }
}

bool ConstrainedMotion::factorize(StepReport& report) {
  if (mass_.factorize(dynamics_.M, W_)) return true;
  report.status = StepReport::Status::kMassSingular;
  report.culprit = describe_massless(system_, mass_.massless_direction());
  return false;
}

bool ConstrainedMotion::judge_redundancy(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  redundant_ = false;
  if (W_.columns() == 0) return false;
  StepReport report;  // a start that cannot be projected fails in the step itself
  q_near_ = q;
  project_positions(t, q_near_, report);
  evaluator_->set_state(t, q_near_, u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  redundant_ = mass_.factorize(dynamics_.M, W_) && rank().redundant();
  return redundant_;
}

ConstrainedMotion::Violation ConstrainedMotion::violation(const State& state, Eigen::VectorXd& g, Eigen::VectorXd& gamma) {
  g.resize(W_.columns());
  gamma.resize(W_.columns());
  if (W_.columns() == 0) return {};
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_constraint_positions(g);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  gamma = chi_;
  for (int k = 0; k < W_.columns(); ++k) gamma[k] += W_.dot(k, state.u.data());
  return {g.cwiseAbs().maxCoeff(), gamma.cwiseAbs().maxCoeff()};
}

bool ConstrainedMotion::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, StepReport& report) {
  const Eigen::VectorXd* place = &q;
  if (redundant_) {
    q_near_ = q;
    if (!project_positions(t, q_near_, report)) return false;
    place = &q_near_;
  }
  evaluator_->set_state(t, *place, u);
  evaluator_->evaluate_position_rate(q_rate_);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  evaluator_->evaluate_constraint_drift(drift_);
  if (!dynamics_.h.allFinite() || !drift_.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, dynamics_.h, Eigen::VectorXd());
    return false;
  }
  if (!factorize(report)) return false;

  // The free part satisfies W'a = 0, the other is the smallest with W'a = -drift.
  u_rate_ = dynamics_.h;
  mass_.solve_in_place(u_rate_);
  right_side_ = -drift_;
  mass_.smallest_change(right_side_, change_, misfit_);
  u_rate_ += change_;
  return !find_contradiction(system_, mass_, W_, u_rate_, right_side_, misfit_, "acceleration", report);
}

double ConstrainedMotion::drive_power() {
  double power = dynamics_.drive_power;
  if (dynamics_.drive_momentum.size() > 0) power += dynamics_.drive_momentum.dot(u_rate_);
  if (chi_.size() == 0 || chi_.isZero(0.0)) return power;
  constraint_forces(lambda_, force_);
  return power - lambda_.dot(chi_);  // a moving constraint pushes with -chi
}

void ConstrainedMotion::constraint_forces(Eigen::VectorXd& lambda, Eigen::VectorXd& on_velocities) {
  mass_.multiply(u_rate_, on_velocities);
  on_velocities -= dynamics_.h;
  mass_.multipliers(on_velocities, lambda);
  on_velocities.setZero();  // W lambda: the same without the round-off of M a - h
  for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, lambda[k], on_velocities.data());
}

bool ConstrainedMotion::project_velocities(double t, const Eigen::VectorXd& q, Eigen::VectorXd& u, StepReport& report) {
  if (W_.columns() == 0) return true;
  evaluator_->set_state(t, q, u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  if (!factorize(report)) return false;
  for (int pass = 0; pass < 2; ++pass) {
    right_side_ = -chi_;
    for (int k = 0; k < W_.columns(); ++k) right_side_[k] -= W_.dot(k, u.data());
    mass_.smallest_change(right_side_, change_, misfit_);
    u += change_;
  }
  if (!u.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    return false;
  }
  return !find_contradiction(system_, mass_, W_, u, chi_, misfit_, "velocity", report);
}

bool ConstrainedMotion::project_positions(double t, Eigen::VectorXd& q, StepReport& report) {
  if (holonomic_.empty()) return true;
  // Dependent rows seem independent beside the constraints, by about as much as they are violated: coarse decisions first.
  constexpr std::array kCutoffs = {1e-5, 1e-3, 1e-1, 0.0};
  best_q_ = q;
  for (const double cutoff : kCutoffs) {
    q = best_q_;
    if (correct_positions(t, q, cutoff, report)) return true;
    if (report.status == StepReport::Status::kMassSingular) return false;
  }
  evaluator_->set_state(t, q, u_zero_);
  evaluator_->evaluate_constraint_positions(g_);
  Eigen::Index worst = 0;
  const double left = g_.cwiseAbs().maxCoeff(&worst);
  report.status = StepReport::Status::kNotSolved;
  report.culprit = fmt::format("no positions near by keep the constraints: {:.3g} is left at '{}'", left,
                               system_.constraints()[static_cast<size_t>(worst)].name);
  return false;
}

/// Newton's method until the correction is round-off. False if it does not get there.
bool ConstrainedMotion::correct_positions(double t, Eigen::VectorXd& q, double cutoff, StepReport& report) {
  constexpr int kMostIterations = 30;
  constexpr double kRoundOff = 8.0 * std::numeric_limits<double>::epsilon();
  constexpr double kTiny = 1e-10;  // of the positions: a correction of this size that mends nothing more is round-off
  const auto rows = static_cast<Eigen::Index>(holonomic_.size());
  const bool same_indices = system_.nq() == system_.nu();
  double last = std::numeric_limits<double>::infinity();
  dq_.setConstant(system_.nq(), last);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    evaluator_->set_state(t, q, u_zero_);
    evaluator_->evaluate_constraint_positions(g_);
    evaluator_->evaluate_constraint_directions(W_, chi_);
    evaluator_->evaluate_dynamics(dynamics_);
    if (!g_.allFinite()) return false;
    right_side_.resize(rows);
    const double largest_q = q.cwiseAbs().maxCoeff();
    bool kept = true;
    for (Eigen::Index k = 0; k < rows; ++k) {
      const int row = holonomic_[static_cast<size_t>(k)];
      right_side_[k] = -g_[row];
      double terms = 0.0;
      for (int p = W_.start[row]; p < W_.start[row + 1]; ++p)
        terms += std::abs(W_.value[p] * (same_indices ? q[W_.row[p]] : largest_q));
      kept = kept && std::abs(g_[row]) <= kRoundOff * terms;
    }
    const double size = right_side_.norm();
    if (kept || (size >= 0.5 * last && dq_.cwiseAbs().maxCoeff() <= kTiny * largest_q)) return true;
    last = size;
    select_holonomic();
    if (!holonomic_mass_.factorize(dynamics_.M, W_holonomic_, cutoff)) {
      report.status = StepReport::Status::kMassSingular;
      report.culprit = describe_massless(system_, holonomic_mass_.massless_direction());
      return false;
    }
    holonomic_mass_.smallest_change(right_side_, change_, misfit_);
    evaluator_->map_velocities(change_, dq_);
    q += dq_;
    ++report.iterations;
  }
  return false;
}

}  // namespace tippe
