// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tippe/core/infinity.h"
#include "tippe/core/least_squares.h"
#include "tippe/hybrid/impact.h"
#include "tippe/hybrid/memory_reader.h"
#include "tippe/hybrid/mode_lapse.h"
#include "tippe/hybrid/motion_observer.h"
#include "tippe/hybrid/singularity.h"
#include "tippe/hybrid/strike.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr const char* kMemory = "event_driven";
constexpr int kMostIdleTransitions = 100;
constexpr int kMostFadingImpacts = 10'000;

/// `residual`: of the impulses, which leaves velocities that they know no better; what it leaves is no other impact.
ScopeTolerances after_jump(VectorXd jump, double residual = 0.0) {
  constexpr double kOfResidual = 10.0;
  ScopeTolerances tolerances;
  tolerances.jump = std::move(jump);
  tolerances.zero.speed_of_terms = std::max(tolerances.zero.speed_of_terms, kOfResidual * residual);
  return tolerances;
}

std::string unbalanced(double t, double force) {
  return fmt::format(
      "at t = {:.9g} a force of {:.6g} N acts on coordinates without mass, and nothing balances it; give them "
      "values at which loads, contacts and friction balance",
      t, force);
}

bool is_switch(const FoundEvent& event) {
  return event.function.kind == EventFunction::Kind::kSwitch;
}

void fail(StepReport& report, std::string culprit, StepReport::Status status = StepReport::Status::kNotSolved) {
  report.status = status;
  report.culprit = std::move(culprit);
}

}  // namespace

EventDriven::EventDriven(const System& system, const EventDrivenOptions& options)
    : AdaptiveIntegrator(system),
      system_(system),
      options_(options),
      scales_(system),
      probe_(system, scales_),
      motion_(system, scales_, probe_, options.tolerance),
      selector_(system, &scales_),
      evaluator_(system.make_evaluator()),
      closer_(system, *evaluator_, selector_, probe_, motion_),
      modes_(system, motion_.branches().size()),
      stiffness_(system, scales_, probe_),
      books_(system) {}

double EventDriven::proposed_step() const {
  return kInfinity;
}

StepReport EventDriven::interpolate(double t, State& state) {
  return books_.interpolate(t, constraints_.redundant, state);
}

StepReport EventDriven::step(State& state, double dt) {
  StepReport report;
  events_.clear();
  laws_.clear();
  constraints_.impulse.setZero();
  constraints_.on_velocities.setZero();
  books_.begin(state);
  phase_ = std::visit([&](const auto& phase) { return advance(phase, state, dt, report); }, phase_);
  return report;
}

/// The first modes, and the first step.
EventDriven::Phase EventDriven::advance(NotStarted, State& state, double dt, StepReport& report) {
  const VectorXd before = state.u;
  const Phase first = start(state, dt, report);
  mark_jump(before, state);
  // No bounded force was possible, or velocities without mass follow the modes: the first step is a jump.
  if (!report.ok() || state.u != before) return first;
  return std::visit([&](const auto& phase) { return advance(phase, state, dt, report); }, first);
}

/// From the state alone.
EventDriven::Phase EventDriven::start(State& state, double dt, StepReport& report) {
  scales_.start(state, dt, *evaluator_);
  instant_ = motion_.flow().instant();
  evaluator_->set_state(state.t, state.q, state.u);
  const VectorXd gaps = gaps_of(*evaluator_);
  for (Index i = 0; i < gaps.size(); ++i) {
    modes_.gap_offset[i] = std::min(gaps[i], 0.0);
    scales_.note_gap(static_cast<int>(i), std::abs(gaps[i]));
  }
  const ScopeTolerances as_written{ContactTolerances::as_written()};
  selector_.set_branches(modes_.sides);
  Scope scope = selector_.find_scope(state, as_written);
  modes_.touching = scope.touching;
  scope = rest_loose(state, std::move(scope));
  Event begins{.t = state.t, .kind = EventKind::kStart};
  if (scope.impact()) {
    begins.note = "an impact comes first";
    note_unchanged(std::move(begins));
    return ImpactDue{};
  }
  const VectorXd before = state.u;
  const Phase first = choose_modes(state, scope, {std::move(begins)}, report);
  if (!report.ok() || state.u != before) return first;
  if (state.u.cwiseAbs().maxCoeff() == 0.0 && motion_.expand(state, modes_, report)) note_speeds_from_rest(state, dt);
  return first;
}

