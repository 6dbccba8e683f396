// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "tippe/model/kinetic_weights.h"

namespace tippe {

/// Of the speed that the loads would give: a velocity is at rest relative to this much.
inline constexpr double kPartOfLoads = 0.01;

/// What is known of the way to a state.
struct PastSizes {
  Eigen::VectorXd q = {};  // the largest |q_i|; may be empty
  Eigen::VectorXd u =
      {};  // |u_j| just before, of which velocities of now may be the round-off, as after an impact; may be empty
  double horizon = 0.0;  // s  of the run: where no coordinate has a size, it is the way that velocities and loads lead in it

  void note_coordinates(const State& state) {
    q = q.size() == 0 ? state.q.cwiseAbs().eval() : q.cwiseMax(state.q.cwiseAbs());
  }
};

/// How large coordinates and velocities are where nothing but a state is known: what zero is relative to, whatever the units are. Coordinates
/// of different kinds are compared by their kinetic sizes: that of a velocity u_j is sqrt(M_jj) |u_j|. MotionScales (hybrid) does the same along a motion.
class StateSizes {
 public:
  StateSizes(const System& system, const State& state, const Dynamics& dynamics, const PastSizes& past);

  /// The largest so far of the coordinates that a velocity changes, at least kSmallPart of the kinetically largest.
  [[nodiscard]] const Eigen::VectorXd& reaches() const { return reach_; }
  [[nodiscard]] double largest_reach() const { return reach_.size() == 0 ? 0.0 : reach_.maxCoeff(); }
  /// |u_j|, at least kSmallPart of the kinetically largest, and kPartOfLoads of what the loads give from rest on the way of reaches().
  [[nodiscard]] const Eigen::VectorXd& speeds() const { return speed_; }

 private:
  Eigen::VectorXd reach_, speed_;
};

}  // namespace tippe
