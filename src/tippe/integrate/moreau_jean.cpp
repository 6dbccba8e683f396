// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/moreau_jean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/tolerances.h"
#include "tippe/integrate/constraint_names.h"
#include "tippe/integrate/tolerances.h"

namespace tippe {
namespace {

/// y += a M x, M by its lower triangle.
void add_product(const System& system, const std::vector<double>& M, double a, const Eigen::VectorXd& x,
                 Eigen::VectorXd& y) {
  for (size_t e = 0; e < M.size(); ++e) {
    const auto& [row, column] = system.mass_pattern()[e];
    y[row] += a * M[e] * x[column];
    if (row != column) y[column] += a * M[e] * x[row];
  }
}

/// sqrt(x'A x), A by its lower triangle: sizes of velocities whose units differ.
double length_in(const std::vector<LowerEntry>& pattern, const std::vector<double>& A, const Eigen::VectorXd& x) {
  double square = 0.0;
  for (size_t e = 0; e < A.size(); ++e) {
    const auto& [row, column] = pattern[e];
    square += (row == column ? 1.0 : 2.0) * A[e] * x[row] * x[column];
  }
  return std::sqrt(std::max(square, 0.0));
}

std::optional<ForceLinearization> slopes_of(const System& system) {
  if (system.lagrangian() == nullptr) return std::nullopt;
  return ForceLinearization(*system.lagrangian());
}

}  // namespace

MoreauJean::MoreauJean(const System& system, const MoreauJeanOptions& options)
    : Integrator(system),
      system_(system),
      theta_(options.theta),
      project_(options.project),
      evaluator_(system.make_evaluator()),
      rows_(system),
      slopes_(slopes_of(system)),
      M_(system.nu(), slopes_ ? slopes_->pattern() : system.mass_pattern(), rows_.W()),
      motion_(system),
      laws_in_step_(system, options.laws) {
  if (options.project_contacts) push_out_.emplace(system);
}

StepReport MoreauJean::step(State& state, double dt) {
  trace_.begin(state);
  return halving_.step(state, dt, laws_, constraints_, memory_,
                       [this, dt](State& end, double length) { return advance(end, length, length / dt); });
}

StepReport MoreauJean::advance(State& state, double dt, double part) {
  StepReport report;
  redundancy_.judge_once(motion_, state);
  if (!prepare(state, dt, report)) return report;
  laws_in_step_.find(*evaluator_, list_, {q_M_, u_B_}, dt, memory_, laws_);
  laws_in_step_.join_resting(*evaluator_, list_, {q_M_, u_B_}, dt, memory_, laws_);
  report.active_laws = laws_in_step_.size();
  if (report.active_laws > 0) laws_in_step_.assemble(M_, u_B_, laws_);

  if (!iterate(state, dt, report)) return report;
  laws_in_step_.check_motion(u_E_, dt, report);
  state.q = q_E_;
  state.u = u_E_;
  state.t += dt;
  if (!state.q.allFinite() || !state.u.allFinite()) report.status = StepReport::Status::kNotFinite;
  book_energy(dt, report);
  laws_in_step_.warn_of_energy_gain(state.t, -report.lost_in_contacts, laws_, warnings_);
  laws_in_step_.warn_of_narrow_band(state.t, dt, report, warnings_);
  const bool pushes = push_out_ && push_out_->is_due();
  const bool moves = pushes || (project_ && !system_.constraints().empty());
  if (moves) {
    trace_.moved_q -= state.q;
    trace_.moved_u -= state.u;
  }
  if (project_ && report.ok() && motion_.project_positions(state.t, state.q, report))
    motion_.project_velocities(state.t, state.q, state.u, report);
  if (push_out_ && report.ok()) {
    if (pushes) change_ = dt * (theta_ * u_E_ + (0.5 - theta_) * u_B_);  // from q_M, where u_B led
    push_out_->apply({*evaluator_, M_, laws_in_step_, q_M_, change_, 0.5 * dt, dt, part, project_ ? &motion_ : nullptr},
                     state, report);
  }
  if (moves) {
    trace_.moved_q += state.q;
    trace_.moved_u += state.u;
  }
  if (report.ok()) laws_in_step_.remember(laws_, memory_);
  return report;
}

/// u_E with its impulses.
bool MoreauJean::iterate(const State& begin, double dt, StepReport& report) {
  constexpr int kMostIterations = 30;
  constexpr double kSlow = 0.1;  // of the misfit that an iteration leaves
  u_E_ = u_B_;
  double last = 0.0;
  for (int iteration = 0;; ++iteration) {
    if (!evaluate_end(begin, dt, report)) return false;
    if (iteration > 0) {
      const double left = misfit();
      const double size = std::max(length_in(pattern(), implicit_mass_, u_E_), length_in(pattern(), implicit_mass_, u_B_));
      const double floor = kMisfitOfVelocities * size + round_off_of_positions(dt);
      const bool stagnates = iteration > 2 && left > 0.5 * last && left <= 1e3 * floor;
      if (left <= floor || stagnates) return true;
      if (iteration == kMostIterations || !std::isfinite(left)) {
        report.status = StepReport::Status::kNotSolved;
        report.culprit = fmt::format(
            "the implicit forces were not found: {:.3g} of the velocities is left after {} iterations; "
            "take a smaller step",
            left / size, iteration);
        return false;
      }
      if (iteration > 1 && left > kSlow * last && !refresh_slopes(begin.t + dt, dt, report)) return false;
      last = left;
    }
    ++report.iterations;
    if (!solve(dt, report)) return false;
  }
}

/// What the equation still misses with the impulses found so far: as a change of velocities, measured like them by M with the slopes.
double MoreauJean::misfit() {
  impulse_ = smooth_;
  if (laws_in_step_.size() > 0) laws_in_step_.add_impulses(impulse_);
  change_ = impulse_;
  M_.solve_in_place(change_);
  const double square = change_.dot(impulse_);
  return std::sqrt(square < 0.0 ? 0.0 : square);
}

/// Forces are uncertain by the round-off of the positions, which is that of q / dt as a velocity.
double MoreauJean::round_off_of_positions(double dt) const {
  double square = 0.0;
  for (size_t e = 0; e < implicit_mass_.size(); ++e) {
    const auto& [row, column] = pattern()[e];
    if (row == column) square += std::abs(implicit_mass_[e]) * std::pow(system_.reach(q_E_, row), 2);
  }
  return 4.0 * kMachineEpsilon * std::sqrt(square) / dt;
}

/// h at the beginning; W, M and the closed contacts at the predicted midpoint.
bool MoreauJean::prepare(const State& state, double dt, StepReport& report) {
  u_B_ = state.u;
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_position_rate(rate_);
  evaluator_->evaluate_dynamics(begin_);
  q_M_ = state.q + 0.5 * dt * rate_;
  system_.normalize(q_M_);
  const double t_M = state.t + 0.5 * dt;
  if (redundancy_.redundant() && !motion_.project_positions(t_M, q_M_, report)) return false;
  evaluator_->set_state(t_M, q_M_, u_B_);
  evaluator_->evaluate_dynamics(middle_);
  evaluator_->find_laws(laws_in_step_.reach(q_M_, dt, memory_), list_);
  if (!rows_.evaluate(*evaluator_, report)) return false;
  if (!begin_.h.allFinite() || !list_.gap.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, begin_.h, list_);
  } else {
    factorize(t_M, q_M_, u_B_, dt, report);
  }
  return report.ok();
}

