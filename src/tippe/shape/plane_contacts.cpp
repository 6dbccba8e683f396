// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/plane_contacts.h"

#include "tippe/shape/rim.h"
#include "tippe/shape/tolerances.h"

namespace tippe {
namespace {

using Eigen::Vector3d;
using Kind = CompiledShape::Kind;

void add_rims(const PlacedShape& cylinder, const Vector3d& normal, double height, ContactWriter& contacts) {
  const Vector3d axis = cylinder.axis();
  const Vector3d across = normal - normal.dot(axis) * axis;
  const double sine = across.norm();
  for (const int end : {0, 1}) {
    const Vector3d center = (end == 0 ? -cylinder.half_length() : cylinder.half_length()) * axis;
    const double center_height = height + normal.dot(center);
    if (sine > kFlat) {
      const Vector3d lowest = center - cylinder.radius() / sine * across;
      contacts.add(center_height - cylinder.radius() * sine, normal, cylinder.center + lowest, PairKind::kRimPlane,
                   {.feature = feature::lowest(end), .radius = cylinder.radius(), .direction = axis}, {});
    }
    if (sine > kStanding) continue;
    for (int k = 0; k < kRimPlaces; ++k) {
      const Vector3d place = rim_place(cylinder, k);
      contacts.add(center_height + normal.dot(place), normal, cylinder.center + (center + place), PairKind::kPointPlane,
                   {.feature = feature::rim(end, k)}, {});
    }
  }
}

}  // namespace

void shape_plane(const PlacedShape& placed, const PlacedShape& plane, ContactWriter& contacts) {
  const CompiledShape& shape = *placed.shape;
  const Vector3d normal = plane.axis();
  const double height = normal.dot(placed.center - plane.center);  // of the middle
  const auto add_point = [&](const Vector3d& from_middle, double radius, std::uint32_t name) {
    contacts.add(height + normal.dot(from_middle) - radius, normal, placed.center + (from_middle - radius * normal),
                 PairKind::kPointPlane, {.feature = name, .radius = radius}, {});
  };
  switch (shape.kind) {
    case Kind::kSphere:
      add_point(Vector3d::Zero(), shape.radius, feature::kWhole);
      break;
    case Kind::kCapsule:
      add_point(-shape.half_length * placed.axis(), shape.radius, feature::vertex(0));
      add_point(shape.half_length * placed.axis(), shape.radius, feature::vertex(1));
      break;
    case Kind::kCylinder:
      add_rims(placed, normal, height, contacts);
      break;
    case Kind::kPolyhedron:
      for (size_t k = 0; k < shape.polyhedron->vertices.size(); ++k)
        add_point(placed.axes * shape.polyhedron->vertices[k], 0.0, feature::vertex(static_cast<int>(k)));
      break;
    case Kind::kPolygon:
      for (size_t k = 0; k < shape.corners.size(); ++k)
        add_point(placed.axes * shape.corners[k], shape.radius, feature::vertex(static_cast<int>(k)));
      break;
    case Kind::kPlane:
      break;
  }
}

}  // namespace tippe
