// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/cone_program.h"

#include <cassert>
#include <cmath>
#include <vector>

#include "tippe/core/infinity.h"
#include "tippe/core/largest.h"
#include "tippe/core/least_squares.h"
#include "tippe/core/rank_decision.h"
#include "tippe/solve/mixed_problem.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kConsistent = 1e-10;  // of redundant rows, relative to b
constexpr double kNoRow = 1e-12;       // length of a row beside unit columns: round-off of eliminating free variables
constexpr double kStricter = 0.1;      // of kConeTolerance: certificates are held to more than solutions

/// The shortest x that makes |A x - b| smallest, also for A without rows or columns.
VectorXd least_squares(const MatrixXd& A, const VectorXd& b) {
  return A.size() > 0 ? LeastSquares(A).solve(b) : VectorXd::Zero(A.cols());
}

/// Powers of two that bring rows, free and nonnegative columns, and the columns of each cone together, to size 1.
void equilibrate(const ConeProduct& cones, int free, MatrixXd& A, VectorXd& row, VectorXd& column) {
  row.setOnes(A.rows());
  column.setOnes(A.cols());
  for (int pass = 0; pass < 4; ++pass) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double factor = inverse_power_of_two(std::sqrt(largest(A.row(i))));
      A.row(i) *= factor;
      row[i] *= factor;
    }
    const auto scale_columns = [&](int first, int count) {
      const double factor = inverse_power_of_two(std::sqrt(largest(A.middleCols(first, count))));
      A.middleCols(first, count) *= factor;
      column.segment(first, count) *= factor;
      return first + count;
    };
    int next = 0;
    while (next < free + cones.nonnegative) next = scale_columns(next, 1);
    for (const int n : cones.second_order) next = scale_columns(next, n);
  }
}

}  // namespace

ConeProgram::ConeProgram(const MatrixXd& A, const VectorXd& b, const ConeProduct& cones, int free)
    : A_given_(A), b_given_(b), free_(free), A_(A) {
  assert(A.cols() == free + cones.size() && A.rows() == b.size());
  core_.cones = cones;
  if (!cones.second_order.empty()) return;
  std::vector<bool> nonnegative(static_cast<size_t>(A.cols()), true);
  std::fill_n(nonnegative.begin(), free, false);
  polyhedron_.emplace(A, b, nonnegative);
}

void ConeProgram::eliminate() {
  if (eliminated_) return;
  eliminated_ = true;
  equilibrate(core_.cones, free_, A_, row_, column_);
  b_ = row_.cwiseProduct(b_given_);
  b_size_ = largest(b_) > 0.0 ? largest(b_) : 1.0;
  b_ /= b_size_;
  VectorXd lengths;
  const MatrixXd unit_free = unit_columns(A_.leftCols(free_), 0.0, &lengths);
  const RankSplit free_columns = decide_rank(unit_free);
  free_range_ = free_columns.range;
  complement_ = decide_rank(MatrixXd(free_range_.transpose()), 0.5).null_space;
  free_null_ = (lengths.array() > 0.0).select(lengths, 1.0).cwiseInverse().asDiagonal() * free_columns.null_space;
  const MatrixXd rows = complement_.transpose() * A_.rightCols(core_.cones.size());
  const RankSplit cone_rows = decide_rank(unit_columns(rows.transpose(), kNoRow));
  core_.V = cone_rows.range;
  reduced_ = rows * core_.V;
  const VectorXd b_left = complement_.transpose() * b_;
  core_.g = least_squares(reduced_, b_left);
  const VectorXd missed = b_left - reduced_ * core_.g;
  if (largest(missed) > kConsistent) contradiction_ = complement_ * missed;
}

ConeSolution ConeProgram::minimize(const VectorXd& c_given) {
  assert(c_given.size() == A_.cols());
  if (polyhedron_) {
    ConeSolution solution = minimize_linear(c_given);
    if (solution.status != ConeStatus::kUndecided) return solution;
  }
  return minimize_inside(c_given);
}

ConeSolution ConeProgram::minimize_inside(const VectorXd& c_given) {
  eliminate();
  if (contradiction_.size() > 0) return rows_contradict();
  VectorXd c = column_.cwiseProduct(c_given);
  const double c_size = largest(c) > 0.0 ? largest(c) : 1.0;
  c /= c_size;
  const VectorXd falling = free_null_.transpose() * c.head(free_);
  if (largest(falling) > kConsistent) return free_objective_falls(-free_null_ * falling, c_given);
  // c_free = A_free'y_free, so that the free variables pay through the rows.
  const VectorXd y_free = least_squares(A_.leftCols(free_).transpose(), c.head(free_));
  const VectorXd c_cone = c.tail(core_.cones.size()) - A_.rightCols(core_.cones.size()).transpose() * y_free;
  const SelfDualPoint point = solve_self_dual(core_, c_cone);
  ConeSolution solution;
  solution.iterations = point.iterations;
  take_solution(point, c, y_free, solution);
  if (!solution.optimal()) take_certificate(point, c_cone, solution);
  unscale(c_given, c_size, solution);
  return solution;
}

