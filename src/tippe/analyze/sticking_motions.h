// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/analyze/sliding.h"

namespace tippe {

/// The accelerations of the problem without friction limits, Brogliato B (43), in which contacts that do not slide stick or open.
struct StickingMotions {
  std::vector<Eigen::VectorXd> accelerations;  // of those with the same M a one that keeps as many contacts closed as can be
  bool complete = false;                       // there are no others with another M a
};
[[nodiscard]] StickingMotions sticking_motions(const SlidingJudgement& sliding);
/// By judge_sliding, or without sliding contacts by find_motion in units in which all contacts are alike.
[[nodiscard]] StickingMotions find_sticking_motions(const AccelerationProblem& problem);

}  // namespace tippe
