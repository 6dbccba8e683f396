// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/model/system.h"
#include "tippe/modes/modes.h"

namespace tippe {

/// What a collision does.
struct ImpactOutcome {
  enum class Status {
    kDone,
    kNoSolution,  // no velocities satisfy the law; note says why
    kNotSolved,   // a solver did not converge
  };
  Status status = Status::kDone;
  Eigen::VectorXd u;               // after it
  Eigen::VectorXd impulse;         // N s  rows of all laws, as in LawStep
  Eigen::VectorXd constraints;     // N s  of the bilateral constraints, least norm
  double lost = 0.0;               // J    -(sum of impulse . mean velocity gamma), all laws; < 0: gained
  double work = 0.0;               // J    that moving supports did
  Eigen::VectorXd lost_by_law;     // J
  double residual = -1.0;          // of the law, relative
  std::optional<LawId> worst_law;  // of what was not solved, where that is known
  int iterations = 0;
  std::vector<int> closed;          // laws in the scope, Johnson (11)
  std::vector<int> hit;             // laws with an impulse
  std::optional<int> alternatives;  // other outcomes that are consistent too; nothing: not checked
  std::string note;                 // on the choice, on admissibility; may be empty
};

/// The impact of a system at a state: contacts with `closed`, one flag per law, and all clutches are in the scope, whatever they did
/// before; dry friction is not, since its force is bounded. Velocities before it keep the bilateral constraints up to round-off, which is
/// removed. Newton's law with friction in the plane: all modes by enumeration (list_impact_modes), among several outcomes the one that
/// loses least energy. Newton's law without friction, whose velocities are unique: the contact solver, or a quadratic program. Poisson's and
/// Moreau's laws, more than 6 frictional contacts, friction in space: the contact solver, alternatives not checked.
///
/// A restitution matrix, Brogliato A (76), governs when all its contacts are in the scope, some of them close and none opens; others that are
/// hit too follow Newton's law. The note says what of it is not admissible, (77): the outcome is taken nevertheless.
///
/// Energies::kinetic - drive changes by work - lost. Directions without mass must be held by constraints.
/// `restitution` scales all coefficients: 1, or 0 for a plastic impact, without the matrix.
[[nodiscard]] ImpactOutcome resolve_impact(const System& system, const State& state, const std::vector<bool>& closed,
                                           double restitution = 1.0);

}  // namespace tippe
