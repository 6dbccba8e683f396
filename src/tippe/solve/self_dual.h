// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/cone_scaling.h"

namespace tippe {

/// min c'x, V'x = g, x in K  and its dual  max g'y, V y + s = c, s in K, with orthonormal columns of V.
struct OrthonormalConeProgram {
  ConeProduct cones;
  Eigen::MatrixXd V;
  Eigen::VectorXd g;
};

/// Where the iteration ended: (x, y, s) / tau is nearly optimal if tau >> kappa; y proves that there is no x if g'y > 0, x that the
/// objective has no bound if c'x < 0, as far as the residuals say.
struct SelfDualPoint {
  Eigen::VectorXd x, y, s;
  double tau = 1.0, kappa = 1.0;
  int iterations = 0;
};

/// The homogeneous self-dual model of Goldman and Tucker by a predictor-corrector method with Nesterov-Todd scaling, until nothing
/// gets better: the point with the least relative error of a solution or of a certificate.
[[nodiscard]] SelfDualPoint solve_self_dual(const OrthonormalConeProgram& program, const Eigen::VectorXd& c);

}  // namespace tippe
