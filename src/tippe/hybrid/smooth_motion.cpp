// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/smooth_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tippe/hybrid/mode_selection.h"
#include "tippe/hybrid/series.h"
#include "tippe/hybrid/step_length.h"
#include "tippe/hybrid/tolerances.h"
#include "tippe/integrate/law_check.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

StepReport::Status status_of(ModeFlow::Status status) {
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
    case ModeFlow::Status::kNoDirection:
      break;
  }
  return StepReport::Status::kNotSolved;
}

/// Up to `duration`, a time that the clock shows: forces that depend on t and supports that move then act at the time to which the motion has come. What no clock shows stays as it is.
double shown_by_clock(double t, double duration) {
  double end = t + duration;
  if (end - t > duration) end = std::nextafter(end, t);
  return end > t ? end - t : duration;
}

}  // namespace

SmoothMotion::SmoothMotion(const System& system, const MotionScales& scales, MotionProbe& probe, double tolerance)
    : system_(system),
      scales_(scales),
      probe_(probe),
      tolerance_(tolerance),
      flow_(system, taylor_order(tolerance)),
      functions_(system),
      check_(system, scales),
      branches_(flow_.series().switches().size(), 0),
      turn_rates_(system.laws().size()) {
  flow_.set_scales(&scales);
  flow_.set_modes(std::vector<ContactMode>(system.laws().size(), ContactMode::kOpen), {});
}

bool SmoothMotion::expand(const State& state, const CurrentModes& modes, StepReport& report) {
  if (!flow_.has_modes(modes.modes, modes.directions)) flow_.set_modes(modes.modes, modes.directions);
  flow_.set_shares(modes.shares);
  flow_.set_branches(modes.sides);
  ModeFlow::Status status = flow_.expand(state, flow_.order());
  if (status == ModeFlow::Status::kOk && find_branches(state, modes.sides)) {
    flow_.set_branches(branches_);
    status = flow_.expand(state, flow_.order());
  }
  flow_.set_branches(branches_);
  if (status == ModeFlow::Status::kOk) return true;
  report.status = status_of(status);
  report.culprit = flow_.culprit();
  if (status == ModeFlow::Status::kSingular)
    report.culprit = "the forces of the contact mode are not determined (Painleve's singularity)";
  return false;
}

/// On which side each switch is, after an expansion. True if one of them stays at zero, which the expansion did not know.
bool SmoothMotion::find_branches(const State& state, const std::vector<int>& sides) {
  if (sides.empty()) return false;
  const VectorXd sizes = probe_.switch_sizes(state, sides);
  const double time = flow_.time_scale();
  bool any_stays = false;
  for (size_t s = 0; s < sides.size(); ++s) {
    const double* argument = flow_.series().switches()[s].argument;
    bool stays = true;
    double power = 1.0;
    for (int k = 0; k <= std::min(flow_.expanded(), kMostTrendingOrder); ++k, power *= time)
      stays = stays && std::abs(argument[k]) * power <= kNoArgument * sizes[static_cast<Index>(s)];
    any_stays = any_stays || stays;
    branches_[s] = stays ? kStaysZero : sides[s];
    for (int k = 0; k <= flow_.order() && branches_[s] == 0; ++k) branches_[s] = (argument[k] > 0.0) - (argument[k] < 0.0);
  }
  return any_stays;
}

/// Whether a slow contact has no velocity across its direction, up to the error of a piece.
bool SmoothMotion::goes_along_direction(int law) const {
  constexpr double kAligned = 1e-3;  // rad
  if (!flow_.is_slow(law)) return false;
  double terms = 0.0;
  const int first = system_.laws()[static_cast<size_t>(law)].first_slip();
  for (int d = first; d < first + friction_rows(system_.laws()[static_cast<size_t>(law)]); ++d) {
    const MotionSeries::Row& row = flow_.series().laws()[static_cast<size_t>(law)][static_cast<size_t>(d)];
    const double mu = friction_along(system_.laws()[static_cast<size_t>(law)], d);
    for (size_t j = 0; j < row.velocity.size(); ++j)
      terms += mu * std::abs(row.value[j][0]) * scales_.velocity(row.velocity[j]);
  }
  const double across = flow_.cross_velocity(law);
  return across <= truncation(tolerance_) * terms && across <= kAligned * flow_.sliding_speed(law)[0];
}

