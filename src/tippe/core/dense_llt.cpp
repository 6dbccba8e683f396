// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/dense_llt.h"

#include <Eigen/Cholesky>

namespace tippe {

struct DenseLLT::Factor {
  Eigen::LLT<Eigen::MatrixXd> llt;
};

DenseLLT::DenseLLT() : factor_(new Factor) {}
DenseLLT::DenseLLT(DenseLLT&&) noexcept = default;
DenseLLT& DenseLLT::operator=(DenseLLT&&) noexcept = default;
DenseLLT::~DenseLLT() = default;

bool DenseLLT::factorize(const Eigen::MatrixXd& A, double smallest) {
  factor_->llt.compute(A);
  if (factor_->llt.info() != Eigen::Success) return false;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double pivot = factor_->llt.matrixLLT()(i, i);
    if (!(pivot * pivot > smallest * A(i, i))) return false;
  }
  return true;
}

Eigen::MatrixXd DenseLLT::solve(const Eigen::Ref<const Eigen::MatrixXd>& B) const {
  Eigen::MatrixXd X = B;
  factor_->llt.solveInPlace(X);
  return X;
}

Eigen::MatrixXd DenseLLT::solve_lower(const Eigen::Ref<const Eigen::MatrixXd>& B) const {
  Eigen::MatrixXd X = B;
  factor_->llt.matrixL().solveInPlace(X);
  return X;
}

double DenseLLT::length(const Eigen::Ref<const Eigen::VectorXd>& x) const {
  Eigen::VectorXd y = x;
  factor_->llt.matrixL().solveInPlace(y);
  return y.norm();
}

void DenseLLT::solve_in_place(Eigen::VectorXd& x) const {
  factor_->llt.solveInPlace(x);
}

}  // namespace tippe
