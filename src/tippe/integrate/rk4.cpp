// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/rk4.h"

namespace tippe {

RungeKutta4::RungeKutta4(const System& system, bool project)
    : Integrator(system), system_(system), motion_(system), project_(project) {}

/// Rates at one stage; its share of the work is booked with the quadrature weight, so that the ledger is as
/// accurate as the motion.
bool RungeKutta4::evaluate_stage(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double weight, Stage& stage,
                                 StepReport& report) {
  if (!motion_.evaluate(t, q, u, report)) return false;
  stage.q_rate = motion_.position_rate();
  stage.u_rate = motion_.acceleration();
  report.lost_in_damping += weight * motion_.damping_loss(u);
  report.work_done += weight * motion_.driving_power(u);
  return true;
}

StepReport RungeKutta4::step(State& state, double dt) {
  constexpr std::array kNode = {0.0, 0.5, 0.5, 1.0};
  constexpr std::array kWeight = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  StepReport report;
  redundancy_.judge_once(motion_, state);
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
  system_.normalize(state.q);
  state.t += dt;
  if (!state.q.allFinite() || !state.u.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
  } else if (project_ && motion_.project_positions(state.t, state.q, report)) {
    motion_.project_velocities(state.t, state.q, state.u, report);
  }
  return report;
}

}  // namespace tippe
