// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/quadratic_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/core/largest.h"
#include "tippe/core/tolerances.h"
#include "tippe/solve/linear_program.h"
#include "tippe/solve/pivoting.h"
#include "tippe/solve/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void require_fit(const QuadraticProgram& program) {
  const auto n = program.p.size();
  const auto require = [](const char* name, const MatrixXd& A, Eigen::Index rows, Eigen::Index columns) {
    if (A.rows() != rows || A.cols() != columns)
      throw InputError({}, fmt::format("{} is {} x {} and must be {} x {}: the size of its right side by that of p", name,
                                       A.rows(), A.cols(), rows, columns));
  };
  require("Q", program.Q, n, n);
  require("A_eq", program.A_eq, program.b_eq.size(), n);
  require("A_in", program.A_in, program.b_in.size(), n);
}

bool is_finite(const QuadraticProgram& program) {
  return program.Q.allFinite() && program.p.allFinite() && program.A_eq.allFinite() && program.b_eq.allFinite() &&
         program.A_in.allFinite() && program.b_in.allFinite();
}

void require_convex(const MatrixXd& Q) {
  if (Q.size() == 0) return;
  const double size = Q.cwiseAbs().maxCoeff();
  if (size == 0.0) return;
  const double asymmetry = (Q - Q.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > kAsymmetry * size)
    throw InputError({}, fmt::format("Q differs from Q' by {:g} and must be symmetric", asymmetry));
  const double smallest = symmetric_eigenvalues(Q)[0];
  if (smallest < -kNegativeEigenvalue * size)
    throw InputError({}, fmt::format("Q has the eigenvalue {:g} and must be positive semidefinite", smallest));
}

/// The KKT conditions, u = (x, y_eq), v = y_in.
MixedProblem kkt_conditions(const QuadraticProgram& program) {
  const auto n = program.p.size(), n_eq = program.b_eq.size(), n_in = program.b_in.size();
  MixedProblem kkt;
  kkt.K = MatrixXd::Zero(n + n_eq + n_in, n + n_eq + n_in);
  kkt.K.topLeftCorner(n, n) = program.Q;
  kkt.K.block(0, n, n, n_eq) = program.A_eq.transpose();
  kkt.K.block(0, n + n_eq, n, n_in) = program.A_in.transpose();
  kkt.K.block(n, 0, n_eq, n) = -program.A_eq;
  kkt.K.block(n + n_eq, 0, n_in, n) = -program.A_in;
  kkt.k.resize(n + n_eq + n_in);
  kkt.k << program.p, program.b_eq, program.b_in;
  kkt.free = static_cast<int>(n + n_eq);
  return kkt;
}

/// Positive factors of the constraint rows and the variables: the program in x~ = x / column with rows multiplied by `row`.
struct Scaling {
  VectorXd variable, row_eq, row_in;
};

/// The program in equilibrated data. K stays skew apart from Q: the factor of a multiplier is that of its row.
QuadraticProgram scaled(const QuadraticProgram& program, Scaling& scaling) {
  const auto n = program.p.size(), n_eq = program.b_eq.size(), n_in = program.b_in.size();
  MatrixXd A(n_eq + n_in, n);
  A << program.A_eq, program.A_in;
  VectorXd row = VectorXd::Ones(n_eq + n_in), column = VectorXd::Ones(n);
  for (int pass = 0; pass < 10; ++pass) {
    const MatrixXd B = row.asDiagonal() * A * column.asDiagonal();
    for (Eigen::Index i = 0; i < B.rows() && n > 0; ++i) {
      const double largest = B.row(i).cwiseAbs().maxCoeff();
      if (largest > 0.0) row[i] /= std::sqrt(largest);
    }
    for (Eigen::Index j = 0; j < n; ++j) {
      const double largest = B.rows() > 0 ? B.col(j).cwiseAbs().maxCoeff() : 0.0;
      const double curvature = column[j] * std::sqrt(std::max(0.0, program.Q(j, j)));
      if (largest > 0.0)
        column[j] /= std::sqrt(largest);
      else if (curvature > 0.0)
        column[j] /= curvature;
    }
  }
  const auto power = [](double s) { return 1.0 / inverse_power_of_two(s); };
  row = row.unaryExpr(power).eval();
  column = column.unaryExpr(power).eval();
  scaling = {column, row.head(n_eq), row.tail(n_in)};
  return {column.asDiagonal() * program.Q * column.asDiagonal(),
          column.cwiseProduct(program.p),
          scaling.row_eq.asDiagonal() * program.A_eq * column.asDiagonal(),
          scaling.row_eq.cwiseProduct(program.b_eq),
          scaling.row_in.asDiagonal() * program.A_in * column.asDiagonal(),
          scaling.row_in.cwiseProduct(program.b_in)};
}

