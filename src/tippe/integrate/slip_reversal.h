// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/motion_laws.h"

namespace tippe {

/// Friction that acts on the displacement of a step cannot stop a slip within it: where it holds, gamma_E = -gamma_C. A law whose slip
/// turned round is therefore solved once more with friction on the end velocity, which stops it; but if that friction would feed
/// energy in, the displacement is kept. So every law takes energy, whatever its friction acts on.
class SlipReversal {
 public:
  /// Both must outlive it.
  SlipReversal(const ActiveLaws& active, MotionLaws& motion);

  /// A step begins: no law was tried on the end velocity yet.
  void begin();
  /// Whether the friction of a law must act on something else than in a solution with velocities u_C at its beginning, this end and path s. Tells the laws
  /// so. Each changes to the end velocity once at most, and back. `list`: of the step.
  bool find(const LawList& list, const Eigen::VectorXd& u_C, const State& end, const Eigen::VectorXd& path, double dt,
            Evaluator& evaluator);

 private:
  [[nodiscard]] bool turns_round(size_t a, int first_row, const Eigen::VectorXd& u_C, const Eigen::VectorXd& u_E) const;

  const ActiveLaws& active_;
  MotionLaws& motion_;
  std::vector<char> tried_;  // active laws
  SparseColumns directions_;
  std::vector<double> chi_;
};

}  // namespace tippe
