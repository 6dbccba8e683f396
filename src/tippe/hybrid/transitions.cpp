// SPDX-License-Identifier: Apache-2.0
// What happens between two smooth pieces: impacts, accumulations, the choice of modes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "tippe/analyze/painleve.h"
#include "tippe/core/dense_llt.h"
#include "tippe/core/infinity.h"
#include "tippe/hybrid/event_driven.h"
#include "tippe/integrate/law_check.h"
#include "tippe/integrate/moreau.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostIdleTransitions = 100;
constexpr int kMostFadingImpacts = 10'000;

ScopeTolerances after_jump(VectorXd jump) {
  ScopeTolerances tolerances;
  tolerances.jump = std::move(jump);
  return tolerances;
}

EventKind kind_of_change(ContactMode before, ContactMode after) {
  if (before == ContactMode::kOpen) return EventKind::kTouch;
  if (after == ContactMode::kOpen) return EventKind::kLiftOff;
  if (before == ContactMode::kStick) return EventKind::kStickToSlip;
  return slides(after) ? EventKind::kSlipReversal : EventKind::kSlipToStick;
}

}  // namespace

/// The laws that are closed within a step, whatever round-off says of their gaps; those that opened where it began are not.
std::vector<bool> EventDriven::held_laws() const {
  std::vector<bool> held(modes_.size());
  for (size_t i = 0; i < held.size(); ++i) held[i] = modes_[i] != ContactMode::kOpen;
  return held;
}

/// Whether the present modes are among those that are consistent at a state within a step.
bool EventDriven::keeps_modes(const State& state) {
  const std::vector<bool> held = held_laws();
  const Scope scope = selector_.find_scope(state, {}, &held);
  if (scope.impact()) return false;
  const ModeSelection selection = selector_.select(state, scope);
  return std::any_of(selection.choices.begin(), selection.choices.end(),
                     [&](const ModeChoice& choice) { return choice.modes == modes_; });
}

/// s  when the present modes cease to be consistent, by bisection of the step up to `end`, at which they are not. The contact solver tells only to its
/// tolerance; where contacts begin to slide, the instant is that at which their acceleration with friction at its limit is zero.
double EventDriven::last_time_of_modes(const State& state, double end, ModeSelection& next) {
  double low = 0.0;
  State there = state;
  const auto go_to = [&](double t) {
    there.t = state.t + t;
    flow_.evaluate(t, there);
  };
  while (end - low > instant_) {
    const double t = 0.5 * (low + end);
    if (t == low || t == end) break;  // numbers are no finer
    go_to(t);
    (keeps_modes(there) ? low : end) = t;
  }
  go_to(end);
  const std::vector<bool> held = held_laws();
  const Scope scope = selector_.find_scope(there, {}, &held);
  if (scope.impact()) return end;
  next = selector_.select(there, scope);
  if (next.choices.empty()) return end;
  const ModeChoice& choice = next.choices[default_choice(next)];
  ModeFlow& flow = selector_.flow();
  flow.set_modes(choice.modes, choice.directions);
  const auto acceleration = [&](double t) {  // along the direction of sliding, of the contact that is first
    go_to(t);
    if (flow.expand(there, 0) != ModeFlow::Status::kOk) return std::numeric_limits<double>::quiet_NaN();
    double fastest = -kInfinity;
    for (size_t i = 0; i < modes_.size(); ++i) {
      if (choice.directions[i].size() == 0) continue;
      double along = 0.0;
      for (Index d = 0; d < 2; ++d)
        along += choice.directions[i][d] * flow.row_acceleration(static_cast<int>(i), 1 + static_cast<int>(d));
      fastest = std::max(fastest, along);
    }
    return fastest;
  };
  double t = end, step = -1e-3 * end, value = acceleration(t);
  bool converged = false;
  for (int pass = 0; pass < 20 && std::abs(step) > 0.01 * instant_ && std::isfinite(value); ++pass) {
    const double there_value = acceleration(t + step), slope = (there_value - value) / step;
    if (!(std::abs(slope) > 0.0) || !std::isfinite(slope)) break;
    t += step;
    value = there_value;
    step = -value / slope;
    if (t + step < 0.0 || t + step > end) break;
    converged = std::abs(step) <= 0.01 * instant_;
  }
  return converged ? t : end;
}