ConeSolution ConeProgram::minimize_linear(const VectorXd& c) {
  ConeSolution solution;
  if (polyhedron_->status() == ProgramStatus::kInfeasible) {
    solution.status = ConeStatus::kInfeasible;
    solution.y = polyhedron_->farkas() / b_given_.dot(polyhedron_->farkas());
    solution.s = -A_given_.transpose() * solution.y;
    solution.s.head(free_).setZero();
    solution.violation = polyhedron_->farkas_defect();
    solution.objective = kInfinity;
    return solution;
  }
  if (!polyhedron_->feasible()) return solution;
  const Extreme extreme = polyhedron_->minimize(c);
  solution.iterations = extreme.pivots;
  solution.violation = std::max(extreme.primal_residual, extreme.dual_residual);
  if (extreme.unbounded()) {
    solution.status = ConeStatus::kUnbounded;
    solution.x = -extreme.ray / c.dot(extreme.ray);
    solution.objective = solution.dual_objective = -kInfinity;
  } else if (extreme.optimal()) {
    solution.status = ConeStatus::kOptimal;
    solution.x = extreme.x;
    solution.y = extreme.y;
    solution.s = c - A_given_.transpose() * extreme.y;
    solution.s.head(free_).setZero();
    solution.objective = c.dot(extreme.x);
    solution.dual_objective = b_given_.dot(extreme.y);
    solution.gap = std::abs(solution.objective - solution.dual_objective) / (1.0 + std::abs(solution.objective));
  }
  return solution;
}

/// The equations are made exact (V has orthonormal columns); what is left is outside of K or gap.
void ConeProgram::take_solution(const SelfDualPoint& point, const VectorXd& c, const VectorXd& y_free,
                                ConeSolution& solution) const {
  VectorXd x = point.x / point.tau;
  x -= core_.V * (core_.V.transpose() * x - core_.g);
  solution.x = with_free(x, b_);
  solution.y = y_free + lift(point.y / point.tau);
  solution.s = c - A_.transpose() * solution.y;
  solution.s.head(free_).setZero();
  const VectorXd s = solution.s.tail(x.size());
  const double outside_x = std::max(0.0, -core_.cones.depth(x)) / (1.0 + largest(x));
  const double outside_s = std::max(0.0, -core_.cones.depth(s)) / (1.0 + largest(s));
  solution.violation = std::max(outside_x, outside_s);
  solution.objective = c.dot(solution.x);
  solution.dual_objective = b_.dot(solution.y);
  solution.gap = std::abs(solution.objective - solution.dual_objective) / (1.0 + std::abs(solution.objective));
  const bool good = solution.violation <= kConeTolerance && solution.gap <= kConeTolerance;
  solution.status = good ? ConeStatus::kOptimal : ConeStatus::kUndecided;
}

/// Not relative to the size of s: with b'y = 1, a violation delta says that a feasible x is at least of size 1/delta, whatever s is.
void ConeProgram::take_certificate(const SelfDualPoint& point, const VectorXd& c_cone, ConeSolution& solution) const {
  const ConeProduct& cones = core_.cones;
  if (const double value = core_.g.dot(point.y); value > 0.0) {
    const VectorXd y = point.y / value, s = -core_.V * y;
    const double outside = std::max(0.0, -cones.depth(s));
    if (outside <= kStricter * kConeTolerance) {
      solution.status = ConeStatus::kInfeasible;
      solution.y = lift(y);
      solution.s = -A_.transpose() * solution.y;
      solution.violation = outside;
      return;
    }
  }
  VectorXd x = point.x - core_.V * (core_.V.transpose() * point.x);
  if (const double value = -c_cone.dot(x); value > 0.0) {
    x /= value;
    const double outside = std::max(0.0, -cones.depth(x));
    if (outside <= kStricter * kConeTolerance) {
      solution.status = ConeStatus::kUnbounded;
      solution.x = with_free(x, VectorXd::Zero(b_.size()));
      solution.violation = outside;
    }
  }
}

VectorXd ConeProgram::lift(const VectorXd& y_core) const {
  return complement_ * least_squares(reduced_.transpose(), y_core);
}

VectorXd ConeProgram::with_free(const VectorXd& x_cone, const VectorXd& b) const {
  VectorXd x(A_.cols());
  x << least_squares(A_.leftCols(free_), b - A_.rightCols(x_cone.size()) * x_cone), x_cone;
  return x;
}

ConeSolution ConeProgram::rows_contradict() const {
  ConeSolution solution;
  solution.status = ConeStatus::kInfeasible;
  solution.y = contradiction_ / contradiction_.dot(b_);
  unscale(VectorXd::Zero(A_.cols()), 1.0, solution);
  return solution;
}

ConeSolution ConeProgram::free_objective_falls(const VectorXd& direction, const VectorXd& c_given) const {
  ConeSolution solution;
  solution.status = ConeStatus::kUnbounded;
  solution.x = VectorXd::Zero(A_.cols());
  solution.x.head(free_) = direction;
  unscale(c_given, 1.0, solution);
  return solution;
}

void ConeProgram::unscale(const VectorXd& c, double c_size, ConeSolution& solution) const {
  switch (solution.status) {
    case ConeStatus::kInfeasible: {
      const VectorXd y = row_.cwiseProduct(solution.y);
      solution.y = y / b_given_.dot(y);
      solution.s = -A_given_.transpose() * solution.y;
      solution.s.head(free_).setZero();
      solution.x.resize(0);
      solution.objective = kInfinity;
      solution.gap = 0.0;
      return;
    }
    case ConeStatus::kUnbounded: {
      const VectorXd x = column_.cwiseProduct(solution.x);
      solution.x = -x / c.dot(x);
      solution.y.resize(0);
      solution.s.resize(0);
      solution.objective = -kInfinity;
      solution.dual_objective = -kInfinity;
      solution.gap = 0.0;
      return;
    }
    default:
      solution.x = b_size_ * column_.cwiseProduct(solution.x);
      solution.y = c_size * row_.cwiseProduct(solution.y);
      solution.s = c_size * solution.s.cwiseQuotient(column_);
      solution.objective = c.dot(solution.x);
      solution.dual_objective = b_given_.dot(solution.y);
  }
}

}  // namespace tippe
