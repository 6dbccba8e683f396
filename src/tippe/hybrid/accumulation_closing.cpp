// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/accumulation_closing.h"

#include <algorithm>
#include <cmath>

#include "tippe/hybrid/step_books.h"
#include "tippe/hybrid/tolerances.h"
#include "tippe/integrate/moreau.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

AccumulationCloser::AccumulationCloser(const System& system, Evaluator& evaluator, ModeSelector& selector,
                                       MotionProbe& probe, SmoothMotion& motion)
    : system_(system), evaluator_(evaluator), selector_(selector), probe_(probe), motion_(motion) {}

std::optional<AccumulationClosing> AccumulationCloser::close(const State& state, const AccumulationWatch::Limit& limit,
                                                             const CurrentModes& modes, const ConstraintStep& constraints) {
  const AccumulationClosing before{state, modes.modes, modes.sides, LawStep(system_.laws()), constraints, {}, 0.0};
  AccumulationClosing closing = before;
  if (close_by_modes(state, limit, modes, closing)) return closing;
  closing = before;
  if (close_by_rule(state, limit, modes, closing)) return closing;
  return std::nullopt;
}

/// Velocities that an accumulation leaves now and that its limit does not have: what the loads give in the time left is of their size, along whatever
/// direction contact forces turn it.
ScopeTolerances AccumulationCloser::tolerances_of(const State& state, const AccumulationWatch::Limit& limit) {
  constexpr double kFades = 10.0;
  evaluator_.set_state(state.t, state.q, state.u);
  Dynamics dynamics;
  evaluator_.evaluate_dynamics(dynamics);
  ScopeTolerances tolerances;
  tolerances.jump.setZero(system_.nu());
  double load = 0.0;  // in kinetic units
  for (size_t e = 0; e < system_.mass_pattern().size(); ++e) {
    const auto [row, column] = system_.mass_pattern()[e];
    if (row != column || !(dynamics.M[e] > 0.0)) continue;
    tolerances.jump[row] = 1.0 / std::sqrt(dynamics.M[e]);
    load = std::max(load, std::abs(dynamics.h[row]) * tolerances.jump[row]);
  }
  tolerances.jump *= load * limit.remaining;
  tolerances.zero.speed_of_change = kFades;
  return tolerances;
}

/// The contacts of the accumulation close with the slip that they have in its limit.
void AccumulationCloser::close_laws(const State& state, const AccumulationWatch::Limit& limit, CurrentModes& modes) {
  for (const int law : limit.laws) modes.touching[static_cast<size_t>(law)] = true;
  selector_.set_branches(modes.sides);
  const Scope scope = selector_.find_scope(state, tolerances_of(state, limit), &modes.touching);
  const MotionSeries& series = probe_.evaluate(state, modes.sides);
  for (const int number : limit.laws) {
    const auto i = static_cast<size_t>(number);
    const ForceLaw& law = system_.laws()[i];
    ContactMode& mode = modes.modes[i];
    if (!law.has_friction()) {
      mode = ContactMode::kClosed;
    } else if (!scope.sliding[i]) {
      mode = ContactMode::kStick;
    } else if (law.rows > 2) {
      mode = ContactMode::kSlide;
    } else {
      mode = series.laws()[i][1].gamma[0] > 0.0 ? ContactMode::kSlideForward : ContactMode::kSlideBackward;
    }
  }
}

