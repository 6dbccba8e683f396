// SPDX-License-Identifier: Apache-2.0
#include "tippe/collide/partner.h"

#include <map>

namespace tippe {
namespace {

std::string label(const Partner& partner, const NamedShape& shape) {
  return shape.name.empty() ? partner.name : partner.name + "." + shape.name;
}

/// Numbers from 1 behind names that occur more than once.
void number_repeated_names(std::vector<NamedContact>& contacts) {
  struct Count {
    int total = 0, given = 0;
  };
  std::map<std::string, Count> counts;
  for (const NamedContact& contact : contacts) ++counts[contact.name].total;
  for (NamedContact& contact : contacts) {
    Count& count = counts[contact.name];
    if (count.total > 1) contact.name += " " + std::to_string(++count.given);
  }
}

/// The gap to a plane that has moved, and the slips against it.
void follow(const PlaneMotion& motion, ContactGeometry& contact) {
  contact.gap = contact.gap - dot(contact.frame.normal, motion.way);
  for (size_t k = 0; k < contact.slips.size(); ++k)
    contact.slips[k] = contact.slips[k] - dot(contact.frame.tangents[k], motion.velocity);
}

Contacts with_plane(const Partner& body, const Partner& partner, const Plane& plane) {
  const bool planar = body.kind == BodyKind::kPlanar;
  if (planar && plane.normal[2] != 0.0) return {{}, "a planar body touches only planes whose normal lies in the x-y plane"};
  Contacts found;
  for (const NamedShape& shape : body.shapes) {
    if (std::holds_alternative<CylinderShape>(shape.shape))
      found.missing = "cylinders touch only where contacts are found, not as expressions";
    for (const SphereShape& sphere : spheres_of(shape.shape)) {
      found.contacts.push_back({label(body, shape) + "-" + partner.name,
                                sphere_on_plane(body.frame, sphere, plane, planar ? Space::kPlanar : Space::kSpatial)});
      if (partner.motion) follow(*partner.motion, found.contacts.back().geometry);
    }
  }
  return found;
}

Contacts with_body(const Partner& first, const Partner& second) {
  const bool planar = first.kind == BodyKind::kPlanar;
  if (planar != (second.kind == BodyKind::kPlanar)) return {{}, "planar bodies touch planar bodies and planes only"};
  Contacts found;
  for (const NamedShape& one : first.shapes) {
    for (const NamedShape& other : second.shapes) {
      const SphereShape *sphere = std::get_if<SphereShape>(&one.shape),
                        *other_sphere = std::get_if<SphereShape>(&other.shape);
      if (sphere == nullptr || other_sphere == nullptr) {
        found.missing = "as expressions only spheres touch bodies";
        continue;
      }
      found.contacts.push_back(
          {label(first, one) + "-" + label(second, other),
           sphere_on_sphere(first.frame, *sphere, second.frame, *other_sphere, planar ? Space::kPlanar : Space::kSpatial)});
    }
  }
  return found;
}

}  // namespace

Contacts contacts_between(const Partner& first, const Partner& second) {
  Contacts found = second.plane ? with_plane(first, second, *second.plane) : with_body(first, second);
  number_repeated_names(found.contacts);
  return found;
}

}  // namespace tippe
