// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/dry_friction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tippe/analyze/actuation.h"
#include "tippe/analyze/sliding.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/verdict.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A limit far beyond the loads is a large number beside which they vanish. It is cut to this many times the loads, and counts in full where
// the forces come near it.
constexpr double kFarBeyond = 100.0;
constexpr double kNear = 0.99;        // of a limit that was cut
constexpr double kYielding = 1e-9;    // of what loads and drifts would give alone: an acceleration that begins to slide
constexpr double kAtLimit = 1e-12;    // relative
constexpr double kSameSum = 1e-9;     // of the changes of forces, relative: their sum is determined
constexpr double kSmallFactor = 0.1;  // of the limits: they are then too large a unit to find it well
constexpr int kMostRounds = 12;
const double kHalfRoot = std::sqrt(0.5);

/// Contacts and constraints alone.
InstantJudgement judge_contacts(const AccelerationProblem& problem) {
  InstantJudgement judgement;
  const StackedProblem stacked = stack(problem);
  if (stacked.sliding) {
    SlidingJudgement sliding = judge_sliding(problem);
    judgement.sticking_motions = sticking_motions(sliding);
    judgement.solvability = std::move(sliding.solvability);
    judgement.accelerations = std::move(sliding.accelerations);
    judgement.complete = sliding.complete;
    if (!judgement.solvability.verdict.no() && sliding.motion.acceleration.size() > 0) {
      judgement.motion = std::move(sliding.motion);
      judgement.forces = std::move(sliding.forces);
    }
    return judgement;
  }
  judgement.solvability = judge_solvability(problem, stacked);
  if (!judgement.solvability.verdict.yes()) return judgement;
  Motion motion = find_motion(problem, stacked);
  if (!motion.found) return judgement;
  judgement.forces = find_forces(problem, stacked, motion);
  if (motion.most_closed.size() > 0) judgement.accelerations.push_back(motion.most_closed);
  judgement.complete = motion.unique.yes() || motion.most_closed.size() > 0;
  judgement.motion = std::move(motion);
  return judgement;
}

void clamp_to(double limit, double& force) {
  force = std::clamp(force, -limit, limit);
  if (limit - std::abs(force) <= kAtLimit * limit) force = std::copysign(limit, force);
}

/// Without what is not of the system, largest absolute entry 1; empty if nothing is left.
VectorXd system_part(const VectorXd& direction, Index n) {
  if (direction.size() <= n) return direction;
  const VectorXd part = direction.head(n);
  const double largest = part.cwiseAbs().maxCoeff();
  return largest > 0.0 ? VectorXd(part / largest) : VectorXd();
}

}  // namespace

DryFrictions::DryFrictions(const AccelerationProblem& problem, std::span<const DryFrictionRow> rows)
    : problem_(problem), rows_(rows), loaded_(with_sliding_loads(problem, rows)) {
  for (const ContactRows& contact : problem.unilateral) above_ += contact.rows();
  const MatrixXd D = force_directions(problem);
  const VectorXd drifts = force_drifts(problem);
  count_ = D.cols();
  MatrixXd columns(problem.n(), count_ + static_cast<Index>(rows.size()));
  columns.leftCols(count_) = D;
  for (size_t i = 0; i < rows.size(); ++i) {
    const DryFrictionRow& friction = rows[i];
    columns.col(count_ + static_cast<Index>(i)) = friction.direction;
    if (friction.slip == 0.0 && friction.limit > 0.0) held_.push_back({.row = i});
  }
  if (held_.empty()) return;
  const KineticMetric metric(problem.M, columns);
  definite_ = metric.definite();
  if (metric.holds()) columns = metric.scale(columns);
  for (Held& held : held_) held.length = columns.col(count_ + static_cast<Index>(held.row)).norm();
  if (metric.holds()) {
    load_ = metric.scale(loaded_.F).norm();
    for (Index j = 0; j < count_; ++j) {
      if (const double length = columns.col(j).norm(); length > 0.0) load_ += std::abs(drifts[j]) / length;
    }
    for (const Held& held : held_) {
      if (held.length > 0.0) load_ += std::abs(row(held).drift) / held.length;
    }
  }
  double largest = 0.0;
  for (const auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (const ContactRows& contact : *contacts) {
      if (contact.tangent_count() > 0 && !contact.slides()) largest = std::max(largest, contact.mu.value_or(0.0));
    }
  }
  if (largest > 0.0) reference_ = largest;
}

