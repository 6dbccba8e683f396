// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "tippe/analyze/painleve.h"
#include "tippe/hybrid/series.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kMostIdleTransitions = 100;

/// The order at which a Taylor step costs least for its error, Jorba and Zou (2005).
int order_for(double tolerance) {
  return std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(tolerance))) + 2, 8, 22);
}

/// Truncation errors add up, and the last term is only the size of what is left out.
double truncation(double tolerance) {
  return std::max(0.01 * tolerance, 1e-17);
}

EventKind kind_of_change(ContactMode before, ContactMode after) {
  if (before == ContactMode::kOpen) return EventKind::kTouch;
  if (after == ContactMode::kOpen) return EventKind::kLiftOff;
  if (before == ContactMode::kStick) return EventKind::kStickToSlip;
  return slides(after) ? EventKind::kSlipReversal : EventKind::kSlipToStick;
}

}  // namespace

EventDriven::EventDriven(const System& system, const EventDrivenOptions& options)
    : AdaptiveIntegrator(system),
      system_(system),
      options_(options),
      flow_(system, order_for(truncation(options.tolerance))),
      selector_(system),
      functions_(system),
      evaluator_(system.make_evaluator()),
      modes_(system.laws().size(), ContactMode::kOpen),
      directions_(system.laws().size()),
      touching_(system.laws().size(), false),
      departing_(system.laws().size(), false),
      switched_(flow_.series().switches().size(), 0),
      gap_offset_(VectorXd::Zero(static_cast<Index>(system.laws().size()))),
      size_(VectorXd::Zero(system.nq() + system.nu())),
      branches_(switched_.size(), 0),
      part_laws_(laws_),
      part_constraints_(constraints_) {}

double EventDriven::proposed_step() const {
  return kInfinite;
}

StepReport::Status EventDriven::status_of(ModeFlow::Status status) {
  switch (status) {
    case ModeFlow::Status::kOk:
      return StepReport::Status::kOk;
    case ModeFlow::Status::kNotFinite:
      return StepReport::Status::kNotFinite;
    case ModeFlow::Status::kMassSingular:
      return StepReport::Status::kMassSingular;
    case ModeFlow::Status::kContradiction:
      return StepReport::Status::kContradiction;
    case ModeFlow::Status::kSingular:
      break;
  }
  return StepReport::Status::kNotSolved;
}

StepReport EventDriven::step(State& state, double dt) {
  StepReport report;
  events_.clear();
  laws_.clear();
  constraints_.impulse.setZero();
  constraints_.on_velocities.setZero();
  t_B_ = state.t;
  end_ = state;
  piece_.order = -1;
  if (!started_ && !start(state, report)) return report;
  if (impact_is_due_) {
    hit(state, report);
  } else if (limit_) {
    accumulate(state, report);
  } else {
    move(state, dt, report);
  }
  return report;
}

/// The first modes, from the state alone.
bool EventDriven::start(const State& state, StepReport& report) {
  VectorXd gaps = VectorXd::Zero(gap_offset_.size());
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_gaps(gaps);
  for (Index i = 0; i < gaps.size(); ++i) gap_offset_[i] = std::min(gaps[i], 0.0);
  const ScopeTolerances tolerances{1e-12, 1e-9, 1e-9, 1e-8};  // a start is written with a few digits
  const Scope scope = selector_.find_scope(state, tolerances);
  touching_ = scope.touching;
  started_ = true;
  size_.head(system_.nq()) = state.q.cwiseAbs();
  size_.tail(system_.nu()) = state.u.cwiseAbs();
  if (scope.impact()) {
    impact_is_due_ = true;
    return true;
  }
  State same = state;
  Event first{.t = state.t, .kind = EventKind::kStart};
  return choose_modes(same, scope, report, &first);
}

void EventDriven::force_branches(MotionSeries& series, const std::vector<int>& branches) const {
  for (size_t s = 0; s < branches.size(); ++s) series.switches()[s].forced = branches[s];
}

