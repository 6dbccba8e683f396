// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/compiled_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tippe/core/error.h"

namespace tippe {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Kind = CompiledShape::Kind;

void require_positive(double size, const char* what) {
  if (!(size > 0.0) || !std::isfinite(size)) throw ModelError(what, "must be positive");
}

/// Axes with this direction last.
Matrix3d axes_along(const Vector3d& direction) {
  Matrix3d axes;
  axes.col(2) = direction;
  int least = 0;
  direction.cwiseAbs().minCoeff(&least);
  axes.col(0) = direction.cross(Vector3d::Unit(least)).normalized();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

void place_axis(const Vector3d& from, const Vector3d& to, CompiledShape& shape) {
  shape.center = 0.5 * (from + to);
  const double length = (to - from).norm();
  shape.half_length = 0.5 * length;
  if (length > 0.0) shape.axes = axes_along((to - from) / length);
}

void set_corners(std::vector<Vector3d> corners, CompiledShape& shape) {
  shape.kind = Kind::kPolygon;
  shape.corners = std::move(corners);
  Vector3d low = shape.corners.front(), high = low;
  for (const Vector3d& corner : shape.corners) low = low.cwiseMin(corner), high = high.cwiseMax(corner);
  shape.center += shape.axes * (0.5 * (low + high));
  for (Vector3d& corner : shape.corners) {
    corner -= 0.5 * (low + high);
    shape.bound = std::max(shape.bound, corner.norm());
  }
  shape.bound += shape.radius;
  shape.half = (0.5 * (high - low)).array() + shape.radius;
  shape.half_size = shape.radius;
  const int count = static_cast<int>(shape.corners.size());
  if (count < 3) return;
  double width = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count; ++k) {
    const Vector3d along = (shape.corners[(k + 1) % count] - shape.corners[k]).normalized();
    double furthest = 0.0;
    for (const Vector3d& corner : shape.corners) furthest = std::max(furthest, along.cross(corner - shape.corners[k])[2]);
    width = std::min(width, furthest);
  }
  shape.half_size = 0.5 * width;
}

CompiledShape compile(const SphereShape& sphere, bool planar) {
  require_positive(sphere.radius, "radius");
  CompiledShape shape;
  shape.center = sphere.center;
  shape.radius = sphere.radius;
  if (planar) {
    set_corners({Vector3d::Zero()}, shape);
    return shape;
  }
  shape.kind = Kind::kSphere;
  shape.half.setConstant(sphere.radius);
  shape.bound = shape.half_size = sphere.radius;
  return shape;
}

CompiledShape compile(const CapsuleShape& capsule, bool planar) {
  require_positive(capsule.radius, "radius");
  CompiledShape shape;
  shape.radius = capsule.radius;
  if (planar) {
    if (capsule.from == capsule.to) {
      shape.center = capsule.from;
      set_corners({Vector3d::Zero()}, shape);
    } else {
      set_corners({capsule.from, capsule.to}, shape);
    }
    return shape;
  }
  shape.kind = Kind::kCapsule;
  place_axis(capsule.from, capsule.to, shape);
  if (shape.half_length == 0.0) shape.kind = Kind::kSphere;
  shape.half = {capsule.radius, capsule.radius, capsule.radius + shape.half_length};
  shape.bound = capsule.radius + shape.half_length;
  shape.half_size = capsule.radius;
  return shape;
}

CompiledShape compile(const CylinderShape& cylinder, bool planar) {
  if (planar) throw ModelError("", "a planar body has no cylinders");
  require_positive(cylinder.radius, "radius");
  CompiledShape shape;
  shape.kind = Kind::kCylinder;
  shape.radius = cylinder.radius;
  place_axis(cylinder.from, cylinder.to, shape);
  if (shape.half_length == 0.0) throw ModelError("to", "must differ from 'from'");
  shape.half = {cylinder.radius, cylinder.radius, shape.half_length};
  shape.bound = std::hypot(cylinder.radius, shape.half_length);
  shape.half_size = std::min(cylinder.radius, shape.half_length);
  return shape;
}

CompiledShape compile(const BoxShape& box, bool planar) {
  CompiledShape shape;
  shape.center = box.center;
  shape.axes = box.axes;
  for (int axis = 0; axis < (planar ? 2 : 3); ++axis) require_positive(box.size[axis], "size");
  const Vector3d half = 0.5 * box.size;
  if (planar) {
    set_corners({{-half[0], -half[1], 0}, {half[0], -half[1], 0}, {half[0], half[1], 0}, {-half[0], half[1], 0}}, shape);
    return shape;
  }
  shape.kind = Kind::kPolyhedron;
  shape.box = true;
  shape.half = half;
  shape.polyhedron = std::make_shared<ConvexPolyhedron>(make_box(half));
  shape.bound = half.norm();
  shape.half_size = half.minCoeff();
  return shape;
}

CompiledShape compile(const HullShape& hull, bool planar) {
  CompiledShape shape;
  if (planar) {
    set_corners(make_polygon(hull.points), shape);
    return shape;
  }
  shape.kind = Kind::kPolyhedron;
  ConvexPolyhedron polyhedron = make_hull(hull.points);
  Vector3d low = polyhedron.vertices.front(), high = low;
  for (const Vector3d& vertex : polyhedron.vertices) low = low.cwiseMin(vertex), high = high.cwiseMax(vertex);
  shape.center = 0.5 * (low + high);
  shape.half = 0.5 * (high - low);
  for (Vector3d& vertex : polyhedron.vertices) {
    vertex -= shape.center;
    shape.bound = std::max(shape.bound, vertex.norm());
  }
  for (ConvexPolyhedron::Face& face : polyhedron.faces) face.offset -= face.normal.dot(shape.center);
  polyhedron.complete();
  shape.half_size = polyhedron.half_size;
  shape.polyhedron = std::make_shared<ConvexPolyhedron>(std::move(polyhedron));
  return shape;
}

CompiledShape compile(const Plane& plane, bool) {
  CompiledShape shape;
  shape.kind = Kind::kPlane;
  const double length = plane.normal.norm();
  if (!(length > 0.0) || !std::isfinite(length)) throw ModelError("normal", "must not be zero");
  shape.axes = axes_along(plane.normal / length);
  shape.center = plane.offset / length * shape.axes.col(2);
  shape.bound = shape.half_size = std::numeric_limits<double>::infinity();
  return shape;
}

}  // namespace

std::vector<CompiledShape> compile_shapes(const std::vector<PlacedSolid>& solids) {
  std::vector<CompiledShape> shapes;
  for (const PlacedSolid& placed : solids) {
    try {
      shapes.push_back(std::visit([&](const auto& solid) { return compile(solid, placed.planar); }, placed.solid));
    } catch (const ModelError& error) {
      const std::string key = error.subject().empty() ? "" : "." + error.subject();
      throw ModelError("solid[" + std::to_string(shapes.size()) + "]" + key, error.what());
    }
    shapes.back().frame = placed.frame;
    shapes.back().planar = placed.planar;
  }
  return shapes;
}

}  // namespace tippe
