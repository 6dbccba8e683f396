// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/projected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/sets/ball.h"
#include "tippe/sets/ellipsoid.h"
#include "tippe/sets/interval.h"

namespace tippe {
namespace {

/// New tangential impulse of a contact: one prox step on the interval, disc or ellipse of size Lambda_N.
/// `G` is the diagonal of the two tangential rows, xi their velocity.
Eigen::Vector2d tangential_step(const CoulombContact& contact, const ProjectedOptions& options, double Lambda_N,
                                const Eigen::Vector2d& G, const Eigen::Vector2d& xi, const Eigen::Vector2d& Lambda) {
  Eigen::Vector2d axes(contact.mu1 * Lambda_N, contact.mu2 * Lambda_N);
  // Transformed variables Lambda^ = A^-1 Lambda, xi^ = A xi, G^ = A G A, in which the ellipse is a disc of
  // radius Lambda_N.
  const bool transform = options.transform && !contact.isotropic() && contact.mu1 > 0.0 && contact.mu2 > 0.0;
  Eigen::Vector2d A(1.0, 1.0);
  if (transform) A << contact.mu1, contact.mu2;
  const double r = options.alpha / (A.array().square() * G.array()).maxCoeff();
  const Eigen::Vector2d argument = -Lambda.cwiseQuotient(A) + r * A.cwiseProduct(xi);

  const bool disc = transform || contact.isotropic();
  const double radius = transform ? Lambda_N : axes[0];
  const auto inside = [&](const Eigen::Vector2d& x) {
    return disc ? x.norm() <= radius : ellipsoid_level({x.data(), 2}, {axes.data(), 2}) <= 1.0;
  };
  if (options.recover && inside(argument)) {
    // Kept only if it stays in the set: where it leaves a flat ellipse, the iteration would cycle.
    const Eigen::Vector2d recovered = Lambda - options.alpha * xi.cwiseQuotient(G);
    if (inside(-recovered.cwiseQuotient(A))) return recovered;
  }
  const Eigen::Vector2d projected = disc ? prox_ball(argument, radius) : prox_ellipsoid(argument, axes);
  return -A.cwiseProduct(projected);
}

/// The same for force and drilling moment, in the variables scaled by A = diag(1, 1, Rbar); G is their diagonal.
Eigen::Vector3d drilling_step(const DrillingContact& contact, const ProjectedOptions& options, double Lambda_N,
                              const Eigen::Vector3d& G, const Eigen::Vector3d& xi, const Eigen::Vector3d& Lambda) {
  const Eigen::Vector3d A(1.0, 1.0, contact.Rbar);
  const Eigen::Vector3d G_hat = A.cwiseAbs2().cwiseProduct(G), xi_hat = A.cwiseProduct(xi),
                        Lambda_hat = Lambda.cwiseQuotient(A);
  const double radius = contact.mu * Lambda_N;
  const Eigen::Vector3d argument = -Lambda_hat + options.alpha / G_hat.maxCoeff() * xi_hat;
  if (options.recover && in_drilling_set(contact.set, argument, radius, 1.0)) {
    const Eigen::Vector3d recovered = Lambda_hat - options.alpha * xi_hat.cwiseQuotient(G_hat);
    if (in_drilling_set(contact.set, -recovered, radius, 1.0)) return A.cwiseProduct(recovered);
  }
  return -A.cwiseProduct(prox_drilling(contact.set, argument, radius, 1.0));
}

/// The normal impulse that loads the friction of a contact beside its own.
double extra_normal(const LawSet& law) {
  if (const auto* contact = std::get_if<CoulombContact>(&law)) return contact->extra_normal;
  if (const auto* contact = std::get_if<DrillingContact>(&law)) return contact->extra_normal;
  return 0.0;
}

}  // namespace

std::string ProjectedOptions::invalid_reason() const {
  if (!(alpha > 0.0 && alpha <= 2.0)) return fmt::format("alpha = {} must lie in (0, 2]", alpha);
  if (!(tolerance > 0.0)) return fmt::format("tolerance = {} must be positive", tolerance);
  if (max_iterations < 1) return fmt::format("max_iterations = {} must be at least 1", max_iterations);
  if (check_every < 1) return fmt::format("check_every = {} must be at least 1", check_every);
  return {};
}

void ProjectedSolver::prepare(const InclusionProblem& problem) {
  const BlockSparseMatrix& blocks = problem.G.blocks;
  const double fallback = smallest_rho(problem);
  diagonal_.resize(static_cast<size_t>(problem.rows()));
  for (int i = 0; i < blocks.blocks(); ++i) {
    const int size = blocks.block_size(i);
    const double* G = blocks.diagonal_block(i);
    for (int k = 0; k < size; ++k) {
      const double entry = G[k * size + k];
      diagonal_[blocks.row[i] + k] = entry > 0.0 ? entry : 1.0 / fallback;
    }
  }
  prepare_residual(problem, residual_work_);
  const double scale = residual_scale(residual_work_);
  scale_ = scale > 0.0 ? scale : 1.0;
}

void ProjectedSolver::evaluate_kinetic(const InclusionProblem& problem, const KeptVector& Lambda) {
  kinetic_.setZero(problem.G.kinetic_rows);
  for (int k = 0; k < problem.rows(); ++k) problem.G.Y.add_to(k, Lambda[k], kinetic_.data());
}

void ProjectedSolver::evaluate_block_velocity(const InclusionProblem& problem, int block, const KeptVector& Lambda,
                                              double* xi) const {
  const BlockSparseMatrix& G = problem.G.blocks;
  const int row = G.row[block], size = G.block_size(block);
  for (int r = 0; r < size; ++r) xi[r] = problem.c[row + r];
  if (problem.G.factored) {
    for (int r = 0; r < size; ++r) xi[r] += problem.G.Y.dot(row + r, kinetic_.data());
    return;
  }
  for (int e = G.entry_start[block]; e < G.entry_start[block + 1]; ++e) {
    const auto& [column, offset] = G.entry[e];
    const int width = G.block_size(column);
    const double* values = G.value.data() + offset;
    const double* x = Lambda.data() + G.row[column];
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < width; ++c) xi[r] += values[r * width + c] * x[c];
    }
  }
}

