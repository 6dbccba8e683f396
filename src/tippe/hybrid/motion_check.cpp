// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/motion_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/hybrid/series.h"
#include "tippe/hybrid/tolerances.h"

namespace tippe {
namespace {

using Eigen::Index;

constexpr double kTimes = 100.0;  // what the scheme claims for each number

/// -force lies in the ellipse, or ellipsoid, with the given semi-axes, and takes all the power from the slip that the ellipse allows:
/// -force . slip = |(limit_1 slip_1, limit_2 slip_2)|.
std::optional<std::string> find_friction_violation(const LawAtInstant& now, int first, int count,
                                                   const std::array<LawAtInstant::Value, 3>& limits) {
  double used = 0.0, slack = 0.0, taken = 0.0, possible = 0.0, error = 0.0;
  for (int k = 0; k < count; ++k) {
    const auto [force, force_error] = now.force[static_cast<size_t>(first + k)];
    const auto [slip, slip_error] = now.velocity[static_cast<size_t>(first + k)];
    const auto [limit, limit_error] = limits[static_cast<size_t>(k)];
    const double uncertain = force_error + limit_error;
    if (limit + uncertain > 0.0) {
      used += std::pow(force / (limit + uncertain), 2);
      slack = std::max(slack, uncertain / (limit + uncertain));
    } else if (force != 0.0) {
      used = std::numeric_limits<double>::infinity();
    }
    taken -= force * slip;
    possible += limit * slip * limit * slip;
    error += uncertain * std::abs(slip) + (limit + std::abs(force)) * slip_error;
  }
  if (std::sqrt(used) > 1.0 + slack) return fmt::format("its friction is {:.6g} of its limit", std::sqrt(used));
  possible = std::sqrt(possible);
  if (taken < (1.0 - now.turn) * possible - error)
    return fmt::format("it slips, and its friction takes {:.3g} W of {:.3g} W", taken, possible);
  return {};
}

/// What sticks does not slip.
std::optional<std::string> find_creep(const ForceLaw& law, const LawAtInstant& now) {
  for (int row = law.first_slip(); row < law.rows && now.mode == ContactMode::kStick; ++row) {
    const auto [slip, error] = now.velocity[static_cast<size_t>(row)];
    if (friction_along(law, row) > 0.0 && std::abs(slip) > error)
      return fmt::format("it sticks, and slips with a velocity of {:.3g}", slip);
  }
  return {};
}

/// A dry friction in a plane.
std::optional<std::string> find_plane_violation(const ForceLaw& law, const LawAtInstant& now) {
  if (now.mode == ContactMode::kOpen) return {};
  if (std::optional<std::string> creep = find_creep(law, now)) return creep;
  if (!now.force_is_known) return {};
  std::array<LawAtInstant::Value, 3> limits{};
  for (int row = 0; row < law.rows; ++row)
    limits[static_cast<size_t>(row)] = {friction_along(law, row), now.force[static_cast<size_t>(row)].error};
  return find_friction_violation(now, 0, law.rows, limits);
}

/// A dry friction against one velocity.
std::optional<std::string> find_line_violation(const ForceLaw& law, const LawAtInstant& now) {
  const auto [slip, slip_error] = now.velocity[0];
  const auto [push, push_error] = now.force[0];
  if (now.mode == ContactMode::kOpen) return {};
  if (now.mode == ContactMode::kStick && std::abs(slip) > slip_error)
    return fmt::format("it sticks, and slips with a velocity of {:.3g}", slip);
  // What bounds the force, and what takes most power from the slip, may be the limits of two sides.
  const double share = now.mode == ContactMode::kStick ? 1.0 : law.sliding_share();
  const double limit = share * law.limit_against(slip), bound = share * law.limit_of_force(push);
  if (std::abs(push) > bound + 2.0 * push_error)
    return fmt::format("its friction is {:.6g}, and its limit {:.6g}", std::abs(push), bound);
  const double taken = -push * slip, possible = limit * std::abs(slip);
  const double error = push_error * std::abs(slip) + (limit + std::abs(push)) * slip_error;
  if (taken >= (1.0 - now.turn) * possible - error) return {};
  return fmt::format("it slips, and its friction takes {:.3g} W of {:.3g} W", taken, possible);
}

}  // namespace

std::optional<std::string> find_violation(const ForceLaw& law, const LawAtInstant& now) {
  if (law.kind == ForceLaw::Kind::kDryFriction)
    return law.rows > 1 ? find_plane_violation(law, now) : find_line_violation(law, now);
  const auto [normal, normal_error] = now.velocity[0];
  const auto [push, push_error] = now.force[0];
  const bool has_gap = law.kind == ForceLaw::Kind::kContact;
  if (has_gap && now.gap.value < -now.gap.error) return fmt::format("it is penetrated by {:.3g}", -now.gap.value);
  if (now.mode == ContactMode::kOpen) {
    if (!has_gap && normal < -normal_error) return fmt::format("it runs backwards with a velocity of {:.3g}", -normal);
    if (std::abs(push) > push_error) return fmt::format("it is open, and its force is {:.3g}", push);
    return {};
  }
  if (has_gap && now.gap.value > now.gap.error) return fmt::format("it is closed, and its gap is {:.3g}", now.gap.value);
  if (std::abs(normal) > normal_error) return fmt::format("it is closed, and opens with a velocity of {:.3g}", normal);
  if (std::optional<std::string> creep = find_creep(law, now)) return creep;
  if (!now.force_is_known) return {};
  if (push < -push_error) return fmt::format("it pulls with a force of {:.3g}", -push);
  if (friction_rows(law) == 0 || std::isinf(push_error)) return {};
  const double share = now.mode == ContactMode::kStick ? 1.0 : law.sliding_share();
  const double pushes = share * std::max(push, 0.0);
  std::array<LawAtInstant::Value, 3> limits{};
  for (int row = 1; row < law.rows; ++row) {
    const double mu = friction_along(law, row);
    limits[static_cast<size_t>(row) - 1] = {mu * pushes, mu * push_error};
  }
  return find_friction_violation(now, 1, friction_rows(law), limits);
}

MotionCheck::MotionCheck(const System& system, const MotionScales& scales)
    : system_(system), scales_(scales), evaluator_(system.make_evaluator()) {}

std::optional<MotionCheck::Violation> MotionCheck::judge(const Piece& piece) {
  constexpr double kZero = 1e-9;  // what counts as zero where modes are chosen
  constexpr double kClock = std::numeric_limits<double>::epsilon();
  constexpr double kJustAfter = 0.01, kJustBefore = 0.99;
  if (system_.laws().empty()) return {};
  const double tolerance = kTimes * std::max(piece.tolerance, kZero);
  for (const double share : {kJustAfter, 0.5}) {
    if (std::optional<Violation> violation = judge_inside(piece, share, tolerance, share == 0.5 && piece.can_balance))
      return violation;
  }
  if (piece.ends_at_switch) return judge_inside(piece, kJustBefore, tolerance, false);
  const double clock = kClock * std::abs(piece.end.t);
  return judge({piece.end, piece.duration, clock, tolerance + clock / piece.flow.motion_time(), piece.flow,
                piece.gap_offsets, tolerance});
}

/// By the polynomials, at a share of the duration.
std::optional<MotionCheck::Violation> MotionCheck::judge_inside(const Piece& piece, double share, double tolerance,
                                                                bool balance) {
  // At a time that the clock can show, so that what depends on time is the same for the polynomials and the evaluator.
  inside_.t = piece.begin.t + share * piece.duration;
  const double since = inside_.t - piece.begin.t;
  if (!(since > 0.0 && since < piece.duration)) return {};
  piece.flow.evaluate(since, inside_);
  const Instant inside{inside_, since, tolerance * since, tolerance, piece.flow, piece.gap_offsets, tolerance};
  if (std::optional<Violation> violation = judge(inside)) return violation;
  return balance ? judge_balance(inside, kTimes * std::max(piece.tolerance, kAcceptedMisfit)) : std::nullopt;
}

std::optional<MotionCheck::Violation> MotionCheck::judge(const Instant& instant) {
  evaluator_->set_state(instant.state.t, instant.state.q, instant.state.u);
  evaluator_->find_laws(0.0, list_);
  for (int i = 0; i < static_cast<int>(system_.laws().size()); ++i) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(i)];
    if (is_open(instant, i)) continue;
    LawAtInstant now;
    now.mode = instant.flow.modes()[static_cast<size_t>(i)];
    find_motion(instant, i, now);
    find_forces(instant, i, now);
    if (!find_violation(law, now)) continue;
    find_force_errors(instant, i, now);
    if (std::optional<std::string> what = find_violation(law, now)) return Violation{i, std::move(*what)};
  }
  return {};
}

