// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/central_forces.h"

#include <algorithm>
#include <vector>

#include "tippe/core/rank_decision.h"
#include "tippe/solve/cone_program.h"

namespace tippe {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// min -s + (a little of all normal forces)  over z and s:  x + Z z - s (normal forces of size 1) in all cones,  s <= its largest.
VectorXd central_forces(const MatrixXd& columns, std::span<const PushingCone> cones, const VectorXd& x) {
  const MatrixXd Z = decide_rank(unit_columns(columns, 0.0)).null_space;
  if (Z.cols() == 0 || cones.empty()) return x;
  // In units of the columns, as the rank is decided; all forces relative to the largest.
  VectorXd length = columns.colwise().norm();
  for (double& l : length) l = l > 0.0 ? l : 1.0;
  VectorXd y = x.cwiseProduct(length);
  double size = 0.0;
  for (const PushingCone& cone : cones) size = std::max(size, x[cone.normal] * cone.length);
  if (!(size > 0.0)) return x;
  y /= size;
  std::vector<int> second_order;
  Index rows = 1;
  for (const PushingCone& cone : cones) {
    if (cone.tangents >= 2) second_order.push_back(1 + cone.tangents);
    if (cone.tangents < 2) rows += cone.tangents + 1;
  }
  const Index linear = rows, free = Z.cols() + 1;
  for (const int entries : second_order) rows += entries;
  // S (z, s) + c in the cones.
  MatrixXd S = MatrixXd::Zero(rows, free);
  VectorXd c = VectorXd::Zero(rows), cost = VectorXd::Zero(free + rows);
  const auto put = [&](Index row, Index force, double weight) {
    S.row(row).head(Z.cols()) += weight / length[force] * Z.row(force);
    c[row] += weight / length[force] * y[force];
  };
  constexpr double kLittle = 1e-3;
  Index row = 0, cone_row = linear;
  cost[Z.cols()] = -1.0;
  S(row, Z.cols()) = -1.0;
  c[row++] = 1.0;  // s is at most the largest normal force
  for (const PushingCone& cone : cones) {
    const double mu = cone.tangents > 0 ? cone.mu : 1.0, unit = cone.length;
    cost.head(Z.cols()) += kLittle / static_cast<double>(cones.size()) * unit / length[cone.normal] * Z.row(cone.normal);
    const Index first = cone.tangents >= 2 ? cone_row : row;
    for (int i = 0; i < (cone.tangents == 1 ? 2 : 1); ++i) {
      put(first + i, cone.normal, mu * unit);
      S(first + i, Z.cols()) = -mu;
      if (cone.tangents == 1) put(first + i, cone.normal + 1, i == 0 ? unit : -unit);
    }
    if (cone.tangents >= 2) {
      for (int t = 1; t <= cone.tangents; ++t) put(first + t, cone.normal + t, unit);
      cone_row += 1 + cone.tangents;
    } else {
      row += cone.tangents + 1;
    }
  }
  MatrixXd A(rows, free + rows);
  A << -S, MatrixXd::Identity(rows, rows);
  const ConeProduct product{static_cast<int>(linear), second_order};
  const ConeSolution best = ConeProgram(A, c, product, static_cast<int>(free)).minimize_inside(cost);
  if (!best.optimal()) return x;
  return x + size * (Z * best.x.head(Z.cols())).cwiseQuotient(length);
}

}  // namespace tippe
