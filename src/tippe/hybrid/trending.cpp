// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/trending.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kZero = 1e-9;  // of the scale of a quantity: its derivatives up to this are none

}  // namespace

Trend find_trend(const double* coefficients, int first, int last, const TrendScale& scale) {
  const double span = scale.span > 0.0 ? std::min(scale.span, scale.time) : scale.time;
  for (int k = first; k <= last; ++k) {
    const double change = k < last ? std::abs(coefficients[k + 1]) * (k + 1) * scale.instant : 0.0;
    const double none = kZero * scale.size * std::pow(k > scale.unit ? span : scale.time, scale.unit - k) + change;
    if (std::abs(coefficients[k]) > none) return {k, coefficients[k] > 0.0 ? 1 : -1};
  }
  return {last, 0};
}

double acceleration_scale(const System& system, const ModeFlow& flow, int law, int row) {
  constexpr double kOfSystem = 1e-5;
  const MotionSeries::Row& series = flow.series().laws()[static_cast<size_t>(law)][static_cast<size_t>(row)];
  VectorXd w = VectorXd::Zero(system.nu());
  for (size_t j = 0; j < series.velocity.size(); ++j) w[series.velocity[j]] += series.value[j][0];
  return w.cwiseAbs().dot(flow.free_acceleration()) + std::abs(series.drift[0]) +
         kOfSystem * flow.acceleration_size() * flow.kinetic_length(law, row);
}

double force_scale(const System& system, const ModeFlow& flow, int law) {
  const double length = flow.kinetic_length(law, 0);
  return length > 0.0 ? acceleration_scale(system, flow, law, 0) / (length * length) : 0.0;
}

bool TrendJudge::expand(const State& state, const TrendQuestion& question, int order) {
  flow_.set_modes(question.modes, question.directions);
  flow_.set_shares(question.shares);
  return flow_.expand(state, order) == ModeFlow::Status::kOk;
}

void TrendJudge::add(int law, bool strict, Trend::Of of, int first, double size, int unit, const double* coefficients) {
  conditions_.push_back({law, strict, of, first, {size, unit, flow_.time_scale(), flow_.instant()}, {}});
  conditions_.back().coefficients.assign(coefficients, coefficients + flow_.expanded() + 1);
}

/// What has to be so for the modes of the flow to last, by its last expansion.
void TrendJudge::collect(const TrendQuestion& question) {
  conditions_.clear();
  for (const int law_number : question.laws) {
    const auto i = static_cast<size_t>(law_number);
    const ForceLaw& law = system_.laws()[i];
    const ContactMode mode = question.modes[i];
    if (mode == ContactMode::kOpen) {
      const double size = acceleration_scale(system_, flow_, law_number, 0);
      if (law.kind == ForceLaw::Kind::kOneWay) {
        add(law_number, true, Trend::Of::kSlip, 1, size, 1, flow_.series().laws()[i][0].gamma);
      } else {
        // Without mass the velocity of the gap follows from the forces.
        add(law_number, true, Trend::Of::kGap, flow_.is_loose(law_number, 0) ? 1 : 2, size, 2,
            flow_.series().gap(law_number));
      }
      continue;
    }
    if (slides(mode) && !question.sliding[i]) collect_slip(law_number, question);
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      if (mode == ContactMode::kStick && law.rows == 1) collect_reserves(law_number);
      if (mode == ContactMode::kStick && law.rows > 1) collect_cone(law_number);
      continue;
    }
    if (!question.sharing.empty() && question.sharing[i]) continue;
    add(law_number, false, Trend::Of::kForce, 0, force_scale(system_, flow_, law_number), 0, flow_.law_force(law_number, 0));
    if (mode == ContactMode::kStick && law.rows == 2) collect_reserves(law_number);
    if (mode == ContactMode::kStick && law.rows > 2) collect_cone(law_number);
  }
}

