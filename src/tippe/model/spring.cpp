// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/spring.h"

namespace tippe {

void add_spring(const Spring& spring, const MovingPoint& a, const MovingPoint& b, LagrangianDescription& description) {
  ExprGraph& graph = *description.graph;
  const Vector3 d = b.position - a.position, d_rate = b.velocity - a.velocity;
  const Expr squared = dot(d, d);
  const Expr half_k = graph.constant(0.5 * spring.stiffness), half_c = graph.constant(0.5 * spring.damping);
  Expr V = half_k * squared, D = half_c * dot(d_rate, d_rate);
  if (spring.length > 0.0) {
    const Expr stretch = graph.apply(Op::kSqrt, squared) - graph.constant(spring.length);
    const Expr along = dot(d, d_rate);
    V = half_k * (stretch * stretch);
    D = half_c * (along * along / squared);
  }
  description.potential = description.potential + V;
  if (spring.damping > 0.0) description.damping = description.damping.valid() ? description.damping + D : D;
}

}  // namespace tippe