/// What follows the events that a step has reached.
void EventDriven::go_on(State& state, const std::vector<FoundEvent>& reached, StepReport& report) {
  take_events(reached);
  if (++idle_transitions_ > kMostIdleTransitions) {
    report.status = StepReport::Status::kNotSolved;
    report.culprit =
        fmt::format("at t = {:.9g} contact modes or branches of expressions change without progress in time", state.t);
    return;
  }
  const auto is_switch = [](const FoundEvent& event) { return event.function.kind == EventFunction::Kind::kSwitch; };
  if (!reached.empty() && std::all_of(reached.begin(), reached.end(), is_switch)) return;
  Scope scope = selector_.find_scope(state, {}, &touching_);
  touching_ = scope.touching;
  if (scope.impact()) {
    impact_is_due_ = true;
    return;
  }
  for (const FoundEvent& event : reached) {
    if (is_switch(event)) continue;
    if (event.function.kind == EventFunction::Kind::kSlip) scope.sliding[static_cast<size_t>(event.function.law)] = false;
    fired_.push_back(event.function.law);
    // A touch is an event also where the contact opens again at once.
    if (event.function.kind == EventFunction::Kind::kGap && scope.resting[static_cast<size_t>(event.function.law)])
      grazing_.push_back(event.function.law);
  }
  choose_modes(state, scope, report, nullptr);
  grazing_.clear();
  fired_.clear();
}

/// What the events of a step say of the laws and of the branches of expressions.
void EventDriven::take_events(const std::vector<FoundEvent>& found) {
  for (const FoundEvent& event : found) {
    const auto i = static_cast<size_t>(event.function.law);
    if (event.function.kind == EventFunction::Kind::kGap) touching_[i] = true;
    if (event.function.kind == EventFunction::Kind::kSwitch) switched_[i] = event.after;
  }
  force_branches(selector_.flow().series(), switched_);
}

/// J  that moving supports do by impulses of the laws (rows of all laws): -impulse . chi.
double EventDriven::work_of_supports(const State& state, const VectorXd& impulse) {
  MotionSeries& series = selector_.flow().series();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  double work = 0.0;
  for (size_t i = 0; i < modes_.size(); ++i) {
    for (size_t row = 0; row < series.laws()[i].size(); ++row)
      work -= impulse[flow_.first_row(static_cast<int>(i)) + static_cast<int>(row)] * series.laws()[i][row].chi[0];
  }
  return work;
}

/// A jump at the root of a switch may turn it back: the side on which it is then follows from the velocities after the jump.
void EventDriven::turn_switches(const State& state) {
  if (std::all_of(switched_.begin(), switched_.end(), [](int side) { return side == 0; })) return;
  MotionSeries& series = selector_.flow().series();
  force_branches(series, switched_);
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  VectorXd rate(system_.nq());
  for (int i = 0; i < system_.nq(); ++i) rate[i] = series.position_rate(i)[0];
  series.set_coefficients(1, rate, VectorXd::Zero(system_.nu()));
  series.evaluate(1);
  for (size_t s = 0; s < switched_.size(); ++s) {
    const double slope = series.switches()[s].argument[1];
    if (switched_[s] != 0 && slope != 0.0) switched_[s] = slope > 0.0 ? 1 : -1;
  }
  force_branches(series, switched_);
}

size_t EventDriven::default_choice(const ModeSelection& selection) const {
  size_t best = 0;
  int best_score = -1;
  for (size_t c = 0; c < selection.choices.size(); ++c) {
    int unchanged = 0, closed = 0;
    for (size_t i = 0; i < modes_.size(); ++i) {
      unchanged += selection.choices[c].modes[i] == modes_[i] ? 1 : 0;
      closed += selection.choices[c].modes[i] != ContactMode::kOpen ? 1 : 0;
    }
    const int score = unchanged * static_cast<int>(modes_.size() + 1) + closed;
    if (score > best_score) {
      best = c;
      best_score = score;
    }
  }
  return best;
}