/// A contact or a dry friction at rest gets the slip that its mode asks for: in space along its direction.
void TrendJudge::collect_slip(int law_number, const TrendQuestion& question) {
  const auto i = static_cast<size_t>(law_number);
  const ForceLaw& law = system_.laws()[i];
  const std::vector<MotionSeries::Row>& rows = flow_.series().laws()[i];
  std::vector<double> speed(static_cast<size_t>(flow_.expanded()) + 1, 0.0);
  int row = law.kind == ForceLaw::Kind::kDryFriction ? 0 : 1;
  if (question.modes[i] != ContactMode::kSlide) {
    const double sign = question.modes[i] == ContactMode::kSlideForward ? 1.0 : -1.0;
    for (size_t k = 0; k < speed.size(); ++k) speed[k] = sign * rows[static_cast<size_t>(row)].gamma[k];
  } else {
    const int first = law.first_slip();
    row = friction_along(law, first) > 0.0 ? first : first + 1;
    for (int d = 0; d < friction_rows(law); ++d) {
      // What drills counts as the power of its friction does.
      const double weight = d == 2 ? std::pow(friction_along(law, first + 2) / friction_along(law, row), 2) : 1.0;
      for (size_t k = 0; k < speed.size(); ++k)
        speed[k] += weight * question.directions[i][d] * rows[static_cast<size_t>(first + d)].gamma[k];
    }
  }
  add(law_number, true, Trend::Of::kSlip, flow_.is_loose(law_number, row) ? 0 : 1,
      acceleration_scale(system_, flow_, law_number, row), 1, speed.data());
}

/// Friction along one direction has something in reserve on both sides: of mu lambda_N, or of the limit of a dry friction.
void TrendJudge::collect_reserves(int law_number) {
  const ForceLaw& law = system_.laws()[static_cast<size_t>(law_number)];
  const bool dry = law.kind == ForceLaw::Kind::kDryFriction;
  const double size = dry ? std::max(law.limits[0], law.limits[1]) : law.mu1 * force_scale(system_, flow_, law_number);
  std::vector<double> reserve(static_cast<size_t>(flow_.expanded()) + 1);
  for (const double side : {1.0, -1.0}) {
    for (size_t k = 0; k < reserve.size(); ++k) {
      const double limit = !dry ? law.mu1 * flow_.law_force(law_number, 0)[k] : k == 0 ? law.limit_of_force(side) : 0.0;
      reserve[k] = limit - side * flow_.law_force(law_number, dry ? 0 : 1)[k];
    }
    add(law_number, false, Trend::Of::kReserve, 0, size, 0, reserve.data());
  }
}

/// The same in a plane.
void TrendJudge::collect_cone(int law_number) {
  const bool dry = system_.laws()[static_cast<size_t>(law_number)].kind == ForceLaw::Kind::kDryFriction;
  std::vector<double> reserve;
  flow_.find_cone_reserve(law_number, reserve);
  const double size = dry ? 1.0 : force_scale(system_, flow_, law_number);
  add(law_number, false, Trend::Of::kReserve, 0, size * size, 0, reserve.data());
}

void TrendJudge::decide() {
  for (Condition& condition : conditions_) {
    condition.trend = find_trend(condition.coefficients.data(), condition.first,
                                 static_cast<int>(condition.coefficients.size()) - 1, condition.scale);
    condition.trend.of = condition.of;
  }
}

bool TrendJudge::any_fails() const {
  return std::any_of(conditions_.begin(), conditions_.end(), [](const Condition& c) { return c.trend.sign < 0; });
}

bool TrendJudge::all_decided() const {
  return std::all_of(conditions_.begin(), conditions_.end(), [](const Condition& c) { return c.trend.sign != 0; });
}

/// Decides what is not decided by the values at the state of the motion about which the flow was expanded, `later` after the
/// beginning. False where what was decided holds no longer: the modes have ended before.
bool TrendJudge::look_at(double later, const TrendQuestion& question) {
  std::vector<Condition> before = std::move(conditions_);
  collect(question);
  std::vector<Condition> there = std::exchange(conditions_, std::move(before));
  if (there.size() != conditions_.size()) return false;
  for (size_t c = 0; c < there.size(); ++c) {
    const Condition& now = there[c];
    const Condition& then = conditions_[c];
    const double start = then.first > 0 ? then.coefficients[0] : 0.0;
    const double size = std::max(then.scale.size, now.scale.size) * std::pow(later, then.scale.unit);
    if (then.trend.sign != 0 && now.coefficients[0] - start < -kZero * size) return false;
  }
  for (size_t c = 0; c < there.size(); ++c) {
    Condition& then = conditions_[c];
    if (then.trend.sign != 0) continue;
    const double value = there[c].coefficients[0] - (then.first > 0 ? then.coefficients[0] : 0.0);
    const double size = std::max(then.scale.size, there[c].scale.size) * std::pow(later, then.scale.unit);
    if (std::abs(value) > kZero * size) then.trend = {then.trend.order, value > 0.0 ? 1 : -1, then.of, later};
  }
  return true;
}

