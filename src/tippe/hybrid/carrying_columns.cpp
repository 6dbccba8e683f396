// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/carrying_columns.h"

#include <algorithm>

#include "tippe/solve/least_distance.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDependentColumn = 1e-9;  // of columns of length 1

/// Adds columns to an orthonormal basis as long as they are independent of it.
class Basis {
 public:
  explicit Basis(Index rows) : Q_(rows, 0) {}
  /// Of length 1; `least`: of what it has to add.
  bool add(VectorXd column, double least = kDependentColumn) {
    for (int twice = 0; twice < 2; ++twice) {
      if (Q_.cols() > 0) column -= Q_ * (Q_.transpose() * column);
    }
    const double rest = column.norm();
    if (!(rest > least)) return false;
    Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
    Q_.col(Q_.cols() - 1) = column / rest;
    return true;
  }

 private:
  MatrixXd Q_;
};

}  // namespace

std::vector<int> choose_carrying_columns(const MatrixXd& A_given, const VectorXd& b, const std::vector<bool>& free) {
  MatrixXd A = A_given;
  for (Index c = 0; c < A.cols(); ++c) {
    const double length = A.col(c).norm();
    if (length > 0.0) A.col(c) /= length;
  }
  std::vector<int> used, signed_ones;
  for (int c = 0; c < static_cast<int>(A.cols()); ++c) (free[static_cast<size_t>(c)] ? used : signed_ones).push_back(c);
  // min |A x - b| : A x is the shortest v with A'v = A'b for free columns and A'v >= A'b for the others, and x are its multipliers.
  const MatrixXd A_free = A(Eigen::all, used), A_signed = A(Eigen::all, signed_ones);
  const LeastDistance carried = solve_least_distance({A_free, A_free.transpose() * b, A_signed, A_signed.transpose() * b});
  for (const int k : carried.active) used.push_back(signed_ones[static_cast<size_t>(k)]);
  // A vertex with zeros: any columns that complete the basis.
  Basis basis(A.rows());
  std::vector<int> chosen;
  for (const int c : used) {
    if (basis.add(A.col(c))) chosen.push_back(c);
  }
  for (int c = 0; c < static_cast<int>(A.cols()) && static_cast<Index>(chosen.size()) < A.rows(); ++c) {
    if (std::find(chosen.begin(), chosen.end(), c) == chosen.end() && basis.add(A.col(c))) chosen.push_back(c);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<int> choose_independent_columns(const MatrixXd& A, const std::vector<int>& order) {
  constexpr double kClearly = 0.05;
  Basis basis(A.rows());
  std::vector<int> chosen;
  for (const double least : {kClearly, kDependentColumn}) {
    for (const int c : order) {
      const double length = A.col(c).norm();
      if (static_cast<Index>(chosen.size()) == A.rows() || !(length > 0.0)) continue;
      if (std::find(chosen.begin(), chosen.end(), c) == chosen.end() && basis.add(A.col(c) / length, least))
        chosen.push_back(c);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace tippe