bool EventDriven::expand(const State& state, StepReport& report) {
  force_branches(flow_.series(), switched_);
  const ModeFlow::Status status = flow_.expand(state, flow_.order());
  if (status == ModeFlow::Status::kOk) {
    for (size_t s = 0; s < switched_.size(); ++s) {
      const double* argument = flow_.series().switches()[s].argument;
      branches_[s] = switched_[s];
      for (int k = 0; k <= flow_.order() && branches_[s] == 0; ++k) branches_[s] = (argument[k] > 0.0) - (argument[k] < 0.0);
    }
    force_branches(flow_.series(), branches_);
    return true;
  }
  report.status = status_of(status);
  report.culprit = flow_.culprit();
  if (status == ModeFlow::Status::kSingular)
    report.culprit = "the forces of the contact mode are not determined (Painleve's singularity)";
  return false;
}

/// s  over which the last terms of a polynomial are at most `tolerance` of its size, which is at least `floor`.
double EventDriven::converging(const double* c, Index stride, double floor, double tolerance) const {
  const int order = flow_.expanded();
  double h = kInfinite;
  for (int k = order - 2; k <= order; ++k) {
    const double last = std::abs(c[k * stride]);
    if (!(last > 0.0)) continue;
    // From rest the motion itself is the scale: the largest of its first terms at the step in question.
    double step = 0.0;
    for (int pass = 0; pass < 3; ++pass) {
      const double size = std::max({floor, std::abs(c[stride]) * step, std::abs(c[2 * stride]) * step * step});
      step = size > 0.0 ? std::pow(tolerance * size / last, 1.0 / k) : std::pow(tolerance, 1.0 / k) * flow_.time_scale();
    }
    h = std::min(h, step);
  }
  return h;
}

/// s  over which all polynomials are good enough.
double EventDriven::natural_step() {
  const double tolerance = truncation(options_.tolerance);
  double h = kInfinite;
  const auto limit = [&](const Eigen::MatrixXd& c, Index first) {
    const double largest = size_.segment(first, c.rows()).maxCoeff();
    for (Index i = 0; i < c.rows(); ++i)
      h = std::min(h, converging(&c(i, 0), c.rows(), std::max(size_[first + i], 1e-3 * largest), tolerance));
  };
  limit(flow_.q(), 0);
  limit(flow_.u(), system_.nq());
  // Functions of the motion converge over shorter times than the motion. What is small beside what it is made of is held to that.
  MotionSeries& series = flow_.series();
  const auto limit_function = [&](const double* c, double floor) {
    h = std::min(h, converging(c, 1, std::max(std::abs(c[0]), floor), options_.tolerance));
  };
  const auto speed_through = [&](const MotionSeries::Row& row) {
    double terms = 0.0;
    for (size_t j = 0; j < row.velocity.size(); ++j)
      terms = std::max(terms, std::abs(row.value[j][0]) * size_[system_.nq() + row.velocity[j]]);
    return 1e-3 * terms;
  };
  double largest_force = 0.0;
  for (int c = 0; c < static_cast<int>(flow_.columns().size()); ++c)
    largest_force = std::max(largest_force, std::abs(flow_.force(c)[0]));
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const auto law = static_cast<size_t>(i);
    const std::vector<MotionSeries::Row>& rows = series.laws()[law];
    if (modes_[law] == ContactMode::kOpen && series.gap(i) != nullptr) {
      limit_function(series.gap(i), 0.0);
    } else if (modes_[law] == ContactMode::kOpen) {
      limit_function(rows[0].gamma, speed_through(rows[0]));
    } else if (slides(modes_[law])) {
      for (size_t row = system_.laws()[law].kind == ForceLaw::Kind::kDryFriction ? 0 : 1; row < rows.size(); ++row)
        limit_function(rows[row].gamma, speed_through(rows[row]));
    }
  }
  for (int c = 0; c < static_cast<int>(flow_.columns().size()); ++c) {
    if (flow_.columns()[static_cast<size_t>(c)].basic) limit_function(flow_.force(c), 1e-3 * largest_force);
  }
  for (const MotionSeries::Switch& branch : series.switches()) limit_function(branch.argument, 0.0);
  return h;
}

void EventDriven::note_speeds(const State& state) {
  size_.head(system_.nq()) = size_.head(system_.nq()).cwiseMax(state.q.cwiseAbs());
  size_.tail(system_.nu()) = size_.tail(system_.nu()).cwiseMax(state.u.cwiseAbs());
}