/// A warning for the first of its kind, which its words begin with.
void EventDriven::warn_once(double t, const std::string& kind, const std::string& rest) {
  const auto is_same = [&](const std::string& warning) { return warning.starts_with(kind); };
  if (std::none_of(warnings_.begin(), warnings_.end(), is_same))
    warnings_.push_back(fmt::format("{} (first at t = {:.12g}){}", kind, t, rest));
}

void EventDriven::set_modes(const ModeChoice& choice) {
  modes_ = choice.modes;
  directions_ = choice.directions;
  flow_.set_modes(modes_, directions_);
  fresh_ = true;
}

/// How the motion goes on from a state in which no contact closes. `impact`: the event to complete, of an impact or of the start.
bool EventDriven::choose_modes(State& state, const Scope& scope, StepReport& report, Event* impact) {
  return take_selection(state, scope, selector_.select(state, scope, fired_), report, impact);
}

bool EventDriven::take_selection(State& state, const Scope& scope, const ModeSelection& selection, StepReport& report,
                                 Event* impact) {
  if (selection.choices.empty()) {
    if (selection.complete && strike_without_collision(state, report)) return true;
    if (report.ok()) {
      report.status = StepReport::Status::kNotSolved;
      report.culprit = fmt::format("at t = {:.12g} no contact mode is consistent{}", state.t,
                                   selection.note.empty() ? "" : ": " + selection.note);
    }
    return false;
  }
  std::string note;
  const size_t chosen = default_choice(selection);
  if (selection.choices.size() > 1) {
    note = fmt::format("{} contact modes are consistent: the motion is not unique; taken is the one that changes least",
                       selection.choices.size());
    if (options_.stop_when_not_unique) {
      report.status = StepReport::Status::kNotSolved;
      report.culprit = fmt::format("at t = {:.12g} {} contact modes are consistent: the motion is not unique", state.t,
                                   selection.choices.size());
      return false;
    }
    warn_once(state.t, "several contact modes are consistent", ": the motion is not unique; events tell where");
  }
  if (selection.undecided && !selection.note.empty()) note += (note.empty() ? "" : "; ") + selection.note;
  for (size_t i = 0; i < modes_.size(); ++i)
    departing_[i] = scope.touching[i] && !scope.resting[i] && system_.laws()[i].kind == ForceLaw::Kind::kContact;
  const ModeChoice& choice = selection.choices[chosen];
  if (impact != nullptr) {
    impact->before = modes_;
    impact->after = choice.modes;
    const bool impact_checked = impact->kind != EventKind::kImpact || impact->alternatives.has_value();
    if (impact_checked && selection.complete) {
      impact->alternatives = impact->alternatives.value_or(0) + static_cast<int>(selection.choices.size()) - 1;
    } else {
      impact->alternatives.reset();
    }
    if (!note.empty()) impact->note += (impact->note.empty() ? "" : "; ") + note;
    if (impact->kind == EventKind::kStart) impact->before = choice.modes;
    events_.push_back(*impact);
  } else {
    add_transition_events(state.t, choice.modes, selection, note);
  }
  set_modes(choice);
  return true;
}

/// One event for each kind of change, in the order of their kinds.
void EventDriven::add_transition_events(double t, const std::vector<ContactMode>& after, const ModeSelection& selection,
                                        const std::string& note) {
  std::map<EventKind, std::vector<int>> changes;
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] != after[i]) changes[kind_of_change(modes_[i], after[i])].push_back(static_cast<int>(i));
  }
  for (const int law : grazing_) {
    if (after[static_cast<size_t>(law)] == ContactMode::kOpen) changes[EventKind::kTouch].push_back(law);
  }
  std::vector<ContactMode> now = modes_;
  for (auto& [kind, laws] : changes) {
    std::sort(laws.begin(), laws.end());
    Event event{.t = t, .kind = kind, .laws = laws, .before = now};
    for (const int law : laws) now[static_cast<size_t>(law)] = after[static_cast<size_t>(law)];
    event.after = now;
    if (selection.complete) event.alternatives = static_cast<int>(selection.choices.size()) - 1;
    event.note = note;
    events_.push_back(std::move(event));
  }
}

