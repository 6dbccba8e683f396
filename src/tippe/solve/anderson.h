// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>

#include "tippe/core/kept_vector.h"

namespace tippe {

/// Anderson acceleration of a fixed-point iteration x := g(x): the next x is the combination of the last g(x) whose increments
/// f = g(x) - x cancel best,
///
///   gamma = argmin |f - dF gamma|^2 + small |gamma|^2 ,     x_next = g - dG gamma
///
/// with the differences dF, dG of the last iterates. For linear iterations it is as good as GMRES; across a change of active
/// constraints it may go astray, which shows in |f| and makes it start anew from the best iterate.
class AndersonAcceleration {
 public:
  /// Forgets everything; the first iterate comes next.
  void restart();

  /// Given x and g = g(x), replaces g by the next x. Returns false if it went back to the best iterate instead.
  bool accelerate(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> g);

 private:
  static constexpr int kDepth = 10;
  static constexpr double kAstray = 3.0;  // |f| beyond this multiple of the best: start anew

  std::array<KeptVector, kDepth> dF_, dG_;
  KeptVector last_f_, last_g_, best_g_, f_;
  double best_ = -1.0;  // smallest |f| so far
  int stored_ = 0;      // columns in use
  int next_ = 0;        // column to be overwritten
  bool first_ = true;
};

}  // namespace tippe