/// From rest, errors are relative to what the loads do while they change, or where they balance, to what they do later in the run: forces that grow with the time.
void EventDriven::note_speeds_from_rest(const State& state, double horizon) {
  constexpr double kPart = 1e-3, kNoLoad = 1e-9;
  constexpr int kLooks = 8;
  ModeFlow& flow = motion_.flow();
  const VectorXd speeds = kPart * flow.load_time_scale() * flow.free_acceleration();
  State later = state;
  VectorXd speeds_later = VectorXd::Zero(speeds.size());
  for (int look = 1; look <= kLooks; ++look) {
    const double time = horizon * look / kLooks;
    later.t = state.t + time;
    if (flow.expand(later, 0) == ModeFlow::Status::kOk)
      speeds_later = speeds_later.cwiseMax(kPart * time * flow.free_acceleration());
  }
  const bool balanced = scales_.kinetic_size(speeds) <= kNoLoad * scales_.kinetic_size(speeds_later);
  scales_.note_speeds(balanced ? speeds_later : speeds);
}

/// A piece of smooth motion.
EventDriven::Phase EventDriven::advance(Moving moving, State& state, double dt, StepReport& report) {
  ModeFlow& flow = motion_.flow();
  if (!motion_.expand(state, modes_, report)) {
    name_singularity(state, report);
    return moving;
  }
  note_rank(state.t);
  if (moving.after_transition) {
    scales_.note_load(flow.free_acceleration(), flow.load_time_scale());
    flow.forget_times();
  }
  if (!motion_.choose_slow(state, modes_, report)) return moving;
  SmoothMotion::Piece piece = motion_.find_piece(state, dt, modes_, moving.after_transition, report);
  instant_ = flow.instant();
  if (!report.ok() || !goes_on(piece, report)) {
    name_singularity(state, report);
    return moving;
  }
  std::optional<ModeLapse> lapse;
  const bool shares = flow.shares_in_space();
  if (shares) lapse = find_lapse(piece, modes_, motion_, selector_, probe_, shares_at_end_);
  if (lapse) motion_.end_piece(lapse->t, dt, modes_, piece, report);
  if (shares && !motion_.lead_shares(piece, modes_, shares_at_end_, report)) return moving;
  motion_.check_laws(piece, modes_, report);  // by the scales of the motion so far
  if (!report.ok()) return moving;
  if (observer_ != nullptr)
    observer_->see_piece(piece, flow, modes_, motion_.branches(), scales_, lapse && !lapse->next.choices.empty());
  book_motion(system_, flow, piece.duration, piece.rounded(), laws_, constraints_, report);
  books_.keep(flow, piece.end);
  scales_.note(piece.end);
  state = piece.end;
  since_impact_ += piece.duration;
  if (piece.duration > instant_) idle_transitions_ = 0;
  if (shares && !lapse) modes_.shares = shares_at_end_;
  const Moving onwards{.after_transition = modes_.leave_transition(state, flow, piece.duration, probe_, *evaluator_)};
  if (lapse && !lapse->next.choices.empty()) return take_selection(state, find_scope(state), lapse->next, {}, report);
  if (!lapse && piece.reached.empty()) {
    const auto rate = stiffness_.add(piece.begin, piece.end, piece.duration, modes_, motion_.branches());
    if (rate)
      warn_once(state.t, "the system is stiff",
                fmt::format(": steps of {:.2g} s follow its fastest rate, {:.3g} 1/s, and not its motion; moreau-jean takes "
                            "stiff forces implicitly",
                            piece.duration, *rate));
    return onwards;
  }
  stiffness_.clear();
  modes_.take_events(piece.reached);
  if (++idle_transitions_ > kMostIdleTransitions) {
    fail(report,
         fmt::format("at t = {:.9g} contact modes or branches of expressions change without progress in time", state.t));
    return onwards;
  }
  const bool only_switches = !piece.reached.empty() && std::all_of(piece.reached.begin(), piece.reached.end(), is_switch);
  if (only_switches) return onwards;
  if (!flow.loose().empty()) return Reacting{piece.reached};
  return react(state, piece.reached, report);
}

EventDriven::Phase EventDriven::advance(const Reacting& reacting, State& state, double, StepReport& report) {
  const VectorXd before = state.u;
  const Phase next = react(state, reacting.reached, report);
  mark_jump(before, state);
  return next;
}

