// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/modes/contact_modes.h"

namespace tippe {

/// Whether a mode can be, in the scaled data of ContactModes.
struct ModeJudgement {
  enum class Status {
    kConsistent,
    kViolated,       // some condition does not hold, see slack
    kContradiction,  // the equations have no solution
    kUndecided,      // numerical failure
  };
  Status status = Status::kContradiction;
  ModeEquations equations;
  ModePoint point;             // the forces of least norm where they are not unique
  Eigen::VectorXd slack;       // of each condition: the largest there is; if violated: of the point that violates them least
  Eigen::VectorXd terms;       // what each slack is a sum of, absolute
  std::vector<size_t> failed;  // conditions that do not hold
  bool forces_unique = true;
  Eigen::VectorXd lower, upper;          // of the forces with this motion
  std::vector<ModePoint> other_motions;  // of the same mode, where its motion is not unique
  std::vector<bool> by_force;  // conditions whose motion is not defined, judged by the force if it were closed, Johnson (13)
  bool motion_defined = true;  // false: directions without mass that nothing holds move as they like
  double residual = 0.0;       // of equations and conditions, relative
};

/// Slacks up to this size are none, in scaled data and beside round-off of their terms.
[[nodiscard]] double mode_tolerance(double terms);

/// Judges a mode without cones: friction in the plane, or that slides in a given direction. What opens must open and what begins to slide
/// must move, by more than round-off; forces and reserves may lack the tolerance. Redundant rows and directions without mass are
/// decided by linear programs.
[[nodiscard]] ModeJudgement judge_mode(const ContactModes& modes, std::span<const ContactChoice> choices);

}  // namespace tippe