double DryFrictions::rate(const Held& held, const VectorXd& acceleration) const {
  return row(held).direction.dot(acceleration) + row(held).drift;
}

/// Forces along no direction move nothing: any within their limits will do, and beside large limits of theirs the other forces would vanish.
std::vector<double> DryFrictions::full_limits() const {
  std::vector<double> limits;
  double size = loaded_.F.size() > 0 ? loaded_.F.cwiseAbs().maxCoeff() : 0.0;
  for (const Held& held : held_) {
    limits.push_back(row(held).limit);
    if (!is_idle(held) && held.length > 0.0 && load_ > 0.0)
      size = std::max(size, std::min(row(held).limit, kFarBeyond * load_ / held.length));
  }
  for (size_t k = 0; k < held_.size(); ++k) {
    if (is_idle(held_[k]) && size > 0.0) limits[k] = std::min(limits[k], size);
  }
  return limits;
}

/// Bounds of forces along no direction.
void DryFrictions::free_idle(VectorXd& lower, VectorXd& upper) const {
  for (const Held& held : held_) {
    const Index at = count_ + static_cast<Index>(held.row);
    if (!is_idle(held) || lower.size() <= at || upper.size() <= at) continue;
    lower[at] = -row(held).limit;
    upper[at] = row(held).limit;
  }
}

std::vector<double> DryFrictions::cut(std::vector<double> limits) const {
  for (size_t k = 0; k < held_.size(); ++k) {
    if (load_ > 0.0 && held_[k].length > 0.0) limits[k] = std::min(limits[k], kFarBeyond * load_ / held_[k].length);
  }
  return limits;
}

/// One coordinate more for each dry friction at rest, which nothing acts on.
AccelerationProblem DryFrictions::widened() const {
  AccelerationProblem wide = loaded_;
  const Index n = problem_.n(), more = n + static_cast<Index>(held_.size());
  wide.coordinates.clear();
  wide.M = MatrixXd::Zero(more, more);
  wide.M.topLeftCorner(n, n) = loaded_.M;
  wide.F = VectorXd::Zero(more);
  wide.F.head(n) = loaded_.F;
  for (auto* contacts : {&wide.unilateral, &wide.bilateral}) {
    for (ContactRows& contact : *contacts) {
      contact.normal.conservativeResizeLike(VectorXd::Zero(more));
      contact.tangents.conservativeResizeLike(MatrixXd::Zero(more, contact.tangents.cols()));
    }
  }
  return wide;
}

/// With s the acceleration along a dry friction, its law is that of a coordinate z >= |s| under the load `limit`: of two gaps z - s and z + s, whose
/// forces have the limit as their sum and the friction as their difference. z gets a mass m, and m s^2 is taken from the other masses, so that nothing else
/// changes and the mass matrix stays definite. The gaps are multiplied by sqrt(1/2), so that the squares of their forces are those of limit and
/// friction.
AccelerationProblem DryFrictions::with_gaps(const std::vector<double>& limits) const {
  AccelerationProblem wide = widened();
  const Index n = problem_.n();
  for (size_t k = 0; k < held_.size(); ++k) {
    const DryFrictionRow& friction = row(held_[k]);
    const double length = held_[k].length;
    const double mass = definite_ && length > 0.0 ? 0.5 / (static_cast<double>(held_.size()) * length * length) : 0.0;
    const Index z = n + static_cast<Index>(k);
    wide.M.topLeftCorner(n, n) -= mass * friction.direction * friction.direction.transpose();
    wide.F.head(n) -= mass * friction.drift * friction.direction;
    wide.M(z, z) = mass;
    wide.F[z] = limits[k];
    for (const double sign : {-1.0, 1.0}) {
      ContactRows gap;
      gap.name = friction.name + (sign < 0.0 ? "-" : "+");
      gap.normal = kHalfRoot * VectorXd::Unit(wide.n(), z);
      gap.normal.head(n) = sign * kHalfRoot * friction.direction;
      gap.drift = sign * kHalfRoot * friction.drift;
      gap.tangents.resize(wide.n(), 0);
      wide.unilateral.push_back(std::move(gap));
    }
  }
  return wide;
}