/// end_ := the state at t after the beginning, on the rows that hold. False if the polynomial is not good enough that far.
bool EventDriven::finish(const State& begin, double t, double dt, StepReport& report) {
  end_ = begin;
  end_.t = t == dt ? begin.t + dt : begin.t + t;
  flow_.evaluate(t, end_);
  if (!end_.q.allFinite() || !end_.u.allFinite()) return false;
  if (!flow_.project(end_, gap_offset_)) return false;
  // The acceleration at the end, by the equations and by the polynomial.
  ModeFlow& check = selector_.flow();
  check.set_modes(modes_, directions_);
  force_branches(check.series(), branches_);
  const ModeFlow::Status status = check.expand(end_, 0);
  if (status != ModeFlow::Status::kOk) return false;
  VectorXd a;
  evaluate_columns(flow_.acceleration(), flow_.expanded(), t, a);
  const VectorXd load = check.free_acceleration() * t;  // what the forces cancel when all is at rest
  const double largest = std::max(size_.tail(system_.nu()).maxCoeff(), load.maxCoeff());
  double error = 0.0;
  for (Index i = 0; i < a.size(); ++i) {
    const double scale = std::max({size_[system_.nq() + i], load[i], std::abs(a[i] * t), 1e-3 * largest});
    if (scale > 0.0) error = std::max(error, std::abs(a[i] - check.acceleration()(i, 0)) * t / scale);
  }
  report.residual = error;
  constexpr double kRoundOff = 1e-12;
  return error <= std::max(100.0 * options_.tolerance, kRoundOff) * 10.0;
}

