// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>

namespace tippe {

/// A contact in kinetic coordinates.
struct KineticContact {
  Eigen::Index force = 0;    // column of its normal force among all forces
  double mu = 0.0;           // 0: without friction
  Eigen::MatrixXd tangents;  // along which its friction acts
};

/// Whether contacts with Coulomb friction can have one motion only, as a sufficient condition that needs no solution. `forces`: what each force does,
/// in kinetic coordinates that the joints leave: normal forces (of contacts that slide with their friction), friction of contacts that may
/// stick, dry frictions. Two solutions differ by forces d, a motion w = C d, and
///
///   |w|^2 <= sum mu_i |d_Ni| |B_Ti'w| ,  |d_Ni| <= |row Ni of C^+| |w| ,
///
/// as every law without its friction radius is monotone (De Saxce). So w = 0 where  sum mu_i |B_Ti| |row Ni of C^+| < 1, and where no friction acts on
/// a normal direction, as normal forces are unique then. Forces must be independent.
[[nodiscard]] bool has_one_motion(const Eigen::MatrixXd& forces, std::span<const KineticContact> contacts);

}  // namespace tippe
