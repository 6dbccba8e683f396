// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/moreau.h"

#include "tippe/core/finite.h"
#include "tippe/integrate/constraint_names.h"

namespace tippe {

MoreauMidpoint::MoreauMidpoint(const System& system, const MoreauOptions& options)
    : Integrator(system),
      system_(system),
      project_(options.project),
      evaluator_(system.make_evaluator()),
      rows_(system),
      M_(system.nu(), system.mass_pattern(), rows_.W()),
      motion_(system),
      laws_in_step_(system, options.laws) {
  if (options.project_contacts) push_out_.emplace(system);
}

StepReport MoreauMidpoint::step(State& state, double dt) {
  trace_.begin(state);
  return halving_.step(state, dt, laws_, constraints_, memory_,
                       [this, dt](State& end, double length) { return advance(end, length, length / dt); });
}

StepReport MoreauMidpoint::advance(State& state, double dt, double part) {
  StepReport report;
  redundancy_.judge_once(motion_, state);
  u_B_ = state.u;
  if (!evaluate_midpoint(state, dt, report)) return report;                  // q_M, M, h at (q_M, u_B, t_M)  (5.3)
  laws_in_step_.find(*evaluator_, list_, {q_M_, u_B_}, dt, memory_, laws_);  // I(q_M, t_M), W_i, chi_i
  laws_in_step_.join_resting(*evaluator_, list_, {q_M_, u_B_}, dt, memory_, laws_);
  report.active_laws = laws_in_step_.size();
  u_start_ = u_B_;
  if (!rows_.keep(M_, u_start_, report)) return report;
  impulse_ = dynamics_.h * dt;
  change_of_u_ = impulse_;
  M_.solve_in_place(change_of_u_);  // M^-1 h dt
  if (report.active_laws > 0) {
    laws_in_step_.assemble(M_, u_B_, laws_);  // G, gamma_B
    // Laws of Poisson and Moreau only: u_start_ is then the velocity after the impact.
    laws_in_step_.collide_before_motion(M_, change_of_u_, u_start_, laws_, report);
    if (report.ok()) laws_in_step_.solve_motion(u_start_, change_of_u_, dt, laws_, report);  // c, Lambda  (5.6), (5.7)
    if (!report.ok()) return report;
    laws_in_step_.add_impulses(impulse_);
    change_of_u_ = impulse_;
    M_.solve_in_place(change_of_u_);
  }
  state.u = u_start_ + change_of_u_;  // u_E  (5.8)
  laws_in_step_.check_motion(state.u, dt, report);
  move(state.t + 0.5 * dt, q_M_, state.u, 0.5 * dt, q_half_, state.q);  // q_E  (5.5)
  system_.normalize(state.q);
  state.t += dt;
  if (!all_finite(state.q) || !all_finite(state.u)) report.status = StepReport::Status::kNotFinite;
  book_energy(state.u, dt, report);
  laws_in_step_.warn_of_energy_gain(state.t, -report.lost_in_contacts, laws_, warnings_);
  laws_in_step_.warn_of_narrow_band(state.t, dt, report, warnings_);
  trace_.u_start = u_start_;
  const bool pushes = push_out_ && push_out_->is_due();
  const bool moves = pushes || (project_ && !system_.constraints().empty());
  if (moves) {
    trace_.moved_q -= state.q;
    trace_.moved_u -= state.u;
  }
  if (project_ && report.ok() && motion_.project_positions(state.t, state.q, report))
    motion_.project_velocities(state.t, state.q, state.u, report);
  if (push_out_ && report.ok()) {
    if (pushes) change_of_u_ = 0.5 * dt * state.u;
    push_out_->apply({*evaluator_, M_, laws_in_step_, q_M_, change_of_u_, 0.5 * dt, dt, part, project_ ? &motion_ : nullptr},
                     state, report);
  }
  if (moves) {
    trace_.moved_q += state.q;
    trace_.moved_u += state.u;
  }
  if (report.ok()) laws_in_step_.remember(laws_, memory_);
  return report;
}

void MoreauMidpoint::save_memory(NamedArrays& memory) const {
  redundancy_.save(memory);
  memory_.save(memory);
  if (push_out_) push_out_->save(memory);
}

void MoreauMidpoint::restore_memory(const NamedArrays& memory) {
  redundancy_.restore(memory, motion_);
  memory_.restore(memory);
  if (push_out_) push_out_->restore(memory);
}

bool MoreauMidpoint::evaluate_midpoint(const State& state, double dt, StepReport& report) {
  move(state.t, state.q, state.u, 0.5 * dt, state.q, q_half_);
  q_M_ = q_half_;
  system_.normalize(q_M_);
  if (redundancy_.redundant() && !motion_.project_positions(state.t + 0.5 * dt, q_M_, report)) return false;
  evaluator_->set_state(state.t + 0.5 * dt, q_M_, state.u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->find_laws(laws_in_step_.reach(q_M_, dt, memory_), list_);
  if (!rows_.evaluate(*evaluator_, report)) return false;
  if (!all_finite(dynamics_.h) || !all_finite(list_.gap)) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, dynamics_.h, list_);
  } else if (!M_.factorize(dynamics_.M, rows_.W())) {
    report.status = StepReport::Status::kMassSingular;
    report.culprit = describe_massless(system_, M_.massless_direction());
  }
  return report.ok();
}

/// q = from + time times dq/dt at (t, place, u).
void MoreauMidpoint::move(double t, const Eigen::VectorXd& place, const Eigen::VectorXd& u, double time,
                          const Eigen::VectorXd& from, Eigen::VectorXd& q) {
  if (system_.velocities_are_rates()) {
    q = from + time * u;
    return;
  }
  evaluator_->set_state(t, place, u);
  evaluator_->evaluate_position_rate(rate_);
  q = from + time * rate_;
}

/// The exact balance of the kinetic energy at frozen M: T_E - T_start = (h dt + W Lambda) . (u_start + u_E) / 2, by its causes.
void MoreauMidpoint::book_energy(const Eigen::VectorXd& u_E, double dt, StepReport& report) {
  const auto mean_power = [&](const Eigen::VectorXd& force) { return 0.5 * (force.dot(u_start_) + force.dot(u_E)); };
  report.lost_in_damping = -dt * (mean_power(dynamics_.damping) + dynamics_.damping_on_drift);
  if (report.lost_in_damping < 0.0 && dynamics_.damping.dot(u_start_) < 0.0) report.fed_by_damping = -report.lost_in_damping;
  report.work_done += dt * (mean_power(dynamics_.applied) + dynamics_.drive_power - dynamics_.damping_on_drift);
  if (dynamics_.drive_momentum.size() > 0) report.work_done += dynamics_.drive_momentum.dot(u_E - u_B_);
  if (report.active_laws > 0) laws_in_step_.book(u_start_, u_E, laws_, report);
  if (system_.constraints().empty()) return;
  // What the constraints did: M (u_E - u_B) less the impulses of forces and laws, those of an impact before the motion included.
  change_of_u_ = u_E - u_B_;
  M_.multiply(change_of_u_, constraint_impulse_);
  constraint_impulse_ -= dynamics_.h * dt;
  laws_in_step_.subtract_impulses(laws_, constraint_impulse_);
  rows_.book(M_, constraint_impulse_, u_E, constraints_, report);
}

}  // namespace tippe
