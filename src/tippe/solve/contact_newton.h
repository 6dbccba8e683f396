// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/solve/newton_system.h"
#include "tippe/solve/sweeper.h"

namespace tippe {

/// Semismooth Newton's method on the equations of Alart and Curnier: with y = r - u,
///
///   F_N = r_N - max(0, y_N) ,   F_T = r_T - P(y_T)   P the projection on the disc of radius mu max(0, y_N)
///
/// (lines: F = r - clamp(y)). The equations (A (W + e) + B) dr = -F, A = dF/du, B = dF/dr, are regularised by e, which grows when a
/// step is refused and shrinks after a good one: W is often rank deficient. Fast near a solution, lost far from one.
class ContactNewton {
 public:
  void prepare(const NormalForm& form);

  /// From now on the equations are those of the proximal problem at a centre c, W + e instead of W and q - e c instead of q: regular
  /// whatever W is, and solved by c itself where c solves the given one.
  void set_centre(const KeptVector& c, double e);

  /// One step with its line search on |F|, r in and out. False if no step decreased |F|; then r is left alone.
  bool step(KeptVector& r);

  /// Of one factorization, see NewtonSystem.
  [[nodiscard]] double work();

  /// |F| of the last iterate.
  [[nodiscard]] double merit() const { return merit_; }
  /// F and |F| at r.
  double evaluate(const KeptVector& r);

 private:
  void prepare_system();
  void evaluate_derivatives(const KeptVector& r);

  const NormalForm* form_ = nullptr;
  NewtonSystem system_;
  KeptVector u_, kinetic_, F_, minus_F_, trial_;
  Eigen::VectorXd dr_;
  KeptVector centre_;  // of the proximal problem
  bool proximal_ = false;
  double e_ = 1e-6;
  double merit_ = -1.0;
  bool prepared_ = false;  // the system, on first use
};

}  // namespace tippe