void EventDriven::keep_piece() {
  piece_.order = flow_.expanded();
  piece_.q = flow_.q();
  piece_.u = flow_.u();
  piece_.lost.setZero(flow_.order() + 1, 3);
  for (int k = 0; k <= piece_.order; ++k) {
    for (int i = 0; i < static_cast<int>(modes_.size()); ++i) piece_.lost(k, 0) += flow_.law_loss(i)[k];
    piece_.lost(k, 1) = flow_.damping_loss()[k];
    piece_.lost(k, 2) = flow_.driving_power()[k];
  }
  const auto keep = [&](const double* c, Eigen::MatrixXd& columns, Index column) {
    columns.col(column).head(piece_.order + 1) = Eigen::Map<const VectorXd>(c, piece_.order + 1);
  };
  const auto laws = static_cast<Index>(modes_.size()), constraints = static_cast<Index>(system_.constraints().size());
  piece_.law_lost.setZero(flow_.order() + 1, laws);
  piece_.law_forces.setZero(flow_.order() + 1, laws_.impulse.size());
  piece_.constraint_forces.setZero(flow_.order() + 1, constraints);
  piece_.constraint_directions.setZero(system_.nu(), constraints);
  for (int i = 0; i < laws; ++i) {
    if (modes_[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    keep(flow_.law_loss(i), piece_.law_lost, i);
    for (int row = 0; row < system_.laws()[static_cast<size_t>(i)].rows; ++row)
      keep(flow_.law_force(i, row), piece_.law_forces, flow_.first_row(i) + row);
  }
  for (int c = 0; c < constraints; ++c) {
    keep(flow_.constraint_force(c), piece_.constraint_forces, c);
    const MotionSeries::Row& row = flow_.series().constraints()[static_cast<size_t>(c)];
    for (size_t j = 0; j < row.velocity.size(); ++j) piece_.constraint_directions(row.velocity[j], c) += row.value[j][0];
  }
}

/// What laws and damping took and drives gave until t after the beginning of the step.
void EventDriven::book(double t, StepReport& report) {
  const int order = flow_.expanded();
  report.lost_in_damping += integrate_series(flow_.damping_loss(), order, t);
  report.work_done += integrate_series(flow_.driving_power(), order, t);
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (modes_[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    const double lost = integrate_series(flow_.law_loss(i), order, t);
    report.lost_in_contacts += lost;
    laws_.lost[i] += lost;
    for (int row = 0; row < system_.laws()[static_cast<size_t>(i)].rows; ++row)
      laws_.impulse[flow_.first_row(i) + row] += integrate_series(flow_.law_force(i, row), order, t);
  }
  for (int c = 0; c < static_cast<int>(system_.constraints().size()); ++c)
    constraints_.impulse[c] += integrate_series(flow_.constraint_force(c), flow_.expanded(), t);
  constraints_.redundant = flow_.rank() < flow_.held_rows();
  for (size_t c = 0; c < system_.constraints().size(); ++c) {
    const MotionSeries::Row& row = flow_.series().constraints()[c];
    for (size_t j = 0; j < row.velocity.size(); ++j)
      constraints_.on_velocities[row.velocity[j]] += row.value[j][0] * constraints_.impulse[static_cast<Index>(c)];
  }
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind != ForceLaw::Kind::kContact || modes_[i] == ContactMode::kOpen) continue;
    laws_.speed_scale[static_cast<Index>(i)] = std::sqrt(2.0) * flow_.kinetic_length(static_cast<int>(i), 0);
  }
}

/// Whether the present modes are among those that are consistent at a state.
bool EventDriven::keeps_modes(const State& state) {
  const Scope scope = selector_.find_scope(state, {}, &touching_);
  if (scope.impact()) return false;
  const ModeSelection selection = selector_.select(state, scope);
  return std::any_of(selection.choices.begin(), selection.choices.end(),
                     [&](const ModeChoice& choice) { return choice.modes == modes_; });
}

/// s  when the present modes cease to be consistent, by bisection of the step up to `end`, at which they are not. The contact solver tells only to its
/// tolerance; where contacts begin to slide, the instant is that at which their acceleration with friction at its limit is zero.
double EventDriven::last_time_of_modes(const State& state, double end) {
  double low = 0.0;
  State there = state;
  const auto go_to = [&](double t) {
    there.t = state.t + t;
    flow_.evaluate(t, there);
  };
  while (end - low > instant_at(state.t)) {
    const double t = 0.5 * (low + end);
    go_to(t);
    (keeps_modes(there) ? low : end) = t;
  }
  go_to(end);
  const ModeSelection selection = selector_.select(there, selector_.find_scope(there, {}, &touching_));
  if (selection.choices.empty()) return end;
  const ModeChoice choice = selection.choices[default_choice(selection)];
  ModeFlow& flow = selector_.flow();
  flow.set_modes(choice.modes, choice.directions);
  const auto acceleration = [&](double t) {  // along the direction of sliding, of the contact that is first
    go_to(t);
    if (flow.expand(there, 0) != ModeFlow::Status::kOk) return std::numeric_limits<double>::quiet_NaN();
    double fastest = -kInfinite;
    for (size_t i = 0; i < modes_.size(); ++i) {
      if (choice.directions[i].size() == 0) continue;
      double along = 0.0;
      for (Index d = 0; d < 2; ++d) along += choice.directions[i][d] * flow.row_acceleration(static_cast<int>(i), 1 + static_cast<int>(d));
      fastest = std::max(fastest, along);
    }
    return fastest;
  };
  double t = end, step = -1e-3 * end, value = acceleration(t);
  for (int pass = 0; pass < 20 && std::abs(step) > 0.01 * instant_at(state.t) && std::isfinite(value); ++pass) {
    const double next = acceleration(t + step), slope = (next - value) / step;
    if (!(std::abs(slope) > 0.0) || !std::isfinite(slope)) break;
    t += step;
    value = next;
    step = -value / slope;
    if (t + step < 0.0 || t + step > end) break;
  }
  return t + step >= 0.0 && t + step <= end && std::isfinite(step) ? t + step : end;
}

/// A piece of smooth motion.
void EventDriven::move(State& state, double dt, StepReport& report) {
  if (!expand(state, report)) return;
  note_rank(state.t);
  double h = std::min(dt, natural_step());
  // A contact in space that begins to slide keeps its first direction for a moment, until its velocity has one.
  for (const VectorXd& direction : directions_) {
    if (direction.size() > 0) h = std::min(h, 1e-5 * flow_.load_time_scale());
  }
  const bool shares = flow_.shares_in_space();
  if (shares) h = std::min(h, 0.25 * flow_.time_scale());
  const EventFunctions::Start start{state.t, fresh_, &touching_, &departing_, &gap_offset_, &switched_};
  std::vector<FoundEvent> reached = functions_.find(flow_, start, h, instant_at(state.t));
  double end = reached.empty() ? h : reached.front().t;
  for (const FoundEvent& event : reached) end = std::min(end, event.t);
  const double least = 16.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(state.t), dt);
  while (!finish(state, end, dt, report)) {
    ++report.rejected;
    reached.clear();
    end *= 0.5;
    if (end > least) continue;
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("at t = {:.9g} even a step of {:.3g} s has too large an error", state.t, end);
    return;
  }
  bool lapsed = false;  // modes cease to be consistent without an event function that tells
  if (shares && !keeps_modes(end_)) {
    end = last_time_of_modes(state, end);
    finish(state, end, dt, report);
    reached.clear();
    lapsed = true;
  }
  book(end, report);
  keep_piece();
  note_speeds(end_);
  state = end_;
  if (end > instant_at(state.t)) idle_transitions_ = 0;
  leave_transition(state);
  if (lapsed || !reached.empty()) go_on(state, reached, report);
}