/// A contact that is not closed and has a gap: most need no more than this.
bool MotionCheck::is_open(const Instant& instant, int law) {
  const auto i = static_cast<size_t>(law);
  return instant.flow.modes()[i] == ContactMode::kOpen && system_.laws()[i].kind == ForceLaw::Kind::kContact &&
         list_.gap[law] >= instant.gap_offsets[law] && instant.flow.law_force(law, 0)[0] == 0.0;
}

void MotionCheck::find_motion(const Instant& instant, int law, LawAtInstant& now) {
  W_.clear();
  chi_.clear();
  evaluator_->append_directions(list_, law, W_, chi_);
  const Eigen::VectorXd& u = instant.state.u;
  double normal_terms = 0.0, reach = scales_.gap(law);
  for (int row = 0; row < W_.columns(); ++row) {
    const auto r = static_cast<size_t>(row);
    double velocity = chi_[r], terms = std::abs(chi_[r]);
    for (int p = W_.start[r]; p < W_.start[r + 1]; ++p) {
      const double w = W_.value[static_cast<size_t>(p)];
      const int j = W_.row[static_cast<size_t>(p)];
      velocity += w * u[j];
      terms += std::abs(w) * std::max(std::abs(u[j]), scales_.speed_at_rest(j));
      // The motion so far may not have left zero: then what the velocities could do in the time of the piece.
      if (row == 0) reach = std::max(reach, std::abs(w) * std::max(scales_.reach(j), scales_.velocity(j) * instant.since));
    }
    now.velocity[r] = {velocity, instant.velocity_error * terms};
    if (row == 0) normal_terms = terms;
  }
  now.gap = {list_.gap[law] - instant.gap_offsets[law], instant.tolerance * reach + instant.time_error * normal_terms};
}