bool SmoothMotion::choose_slow(const State& state, CurrentModes& modes, StepReport& report) {
  constexpr double kSlow = 5.0, kFast = 3.0;  // times in which friction turns the velocity, within a step
  if (std::find(modes.modes.begin(), modes.modes.end(), ContactMode::kSlide) == modes.modes.end()) return true;
  const double step = longest_step(system_, flow_, scales_, tolerance_);
  std::vector<int> enter;
  bool leave = false;
  for (int i = 0; i < static_cast<int>(modes.modes.size()); ++i) {
    VectorXd& direction = modes.directions[static_cast<size_t>(i)];
    if (modes.modes[static_cast<size_t>(i)] != ContactMode::kSlide) continue;
    if (flow_.turning(i) == ModeFlow::Turning::kByVelocity) direction.resize(0);
    const double time = flow_.turning_time(i);
    if (flow_.is_slow(i) && time > 0.0 && step < kFast * time) {
      direction.resize(0);
      leave = true;
    } else if (direction.size() == 0 && step > kSlow * time) {
      enter.push_back(i);
    }
  }
  if (leave) return expand(state, modes, report);
  if (enter.empty()) return true;
  for (const int law : enter) modes.directions[static_cast<size_t>(law)] = flow_.sliding_direction(law, 0.0);
  StepReport tried;
  constexpr double kGain = 2.0, kGainInDraft = 0.75 * kGain;
  flow_.set_draft(true);
  const bool worth = expand(state, modes, tried) && longest_step(system_, flow_, scales_, tolerance_) > kGainInDraft * step;
  flow_.set_draft(false);
  if (worth && expand(state, modes, tried) && longest_step(system_, flow_, scales_, tolerance_) > kGain * step &&
      std::all_of(enter.begin(), enter.end(), [&](int law) { return goes_along_direction(law); }))
    return true;
  for (const int law : enter) modes.directions[static_cast<size_t>(law)].resize(0);
  return expand(state, modes, report);
}

SmoothMotion::Piece SmoothMotion::find_piece(const State& begin, double dt, const CurrentModes& modes, bool after_transition,
                                             StepReport& report) {
  const double longest = std::min(dt, longest_step(system_, flow_, scales_, tolerance_));
  const EventFunctions::Start start{after_transition, &modes.touching,   &modes.departing,
                                    &modes.starting,  &modes.gap_offset, &modes.sides};
  Piece piece{begin, begin, 0.0, {}};
  const std::vector<FoundEvent>& found = functions_.find(flow_, start, longest);
  double duration = found.empty() ? shown_by_clock(begin.t, longest) : found.front().t;
  for (const FoundEvent& event : found) duration = std::min(duration, event.t);
  const double least = 16.0 * std::numeric_limits<double>::epsilon() * std::min(duration, flow_.motion_time());
  bool ends = end_piece(duration, dt, modes, piece, report);
  if (ends) piece.reached = found;
  while (!ends) {
    ++report.rejected;
    duration = shown_by_clock(begin.t, 0.5 * duration);
    if (!(duration > least)) {
      report.status = StepReport::Status::kNotSolved;
      report.culprit = fmt::format("at t = {:.9g} even a step of {:.3g} s has too large an error", begin.t, duration);
      return piece;
    }
    ends = end_piece(duration, dt, modes, piece, report);
  }
  return piece;
}

