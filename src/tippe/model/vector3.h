// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>

#include "tippe/expr/graph.h"

namespace tippe {

/// A vector in space whose components are expressions of one graph.
using Vector3 = std::array<Expr, 3>;

[[nodiscard]] inline Vector3 constant(ExprGraph& graph, const Eigen::Vector3d& value) {
  return {graph.constant(value[0]), graph.constant(value[1]), graph.constant(value[2])};
}
[[nodiscard]] inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
[[nodiscard]] inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
[[nodiscard]] inline Vector3 operator*(Expr factor, const Vector3& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
[[nodiscard]] inline Vector3 operator*(double factor, const Vector3& a) {
  return a[0].graph().constant(factor) * a;
}
[[nodiscard]] inline Expr dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
[[nodiscard]] inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace tippe
