// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/mass_properties.h"

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/shape/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPi = EIGEN_PI;

void need_positive(double size, const char* what) {
  if (!(size > 0.0) || !std::isfinite(size)) throw ModelError(what, "must be positive");
}

/// From the integral of x x'.
Matrix3d inertia_of(const Matrix3d& second_moment) {
  return second_moment.trace() * Matrix3d::Identity() - second_moment;
}

/// Of something round whose second moments are `along` its axis and `across` it.
Matrix3d round_moment(const Vector3d& axis, double along, double across) {
  return across * Matrix3d::Identity() + (along - across) * axis * axis.transpose();
}

/// In the plane there is only the moment about z.
MassProperties in_plane(double area, const Vector3d& center, double polar_moment) {
  MassProperties result{area, center, Matrix3d::Zero()};
  result.inertia(2, 2) = polar_moment;
  return result;
}

/// By triangles from the first corner. The integrals over a triangle with the corners 0, u, v are |u x v| times 1/2, (u + v)/6 and
/// (u u' + v v' + (u + v)(u + v)')/24.
MassProperties of_polygon(const std::vector<Vector3d>& corners) {
  double area = 0.0, moment = 0.0;
  Vector3d first = Vector3d::Zero();
  for (size_t k = 1; k + 1 < corners.size(); ++k) {
    const Vector3d u = corners[k] - corners[0], v = corners[k + 1] - corners[0];
    const double twice = u.cross(v)[2];
    area += twice / 2.0;
    first += twice / 6.0 * (u + v);
    moment += twice / 24.0 * (u.squaredNorm() + v.squaredNorm() + (u + v).squaredNorm());
  }
  const Vector3d center = first / area;
  return in_plane(area, corners[0] + center, moment - area * center.squaredNorm());
}

MassProperties of(const SphereShape& sphere, bool planar) {
  need_positive(sphere.radius, "radius");
  const double r = sphere.radius;
  if (planar) return in_plane(kPi * r * r, sphere.center, kPi * r * r * r * r / 2.0);
  const double volume = 4.0 / 3.0 * kPi * r * r * r;
  return {volume, sphere.center, 0.4 * volume * r * r * Matrix3d::Identity()};
}

MassProperties of(const BoxShape& box, bool planar) {
  for (int k = 0; k < (planar ? 2 : 3); ++k) need_positive(box.size[k], "size");
  const Vector3d squares = box.size.cwiseAbs2();
  if (planar) {
    const double area = box.size[0] * box.size[1];
    return in_plane(area, box.center, area * (squares[0] + squares[1]) / 12.0);
  }
  const double volume = box.size.prod();
  const Matrix3d moment = box.axes * (volume / 12.0 * squares).asDiagonal() * box.axes.transpose();
  return {volume, box.center, inertia_of(moment)};
}

MassProperties of(const CylinderShape& cylinder, bool planar) {
  if (planar) throw ModelError("", "a planar body has no cylinders");
  need_positive(cylinder.radius, "radius");
  const Vector3d way = cylinder.to - cylinder.from;
  const double length = way.norm(), r = cylinder.radius;
  if (!(length > 0.0)) throw ModelError("to", "must differ from 'from'");
  const double volume = kPi * r * r * length;
  return {volume, 0.5 * (cylinder.from + cylinder.to),
          inertia_of(round_moment(way / length, volume * length * length / 12.0, volume * r * r / 4.0))};
}

/// A cylinder and two half balls, whose centre of mass is 3 r/8 from their flat side; in the plane a rectangle and two half discs, 4 r/(3 pi).
MassProperties of(const CapsuleShape& capsule, bool planar) {
  need_positive(capsule.radius, "radius");
  const Vector3d way = capsule.to - capsule.from, center = 0.5 * (capsule.from + capsule.to);
  const double length = way.norm(), r = capsule.radius;
  if (planar) {
    const double rectangle = 2.0 * r * length, discs = kPi * r * r;
    const double moment = rectangle * (length * length + 4.0 * r * r) / 12.0 +
                          discs * (r * r / 2.0 + length * length / 4.0) + length * discs * 4.0 * r / (3.0 * kPi);
    return in_plane(rectangle + discs, center, moment);
  }
  const double column = kPi * r * r * length, balls = 4.0 / 3.0 * kPi * r * r * r;
  const double along =
      column * length * length / 12.0 + balls * (r * r / 5.0 + length * length / 4.0 + 3.0 / 8.0 * length * r);
  const double across = column * r * r / 4.0 + balls * r * r / 5.0;
  const Vector3d axis = length > 0.0 ? Vector3d(way / length) : Vector3d::UnitZ();
  return {column + balls, center, inertia_of(round_moment(axis, along, across))};
}

/// By tetrahedra from a vertex. The integrals over one with the corners 0, u, v, w are det(u, v, w) times 1/6, (u + v + w)/24 and
/// (u u' + v v' + w w' + (u + v + w)(u + v + w)')/120.
MassProperties of(const HullShape& hull, bool planar) {
  if (planar) return of_polygon(make_polygon(hull.points));
  const ConvexPolyhedron solid = make_hull(hull.points);
  const Vector3d& base = solid.vertices.front();
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const ConvexPolyhedron::Face& face : solid.faces) {
    const auto corner = [&](int k) -> Vector3d { return solid.vertices[solid.loop[face.first + k]] - base; };
    for (int k = 1; k + 1 < face.count; ++k) {
      const Vector3d u = corner(0), v = corner(k), w = corner(k + 1), sum = u + v + w;
      const double six = u.dot(v.cross(w));
      volume += six / 6.0;
      first += six / 24.0 * sum;
      second += six / 120.0 * (u * u.transpose() + v * v.transpose() + w * w.transpose() + sum * sum.transpose());
    }
  }
  const Vector3d center = first / volume;
  return {volume, base + center, inertia_of(second - volume * center * center.transpose())};
}

MassProperties of(const Plane&, bool) {
  throw ModelError("", "a plane has no volume");
}

}  // namespace

MassProperties mass_properties(const Solid& solid, bool planar) {
  return std::visit([planar](const auto& shape) { return of(shape, planar); }, solid);
}

MassProperties sum_of(std::span<const MassProperties> parts) {
  MassProperties sum;
  for (const MassProperties& part : parts) {
    sum.volume += part.volume;
    sum.center += part.volume * part.center;
  }
  sum.center /= sum.volume;
  for (const MassProperties& part : parts) {
    const Vector3d shift = part.center - sum.center;
    sum.inertia += part.inertia + part.volume * (shift.squaredNorm() * Matrix3d::Identity() - shift * shift.transpose());
  }
  return sum;
}

}  // namespace tippe