/// A jump of the velocities, and the modes after it.
void EventDriven::hit(State& state, double dt, StepReport& report) {
  impact_is_due_ = false;
  const ImpactOutcome outcome = resolve_impact(system_, state, touching_);
  report.iterations = outcome.iterations;
  report.residual = std::max(outcome.residual, 0.0);
  if (outcome.status != ImpactOutcome::Status::kDone) {
    report.status = StepReport::Status::kNotSolved;
    report.worst_law = outcome.worst_law;
    report.culprit = fmt::format("the impact at t = {:.12g}: {}", state.t, outcome.note);
    return;
  }
  if (options_.stop_when_not_unique && outcome.alternatives.value_or(0) > 0) {
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("the impact at t = {:.12g} has {} outcomes: the motion is not unique", state.t,
                                 *outcome.alternatives + 1);
    return;
  }
  MotionSeries& series = selector_.flow().series();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (touching_[i] && system_.laws()[i].kind == ForceLaw::Kind::kContact)
      laws_.closing_speed[static_cast<Index>(i)] = -series.laws()[i][0].gamma[0];
  }
  VectorXd jump = outcome.u - state.u;
  state.u = outcome.u;
  turn_switches(state);
  laws_.impulse = outcome.impulse;
  laws_.lost = outcome.lost_by_law;
  constraints_.impulse = outcome.constraints;
  report.lost_in_contacts = outcome.lost;
  report.work_done = outcome.work;
  scales_.note(state);
  Event event{.t = state.t, .kind = EventKind::kImpact, .laws = outcome.hit};
  event.impulse = outcome.impulse;
  event.lost = outcome.lost;
  event.alternatives = outcome.alternatives;
  event.note = outcome.note;
  if (outcome.alternatives.value_or(0) > 0)
    warn_once(state.t, "an impact has several outcomes", ": the motion is not unique; events tell where");
  accumulation_.add_impact(std::exchange(since_impact_, 0.0), outcome.hit, outcome.lost);
  const Scope scope = selector_.find_scope(state, after_jump(std::move(jump)), &touching_);
  limit_ = accumulation_.limit(instant_);
  // A limit after the end of the run is not reached. One whose impulses would pull is none.
  if (limit_ && limit_->remaining > dt) limit_.reset();
  if (limit_ && !can_accumulate(state, *limit_)) {
    limit_.reset();
    accumulation_.clear();
  }
  const int most = accumulation_.fades() ? kMostFadingImpacts : kMostIdleTransitions;
  if (++idle_transitions_ > most && !limit_) {
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("at t = {:.9g} impacts follow each other without progress in time", state.t);
    return;
  }
  if (scope.impact() && !limit_) {
    impact_is_due_ = true;
    event.before = event.after = modes_;
    events_.push_back(std::move(event));
    return;
  }
  if (limit_) {  // the contacts close in the next step
    event.before = modes_;
    event.after = modes_;
    events_.push_back(std::move(event));
    return;
  }
  choose_modes(state, scope, report, &event);
}

/// Closes the contacts of an accumulation until its limit. What is left of their velocities goes into them. end_ := the state at the limit. False if
/// that is not possible: the report tells why, or the impulses are not admissible.
bool EventDriven::close_until_limit(State& state, const AccumulationWatch::Limit& limit, StepReport& report,
                                    double& absorbed) {
  const Transition before = kept_transition();
  const State begin = state;
  const StepReport report_before = report;
  if (close_by_modes(state, limit, report, absorbed)) return true;
  restore_transition(before);
  state = begin;
  report = report_before;
  return close_by_rule(state, limit, report, absorbed);
}

