// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/rk4.h"

namespace tippe {

RungeKutta4::RungeKutta4(const System& system)
    : Integrator(system), system_(system), evaluator_(system.make_evaluator()), M_(system.nu(), system.mass_pattern()) {}

/// Rates at one stage; its share of the work is booked with the quadrature weight, so that the ledger is as
/// accurate as the motion.
bool RungeKutta4::evaluate_stage(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double weight, Stage& stage,
                                 StepReport& report) {
  evaluator_->set_state(t, q, u);
  evaluator_->evaluate_position_rate(stage.q_rate);
  evaluator_->evaluate_dynamics(dynamics_);
  report.lost_in_damping -= weight * dynamics_.damping.dot(u);
  report.work_done += weight * (dynamics_.applied.dot(u) + dynamics_.drive_power);
  if (!dynamics_.h.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, dynamics_.h, Eigen::VectorXd());
  } else if (!M_.factorize(dynamics_.M)) {
    report.status = StepReport::Status::kMassSingular;
  } else {
    stage.u_rate = dynamics_.h;
    M_.solve_in_place(stage.u_rate);
  }
  return report.ok();
}

StepReport RungeKutta4::step(State& state, double dt) {
  constexpr std::array kNode = {0.0, 0.5, 0.5, 1.0};
  constexpr std::array kWeight = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  StepReport report;
  for (int s = 0; s < 4; ++s) {
    q_ = state.q;
    u_ = state.u;
    if (s > 0) {
      q_ += kNode[s] * dt * stages_[s - 1].q_rate;
      u_ += kNode[s] * dt * stages_[s - 1].u_rate;
    }
    if (!evaluate_stage(state.t + kNode[s] * dt, q_, u_, kWeight[s] * dt, stages_[s], report)) return report;
  }
  for (int s = 0; s < 4; ++s) {
    state.q += kWeight[s] * dt * stages_[s].q_rate;
    state.u += kWeight[s] * dt * stages_[s].u_rate;
  }
  state.t += dt;
  if (!state.q.allFinite() || !state.u.allFinite()) report.status = StepReport::Status::kNotFinite;
  return report;
}

}  // namespace tippe
