// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tippe/model/force_law.h"

namespace tippe {

/// Newton's impact law between contacts: when they hit, all of them closed, their velocities become v+ = -E v-. Brogliato A (76)
struct RestitutionMatrix {
  std::vector<int> laws;  // contacts without friction
  Eigen::MatrixXd E;      // 1  >= 0, a row and a column for each of them

  /// Whether it governs an impact with the velocities v before it, of which those up to `rest` are none: some contact closes, and none opens.
  [[nodiscard]] bool governs(const Eigen::VectorXd& v, const Eigen::VectorXd& rest) const {
    return (v.array() <= rest.array()).all() && (v.array() < -rest.array()).any();
  }
};

/// Throws ModelError for a matrix of another size, with negative numbers, for laws that are no contacts or have friction, or beside
/// another impact law than Newton's.
void require_fitting(const RestitutionMatrix& matrix, std::span<const ForceLaw> laws, ImpactLaw impact_law);

}  // namespace tippe
