// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/copositivity.h"

#include <algorithm>
#include <vector>

#include "tippe/core/eigenvalues.h"
#include "tippe/solve/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<int> members(unsigned bits, Index count) {
  std::vector<int> set;
  for (int i = 0; i < count; ++i) {
    if ((bits >> i & 1U) != 0U) set.push_back(i);
  }
  return set;
}

bool positive(const VectorXd& x) {
  return x.minCoeff() > 0.0 || x.maxCoeff() < 0.0;
}

}  // namespace

double least_form(const MatrixXd& A) {
  const MatrixXd symmetric = 0.5 * (A + A.transpose());
  double least = 1.0;
  bool first = true;
  for (unsigned bits = 1; bits < 1U << A.rows(); ++bits) {
    const std::vector<int> set = members(bits, A.rows());
    const auto [values, vectors] = symmetric_eigenvectors(symmetric(set, set));
    for (Index k = 0; k < values.size(); ++k) {
      if (!positive(vectors.col(k))) continue;
      least = first ? values[k] : std::min(least, values[k]);
      first = false;
      break;  // ascending
    }
  }
  return least;
}

// z = (the support, >= 0), slacks of the other rows: one cone for each support.
Answer resists_load(const MatrixXd& A, const VectorXd& q) {
  Answer answer = Answer::kYes;
  const double size = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  for (unsigned bits = 1; bits < 1U << A.rows(); ++bits) {
    const std::vector<int> set = members(bits, A.rows());
    const auto k = static_cast<Index>(set.size());
    MatrixXd rows = MatrixXd::Zero(A.rows() + 1, k + A.rows() - k);
    Index slack = k;
    for (Index i = 0; i < A.rows(); ++i) {
      rows.row(i).head(k) = A(i, set);
      if ((bits >> i & 1U) == 0U) rows(i, slack++) = -1.0;
    }
    rows.row(A.rows()).head(k).setOnes();
    Polyhedron patterns(rows, VectorXd::Unit(A.rows() + 1, A.rows()),
                        std::vector<bool>(static_cast<size_t>(rows.cols()), true));
    if (patterns.status() == ProgramStatus::kInfeasible) continue;
    VectorXd cost = VectorXd::Zero(rows.cols());
    cost.head(k) = q(set);
    const Extreme worst = patterns.feasible() ? patterns.minimize(cost) : Extreme{};
    if (worst.optimal() && worst.value < -kVerdictTolerance * size) return Answer::kNo;
    if (!worst.optimal() || worst.value < -1e-12 * size) answer = Answer::kUndecided;
  }
  return answer;
}

}  // namespace tippe
