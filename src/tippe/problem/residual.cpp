// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tippe/core/finite.h"
#include "tippe/core/infinity.h"
#include "tippe/core/tolerances.h"
#include "tippe/sets/ellipsoid.h"

namespace tippe {
namespace {

// e is written so that a large Lambda does not absorb xi: where a problem has no solution, iterates grow without bound, and
// Lambda - (Lambda - rho xi) would be zero in the end.

/// e of a normal row: Lambda_N + prox_{R0-}(-Lambda_N + xi_N). Here and below rho is in xi already.
double normal_error(double Lambda, double xi) {
  return std::min(Lambda, xi);
}

/// Lambda + prox of [lower, upper] at -Lambda + xi.
double interval_error(double Lambda, double xi, double lower, double upper) {
  const double argument = -Lambda + xi;
  if (argument < lower) return Lambda + lower;
  if (argument > upper) return Lambda + upper;
  return xi;
}

/// |Lambda - P_K(Lambda - d)|^2, d = xi^. Outside K and its polar cone Lambda - d exceeds K along nu = (-mu, t/|t|)/(1 + mu^2)
/// by |t| - mu n, taken as the excess of Lambda and its difference to the excess of Lambda - d.
template <class X>
double cone_error(const X& Lambda, const X& xi, double mu) {
  constexpr int kTangents = X::SizeAtCompileTime - 1;
  const auto tangential_part = [](const X& x) -> Eigen::Matrix<double, kTangents, 1> {
    return x.template tail<kTangents>();
  };
  const auto length = [](const auto& t) { return kTangents == 1 ? std::abs(t[0]) : t.norm(); };
  const double slip = length(tangential_part(xi));
  X d = xi;
  d[0] += mu * slip;
  const X y = Lambda - d;
  const double tangential = length(tangential_part(y));
  if (y[0] >= 0.0 && tangential <= mu * y[0]) return d.squaredNorm();
  // mu |t| <= -n, written so that mu does not absorb the normal velocity.
  if ((xi[0] - Lambda[0]) + mu * (slip - tangential) >= 0.0) return Lambda.squaredNorm();
  const auto L_T = tangential_part(Lambda), d_T = tangential_part(d);
  const double before = length(L_T);
  const double change = (d_T.squaredNorm() - 2.0 * L_T.dot(d_T)) / (tangential + before);
  const double excess = ((before - mu * Lambda[0]) + (change + mu * d[0])) / (1.0 + mu * mu);
  X e = d;
  e[0] -= mu * excess;
  if (tangential > 0.0) e.template tail<kTangents>() += excess / tangential * tangential_part(y);
  return e.squaredNorm();
}

/// |Lambda + prox(-Lambda + xi)|^2 of two directions in an ellipse.
double ellipse_error(const double* Lambda, const double* xi, const Eigen::Vector2d& axes) {
  const Eigen::Map<const Eigen::Vector2d> L(Lambda), x(xi);
  const Eigen::Vector2d argument = -L + x;
  const Eigen::Vector2d nearest = prox_ellipsoid(argument, axes);
  return (nearest == argument ? Eigen::Vector2d(x) : Eigen::Vector2d(L + nearest)).squaredNorm();
}

/// The same of two directions and drilling, in numbers scaled by A.
double drilling_error(DrillingSet set, double size, const double* Lambda, const double* xi) {
  const Eigen::Map<const Eigen::Vector3d> L(Lambda), x(xi);
  const Eigen::Vector3d argument = -L + x;
  const Eigen::Vector3d nearest = prox_drilling(set, argument, size, 1.0);
  return (nearest == argument ? Eigen::Vector3d(x) : Eigen::Vector3d(L + nearest)).squaredNorm();
}

/// More friction is judged row by row: e of a cone that is nearly a half space contains a closing normal velocity divided by mu, and the
/// round-off of the tangential one times mu.
constexpr double kMostFrictionOfCones = 1e3;

/// Contacts, in numbers scaled by `unit` and with rho taken into xi.
double squared_error(const CoulombContact& contact, int size, const double* Lambda, const double* xi, double unit) {
  const bool as_cone = contact.extra_normal == 0.0 && contact.mu1 <= kMostFrictionOfCones;
  if (as_cone && size == 2)
    return cone_error(Eigen::Vector2d(Lambda[0], Lambda[1]), Eigen::Vector2d(xi[0], xi[1]), contact.mu1);
  if (as_cone && contact.isotropic())
    return cone_error(Eigen::Vector3d(Lambda[0], Lambda[1], Lambda[2]), Eigen::Vector3d(xi[0], xi[1], xi[2]), contact.mu1);
  const double e_N = normal_error(Lambda[0], xi[0]);
  const double size_N = std::max(0.0, Lambda[0]) + contact.extra_normal / unit;
  if (size == 2) {
    const double limit = contact.mu1 * size_N;
    const double e_T = interval_error(Lambda[1], xi[1], -limit, limit);
    return e_N * e_N + e_T * e_T;
  }
  return e_N * e_N + ellipse_error(Lambda + 1, xi + 1, {contact.mu1 * size_N, contact.mu2 * size_N});
}

double squared_error(const DrillingContact& contact, const double* Lambda, const double* xi, double unit) {
  const double e_N = normal_error(Lambda[0], xi[0]);
  const double size_N = std::max(0.0, Lambda[0]) + contact.extra_normal / unit;
  return e_N * e_N + drilling_error(contact.set, contact.mu * size_N, Lambda + 1, xi + 1);
}

/// |e_i|^2 / unit^2 of a block: its Lambda and xi become numbers of about 1 first, Lambda^ = A^-1 Lambda / unit, xi^ = rho A xi / unit,
/// so that squares neither vanish nor overflow.
double squared_error(const LawSet& law, int size, const double* Lambda, const double* xi, double rho, const RowScales& A,
                     double unit) {
  std::array<double, 4> L{}, x{};
  const double inverse = 1.0 / unit;  // exact, as unit is a power of two
  for (int k = 0; k < size; ++k) {
    L[k] = Lambda[k] * inverse;
    x[k] = rho * xi[k] * inverse;
  }
  if (A.last != 1.0) {
    L[A.last_row] /= A.last;
    x[A.last_row] *= A.last;
  }
  if (std::holds_alternative<HalfLine>(law)) return normal_error(L[0], x[0]) * normal_error(L[0], x[0]);
  if (const auto* interval = std::get_if<Interval>(&law))
    return std::pow(interval_error(L[0], x[0], interval->lower / unit, interval->upper / unit), 2);
  if (const auto* contact = std::get_if<CoulombContact>(&law)) {
    if (A.tangents == 1.0) return squared_error(*contact, size, L.data(), x.data(), unit);
    for (int k = 1; k < size; ++k) {
      L[k] /= A.tangents;
      x[k] *= A.tangents;
    }
    CoulombContact scaled = *contact;
    scaled.mu1 /= A.tangents;
    scaled.mu2 /= A.tangents;
    return squared_error(scaled, size, L.data(), x.data(), unit);
  }
  if (const auto* plane = std::get_if<PlaneFriction>(&law))
    return ellipse_error(L.data(), x.data(), {plane->limit1 / unit, plane->limit2 / A.last / unit});
  if (const auto* drilling = std::get_if<DrillingFriction>(&law))
    return drilling_error(drilling->set, drilling->limit / unit, L.data(), x.data());
  return squared_error(std::get<DrillingContact>(law), L.data(), x.data(), unit);
}

/// max_k |rho_i c_i,k|; 0 where nothing could be solved to a tolerance relative to it.
double largest_entry(const InclusionProblem& problem, int block, double rho, const RowScales& A) {
  const int row = problem.G.blocks.row[block], size = problem.G.blocks.block_size(block);
  double largest = 0.0;
  for (int k = 0; k < size; ++k) {
    const double c = A[k] * problem.c[row + k];
    if (std::abs(c) > kVanishing) largest = std::max(largest, std::abs(rho * c));
  }
  return largest > kVanishing ? largest : 0.0;
}

/// |rho_i c_i|^2 / unit^2.
double squared_scale(const InclusionProblem& problem, int block, double rho, const RowScales& A, double unit) {
  const int row = problem.G.blocks.row[block], size = problem.G.blocks.block_size(block);
  const double inverse = 1.0 / unit;  // exact, as unit is a power of two
  double scale = 0.0;
  for (int k = 0; k < size; ++k) {
    const double c = rho * (A[k] * problem.c[row + k]) * inverse;
    scale += c * c;
  }
  return scale;
}

/// The power of two next to a number, so that dividing by it does not round; 1 for 0.
double unit_of(double largest) {
  if (!(largest > 0.0) || !std::isfinite(largest)) return 1.0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
}

/// rho_i of one block, `fallback` where its diagonal is not positive.
double block_rho(const InclusionProblem& problem, int block, const RowScales& A, double fallback) {
  const int size = problem.G.blocks.block_size(block);
  const double* G = problem.G.blocks.diagonal_block(block);
  double largest = 0.0;
  for (int k = 0; k < size; ++k) largest = std::max(largest, G[k * size + k] * A[k] * A[k]);
  return largest > 0.0 ? std::min(1.0 / largest, std::numeric_limits<double>::max()) : fallback;
}

ResidualWork::Part& part_of(const InclusionProblem& problem, int block, ResidualWork& work) {
  return work.parts[problem.part.empty() ? 0 : static_cast<size_t>(problem.part[block])];
}

/// The residual of Lambda and work.xi, after prepare_residual().
Residual judge(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda, ResidualWork& work) {
  if (!all_finite(Lambda) || !all_finite(work.xi)) return {kInfinity, kInfinity, -1};
  const BlockSparseMatrix& blocks = problem.G.blocks;
  for (ResidualWork::Part& part : work.parts) {
    part.error = 0.0;
    part.worst_error = -1.0;
    part.worst_block = -1;
  }
  for (int i = 0; i < blocks.blocks(); ++i) {
    const int row = blocks.row[i], size = blocks.block_size(i);
    ResidualWork::Part& part = part_of(problem, i, work);
    const double error = squared_error(problem.laws[i], size, Lambda.data() + row, work.xi.data() + row, work.rho[i],
                                       work.scales[i], part.unit);
    part.error += error;
    if (error > part.worst_error) {
      part.worst_error = error;
      part.worst_block = i;
    }
  }
  // Not a number: overflow on the way.
  const auto quotient = [](double error, double scale) {
    const double result = std::sqrt(error) / (scale > 0.0 ? scale : 1.0);
    return std::isnan(result) ? kInfinity : result;
  };
  Residual residual{0.0, 0.0, -1};
  for (const ResidualWork::Part& part : work.parts) {
    const double relative = quotient(part.error, part.scale);
    if (relative > residual.relative || residual.worst_block < 0) {
      residual.relative = relative;
      residual.worst_block = part.worst_block;
    }
    if (part.worst_error > 0.0) residual.worst = std::max(residual.worst, quotient(part.worst_error, part.largest_scale));
  }
  if (std::isinf(residual.relative)) residual.worst = kInfinity;
  return residual;
}

}  // namespace

RowScales row_scales(const InclusionProblem& problem, int block) {
  const int last = problem.G.blocks.block_size(block) - 1;
  if (const auto* drilling = std::get_if<DrillingContact>(&problem.laws[block])) return {1.0, drilling->Rbar, last};
  if (const auto* drilling = std::get_if<DrillingFriction>(&problem.laws[block])) return {1.0, drilling->Rbar, last};
  if (const auto* plane = std::get_if<PlaneFriction>(&problem.laws[block])) {
    const bool flat = !(plane->limit1 > 0.0 && plane->limit2 > 0.0);
    const double ratio = flat ? 1.0 : plane->limit2 / plane->limit1;
    return ratio > 0.0 && std::isfinite(ratio) ? RowScales{1.0, ratio, last} : RowScales{};
  }
  const int size = last + 1;
  if (size == 1) return {};
  constexpr double kOtherUnit = 1e4;  // G_TT per G_NN: what differs by less does so by the mechanics
  const double* G = problem.G.blocks.diagonal_block(block);
  double G_TT = G[size + 1];
  if (size == 3) G_TT = std::max(G_TT, G[8]);
  if (!(G_TT > 0.0 && G[0] > 0.0) || (G_TT < kOtherUnit * G[0] && G[0] < kOtherUnit * G_TT)) return {};
  return {std::exp2(std::round(0.5 * std::log2(G[0] / G_TT))), 1.0};
}

double residual_scale(const ResidualWork& work) {
  double scale = 0.0;
  for (const ResidualWork::Part& part : work.parts) scale = std::hypot(scale, part.unit * part.scale);
  return scale;
}

double smallest_rho(const InclusionProblem& problem) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < problem.G.blocks.blocks(); ++i)
    smallest = std::min(smallest, block_rho(problem, i, row_scales(problem, i), smallest));
  return std::isfinite(smallest) ? smallest : 1.0;
}

