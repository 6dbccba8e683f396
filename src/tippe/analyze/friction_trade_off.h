// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "tippe/analyze/load_support.h"

namespace tippe {

/// The least friction coefficient of one contact with which some parts hold a load; infinity: none does; not a number:
/// not found. `which`: a cone
/// among `parts`. The others keep theirs, or have friction without limit where they carry anything.
[[nodiscard]] double least_own_friction(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                        const Eigen::VectorXd& w, size_t which, bool others_unlimited);

/// Friction coefficients of two contacts that cannot both be smaller: points of that curve; where it runs along an axis, one
/// of them can be smaller alone. One point: neither takes anything from the other. Empty: none suffice, or they were not found. `pair`: cones
/// among `parts`; the others keep theirs.
[[nodiscard]] std::vector<Eigen::Vector2d> friction_front(const Eigen::MatrixXd& directions,
                                                          const std::vector<ForcePart>& parts, const Eigen::VectorXd& w,
                                                          std::array<size_t, 2> pair);

}  // namespace tippe