/// One sweep over all blocks; returns |Lambda_new - Lambda_old|. The old one is in previous_ afterwards.
double ProjectedSolver::sweep(const InclusionProblem& problem, const ProjectedOptions& options, KeptVector& Lambda) {
  const BlockSparseMatrix& blocks = problem.G.blocks;
  const bool jacobi = options.sweep == ProjectedOptions::Sweep::kJacobi;
  previous_ = Lambda;
  if (problem.G.factored && jacobi) evaluate_kinetic(problem, previous_);
  const KeptVector& source = jacobi ? previous_ : Lambda;
  double squared_change = 0.0;
  const auto take = [&](int row, int size, const double* change) {
    for (int k = 0; k < size; ++k) {
      Lambda[row + k] += change[k];
      squared_change += change[k] * change[k];
      if (problem.G.factored && !jacobi) problem.G.Y.add_to(row + k, change[k], kinetic_.data());
    }
  };
  for (int i = 0; i < blocks.blocks(); ++i) {
    const int row = blocks.row[i], size = blocks.block_size(i);
    double xi[kLargestBlock];
    evaluate_block_velocity(problem, i, source, xi);
    double change[kLargestBlock] = {};

    if (const auto* plane = std::get_if<PlaneFriction>(&problem.laws[i])) {
      const Eigen::Vector2d old = Lambda.segment<2>(row), G_T(diagonal_[row], diagonal_[row + 1]);
      const CoulombContact loaded{plane->limit1, plane->limit2};
      Eigen::Map<Eigen::Vector2d> moved(change);
      moved = tangential_step(loaded, options, 1.0, G_T, {xi[0], xi[1]}, old) - old;
      take(row, size, change);
      continue;
    }
    if (const auto* drilling = std::get_if<DrillingFriction>(&problem.laws[i])) {
      const Eigen::Vector3d old = Lambda.segment<3>(row), G_T(diagonal_[row], diagonal_[row + 1], diagonal_[row + 2]);
      const DrillingContact loaded{drilling->limit, drilling->Rbar, drilling->set};
      Eigen::Map<Eigen::Vector3d> moved(change);
      moved = drilling_step(loaded, options, 1.0, G_T, {xi[0], xi[1], xi[2]}, old) - old;
      take(row, size, change);
      continue;
    }
    const double r = options.alpha / diagonal_[row];
    const double argument = -Lambda[row] + r * xi[0];
    if (const auto* interval = std::get_if<Interval>(&problem.laws[i])) {
      change[0] = -prox_interval(argument, interval->lower, interval->upper) - Lambda[row];
    } else {
      change[0] = -prox_half_line(argument) - Lambda[row];
    }
    if (size > 1) {
      const double* G = blocks.diagonal_block(i);
      double Lambda_N = std::max(0.0, Lambda[row]);
      if (!jacobi) {
        Lambda_N = Lambda[row] + change[0];
        for (int k = 1; k < size; ++k) xi[k] += G[k * size] * change[0];
      }
      Lambda_N += extra_normal(problem.laws[i]);
      const auto* contact = std::get_if<CoulombContact>(&problem.laws[i]);
      if (contact == nullptr) {
        const auto& drilling = std::get<DrillingContact>(problem.laws[i]);
        const Eigen::Vector3d old = Lambda.segment<3>(row + 1),
                              G_T(diagonal_[row + 1], diagonal_[row + 2], diagonal_[row + 3]);
        Eigen::Map<Eigen::Vector3d>(change + 1) =
            drilling_step(drilling, options, Lambda_N, G_T, {xi[1], xi[2], xi[3]}, old) - old;
      } else if (size == 2) {
        const double r_T = options.alpha / diagonal_[row + 1];
        const double limit = contact->mu1 * Lambda_N;
        change[1] = -prox_interval(-Lambda[row + 1] + r_T * xi[1], -limit, limit) - Lambda[row + 1];
      } else {
        const Eigen::Vector2d old = Lambda.segment<2>(row + 1), G_T(diagonal_[row + 1], diagonal_[row + 2]);
        const Eigen::Vector2d step = tangential_step(*contact, options, Lambda_N, G_T, {xi[1], xi[2]}, old) - old;
        change[1] = step[0];
        change[2] = step[1];
      }
    }
    take(row, size, change);
  }
  return std::sqrt(squared_change);
}

