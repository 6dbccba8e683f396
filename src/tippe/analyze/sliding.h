// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tippe/analyze/force_set.h"
#include "tippe/analyze/solvability.h"
#include "tippe/modes/motion.h"

namespace tippe {

/// The problem with sliding contacts: not symmetric, may have no solution or several motions.
struct SlidingJudgement {
  Solvability solvability;
  bool complete = false;  // all motions were found
  Motion motion;          // if solvable; unique: yes only if proved. multipliers: as in stack(problem)
  /// if solvable: the bounds hold all forces of all motions that were found, the directions and groups are those of the first
  ForceSet forces;
  std::vector<Eigen::VectorXd> accelerations;  // different motions that were found, the first is that of `motion`
  std::optional<bool> monotone,
      p_matrix;  // of N'M_c^-1 (pushes); absent: there is no such matrix, or it is too large to tell
};

/// Unilateral contacts are few (up to 12, and 14 with the signs of sliding bilateral ones): every mode is tried. More: a positive semidefinite matrix or a P-matrix
/// still decides; else a solution is searched for and nothing is claimed if none is found. More than 12 bilateral contacts that
/// slide: undecided.
[[nodiscard]] SlidingJudgement judge_sliding(const AccelerationProblem& problem);

}  // namespace tippe
