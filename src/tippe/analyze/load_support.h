// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/analyze/force_cones.h"
#include "tippe/core/verdict.h"

namespace tippe {

/// A load in the space that the forces of some parts span: rows in which they have nothing but round-off are gone.
struct HeldLoad {
  Answer inside = Answer::kUndecided;  // whether the load lies in that space
  Eigen::MatrixXd basis;               // of the space, orthonormal
  Eigen::MatrixXd directions;          // basis'D
  Eigen::VectorXd w;                   // basis'w
  Eigen::VectorXd outside;             // w - basis basis'w
};

/// The columns of `directions` have lengths of about 1, and so has w.
[[nodiscard]] HeldLoad restrict_load(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                     const Eigen::VectorXd& w);

/// Which contacts can carry the load w at all, with any finite friction.
struct LoadSupport {
  Answer possible = Answer::kUndecided;  // whether some finite friction coefficients hold the load
  bool tipping = false;                  // no normal forces >= 0 hold it, even with friction of any size in all contacts
  std::vector<bool> used;                // of each part; those not used carry nothing with any finite friction
  Eigen::VectorXd forces;                // kYes: D f = w with positive normal forces in all used rays and cones
  HeldLoad held;                         // kYes: the load in the space of the parts that are used
};

/// Friction in a contact without normal force is zero, so contacts that cannot be loaded take their friction away from the others,
/// until nothing changes. (Brogliato B, Proposition 11 holds only if this ends with some forces.)
[[nodiscard]] LoadSupport find_support(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                       const Eigen::VectorXd& w);

/// Which signs the normal force of each part can have where D f = w, friction of any size, those of rays and cones >=
/// 0: bit 0 positive, bit 1
/// negative. Both where that is not known.
[[nodiscard]] std::vector<unsigned> possible_signs(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                                   const Eigen::VectorXd& w);

/// Cones whose contacts can be pressed against each other at will with friction coefficients however small: they hold forces of any
/// kind. Entries for rays and free parts are false.
[[nodiscard]] std::vector<bool> find_jammed(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts);

}  // namespace tippe
