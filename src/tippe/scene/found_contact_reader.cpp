// SPDX-License-Identifier: Apache-2.0
// Contacts that are found by the shapes of bodies while they move: when a scene has them, and what it says of them.
#include <algorithm>

#include "tippe/multibody/free_bodies.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

constexpr size_t kMostPairsOfExpressions = 2000;  // beyond, expressions take longer to make than most runs

/// Whose contacts can be found.
bool has_pose(BodyKind kind) {
  return kind == BodyKind::kNewtonEuler || kind == BodyKind::kPoint || kind == BodyKind::kPlanar;
}

bool is_sphere(const NamedShape& shape) {
  return std::holds_alternative<SphereShape>(shape.shape);
}

/// Whether expressions have all contacts of a body with another, or with a plane.
bool has_expressions(const Partner& first, const Partner& second) {
  if (second.plane)
    return std::none_of(first.shapes.begin(), first.shapes.end(),
                        [](const NamedShape& shape) { return spheres_of(shape.shape).empty(); });
  const auto all_spheres = [](const Partner& body) {
    return std::all_of(body.shapes.begin(), body.shapes.end(), is_sphere);
  };
  return all_spheres(first) && all_spheres(second);
}

}  // namespace

bool SceneReader::is_bodies_alone() const {
  for (const char* key : {"lagrangian", "spring", "joint", "bilateral", "contact", "one_way", "dry_friction", "damping",
                          "force", "motor", "inputs"}) {
    if (root_.find(key) != nullptr) return false;
  }
  return std::all_of(bodies_.begin(), bodies_.end(), [](const SceneBody& body) { return has_pose(body.body.kind); });
}

/// Why contacts of a pair cannot be found, or "".
std::string SceneReader::unfindable(const Partner& first, const Partner& second) {
  const bool planar = first.kind == BodyKind::kPlanar;
  if (second.plane) {
    return planar && second.plane->normal[2] != 0.0 ? "a planar body touches only planes whose normal lies in the x-y plane"
                                                    : "";
  }
  return planar != (second.kind == BodyKind::kPlanar) ? "planar bodies touch planar bodies and planes only" : "";
}

/// Whether contacts are found while bodies move: if the scene says so, or where expressions would lack contacts or be too many.
bool SceneReader::decide_contacts() const {
  const bool found_by_name = named_contacts_ != nullptr && named_contacts_->value<std::string>() == "found";
  if (named_contacts_ != nullptr && !found_by_name) return false;
  const auto other = std::find_if(touching_partners_.begin(), touching_partners_.end(),
                                  [&](size_t k) { return !partners_[k].plane && !has_pose(partners_[k].kind); });
  if (other != touching_partners_.end()) {
    if (!found_by_name) return false;
    fail_at(source_, *named_contacts_,
            fmt::format("contacts are found for bodies with formulation \"newton-euler\", for points and for planar bodies, "
                        "and '{}' is none of them",
                        partners_[*other].name));
  }
  const auto refuse_motion = [&] {
    if (moving_plane_ != nullptr)
      fail_at(source_, *moving_plane_,
              "contacts that are found while bodies move need planes at rest; with spheres, or boxes and capsules on planes "
              "alone, and contacts = \"expressions\" in [world], planes may move");
  };
  if (found_by_name) {
    refuse_motion();
    if (contact_laws_.empty())
      fail_at(source_, *named_contacts_, "there is no [[contact_law]] that says what found contacts obey");
    return true;
  }
  size_t pairs = 0;
  bool needed = false;
  pair_rules_.for_each_pair([&](size_t i, size_t j, int rule) {
    const Partner &first = partners_[i], &second = partners_[j];
    if (first.plane || !contact_laws_[static_cast<size_t>(rule)].touch || !unfindable(first, second).empty()) return true;
    needed = ++pairs > kMostPairsOfExpressions || !has_expressions(first, second);
    return !needed;
  });
  if (needed) refuse_motion();
  return needed;
}