/// A dry friction at rest as Coulomb friction under a given normal force: its coordinate z is pressed against a contact of its own. `coefficients`: what
/// all friction coefficients of the other contacts are multiplied by.
AccelerationProblem DryFrictions::with_presses(const std::vector<double>& limits, double coefficients) const {
  AccelerationProblem wide = widened();
  const Index n = problem_.n();
  for (auto* contacts : {&wide.unilateral, &wide.bilateral}) {
    for (ContactRows& contact : *contacts) {
      if (contact.mu && !contact.slides()) *contact.mu *= coefficients;
    }
  }
  for (size_t k = 0; k < held_.size(); ++k) {
    const DryFrictionRow& friction = row(held_[k]);
    const double length = held_[k].length;
    const Index z = n + static_cast<Index>(k);
    wide.M(z, z) = length > 0.0 ? 1.0 / (reference_ * length * length) : 1.0;
    wide.F[z] = limits[k] / reference_;
    ContactRows press;
    press.name = friction.name;
    press.normal = VectorXd::Unit(wide.n(), z);
    press.tangents = MatrixXd::Zero(wide.n(), 1);
    press.tangents.col(0).head(n) = friction.direction;
    press.tangent_drift = VectorXd::Constant(1, friction.drift);
    press.mu = reference_;
    wide.unilateral.push_back(std::move(press));
  }
  return wide;
}

/// Whether no force reaches a limit that was cut: the forces are then those of the full limits, by convexity.
bool DryFrictions::is_within(const VectorXd& lower, const VectorXd& upper, const std::vector<double>& limits) const {
  for (size_t k = 0; k < held_.size(); ++k) {
    if (limits[k] == row(held_[k]).limit || is_idle(held_[k])) continue;
    const Index at = count_ + static_cast<Index>(held_[k].row);
    if (lower.size() <= at || !(std::max(-lower[at], upper[at]) < kNear * limits[k])) return false;
  }
  return true;
}

/// Where a component of a problem with two rows more for each dry friction at rest goes: the rows stand behind those of the unilateral
/// contacts.
Index DryFrictions::place_of(Index component) const {
  const auto more = 2 * static_cast<Index>(held_.size());
  if (component < above_) return component;
  if (component >= above_ + more) return component - more;
  return count_ + static_cast<Index>(held_[static_cast<size_t>((component - above_) / 2)].row);
}

/// Those of contacts and constraints, and of dry frictions that slide.
VectorXd DryFrictions::contact_forces(const VectorXd& all) const {
  VectorXd forces = sliding_forces(problem_, rows_);
  const auto more = 2 * static_cast<Index>(held_.size());
  forces.head(above_) = all.head(above_);
  forces.segment(above_, count_ - above_) = all.segment(above_ + more, count_ - above_);
  return forces;
}

void DryFrictions::drop_gaps(Motion& motion) const {
  const Index n = problem_.n(), m = static_cast<Index>(problem_.unilateral.size());
  const auto more = 2 * static_cast<Index>(held_.size());
  motion.acceleration = motion.acceleration.head(n).eval();
  motion.lower = motion.lower.head(n).eval();
  motion.upper = motion.upper.head(n).eval();
  if (motion.most_closed.size() > 0) {
    motion.most_closed = motion.most_closed.head(n).eval();
    motion.gap_lower = motion.gap_lower.head(m).eval();
    motion.gap_upper = motion.gap_upper.head(m).eval();
  }
  std::vector<Index> moving;
  for (Index k = 0; k < motion.free_directions.cols(); ++k) {
    if (!motion.free_directions.col(k).head(n).isZero(0.0)) moving.push_back(k);
  }
  motion.free_directions = motion.free_directions.topRows(n)(Eigen::all, moving).eval();
  for (Index k = 0; k < motion.free_directions.cols(); ++k)
    motion.free_directions.col(k) = with_largest_entry_one(motion.free_directions.col(k));
  VectorXd multipliers(motion.multipliers.size() - more);
  multipliers << motion.multipliers.head(m), motion.multipliers.tail(multipliers.size() - m);
  motion.multipliers = std::move(multipliers);
}

