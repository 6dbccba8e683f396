// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/complementarity_enumeration.h"

#include <algorithm>

#include "tippe/solve/linear_program.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ComplementarityEnumeration::ComplementarityEnumeration(const MixedProblem& problem, int max_programs)
    : problem_(problem), max_programs_(max_programs), open_{Node(static_cast<size_t>(problem.pairs()), Choice::kOpen)} {}

ComplementarityEnumeration::Case ComplementarityEnumeration::next() {
  const int n = problem_.size(), nu = problem_.free, nv = problem_.pairs();
  while (!open_.empty() && programs_ < max_programs_) {
    const Node node = open_.back();
    open_.pop_back();
    // Variables that are zero are left out; x_i >= 0, y_i >= 0 or y_i = 0 for the others.
    std::vector<int> kept, equal, unequal, positive;
    for (int i = 0; i < n; ++i) {
      const Choice choice = i < nu ? Choice::kYZero : node[static_cast<size_t>(i - nu)];
      (choice == Choice::kYZero ? equal : unequal).push_back(i);
      if (choice == Choice::kXZero) continue;
      if (i >= nu) positive.push_back(static_cast<int>(kept.size()));
      kept.push_back(i);
    }
    const auto n_unequal = static_cast<Eigen::Index>(unequal.size()),
               n_positive = static_cast<Eigen::Index>(positive.size());
    LinearProgram program;
    program.A_eq = problem_.K(equal, kept);
    program.b_eq = -problem_.k(equal);
    program.A_in = MatrixXd::Zero(n_unequal + n_positive, static_cast<Eigen::Index>(kept.size()));
    program.A_in.topRows(n_unequal) = -problem_.K(unequal, kept);
    for (Eigen::Index i = 0; i < n_positive; ++i) program.A_in(n_unequal + i, positive[static_cast<size_t>(i)]) = -1.0;
    program.b_in = VectorXd::Zero(n_unequal + n_positive);
    program.b_in.head(n_unequal) = problem_.k(unequal);
    const ProgramSolution point = find_feasible_point(program);
    ++programs_;
    if (point.status == ProgramStatus::kInfeasible) {
      ++infeasible_;
      margin_ = margin_ < 0.0 ? point.certificate_gap : std::min(margin_, point.certificate_gap);
      continue;
    }
    VectorXd x = VectorXd::Zero(n);
    if (point.status == ProgramStatus::kOptimal) x(kept) = point.x;
    const VectorXd y = problem_.K * x + problem_.k;
    // Branch where complementarity is violated most; without a point (round-off) on the first open pair.
    int branch = -1;
    double worst = -1.0;
    for (int i = 0; i < nv; ++i) {
      if (node[static_cast<size_t>(i)] != Choice::kOpen) continue;
      const double violation = std::min(x[nu + i], y[nu + i]);
      if (violation > worst || branch < 0) worst = violation, branch = i;
    }
    if (branch >= 0) {
      Node zero_x = node, zero_y = node;
      zero_x[static_cast<size_t>(branch)] = Choice::kXZero;
      zero_y[static_cast<size_t>(branch)] = Choice::kYZero;
      const bool prefer_x = x[nu + branch] <= y[nu + branch];
      open_.push_back(prefer_x ? zero_y : zero_x);
      open_.push_back(prefer_x ? zero_x : zero_y);
    } else {
      proved_ = false;
    }
    if (point.status == ProgramStatus::kOptimal && (branch < 0 || worst <= 1e-9)) {
      Case found{std::move(x), std::vector<bool>(static_cast<size_t>(nv))};
      for (int i = 0; i < nv; ++i) {
        const Choice choice = node[static_cast<size_t>(i)];
        found.active[static_cast<size_t>(i)] =
            choice == Choice::kYZero || (choice == Choice::kOpen && found.x[nu + i] > y[nu + i]);
      }
      return found;
    }
  }
  return {};
}

}  // namespace tippe
