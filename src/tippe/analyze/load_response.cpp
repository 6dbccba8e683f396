// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/load_response.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/analyze/gap_accelerations.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/row_weights.h"
#include "tippe/core/tolerances.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows that stay as they are, what their multipliers act along, and all force components from these.
struct HeldRows {
  MatrixXd rows, pushes, to_forces;
  std::vector<int> normals;  // of which force components the first rows are
};

void append(MatrixXd& columns, const MatrixXd& more) {
  columns.conservativeResize(more.rows(), columns.cols() + more.cols());
  columns.rightCols(more.cols()) = more;
}

/// Contacts that do not open, constraints, and dry frictions that neither slip nor yield.
HeldRows rows_that_hold(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry,
                        const std::vector<int>& yielding, const Motion& motion, const ForceSet& forces) {
  std::vector<int> signs;
  const ForceLayout layout(problem);
  const StackedProblem unsigned_rows = stack(problem);
  for (const int i : unsigned_rows.sliding_bilateral)
    signs.push_back(forces.representative[layout.bilateral[static_cast<size_t>(i)]] < 0.0 ? -1 : 1);
  const StackedProblem stacked = stack(problem, signs);
  const Index n = problem.n(), count = layout.size(), all = count + static_cast<Index>(dry.size());
  const GapAccelerations gaps = gap_accelerations(problem, UnitDirections(problem), motion.acceleration);
  HeldRows held{MatrixXd(n, 0), MatrixXd(n, 0), MatrixXd(all, 0), {}};
  const auto hold = [&](const MatrixXd& row, const MatrixXd& push, const VectorXd& force) {
    append(held.rows, row);
    append(held.pushes, push);
    VectorXd padded = VectorXd::Zero(all);
    padded.head(force.size()) = force;
    append(held.to_forces, padded);
  };
  for (Index i = 0; i < stacked.normals.cols(); ++i) {
    if (gaps.opens(i)) continue;
    held.normals.push_back(layout.unilateral[static_cast<size_t>(i)]);
    hold(stacked.normals.col(i), stacked.pushes.col(i), stacked.to_forces.col(i));
  }
  for (Index j = 0; j < stacked.equalities.cols(); ++j)
    hold(stacked.equalities.col(j), stacked.pulls.col(j), stacked.to_forces.col(stacked.normals.cols() + j));
  for (size_t k = 0; k < dry.size(); ++k) {
    const bool yields = std::find(yielding.begin(), yielding.end(), static_cast<int>(k)) != yielding.end();
    if (dry[k].slip != 0.0 || yields || dry[k].limit == 0.0) continue;
    hold(dry[k].direction, dry[k].direction, VectorXd::Unit(all, count + static_cast<Index>(k)));
  }
  return held;
}

/// Whether all contacts that hold carry something: beside the load and the other forces, in the kinetic metric. `lengths`: of the rows that hold.
bool all_carry(const HeldRows& held, const ForceSet& forces, const VectorXd& lengths, double load) {
  double largest = load;
  for (size_t i = 0; i < held.normals.size(); ++i)
    largest = std::max(largest, std::abs(forces.representative[held.normals[i]]) * lengths[static_cast<Index>(i)]);
  for (size_t i = 0; i < held.normals.size(); ++i) {
    if (!(forces.upper[held.normals[i]] * lengths[static_cast<Index>(i)] > kVerdictTolerance * largest)) return false;
  }
  return true;
}

}  // namespace

std::optional<LoadResponse> respond_to_load(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry,
                                            const std::vector<int>& yielding, const Motion& motion, const ForceSet& forces) {
  LoadResponse response;
  const HeldRows held = rows_that_hold(problem, dry, yielding, motion, forces);
  const Index n = problem.n(), all = held.to_forces.rows();

  // u = L'da, with L L' = E = M + rows S rows', which is M on what the rows leave:  u - P dy = L^-1 dQ , R'u = 0.
  const KineticMetric metric(problem.M, held.rows, row_weights(problem.M, held.rows));
  if (!metric.holds()) return {};
  VectorXd row_lengths, push_lengths;
  const MatrixXd R = unit_columns(metric.scale(held.rows), 0.0, &row_lengths),
                 P = unit_columns(metric.scale(held.pushes), 0.0, &push_lengths);
  response.strict = all_carry(held, forces, row_lengths, metric.scale(problem.F).norm());
  const MatrixXd coupling = R.transpose() * P, load = metric.scale(MatrixXd::Identity(n, n));
  const Index k = coupling.cols();
  const double tolerance = rank_tolerance(std::max<Index>(k, 1));
  MatrixXd dy(k, n);
  const SingularValues svd = decompose_singular(coupling);
  for (Index c = 0; c < n; ++c) dy.col(c) = solve_least_norm(svd, -R.transpose() * load.col(c), tolerance);
  if (k > 0 && (coupling * dy + R.transpose() * load).cwiseAbs().maxCoeff() >
                   kVerdictTolerance * std::max(1.0, load.cwiseAbs().maxCoeff()))
    return {};
  const RankSplit split = decide_rank(coupling, tolerance);
  const MatrixXd& free = split.null_space;
  if (free.cols() > 0 && (P * free).cwiseAbs().maxCoeff() > kVerdictTolerance) return {};  // forces that move something
  MatrixXd motions(n, n);
  const MatrixXd u = load + P * dy;
  for (Index c = 0; c < n; ++c) motions.col(c) = metric.to_acceleration(u.col(c));
  response.acceleration = motions;
  const VectorXd inverse = push_lengths.unaryExpr([](double length) { return length > 0.0 ? 1.0 / length : 0.0; });
  const MatrixXd map = held.to_forces * inverse.asDiagonal();
  response.forces = map * dy;
  response.determined.assign(static_cast<size_t>(all), true);
  for (Index f = 0; f < all; ++f) {
    if (free.cols() == 0 || (map.row(f) * free).norm() <= kNothingLeft * map.row(f).norm()) continue;
    response.determined[static_cast<size_t>(f)] = false;
    response.forces.row(f).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return response;
}

}  // namespace tippe
