// SPDX-License-Identifier: Apache-2.0
// Contacts between bodies: [[plane]], [[contact_law]].
#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

constexpr size_t kMostPairs = 100'000;

}  // namespace

/// The bodies, in their order, then the planes.
void SceneReader::read_partners() {
  for (const SceneBody& entry : bodies_) {
    partner_numbers_[entry.body.name] = partners_.size();
    partners_.push_back({entry.body.name, {}, entry.body.kind, entry.frame, entry.shapes});
  }
  // Two numbers suffice where all is in the plane.
  const auto in_space = [&](const toml::node& node, const std::string& what) {
    return vector(node, what, planar() && node.is_array() && node.as_array()->size() == 2);
  };
  read_entries("plane", {"name", "normal", "point"}, [&](const TableReader& reader, const std::string&) {
    Partner partner;
    const toml::node& name = reader.require("name", "how [[contact_law]] and results call it");
    partner.name = filled_text(name, "the name of a plane");
    require_usable_name(source_, name, partner.name, "plane");
    if (!partner_numbers_.try_emplace(partner.name, partners_.size()).second)
      fail_at(source_, name, fmt::format("the name '{}' is used twice", partner.name));
    const toml::node& normal = reader.require("normal", "the direction that points out of the solid, [0, 0, 1]");
    const Eigen::Vector3d n = in_space(normal, "'normal'").stableNormalized();
    if (n.isZero()) fail_at(source_, normal, "the normal of a plane must not be zero: [0, 0, 1] points upwards");
    const toml::node* point = reader.find("point");
    partner.plane = Plane{.normal = n, .offset = 0.0};
    if (point) partner.plane->offset = partner.plane->normal.dot(in_space(*point, "'point'"));
    partners_.push_back(std::move(partner));
  });
}

/// The partners that an entry of `between` stands for: one by its name, or for "*" all that can touch.
std::vector<size_t> SceneReader::chosen_partners(const toml::node& node) {
  const std::string name = filled_text(node, "an entry of 'between'");
  if (name == "*") {
    std::vector<size_t> all;
    for (size_t k = 0; k < partners_.size(); ++k) {
      if (partners_[k].can_touch()) all.push_back(k);
    }
    return all;
  }
  const auto found = partner_numbers_.find(name);
  if (found == partner_numbers_.end()) {
    std::vector<std::string> names;
    for (const Partner& partner : partners_) names.push_back(partner.name);
    fail_at(source_, node,
            fmt::format("there is no body or plane '{}'{}{}", name, did_you_mean(name, names),
                        names.empty() ? "" : " (there are: " + comma_list(names) + ")"));
  }
  if (!partners_[found->second].can_touch()) {
    fail_at(source_, node,
            fmt::format("the body '{}' has no shape that could touch: give it a [[body.sphere]], [[body.box]] or "
                        "[[body.capsule]]",
                        name));
  }
  return {found->second};
}

/// The pairs to which a law applies; each keeps the last law that does.
void SceneReader::choose_pairs(const ContactLaw& law) {
  const toml::array* between = law.between->as_array();
  if (between == nullptr || between->size() != 2) {
    fail_at(source_, *law.between,
            "'between' must be a list of two: names of bodies or planes, or \"*\" for all, [\"top\", \"floor\"]");
  }
  const std::vector<size_t> firsts = chosen_partners(*between->get(0)), seconds = chosen_partners(*between->get(1));
  bool any = false;
  for (const size_t first : firsts) {
    for (const size_t second : seconds) {
      const auto& [i, j] = std::minmax(first, second);  // bodies come before planes
      const bool planes = partners_[i].plane.has_value();
      if (law.by_name && i == j) fail_at(source_, *law.between, "a body does not touch itself; name two");
      if (law.by_name && planes) fail_at(source_, *law.between, "planes do not move: two of them do not touch");
      if (i == j || planes || (!law.by_name && joined_.contains({i, j}))) continue;
      any = true;
      law_of_pair_[{i, j}] = contact_laws_.size();
      if (law_of_pair_.size() > kMostPairs)
        fail_at(source_, *law.between, fmt::format("these are more than {} pairs; name those that may touch", kMostPairs));
    }
  }
  if (any) return;
  fail_at(source_, *law.between,
          firsts.empty() || seconds.empty()
              ? "nothing here can touch: no body has a shape ([[body.sphere]], [[body.box]], [[body.capsule]])"
              : "no pair remains for this law: it needs two bodies with shapes, or one and a [[plane]]; bodies that a joint "
                "connects touch only if both are named");
}