/// Events of a step at which velocities jump have impulses, though velocities without mass jump without one.
void EventDriven::mark_jump(const VectorXd& before, const State& state) {
  if (state.u == before) return;
  if (observer_ != nullptr) observer_->see_other_jump(state.t);
  for (Event& event : events_) {
    if (event.impulse.size() == 0) event.impulse = VectorXd::Zero(laws_.impulse.size());
  }
}

/// False where steps have become so short that they lead nowhere.
bool EventDriven::goes_on(const SmoothMotion::Piece& piece, StepReport& report) {
  constexpr int kMost = 100;
  constexpr double kShort = 1e-9;  // of the time in which the motion changes
  const bool crawls = piece.reached.empty() && piece.duration < kShort * motion_.flow().motion_time();
  crawling_ = crawls ? crawling_ + 1 : 0;
  if (crawling_ < kMost) return true;
  fail(report, fmt::format("at t = {:.9g} steps have become as short as {:.3g} s", piece.begin.t, piece.duration));
  return false;
}

/// Says what ends a motion that cannot go on.
void EventDriven::name_singularity(const State& state, StepReport& report) {
  const std::string cause = describe_singularity(system_, motion_.flow(), state);
  if (cause.empty()) return;
  fail(report, fmt::format("at t = {:.9g} {}", state.t, cause));
}

/// To what the laws have reached at the end of a piece.
EventDriven::Phase EventDriven::react(State& state, const std::vector<FoundEvent>& reached, StepReport& report) {
  Scope scope = find_scope(state);
  modes_.touching = scope.touching;
  Occasion occasion;
  for (const FoundEvent& event : reached) {
    if (is_switch(event)) continue;
    const auto law = static_cast<size_t>(event.function.law);
    if (event.function.kind == EventFunction::Kind::kSlip) scope.sliding[law] = false;
    if (event.function.kind == EventFunction::Kind::kSlip && event.after < 0) occasion.stopped.push_back(event.function.law);
    occasion.fired.push_back(event.function.law);
    // A touch is an event also where the contact opens again at once.
    if (event.function.kind == EventFunction::Kind::kGap && scope.resting[law])
      occasion.grazing.push_back(event.function.law);
  }
  return next_phase(state, scope, occasion, report);
}

/// A jump of the velocities.
EventDriven::Phase EventDriven::advance(ImpactDue, State& state, double dt, StepReport& report) {
  const ImpactOutcome outcome = resolve_impact(system_, state, modes_.touching);
  report.iterations = outcome.iterations;
  report.residual = std::max(outcome.residual, 0.0);
  if (outcome.status != ImpactOutcome::Status::kDone) {
    report.worst_law = outcome.worst_law;
    fail(report, fmt::format("the impact at t = {:.12g}: {}", state.t, outcome.note));
    return Moving{};
  }
  const int others = outcome.alternatives.value_or(0);
  if (options_.stop_when_not_unique && others > 0) {
    fail(report, fmt::format("the impact at t = {:.12g} has {} outcomes: the motion is not unique", state.t, others + 1));
    return Moving{};
  }
  const VectorXd jump = outcome.u - state.u;
  const VectorXd u_before = state.u;
  Event event = take_impact(outcome, state, report);
  if (observer_ != nullptr) observer_->see_impact({state.t, state.q, u_before}, modes_.touching, state);
  if (others > 0) warn_once(state.t, "an impact has several outcomes", ": the motion is not unique; events tell where");
  accumulation_.add_impact(std::exchange(since_impact_, 0.0), outcome.hit, outcome.lost);
  const Scope scope = find_scope(state, after_jump(jump, outcome.residual));
  std::optional<AccumulationWatch::Limit> limit = find_limit(state, dt);
  const int most = accumulation_.fades() ? kMostFadingImpacts : kMostIdleTransitions;
  if (++idle_transitions_ > most && !limit) {
    fail(report, fmt::format("at t = {:.9g} impacts follow each other without progress in time", state.t));
    return Moving{};
  }
  if (!limit) return next_phase(state, scope, {std::move(event)}, report);
  note_unchanged(std::move(event));
  return Accumulating{std::move(*limit)};
}

