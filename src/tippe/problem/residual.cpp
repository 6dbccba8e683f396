// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tippe/sets/ellipsoid.h"

namespace tippe {
namespace {

// e is written so that a large Lambda does not absorb xi: where a problem has no solution, iterates grow without bound, and
// Lambda - (Lambda - rho xi) would be zero in the end.

/// e of a normal row: Lambda_N + prox_{R0-}(-Lambda_N + rho xi_N).
double normal_error(double Lambda, double xi, double rho) {
  return std::min(Lambda, rho * xi);
}

/// Lambda + prox of [lower, upper] at -Lambda + rho xi.
double interval_error(double Lambda, double xi, double rho, double lower, double upper) {
  const double argument = -Lambda + rho * xi;
  if (argument < lower) return Lambda + lower;
  if (argument > upper) return Lambda + upper;
  return rho * xi;
}

/// |Lambda - P_K(Lambda - d)|^2, d = rho xi^. Outside K and its polar cone Lambda - d exceeds K along nu = (-mu, t/|t|)/(1 + mu^2)
/// by |t| - mu n, taken as the excess of Lambda and its difference to the excess of Lambda - d.
template <class X>
double cone_error(const X& Lambda, const X& xi, double rho, double mu) {
  const auto tail = Lambda.size() - 1;
  X d = rho * xi;
  d[0] += rho * mu * xi.tail(tail).norm();
  const X y = Lambda - d;
  const double tangential = y.tail(tail).norm();
  if (tangential <= mu * y[0]) return d.squaredNorm();
  if (mu * tangential <= -y[0]) return Lambda.squaredNorm();
  const double before = Lambda.tail(tail).norm();
  const double change = (d.tail(tail).squaredNorm() - 2.0 * Lambda.tail(tail).dot(d.tail(tail))) / (tangential + before);
  const double excess = ((before - mu * Lambda[0]) + (change + mu * d[0])) / (1.0 + mu * mu);
  X e = d;
  e[0] -= mu * excess;
  if (tangential > 0.0) e.tail(tail) += excess / tangential * y.tail(tail);
  return e.squaredNorm();
}

double squared_error(const CoulombContact& contact, int size, const double* Lambda, const double* xi, double rho) {
  if (contact.extra_normal == 0.0 && size == 2) {
    return cone_error(Eigen::Vector2d(Lambda[0], Lambda[1]), Eigen::Vector2d(xi[0], xi[1]), rho, contact.mu1);
  }
  if (contact.extra_normal == 0.0 && contact.isotropic()) {
    return cone_error(Eigen::Vector3d(Lambda[0], Lambda[1], Lambda[2]), Eigen::Vector3d(xi[0], xi[1], xi[2]), rho,
                      contact.mu1);
  }
  const double e_N = normal_error(Lambda[0], xi[0], rho);
  const double size_N = std::max(0.0, Lambda[0]) + contact.extra_normal;
  if (size == 2) {
    const double limit = contact.mu1 * size_N;
    const double e_T = interval_error(Lambda[1], xi[1], rho, -limit, limit);
    return e_N * e_N + e_T * e_T;
  }
  const Eigen::Map<const Eigen::Vector2d> L_T(Lambda + 1), x_T(xi + 1);
  const Eigen::Vector2d axes(contact.mu1 * size_N, contact.mu2 * size_N);
  const Eigen::Vector2d argument = -L_T + rho * x_T;
  return e_N * e_N + (L_T + prox_ellipsoid(argument, axes)).squaredNorm();
}

/// In the scaled variables Lambda^ = A^-1 Lambda, xi^ = A xi.
double squared_error(const DrillingContact& contact, const double* Lambda, const double* xi, double rho) {
  const double e_N = normal_error(Lambda[0], xi[0], rho);
  const Eigen::Vector3d L(Lambda[1], Lambda[2], Lambda[3] / contact.Rbar), x(xi[1], xi[2], contact.Rbar * xi[3]);
  const Eigen::Vector3d argument = -L + rho * x;
  const double size_N = std::max(0.0, Lambda[0]) + contact.extra_normal;
  const Eigen::Vector3d nearest = prox_drilling(contact.set, argument, contact.mu * size_N, 1.0);
  const Eigen::Vector3d e = nearest == argument ? Eigen::Vector3d(rho * x) : Eigen::Vector3d(L + nearest);
  return e_N * e_N + e.squaredNorm();
}

/// |e_i|^2 of a block with `size` rows.
double squared_error(const LawSet& law, int size, const double* Lambda, const double* xi, double rho) {
  if (std::holds_alternative<HalfLine>(law)) return std::pow(normal_error(Lambda[0], xi[0], rho), 2);
  if (const auto* interval = std::get_if<Interval>(&law)) {
    const double e = interval_error(Lambda[0], xi[0], rho, interval->lower, interval->upper);
    return e * e;
  }
  if (const auto* contact = std::get_if<CoulombContact>(&law)) return squared_error(*contact, size, Lambda, xi, rho);
  return squared_error(std::get<DrillingContact>(law), Lambda, xi, rho);
}

/// |rho_i c_i|^2.
double squared_scale(const InclusionProblem& problem, int block, double rho) {
  const int row = problem.G.blocks.row[block], size = problem.G.blocks.block_size(block);
  double scale = 0.0;
  for (int k = 0; k < size; ++k) scale += std::pow(rho * row_scale(problem.laws[block], k) * problem.c[row + k], 2);
  return scale;
}

}  // namespace

double residual_scale(const InclusionProblem& problem) {
  const double fallback = smallest_rho(problem);
  double scale = 0.0;
  for (int i = 0; i < problem.G.blocks.blocks(); ++i) scale += squared_scale(problem, i, block_rho(problem, i, fallback));
  return std::sqrt(scale);
}

double row_scale(const LawSet& law, int row) {
  const auto* drilling = std::get_if<DrillingContact>(&law);
  return drilling != nullptr && row == 3 ? drilling->Rbar : 1.0;
}

double block_rho(const InclusionProblem& problem, int block, double fallback) {
  const int size = problem.G.blocks.block_size(block);
  const double* G = problem.G.blocks.diagonal_block(block);
  double largest = 0.0;
  for (int k = 0; k < size; ++k)
    largest = std::max(largest, G[k * size + k] * std::pow(row_scale(problem.laws[block], k), 2));
  return largest > 0.0 ? 1.0 / largest : fallback;
}

double smallest_rho(const InclusionProblem& problem) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < problem.G.blocks.blocks(); ++i) smallest = std::min(smallest, block_rho(problem, i, smallest));
  return std::isfinite(smallest) ? smallest : 1.0;
}

