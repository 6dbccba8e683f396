// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/linear_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tippe/core/rank_decision.h"
#include "tippe/hybrid/impact.h"
#include "tippe/hybrid/series.h"
#include "tippe/hybrid/state_vector.h"
#include "tippe/hybrid/step_length.h"

namespace tippe {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

constexpr double kStep =
    4e-6;  // of differences of polynomials, relative to the sizes: their error is its square, and round-off over it
constexpr double kImpactStep = 3e-5;  // of impacts, which are linear in velocities
constexpr double kLeastStep = 1e-12;  // of impacts: what is slower is round-off
constexpr double kRound = 1e-9;       // of velocities: less is the error of an impact
constexpr double kTogether = 3e-5;    // a parameter and the state vary together as long as the state does not vary more
constexpr double kBend = 1e-2;        // of differences to both sides: more is a kink
constexpr double kGrazes =
    1e-7;  // of the rate at which an event function passes through zero, relative to its size over the piece
constexpr double kKink = 1e-5;   // of the motion of a piece: more by another acceleration is no smooth motion
constexpr double kHeld = 1e-6;   // of a column: what rows that hold at the start may change by
constexpr double kApart = 1e-6;  // by which the causes of one event may move apart, relative to how they move

State moved(const State& state, const VectorXd& dz, double dt) {
  return {.t = state.t + dt, .q = state.q + dz.head(state.q.size()), .u = state.u + dz.tail(state.u.size())};
}

/// d(q, u)/dt, t after the start of the polynomials.
VectorXd rate_of(const ModeFlow& flow, double t) {
  VectorXd rate = VectorXd::Zero(flow.q().rows() + flow.u().rows());
  for (int k = flow.expanded(); k >= 1; --k) rate = rate * t + k * stacked(flow.q().col(k), flow.u().col(k));
  return rate;
}

/// What passes through zero at an event, as a polynomial of an expansion in the same modes; `at` and `t`: the motion itself and when it has the event.
std::vector<double> event_polynomial(ModeFlow& flow, const EventFunction& function, const ModeFlow& at, double t) {
  const int order = flow.expanded();
  const auto i = static_cast<size_t>(function.law);
  const auto copy = [&](const double* c) { return std::vector<double>(c, c + order + 1); };
  if (function.kind == EventFunction::Kind::kSwitch) return copy(flow.series().switches()[i].argument);
  const ForceLaw& law = flow.system().laws()[i];
  std::vector<double> polynomial;
  switch (function.kind) {
    case EventFunction::Kind::kGap:
      return copy(law.kind == ForceLaw::Kind::kOneWay ? flow.series().laws()[i][0].gamma : flow.series().gap(function.law));
    case EventFunction::Kind::kForce:
      return copy(function.column >= 0 ? flow.force(function.column) : flow.law_force(function.law, 0));
    case EventFunction::Kind::kReserve: {
      if (!law.is_line_friction()) {
        flow.find_cone_reserve(function.law, polynomial);
        return polynomial;
      }
      const double side = evaluate_series(at.law_force(function.law, 0), at.expanded(), t) > 0.0 ? 1.0 : -1.0;
      polynomial = copy(flow.law_force(function.law, 0));
      for (double& c : polynomial) c *= -side;
      polynomial[0] += law.limit_of_force(side);
      return polynomial;
    }
    case EventFunction::Kind::kSlip: {
      if (flow.modes()[i] != ContactMode::kSlide)
        return copy(flow.series().laws()[i][static_cast<size_t>(law.first_slip())].gamma);
      if (flow.turning(function.law) == ModeFlow::Turning::kSlow) return copy(flow.sliding_speed(function.law));
      // The speed along the direction with which it comes to rest: where that is round-off, others are not.
      polynomial.assign(static_cast<size_t>(order) + 1, 0.0);
      for (int row = law.first_slip(); row < law.rows; ++row) {
        const int d = row - law.first_slip();
        const double along = evaluate_series(at.sliding_unit(function.law, d), at.expanded(), t) * friction_along(law, row);
        for (int k = 0; k <= order; ++k)
          polynomial[static_cast<size_t>(k)] += along * flow.series().laws()[i][static_cast<size_t>(row)].gamma[k];
      }
      return polynomial;
    }
    case EventFunction::Kind::kSwitch:
      break;
  }
  return polynomial;
}

/// Gaps and velocities of the rows of laws that hold in a flow, times the weight.
void add_held_rows(const ModeFlow& flow, double weight, std::vector<double>& held) {
  size_t next = 0;
  const auto add = [&](double value) {
    if (next == held.size()) held.push_back(0.0);
    held[next++] += weight * value;
  };
  for (size_t i = 0; i < flow.modes().size(); ++i) {
    if (flow.modes()[i] == ContactMode::kOpen) continue;
    const ForceLaw& law = flow.system().laws()[i];
    const bool normal = law.first_slip() > 0 || law.kind == ForceLaw::Kind::kOneWay;
    if (law.kind == ForceLaw::Kind::kContact) add(flow.series().gap(static_cast<int>(i))[0]);
    if (normal) add(flow.series().laws()[i][0].gamma[0]);
    for (int row = law.first_slip(); row < law.rows && flow.modes()[i] == ContactMode::kStick; ++row)
      add(flow.series().laws()[i][static_cast<size_t>(row)].gamma[0]);
  }
}

double rate_of(const std::vector<double>& polynomial, double t) {
  double rate = 0.0;
  for (size_t k = polynomial.size() - 1; k >= 1; --k) rate = rate * t + static_cast<double>(k) * polynomial[k];
  return rate;
}

double size_of(const std::vector<double>& polynomial, double t) {
  double size = 0.0, power = 1.0;
  for (const double c : polynomial) {
    size = std::max(size, std::abs(c) * power);
    power *= t;
  }
  return size;
}

}  // namespace

