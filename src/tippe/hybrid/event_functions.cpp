// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/event_functions.h"

#include <algorithm>
#include <cmath>

#include "tippe/hybrid/mode_selection.h"
#include "tippe/hybrid/series.h"

namespace tippe {

/// `unit`: the derivative that `scale` is the size of. `at_least`: so many first coefficients are zero. `may_begin_at_zero`: the step begins with
/// a transition after which the first coefficients may be zero but for round-off.
void EventFunctions::look(const EventFunction& function, const double* coefficients, int unit, double scale, int at_least,
                          bool may_begin_at_zero, double end) {
  const int order = flow_->expanded();
  polynomial_.assign(coefficients, coefficients + order + 1);
  if (function.sign < 0.0) {
    for (double& c : polynomial_) c = -c;
  }
  const bool may_touch = function.kind == EventFunction::Kind::kGap || function.kind == EventFunction::Kind::kSlip;
  int zeros = at_least;
  if (may_begin_at_zero) {
    const Trend trend =
        find_trend(polynomial_.data(), at_least, std::min(order, kTrendingOrder), {scale, unit, time_scale_, instant_, end});
    if (trend.sign == 0) return;  // stays zero
    if (trend.sign < 0) {         // the mode ends before it begins
      found_.push_back({function, 0.0, 1, -1});
      return;
    }
    zeros = trend.order;
  }
  if (polynomial_[static_cast<size_t>(zeros)] <= 0.0 && function.kind != EventFunction::Kind::kSwitch) {
    found_.push_back({function, 0.0, 1, -1});
    return;
  }
  double size = 0.0, power = 1.0;
  for (int k = 0; k <= order; ++k, power *= end)
    size = std::max(size, std::abs(polynomial_[static_cast<size_t>(k)]) * power);
  const double tolerance = may_touch ? 1e-14 * size : 0.0;
  for (const PolynomialRoot& root : isolate_roots(polynomial_, end, tolerance, zeros)) {
    const bool touches = root.before == root.after;
    if (touches && !may_touch) continue;
    if (!touches && root.after > 0 && function.kind != EventFunction::Kind::kSwitch) continue;
    found_.push_back({function, root.t, root.before, root.after});
    return;
  }
}

namespace {

/// A contact in space turns faster and faster while it comes to rest: it has done so when what is left of its way is no more than an instant.
bool stops(const double* speed, double instant) {
  return speed[1] < 0.0 && speed[0] <= -speed[1] * 10.0 * instant;
}

}  // namespace

const std::vector<FoundEvent>& EventFunctions::find(ModeFlow& flow, const Start& start, double end) {
  flow_ = &flow;
  start_ = start;
  time_scale_ = flow.time_scale();
  instant_ = flow.instant();
  found_.clear();
  MotionSeries& series = flow.series();
  const int order = flow.expanded();
  std::vector<double> reserve(static_cast<size_t>(order) + 1);
  for (size_t i = 0; i < system_.laws().size(); ++i) {
    const ForceLaw& law = system_.laws()[i];
    const int number = static_cast<int>(i);
    const ContactMode mode = flow.modes()[i];
    const auto acceleration = [&](int row) {  // for judging zeros of a first step only
      if (!start.fresh) return 0.0;
      return flow.acceleration_size() * flow.kinetic_length(number, row) +
             std::abs(series.laws()[i][static_cast<size_t>(row)].drift[0]);
    };
    if (mode == ContactMode::kOpen) {
      if (law.kind == ForceLaw::Kind::kOneWay) {
        look({EventFunction::Kind::kGap, number}, series.laws()[i][0].gamma, 1, acceleration(0), 0, start.fresh, end);
        continue;
      }
      const double* gap = series.gap(number);
      reserve.assign(gap, gap + order + 1);
      reserve[0] -= (*start.gap_offsets)[number];
      // One that has just opened begins with a velocity, or with neither gap nor velocity, whatever round-off says.
      const bool departs = (*start.departing)[i], rests = start.fresh && (*start.touching)[i] && !departs;
      look({EventFunction::Kind::kGap, number}, reserve.data(), 2, acceleration(0), departs ? 1 : rests ? 2 : 0, rests, end);
      continue;
    }
    if (slides(mode)) {
      if (mode == ContactMode::kSlide) {
        if (flow.turns(number) && stops(flow.sliding_speed(number), instant_)) {
          found_.push_back({{EventFunction::Kind::kSlip, number}, 0.0, 1, -1});
        } else if (flow.turns(number)) {  // it has a speed, else it would have no direction
          look({EventFunction::Kind::kSlip, number}, flow.sliding_speed(number), 1, 0.0, 0, false, end);
        }
      } else {
        const int row = law.kind == ForceLaw::Kind::kDryFriction ? 0 : 1;
        look({EventFunction::Kind::kSlip, number, -1, mode == ContactMode::kSlideForward ? 1.0 : -1.0},
             series.laws()[i][static_cast<size_t>(row)].gamma, 1, acceleration(row), 0, start.fresh, end);
      }
    }
    if (mode != ContactMode::kStick) continue;
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      if (!flow.carries(number)) continue;
      for (const double side : {1.0, -1.0}) {
        for (int k = 0; k <= order; ++k)
          reserve[static_cast<size_t>(k)] = (k == 0 ? law.limit : 0.0) - side * flow.law_force(number, 0)[k];
        look({EventFunction::Kind::kReserve, number}, reserve.data(), 0, law.limit, 0, start.fresh, end);
      }
    } else if (law.rows > 2 && !flow.shares_in_space()) {
      for (int k = 0; k <= order; ++k) {
        double& c = reserve[static_cast<size_t>(k)];
        c = product_coefficient(flow.law_force(number, 0), flow.law_force(number, 0), k);
        for (int d = 1; d <= 2; ++d) {
          const double mu = friction_along(law, d);
          if (mu > 0.0) c -= product_coefficient(flow.law_force(number, d), flow.law_force(number, d), k) / (mu * mu);
        }
      }
      const double length = start.fresh ? flow.kinetic_length(number, 0) : 1.0;
      const double force = length > 0.0 ? acceleration(0) / (length * length) : 0.0;
      look({EventFunction::Kind::kReserve, number}, reserve.data(), 0, force * force, 0, start.fresh, end);
      look({EventFunction::Kind::kForce, number}, flow.law_force(number, 0), 0, force, 0, start.fresh, end);
    }
  }
  for (size_t c = 0; c < flow.columns().size(); ++c) {
    const ForceColumn& column = flow.columns()[c];
    if (!column.basic || (column.kind != ForceColumn::Kind::kNormal && column.kind != ForceColumn::Kind::kEdge)) continue;
    double scale = 0.0;
    if (start.fresh) {
      const double length = flow.kinetic_length(column.law, 0);
      if (length > 0.0)
        scale = flow.acceleration_size() / length +
                std::abs(series.laws()[static_cast<size_t>(column.law)][0].drift[0]) / (length * length);
    }
    look({EventFunction::Kind::kForce, column.law, static_cast<int>(c)}, flow.force(static_cast<int>(c)), 0, scale, 0,
         start.fresh, end);
  }
  for (size_t s = 0; s < series.switches().size(); ++s) {
    if (series.switches()[s].forced == kStaysZero) continue;
    const int side = (*start.switched)[s];
    const double* argument = series.switches()[s].argument;
    int turn = 0;  // where the argument goes from zero
    for (int k = 1; side != 0 && turn == 0 && k <= order; ++k) turn = (argument[k] > 0.0) - (argument[k] < 0.0);
    if (side != 0 && turn == -side) {
      found_.push_back({{EventFunction::Kind::kSwitch, static_cast<int>(s)}, 0.0, side, -side});
      continue;
    }
    look({EventFunction::Kind::kSwitch, static_cast<int>(s)}, argument, 0, 0.0, side != 0 ? 1 : 0, false, end);
  }
  if (found_.empty()) return found_;
  double first = end;
  for (const FoundEvent& event : found_) first = std::min(first, event.t);
  std::erase_if(found_, [&](const FoundEvent& event) { return event.t > first + instant_; });
  return found_;
}

}  // namespace tippe
