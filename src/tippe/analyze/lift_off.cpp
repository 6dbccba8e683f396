// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/lift_off.h"

#include <algorithm>

#include "tippe/analyze/gap_accelerations.h"
#include "tippe/analyze/tolerances.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// The largest gap acceleration, relative to its size.
double largest_opening(const GapAccelerations& gaps) {
  double largest = 0.0;
  for (Index i = 0; i < gaps.value.size(); ++i) {
    if (gaps.value[i] > 0.0) largest = std::max(largest, gaps.value[i] / gaps.size[i]);
  }
  return largest;
}

}  // namespace

LiftOff find_lift_off(const AccelerationProblem& problem, const Motion& motion, std::span<const VectorXd> others,
                      bool complete) {
  const UnitDirections directions(problem);
  const GapAccelerations gaps = gap_accelerations(problem, directions, motion.acceleration);
  LiftOff result;
  result.gap_acceleration = result.lower = result.upper = gaps.clean();
  double least = largest_opening(gaps);
  for (const VectorXd& other : others) {
    const GapAccelerations its = gap_accelerations(problem, directions, other);
    const VectorXd clean = its.clean();
    result.lower = result.lower.cwiseMin(clean);
    result.upper = result.upper.cwiseMax(clean);
    least = std::min(least, largest_opening(its));
  }
  if (motion.gap_lower.size() > 0) {
    result.lower = result.lower.cwiseMin(motion.gap_lower).cwiseMax(0.0);
    result.upper = result.upper.cwiseMax(motion.gap_upper);
  } else if (!complete) {
    result.lower.setZero();
    result.upper.setConstant(kInfinity);
  }
  bool always_open = false;
  for (Index i = 0; i < gaps.value.size(); ++i) {
    const bool opens = gaps.opens(i);
    if (opens)
      result.opening.push_back(static_cast<int>(i));
    else if (result.upper[i] > kVerdictTolerance * gaps.size[i])
      result.may_open.push_back(static_cast<int>(i));
    always_open = always_open || result.lower[i] > kVerdictTolerance * gaps.size[i];
  }
  if (least <= kLoadRoundOff)
    result.persistent = {Answer::kYes, kVerdictTolerance - least};
  else if (least > kVerdictTolerance && (complete || always_open))
    result.persistent = {Answer::kNo, kVerdictTolerance - least};
  else
    result.persistent = {Answer::kUndecided, complete ? std::optional(kVerdictTolerance - least) : std::nullopt};
  return result;
}

}  // namespace tippe