/// The polynomials of one system about a state in given modes.
struct LinearMotion::Expansion {
  const System& system;
  ModeFlow flow;

  Expansion(const System& of, int order) : system(of), flow(of, order) {}

  bool expand(const State& state, const CurrentModes& modes, std::span<const int> branches, const MotionScales& scales) {
    flow.set_scales(&scales);
    if (!flow.has_modes(modes.modes, modes.directions)) flow.set_modes(modes.modes, modes.directions);
    flow.set_shares(modes.shares);
    flow.set_branches(branches);
    return flow.expand(state, flow.order()) == ModeFlow::Status::kOk;
  }
};

LinearMotion::LinearMotion(const System& system, EventDriven& integrator, double tolerance,
                           std::vector<Variation> variations)
    : system_(system),
      integrator_(integrator),
      order_(taylor_order(tolerance)),
      variations_(std::move(variations)),
      tangent_(MatrixXd::Zero(system.nq() + system.nu(), static_cast<Index>(variations_.size()))),
      time_shift_(RowVectorXd::Zero(tangent_.cols())),
      sizes_(VectorXd::Ones(tangent_.rows())) {
  expansions_.push_back(std::make_unique<Expansion>(system, order_));
  for (const Variation& variation : variations_) {
    for (const System* side : {variation.below, variation.above})
      expansions_.push_back(side == nullptr ? nullptr : std::make_unique<Expansion>(*side, order_));
  }
  integrator_.set_observer(this);
}

LinearMotion::~LinearMotion() {
  integrator_.set_observer(nullptr);
}

void LinearMotion::set_tangent(const MatrixXd& tangent, const RowVectorXd& time_shift) {
  tangent_ = tangent;
  time_shift_ = time_shift;
  shift_of_last_.resize(0);
  shift_before_.resize(0);
  variations_.resize(static_cast<size_t>(tangent.cols()));
  expansions_.resize(1 + 2 * variations_.size());
}

void LinearMotion::note_trouble(const std::string& trouble) {
  if (trouble_.empty()) trouble_ = trouble;
}