/// As if they were lasting contacts; their impulses are so to first order in the small time left. What is left of their velocities goes into them.
bool AccumulationCloser::close_by_modes(const State& state, const AccumulationWatch::Limit& limit, CurrentModes modes,
                                        AccumulationClosing& closing) {
  ModeFlow& flow = motion_.flow();
  StepReport& report = closing.report;
  State& end = closing.end;
  close_laws(state, limit, modes);
  modes.shares.resize(0);
  closing.modes = modes.modes;
  evaluator_.set_state(state.t, state.q, state.u);
  const double kinetic = evaluator_.evaluate_energies().kinetic;
  if (!motion_.expand(state, modes, report)) return false;
  if (!flow.absorb(end, closing.laws.impulse)) return false;
  const VectorXd at_once = closing.laws.impulse;
  evaluator_.set_state(end.t, end.q, end.u);
  const double work = probe_.work_of_supports(end, modes.sides, at_once);
  closing.absorbed = kinetic - evaluator_.evaluate_energies().kinetic + work;
  report.work_done += work;
  probe_.turn_switches(end, modes.sides);
  closing.sides = modes.sides;
  if (!motion_.expand(end, modes, report)) return false;
  if (limit.remaining > 0.0) {
    const double begin = end.t;
    end.t = begin + limit.remaining;
    flow.evaluate(limit.remaining, end);
    book_motion(system_, flow, limit.remaining, (end.t - begin) - limit.remaining, closing.laws, closing.constraints,
                report);
  }
  return impulses_are_admissible(limit, at_once, closing.laws.impulse) &&
         flow.project(end, modes.gap_offset, limit.remaining);
}

/// By Moreau's rule without restitution, a step until the limit: friction that is coupled with the normal motion may stop or turn the slip meanwhile.
bool AccumulationCloser::close_by_rule(const State& state, const AccumulationWatch::Limit& limit, const CurrentModes& modes,
                                       AccumulationClosing& closing) {
  if (!(limit.remaining > 0.0)) return false;
  MoreauOptions options;
  options.project_contacts = false;
  options.laws.closed_round_off = ContactTolerances::of_motions().gap_of_terms;
  options.laws.restitution = 0.0;
  const MotionSeries& series = probe_.evaluate(state, modes.sides);
  for (const int law : limit.laws) {
    if (series.gap(law) == nullptr) continue;
    const double gap = series.gap(law)[0], rises = std::abs(series.laws()[static_cast<size_t>(law)][0].gamma[0]);
    options.laws.closed_tolerance = std::max(options.laws.closed_tolerance, std::abs(gap) + rises * limit.remaining);
  }
  MoreauMidpoint rule(system_, options);
  const StepReport made = rule.step(closing.end, limit.remaining);
  if (!made.ok()) return false;
  closing.laws.impulse += rule.last_laws().impulse;
  closing.constraints.impulse += rule.last_constraints().impulse;
  closing.constraints.on_velocities += rule.last_constraints().on_velocities;
  closing.report.lost_in_damping += made.lost_in_damping;
  closing.report.work_done += made.work_done;
  closing.absorbed = made.lost_in_contacts;
  probe_.turn_switches(closing.end, closing.sides);
  return true;
}

/// Whether the impulses of an accumulation push, and friction lies in its set, up to round-off of what they are the sum of: `absorbed` at once, and the
/// rest by the forces until the limit. Impacts at one instant leave velocities of 1e-8 of those at their beginning, whose impulses have no sign.
bool AccumulationCloser::impulses_are_admissible(const AccumulationWatch::Limit& limit, const VectorXd& absorbed,
                                                 const VectorXd& impulse) {
  const ModeFlow& flow = motion_.flow();
  for (const int number : limit.laws) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(number)];
    const Index first = flow.first_row(number);
    const double length = flow.kinetic_length(number, 0), normal = impulse[first];
    double none = kNoImpulseOfLimit * (std::abs(absorbed[first]) + std::abs(normal - absorbed[first]));
    if (limit.remaining == 0.0 && length > 0.0) none += kNoImpulseOfLimit * std::sqrt(std::max(limit.lost, 0.0)) / length;
    if (!(normal >= -none)) return false;
    double needed = 0.0;  // normal impulse, squared
    for (int row = 1; law.has_friction() && row < law.rows; ++row) {
      const double mu = friction_along(law, row), friction = impulse[first + row];
      if (mu > 0.0) needed += friction * friction / (mu * mu);
      if (!(mu > 0.0) && std::abs(friction) > none) return false;
    }
    if (!(std::sqrt(needed) <= std::max(normal, 0.0) + none)) return false;
  }
  return true;
}

}  // namespace tippe