Residual evaluate_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                           ResidualWork& work) {
  problem.G.multiply(Lambda, work.xi, work.kinetic);
  work.xi += problem.c;
  if (!Lambda.allFinite() || !work.xi.allFinite())
    return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), -1};
  const BlockSparseMatrix& blocks = problem.G.blocks;
  const double fallback = smallest_rho(problem);
  const int parts = problem.part.empty() ? 1 : *std::max_element(problem.part.begin(), problem.part.end()) + 1;
  work.parts.assign(static_cast<size_t>(parts), {});
  for (int i = 0; i < blocks.blocks(); ++i) {
    const int row = blocks.row[i], size = blocks.block_size(i);
    const double rho = block_rho(problem, i, fallback);
    const double error = squared_error(problem.laws[i], size, Lambda.data() + row, work.xi.data() + row, rho);
    ResidualWork::Part& part = work.parts[problem.part.empty() ? 0 : static_cast<size_t>(problem.part[i])];
    part.error += error;
    const double scale = squared_scale(problem, i, rho);
    part.scale += scale;
    part.largest_scale = std::max(part.largest_scale, scale);
    if (error > part.worst_error) {
      part.worst_error = error;
      part.worst_block = i;
    }
  }
  const auto quotient = [](double error, double scale) { return std::sqrt(error) / (scale > 0.0 ? std::sqrt(scale) : 1.0); };
  Residual residual{0.0, 0.0, -1};
  for (const ResidualWork::Part& part : work.parts) {
    const double relative = quotient(part.error, part.scale);
    if (relative > residual.relative || residual.worst_block < 0) {
      residual.relative = relative;
      residual.worst_block = part.worst_block;
    }
    if (part.worst_error > 0.0) residual.worst = std::max(residual.worst, quotient(part.worst_error, part.largest_scale));
  }
  return residual;
}

}  // namespace tippe