void LinearMotion::take_sizes(const State& state, const MotionScales& scales) {
  for (Index i = 0; i < state.q.size(); ++i) sizes_[i] = scales.coordinate(i);
  for (Index j = 0; j < state.u.size(); ++j) sizes_[state.q.size() + j] = scales.velocity(j);
  sizes_ = sizes_.unaryExpr([](double size) { return size > 0.0 && std::isfinite(size) ? size : 1.0; });
}

double LinearMotion::size_of_column(Index column) const {
  return tangent_.col(column).cwiseQuotient(sizes_).cwiseAbs().maxCoeff();
}

MatrixXd LinearMotion::allowed_directions(const State& state, const std::vector<ContactMode>& modes) {
  ModeFlow& flow = expansions_[0]->flow;
  const VectorXd no_offsets = VectorXd::Zero(static_cast<Index>(system_.laws().size()));
  flow.set_modes(modes, std::vector<VectorXd>(modes.size()));
  const auto onto = [&](const VectorXd& dz) {
    State near = moved(state, dz, 0.0);
    system_.normalize(near.q);
    if (flow.expand(near, 0) != ModeFlow::Status::kOk || !flow.project(near, no_offsets, 0.0)) near = state;
    return stacked(near.q, near.u);
  };
  MatrixXd D(sizes_.size(), sizes_.size());
  for (Index j = 0; j < D.cols(); ++j) {
    const VectorXd step = VectorXd::Unit(D.cols(), j) * (kImpactStep * sizes_[j]);
    D.col(j) = (onto(step) - onto(-step)).cwiseQuotient(sizes_) / (2.0 * kImpactStep);
  }
  return sizes_.asDiagonal() * decide_rank(D, 1e-6).range;
}

/// The motion goes on from an event: each column is brought to the time of the motion by the rates with which it goes on.
void LinearMotion::leave_event(const ModeFlow& flow) {
  tangent_ -= stacked(flow.q().col(1), flow.u().col(1)) * time_shift_;
  time_shift_.setZero();
}

/// The times of the events at the end of a piece, and each column at its own.
void LinearMotion::move_events(const SmoothMotion::Piece& piece, ModeFlow& flow, const std::vector<RowVectorXd>& values) {
  RowVectorXd shift;
  for (size_t i = 0; i < piece.reached.size(); ++i) {
    const std::vector<double> polynomial = event_polynomial(flow, piece.reached[i].function, flow, piece.duration);
    const double rate = rate_of(polynomial, piece.duration), size = size_of(polynomial, piece.duration);
    if (!(std::abs(rate) * piece.duration > kGrazes * size)) {
      note_trouble(fmt::format(
          "at t = {:.9g} something passes through zero without a rate, as where a contact grazes: the motion has no "
          "derivative there",
          piece.end.t));
      return;
    }
    const RowVectorXd own = -values[i] / rate;
    if (i == 0) shift = own;
    const double apart = (own - shift).cwiseAbs().maxCoeff();
    if (apart > kApart * (own.cwiseAbs().maxCoeff() + shift.cwiseAbs().maxCoeff()))
      note_trouble(fmt::format(
          "at t = {:.9g} two events coincide that nearby motions have at different times: the motion has no derivative "
          "there",
          piece.end.t));
  }
  shift_before_ = std::exchange(shift_of_last_, shift);
  tangent_ += rate_at_end_ * shift;
  time_shift_ = shift;
}

