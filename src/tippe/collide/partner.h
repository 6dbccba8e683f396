// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/collide/contact_geometry.h"
#include "tippe/collide/shape.h"
#include "tippe/model/body.h"

namespace tippe {

struct NamedShape {
  std::string name;  // may be empty
  Shape shape;
};

/// How a plane moves, as expressions of t.
struct PlaneMotion {
  Vector3 way;       // m    from where it is described
  Vector3 velocity;  // m/s
};

/// What may touch: a body with its shapes, or a plane.
struct Partner {
  std::string name;
  std::optional<Plane> plane;  // else a body
  BodyKind kind = BodyKind::kNewtonEuler;
  BodyFrame frame;
  std::vector<NamedShape> shapes;
  std::optional<PlaneMotion> motion = {};  // of a plane that moves

  [[nodiscard]] bool can_touch() const { return plane.has_value() || !shapes.empty(); }
};

struct NamedContact {
  std::string name;
  ContactGeometry geometry;
};

struct Contacts {
  std::vector<NamedContact> contacts;
  std::string missing;  // why some of the shapes, or all, do not touch; empty: all do
};

/// All contacts between two bodies, or a body and a plane in this order: spheres, boxes and capsules touch planes, spheres touch
/// spheres. They are called "first-second", with the names of shapes that have one "first.shape-second", and where that does not tell
/// them apart with a number: "first-second 3".
[[nodiscard]] Contacts contacts_between(const Partner& first, const Partner& second);

}  // namespace tippe