TouchingDescription SceneReader::describe_touching() {
  if (root_.find("impact") != nullptr)
    fail_at(source_, *root_.find("impact"),
            "a restitution matrix names its contacts, and here contacts are found while bodies move");
  TouchingDescription touching;
  for (size_t k = 0; k < partners_.size(); ++k) {
    const Partner& partner = partners_[k];
    TouchingPartner& added = touching.partners.emplace_back();
    added.name = partner.name;
    added.plane = partner.plane;
    added.kind = partner.kind;
    if (!partner.plane) {
      const Body& body = bodies_[k].body;
      added.first_coordinate = body.first_coordinate;
      added.first_velocity = body.first_velocity;
    }
    for (const NamedShape& shape : partner.shapes)
      added.shapes.push_back({shape.name, std::visit([](const auto& kind) { return Solid(kind); }, shape.shape)});
  }
  refuse_unfindable();
  refuse_rolling_points();
  for (const ContactLaw& contact : contact_laws_) {
    std::optional<ForceLaw>& law = touching.laws.emplace_back();
    touching.directions.emplace_back();
    if (!contact.touch) continue;
    if (contact.friction != nullptr && contact.friction->is_array()) {
      if (std::ranges::any_of(partners_, [](const Partner& p) { return !p.plane && p.kind == BodyKind::kPlanar; }))
        fail_at(source_, *contact.friction, "planar bodies slide along one direction only: give one coefficient");
      if (!contact.direction)
        fail_at(source_, *contact.friction,
                "two coefficients need 'direction', that of the first: the tangents of contacts that are found are any");
      const std::array<double, 3>& d = *contact.direction;
      touching.directions.back() = FrictionDirection{{d[0], d[1], d[2]}, contact.direction_partner};
    }
    touching.rolling_arms.resize(touching.laws.size());
    touching.rolling_arms.back() = contact.rolling_arm;
    law = contact.law;
    law->name = contact.name;
    law->rows = contact.friction == nullptr ? 1 : law->drilling ? 4 : 3;
  }
  touching.rules = pair_rules_;
  touching.impact_law = description_.impact_law;
  if (is_bodies_alone() && !overrides_.motion_as_expressions) {
    std::vector<Body> bodies;
    for (const SceneBody& body : bodies_) bodies.push_back(body.body);
    touching.motion = make_free_bodies(std::move(bodies), gravity_);
  } else {
    touching.motion = make_lagrangian_system(description_);
  }
  return touching;
}

/// Rolling resistance of a law whose bodies do not turn.
void SceneReader::refuse_rolling_points() const {
  std::vector<char> turns(contact_laws_.size(), 0);
  pair_rules_.for_each_pair([&](size_t i, size_t j, int rule) {
    const auto rolls = [this](const Partner& partner) { return !partner.plane && partner.kind != BodyKind::kPoint; };
    if (rolls(partners_[i]) || rolls(partners_[j])) turns[static_cast<size_t>(rule)] = 1;
    return true;
  });
  for (size_t rule = 0; rule < contact_laws_.size(); ++rule) {
    const ContactLaw& law = contact_laws_[rule];
    if (law.rolling_arm > 0.0 && turns[rule] == 0)
      fail_at(source_, *law.rolling, fmt::format("nothing rolls in '{}': its bodies do not turn", law.name));
  }
}

/// Pairs in and out of the plane have no contacts.
void SceneReader::refuse_unfindable() const {
  const bool any_planar = std::any_of(partners_.begin(), partners_.end(), [](const Partner& partner) {
    return !partner.plane && partner.kind == BodyKind::kPlanar;
  });
  if (!any_planar) return;
  pair_rules_.for_each_pair([&](size_t i, size_t j, int rule) {
    const ContactLaw& law = contact_laws_[static_cast<size_t>(rule)];
    if (partners_[i].plane || !law.touch) return true;
    with_indices(law.indices, [&] {
      refuse_missing(law, partners_[i], partners_[j], {{}, unfindable(partners_[i], partners_[j])});
    });
    return true;
  });
}

}  // namespace tippe
