// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/core/held_mass.h"
#include "tippe/core/singular_values.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Directions along which impulses of contacts act, one per column, and what they do.
struct ImpulseDirections {
  Eigen::MatrixXd D;      // in generalized coordinates
  Eigen::MatrixXd B;      // in kinetic ones, what the joints leave of them: impulses p change velocities by L^-T B p
  Eigen::VectorXd rate;   // m/s  the part of gamma that does not come from the velocities
  Eigen::VectorXd gamma;  // m/s  relative velocities before the impact
};

/// What follows from a change u of the velocities in kinetic coordinates and its impulses.
struct Rebound {
  Eigen::VectorXd impulses, bilateral_impulses, velocity_after;
  double energy_change = 0.0;  // J  of the relative velocities
  double surface_work = 0.0;   // J  of surfaces that move: with it the kinetic energy changes by the sum
  double residual = 0.0;       // of M (v+ - v-) = D p + G p_b, of the joints, and of the energy, each relative to its terms
};

/// A collision in kinetic coordinates: with u = L'(change of velocity) impulses p give u = B p, and the gaps change by B'u.
class Collision {
 public:
  explicit Collision(const ImpactProblem& problem);

  /// Empty: all directions have mass or are held. Otherwise nothing else may be asked.
  [[nodiscard]] const Eigen::VectorXd& massless_direction() const { return massless_direction_; }
  [[nodiscard]] const Eigen::VectorXd& velocity_before() const { return velocity_before_; }
  [[nodiscard]] double projected() const { return projected_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  [[nodiscard]] const ImpulseDirections& normals() const { return normals_; }
  /// Normals, each followed by the tangents of its contact that have friction; `friction` takes the names of these.
  [[nodiscard]] ImpulseDirections rows(std::vector<std::string>& friction) const;

  [[nodiscard]] double speed() const { return speed_; }  // of the gaps before, in kinetic units; > 0
  /// A velocity of gap i over the length of its direction.
  [[nodiscard]] double in_kinetic_units(const Eigen::VectorXd& v, Eigen::Index i) const {
    return length_[i] > 0.0 ? v[i] / length_[i] : v[i];
  }
  [[nodiscard]] const Eigen::VectorXd& length() const { return length_; }            // without the joints
  [[nodiscard]] const Eigen::VectorXd& held_length() const { return held_length_; }  // of the columns of normals().B
  [[nodiscard]] const Eigen::MatrixXd& unit() const { return unit_; }                // those columns over their lengths
  [[nodiscard]] const SingularValues& svd() const { return svd_; }                   // of unit()'
  /// Divided by held_length(); 0 where the joints leave nothing.
  [[nodiscard]] Eigen::VectorXd over_held_length(const Eigen::VectorXd& v) const;

  /// Normal impulses with B p = u at the contacts in `closed`: the only ones, or those of least norm in kinetic units, >= 0 if that can be.
  /// `pushing`: impulses >= 0 that do it, where they are known. `forced`: which have only one value.
  [[nodiscard]] Eigen::VectorXd impulses_of(const Eigen::VectorXd& u, const std::vector<int>& closed,
                                            const std::optional<Eigen::VectorXd>& pushing,
                                            std::vector<bool>* forced = nullptr) const;
  [[nodiscard]] Rebound rebound_of(const ImpulseDirections& directions, const Eigen::VectorXd& u,
                                   const Eigen::VectorXd& p) const;

 private:
  void project_velocity();
  void measure_gap_velocity();
  [[nodiscard]] double kinetic_speed(const Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::VectorXd joint_impulses(const Eigen::VectorXd& rest) const;

  const ImpactProblem& problem_;
  Eigen::MatrixXd G_;
  HeldMass mass_;
  ImpulseDirections normals_;
  Eigen::MatrixXd unit_;
  SingularValues svd_;
  Eigen::VectorXd held_length_, length_;
  Eigen::VectorXd massless_direction_, velocity_before_;
  double projected_ = 0.0;
  Eigen::VectorXd coordinate_size_;  // of what the velocities before are sums of
  double body_speed_ = 0.0;          // sqrt(v'M v) before the impact and its projection
  double speed_ = 0.0;  // the largest gap velocity before in kinetic units, or a thousandth of the terms it is a sum of
  std::vector<std::string> warnings_;
};

}  // namespace tippe