/// The velocities after an impact and what it did. Returns its event, without the modes after it.
Event EventDriven::take_impact(const ImpactOutcome& outcome, State& state, StepReport& report) {
  const MotionSeries& before = probe_.evaluate(state, modes_.sides);
  for (size_t i = 0; i < modes_.modes.size(); ++i) {
    if (modes_.touching[i] && system_.laws()[i].kind == ForceLaw::Kind::kContact)
      laws_.closing_speed[static_cast<Index>(i)] = -before.laws()[i][0].gamma[0];
  }
  state.u = outcome.u;
  probe_.turn_switches(state, modes_.sides);
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
  return event;
}

/// The limit to which the impacts accumulate, if that is before the end of the run and their contacts can close until then.
std::optional<AccumulationWatch::Limit> EventDriven::find_limit(const State& state, double dt) {
  std::optional<AccumulationWatch::Limit> limit = accumulation_.limit(instant_);
  if (!limit || limit->remaining > dt) return std::nullopt;
  if (closer_.close(state, *limit, modes_, constraints_)) return limit;
  accumulation_.clear();
  return std::nullopt;
}

/// Goes to the limit of infinitely many impacts.
EventDriven::Phase EventDriven::advance(const Accumulating& accumulating, State& state, double, StepReport& report) {
  const AccumulationWatch::Limit& limit = accumulating.limit;
  if (observer_ != nullptr) observer_->see_accumulation(limit.remaining);
  accumulation_.clear();
  const std::optional<AccumulationClosing> closing = closer_.close(state, limit, modes_, constraints_);
  if (!closing) {
    fail(report, fmt::format("at t = {:.12g} the contacts of an accumulation of impacts do not close", state.t));
    return Moving{};
  }
  state = closing->end;
  books_.jump(state);
  laws_ = closing->laws;
  constraints_ = closing->constraints;
  report = closing->report;
  report.lost_in_contacts += closing->absorbed;
  if (!limit.laws.empty()) laws_.lost[limit.laws.front()] += closing->absorbed;
  scales_.note(state);
  for (size_t i = 0; i < closing->modes.size(); ++i) modes_.touching[i] = closing->modes[i] != ContactMode::kOpen;
  std::fill(modes_.departing.begin(), modes_.departing.end(), false);
  std::fill(modes_.starting.begin(), modes_.starting.end(), false);
  modes_.sides = closing->sides;
  Event event{.t = state.t, .kind = EventKind::kAccumulation, .laws = limit.laws};
  event.impulse = laws_.impulse;
  event.lost = closing->absorbed;  // the impacts before have events of their own
  // Contacts that take no part in the accumulation may close, or what friction does at its limit makes some close.
  const Scope scope = find_scope(state);
  modes_.touching = scope.touching;
  return next_phase(state, scope, {std::move(event)}, report);
}

/// From the state alone, as at the start; what follows is told as what changed.
EventDriven::Phase EventDriven::advance(Displaced, State& state, double, StepReport& report) {
  const VectorXd before = state.u;
  accumulation_.clear();
  stiffness_.clear();
  scales_.note(state);
  probe_.turn_switches(state, modes_.sides);
  evaluator_->set_state(state.t, state.q, state.u);
  const VectorXd gaps = gaps_of(*evaluator_);
  for (Index i = 0; i < gaps.size(); ++i) modes_.gap_offset[i] = std::min(gaps[i], 0.0);
  selector_.set_branches(modes_.sides);
  const Scope scope = selector_.find_scope(state, {ContactTolerances::as_written()});
  modes_.touching = scope.touching;
  const Phase next = next_phase(state, scope, {}, report);
  mark_jump(before, state);
  return next;
}

Scope EventDriven::find_scope(const State& state, const ScopeTolerances& tolerances) {
  selector_.set_branches(modes_.sides);
  return selector_.find_scope(state, tolerances, &modes_.touching);
}