/// With round-off as their error, which suffices nearly always.
void MotionCheck::find_forces(const Instant& instant, int law, LawAtInstant& now) const {
  const ModeFlow& flow = instant.flow;
  const int rows = system_.laws()[static_cast<size_t>(law)].rows;
  double size = 0.0;
  for (int row = 0; row < rows; ++row) {
    double& force = now.force[static_cast<size_t>(row)].value;
    force = evaluate_series(flow.law_force(law, row), flow.expanded(), instant.since);
    size = std::max(size, std::abs(force));
  }
  for (int row = 0; row < rows; ++row) now.force[static_cast<size_t>(row)].error = kErrorOfForces * size;
  now.force_is_known =
      now.mode != ContactMode::kStick || !rubs_in_plane(system_.laws()[static_cast<size_t>(law)]) || !flow.shares_in_space();
  constexpr double kFirstDirection =
      1e-3;  // how far a contact that begins to slide turns while it keeps its first direction
  if (now.mode == ContactMode::kSlide && flow.turning(law) == ModeFlow::Turning::kFixed) now.turn = kFirstDirection;
}

void MotionCheck::find_force_errors(const Instant& instant, int law, LawAtInstant& now) const {
  const double size = std::max(instant.flow.acceleration_size(), largest_force(instant));
  for (int row = 0; row < system_.laws()[static_cast<size_t>(law)].rows; ++row) {
    const double length = instant.flow.kinetic_length(law, row);
    LawAtInstant::Value& force = now.force[static_cast<size_t>(row)];
    // A direction along which nothing can move has no say.
    force.error =
        length > 0.0 ? std::max(force.error, instant.tolerance * size / length) : std::numeric_limits<double>::infinity();
  }
}

/// Kinetic, sqrt(J)/s.
double MotionCheck::largest_force(const Instant& instant) const {
  double largest = 0.0;
  const ModeFlow& flow = instant.flow;
  for (int c = 0; c < static_cast<int>(flow.columns().size()); ++c) {
    const double force = evaluate_series(flow.force(c), flow.expanded(), instant.since);
    largest = std::max(largest, std::abs(force) * flow.column_length(c));
  }
  return largest;
}

