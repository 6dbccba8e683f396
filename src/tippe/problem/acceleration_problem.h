// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/problem/impact_law.h"

namespace tippe {

/// A closed contact or a constraint at one instant: its directions in the space of velocities, and what its friction is.
struct ContactRows {
  std::string name;
  Eigen::VectorXd normal;         // gradient of the gap h, or of the constraint
  double drift = 0.0;             // m/s^2  d/dt(normal)'v + ...: the acceleration of the gap is normal'a + drift
  double rate = 0.0;              // m/s    the partial derivative of h by t: the velocity of the gap is normal'v + rate
  Eigen::MatrixXd tangents;       // one column per direction of friction: none, 1 (plane), 2 (space) or 3 (with drilling)
  Eigen::VectorXd tangent_drift;  // m/s^2  likewise, one number per tangent
  std::optional<double> mu;       // 1      absent: not known
  Eigen::VectorXd slip;  // m/s    relative tangential velocity; empty or zero: the contact sticks or is about to slide
  bool pressed = false;  // it stands for a dry friction: its normal force acts on a coordinate of its own, among the last

  [[nodiscard]] int tangent_count() const { return static_cast<int>(tangents.cols()); }
  [[nodiscard]] int rows() const { return 1 + tangent_count(); }
  /// As recordings call it: "belt.t", "foot.t1", "foot.t2", "foot.spin".
  [[nodiscard]] std::string tangent_name(int k) const {
    if (tangent_count() == 1) return name + ".t";
    return k == 2 ? name + ".spin" : name + ".t" + std::to_string(k + 1);
  }
  /// Whether it slides now. Its friction is then -mu * (normal force) * slip_direction().
  [[nodiscard]] bool slides() const { return tangent_count() > 0 && slip.size() > 0 && slip.norm() > 0.0; }
  [[nodiscard]] Eigen::VectorXd slip_direction() const { return slip.normalized(); }
};

/// The given name of a coordinate, or "q1", "q2", ...
[[nodiscard]] inline std::string coordinate_name(const std::vector<std::string>& names, int i) {
  return names.empty() ? "q" + std::to_string(i + 1) : names[static_cast<size_t>(i)];
}

/// Which accelerations a are possible at one instant, and with which forces?
///
///   M a + F = sum over contacts and constraints (normal * force + tangents * friction)
///
/// F: all terms of the left side, Coriolis + potential - applied forces (-h of a System). Only contacts that are closed and stay
/// so for the moment (gap and its velocity are zero) belong here. M is symmetric and positive semidefinite; rows may be redundant.
struct AccelerationProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd F;
  std::vector<ContactRows> unilateral;   // gap >= 0, force >= 0
  std::vector<ContactRows> bilateral;    // gap == 0, force of either sign
  std::vector<std::string> coordinates;  // how reports call the entries of a; empty: "q1", "q2", ...

  [[nodiscard]] int n() const { return static_cast<int>(F.size()); }
  [[nodiscard]] std::string coordinate(int i) const { return coordinate_name(coordinates, i); }
};

/// Dry friction with a given limit, |force| <= limit, against one velocity: M a + F = ... + direction * force. It slides if slip != 0.
struct DryFrictionRow {
  std::string name;
  Eigen::VectorXd direction;
  double drift = 0.0;  // m/s^2
  double limit = 0.0;  // N
  double slip = 0.0;   // m/s
};

/// A collision: velocities before it, closed contacts, and how they rebound. Tangential velocities before the impact are the `slip` of contacts,
/// or tangents'v where it is empty.
struct ImpactProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd velocity;  // before the impact
  std::vector<ContactRows> unilateral;
  std::vector<ContactRows> bilateral;
  /// One row and column per unilateral contact. Diagonal: coefficients of the impact law. Otherwise the law is kinematic,
  /// v+ = -restitution * v-.
  Eigen::MatrixXd restitution;
  std::vector<std::string> coordinates;         // as those of an AccelerationProblem
  Eigen::VectorXd tangential_restitution = {};  // of friction, one number per unilateral contact; empty: 0
  ImpactLaw law = ImpactLaw::kNewton;           // that governs, where the restitution is diagonal
  [[nodiscard]] std::string coordinate(int i) const { return coordinate_name(coordinates, i); }
  /// The one number e if restitution = e * identity.
  [[nodiscard]] std::optional<double> common_restitution() const;
};

/// Throw InputError without a position, naming the field, for what is no problem: sizes that do not fit, numbers that are not finite, M not
/// symmetric or not positive semidefinite (with a direction along which it is negative), mu < 0, more than 3 tangents, a slip
/// without mu, a name that is empty or taken.
void require_valid(const AccelerationProblem& problem);
void require_valid(const ImpactProblem& problem);
/// The dry frictions of a problem.
void require_valid(std::span<const DryFrictionRow> rows, const AccelerationProblem& problem);

/// All force components of a problem in one vector: contact after contact, unilateral ones first, each with its normal force and then
/// its friction.
struct ForceLayout {
  std::vector<std::string> names;  // "A1.n", "A1.t"; of two tangents "A1.t1", "A1.t2"
  std::vector<int> unilateral;     // where the normal force of each contact stands
  std::vector<int> bilateral;

  explicit ForceLayout(const AccelerationProblem& problem);
  [[nodiscard]] int size() const { return static_cast<int>(names.size()); }
};

/// With dry frictions behind those of the layout: their forces are called as they are.
[[nodiscard]] std::vector<std::string> force_names(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry);
/// All force components, zero but for the dry frictions that slide.
[[nodiscard]] Eigen::VectorXd sliding_forces(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry);
/// The problem with these forces in its load.
[[nodiscard]] AccelerationProblem with_sliding_loads(AccelerationProblem problem, std::span<const DryFrictionRow> dry);

/// Without the contacts that stand for dry frictions, and their coordinates.
[[nodiscard]] AccelerationProblem without_pressed(AccelerationProblem problem);

/// One column per force component in the order of the layout: M a + F = D f.
[[nodiscard]] Eigen::MatrixXd force_directions(const AccelerationProblem& problem);
/// One number each: the relative acceleration of a component is D'a + drift.
[[nodiscard]] Eigen::VectorXd force_drifts(const AccelerationProblem& problem);

}  // namespace tippe
