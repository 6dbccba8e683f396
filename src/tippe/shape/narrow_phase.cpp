// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/narrow_phase.h"

#include "tippe/shape/cylinder_contacts.h"
#include "tippe/shape/plane_contacts.h"
#include "tippe/shape/polygon_contacts.h"
#include "tippe/shape/polyhedron_contacts.h"
#include "tippe/shape/round_contacts.h"

namespace tippe {
namespace {

using Kind = CompiledShape::Kind;

/// Kinds in their order: the first shape of a pair is never of a later one than the second.
void find_in_order(const PlacedShape& first, const PlacedShape& second, PolyhedronScratch& scratch,
                   ContactWriter& contacts) {
  if (second.shape->kind == Kind::kPlane) return shape_plane(first, second, contacts);
  switch (first.shape->kind) {
    case Kind::kSphere:
      switch (second.shape->kind) {
        case Kind::kSphere:
          return sphere_sphere(first, second, contacts);
        case Kind::kCapsule:
          return sphere_capsule(first, second, contacts);
        case Kind::kCylinder:
          return sphere_cylinder(first, second, contacts);
        default:
          return sphere_polyhedron(first, second, contacts);
      }
    case Kind::kCapsule:
      switch (second.shape->kind) {
        case Kind::kCapsule:
          return capsule_capsule(first, second, contacts);
        case Kind::kCylinder:
          return capsule_cylinder(first, second, contacts);
        case Kind::kPolyhedron:
          return capsule_polyhedron(first, second, contacts);
        default:
          return;
      }
    case Kind::kCylinder:
      return second.shape->kind == Kind::kCylinder ? cylinder_cylinder(first, second, contacts)
                                                   : cylinder_polyhedron(first, second, contacts);
    case Kind::kPolyhedron:
      return polyhedron_polyhedron(first, second, scratch, contacts);
    case Kind::kPolygon:
      return polygon_polygon(first, second, contacts);
    default:
      return;
  }
}

/// Whether b is the first of the two, whose faces win where it matters little. By kinds; of one kind the larger shape, of one size the one further back along a
/// direction in which nothing is aligned: not by numbers, which the order of bodies in a file has given them.
bool is_second(const PlacedShape& a, const PlacedShape& b) {
  if (a.shape->kind != b.shape->kind) return a.shape->kind > b.shape->kind;
  if (a.shape->bound != b.shape->bound) return a.shape->bound < b.shape->bound;
  const Eigen::Vector3d askew(0.4142, 0.7321, 1.0);
  return askew.dot(a.center - b.center) > 0.0;
}

}  // namespace

void find_contacts(const PlacedShape& a, const PlacedShape& b, const FoundContact& names, double reach,
                   PolyhedronScratch& scratch, std::vector<FoundContact>& contacts) {
  if (a.shape->kind == Kind::kPlane && b.shape->kind == Kind::kPlane) return;
  const bool swapped = is_second(a, b);
  PlacedShape first = swapped ? b : a, second = swapped ? a : b;
  const Eigen::Vector3d origin = first.center;  // planes come last
  first.center -= origin;
  second.center -= origin;
  ContactWriter writer(contacts, names, origin, reach, swapped);
  find_in_order(first, second, scratch, writer);
  writer.sort();
}

}  // namespace tippe
