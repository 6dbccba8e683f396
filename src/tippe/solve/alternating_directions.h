// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/newton_system.h"
#include "tippe/solve/normal_form.h"

namespace tippe {

/// The alternating direction method of multipliers on the problem as De Saxce writes it,
///
///   K  contains r ,   K* contains u^ = W r + q + s ,   r . u^ = 0 ,   s = mu |u_T| along the normals ,
///
/// in turns in the linear equations and in the cones, with the multiplier u^ = -rho y between them, from which s is taken:
///
///   (W + rho) x = rho (z - y) - q - s ,   z = P_K(a x + (1 - a) z + y) ,   y := y + a x + (1 - a) z_before - z
///
/// One factorization, then a solution a step. Where contacts jam, forces must grow along the null space of W until another contact slips, and
/// sweeps go there by steps as small as the residual; here they are 1/rho times as large, and no status of a contact is guessed.
class AlternatingDirections {
 public:
  /// Lines and cones; the form must outlive this.
  [[nodiscard]] static bool applies(const NormalForm& form);
  /// From r on. False if W + rho is singular.
  [[nodiscard]] bool prepare(const NormalForm& form, const KeptVector& r, double rho);
  void step();
  /// z, which lies in K.
  [[nodiscard]] const KeptVector& iterate() const { return z_; }

 private:
  void add_slip(Eigen::VectorXd& right_side) const;

  const NormalForm* form_ = nullptr;
  NewtonSystem system_;
  double rho_ = 0.0;
  KeptVector z_, y_, u_, kinetic_;
  Eigen::VectorXd right_side_, x_;
};

}  // namespace tippe