/// friction = mu, or { mu, contact_radius or mean_drilling_radius, set }.
void SceneReader::read_friction(const toml::node& friction, ForceLaw& law) {
  if (const toml::table* table = friction.as_table()) {
    const bool drills =
        table->contains("contact_radius") || table->contains("mean_drilling_radius") || table->contains("set");
    read_friction_table(*table, drills, law);
    return;
  }
  if (friction.is_array()) {
    fail_at(source_, friction,
            "friction between bodies is the same in all directions: one number mu, or a table { mu = 0.3, contact_radius = "
            "5e-4 }");
  }
  law.mu1 = law.mu2 = coefficient(friction, "'friction'", std::numeric_limits<double>::infinity());
}

void SceneReader::read_contact_laws(Scene& scene) {
  const std::vector<std::string> keys = {"between", "restitution", "restitution_tangential", "friction", "impact_law"};
  read_entries("contact_law", keys, [&](const TableReader& reader, const std::string& key) {
    ContactLaw contact;
    contact.between = &reader.require("between", "the two that touch, [\"top\", \"floor\"]");
    contact.indices = indices_;
    const toml::array* names = contact.between->as_array();
    contact.by_name = names == nullptr || std::none_of(names->begin(), names->end(), [](const toml::node& name) {
                        return name.value<std::string>() == "*";
                      });
    contact.law.key = key;
    contact.law.epsilon[0] = restitution(reader, key);
    contact.friction = reader.find("friction");
    if (contact.friction) read_friction(*contact.friction, contact.law);
    if (const toml::node* tangential = reader.find("restitution_tangential")) {
      if (contact.friction == nullptr) fail_at(source_, *tangential, "'restitution_tangential' needs 'friction'");
      contact.law.epsilon[1] = contact.law.epsilon[2] = contact.law.epsilon[3] =
          coefficient(*tangential, "'restitution_tangential'", 1.0);
    }
    read_impact_law(reader);
    for (const char* row : {"gap", "slip", "slip[0]", "slip[1]", "spin"})
      written_[key + "." + row] = {contact.between, indices_};
    choose_pairs(contact);
    contact_laws_.push_back(std::move(contact));
  });
  add_contacts(scene);
}

/// The contacts of all pairs, by the order of the bodies.
void SceneReader::add_contacts(Scene& scene) {
  std::map<std::string, std::vector<std::string>> apart;
  for (const auto& [pair, number] : law_of_pair_) {
    const Partner &first = partners_[pair.first], &second = partners_[pair.second];
    const ContactLaw& law = contact_laws_[number];
    with_indices(law.indices, [&, &first = first, &second = second] {
      Contacts found = contacts_between(first, second);
      if (law.by_name && found.contacts.empty())
        fail_at(source_, *law.between,
                fmt::format("'{}' and '{}' cannot touch: {}", first.name, second.name, found.missing));
      if (!found.missing.empty()) apart[found.missing].push_back(first.name + "-" + second.name);
      for (NamedContact& contact : found.contacts) add_contact(law, std::move(contact));
    });
  }
  for (const auto& [reason, pairs] : apart)
    scene.run.notes.push_back(fmt::format("shapes of {} pass through each other: {}", comma_list(pairs), reason));
}

void SceneReader::add_contact(const ContactLaw& law, NamedContact contact) {
  if (!law_names_.insert(contact.name).second)
    fail_at(source_, *law.between, fmt::format("another law has the name of the contact '{}'; rename it", contact.name));
  LawDescription description{.law = law.law, .gap = contact.geometry.gap, .velocities = {}};
  description.law.name = std::move(contact.name);
  if (law.friction != nullptr) {
    description.velocities = contact.geometry.slips;
    description.law.rows = 1 + static_cast<int>(contact.geometry.slips.size());
  }
  if (description.law.drilling) {
    const Expr spin = contact.geometry.spin;
    if (!spin.valid() || spin.is_constant()) {
      fail_at(
          source_, *law.friction,
          fmt::format("drilling friction needs bodies that can turn about the normal; those of '{}' cannot: give mu alone",
                      description.law.name));
    }
    description.velocities.push_back(spin);
    description.law.rows = 4;
  }
  contact_frames_.emplace_back(description_.laws.size(), std::move(contact.geometry.frame));
  description_.laws.push_back(std::move(description));
}

}  // namespace tippe
