// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/complementarity_enumeration.h"

#include <algorithm>

#include "tippe/solve/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ComplementarityEnumeration::ComplementarityEnumeration(const MixedProblem& problem, int max_programs)
    : problem_(problem), max_programs_(max_programs), open_{Node(static_cast<size_t>(problem.pairs()), Choice::kOpen)} {}

ComplementarityEnumeration::Case ComplementarityEnumeration::next() {
  while (!open_.empty() && programs_ < max_programs_) {
    const Node node = open_.back();
    open_.pop_back();
    const Point point = feasible_point(node);
    if (point.status == ProgramStatus::kInfeasible) continue;
    const VectorXd y = problem_.K * point.x + problem_.k;
    const double worst = branch(node, point.x, y);
    if (point.status == ProgramStatus::kOptimal && worst <= kProgramTolerance) return case_of(node, point.x, y);
  }
  return {};
}

/// A point that obeys what is decided in the node and all inequalities.
ComplementarityEnumeration::Point ComplementarityEnumeration::feasible_point(const Node& node) {
  const int n = problem_.size(), nu = problem_.free;
  // Variables that are zero are left out; x_i >= 0, y_i >= 0 or y_i = 0 for the others.
  std::vector<int> kept, equal, unequal, positive;
  for (int i = 0; i < n; ++i) {
    const Choice choice = i < nu ? Choice::kYZero : node[static_cast<size_t>(i - nu)];
    (choice == Choice::kYZero ? equal : unequal).push_back(i);
    if (choice == Choice::kXZero) continue;
    if (i >= nu) positive.push_back(static_cast<int>(kept.size()));
    kept.push_back(i);
  }
  const auto n_unequal = static_cast<Eigen::Index>(unequal.size()), n_positive = static_cast<Eigen::Index>(positive.size());
  LinearProgram program;
  program.A_eq = problem_.K(equal, kept);
  program.b_eq = -problem_.k(equal);
  program.A_in = MatrixXd::Zero(n_unequal + n_positive, static_cast<Eigen::Index>(kept.size()));
  program.A_in.topRows(n_unequal) = -problem_.K(unequal, kept);
  for (Eigen::Index i = 0; i < n_positive; ++i) program.A_in(n_unequal + i, positive[static_cast<size_t>(i)]) = -1.0;
  program.b_in = VectorXd::Zero(n_unequal + n_positive);
  program.b_in.head(n_unequal) = problem_.k(unequal);
  const ProgramSolution found = find_feasible_point(program);
  ++programs_;
  if (found.status == ProgramStatus::kInfeasible) {
    ++infeasible_;
    margin_ = margin_ < 0.0 ? found.certificate_gap : std::min(margin_, found.certificate_gap);
  }
  Point point{found.status, VectorXd::Zero(n)};
  if (found.status == ProgramStatus::kOptimal) point.x(kept) = found.x;
  return point;
}

/// Opens the two nodes below, at the open pair where complementarity is violated most; without a point (round-off) at the first.
/// Returns by how much it is violated there; negative if no pair is open.
double ComplementarityEnumeration::branch(const Node& node, const VectorXd& x, const VectorXd& y) {
  const int nu = problem_.free;
  int branch = -1;
  double worst = -1.0;
  for (int i = 0; i < problem_.pairs(); ++i) {
    if (node[static_cast<size_t>(i)] != Choice::kOpen) continue;
    const double violation = std::min(x[nu + i], y[nu + i]);
    if (violation > worst || branch < 0) worst = violation, branch = i;
  }
  if (branch < 0) {
    proved_ = false;
    return worst;
  }
  Node zero_x = node, zero_y = node;
  zero_x[static_cast<size_t>(branch)] = Choice::kXZero;
  zero_y[static_cast<size_t>(branch)] = Choice::kYZero;
  const bool prefer_x = x[nu + branch] <= y[nu + branch];
  open_.push_back(prefer_x ? zero_y : zero_x);
  open_.push_back(prefer_x ? zero_x : zero_y);
  return worst;
}

ComplementarityEnumeration::Case ComplementarityEnumeration::case_of(const Node& node, const VectorXd& x,
                                                                     const VectorXd& y) const {
  const int nu = problem_.free;
  Case found{x, std::vector<bool>(node.size())};
  for (int i = 0; i < problem_.pairs(); ++i) {
    const Choice choice = node[static_cast<size_t>(i)];
    found.active[static_cast<size_t>(i)] = choice == Choice::kYZero || (choice == Choice::kOpen && x[nu + i] > y[nu + i]);
  }
  return found;
}

}  // namespace tippe