/// Contacts that close along directions without mass do so without an impulse: only velocities without mass jump. Whether they slide is no state, but
/// what the modes say.
Scope EventDriven::rest_loose(State& state, Scope scope) {
  ModeFlow& flow = motion_.flow();
  if (flow.loose().empty()) return scope;
  constexpr int kPasses = 4;  // others may close then
  for (int pass = 0; pass < kPasses && scope.impact(); ++pass) {
    std::vector<int> laws;
    bool closes = false;
    for (int i = 0; i < static_cast<int>(scope.closing.size()); ++i) {
      const auto law = static_cast<size_t>(i);
      if (!(scope.closing[law] || scope.resting[law]) || !flow.is_loose(i, 0)) continue;
      if (system_.laws()[law].kind == ForceLaw::Kind::kDryFriction) continue;
      laws.push_back(i);
      closes = closes || scope.closing[law];
    }
    if (!closes) break;
    const MotionSeries& series = probe_.evaluate(state, modes_.sides);
    Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(static_cast<Index>(laws.size()), static_cast<Index>(flow.loose().size()));
    VectorXd gamma(parts.rows());
    for (Index r = 0; r < parts.rows(); ++r) {
      const MotionSeries::Row& row = series.laws()[static_cast<size_t>(laws[static_cast<size_t>(r)])][0];
      gamma[r] = row.gamma[0];
      for (size_t j = 0; j < row.velocity.size(); ++j) {
        const auto place = std::find(flow.loose().begin(), flow.loose().end(), row.velocity[j]);
        if (place != flow.loose().end()) parts(r, place - flow.loose().begin()) += row.value[j][0];
      }
    }
    const VectorXd change = LeastSquares(parts, 1e-12).solve(gamma);
    for (Index z = 0; z < change.size(); ++z) state.u[flow.loose()[static_cast<size_t>(z)]] -= change[z];
    for (const int law : laws) modes_.touching[static_cast<size_t>(law)] = true;
    scope = find_scope(state);
  }
  for (int i = 0; i < static_cast<int>(scope.sliding.size()); ++i) {
    const auto law = static_cast<size_t>(i);
    const int last = system_.laws()[law].rows - 1;
    const int first = system_.laws()[law].kind == ForceLaw::Kind::kDryFriction ? 0 : 1;
    for (int row = first; row <= last; ++row)
      scope.sliding[law] = scope.sliding[law] && (!flow.is_loose(i, row) || slides(modes_.modes[law]));
  }
  return scope;
}

/// Velocities without mass that go with the modes. False where the loads on them are not balanced: the report says so.
bool EventDriven::settle_loose(State& state, StepReport& report) {
  ModeFlow& flow = motion_.flow();
  if (flow.loose().empty()) return true;
  flow.set_modes(modes_.modes, modes_.directions);
  flow.set_branches(modes_.sides);
  if (!flow.settle_loose(state)) {
    fail(report, flow.culprit(), StepReport::Status::kMassSingular);
    return false;
  }
  if (flow.unbalanced_load() > 0.0) {
    fail(report, unbalanced(state.t, flow.unbalanced_load()));
    return false;
  }
  const MotionSeries& series = probe_.evaluate(state, modes_.sides);
  for (int i = 0; i < static_cast<int>(modes_.modes.size()); ++i) {
    const auto law = static_cast<size_t>(i);
    const bool dry = system_.laws()[law].kind == ForceLaw::Kind::kDryFriction;
    if (!dry && modes_.modes[law] == ContactMode::kOpen && modes_.touching[law] && flow.is_loose(i, 0))
      modes_.departing[law] = series.laws()[law][0].gamma[0] > 0.0;
    if (slides(modes_.modes[law]) && flow.is_loose(i, dry ? 0 : 1))
      modes_.starting[law] = series.laws()[law][dry ? 0 : 1].gamma[0] == 0.0;
  }
  return true;
}

/// What a state asks for: an impact where a contact closes, else modes in which the motion goes on.
EventDriven::Phase EventDriven::next_phase(State& state, const Scope& found, const Occasion& occasion, StepReport& report) {
  const Scope scope = rest_loose(state, found);
  if (!scope.impact()) return choose_modes(state, scope, occasion, report);
  if (occasion.event) note_unchanged(*occasion.event);
  return ImpactDue{};
}

EventDriven::Phase EventDriven::choose_modes(State& state, const Scope& scope, const Occasion& occasion,
                                             StepReport& report) {
  return take_selection(state, scope, selector_.select(state, scope, occasion.fired), occasion, report);
}

