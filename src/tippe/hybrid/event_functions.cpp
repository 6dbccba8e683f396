// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/event_functions.h"

#include <algorithm>
#include <cmath>

#include "tippe/hybrid/mode_selection.h"

namespace tippe {

/// `unit`: the derivative that `scale` is the size of. `at_least`: so many first coefficients are zero. `may_begin_at_zero`: the step begins with
/// a transition after which the first coefficients may be zero but for round-off.
void EventFunctions::look(const EventFunction& function, const double* coefficients, int unit, double scale, int at_least,
                          bool may_begin_at_zero) {
  const int order = flow_->expanded();
  polynomial_.assign(coefficients, coefficients + order + 1);
  if (function.sign < 0.0) {
    for (double& c : polynomial_) c = -c;
  }
  const bool may_touch = function.kind == EventFunction::Kind::kGap || function.kind == EventFunction::Kind::kSlip;
  int zeros = at_least;
  if (may_begin_at_zero) {
    const Trend trend = find_trend(polynomial_.data(), at_least, std::min(order, kMostTrendingOrder),
                                   {scale, unit, time_scale_, instant_, end_});
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
  for (int k = 0; k <= order; ++k, power *= end_)
    size = std::max(size, std::abs(polynomial_[static_cast<size_t>(k)]) * power);
  const double tolerance = may_touch ? 1e-14 * size : 0.0;
  for (const PolynomialRoot& root : isolate_roots(polynomial_, end_, tolerance, zeros)) {
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

/// m/s^2  the size of the accelerations along a row of a law, for judging zeros at the beginning of a motion; else 0.
double EventFunctions::acceleration_size(int law, int row) const {
  if (!start_.fresh) return 0.0;
  const MotionSeries::Row& series = flow_->series().laws()[static_cast<size_t>(law)][static_cast<size_t>(row)];
  return flow_->acceleration_size() * flow_->kinetic_length(law, row) + std::abs(series.drift[0]);
}

void EventFunctions::look_at_gap(int law) {
  const auto i = static_cast<size_t>(law);
  if (system_.laws()[i].kind == ForceLaw::Kind::kOneWay) {
    look({EventFunction::Kind::kGap, law}, flow_->series().laws()[i][0].gamma, 1, acceleration_size(law, 0), 0,
         start_.fresh);
    return;
  }
  const double* gap = flow_->series().gap(law);
  function_.assign(gap, gap + flow_->expanded() + 1);
  function_[0] -= (*start_.gap_offsets)[law];
  // One that has just opened begins with a velocity, or with neither gap nor velocity, whatever round-off says.
  const bool departs = (*start_.departing)[i], rests = start_.fresh && (*start_.touching)[i] && !departs;
  look({EventFunction::Kind::kGap, law}, function_.data(), 2, acceleration_size(law, 0), departs ? 1 : rests ? 2 : 0, rests);
}

void EventFunctions::look_at_slip(int law) {
  const auto i = static_cast<size_t>(law);
  const ContactMode mode = flow_->modes()[i];
  const bool starts = start_.fresh && (*start_.starting)[i];  // else its slip is not zero, however small it is
  const int at_least = starts ? 1 : 0;
  if (mode != ContactMode::kSlide) {
    const int row = system_.laws()[i].kind == ForceLaw::Kind::kDryFriction ? 0 : 1;
    look({EventFunction::Kind::kSlip, law, -1, mode == ContactMode::kSlideForward ? 1.0 : -1.0},
         flow_->series().laws()[i][static_cast<size_t>(row)].gamma, 1, acceleration_size(law, row), at_least, starts);
    return;
  }
  const ModeFlow::Turning turning = flow_->turning(law);
  if (turning == ModeFlow::Turning::kSlow) {
    const int first = system_.laws()[i].first_slip();
    look({EventFunction::Kind::kSlip, law}, flow_->sliding_speed(law), 1,
         friction_along(system_.laws()[i], first) * acceleration_size(law, first), at_least, starts);
  } else if (turning == ModeFlow::Turning::kByVelocity && stops(flow_->sliding_speed(law), instant_)) {
    found_.push_back({{EventFunction::Kind::kSlip, law}, 0.0, 1, -1});
  } else if (turning == ModeFlow::Turning::kByVelocity) {  // it has a speed, else it would have no direction
    look({EventFunction::Kind::kSlip, law}, flow_->sliding_speed(law), 1, 0.0, 0, false);
  }
}

/// The reserve of a dry friction that holds, on both sides of its limit.
void EventFunctions::look_at_held_friction(int law) {
  if (!flow_->carries(law)) return;
  function_.resize(static_cast<size_t>(flow_->expanded()) + 1);
  for (const double side : {1.0, -1.0}) {
    const double limit = system_.laws()[static_cast<size_t>(law)].limit_of_force(side);
    for (int k = 0; k <= flow_->expanded(); ++k)
      function_[static_cast<size_t>(k)] = (k == 0 ? limit : 0.0) - side * flow_->law_force(law, 0)[k];
    look({EventFunction::Kind::kReserve, law}, function_.data(), 0, limit, 0, start_.fresh);
  }
}

/// The reserve of a contact or a dry friction that sticks in a plane, and the normal force of a contact.
void EventFunctions::look_at_cone(int law) {
  const bool dry = system_.laws()[static_cast<size_t>(law)].kind == ForceLaw::Kind::kDryFriction;
  flow_->find_cone_reserve(law, function_);
  if (dry) {
    look({EventFunction::Kind::kReserve, law}, function_.data(), 0, 1.0, 0, start_.fresh);
    return;
  }
  const double length = start_.fresh ? flow_->kinetic_length(law, 0) : 1.0;
  const double force = length > 0.0 ? acceleration_size(law, 0) / (length * length) : 0.0;
  look({EventFunction::Kind::kReserve, law}, function_.data(), 0, force * force, 0, start_.fresh);
  look({EventFunction::Kind::kForce, law}, flow_->law_force(law, 0), 0, force, 0, start_.fresh);
}

void EventFunctions::look_at_column(int number) {
  const ForceColumn& column = flow_->columns()[static_cast<size_t>(number)];
  if (!column.basic || (column.kind != ForceColumn::Kind::kNormal && column.kind != ForceColumn::Kind::kEdge)) return;
  double scale = 0.0;
  const double length = start_.fresh ? flow_->kinetic_length(column.law, 0) : 0.0;
  if (length > 0.0)
    scale = flow_->acceleration_size() / length +
            std::abs(flow_->series().laws()[static_cast<size_t>(column.law)][0].drift[0]) / (length * length);
  look({EventFunction::Kind::kForce, column.law, number}, flow_->force(number), 0, scale, 0, start_.fresh);
}

void EventFunctions::look_at_switch(int number) {
  const MotionSeries::Switch& branch = flow_->series().switches()[static_cast<size_t>(number)];
  if (branch.forced == kStaysZero) return;
  const int side = (*start_.switched)[static_cast<size_t>(number)];
  int turn = 0;  // where the argument goes from zero
  for (int k = 1; side != 0 && turn == 0 && k <= flow_->expanded(); ++k)
    turn = (branch.argument[k] > 0.0) - (branch.argument[k] < 0.0);
  if (side != 0 && turn == -side) {
    found_.push_back({{EventFunction::Kind::kSwitch, number}, 0.0, side, -side});
    return;
  }
  look({EventFunction::Kind::kSwitch, number}, branch.argument, 0, 0.0, side != 0 ? 1 : 0, false);
}

const std::vector<FoundEvent>& EventFunctions::find(ModeFlow& flow, const Start& start, double end) {
  flow_ = &flow;
  start_ = start;
  end_ = end;
  time_scale_ = flow.time_scale();
  instant_ = flow.instant();
  found_.clear();
  for (int law = 0; law < static_cast<int>(system_.laws().size()); ++law) {
    const ForceLaw& what = system_.laws()[static_cast<size_t>(law)];
    const ContactMode mode = flow.modes()[static_cast<size_t>(law)];
    // A dry friction that is open is one without limits: nothing about it ends.
    if (mode == ContactMode::kOpen && what.kind != ForceLaw::Kind::kDryFriction) look_at_gap(law);
    if (slides(mode)) look_at_slip(law);
    if (mode != ContactMode::kStick) continue;
    if (what.is_line_friction()) {
      look_at_held_friction(law);
    } else if (rubs_in_plane(what) && !flow.shares_in_space()) {
      look_at_cone(law);
    }
  }
  for (int c = 0; c < static_cast<int>(flow.columns().size()); ++c) look_at_column(c);
  for (int s = 0; s < static_cast<int>(flow.series().switches().size()); ++s) look_at_switch(s);
  double first = end;
  for (const FoundEvent& event : found_) first = std::min(first, event.t);
  std::erase_if(found_, [&](const FoundEvent& event) { return event.t > first + instant_; });
  return found_;
}

}  // namespace tippe