void DryFrictions::join_gaps(ForceSet& forces, const std::vector<double>& limits) const {
  const ForceSet all = std::exchange(forces, {});
  forces.unique = all.unique;
  forces.bounds = all.bounds;
  forces.residual = all.residual;
  forces.representative = contact_forces(all.representative);
  forces.lower = contact_forces(all.lower);
  forces.upper = contact_forces(all.upper);
  forces.free_directions = MatrixXd::Zero(forces.representative.size(), all.free_directions.cols());
  for (Index i = 0; i < all.free_directions.rows(); ++i) {
    const bool gap = i >= above_ && i < above_ + 2 * static_cast<Index>(held_.size());
    const double factor = !gap ? 1.0 : (i - above_) % 2 == 0 ? -kHalfRoot : kHalfRoot;
    forces.free_directions.row(place_of(i)) += factor * all.free_directions.row(i);
  }
  for (Index k = 0; k < all.free_directions.cols(); ++k)
    forces.free_directions.col(k) = with_largest_entry_one(forces.free_directions.col(k));
  for (size_t k = 0; k < held_.size(); ++k) {
    const Index minus = above_ + 2 * static_cast<Index>(k), plus = minus + 1, at = place_of(minus);
    // Their sum is given, so that one is largest where the other is smallest.
    forces.representative[at] = kHalfRoot * (all.representative[plus] - all.representative[minus]);
    forces.lower[at] = kHalfRoot * (all.lower[plus] - all.upper[minus]);
    forces.upper[at] = kHalfRoot * (all.upper[plus] - all.lower[minus]);
    for (VectorXd* values : {&forces.representative, &forces.lower, &forces.upper}) clamp_to(limits[k], (*values)[at]);
  }
  for (const std::vector<int>& members : all.groups) {
    std::vector<int> group;
    for (const int member : members) {
      const int at = static_cast<int>(place_of(member));
      if (std::find(group.begin(), group.end(), at) == group.end()) group.push_back(at);
    }
    std::sort(group.begin(), group.end());
    const MatrixXd changes = forces.free_directions(group, Eigen::all);
    const VectorXd sums = changes.colwise().sum().transpose(), sizes = changes.cwiseAbs().colwise().sum().transpose();
    const bool determined = (sums.array().abs() <= kSameSum * sizes.array()).all();
    forces.group_sums.push_back(determined ? std::optional(forces.representative(group).sum()) : std::nullopt);
    forces.groups.push_back(std::move(group));
  }
  for (const int component : all.implicitly_zero) {
    if (place_of(component) < count_) forces.implicitly_zero.push_back(static_cast<int>(place_of(component)));
  }
}

InstantJudgement DryFrictions::judge_gaps(const std::vector<double>& limits) const {
  InstantJudgement judgement = judge_contacts(held_.empty() ? loaded_ : with_gaps(limits));
  if (!held_.empty()) judgement.sticking_motions.reset();
  if (judgement.motion) drop_gaps(*judgement.motion);
  for (VectorXd& acceleration : judgement.accelerations) acceleration = acceleration.head(problem_.n()).eval();
  // The least sum of all gaps is not that of the gaps of contacts alone.
  if (!held_.empty() && judgement.motion && judgement.motion->most_closed.size() > 0) judgement.complete = false;
  if (judgement.forces) {
    join_gaps(*judgement.forces, limits);
    free_idle(judgement.forces->lower, judgement.forces->upper);
  }
  Solvability& solvability = judgement.solvability;
  const Index n = problem_.n(), m = static_cast<Index>(problem_.unilateral.size());
  if (solvability.kind == InstantKind::kFrictionless && !held_.empty()) solvability.kind = InstantKind::kDry;
  if (solvability.certificate.size() > m) solvability.certificate = solvability.certificate.head(m).eval();
  if (solvability.separating_direction.size() > n)
    solvability.separating_direction = solvability.separating_direction.head(n).eval();
  solvability.massless_direction = system_part(solvability.massless_direction, n);
  return judgement;
}

InstantJudgement DryFrictions::judge_instant() const {
  const std::vector<double> full = full_limits(), limits = cut(full);
  InstantJudgement judgement = judge_gaps(limits);
  if (limits == full) return judgement;
  const bool decided = judgement.forces && is_within(judgement.forces->lower, judgement.forces->upper, limits);
  return decided ? judgement : judge_gaps(full);
}

