// SPDX-License-Identifier: Apache-2.0
#include "tippe/draw/equivalent_box.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/eigenvalues.h"

namespace tippe {

EquivalentBox equivalent_box(const Body& body) {
  // About its axis i a box has the inertia m/12 (a_j^2 + a_k^2).
  const auto edge = [&](double twice_square) { return std::sqrt(std::max(0.0, 6.0 * twice_square / body.mass)); };
  if (body.kind == BodyKind::kPlanar) {
    const double side = edge(body.inertia(2, 2));
    return {Eigen::Vector3d(side, side, 0.0), Eigen::Matrix3d::Identity()};
  }
  Eigen::Vector3d moments = body.inertia.diagonal();
  EquivalentBox box{Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  if (!body.inertia.isDiagonal(0.0)) {
    const SymmetricEigenvectors principal = symmetric_eigenvectors(body.inertia);
    moments = principal.values;
    box.axes = principal.vectors;
    if (box.axes.determinant() < 0.0) box.axes.col(2) *= -1.0;
  }
  for (int i = 0; i < 3; ++i) box.size[i] = edge(moments.sum() - 2.0 * moments[i]);
  return box;
}

}  // namespace tippe