void LinearMotion::see_piece(const SmoothMotion::Piece& piece, ModeFlow& flow, const CurrentModes& modes,
                             std::span<const int> branches, const MotionScales& scales, bool lapses) {
  if (!trouble_.empty()) return;
  take_sizes(piece.begin, scales);
  leave_event(flow);
  if (departure_) departure_(piece.begin.t);
  polynomials_.clear();
  if (tangent_.cols() == 0) return;  // all directions are destroyed
  const VectorXd rate = stacked(flow.q().col(1), flow.u().col(1));
  if (!may_jump_ && (rate - rate_at_end_).cwiseQuotient(sizes_).cwiseAbs().maxCoeff() * piece.duration > kKink)
    note_trouble(fmt::format("at t = {:.9g} the contact modes change where no event tells it: the derivative is not known",
                             piece.begin.t));
  if (std::exchange(project_, false)) {
    const MatrixXd onto = allowed_directions(piece.begin, modes.modes);
    tangent_ =
        onto * (sizes_.cwiseInverse().asDiagonal() * onto).transpose() * (sizes_.cwiseInverse().asDiagonal() * tangent_);
  }
  for (int law = 0; law < static_cast<int>(modes.modes.size()); ++law) {
    if (modes.modes[static_cast<size_t>(law)] == ContactMode::kSlide && flow.turning(law) == ModeFlow::Turning::kFixed)
      note_trouble(fmt::format("at t = {:.9g} '{}' begins to slide in space: the derivative of its direction is not known",
                               piece.begin.t, system_.laws()[static_cast<size_t>(law)].name));
  }
  std::vector<RowVectorXd> values(piece.reached.size(), RowVectorXd::Zero(tangent_.cols()));
  const Index nq = piece.begin.q.size();
  for (Index j = 0; j < tangent_.cols(); ++j) {
    MatrixXd sum = MatrixXd::Zero(tangent_.rows(), flow.expanded() + 1);
    std::vector<double> held;
    // The polynomials of a side with the sign of the difference, over the step.
    const auto add = [&](Expansion& expansion, const VectorXd& dz, double weight) {
      if (!expansion.expand(moved(piece.begin, dz, 0.0), modes, branches, scales)) {
        note_trouble(fmt::format("at t = {:.9g} a nearby motion cannot go on: {}", piece.begin.t, expansion.flow.culprit()));
        return;
      }
      sum.topRows(nq) += weight * expansion.flow.q().leftCols(sum.cols());
      sum.bottomRows(sum.rows() - nq) += weight * expansion.flow.u().leftCols(sum.cols());
      if (begins_) add_held_rows(expansion.flow, weight, held);
      for (size_t i = 0; i < values.size(); ++i) {
        const std::vector<double> polynomial =
            event_polynomial(expansion.flow, piece.reached[i].function, flow, piece.duration);
        values[i][j] += weight * evaluate_series(polynomial.data(), static_cast<int>(polynomial.size()) - 1, piece.duration);
      }
    };
    const Variation& variation = variations_[static_cast<size_t>(j)];
    const double size = size_of_column(j);
    const bool by_parameter = variation.above != nullptr, together = by_parameter && variation.step * size <= kTogether;
    if (by_parameter) {
      const VectorXd dz = together ? VectorXd(tangent_.col(j) * variation.step) : VectorXd::Zero(tangent_.rows());
      const double weight = 0.5 / variation.step;
      add(*expansions_[2 * static_cast<size_t>(j) + 1], -dz, -weight);
      add(*expansions_[2 * static_cast<size_t>(j) + 2], dz, weight);
    }
    if (!together && size > 0.0) {
      const double step = kStep / size;
      add(*expansions_[0], tangent_.col(j) * -step, -0.5 / step);
      add(*expansions_[0], tangent_.col(j) * step, 0.5 / step);
    }
    polynomials_.push_back(std::move(sum));
    for (const double row : held) {
      if (std::abs(row) > kHeld * tangent_.col(j).cwiseAbs().maxCoeff())
        note_trouble(fmt::format(
            "at the start, t = {:.9g}, contacts are closed or stick that do not in nearby motions: the motion has "
            "no derivative there",
            piece.begin.t));
    }
  }
  begins_ = false;
  tangent_ = tangent_within(piece.duration);
  rate_at_end_ = rate_of(flow, piece.duration);
  may_jump_ = !piece.reached.empty();
  if (lapses) may_jump_ = false;
  if (!piece.reached.empty()) move_events(piece, flow, values);
}