/// By Moreau's rule without restitution, a step until the limit: friction that is coupled with the normal motion may stop or turn the slip meanwhile.
bool EventDriven::close_by_rule(State& state, const AccumulationWatch::Limit& limit, StepReport& report, double& absorbed) {
  if (!(limit.remaining > 0.0)) return false;
  MoreauOptions options;
  options.project_contacts = false;
  options.laws.restitution = 0.0;
  MotionSeries& series = selector_.flow().series();
  series.begin(state.t, state.q, state.u);
  series.evaluate(0);
  for (const int law : limit.laws) {
    touching_[static_cast<size_t>(law)] = true;
    if (series.gap(law) == nullptr) continue;
    const double gap = series.gap(law)[0], rises = std::abs(series.laws()[static_cast<size_t>(law)][0].gamma[0]);
    options.laws.closed_tolerance = std::max(options.laws.closed_tolerance, std::abs(gap) + rises * limit.remaining);
  }
  MoreauMidpoint rule(system_, options);
  const StepReport made = rule.step(state, limit.remaining);
  if (!made.ok()) return false;
  laws_.impulse += rule.last_laws().impulse;
  constraints_.impulse += rule.last_constraints().impulse;
  constraints_.on_velocities += rule.last_constraints().on_velocities;
  report.lost_in_damping += made.lost_in_damping;
  report.work_done += made.work_done;
  absorbed = made.lost_in_contacts;
  turn_switches(state);
  end_ = state;
  return true;
}

/// As if they were lasting contacts with the slip that they have; their impulses are so to first order in the small time left.
bool EventDriven::close_by_modes(State& state, const AccumulationWatch::Limit& limit, StepReport& report, double& absorbed) {
  for (const int law : limit.laws) touching_[static_cast<size_t>(law)] = true;
  const Scope scope = selector_.find_scope(state, {}, &touching_);
  ModeChoice closed{modes_, directions_, {}, {}, {}};
  for (const int number : limit.laws) {
    const auto i = static_cast<size_t>(number);
    const ForceLaw& law = system_.laws()[i];
    ContactMode& mode = closed.modes[i];
    if (!law.has_friction()) {
      mode = ContactMode::kClosed;
    } else if (!scope.sliding[i]) {
      mode = ContactMode::kStick;
    } else if (law.rows > 2) {
      mode = ContactMode::kSlide;
    } else {
      mode =
          selector_.flow().series().laws()[i][1].gamma[0] > 0.0 ? ContactMode::kSlideForward : ContactMode::kSlideBackward;
    }
  }
  evaluator_->set_state(state.t, state.q, state.u);
  const double kinetic = evaluator_->evaluate_energies().kinetic;
  set_modes(closed);
  if (!expand(state, report)) return false;
  if (!flow_.absorb(state, laws_.impulse)) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = "a velocity at the limit of the impacts";
    return false;
  }
  const VectorXd at_once = laws_.impulse;
  evaluator_->set_state(state.t, state.q, state.u);
  const double work = work_of_supports(state, laws_.impulse);
  absorbed = kinetic - evaluator_->evaluate_energies().kinetic + work;
  report.work_done += work;
  turn_switches(state);
  end_ = state;
  if (!expand(state, report)) return false;
  if (limit.remaining > 0.0) {
    end_.t = state.t + limit.remaining;
    flow_.evaluate(limit.remaining, end_);
    book(limit.remaining, report);
  }
  if (!impulses_are_admissible(limit, at_once)) return false;
  return flow_.project(end_, gap_offset_);
}

