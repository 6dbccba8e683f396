// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/modes/contact_modes.h"

namespace tippe {

/// What the conditions of a mode mean at their boundary and where motions are not defined.
enum class ModeRules {
  /// Modes exclude each other: what opens and what begins to slide does so by more than round-off. Directions without mass that nothing
  /// holds are left out, and a contact that would open along them is open if it would pull were it closed, Johnson (13), (33).
  kDisjoint,
  /// Equations and inequalities as they stand: modes share their boundaries, and M a + F = D f holds in every direction.
  kAsWritten,
};

/// Whether a mode can be, in the scaled data of ContactModes.
struct ModeJudgement {
  enum class Status {
    kConsistent,
    kViolated,  // some condition does not hold, see slack and failed; friction in space: its cone need not be among them
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
  std::vector<ModePoint> other_motions;  // ModeRules::kAsWritten: of the same mode, where its motion is not unique
  /// ModeRules::kDisjoint: whether it has one motion, and the bounds of its accelerations; those of forces are then
  /// bounds over all of them.
  bool motion_unique = true;
  Eigen::VectorXd motion_lower, motion_upper;  // empty where it is unique
  bool complete = true;                        // false: there may be motions other than these, though none is known
  std::vector<bool> by_force;  // conditions whose motion is not defined, judged by the force if it were closed, Johnson (13)
  bool motion_defined = true;  // false: directions without mass that nothing holds move as they like
  Eigen::MatrixXd massless;    // those directions, where the motion is not defined; orthonormal
  Eigen::VectorXd unbalanced;  // the part of the loads along them that nothing balances; empty if there is none
  double residual = 0.0;       // of all equations and conditions, relative
};

/// The motions of a consistent mode: its point, or the ends where there are two, which say more than what lies between them.
[[nodiscard]] std::vector<ModePoint> motions_of(ModeJudgement&& judgement);

/// Slacks up to this size are none, in scaled data and beside round-off of their terms.
[[nodiscard]] double mode_tolerance(double terms);

/// Judges a mode. Forces and reserves may lack the tolerance. Redundant rows and directions without mass are decided by linear programs,
/// friction in space with polygons inside its cones, and where these do not suffice by a cone program. Bounds are
/// found with
/// ModeRules::kDisjoint only, with the cones themselves.
[[nodiscard]] ModeJudgement judge_mode(const ContactModes& modes, std::span<const ContactChoice> choices,
                                       ModeRules rules = ModeRules::kDisjoint);

}  // namespace tippe