/// Largest violation of the mixed conditions, relative to 1 + max |x|.
double kkt_error(const MixedProblem& kkt, const VectorXd& x) {
  if (!x.allFinite()) return kInfinity;
  if (x.size() == 0) return 0.0;
  VectorXd y = kkt.K * x + kkt.k;
  y.tail(kkt.pairs()) = y.tail(kkt.pairs()).cwiseMin(x.tail(kkt.pairs()));
  return y.cwiseAbs().maxCoeff() / (1.0 + x.cwiseAbs().maxCoeff());
}

struct Optimum {
  VectorXd x;  // (x, y_eq, y_in) of the scaled program
  double error = kInfinity;
  std::vector<bool> active;
};

void keep_better(const MixedProblem& kkt, VectorXd x, const std::vector<bool>& active, Optimum& best) {
  x.tail(kkt.pairs()) = x.tail(kkt.pairs()).cwiseMax(0.0);
  const double error = kkt_error(kkt, x);
  if (error < best.error) best = {std::move(x), error, active};
}

/// Optimum of a program in equilibrated data, if it has one.
Optimum find_optimum(const QuadraticProgram& program, int& pivots) {
  const ScaledProblem kkt = equilibrate(kkt_conditions(program));
  Optimum best;
  constexpr int kAttempts = 5;  // with other covering vectors, should round-off spoil a path
  for (int attempt = 0; attempt < kAttempts && best.error > kProgramTolerance; ++attempt) {
    const PivotingResult result = solve_by_pivoting(kkt.problem, attempt, 0);
    pivots += result.pivots;
    if (result.outcome != LemkeOutcome::kSolution) continue;
    keep_better(kkt.problem, result.x, result.active, best);
    keep_better(kkt.problem, solve_basis(kkt.problem, result.active), result.active, best);
  }
  if (best.x.size() > 0) best.x = kkt.original(best.x);
  return best;
}

/// min p'd: directions of the scaled program with |d_i| <= 1. Always feasible and bounded.
LinearProgram steepest_recession(const QuadraticProgram& program) {
  const auto n = program.p.size(), n_eq = program.b_eq.size(), n_in = program.b_in.size();
  LinearProgram recession;
  recession.p = program.p;
  recession.A_eq.resize(n + n_eq, n);
  recession.A_eq << program.Q, program.A_eq;
  recession.b_eq = VectorXd::Zero(n + n_eq);
  recession.A_in.resize(n_in + 2 * n, n);
  recession.A_in << program.A_in, MatrixXd::Identity(n, n), -MatrixXd::Identity(n, n);
  recession.b_in.resize(n_in + 2 * n);
  recession.b_in << VectorXd::Zero(n_in), VectorXd::Ones(2 * n);
  return recession;
}

/// The program with its scaled copy.
class Solver {
 public:
  explicit Solver(const QuadraticProgram& program) : program_(program), scaled_(scaled(program, scaling_)) {
    // Right sides of size 1; x and the multipliers of the constraints have units of their own.
    const double b = inverse_power_of_two(std::max(largest(scaled_.b_eq), largest(scaled_.b_in)));
    const double curvature = program.Q.size() > 0 ? scaled_.Q.cwiseAbs().maxCoeff() / b : 0.0;
    const double p = inverse_power_of_two(std::max(largest(scaled_.p), curvature));
    scaled_.b_eq *= b;
    scaled_.b_in *= b;
    scaled_.p *= p;
    scaled_.Q *= p / b;
    unit_x_ = 1.0 / b;
    unit_y_ = 1.0 / p;
  }

