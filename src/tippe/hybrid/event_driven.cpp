// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tippe/core/infinity.h"
#include "tippe/hybrid/series.h"
#include "tippe/integrate/law_check.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The order at which a Taylor step costs least for its error, Jorba and Zou (2005).
int order_for(double tolerance) {
  return std::clamp(static_cast<int>(std::ceil(-0.5 * std::log(tolerance))) + 2, 8, 22);
}

/// Truncation errors add up, and the last term is only the size of what is left out.
double truncation(double tolerance) {
  return std::max(0.01 * tolerance, 1e-17);
}

}  // namespace

EventDriven::EventDriven(const System& system, const EventDrivenOptions& options)
    : AdaptiveIntegrator(system),
      system_(system),
      options_(options),
      scales_(system),
      flow_(system, order_for(truncation(options.tolerance))),
      selector_(system, &scales_),
      functions_(system),
      check_(system, scales_),
      evaluator_(system.make_evaluator()),
      modes_(system.laws().size(), ContactMode::kOpen),
      directions_(system.laws().size()),
      touching_(system.laws().size(), false),
      departing_(system.laws().size(), false),
      switched_(flow_.series().switches().size(), 0),
      gap_offset_(VectorXd::Zero(static_cast<Index>(system.laws().size()))),
      branches_(switched_.size(), 0),
      part_laws_(laws_),
      part_constraints_(constraints_) {
  flow_.set_scales(&scales_);
}

double EventDriven::proposed_step() const {
  return kInfinity;
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
  if (!started_ && !start(state, dt, report)) return report;
  if (impact_is_due_) {
    hit(state, dt, report);
  } else if (limit_) {
    accumulate(state, report);
  } else {
    move(state, dt, report);
  }
  return report;
}

/// The first modes, from the state alone. False if the step ends with that.
bool EventDriven::start(State& state, double dt, StepReport& report) {
  scales_.start(state, dt, *evaluator_);
  instant_ = flow_.instant();
  VectorXd gaps = VectorXd::Zero(gap_offset_.size());
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_gaps(gaps);
  for (Index i = 0; i < gaps.size(); ++i) {
    gap_offset_[i] = std::min(gaps[i], 0.0);
    scales_.note_gap(static_cast<int>(i), std::abs(gaps[i]));
  }
  const ScopeTolerances as_written{ContactTolerances::as_written()};
  const Scope scope = selector_.find_scope(state, as_written);
  touching_ = scope.touching;
  started_ = true;
  if (scope.impact()) {
    impact_is_due_ = true;
    return true;
  }
  const VectorXd before = state.u;
  Event first{.t = state.t, .kind = EventKind::kStart};
  if (!choose_modes(state, scope, report, &first)) return false;
  if (state.u != before) return false;  // no bounded force was possible: the first step is a jump
  // From rest, errors are relative to what the loads do while they change.
  if (state.u.cwiseAbs().maxCoeff() == 0.0 && expand(state, report)) {
    constexpr double kPart = 1e-3;
    scales_.note_speeds(kPart * flow_.load_time_scale() * flow_.free_acceleration());
  }
  return report.ok();
}

void EventDriven::force_branches(MotionSeries& series, const std::vector<int>& branches) const {
  for (size_t s = 0; s < branches.size(); ++s) series.switches()[s].forced = branches[s];
}

/// The largest that the arguments of switches may become by what coordinates and velocities have been so far. What depends on time alone has no size.
VectorXd EventDriven::switch_sizes(const State& state) {
  MotionSeries& series = selector_.flow().series();
  VectorXd sizes = VectorXd::Zero(static_cast<Index>(switched_.size())), plain = sizes;
  State other = state;
  const auto evaluate = [&] {
    series.begin(other.t, other.q, other.u);
    series.evaluate(0);
  };
  evaluate();
  for (Index s = 0; s < plain.size(); ++s) plain[s] = series.switches()[static_cast<size_t>(s)].argument[0];
  const auto vary = [&](double& value, double by) {
    if (!(by > 0.0)) return;
    const double kept = std::exchange(value, value + by);
    evaluate();
    value = kept;
    for (Index s = 0; s < sizes.size(); ++s) {
      const double change = std::abs(series.switches()[static_cast<size_t>(s)].argument[0] - plain[s]);
      if (std::isfinite(change)) sizes[s] += change;
    }
  };
  for (Index i = 0; i < other.q.size(); ++i) vary(other.q[i], scales_.coordinate(i));
  for (Index j = 0; j < other.u.size(); ++j) vary(other.u[j], scales_.velocity(j));
  return sizes;
}

