// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <variant>
#include <vector>

#include "tippe/shape/pose.h"
#include "tippe/shape/solid.h"

namespace tippe::test {

/// How far a solid reaches in a direction of length 1: by this alone two convex solids can be compared.
inline double support(const Solid& solid, const Pose& pose, const Eigen::Vector3d& direction) {
  using Eigen::Vector3d;
  const Vector3d n = pose.axes.transpose() * direction;
  struct {
    Vector3d n;
    double operator()(const SphereShape& sphere) const { return n.dot(sphere.center) + sphere.radius; }
    double operator()(const BoxShape& box) const {
      return n.dot(box.center) + 0.5 * (box.axes.transpose() * n).cwiseAbs().dot(box.size);
    }
    double operator()(const CapsuleShape& capsule) const {
      return std::max(n.dot(capsule.from), n.dot(capsule.to)) + capsule.radius;
    }
    double operator()(const CylinderShape& cylinder) const {
      const Vector3d axis = (cylinder.to - cylinder.from).normalized();
      return std::max(n.dot(cylinder.from), n.dot(cylinder.to)) + cylinder.radius * n.cross(axis).norm();
    }
    double operator()(const HullShape& hull) const {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vector3d& point : hull.points) most = std::max(most, n.dot(point));
      return most;
    }
    double operator()(const Plane& plane) const {
      return (n - plane.normal).norm() < 1e-9 ? plane.offset : std::numeric_limits<double>::infinity();
    }
  } reach{n};
  return pose.position.dot(direction) + std::visit(reach, solid);
}

/// How far two solids are apart, or how deep in each other, negative: the largest separation over all directions, by search.
inline double separation(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, bool planar = false,
                         int best_starts = 12) {
  using Eigen::Vector3d;
  const auto along = [&](const Vector3d& n) { return -support(a, pose_a, -n) - support(b, pose_b, n); };
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  constexpr int kStarts = 400;
  std::vector<std::pair<double, Vector3d>> best;
  for (int k = 0; k < kStarts; ++k) {
    const double z = planar ? 0.0 : 1.0 - (2.0 * k + 1.0) / kStarts,
                 angle = planar ? 2.0 * M_PI * k / kStarts : 2.399963229728653 * k;
    const double r = std::sqrt(1.0 - z * z);
    const Vector3d n(r * std::cos(angle), r * std::sin(angle), z);
    best.emplace_back(along(n), n);
  }
  std::sort(best.begin(), best.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  double most = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < best_starts; ++k) {
    auto [value, n] = best[static_cast<size_t>(k)];
    for (double step = 0.2; step > 1e-9; step *= 0.75) {
      for (int tried = 0; tried < 24; ++tried) {
        const Vector3d other =
            (n + step * Vector3d(normal(random), normal(random), planar ? 0.0 : normal(random))).normalized();
        if (const double there = along(other); there > value) value = there, n = other;
      }
    }
    most = std::max(most, value);
  }
  return most;
}

}  // namespace tippe::test