/// M with the slopes of the forces at a state.
bool MoreauJean::factorize(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double dt, StepReport& report) {
  if (slopes_)
    slopes_->combine(middle_.M, theta_ * dt, theta_ * theta_ * dt * dt, t, q, u, implicit_mass_);
  else
    implicit_mass_ = middle_.M;
  if (M_.factorize(implicit_mass_, rows_.W())) return true;
  report.status = StepReport::Status::kMassSingular;
  report.culprit = fmt::format(
      "the mass matrix with the slopes of the forces is not positive definite along {}; a smaller step "
      "helps where a force pushes away",
      describe_direction(system_, M_.massless_direction()));
  return false;
}

/// Where the slopes of the midpoint do not lead on: those of the last iterate.
bool MoreauJean::refresh_slopes(double t_E, double dt, StepReport& report) {
  if (!factorize(t_E, q_E_, u_E_, dt, report)) return false;
  if (report.active_laws > 0) laws_in_step_.assemble(M_, u_B_, laws_);
  return true;
}

/// q_E, h at the end, and the impulse that M (u_E - u_B) leaves of the smooth forces.
bool MoreauJean::evaluate_end(const State& begin, double dt, StepReport& report) {
  mean_ = theta_ * u_E_ + (1.0 - theta_) * u_B_;
  evaluator_->set_state(begin.t + 0.5 * dt, q_M_, mean_);
  evaluator_->evaluate_position_rate(rate_);
  q_E_ = begin.q + dt * rate_;
  system_.normalize(q_E_);
  evaluator_->set_state(begin.t + dt, q_E_, u_E_);
  evaluator_->evaluate_dynamics(end_);
  if (!end_.h.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, end_.h, {});
    return false;
  }
  smooth_ = dt * (theta_ * end_.h + (1.0 - theta_) * begin_.h);
  change_ = u_E_ - u_B_;
  add_product(system_, middle_.M, -1.0, change_, smooth_);
  return true;
}

