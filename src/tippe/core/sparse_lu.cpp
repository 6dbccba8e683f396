// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/sparse_lu.h"

#include <Eigen/SparseLU>

namespace tippe {

struct SparseLU::Factor {
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
};

SparseLU::SparseLU() = default;
SparseLU::SparseLU(SparseLU&&) noexcept = default;
SparseLU& SparseLU::operator=(SparseLU&&) noexcept = default;
SparseLU::~SparseLU() = default;

void SparseLU::analyze(const Eigen::SparseMatrix<double>& A) {
  factor_ = std::make_unique<Factor>();
  factor_->lu.analyzePattern(A);
}

bool SparseLU::factorize(const Eigen::SparseMatrix<double>& A) {
  factor_->lu.factorize(A);
  return factor_->lu.info() == Eigen::Success;
}

void SparseLU::solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::VectorXd& x) const {
  x = factor_->lu.solve(b);
}

}  // namespace tippe