EventDriven::Phase EventDriven::take_selection(State& state, const Scope& scope, const ModeSelection& selection,
                                               const Occasion& occasion, StepReport& report) {
  const size_t count = selection.choices.size();
  if (count == 0 && !motion_.flow().loose().empty()) {
    const MotionSeries& series = probe_.evaluate(state, modes_.sides);
    double force = 0.0;
    for (const int velocity : motion_.flow().loose()) force = std::max(force, std::abs(series.h(velocity)[0]));
    fail(report, unbalanced(state.t, force));
    return Moving{};
  }
  if (count == 0 && selection.complete) return strike(state, occasion, report);
  if (count == 0) {
    fail(report, fmt::format("at t = {:.12g} no contact mode is consistent{}", state.t,
                             selection.note.empty() ? "" : ": " + selection.note));
    return Moving{};
  }
  std::string note;
  if (selection.others() > 0) {
    const bool several = count > 1;
    const std::string what =
        several ? fmt::format("{} contact modes are consistent", count) : "a contact mode leaves its motion open";
    note = fmt::format("{}: the motion is not unique; taken is {}", what,
                       several ? "the one that changes least" : "one of its motions");
    if (options_.stop_when_not_unique) {
      fail(report, fmt::format("at t = {:.12g} {}: the motion is not unique", state.t, what));
      return Moving{};
    }
    warn_once(state.t, several ? "several contact modes are consistent" : what,
              ": the motion is not unique; events tell where");
  }
  if (note.empty()) note = selection.list.unchecked;
  if (!selection.tie_note.empty()) note += (note.empty() ? "" : "; ") + selection.tie_note;
  for (size_t i = 0; i < modes_.modes.size(); ++i)
    modes_.departing[i] = scope.touching[i] && !scope.resting[i] && system_.laws()[i].kind == ForceLaw::Kind::kContact;
  const ModeChoice& choice = selection.choices[default_choice(selection, modes_.modes)];
  for (size_t i = 0; i < modes_.modes.size(); ++i) modes_.starting[i] = slides(choice.modes[i]) && !scope.sliding[i];
  for (Event& event : transition_events(state.t, occasion, modes_.modes, choice, selection, note))
    events_.push_back(std::move(event));
  modes_.modes = choice.modes;
  modes_.directions = choice.directions;
  modes_.shares = choice.forces;
  settle_loose(state, report);
  return Moving{.after_transition = true};
}

/// No bounded forces satisfy the laws: an impact without collision, by the problem of the last selection.
EventDriven::Phase EventDriven::strike(State& state, const Occasion& occasion, StepReport& report) {
  const AccelerationProblem& problem = selector_.problem();
  const std::optional<Strike> strike = find_strike(system_, problem, selector_.scope_laws());
  if (!strike || ++idle_transitions_ > kMostIdleTransitions || options_.stop_when_not_unique) {
    fail(report, fmt::format("at t = {:.12g} no bounded contact force is possible (Painleve)", state.t));
    return Moving{};
  }
  if (!strike->change.allFinite()) {
    fail(report, "a velocity after an impact without collision", StepReport::Status::kNotFinite);
    return Moving{};
  }
  evaluator_->set_state(state.t, state.q, state.u);
  const double before = evaluator_->evaluate_energies().kinetic;
  const double work = probe_.work_of_supports(state, modes_.sides, strike->impulse);
  state.u += strike->change;
  if (observer_ != nullptr) observer_->see_other_jump(state.t);
  evaluator_->set_state(state.t, state.q, state.u);
  if (occasion.event) note_unchanged(*occasion.event);
  Event event{.t = state.t, .kind = EventKind::kImpact, .laws = strike->laws};
  event.impulse = strike->impulse;
  event.lost = before - evaluator_->evaluate_energies().kinetic + work;
  event.note = "no bounded force is possible (Painleve): an impact without collision";
  if (const auto violation = judge_strike(system_, state, problem, selector_.scope_laws(), strike->impulse)) {
    fail_by_law(system_, LawId::fixed(violation->law), violation->what, report.residual, report);
    return Moving{};
  }
  report.work_done += work;
  report.lost_in_contacts += event.lost;
  laws_.impulse += event.impulse;
  if (!event.laws.empty()) laws_.lost[event.laws.front()] += event.lost;
  probe_.turn_switches(state, modes_.sides);
  scales_.note(state);
  warn_once(state.t, "no bounded contact force is possible (Painleve)", ": an impact without collision follows");
  return next_phase(state, find_scope(state, after_jump(strike->change)), {std::move(event), occasion.fired}, report);
}

/// An event after which the modes are what they were before.
void EventDriven::note_unchanged(Event event) {
  event.before = event.after = modes_.modes;
  events_.push_back(std::move(event));
}

