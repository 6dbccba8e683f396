// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/linear_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// By p, or by the matrices where there is none.
Index variables_of(const LinearProgram& program) {
  return program.p.size() > 0 ? program.p.size() : std::max(program.A_eq.cols(), program.A_in.cols());
}

/// { (x, s) : A_eq x = b_eq, A_in x + s = b_in, s >= 0 }
Polyhedron with_slacks(const LinearProgram& program) {
  const Index n = variables_of(program), n_eq = program.b_eq.size(), n_in = program.b_in.size();
  const auto require = [n](const char* name, const MatrixXd& A, Index rows) {
    if (A.rows() != rows || (A.cols() != n && rows > 0))
      throw InputError({}, fmt::format("{} is {} x {} and must be {} x {}: the size of its right side by that of p", name,
                                       A.rows(), A.cols(), rows, n));
  };
  require("A_eq", program.A_eq, n_eq);
  require("A_in", program.A_in, n_in);
  MatrixXd A = MatrixXd::Zero(n_eq + n_in, n + n_in);
  if (n_eq > 0) A.topLeftCorner(n_eq, n) = program.A_eq;
  if (n_in > 0) A.bottomLeftCorner(n_in, n) = program.A_in;
  A.bottomRightCorner(n_in, n_in).setIdentity();
  VectorXd b(n_eq + n_in);
  b << program.b_eq, program.b_in;
  std::vector<bool> nonnegative(static_cast<size_t>(n), false);
  nonnegative.resize(static_cast<size_t>(n + n_in), true);
  return {A, b, nonnegative};
}

}  // namespace

LinearSet::LinearSet(const LinearProgram& program)
    : n_(variables_of(program)), n_eq_(program.b_eq.size()), n_in_(program.b_in.size()), set_(with_slacks(program)) {}

ProgramSolution LinearSet::point() const {
  ProgramSolution solution;
  solution.status = set_.status();
  solution.pivots = set_.pivots();
  if (set_.feasible()) {
    solution.x = set_.point().head(n_);
    solution.y_eq = VectorXd::Zero(n_eq_);
    solution.y_in = VectorXd::Zero(n_in_);
  } else if (solution.status == ProgramStatus::kInfeasible) {
    solution.y_eq = -set_.farkas().head(n_eq_);
    solution.y_in = (-set_.farkas().tail(n_in_)).cwiseMax(0.0);
    solution.objective = kInfinity;
    solution.certificate_gap = set_.farkas_gap();
  }
  return solution;
}

ProgramSolution LinearSet::minimize(const VectorXd& p) {
  ProgramSolution solution = point();
  if (!set_.feasible()) return solution;
  VectorXd cost = VectorXd::Zero(n_ + n_in_);
  cost.head(n_) = p;
  const Extreme extreme = set_.minimize(cost);
  solution.status = extreme.status;
  solution.objective = extreme.value;
  solution.pivots += extreme.pivots;
  if (extreme.x.size() == 0) return solution;
  solution.x = extreme.x.head(n_);
  solution.kkt_residual = std::max(extreme.primal_residual, extreme.dual_residual);
  if (extreme.unbounded()) {
    solution.direction = extreme.ray.head(n_);
    solution.certificate_gap = -p.dot(solution.direction);
  } else if (extreme.y.size() > 0) {
    solution.y_eq = -extreme.y.head(n_eq_);
    solution.y_in = (-extreme.y.tail(n_in_)).cwiseMax(0.0);
    for (Index i = 0; i < n_in_; ++i) {
      if (extreme.x[n_ + i] == 0.0) solution.active.push_back(static_cast<int>(i));
    }
  }
  return solution;
}

}  // namespace tippe
