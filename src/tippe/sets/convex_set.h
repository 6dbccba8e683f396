// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

namespace tippe {

/// Closed convex sets as values, for code that must not know which set it holds. Hot loops call the prox
/// functions of the single families instead.
struct HalfLine {};  // (-inf, 0]
struct Interval {
  double lower;
  double upper;
};
struct Box {
  Eigen::VectorXd lower;
  Eigen::VectorXd upper;
};
struct Ball {
  double radius;
  int dimension;
};
struct Ellipsoid {
  Eigen::VectorXd semi_axes;
};
struct FrictionCone {  // { (n, t) : |t| <= mu n }
  double mu;
  int dimension;  // 1 + number of tangential directions
};
struct DualFrictionCone {  // { (n, t) : mu |t| <= n }
  double mu;
  int dimension;
};
struct ProductSet;
using ConvexSet = std::variant<HalfLine, Interval, Box, Ball, Ellipsoid, FrictionCone, DualFrictionCone, ProductSet>;
struct ProductSet {  // C_1 x C_2 x ...
  std::vector<ConvexSet> factors;
};

[[nodiscard]] int dimension(const ConvexSet& set);

/// The nearest point of the set, prox_C(x), in the Euclidean norm. Moeller (2.8), (2.10).
[[nodiscard]] Eigen::VectorXd prox(const ConvexSet& set, const Eigen::VectorXd& x);

/// Whether x lies within `tolerance` (Euclidean distance) of the set.
[[nodiscard]] bool contains(const ConvexSet& set, const Eigen::VectorXd& x, double tolerance = 0.0);

/// A^-1 C for A = diag(scale), scale > 0: the set in the coordinates x_hat = A^-1 x, in which an ellipsoid can be a ball.
///   y in N_C(x)  <=>  A'y in N_{A^-1 C}(A^-1 x)                                               Moeller (2.20), (2.26)
/// A cone needs equal scales on its tangential directions; anything else throws std::invalid_argument.
[[nodiscard]] ConvexSet inverse_image(const ConvexSet& set, const Eigen::VectorXd& scale);

}  // namespace tippe
