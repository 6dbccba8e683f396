// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/rank_decision.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

/// Values below round-off of the largest one never count, whatever the tolerance: U has no directions for them.
double usable_tolerance(const SingularValues& svd, double tolerance) {
  return std::max(tolerance, svd.values.size() > 0 ? kMachineEpsilon * svd.values[0] : 0.0);
}

}  // namespace

RankSplit decide_rank(const Eigen::MatrixXd& A, double tolerance) {
  const SingularValues svd = decompose_singular(A);
  tolerance = usable_tolerance(svd, tolerance);
  RankSplit split;
  const auto count = svd.values.size();
  while (split.rank < count && svd.values[split.rank] > tolerance) ++split.rank;
  if (split.rank > 0) split.smallest_kept = svd.values[split.rank - 1];
  if (split.rank < count) split.largest_dropped = svd.values[split.rank];
  split.range = svd.U.leftCols(split.rank);
  split.null_space = svd.V.rightCols(A.cols() - split.rank);
  return split;
}

double rank_tolerance(Eigen::Index columns) {
  return kDependentColumns * std::sqrt(static_cast<double>(columns));
}

RankSplit decide_rank(const Eigen::MatrixXd& A) {
  return decide_rank(A, rank_tolerance(A.cols()));
}

Eigen::VectorXd solve_least_norm(const SingularValues& svd, const Eigen::VectorXd& b, double tolerance) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(svd.V.rows());
  tolerance = usable_tolerance(svd, tolerance);
  for (Eigen::Index k = 0; k < svd.values.size() && svd.values[k] > tolerance; ++k)
    x += svd.U.col(k).dot(b) / svd.values[k] * svd.V.col(k);
  return x;
}

Eigen::MatrixXd unit_columns(const Eigen::MatrixXd& A, double zero, Eigen::VectorXd* lengths) {
  Eigen::MatrixXd unit = A;
  const Eigen::VectorXd length = A.colwise().norm();
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    if (length[j] > zero)
      unit.col(j) /= length[j];
    else
      unit.col(j).setZero();
  }
  if (lengths != nullptr) *lengths = length;
  return unit;
}

}  // namespace tippe
