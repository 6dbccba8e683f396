// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/held_mass.h"

#include <Eigen/Cholesky>

#include "tippe/core/eigenvalues.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNothing = 1e-10;  // of a unit direction

}  // namespace

HeldMass::HeldMass(const MatrixXd& M, const MatrixXd& C) : C_(C) {
  if (!factorize(M)) {
    const MatrixXd unit = unit_columns(C, 0.0);
    const double size = unit.squaredNorm(), mass = M.trace();
    if (!factorize(M + (size > 0.0 && mass > 0.0 ? mass / size : 1.0) * unit * unit.transpose())) return;
  }
  const MatrixXd Y = unit_columns(kinetic(C), 0.0);
  Q_ = decide_rank(Y).range;
}

/// Whether E is definite is decided with a unit diagonal, which does not depend on the units of the coordinates.
bool HeldMass::factorize(const MatrixXd& E) {
  const VectorXd size = E.diagonal().cwiseMax(0.0).cwiseSqrt();
  const double largest = size.size() > 0 ? size.maxCoeff() : 0.0;
  VectorXd scale(size.size());
  for (Eigen::Index i = 0; i < size.size(); ++i) scale[i] = size[i] > 1e-14 * largest ? 1.0 / size[i] : 1.0;
  const auto [values, vectors] = symmetric_eigenvectors(scale.asDiagonal() * E * scale.asDiagonal());
  if (values.size() > 0 && values[0] <= kNothing) {
    massless_ = scale.cwiseProduct(vectors.col(0));
    massless_ /= massless_.cwiseAbs().maxCoeff();
    return false;
  }
  massless_.resize(0);
  L_ = E.llt().matrixL();
  return true;
}

MatrixXd HeldMass::kinetic(const MatrixXd& directions) const {
  return L_.triangularView<Eigen::Lower>().solve(directions);
}

MatrixXd HeldMass::kinetic_held(const MatrixXd& directions) const {
  MatrixXd B = kinetic(directions);
  const VectorXd length = B.colwise().norm();
  for (int twice = 0; twice < 2; ++twice) B -= Q_ * (Q_.transpose() * B);
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    if (B.col(j).norm() <= kNothing * length[j]) B.col(j).setZero();
  }
  return B;
}

VectorXd HeldMass::motion(const VectorXd& kinetic) const {
  return L_.triangularView<Eigen::Lower>().transpose().solve(kinetic);
}

VectorXd HeldMass::smallest_motion(const VectorXd& r) const {
  if (r.size() == 0) return VectorXd::Zero(L_.rows());
  VectorXd lengths;
  const MatrixXd Y = unit_columns(kinetic(C_), 0.0, &lengths);
  VectorXd scaled = r;
  for (Eigen::Index i = 0; i < r.size(); ++i) scaled[i] = lengths[i] > 0.0 ? r[i] / lengths[i] : 0.0;
  return motion(solve_least_norm(decompose_singular(Y.transpose()), scaled, rank_tolerance(Y.cols())));
}

}  // namespace tippe
