// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/solve/linear_program.h"
#include "tippe/solve/mixed_problem.h"

namespace tippe {

/// Goes through all choices of a zero in each pair, x_i = 0 or y_i = 0, depth first. Every node is a linear program: if the decided
/// pairs already contradict the inequalities, all choices below are excluded together by its Farkas vector. Singular bases
/// need no care, because the programs know no bases. Wants equilibrated data.
class ComplementarityEnumeration {
 public:
  ComplementarityEnumeration(const MixedProblem& problem, int max_programs);

  struct Case {
    Eigen::VectorXd x;  // feasible and, as far as the program is exact, complementary; empty if there is no further one
    std::vector<bool> active;  // y_i = 0 (true) or x_i = 0 (false)
  };
  /// The next solution.
  [[nodiscard]] Case next();

  /// Whether all choices were excluded by proofs. False also if some case was found by next().
  [[nodiscard]] bool complete() const { return open_.empty() && proved_; }
  [[nodiscard]] int programs() const { return programs_; }
  [[nodiscard]] int infeasible() const { return infeasible_; }
  [[nodiscard]] double margin() const { return margin_; }  // smallest gap of all Farkas vectors

 private:
  enum class Choice : char { kOpen, kXZero, kYZero };
  using Node = std::vector<Choice>;
  struct Point {
    ProgramStatus status;
    Eigen::VectorXd x;  // zero unless kOptimal
  };
  Point feasible_point(const Node& node);
  double branch(const Node& node, const Eigen::VectorXd& x, const Eigen::VectorXd& y);
  [[nodiscard]] Case case_of(const Node& node, const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;

  const MixedProblem& problem_;
  int max_programs_;
  std::vector<Node> open_;
  bool proved_ = true;
  int programs_ = 0, infeasible_ = 0;
  double margin_ = -1.0;
};

}  // namespace tippe
