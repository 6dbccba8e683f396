// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/expr/program.h"
#include "tippe/model/lagrangian.h"

namespace tippe {

/// How the classical forces f of a Lagrangian system (potential, damping, given ones; not those of inertia) change with positions
/// and velocities: the symmetric parts of  K = -(df/dq) F  and  C = -df/du,  for M + theta dt C + theta^2 dt^2 K.
class ForceLinearization {
 public:
  explicit ForceLinearization(const LagrangianDescription& description);

  /// Where M, K or C can be non-zero, lower triangle; each entry once.
  [[nodiscard]] const std::vector<LowerEntry>& pattern() const { return pattern_; }
  /// values := M + of_C C + of_K K in the order of pattern(), at a state.
  void combine(std::span<const double> M, double of_C, double of_K, double t, const Eigen::VectorXd& q,
               const Eigen::VectorXd& u, std::vector<double>& values);

 private:
  LagrangianInputs inputs_;
  ExprProgram program_;
  std::vector<LowerEntry> pattern_;
  std::vector<int> M_place_, K_place_, C_place_;  // in the pattern; outputs are first K, then C
  int function_ = -1;
  std::vector<double> memory_, result_;
};

}  // namespace tippe
