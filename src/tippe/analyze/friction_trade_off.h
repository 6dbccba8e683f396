// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/analyze/load_support.h"

namespace tippe {

/// The least friction coefficient of one contact with which some parts hold a load; infinity: none does; not a number:
/// not found. `which`: a cone
/// among `parts`. The others keep theirs, or have friction without limit where they carry anything.
[[nodiscard]] double least_own_friction(const Eigen::MatrixXd& directions, const std::vector<ForcePart>& parts,
                                        const Eigen::VectorXd& w, size_t which, bool others_unlimited);

}  // namespace tippe
