// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/sliding_angles.h"

#include <cmath>

#include "tippe/core/least_squares.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SlidingAngles find_sliding_angles(const std::function<VectorXd(const VectorXd&)>& misalignment, VectorXd start,
                                  double negligible) {
  constexpr int kMostSteps = 50;
  constexpr double kDifference = 1e-6, kLargestTurn = 0.5;  // rad
  constexpr double kLeastDamping = 1e-3;
  SlidingAngles found{std::move(start), {}};
  VectorXd &angles = found.angles, value = misalignment(angles);
  const auto count = angles.size();
  for (int step = 0; step < kMostSteps && value.size() == count && value.norm() > negligible; ++step) {
    MatrixXd derivative(count, count);
    for (Eigen::Index a = 0; a < count; ++a) {
      VectorXd up = angles, down = angles;
      up[a] += kDifference;
      down[a] -= kDifference;
      const VectorXd above = misalignment(up), below = misalignment(down);
      if (above.size() != count || below.size() != count) return found;
      derivative.col(a) = (above - below) / (2.0 * kDifference);
    }
    VectorXd turn = LeastSquares(derivative).solve(-value);
    const double largest = turn.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) break;
    if (largest > kLargestTurn) turn *= kLargestTurn / largest;
    bool better = false;
    for (double damping = 1.0; damping > kLeastDamping && !better; damping *= 0.5) {
      const VectorXd trial = angles + damping * turn, trial_value = misalignment(trial);
      if (trial_value.size() != count || trial_value.norm() >= value.norm()) continue;
      angles = trial;
      value = trial_value;
      better = true;
    }
    if (!better) break;
  }
  found.misalignment = std::move(value);
  return found;
}

}  // namespace tippe