/// On which side each switch is, after an expansion. True if one of them stays at zero, which the expansion did not know.
bool EventDriven::find_branches(const State& state) {
  if (switched_.empty()) return false;
  constexpr double kRoundOff = 1e-12;
  const VectorXd sizes = switch_sizes(state);
  const double time = flow_.time_scale();
  bool any_stays = false;
  for (size_t s = 0; s < switched_.size(); ++s) {
    const double* argument = flow_.series().switches()[s].argument;
    bool stays = true;
    double power = 1.0;
    for (int k = 0; k <= kTrendingOrder; ++k, power *= time)
      stays = stays && std::abs(argument[k]) * power <= kRoundOff * sizes[static_cast<Index>(s)];
    any_stays = any_stays || stays;
    branches_[s] = stays ? kStaysZero : switched_[s];
    for (int k = 0; k <= flow_.order() && branches_[s] == 0; ++k) branches_[s] = (argument[k] > 0.0) - (argument[k] < 0.0);
  }
  return any_stays;
}

bool EventDriven::expand(const State& state, StepReport& report) {
  force_branches(flow_.series(), switched_);
  ModeFlow::Status status = flow_.expand(state, flow_.order());
  if (status == ModeFlow::Status::kOk && find_branches(state)) {
    force_branches(flow_.series(), branches_);
    status = flow_.expand(state, flow_.order());
  }
  force_branches(flow_.series(), branches_);
  if (status == ModeFlow::Status::kOk) return true;
  report.status = status_of(status);
  report.culprit = flow_.culprit();
  if (status == ModeFlow::Status::kSingular)
    report.culprit = "the forces of the contact mode are not determined (Painleve's singularity)";
  return false;
}

/// s  over which the last terms of a polynomial are at most `tolerance` of its size: its largest term, or `floor`.
double EventDriven::converging(const double* c, Index stride, double floor, double tolerance) const {
  const int order = flow_.expanded();
  double h = kInfinity;
  for (int k = order - 2; k <= order; ++k) {
    const double last = std::abs(c[k * stride]);
    if (!(last > 0.0)) continue;
    double step =
        std::pow(std::max(floor, std::abs(c[0])) / last, 1.0 / k);  // where the last term is as large as the others
    double power_of_step = 1.0;                                     // step^(k - j)
    for (int j = k - 1; j >= 1; --j) {
      const double ratio = std::abs(c[j * stride]) / last;
      if (!(ratio > (power_of_step *= step))) continue;
      step = std::max(step, std::pow(ratio, 1.0 / (k - j)));
      power_of_step = ratio;
    }
    for (int pass = 0; pass < 4; ++pass) {
      double size = floor, power = 1.0;
      for (int j = 1; j < k; ++j) size = std::max(size, std::abs(c[j * stride]) * (power *= step));
      step = std::min(step, std::pow(tolerance * size / last, 1.0 / k));
    }
    h = std::min(h, step);
  }
  return h;
}

/// s  over which all polynomials are good enough.
double EventDriven::natural_step() {
  const double tolerance = truncation(options_.tolerance);
  double h = kInfinity;
  for (Index i = 0; i < system_.nq(); ++i)
    h = std::min(h, converging(&flow_.q()(i, 0), system_.nq(), scales_.coordinate(i), tolerance));
  for (Index j = 0; j < system_.nu(); ++j)
    h = std::min(h, converging(&flow_.u()(j, 0), system_.nu(), scales_.velocity(j), tolerance));
  // Functions of the motion converge over shorter times than the motion. What is small beside what it is made of is held to that.
  MotionSeries& series = flow_.series();
  const auto limit_function = [&](const double* c, double floor) {
    h = std::min(h, converging(c, 1, std::max(std::abs(c[0]), floor), options_.tolerance));
  };
  const auto speed_through = [&](const MotionSeries::Row& row) {
    double terms = 0.0;
    for (size_t j = 0; j < row.velocity.size(); ++j)
      terms = std::max(terms, std::abs(row.value[j][0]) * scales_.velocity(row.velocity[j]));
    return 1e-3 * terms;
  };
  double largest_force = 0.0;  // kinetic
  for (int c = 0; c < static_cast<int>(flow_.columns().size()); ++c)
    largest_force = std::max(largest_force, std::abs(flow_.force(c)[0]) * flow_.column_length(c));
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
    const double length = flow_.column_length(c);
    if (flow_.columns()[static_cast<size_t>(c)].basic)
      limit_function(flow_.force(c), length > 0.0 ? 1e-3 * largest_force / length : 0.0);
  }
  for (const MotionSeries::Switch& branch : series.switches()) {
    if (branch.forced != kStaysZero) limit_function(branch.argument, 0.0);
  }
  return h;
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
  const double small_load = 1e-3 * scales_.kinetic_size(load);
  double error = 0.0;
  for (Index i = 0; i < a.size(); ++i) {
    const double scale = std::max({scales_.velocity(i), load[i], std::abs(a[i] * t), scales_.velocity_of(small_load, i)});
    if (scale > 0.0) error = std::max(error, std::abs(a[i] - check.acceleration()(i, 0)) * t / scale);
  }
  report.residual = error;
  constexpr double kRoundOff = 1e-11;  // of accelerations, which are differences of large forces
  return error <= std::max(options_.tolerance, kRoundOff);
}