/// A change of the number of dependent rows is an event.
void EventDriven::note_rank(double t) {
  const int rank = flow_.rank(), rows = flow_.held_rows();
  if (rank_ >= 0 && rows_ - rank_ != rows - rank) {
    Event event{.t = t, .kind = EventKind::kRedundancyChange, .before = modes_, .after = modes_};
    event.note = rank < rows ? fmt::format("{} rows hold, {} of them independent: forces are not unique", rows, rank)
                             : "all rows that hold are independent: forces are unique";
    events_.push_back(std::move(event));
  }
  rank_ = rank;
  rows_ = rows;
}

/// The last step has led away from the transition that it began with.
void EventDriven::leave_transition(const State& state) {
  fresh_ = false;
  std::fill(departing_.begin(), departing_.end(), false);
  std::fill(switched_.begin(), switched_.end(), 0);
  if (gap_offset_.size() > 0 && gap_offset_.minCoeff() < 0.0) {
    VectorXd gaps = gap_offset_;
    evaluator_->set_state(state.t, state.q, state.u);
    evaluator_->evaluate_gaps(gaps);
    for (size_t i = 0; i < modes_.size(); ++i) {
      const auto law = static_cast<Index>(i);
      if (modes_[i] == ContactMode::kOpen && gaps[law] > 0.0) gap_offset_[law] = 0.0;
    }
  }
  bool directed = false;
  for (size_t i = 0; i < modes_.size(); ++i) {
    touching_[i] = modes_[i] != ContactMode::kOpen;
    directed = directed || directions_[i].size() > 0;
    directions_[i].resize(0);
  }
  if (!directed) return;
  flow_.set_modes(modes_, directions_);
  fresh_ = true;
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

void EventDriven::warn_once(const std::string& warning) {
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
}

void EventDriven::set_modes(const ModeChoice& choice) {
  modes_ = choice.modes;
  directions_ = choice.directions;
  flow_.set_modes(modes_, directions_);
  fresh_ = true;
}

/// How the motion goes on from a state in which no contact closes. `impact`: the event to complete, of an impact or of the start.
bool EventDriven::choose_modes(State& state, const Scope& scope, StepReport& report, Event* impact) {
  ModeSelection selection = selector_.select(state, scope, fired_);
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
    warn_once(fmt::format("at t = {:.12g} {}", state.t, note));
  }
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
void EventDriven::hit(State& state, StepReport& report) {
  impact_is_due_ = false;
  const ImpactOutcome outcome = resolve_impact(system_, state, touching_);
  report.iterations = outcome.iterations;
  report.residual = std::max(outcome.residual, 0.0);
  if (outcome.status != ImpactOutcome::Status::kDone) {
    report.status = StepReport::Status::kNotSolved;
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
  state.u = outcome.u;
  laws_.impulse = outcome.impulse;
  laws_.lost = outcome.lost_by_law;
  constraints_.impulse = outcome.constraints;
  report.lost_in_contacts = outcome.lost;
  report.work_done = outcome.work;
  note_speeds(state);
  Event event{.t = state.t, .kind = EventKind::kImpact, .laws = outcome.hit};
  event.impulse = outcome.impulse;
  event.lost = outcome.lost;
  event.alternatives = outcome.alternatives;
  event.note = outcome.note;
  if (!event.note.empty() && outcome.alternatives.value_or(0) > 0)
    warn_once(fmt::format("at t = {:.12g} {}", state.t, event.note));
  accumulation_.add_impact(state.t, outcome.hit, outcome.lost);
  // Contacts at rest after an impact are so up to the error of its solution.
  ScopeTolerances tolerances;
  tolerances.velocity += 1e-9 * std::max(laws_.closing_speed.maxCoeff(), 0.0);
  const Scope scope = selector_.find_scope(state, tolerances, &touching_);
  if (++idle_transitions_ > kMostIdleTransitions && !accumulation_.limit()) {
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("at t = {:.9g} impacts follow each other without progress in time", state.t);
    return;
  }
  limit_ = accumulation_.limit();
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

/// Goes to the limit of infinitely many impacts: their contacts close, and stay so until the limit. What is left of their velocities goes into
/// them; to first order in the small time left their impulses are those of a lasting contact.
void EventDriven::accumulate(State& state, StepReport& report) {
  const AccumulationWatch::Limit limit = *std::exchange(limit_, std::nullopt);
  accumulation_.clear();
  const std::vector<ContactMode> before = modes_;
  for (const int law : limit.laws) touching_[static_cast<size_t>(law)] = true;
  Scope scope = selector_.find_scope(state, {}, &touching_);
  ModeChoice closed{modes_, directions_, {}, {}, {}};
  for (const int number : limit.laws) {
    const auto i = static_cast<size_t>(number);
    const ForceLaw& law = system_.laws()[i];
    ContactMode& mode = closed.modes[i];
    const bool friction = law.kind == ForceLaw::Kind::kContact && law.rows > 1 && law.mu1 > 0.0;
    if (!friction) {
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
  if (!expand(state, report)) return;
  if (!flow_.absorb(state, laws_.impulse)) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = "a velocity at the limit of the impacts";
    return;
  }
  evaluator_->set_state(state.t, state.q, state.u);
  const double absorbed = kinetic - evaluator_->evaluate_energies().kinetic;
  end_ = state;
  double remaining = 0.0;
  if (limit.remaining > 0.0) {
    if (!expand(state, report)) return;
    remaining = limit.remaining;
    end_.t = state.t + remaining;
    flow_.evaluate(remaining, end_);
    book(remaining, report);
  } else if (!expand(state, report)) {
    return;
  }
  flow_.project(end_, gap_offset_);
  state = end_;
  report.lost_in_contacts += absorbed;
  if (!limit.laws.empty()) laws_.lost[limit.laws.front()] += absorbed;
  note_speeds(state);
  for (size_t i = 0; i < modes_.size(); ++i) touching_[i] = modes_[i] != ContactMode::kOpen;
  std::fill(departing_.begin(), departing_.end(), false);
  Event event{.t = state.t, .kind = EventKind::kAccumulation, .laws = limit.laws};
  event.impulse = laws_.impulse;
  event.lost = limit.lost + absorbed;
  scope = selector_.find_scope(state, {}, &touching_);
  modes_ = before;
  if (scope.impact()) {
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("the impacts accumulate at t = {:.12g}, but contacts close there", state.t);
    return;
  }
  choose_modes(state, scope, report, &event);
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
  report.status = StepReport::Status::kOk;
  report.culprit.clear();
  Event event{.t = state.t, .kind = EventKind::kImpact};
  event.impulse.setZero(laws_.impulse.size());
  const ForceLayout layout(problem);
  const VectorXd change = Eigen::LLT<Eigen::MatrixXd>(problem.M).solve(force_directions(problem) * painleve.impulse);
  for (size_t c = 0; c < problem.unilateral.size(); ++c) {
    const int law = selector_.scope_laws()[c];
    const ContactRows& rows = problem.unilateral[c];
    for (int row = 0; row < rows.rows(); ++row)
      event.impulse[flow_.first_row(law) + row] = painleve.impulse[layout.unilateral[c] + row];
    if (painleve.impulse[layout.unilateral[c]] > 0.0) event.laws.push_back(law);
  }
  evaluator_->set_state(state.t, state.q, state.u);
  const double before = evaluator_->evaluate_energies().kinetic;
  state.u += change;
  evaluator_->set_state(state.t, state.q, state.u);
  event.lost = before - evaluator_->evaluate_energies().kinetic;
  event.note = "no bounded force is possible (Painleve): an impact without collision";
  warn_once(where + ": an impact without collision follows");
  laws_.impulse += event.impulse;
  if (!event.laws.empty()) laws_.lost[event.laws.front()] += event.lost;
  report.lost_in_contacts += event.lost;
  note_speeds(state);
  const Scope scope = selector_.find_scope(state, {}, &touching_);
  if (scope.impact()) {
    impact_is_due_ = true;
    event.before = event.after = modes_;
    events_.push_back(std::move(event));
    return true;
  }
  return choose_modes(state, scope, report, &event);
}

StepReport EventDriven::interpolate(double t, State& state) {
  StepReport report;
  state = end_;
  state.t = t;
  part_laws_.clear();
  part_constraints_.impulse.setZero();
  part_constraints_.on_velocities.setZero();
  part_constraints_.redundant = constraints_.redundant;
  if (piece_.order < 0) return report;
  const double since = t - t_B_;
  const auto integral = [&](const Eigen::MatrixXd& columns, Index column) {
    return integrate_series(columns.col(column).data(), piece_.order, since);
  };
  for (Index i = 0; i < piece_.law_lost.cols(); ++i) part_laws_.lost[i] = integral(piece_.law_lost, i);
  for (Index row = 0; row < piece_.law_forces.cols(); ++row) part_laws_.impulse[row] = integral(piece_.law_forces, row);
  for (Index c = 0; c < piece_.constraint_forces.cols(); ++c)
    part_constraints_.impulse[c] = integral(piece_.constraint_forces, c);
  part_constraints_.on_velocities.noalias() = piece_.constraint_directions * part_constraints_.impulse;
  if (t < end_.t) {
    evaluate_columns(piece_.q, piece_.order, since, state.q);
    evaluate_columns(piece_.u, piece_.order, since, state.u);
    system_.normalize(state.q);
  }
  report.lost_in_contacts = integrate_series(piece_.lost.col(0).data(), piece_.order, since);
  report.lost_in_damping = integrate_series(piece_.lost.col(1).data(), piece_.order, since);
  report.work_done = integrate_series(piece_.lost.col(2).data(), piece_.order, since);
  return report;
}

void EventDriven::save_memory(std::vector<double>& memory) const {
  memory.clear();
  const auto put = [&](double value) { memory.push_back(value); };
  for (const bool flag : {started_, fresh_, impact_is_due_, limit_.has_value()}) put(flag ? 1.0 : 0.0);
  for (size_t i = 0; i < modes_.size(); ++i) {
    put(static_cast<double>(modes_[i]));
    put(touching_[i] ? 1.0 : 0.0);
    put(departing_[i] ? 1.0 : 0.0);
    put(gap_offset_[static_cast<Index>(i)]);
    put(directions_[i].size() > 0 ? 1.0 : 0.0);
    for (Index d = 0; d < 2; ++d) put(directions_[i].size() > 0 ? directions_[i][d] : 0.0);
  }
  for (const int side : switched_) put(side);
  memory.insert(memory.end(), size_.begin(), size_.end());
  put(idle_transitions_);
  put(rank_);
  put(rows_);
  accumulation_.save(memory);
}

void EventDriven::restore_memory(std::span<const double> memory) {
  const auto take = [&] {
    if (memory.empty()) throw std::invalid_argument("it remembers more numbers");
    const double value = memory.front();
    memory = memory.subspan(1);
    return value;
  };
  if (memory.empty()) return;  // of a run that has not begun
  started_ = take() != 0.0;
  fresh_ = take() != 0.0;
  impact_is_due_ = take() != 0.0;
  const bool limit = take() != 0.0;
  for (size_t i = 0; i < modes_.size(); ++i) {
    modes_[i] = static_cast<ContactMode>(static_cast<int>(take()));
    touching_[i] = take() != 0.0;
    departing_[i] = take() != 0.0;
    gap_offset_[static_cast<Index>(i)] = take();
    const bool directed = take() != 0.0;
    const double first = take(), second = take();
    directions_[i].resize(directed ? 2 : 0);
    if (directed) directions_[i] << first, second;
  }
  for (int& side : switched_) side = static_cast<int>(take());
  for (double& size : size_) size = take();
  idle_transitions_ = static_cast<int>(take());
  rank_ = static_cast<int>(take());
  rows_ = static_cast<int>(take());
  accumulation_.restore(memory);
  if (!memory.empty()) throw std::invalid_argument(fmt::format("it remembers {} numbers less", memory.size()));
  flow_.set_modes(modes_, directions_);
  limit_ = limit ? accumulation_.limit() : std::nullopt;
}

}  // namespace tippe