void prepare_residual(const InclusionProblem& problem, ResidualWork& work) {
  const BlockSparseMatrix& blocks = problem.G.blocks;
  work.rho.resize(blocks.blocks());
  work.scales.resize(static_cast<size_t>(blocks.blocks()));
  double smallest = kInfinity;
  for (int i = 0; i < blocks.blocks(); ++i) {
    work.scales[i] = row_scales(problem, i);
    work.rho[i] = block_rho(problem, i, work.scales[i], kInfinity);
    smallest = std::min(smallest, work.rho[i]);
  }
  if (std::isinf(smallest)) smallest = 1.0;
  const int parts = problem.part.empty() ? 1 : *std::max_element(problem.part.begin(), problem.part.end()) + 1;
  work.parts.assign(static_cast<size_t>(parts), {});
  for (int i = 0; i < blocks.blocks(); ++i) {
    double& largest = part_of(problem, i, work).unit;
    if (std::isinf(work.rho[i])) work.rho[i] = smallest;
    largest = std::max(largest, largest_entry(problem, i, work.rho[i], work.scales[i]));
  }
  for (ResidualWork::Part& part : work.parts) part.unit = unit_of(part.unit);
  for (int i = 0; i < blocks.blocks(); ++i) {
    ResidualWork::Part& part = part_of(problem, i, work);
    const double scale = squared_scale(problem, i, work.rho[i], work.scales[i], part.unit);
    part.scale += scale;
    part.largest_scale = std::max(part.largest_scale, scale);
  }
  for (ResidualWork::Part& part : work.parts) {
    part.scale = std::sqrt(part.scale);
    part.largest_scale = std::sqrt(part.largest_scale);
  }
}

Residual evaluate_prepared_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                                    ResidualWork& work) {
  problem.G.multiply(Lambda, work.xi, work.kinetic);
  work.xi += problem.c;
  return judge(problem, Lambda, work);
}

Residual evaluate_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                           ResidualWork& work) {
  prepare_residual(problem, work);
  return evaluate_prepared_residual(problem, Lambda, work);
}

Residual certify_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                          ResidualWork& work) {
  prepare_residual(problem, work);
  return certify_prepared_residual(problem, Lambda, work);
}

Residual certify_prepared_residual(const InclusionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& Lambda,
                                   ResidualWork& work) {
  problem.G.multiply_add_exactly(Lambda, problem.c, work.xi, work.exact_kinetic);
  return judge(problem, Lambda, work);
}

}  // namespace tippe
