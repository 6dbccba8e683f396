// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "tippe/contact/state_sizes.h"

namespace tippe {

/// How large the coordinates, velocities and gaps of a motion have been so far: the scales that zero is told by, whatever the units are. Coordinates
/// of different kinds are compared by their kinetic sizes: that of a velocity u_j is sqrt(M_jj) |u_j|.
class MotionScales {
 public:
  explicit MotionScales(const System& system);

  /// `horizon`: the time of the run, which counts where nothing has moved yet.
  void start(const State& state, double horizon, Evaluator& evaluator);
  void note(const State& state);
  /// Velocities that the loads give from rest.
  void note_speeds(const Eigen::VectorXd& speeds);
  void note_gap(int law, double size);
  /// The speeds that the loads alone would give over the size of the coordinates, or in `time` where these are zero. `free`: accelerations by the loads.
  void note_load(const Eigen::VectorXd& free, double time);

  /// Largest |q_i| or |u_j|, at least 1e-3 of the kinetically largest one.
  [[nodiscard]] double coordinate(Eigen::Index i) const;
  [[nodiscard]] double velocity(Eigen::Index j) const;
  /// What a velocity at rest is compared with: the same, and a hundredth of what the loads would give.
  [[nodiscard]] double speed_at_rest(Eigen::Index j) const {
    return std::max(velocity(j), velocity_of(kPartOfLoads * load_speed_, j));
  }
  /// Kinetic size of some velocities, entry by entry: the largest sqrt(M_jj) |v_j|.
  [[nodiscard]] double kinetic_size(const Eigen::VectorXd& velocities) const;
  /// Kinetic size of the velocities so far, or a small part of what the loads would give.
  [[nodiscard]] double speed() const { return std::max(largest_u_, kSmallPart * load_speed_); }
  /// The velocity j of a kinetic size.
  [[nodiscard]] double velocity_of(double kinetic_size, Eigen::Index j) const { return kinetic_size * u_weight_[j]; }
  /// Largest |u_j|.
  [[nodiscard]] double speed(Eigen::Index j) const { return u_[j]; }
  /// Largest of the coordinates that the velocity j changes, in units of its integral.
  [[nodiscard]] double reach(Eigen::Index j) const;
  [[nodiscard]] double gap(int law) const { return gap_[law]; }
  [[nodiscard]] double horizon() const { return horizon_; }

  void save(std::vector<double>& memory) const;
  /// Takes its numbers from the front.
  void restore(std::span<const double>& memory);

 private:
  template <class Scales, class Visit>
  static void visit(Scales& scales, Visit&& each);
  void find_largest();

  const System& system_;
  Eigen::VectorXd q_, u_;                // largest so far
  Eigen::VectorXd q_weight_, u_weight_;  // what 1 sqrt(J) stands for, at the start; 0: a direction without mass
  Eigen::VectorXd gap_;
  Eigen::MatrixXd rate_;                      // |dq_i/dt| for u_j = 1 at the start; empty where velocities are rates
  double horizon_ = 0.0;                      // s
  double load_speed_ = 0.0;                   // sqrt(J)
  double largest_q_ = 0.0, largest_u_ = 0.0;  // of q_ and u_ over their weights
  std::vector<int> loose_;                    // see loose_velocities()
};

}  // namespace tippe