SolveStatus ProjectedSolver::solve(const InclusionProblem& problem, const ProjectedOptions& options, Solution& solution) {
  if (solution.Lambda.size() != problem.rows()) solution.Lambda.setZero(problem.rows());
  solution.iterations = 0;
  prepare(problem);

  Residual best = evaluate_prepared_residual(problem, solution.Lambda, residual_work_);
  if (!std::isfinite(best.relative)) {  // a useless warm start is forgiven, useless data are not
    solution.Lambda.setZero();
    best = evaluate_prepared_residual(problem, solution.Lambda, residual_work_);
  }
  best_ = solution.Lambda;
  solution.status = SolveStatus::kMaxIterations;
  if (!std::isfinite(best.relative)) solution.status = SolveStatus::kNotFinite;
  // A warm start that is only just good enough would stay so step after step: one sweep at least, unless it is exact.
  if (best.relative == 0.0) solution.status = SolveStatus::kConverged;
  if (problem.G.factored) evaluate_kinetic(problem, solution.Lambda);

  // The increment is cheap and says when measuring pays; only the measured residual decides.
  double promising = options.tolerance * scale_;
  int since_check = 0;
  while (solution.status == SolveStatus::kMaxIterations && solution.iterations < options.max_iterations) {
    const double change = sweep(problem, options, solution.Lambda);
    ++solution.iterations;
    ++since_check;
    const bool last = solution.iterations == options.max_iterations;
    if (change <= promising || since_check >= options.check_every || last) {
      since_check = 0;
      promising = std::min(promising, 0.5 * change);
      const Residual residual = evaluate_prepared_residual(problem, solution.Lambda, residual_work_);
      if (!std::isfinite(residual.relative)) {
        solution.status = SolveStatus::kNotFinite;
      } else if (residual.relative < best.relative) {
        best = residual;
        best_ = solution.Lambda;
      }
      if (best.relative <= options.tolerance) {
        solution.status = SolveStatus::kConverged;
      } else if (change == 0.0) {
        solution.status = SolveStatus::kStalled;
      }
    }
  }
  solution.Lambda = best_;
  solution.residual = best.relative;
  solution.worst_block = best.worst_block;
  return solution.status;
}

}  // namespace tippe