MatrixXd LinearMotion::tangent_within(double t) const {
  if (polynomials_.empty()) return tangent_;
  MatrixXd tangent(tangent_.rows(), static_cast<Index>(polynomials_.size()));
  VectorXd value;
  for (size_t j = 0; j < polynomials_.size(); ++j) {
    evaluate_columns(polynomials_[j], static_cast<int>(polynomials_[j].cols()) - 1, t, value);
    tangent.col(static_cast<Index>(j)) = value;
  }
  return tangent;
}

void LinearMotion::see_impact(const State& before, const std::vector<bool>& touching, const State& after) {
  may_jump_ = true;
  polynomials_.clear();
  interval_before_ = interval_;
  interval_ = before.t - last_impact_;
  last_impact_ = before.t;
  if (!trouble_.empty() || tangent_.cols() == 0) return;
  const auto hit = [&](const System& system, const VectorXd& dz, double dt) {
    const ImpactOutcome outcome = resolve_impact(system, moved(before, dz, dt), touching);
    return outcome.status == ImpactOutcome::Status::kDone ? outcome.u : after.u;
  };
  const Index nq = before.q.size();
  MatrixXd next = tangent_;
  for (Index j = 0; j < tangent_.cols(); ++j) {
    VectorXd change = VectorXd::Zero(before.u.size());
    // False where the outcomes to both sides bend.
    const auto add = [&](const System& below, const System& above, double step, bool with_state) {
      const VectorXd dz = with_state ? VectorXd(tangent_.col(j) * step) : VectorXd::Zero(tangent_.rows());
      const double dt = with_state ? time_shift_[j] * step : 0.0;
      const VectorXd low = hit(below, -dz, -dt), high = hit(above, dz, dt);
      const double bend = (high - 2.0 * after.u + low).norm(), slope = (high - low).norm();
      if (bend > kBend * slope + kRound * after.u.norm()) return false;
      change += (high - low) / (2.0 * step);
      return true;
    };
    const Variation& variation = variations_[static_cast<size_t>(j)];
    // Where next to nothing moves but the time, as where a support turns round, the step is bounded by what moves in that time: its error is the square of the way.
    constexpr double kWay = 0.03;
    const double by_time = (rate_at_end_ * time_shift_[j]).cwiseQuotient(sizes_).cwiseAbs().maxCoeff();
    const double size = std::max(size_of_column(j), kWay * by_time);
    bool smooth = variation.above == nullptr || add(*variation.below, *variation.above, variation.step, false);
    if (size > 0.0) {
      bool by_state = false;  // slow impacts, as before their accumulation, have their modes near by only
      for (double step = kImpactStep; step > kLeastStep && !by_state; step *= 1e-3)
        by_state = add(system_, system_, step / size, true);
      smooth = smooth && by_state;
    }
    if (!smooth)
      note_trouble(
          fmt::format("the impact at t = {:.9g} is at the border between two of its modes: it has no derivative", before.t));
    next.col(j).tail(before.u.size()) = change;
  }
  next.topRows(nq) = tangent_.topRows(nq);
  tangent_ = next;
}

/// The times between the impacts shrink like a geometric series: the sum of what is left moves as its first term does. All that the contacts still did is
/// smaller than what is left.
void LinearMotion::see_accumulation(double) {
  may_jump_ = true;
  polynomials_.clear();
  project_ = true;
  const double ratio = interval_before_ > 0.0 ? interval_ / interval_before_ : 0.0;
  if (shift_before_.size() == time_shift_.size() && ratio < 1.0)
    time_shift_ += (time_shift_ - shift_before_) * (ratio / (1.0 - ratio));
}

void LinearMotion::see_other_jump(double t) {
  note_trouble(fmt::format("at t = {:.9g} velocities jump without a collision: the derivative of that is not known", t));
}

}  // namespace tippe
