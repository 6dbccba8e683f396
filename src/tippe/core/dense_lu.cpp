// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/dense_lu.h"

#include <Eigen/LU>

namespace tippe {

struct DenseLU::Factor {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

DenseLU::DenseLU(int rows) : factor_(new Factor{Eigen::PartialPivLU<Eigen::MatrixXd>(rows)}) {}
DenseLU::DenseLU(DenseLU&&) noexcept = default;
DenseLU& DenseLU::operator=(DenseLU&&) noexcept = default;
DenseLU::~DenseLU() = default;

void DenseLU::factorize(const Eigen::MatrixXd& A) {
  factor_->lu.compute(A);
}

void DenseLU::solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::VectorXd& x) const {
  x.noalias() = factor_->lu.solve(b);
}

Eigen::MatrixXd DenseLU::inverse() const {
  return factor_->lu.inverse();
}

}  // namespace tippe
