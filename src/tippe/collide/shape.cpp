// SPDX-License-Identifier: Apache-2.0
#include "tippe/collide/shape.h"

namespace tippe {
namespace {

std::vector<SphereShape> hull(const SphereShape& sphere) {
  return {sphere};
}

std::vector<SphereShape> hull(const CapsuleShape& capsule) {
  return {{capsule.from, capsule.radius}, {capsule.to, capsule.radius}};
}

std::vector<SphereShape> hull(const CylinderShape&) {
  return {};
}

std::vector<SphereShape> hull(const HullShape& points) {
  std::vector<SphereShape> corners;
  for (const Eigen::Vector3d& point : points.points) corners.push_back({point, 0.0});
  return corners;
}

std::vector<SphereShape> hull(const BoxShape& box) {
  std::vector<SphereShape> corners;
  const int count = box.size[2] == 0.0 ? 4 : 8;
  for (int corner = 0; corner < count; ++corner) {
    Eigen::Vector3d half = 0.5 * box.size;
    for (int axis = 0; axis < 3; ++axis) {
      if (((corner >> axis) & 1) == 0) half[axis] = -half[axis];
    }
    corners.push_back({box.center + box.axes * half, 0.0});
  }
  return corners;
}

}  // namespace

std::vector<SphereShape> spheres_of(const Shape& shape) {
  return std::visit([](const auto& kind) { return hull(kind); }, shape);
}

}  // namespace tippe