/// A change of the number of dependent rows is an event.
void EventDriven::note_rank(double t) {
  const int rank = motion_.flow().rank(), rows = motion_.flow().held_rows();
  if (rank_ >= 0 && rows_ - rank_ != rows - rank) {
    Event event{.t = t, .kind = EventKind::kRedundancyChange};
    event.note = rank < rows ? fmt::format("{} rows hold, {} of them independent: forces are not unique", rows, rank)
                             : "all rows that hold are independent: forces are unique";
    note_unchanged(std::move(event));
  }
  rank_ = rank;
  rows_ = rows;
}

/// A warning for the first of its kind, which its words begin with.
void EventDriven::warn_once(double t, const std::string& kind, const std::string& rest) {
  const auto is_same = [&](const std::string& warning) { return warning.starts_with(kind); };
  if (std::none_of(warnings_.begin(), warnings_.end(), is_same))
    warnings_.push_back(fmt::format("{} (first at t = {:.12g}){}", kind, t, rest));
}

void EventDriven::save_memory(NamedArrays& arrays) const {
  std::vector<double>& memory = arrays.begin_array(kMemory);
  const auto* moving = std::get_if<Moving>(&phase_);
  for (const bool flag : {!std::holds_alternative<NotStarted>(phase_), moving != nullptr && moving->after_transition,
                          std::holds_alternative<ImpactDue>(phase_), std::holds_alternative<Accumulating>(phase_)})
    memory.push_back(flag ? 1.0 : 0.0);
  const auto* reacting = std::get_if<Reacting>(&phase_);
  memory.push_back(reacting != nullptr ? static_cast<double>(reacting->reached.size()) : 0.0);
  for (size_t i = 0; reacting != nullptr && i < reacting->reached.size(); ++i) {
    const EventFunction& function = reacting->reached[i].function;
    memory.insert(memory.end(), {static_cast<double>(function.kind), static_cast<double>(function.law)});
  }
  modes_.save(memory);
  scales_.save(memory);
  for (const int count : {idle_transitions_, rank_, rows_, crawling_}) memory.push_back(count);
  memory.insert(memory.end(), {since_impact_, instant_, std::holds_alternative<Displaced>(phase_) ? 1.0 : 0.0});
  accumulation_.save(memory);
}

void EventDriven::restore_memory(const NamedArrays& arrays) {
  std::span<const double> memory = arrays.at(kMemory);
  constexpr int kMost = std::numeric_limits<int>::max();
  if (memory.empty()) return;  // of a run that has not begun
  const bool started = take_number(memory) != 0.0, after_transition = take_number(memory) != 0.0,
             impact_is_due = take_number(memory) != 0.0, accumulating = take_number(memory) != 0.0;
  Reacting reacting;
  const int most = static_cast<int>(std::max(modes_.modes.size(), modes_.sides.size())) - 1;
  for (int count = take_whole(memory, 0, 1 << 20); count > 0; --count) {
    const auto kind =
        static_cast<EventFunction::Kind>(take_whole(memory, 0, static_cast<int>(EventFunction::Kind::kSwitch)));
    reacting.reached.push_back({{kind, take_whole(memory, 0, most)}, 0.0, 1, -1});
  }
  modes_.restore(memory);
  scales_.restore(memory);
  idle_transitions_ = take_whole(memory, 0, kMost);
  rank_ = take_whole(memory, -1, kMost);
  rows_ = take_whole(memory, -1, kMost);
  crawling_ = take_whole(memory, 0, kMost);
  since_impact_ = take_number(memory);
  instant_ = take_number(memory);
  const bool displaced = take_number(memory) != 0.0;
  accumulation_.restore(memory, static_cast<int>(modes_.modes.size()));
  if (!memory.empty()) throw std::invalid_argument(fmt::format("it remembers {} numbers less", memory.size()));
  phase_ = NotStarted{};
  if (started) phase_ = Moving{after_transition};
  if (!reacting.reached.empty()) phase_ = std::move(reacting);
  if (impact_is_due) phase_ = ImpactDue{};
  if (displaced) phase_ = Displaced{};
  if (!accumulating) return;
  if (auto limit = accumulation_.limit(instant_)) phase_ = Accumulating{std::move(*limit)};
}

}  // namespace tippe