/// Whether the impulses of an accumulation push, and friction lies in its set, up to round-off of what they are the sum of: `absorbed` at once, and the
/// rest by the forces until the limit. Impacts at one instant leave velocities of 1e-8 of those at their beginning, whose impulses have no sign.
bool EventDriven::impulses_are_admissible(const AccumulationWatch::Limit& limit, const VectorXd& absorbed) const {
  constexpr double kRoundOff = 1e-7;
  for (const int number : limit.laws) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(number)];
    const Index first = flow_.first_row(number);
    const double length = flow_.kinetic_length(number, 0), normal = laws_.impulse[first];
    double none = kRoundOff * (std::abs(absorbed[first]) + std::abs(normal - absorbed[first]));
    if (limit.remaining == 0.0 && length > 0.0) none += kRoundOff * std::sqrt(std::max(limit.lost, 0.0)) / length;
    if (!(normal >= -none)) return false;
    double needed = 0.0;  // normal impulse, squared
    for (int row = 1; law.has_friction() && row < std::min(law.rows, 3); ++row) {
      const double mu = friction_along(law, row), friction = laws_.impulse[first + row];
      if (mu > 0.0) needed += friction * friction / (mu * mu);
      if (!(mu > 0.0) && std::abs(friction) > none) return false;
    }
    if (!(std::sqrt(needed) <= std::max(normal, 0.0) + none)) return false;
  }
  return true;
}

/// Whether the contacts of an accumulation can close until its limit. Changes nothing.
bool EventDriven::can_accumulate(const State& state, const AccumulationWatch::Limit& limit) {
  const Transition before = kept_transition();
  State trial = state;
  StepReport report;
  double absorbed = 0.0;
  const bool can = close_until_limit(trial, limit, report, absorbed);
  restore_transition(before);
  return can;
}

EventDriven::Transition EventDriven::kept_transition() const {
  return {modes_, directions_, touching_, switched_, branches_, fresh_, laws_, constraints_, end_};
}

void EventDriven::restore_transition(const Transition& before) {
  std::tie(modes_, directions_, touching_, switched_, branches_, fresh_, laws_, constraints_, end_) = before;
  flow_.set_modes(modes_, directions_);
  force_branches(selector_.flow().series(), switched_);
}

/// Goes to the limit of infinitely many impacts.
void EventDriven::accumulate(State& state, StepReport& report) {
  const AccumulationWatch::Limit limit = *std::exchange(limit_, std::nullopt);
  accumulation_.clear();
  const std::vector<ContactMode> before = modes_;
  double absorbed = 0.0;
  if (!close_until_limit(state, limit, report, absorbed)) {
    if (!report.ok()) return;
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("at t = {:.12g} the contacts of an accumulation of impacts do not close", state.t);
    return;
  }
  state = end_;
  report.lost_in_contacts += absorbed;
  if (!limit.laws.empty()) laws_.lost[limit.laws.front()] += absorbed;
  scales_.note(state);
  for (size_t i = 0; i < modes_.size(); ++i) touching_[i] = modes_[i] != ContactMode::kOpen;
  std::fill(departing_.begin(), departing_.end(), false);
  Event event{.t = state.t, .kind = EventKind::kAccumulation, .laws = limit.laws};
  event.impulse = laws_.impulse;
  event.lost = limit.lost + absorbed;
  const Scope scope = selector_.find_scope(state, {}, &touching_);
  modes_ = before;
  if (scope.impact()) {  // of contacts that take no part in the accumulation, or by what friction does at its limit
    impact_is_due_ = true;
    event.before = event.after = modes_;
    events_.push_back(std::move(event));
    return;
  }
  choose_modes(state, scope, report, &event);
}