Sticking DryFrictions::judge_pressed(const std::vector<double>& limits, double coefficients) const {
  Sticking sticking = tippe::judge_sticking(with_presses(limits, coefficients));
  take_presses(sticking, limits);
  return sticking;
}

VectorXd DryFrictions::without_presses(const VectorXd& all, const std::vector<double>& limits) const {
  VectorXd forces = contact_forces(all);
  for (size_t k = 0; k < held_.size(); ++k) {
    const Index press = above_ + 2 * static_cast<Index>(k);
    double& force = forces[place_of(press)];
    force = all[press + 1];
    clamp_to(limits[k], force);
  }
  return forces;
}

void DryFrictions::take_presses(Sticking& sticking, const std::vector<double>& limits) const {
  for (VectorXd* values : {&sticking.forces, &sticking.lower, &sticking.upper}) {
    if (values->size() > 0) *values = without_presses(*values, limits);
  }
  free_idle(sticking.lower, sticking.upper);
  if (!held_.empty()) {  // presses are none
    sticking.trade_offs.clear();
    sticking.fronts.clear();
  }
  sticking.blocking_direction = system_part(sticking.blocking_direction, problem_.n());
  std::erase_if(sticking.unloadable, [&](int i) { return i >= static_cast<int>(problem_.unilateral.size()); });
}

/// With the least factor found in a unit of its size.
Sticking DryFrictions::least_sticking(Sticking sticking) const {
  double unit = 1.0;
  for (int round = 0; round < kMostRounds && sticking.mu_known; ++round) {
    const double factor = sticking.mu_factor / unit;
    if (!(factor > 0.0 && factor < kSmallFactor)) break;
    unit = sticking.mu_factor;
    std::vector<double> limits = full_limits();
    for (double& limit : limits) limit *= unit;
    const Sticking finer = judge_pressed(cut(limits), unit);
    if (!std::isfinite(finer.mu_factor)) break;
    sticking.mu_factor = unit * finer.mu_factor;
    sticking.mu_min = unit * finer.mu_min;
    sticking.mu_min_gap = unit * finer.mu_min_gap;
    sticking.mu_min_attained = finer.mu_min_attained;
  }
  return sticking;
}

Sticking DryFrictions::judge_sticking(const std::optional<StickingMotions>& known) const {
  if (held_.empty()) {
    Sticking sticking = tippe::judge_sticking(loaded_, known ? *known : find_sticking_motions(loaded_), true);
    take_presses(sticking, {});
    return sticking;
  }
  const std::vector<double> full = full_limits(), limits = cut(full);
  Sticking sticking = judge_pressed(limits, 1.0);
  if (limits == full) return sticking;
  const bool decided = sticking.feasible.yes() && is_within(sticking.lower, sticking.upper, limits);
  return least_sticking(decided ? std::move(sticking) : judge_pressed(full, 1.0));
}

LeastActuation DryFrictions::least_actuation(const MatrixXd& directions) const {
  if (held_.empty()) return tippe::least_actuation(loaded_, directions);
  const std::vector<double> limits = full_limits();
  const AccelerationProblem pressed = with_presses(limits, 1.0);
  MatrixXd wide = MatrixXd::Zero(pressed.n(), directions.cols());
  wide.topRows(problem_.n()) = directions;
  LeastActuation found = tippe::least_actuation(pressed, wide);
  if (found.contact_forces.size() > 0) found.contact_forces = without_presses(found.contact_forces, limits);
  return found;
}

std::vector<int> DryFrictions::yielding(const VectorXd& acceleration) const {
  std::vector<int> rows;
  for (const Held& held : held_) {
    const double terms = row(held).direction.cwiseAbs().dot(acceleration.cwiseAbs()) + std::abs(row(held).drift);
    if (std::abs(rate(held, acceleration)) > kYielding * (terms + held.length * load_))
      rows.push_back(static_cast<int>(held.row));
  }
  return rows;
}

std::vector<DryFrictionRow> DryFrictions::rows_after(const VectorXd& acceleration) const {
  std::vector<DryFrictionRow> rows(rows_.begin(), rows_.end());
  for (const int i : yielding(acceleration)) {
    DryFrictionRow& friction = rows[static_cast<size_t>(i)];
    friction.slip = friction.direction.dot(acceleration) + friction.drift;
  }
  return rows;
}

}  // namespace tippe