/// Johnson (20). Returns how far the motion was simulated.
double TrendJudge::look_ahead(const State& state, const TrendQuestion& question) {
  constexpr int kSteps = 16;
  constexpr double kTimes = 2.0;  // of the time over which the motion changes
  State there = state;
  std::vector<VectorXd> directions(question.directions.begin(), question.directions.end());
  const double dt = kTimes / kSteps * flow_.time_scale();
  VectorXd rate(system_.nq());
  double later = 0.0;
  for (int step = 0; step < kSteps && !all_decided(); ++step) {
    for (size_t i = 0; i < directions.size(); ++i) {
      const int law = static_cast<int>(i);
      if (question.modes[i] != ContactMode::kSlide) continue;
      directions[i] = flow_.is_slow(law) ? flow_.sliding_direction(law, dt) : VectorXd();
    }
    if (flow_.expanded() > 0) {
      flow_.evaluate(dt, there);
    } else {  // there are no derivatives here: soon there are
      for (int i = 0; i < system_.nq(); ++i) rate[i] = flow_.series().position_rate(i)[0];
      there.q += dt * rate;
      there.u += dt * flow_.acceleration().col(0);
    }
    there.t += dt;
    if (!there.q.allFinite() || !there.u.allFinite()) break;
    TrendQuestion next = question;
    next.directions = directions;
    int order = kMostTrendingOrder;
    while (order > 0 && !expand(there, next, order)) order /= 2;
    if (order == 0 && !expand(there, next, 0)) break;
    if (!look_at(later + dt, question)) break;
    later += dt;
  }
  return later;
}

TrendAnswer TrendJudge::judge(const State& given, const TrendQuestion& question) {
  TrendAnswer answer;
  State state = given;
  if (!flow_.loose().empty()) {
    flow_.set_modes(question.modes, question.directions);
    if (!flow_.settle_loose(state) || flow_.unbalanced_load() > 0.0) return answer;
  }
  answer.trending.assign(system_.laws().size(), Trend{-1, 0});
  int order = kTrendingOrder;
  while (order > 0 && !expand(state, question, order)) order /= 2;  // forces may have few derivatives, or none
  if (order == 0 && !expand(state, question, 0)) return answer;
  collect(question);
  decide();
  const int first_order = order;
  if (!any_fails() && !all_decided()) {
    if (expand(state, question, kMostTrendingOrder)) {
      order = kMostTrendingOrder;
      collect(question);
      decide();
    } else {
      (void)expand(state, question, first_order);
    }
  }
  if (!any_fails() && !all_decided()) {
    answer.simulated = look_ahead(state, question);
    (void)expand(state, question, order);
  }
  sum_up(question, answer);
  return answer;
}

/// What the conditions say together.
void TrendJudge::sum_up(const TrendQuestion& question, TrendAnswer& answer) const {
  answer.consistent = !any_fails();
  const bool unique = flow_.rank() == flow_.held_rows();
  for (const int law : question.laws) answer.trending[static_cast<size_t>(law)] = {0, 0};
  for (const Condition& condition : conditions_) {
    if (condition.strict && condition.trend.sign == 0) answer.consistent = false;
    const auto law = static_cast<size_t>(condition.law);
    if (condition.trend.sign == 0 && unique && (answer.undecided.empty() || answer.undecided.back() != condition.law))
      answer.undecided.push_back(condition.law);
    // What is decided last says most: the normal force, or what friction has in reserve.
    Trend& trend = answer.trending[law];
    const bool first = trend.sign == 0 && trend.order == 0 && trend.of == Trend::Of::kNothing;
    const bool later = condition.trend.sign == 0 ||
                       (trend.sign != 0 && (condition.trend.order > trend.order || condition.trend.after > trend.after));
    if (first || later) trend = condition.trend;
  }
}

}  // namespace tippe