/// One iteration: u_E from the forces of the last one, with the impulses that the laws then need.
bool MoreauJean::solve(double dt, StepReport& report) {
  u_start_ = u_E_;
  if (!rows_.keep(M_, u_start_, report)) return false;
  change_ = smooth_;
  M_.solve_in_place(change_);
  if (report.active_laws > 0) {
    laws_.impulse.setZero();
    report.residual = 0.0;  // of the last iteration alone
    report.inexact = false;
    laws_in_step_.solve_motion(u_start_, change_, dt, laws_, report);
    if (!report.ok()) return false;
    impulse_ = smooth_;
    laws_in_step_.add_impulses(impulse_);
    M_.solve_in_place(impulse_);
    change_ = impulse_;
  }
  u_E_ = u_start_ + change_;
  return true;
}

/// The exact balance of the kinetic energy at frozen M, by its causes.
void MoreauJean::book_energy(double dt, StepReport& report) {
  mean_ = 0.5 * (u_B_ + u_E_);
  const auto work = [&](const Eigen::VectorXd& at_begin, const Eigen::VectorXd& at_end) {
    return dt * (theta_ * at_end.dot(mean_) + (1.0 - theta_) * at_begin.dot(mean_));
  };
  const double on_drift = dt * (theta_ * end_.damping_on_drift + (1.0 - theta_) * begin_.damping_on_drift);
  report.lost_in_damping = -work(begin_.damping, end_.damping) - on_drift;
  report.work_done -= on_drift;
  report.work_done += work(begin_.applied, end_.applied);
  report.work_done += dt * (theta_ * end_.drive_power + (1.0 - theta_) * begin_.drive_power);
  if (middle_.drive_momentum.size() > 0) report.work_done += middle_.drive_momentum.dot(u_E_ - u_B_);
  if (report.active_laws > 0) laws_in_step_.book(u_B_, u_E_, laws_, report);
  if (system_.constraints().empty()) return;
  impulse_ = -smooth_;  // M (u_E - u_B) - h dt
  laws_in_step_.subtract_impulses(laws_, impulse_);
  rows_.book(M_, impulse_, u_E_, constraints_, report);
}

void MoreauJean::save_memory(NamedArrays& memory) const {
  redundancy_.save(memory);
  memory_.save(memory);
  if (push_out_) push_out_->save(memory);
}

void MoreauJean::restore_memory(const NamedArrays& memory) {
  redundancy_.restore(memory, motion_);
  memory_.restore(memory);
  if (push_out_) push_out_->restore(memory);
}

}  // namespace tippe
