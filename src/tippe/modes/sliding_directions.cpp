// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/sliding_directions.h"

#include <array>
#include <cmath>
#include <numbers>

#include "tippe/core/largest.h"
#include "tippe/core/polynomial_roots.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/verdict.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kVanishes = 1e-12;  // of the terms of the polynomial: every direction is a root
constexpr double kZero = 1e-14;      // of those terms, at a root

/// Positive if v points to the left of u.
double cross(const Vector2d& u, const Vector2d& v) {
  return v[1] * u[0] - v[0] * u[1];
}

/// Accelerations of the contact without its force, and what a normal force of 1 and friction of the size mu along each
/// tangent add.
struct Response {
  double gap = 0.0, gap_by_normal = 0.0;
  Vector2d gap_by_friction = Vector2d::Zero();
  Vector2d slip = Vector2d::Zero(), slip_by_normal = Vector2d::Zero();
  Matrix2d slip_by_friction = Matrix2d::Zero();

  /// cross(u, slip) times (d gap / d force), with force = -gap / (d gap / d force): zero where the slip is along u.
  [[nodiscard]] double misalignment(const Vector2d& u) const {
    return cross(u, slip) * (gap_by_normal + gap_by_friction.dot(u)) - gap * cross(u, slip_by_normal + slip_by_friction * u);
  }
  [[nodiscard]] double size() const {
    return slip.norm() * (std::abs(gap_by_normal) + gap_by_friction.norm()) +
           std::abs(gap) * (slip_by_normal.norm() + slip_by_friction.norm());
  }
};

std::optional<Response> response_of(const ContactModes& modes, std::span<const ContactChoice> given, size_t contact) {
  std::vector<ContactChoice> choices(given.begin(), given.end());
  const int sign = choices[contact].sign;
  choices[contact] = {.mode = ContactMode::kOpen};
  const ModeEquations equations = modes.equations_of(choices);
  const MatrixXd& K = equations.K;
  const Index n = K.rows() - equations.to_forces.cols();
  const SingularValues svd = decompose_singular(K);
  const double tolerance = rank_tolerance(K.cols());
  Index rank = 0;
  while (rank < svd.values.size() && svd.values[rank] > tolerance) ++rank;
  if (rank < K.cols() && largest(svd.V.rightCols(K.cols() - rank).topRows(n)) > kVerdictTolerance) return {};
  bool agrees = true;
  const auto motion = [&](const VectorXd& right) -> VectorXd {
    const VectorXd x = solve_least_norm(svd, right, tolerance);
    agrees = agrees && largest(K * x - right) <= kVerdictTolerance * std::max(largest(right), largest(x));
    return x.head(n);
  };
  const Index normal = modes.first_component(contact), tangent = modes.friction_component(contact);
  const auto force = [&](Index component, double size) {
    VectorXd right = VectorXd::Zero(K.rows());
    right.head(n) = size * modes.direction(component);
    return motion(right);
  };
  const double mu = modes.scaled_mu(contact);
  const VectorXd free = modes.relative_acceleration({motion(-equations.k), {}});
  const VectorXd rest = modes.relative_acceleration({VectorXd::Zero(n), {}});
  const auto added = [&](const VectorXd& acceleration) -> VectorXd {
    return modes.relative_acceleration({acceleration, {}}) - rest;
  };
  const VectorXd by_normal = added(force(normal, sign));
  Response response{free[normal], by_normal[normal]};
  response.slip = free.segment(tangent, 2);
  response.slip_by_normal = by_normal.segment(tangent, 2);
  for (Index t = 0; t < 2; ++t) {
    const VectorXd by_friction = added(force(tangent + t, -mu));
    response.gap_by_friction[t] = by_friction[normal];
    response.slip_by_friction.col(t) = by_friction.segment(tangent, 2);
  }
  return agrees ? std::optional(response) : std::nullopt;
}

/// (1 + t^2)^2 times the misalignment at the angle quarter * pi/2 + 2 atan(t), as a polynomial in t: by its values at
/// five places.
std::array<double, 5> quartic(const Response& response, int quarter) {
  const double turn = quarter * 0.5 * std::numbers::pi;
  const Vector2d first(std::cos(turn), std::sin(turn)), left(-first[1], first[0]);
  // The misalignment is a cos + b sin + c cos 2 + d sin 2 + e of the angle from `first`.
  const auto at = [&](double cosine, double sine) { return response.misalignment(cosine * first + sine * left); };
  const double root = std::sqrt(0.5), p0 = at(1, 0), p1 = at(0, 1), p2 = at(-1, 0), p3 = at(0, -1);
  const double a = 0.5 * (p0 - p2), b = 0.5 * (p1 - p3), c = 0.25 * (p0 - p1 + p2 - p3), e = 0.25 * (p0 + p1 + p2 + p3);
  const double d = 0.5 * (at(root, root) + at(-root, -root)) - e;
  // cos = (1 - t^2)/(1 + t^2), sin = 2 t/(1 + t^2), cos 2 = (1 - 6 t^2 + t^4)/(1 + t^2)^2, sin 2 = 4 t (1 - t^2)/(1 +
  // t^2)^2
  return {a + c + e, 2 * b + 4 * d, 2 * e - 6 * c, 2 * b - 4 * d, e + c - a};
}

}  // namespace

std::optional<std::vector<double>> sliding_directions(const ContactModes& modes, std::span<const ContactChoice> choices,
                                                      size_t contact) {
  const std::optional<Response> response = response_of(modes, choices, contact);
  if (!response) return {};
  const double coupling = response->gap_by_friction.norm(), size = response->size();
  if (std::abs(response->gap) <= kVanishes) {
    // No force, or any force where friction presses as much as the contact opens.
    if (!(coupling < std::abs(response->gap_by_normal))) return {};
    if (response->slip.norm() <= kVanishes) return std::vector{0.0};
  }
  std::vector<double> angles;
  bool vanishes = true;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const std::array<double, 5> coefficients = quartic(*response, quarter);
    for (const double c : coefficients) vanishes = vanishes && std::abs(c) <= kVanishes * size;
    if (vanishes) return {};
    for (const PolynomialRoot& root : isolate_roots(coefficients, 1.0, kZero * size))
      angles.push_back(quarter * 0.5 * std::numbers::pi + 2.0 * std::atan(root.t));
  }
  return angles;
}

}  // namespace tippe