bool SmoothMotion::end_piece(double duration, double dt, const CurrentModes& modes, Piece& piece, StepReport& report) {
  piece.reached.clear();
  piece.duration = duration;
  State& end = piece.end;
  end = piece.begin;
  end.t = duration == dt ? piece.begin.t + dt : piece.begin.t + duration;
  flow_.evaluate(duration, end);
  if (!end.q.allFinite() || !end.u.allFinite()) return false;
  const State reached = end;
  if (!flow_.project(end, modes.gap_offset, duration)) return false;
  // The acceleration at the end, by the equations and by the polynomial.
  const std::vector<VectorXd> directions = modes.directions_at(flow_, duration);
  for (int i = 0; i < static_cast<int>(turn_rates_.size()); ++i)
    turn_rates_[static_cast<size_t>(i)] = flow_.is_slow(i) ? flow_.turn_rate(i, duration) : ModeFlow::TurnRate{};
  const ModeFlow* at_end = probe_.accelerate(end, {modes.modes, directions, modes.shares, branches_, turn_rates_});
  if (at_end == nullptr) return false;
  const AtEnd found = look_at_end(*at_end, duration);
  const double allowed = std::max(tolerance_, kAcceptedMisfit);
  report.residual = misfit(end, duration, found, found);
  if (report.residual <= allowed || piece.rounded() == 0.0) return report.residual <= allowed;
  // Events happen between the times that the clock shows: so much of the misfit is the clock's.
  State later = reached;
  later.t = std::nextafter(end.t, std::copysign(std::numeric_limits<double>::infinity(), -piece.rounded()));
  if (!flow_.project(later, modes.gap_offset, duration)) return false;
  const ModeFlow* at_later = probe_.accelerate(later, {modes.modes, directions, modes.shares, branches_, turn_rates_});
  if (at_later == nullptr) return false;
  report.residual = misfit(end, duration, found, look_at_end(*at_later, duration));
  return report.residual <= allowed;
}

SmoothMotion::AtEnd SmoothMotion::look_at_end(const ModeFlow& at_end, double duration) const {
  AtEnd look{at_end.acceleration().col(0), at_end.free_acceleration(), at_end.load_misfit(flow_, duration), {}};
  look.powers = {0.0, at_end.damping_loss()[0], at_end.driving_power()[0]};
  for (int law = 0; law < static_cast<int>(flow_.modes().size()); ++law) look.powers[0] += at_end.law_loss(law)[0];
  return look;
}

double SmoothMotion::misfit(const State& end, double duration, const AtEnd& found, const AtEnd& tick) const {
  return std::max({misfit_of_motion(end, duration, found, tick), misfit_of_powers(end, duration, found, tick),
                   misfit_of_cones(duration)});
}

/// Of velocities, by the accelerations and loads of the equations and of the polynomials, and of coordinates by the terms that polynomials leave out.
double SmoothMotion::misfit_of_motion(const State& end, double duration, const AtEnd& found, const AtEnd& tick) const {
  VectorXd a;
  const int last = flow_.expanded();
  evaluate_columns(flow_.acceleration(), last, duration, a);
  const VectorXd load = found.free * duration;  // what the forces cancel when all is at rest
  const double small_load = 1e-3 * scales_.kinetic_size(load);
  double error = 0.0;
  for (Index i = 0; i < a.size(); ++i) {
    const double scale =
        std::max({scales_.velocity(i), load[i], std::abs(a[i] * duration), scales_.velocity_of(small_load, i)});
    // The polynomial of the velocity ends one term before that of the acceleration.
    const double left_out = std::abs(flow_.acceleration()(i, last)) * std::pow(duration, last) / (last + 1);
    const double of_motion = std::abs(a[i] - found.acceleration[i]) - std::abs(tick.acceleration[i] - found.acceleration[i]);
    const double of_load = std::abs(found.load_misfit[i]) - std::abs(tick.load_misfit[i] - found.load_misfit[i]);
    const double misfit = std::max({0.0, of_motion, of_load}) + left_out;
    if (scale > 0.0) error = std::max(error, misfit * duration / scale);
  }
  for (Index i = 0; i < end.q.size(); ++i) {
    const double of_velocity = system_.velocities_are_rates() ? scales_.velocity(i) * duration : 0.0;
    const double scale = std::max({scales_.coordinate(i), std::abs(end.q[i]), of_velocity});
    const double left_out =
        std::abs(flow_.series().position_rate(static_cast<int>(i))[last]) * std::pow(duration, last + 1) / (last + 1);
    if (scale > 0.0) error = std::max(error, left_out / scale);
  }
  return error;
}