/// Whether the laws did what they are defined to do until t after the beginning. Where modes end at once there was no motion.
void EventDriven::check_laws(const State& begin, double t, std::span<const FoundEvent> reached, StepReport& report) {
  if (!(t > instant_)) return;
  const bool ends_at_switch = std::any_of(reached.begin(), reached.end(), [](const FoundEvent& event) {
    return event.function.kind == EventFunction::Kind::kSwitch;
  });
  const bool can_balance = std::find(branches_.begin(), branches_.end(), kStaysZero) == branches_.end();
  const auto violation = check_.judge({flow_, begin, end_, t, gap_offset_, options_.tolerance, can_balance, ends_at_switch});
  if (!violation) return;
  if (violation->law >= 0) {
    fail_by_law(system_, violation->law, violation->what, report.residual, report);
    return;
  }
  report.status = StepReport::Status::kNotSolved;
  report.culprit = fmt::format("{}, though the residual of the step is {:.3g}", violation->what, report.residual);
}

/// s  Friction turns the velocity of a contact that has just begun to slide as fast as it is slow. The shorter this is, the more steps follow: where
/// sliding begins with an acceleration it may be short, where it begins from a limit that is slowly exceeded it may not, and need not.
double EventDriven::time_of_first_direction() const {
  double time = kInfinity;
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (directions_[i].size() == 0) continue;
    const int law = static_cast<int>(i);
    const double acceleration = std::hypot(flow_.row_acceleration(law, 1), flow_.row_acceleration(law, 2));
    const bool starts_fast = acceleration > 1e-4 * flow_.load() * flow_.kinetic_length(law, 1);
    time = std::min(time, (starts_fast ? 1e-5 : 1e-3) * flow_.load_time_scale());
  }
  return time;
}

/// A piece of smooth motion.
void EventDriven::move(State& state, double dt, StepReport& report) {
  if (!expand(state, report)) return;
  note_rank(state.t);
  if (fresh_) {
    scales_.note_load(flow_.free_acceleration(), flow_.load_time_scale());
    flow_.forget_times();
  }
  double h = std::min(dt, natural_step());
  // A contact in space that begins to slide keeps its first direction for a moment, until its velocity has one.
  h = std::min(h, time_of_first_direction());
  const bool shares = flow_.shares_in_space();
  if (shares) h = std::min(h, 0.25 * flow_.time_scale());
  const EventFunctions::Start start{fresh_, &touching_, &departing_, &gap_offset_, &switched_};
  std::vector<FoundEvent> reached = functions_.find(flow_, start, h);
  instant_ = flow_.instant();
  double end = reached.empty() ? h : reached.front().t;
  for (const FoundEvent& event : reached) end = std::min(end, event.t);
  const double least = 16.0 * std::numeric_limits<double>::epsilon() * std::min(end, flow_.motion_time());
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
  ModeSelection next;
  if (shares && !keeps_modes(end_)) {
    end = last_time_of_modes(state, end, next);
    finish(state, end, dt, report);
    reached.clear();
    lapsed = true;
  }
  check_laws(state, end, reached, report);  // by the scales of the motion so far
  if (!report.ok()) return;
  book(end, report);
  keep_piece();
  scales_.note(end_);
  state = end_;
  since_impact_ += end;
  if (end > instant_) idle_transitions_ = 0;
  leave_transition(state);
  if (lapsed && !next.choices.empty()) {
    take_selection(state, selector_.find_scope(state, {}, &touching_), next, report, nullptr);
  } else if (lapsed || !reached.empty()) {
    go_on(state, reached, report);
  }
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

}  // namespace tippe
