// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cassert>

namespace tippe {

/// prox of the friction cone K = { (n, t) : |t| <= mu n }, normal first, mu >= 0; for mu = 0 it is the half line n >= 0, t = 0.
/// The cases are tested in the order of the neutral residual (docs/theory/inclusion.md). Moeller (3.108), reflected.
template <class X>
[[nodiscard]] typename X::PlainObject prox_friction_cone(const Eigen::MatrixBase<X>& x, double mu) {
  assert(mu >= 0.0);
  typename X::PlainObject p = x;
  const double normal = x[0];
  const double tangential = x.tail(x.size() - 1).norm();
  // With mu = 0 the line n < 0, t = 0 fulfils the second condition too.
  if (normal >= 0.0 && tangential <= mu * normal) return p;
  if (mu * tangential <= -normal) {
    p.setZero();
    return p;
  }
  const double s = (normal + mu * tangential) / (1.0 + mu * mu);
  p[0] = s;
  if (tangential > 0.0) p.tail(x.size() - 1) *= mu * s / tangential;
  return p;
}

/// prox of the dual cone K* = { (n, t) : mu |t| <= n }; for mu = 0 it is the half space n >= 0. Moreau's
/// decomposition x = prox_K*(x) - prox_K(-x) would lose digits where the two nearly cancel.
template <class X>
[[nodiscard]] typename X::PlainObject prox_dual_friction_cone(const Eigen::MatrixBase<X>& x, double mu) {
  assert(mu >= 0.0);
  typename X::PlainObject p = x;
  const double normal = x[0];
  const double tangential = x.tail(x.size() - 1).norm();
  if (mu * tangential <= normal) return p;
  if (tangential <= -mu * normal) {
    p.setZero();
    return p;
  }
  const double s = (mu * normal + tangential) / (1.0 + mu * mu);
  p[0] = mu * s;
  p.tail(x.size() - 1) *= s / tangential;  // tangential > 0, else one of the cases above
  return p;
}

}  // namespace tippe