void MotionCheck::add_forces(const SparseColumns& W, int column, double force) {
  for (int p = W.start[static_cast<size_t>(column)]; p < W.start[static_cast<size_t>(column) + 1]; ++p) {
    const double share = force * W.value[static_cast<size_t>(p)];
    const int j = W.row[static_cast<size_t>(p)];
    force_[j] += share;
    force_size_[j] += std::abs(share);
  }
}

/// A constraint force is as uncertain as the loads that it balances: of a coordinate without mass and load it is all there is.
void MotionCheck::add_uncertain_constraints() {
  uncertain_.setZero(force_size_.size());
  for (int c = 0; c < static_cast<int>(system_.constraints().size()); ++c) {
    const int begin = W_constraints_.start[static_cast<size_t>(c)], end = W_constraints_.start[static_cast<size_t>(c) + 1];
    double load = 0.0, square = 0.0;
    for (int p = begin; p < end; ++p) {
      const double w = W_constraints_.value[static_cast<size_t>(p)];
      load += std::abs(w) * force_size_[W_constraints_.row[static_cast<size_t>(p)]];
      square += w * w;
    }
    if (!(square > 0.0)) continue;
    for (int p = begin; p < end; ++p)
      uncertain_[W_constraints_.row[static_cast<size_t>(p)]] +=
          std::abs(W_constraints_.value[static_cast<size_t>(p)]) * load / square;
  }
  force_size_ += uncertain_;
}

/// Without mass, forces are differences of what positions and velocities make of them.
void MotionCheck::add_uncertain_massless(const ModeFlow& flow) {
  for (const MotionSeries::Massless& massless : flow.series().massless()) {
    for (size_t j = 0; j < massless.row.velocity.size(); ++j) {
      const int velocity = massless.row.velocity[j];
      const double size = massless.of_positions ? scales_.reach(velocity) : scales_.velocity(velocity);
      force_size_[massless.velocity] += std::abs(massless.row.value[j][0]) * size;
    }
  }
}

/// M u' = h + W lambda with the forces that the laws and constraints are said to exert. What is left would change momenta in the time since the
/// beginning: it is compared with those of the motion, as the residual of a step is.
std::optional<MotionCheck::Violation> MotionCheck::judge_balance(const Instant& instant, double tolerance) {
  const ModeFlow& flow = instant.flow;
  evaluator_->evaluate_dynamics(dynamics_);
  force_ = dynamics_.h;
  force_size_ = dynamics_.h.cwiseAbs();
  for (int i = 0; i < static_cast<int>(system_.laws().size()); ++i) {
    if (flow.modes()[static_cast<size_t>(i)] == ContactMode::kOpen) continue;
    W_.clear();
    chi_.clear();
    evaluator_->append_directions(list_, i, W_, chi_);
    for (int row = 0; row < W_.columns(); ++row)
      add_forces(W_, row, evaluate_series(flow.law_force(i, row), flow.expanded(), instant.since));
  }
  if (!system_.constraints().empty()) {
    evaluator_->evaluate_constraint_directions(W_constraints_, chi_constraints_);
    for (int c = 0; c < W_constraints_.columns(); ++c)
      add_forces(W_constraints_, c, evaluate_series(flow.constraint_force(c), flow.expanded(), instant.since));
  }
  evaluate_columns(flow.acceleration(), flow.expanded(), instant.since, acceleration_);
  momentum_.setZero(system_.nu());
  const auto add_inertia = [&](int row, int column, double mass) {
    const double share = mass * acceleration_[column];
    force_[row] -= share;
    force_size_[row] += std::abs(share);
    momentum_[row] += std::abs(mass) * scales_.velocity(column);
  };
  for (size_t e = 0; e < system_.mass_pattern().size(); ++e) {
    const auto [row, column] = system_.mass_pattern()[e];
    add_inertia(row, column, dynamics_.M[e]);
    if (row != column) add_inertia(column, row, dynamics_.M[e]);
  }
  add_uncertain_constraints();
  add_uncertain_massless(flow);
  for (Index j = 0; j < force_.size(); ++j) {
    if (std::abs(force_[j]) * instant.since <= tolerance * (force_size_[j] * instant.since + momentum_[j])) continue;
    return Violation{-1, fmt::format("the force on {} differs by {:.3g} from what the motion asks for",
                                     force_target(system_, static_cast<int>(j)), -force_[j])};
  }
  return {};
}

}  // namespace tippe