  ProgramSolution optimum() {
    const Optimum best = find_optimum(scaled_, solution_.pivots);
    if (best.error <= kProgramTolerance) {
      finish_optimal(best);
      return solution_;
    }
    if (find_infeasibility() || find_unboundedness()) return solution_;
    if (best.x.size() > 0) finish_optimal(best);
    solution_.status = ProgramStatus::kFailed;
    return solution_;
  }

 private:
  void finish_optimal(const Optimum& best) {
    const auto n = program_.p.size(), n_eq = program_.b_eq.size(), n_in = program_.b_in.size();
    solution_.status = ProgramStatus::kOptimal;
    solution_.kkt_residual = best.error;
    solution_.x = unit_x_ * scaling_.variable.cwiseProduct(best.x.head(n));
    solution_.y_eq = unit_y_ * scaling_.row_eq.cwiseProduct(best.x.segment(n, n_eq));
    solution_.y_in = unit_y_ * scaling_.row_in.cwiseProduct(best.x.tail(n_in));
    for (int i = 0; i < n_in; ++i) {
      if (best.active[static_cast<size_t>(i)]) solution_.active.push_back(i);
    }
    solution_.objective = solution_.x.dot(0.5 * (program_.Q * solution_.x) + program_.p);
  }

  /// True if y proves that no point satisfies all rows.
  bool find_infeasibility() {
    const ProgramSolution point = find_feasible_point({scaled_.p, scaled_.A_eq, scaled_.b_eq, scaled_.A_in, scaled_.b_in});
    solution_.pivots += point.pivots;
    feasible_ = point.optimal();
    if (feasible_) solution_.x = unit_x_ * scaling_.variable.cwiseProduct(point.x);
    if (point.status != ProgramStatus::kInfeasible) return false;
    solution_.status = ProgramStatus::kInfeasible;
    solution_.certificate_gap = point.certificate_gap;
    solution_.objective = kInfinity;
    solution_.y_eq = scaling_.row_eq.cwiseProduct(point.y_eq);
    solution_.y_in = scaling_.row_in.cwiseProduct(point.y_in);
    return true;
  }

  /// After find_infeasibility has found a feasible x.
  bool find_unboundedness() {
    if (!feasible_) return false;
    const ProgramSolution steepest = solve_linear_program(steepest_recession(scaled_));
    solution_.pivots += steepest.pivots;
    if (!steepest.optimal()) return false;
    const VectorXd& d = steepest.x;
    const double gap = -scaled_.p.dot(d);
    if (!(gap > kSmallestGap)) return false;
    const double defect =
        std::max({largest(scaled_.Q * d), largest(scaled_.A_eq * d), largest((scaled_.A_in * d).cwiseMax(0.0))});
    if (!(defect <= kLargestDefect * gap)) return false;
    solution_.status = ProgramStatus::kUnbounded;
    solution_.certificate_gap = gap;
    solution_.objective = -kInfinity;
    solution_.direction = scaling_.variable.cwiseProduct(d);
    return true;
  }

  const QuadraticProgram& program_;
  Scaling scaling_;
  QuadraticProgram scaled_;
  double unit_x_ = 1.0, unit_y_ = 1.0;  // x = unit_x variable x~, y = unit_y row y~
  bool feasible_ = false;
  ProgramSolution solution_;
};

/// Missing matrices become matrices without rows.
QuadraticProgram completed(QuadraticProgram program) {
  if (program.A_eq.size() == 0 && program.b_eq.size() == 0) program.A_eq.resize(0, program.p.size());
  if (program.A_in.size() == 0 && program.b_in.size() == 0) program.A_in.resize(0, program.p.size());
  return program;
}

}  // namespace

ProgramSolution solve_quadratic_program(const QuadraticProgram& given) {
  const QuadraticProgram program = completed(given);
  require_fit(program);
  if (!is_finite(program)) {
    ProgramSolution not_finite;
    not_finite.status = ProgramStatus::kNotFinite;
    return not_finite;
  }
  require_convex(program.Q);
  return Solver(program).optimum();
}

}  // namespace tippe