/// Of the energies that the books are kept of. Powers are products: their polynomials end before those of their factors do.
double SmoothMotion::misfit_of_powers(const State& end, double duration, const AtEnd& found, const AtEnd& tick) const {
  const int last = flow_.expanded();
  std::array<double, 3> powers{0.0, evaluate_series(flow_.damping_loss(), last, duration),
                               evaluate_series(flow_.driving_power(), last, duration)};
  for (int law = 0; law < static_cast<int>(flow_.modes().size()); ++law)
    powers[0] += evaluate_series(flow_.law_loss(law), last, duration);  // those that share a load share what they take
  double misfit = 0.0, size = 0.0;
  for (size_t k = 0; k < powers.size(); ++k) {
    misfit += std::max(0.0, std::abs(powers[k] - found.powers[k]) - std::abs(tick.powers[k] - found.powers[k]));
    size += std::abs(found.powers[k]);
  }
  const double speed = std::max(scales_.speed(), scales_.kinetic_size(end.u));
  const double energy = size * duration + speed * speed;
  return energy > 0.0 ? misfit * duration / energy : 0.0;
}

/// Of squares of friction at rest, of which the same is true.
double SmoothMotion::misfit_of_cones(double duration) const {
  double error = 0.0;
  std::vector<double> reserve;
  for (int law = 0; law < static_cast<int>(flow_.modes().size()); ++law) {
    const ForceLaw& what = system_.laws()[static_cast<size_t>(law)];
    if (flow_.modes()[static_cast<size_t>(law)] != ContactMode::kStick || !rubs_in_plane(what)) continue;
    const bool dry = what.kind == ForceLaw::Kind::kDryFriction;
    const int last = flow_.expanded();
    flow_.find_cone_reserve(law, reserve);
    const double push = dry ? 1.0 : evaluate_series(flow_.law_force(law, 0), last, duration);
    double left = push * push, size = left;
    for (int row = what.first_slip(); row < what.rows; ++row) {
      const double mu = friction_along(what, row);
      if (!(mu > 0.0)) continue;
      const double share = std::pow(evaluate_series(flow_.law_force(law, row), last, duration) / mu, 2);
      left -= share;
      size += share;
    }
    if (size > 0.0) error = std::max(error, std::abs(evaluate_series(reserve.data(), last, duration) - left) / size);
  }
  return error;
}

bool SmoothMotion::lead_shares(const Piece& piece, const CurrentModes& modes, const VectorXd& forces, StepReport& report) {
  const bool can = piece.duration > 0.0 && modes.shares.size() == forces.size() && forces.size() > 0;
  if (!can || !flow_.shares_at_will()) return true;
  flow_.set_share_rates((forces - modes.shares) / piece.duration);
  const ModeFlow::Status status = flow_.expand(piece.begin, flow_.order());
  if (status == ModeFlow::Status::kOk) return true;
  report.status = status_of(status);
  report.culprit = flow_.culprit();
  return false;
}

void SmoothMotion::check_laws(const Piece& piece, const CurrentModes& modes, StepReport& report) {
  if (!(piece.duration > flow_.instant())) return;
  const bool ends_at_switch = std::any_of(piece.reached.begin(), piece.reached.end(), [](const FoundEvent& event) {
    return event.function.kind == EventFunction::Kind::kSwitch;
  });
  const bool can_balance = std::find(branches_.begin(), branches_.end(), kStaysZero) == branches_.end();
  const auto violation = check_.judge(
      {flow_, piece.begin, piece.end, piece.duration, modes.gap_offset, tolerance_, can_balance, ends_at_switch});
  if (!violation) return;
  if (violation->law >= 0) {
    fail_by_law(system_, LawId::fixed(violation->law), violation->what, report.residual, report);
    return;
  }
  report.status = StepReport::Status::kNotSolved;
  report.culprit = fmt::format("{}, though the residual of the step is {:.3g}", violation->what, report.residual);
}

}  // namespace tippe