/// Whether velocities after an impact without collision and its impulses (rows of all laws) obey the laws, as after a plastic impact.
void EventDriven::check_strike(const State& state, const DenseLLT& mass, const VectorXd& impulse, StepReport& report) {
  constexpr double kTolerance = 1e-6;  // the impulses are a limit, extrapolated from two short approaches
  evaluator_->set_state(state.t, state.q, state.u);
  VectorXd xi = VectorXd::Zero(impulse.size()), terms = xi;
  std::vector<std::vector<double>> G;
  G.reserve(selector_.problem().unilateral.size());
  LawCheck check;
  for (size_t c = 0; c < selector_.problem().unilateral.size(); ++c) {
    const int number = selector_.scope_laws()[c], first = flow_.first_row(number);
    const ForceLaw& law = system_.laws()[static_cast<size_t>(number)];
    SparseColumns W;
    std::vector<double> chi;
    evaluator_->append_directions(number, W, chi);
    G.emplace_back(static_cast<size_t>(law.rows * law.rows), 0.0);
    for (int row = 0; row < law.rows; ++row) {
      VectorXd direction = VectorXd::Zero(state.u.size());
      W.add_to(row, 1.0, direction.data());
      xi[first + row] = direction.dot(state.u) + chi[static_cast<size_t>(row)];
      terms[first + row] = direction.cwiseAbs().dot(state.u.cwiseAbs()) + std::abs(chi[static_cast<size_t>(row)]);
      G.back()[static_cast<size_t>(row * law.rows + row)] = std::pow(mass.length(direction), 2);
    }
    check.add({number, &law, impulse.data() + first, xi.data() + first, terms.data() + first, G.back().data(), 0.0, 0});
  }
  if (const auto violation = check.judge(kTolerance))
    fail_by_law(system_, violation->law, violation->what, report.residual, report);
}

/// No bounded forces satisfy the laws: an impact without collision, the limit of impacts with a vanishing approach.
bool EventDriven::strike_without_collision(State& state, StepReport& report) {
  const AccelerationProblem& problem = selector_.problem();
  const Painleve painleve = classify_painleve(problem);
  const std::string where = fmt::format("at t = {:.12g} no bounded contact force is possible (Painleve)", state.t);
  report.status = StepReport::Status::kNotSolved;
  report.culprit = where;
  if (painleve.impulse.size() == 0 || ++idle_transitions_ > kMostIdleTransitions) return false;
  if (options_.stop_when_not_unique) return false;
  DenseLLT mass;
  if (!mass.factorize(problem.M, 0.0)) return false;
  report.status = StepReport::Status::kOk;
  report.culprit.clear();
  Event event{.t = state.t, .kind = EventKind::kImpact};
  event.impulse.setZero(laws_.impulse.size());
  const ForceLayout layout(problem);
  const VectorXd change = mass.solve(force_directions(problem) * painleve.impulse);
  for (size_t c = 0; c < problem.unilateral.size(); ++c) {
    const int law = selector_.scope_laws()[c];
    const ContactRows& rows = problem.unilateral[c];
    for (int row = 0; row < rows.rows(); ++row)
      event.impulse[flow_.first_row(law) + row] = painleve.impulse[layout.unilateral[c] + row];
    if (painleve.impulse[layout.unilateral[c]] > 0.0) event.laws.push_back(law);
  }
  if (!change.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = "a velocity after an impact without collision";
    return false;
  }
  evaluator_->set_state(state.t, state.q, state.u);
  const double before = evaluator_->evaluate_energies().kinetic;
  const double work = work_of_supports(state, event.impulse);
  state.u += change;
  evaluator_->set_state(state.t, state.q, state.u);
  event.lost = before - evaluator_->evaluate_energies().kinetic + work;
  check_strike(state, mass, event.impulse, report);
  if (!report.ok()) return false;
  report.work_done += work;
  turn_switches(state);
  event.note = "no bounded force is possible (Painleve): an impact without collision";
  warn_once(state.t, "no bounded contact force is possible (Painleve)", ": an impact without collision follows");
  laws_.impulse += event.impulse;
  if (!event.laws.empty()) laws_.lost[event.laws.front()] += event.lost;
  report.lost_in_contacts += event.lost;
  scales_.note(state);
  const Scope scope = selector_.find_scope(state, after_jump(change), &touching_);
  if (scope.impact()) {
    impact_is_due_ = true;
    event.before = event.after = modes_;
    events_.push_back(std::move(event));
    return true;
  }
  return choose_modes(state, scope, report, &event);
}

}  // namespace tippe
