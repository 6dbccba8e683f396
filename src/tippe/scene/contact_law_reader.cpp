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
    partners_.push_back({entry.body.name, {}, entry.body.kind, {}, entry.shapes});
  }
  // Two numbers suffice where all is in the plane.
  const auto in_space = [&](const toml::node& node, const std::string& what) {
    return vector(node, what, planar() && node.is_array() && node.as_array()->size() == 2);
  };
  read_entries("plane", {"name", "normal", "point", "motion"}, [&](const TableReader& reader, const std::string& key) {
    Partner partner;
    const toml::node& name = reader.require("name", "how [[contact_law]] and results call it");
    partner.name = filled_text(name, "the name of a plane");
    require_usable_name(source_, name, partner.name, "plane");
    if (!partner_numbers_.try_emplace(partner.name, partners_.size()).second)
      fail_at(source_, name, fmt::format("the name '{}' is used twice", partner.name));
    if (groups_.contains(partner.name))
      fail_at(source_, name, fmt::format("'{}' is both a group and a plane; rename one", partner.name));
    const toml::node& normal = reader.require("normal", "the direction that points out of the solid, [0, 0, 1]");
    const Eigen::Vector3d n = in_space(normal, "'normal'").stableNormalized();
    if (n.isZero()) fail_at(source_, normal, "the normal of a plane must not be zero: [0, 0, 1] points upwards");
    const toml::node* point = reader.find("point");
    partner.plane = Plane{.normal = n, .offset = 0.0};
    if (point) partner.plane->offset = partner.plane->normal.dot(in_space(*point, "'point'"));
    if (const toml::node* motion = reader.find("motion")) partner.motion = read_motion(*motion, key);
    partners_.push_back(std::move(partner));
  });
}

/// The way of a plane, by the time alone.
PlaneMotion SceneReader::read_motion(const toml::node& node, const std::string& key) {
  const toml::array* list = node.as_array();
  const size_t count = planar() && list != nullptr && list->size() == 2 ? 2 : 3;
  if (bodies_.empty()) fail_at(source_, node, "a plane moves against bodies, [[body]], and there are none");
  PlaneMotion motion;
  motion.way = components(node, key + ".motion", "'motion'", count);
  const int t = description_.inputs().t();
  for (size_t i = 0; i < 3; ++i) {
    for (const int input : graph_.inputs_of(motion.way[i])) {
      if (input != t) fail_at(source_, *list->get(i), "the motion of a plane may depend on t and parameters only");
    }
    motion.velocity[i] = graph_.partial(motion.way[i], t);
  }
  moving_plane_ = &node;
  return motion;
}

/// The partners that an entry of `between` stands for: one by its name, those of a group, or for "*" all that can touch.
SceneReader::Chosen SceneReader::chosen_partners(const toml::node& node) {
  const std::string name = filled_text(node, "an entry of 'between'");
  Chosen chosen;
  if (name == "*") {
    chosen.partners = touching_partners_;
    return chosen;
  }
  if (const auto group = groups_.find(name); group != groups_.end()) {
    for (const size_t partner : group->second) {
      if (partners_[partner].can_touch()) chosen.partners.push_back(partner);
    }
    if (chosen.partners.empty())
      fail_at(source_, node, fmt::format("no body of the group '{}' has a shape that could touch", name));
    return chosen;
  }
  const auto found = partner_numbers_.find(name);
  if (found == partner_numbers_.end()) {
    std::vector<std::string> names;
    constexpr size_t kMostNamed = 100;
    for (const auto& [group, members] : groups_) names.push_back(group);
    for (const Partner& partner : partners_) {
      if (names.size() < kMostNamed) names.push_back(partner.name);
    }
    fail_at(source_, node,
            fmt::format("there is no body or plane '{}'{}{}", name, did_you_mean(name, names),
                        names.empty() ? "" : " (there are: " + comma_list(names) + ")"));
  }
  if (!partners_[found->second].can_touch()) {
    fail_at(source_, node,
            fmt::format("the body '{}' has no shape that could touch: give it a [[body.sphere]], [[body.box]], "
                        "[[body.capsule]], [[body.cylinder]] or [[body.hull]]",
                        name));
  }
  chosen.partners = {found->second};
  chosen.by_name = true;
  return chosen;
}

/// The pairs to which a law applies; each keeps the last law that does.
void SceneReader::choose_pairs(ContactLaw& law) {
  const toml::array* between = law.between->as_array();
  if (between == nullptr || between->size() != 2) {
    fail_at(source_, *law.between,
            "'between' must be a list of two: names of bodies or planes, or \"*\" for all, [\"top\", \"floor\"]");
  }
  Chosen first = chosen_partners(*between->get(0)), second = chosen_partners(*between->get(1));
  law.name =
      filled_text(*between->get(0), "an entry of 'between'") + "-" + filled_text(*between->get(1), "an entry of 'between'");
  const bool by_name = law.by_name = first.by_name && second.by_name;
  if (by_name && first.partners == second.partners) fail_at(source_, *law.between, "a body does not touch itself; name two");
  const auto is_plane = [&](size_t partner) { return partners_[partner].plane.has_value(); };
  if (by_name && is_plane(first.partners[0]) && is_plane(second.partners[0]))
    fail_at(source_, *law.between, "planes do not move: two of them do not touch");
  const auto may_touch = [&](size_t i, size_t j) {
    if (i == j || (is_plane(i) && is_plane(j))) return false;
    return by_name || !joined_.contains({std::min(i, j), std::max(i, j)});
  };
  const bool any = std::any_of(first.partners.begin(), first.partners.end(), [&](size_t i) {
    return std::any_of(second.partners.begin(), second.partners.end(), [&](size_t j) { return may_touch(i, j); });
  });
  const bool nothing = first.partners.empty() || second.partners.empty();
  pair_rules_.add(std::move(first.partners), std::move(second.partners), by_name);
  if (any || !law.touch) return;
  fail_at(source_, *law.between,
          nothing
              ? "nothing here can touch: no body has a shape ([[body.sphere]], [[body.box]], [[body.capsule]])"
              : "no pair remains for this law: it needs two bodies with shapes, or one and a [[plane]]; bodies that a joint "
                "connects touch only if both are named");
}

/// friction = mu, [mu1, mu2], or { mu, contact_radius or mean_drilling_radius, set }.
void SceneReader::read_friction(const toml::node& friction, ForceLaw& law) {
  if (const toml::table* table = friction.as_table(); table != nullptr && is_falling(*table, "mu")) {
    law.mu1 = law.mu2 = read_falling(*table, "'friction'", "mu", law);
    return;
  }
  if (const toml::table* table = friction.as_table()) {
    const bool drills =
        table->contains("contact_radius") || table->contains("mean_drilling_radius") || table->contains("set");
    law.mu1 = law.mu2 = read_friction_table(*table, "'friction'", "mu", "the friction coefficient", drills, law);
    return;
  }
  const std::vector<double> mu = coefficients(friction, "'friction'", 2, std::numeric_limits<double>::infinity());
  law.mu1 = mu.front();
  law.mu2 = mu.back();
}

/// The direction of the first of two coefficients: in space, or fixed to a body.
void SceneReader::read_direction(const TableReader& reader, ContactLaw& contact) {
  const toml::node* direction = reader.find("direction");
  const toml::node* body = reader.find("direction_in");
  const bool elliptic = contact.friction != nullptr && contact.friction->is_array();
  if (direction == nullptr) {
    if (body != nullptr) fail_at(source_, *body, "'direction_in' says where 'direction' is fixed; give that too");
    return;
  }
  if (!elliptic) fail_at(source_, *direction, "'direction' is that of the first of two coefficients: friction = [mu1, mu2]");
  const Eigen::Vector3d d = vector(*direction, "'direction'").stableNormalized();
  if (d.isZero()) fail_at(source_, *direction, "'direction' must not be zero");
  contact.direction = {d[0], d[1], d[2]};
  if (body == nullptr) return;
  const std::string name = filled_text(*body, "'direction_in'");
  const auto found = partner_numbers_.find(name);
  if (found == partner_numbers_.end() || partners_[found->second].plane)
    fail_at(source_, *body, fmt::format("there is no body '{}'", name));
  const Partner& partner = partners_[found->second];
  if (partner.kind == BodyKind::kPoint) fail_at(source_, *body, fmt::format("the point '{}' does not turn", name));
  contact.direction_frame = &partner.frame;
  contact.direction_partner = found->second;
}

/// Slips along a direction and across it, both in the plane of contact.
void SceneReader::turn_slips(const ContactLaw& law, const std::string& name, ContactGeometry& geometry) {
  if (!law.friction->is_array()) return;
  if (geometry.slips.size() != 2)
    fail_at(source_, *law.friction, fmt::format("'{}' slides along one direction only: give one coefficient", name));
  if (!law.direction) {
    const bool fixed = std::all_of(geometry.frame.normal.begin(), geometry.frame.normal.end(),
                                   [](Expr component) { return component.is_constant(); });
    if (fixed) return;
    fail_at(source_, *law.friction,
            fmt::format("two coefficients need 'direction', that of the first: the tangents of '{}' turn with its normal",
                        name));
  }
  const Vector3 d = law.direction_frame != nullptr
                        ? turn(*law.direction_frame, *law.direction)
                        : constant(graph_, Eigen::Vector3d((*law.direction)[0], (*law.direction)[1], (*law.direction)[2]));
  std::vector<Vector3>& t = geometry.frame.tangents;
  const Expr a = dot(d, t[0]), b = dot(d, t[1]), square = a * a + b * b;
  constexpr double kAlongNormal = 1e-12;
  if (square.is_constant() && graph_.node(square.id()).value <= kAlongNormal)
    fail_at(source_, *law.friction, fmt::format("'direction' is along the normal of '{}'", name));
  const Expr length = graph_.apply(Op::kSqrt, square), c = a / length, s = b / length;
  const Vector3 along = c * t[0] + s * t[1], across = c * t[1] - s * t[0];
  const Expr slip = c * geometry.slips[0] + s * geometry.slips[1];
  geometry.slips[1] = c * geometry.slips[1] - s * geometry.slips[0];
  geometry.slips[0] = slip;
  t = {along, across};
}

void SceneReader::read_contact_laws() {
  for (size_t k = 0; k < partners_.size(); ++k) {
    if (partners_[k].can_touch()) touching_partners_.push_back(k);
  }
  pair_rules_ = PairRules(partners_.size());
  for (const auto& [i, j] : joined_) pair_rules_.join(i, j);
  const std::vector<std::string> keys = {"between",    "restitution", "restitution_tangential",
                                         "friction",   "direction",   "direction_in",
                                         "impact_law", "touch",       "rolling"};
  read_entries("contact_law", keys, [&](const TableReader& reader, const std::string& key) {
    ContactLaw contact;
    contact.between = &reader.require("between", "the two that touch, [\"top\", \"floor\"]");
    contact.indices = indices_;
    contact.law.key = key;
    if (const toml::node* touch = reader.find("touch")) contact.touch = true_or_false(source_, *touch, "touch");
    if (contact.touch) {
      read_contact_law(reader, key, contact);
    } else {
      for (const char* other :
           {"restitution", "restitution_tangential", "friction", "direction", "direction_in", "impact_law", "rolling"}) {
        if (const toml::node* node = reader.find(other))
          fail_at(source_, *node, fmt::format("'{}' says nothing of bodies that do not touch: touch = false", other));
      }
    }
    for (const char* row : {"gap", "slip", "slip[0]", "slip[1]", "spin"})
      written_[key + "." + row] = {contact.between, indices_};
    choose_pairs(contact);
    contact_laws_.push_back(std::move(contact));
  });
  pair_rules_.finish();
  contacts_are_found_ = decide_contacts();
}

void SceneReader::read_contact_law(const TableReader& reader, const std::string& key, ContactLaw& contact) {
  contact.law.epsilon[0] = restitution(reader, key);
  contact.friction = reader.find("friction");
  if (contact.friction) read_friction(*contact.friction, contact.law);
  read_direction(reader, contact);
  if ((contact.rolling = reader.find("rolling")) != nullptr)
    contact.rolling_arm = coefficient(*contact.rolling, "'rolling'", std::numeric_limits<double>::infinity());
  if (const toml::node* tangential = reader.find("restitution_tangential")) {
    if (contact.friction == nullptr) fail_at(source_, *tangential, "'restitution_tangential' needs 'friction'");
    refuse_returned_slip(*tangential, contact.law);
    contact.law.epsilon[1] = contact.law.epsilon[2] = contact.law.epsilon[3] =
        coefficient(*tangential, "'restitution_tangential'", 1.0);
  }
  read_impact_law(reader);
}

/// Shapes that a law wants to touch and that cannot are refused. Where the scene asks for expressions, those that can suffice, and a law for "*" or
/// a group may find none.
void SceneReader::refuse_missing(const ContactLaw& law, const Partner& first, const Partner& second,
                                 const Contacts& found) const {
  const bool wanted = named_contacts_ != nullptr && named_contacts_->value<std::string>() == "expressions";
  if (found.missing.empty() || (wanted && !(law.by_name && found.contacts.empty()))) return;
  fail_at(source_, *law.between,
          fmt::format("'{}' and '{}' cannot touch: {}{}", first.name, second.name, found.missing,
                      law.by_name ? "" : "; if they are not to, a law for them says so: touch = false"));
}

/// The contacts of all pairs as expressions, by the order of the bodies.
void SceneReader::add_contacts(Scene& scene) {
  for (size_t k = 0; k < bodies_.size(); ++k) partners_[k].frame = frame_of(bodies_[k]);
  std::map<std::string, std::vector<std::string>> apart;
  size_t pairs = 0;
  pair_rules_.for_each_pair([&](size_t i, size_t j, int rule) {
    const Partner &first = partners_[i], &second = partners_[j];  // bodies come before planes
    const ContactLaw& law = contact_laws_[static_cast<size_t>(rule)];
    if (first.plane || !law.touch) return true;
    with_indices(law.indices, [&] {
      if (++pairs > kMostPairs)
        fail_at(source_, *law.between, fmt::format("these are more than {} pairs; name those that may touch", kMostPairs));
      Contacts found = contacts_between(first, second);
      refuse_missing(law, first, second, found);
      if (!found.missing.empty()) apart[found.missing].push_back(first.name + "-" + second.name);
      for (NamedContact& contact : found.contacts) add_contact(law, std::move(contact));
    });
    return true;
  });
  for (const auto& [reason, names] : apart)
    scene.run.notes.push_back(fmt::format("shapes of {} pass through each other: {}", comma_list(names), reason));
}

void SceneReader::add_contact(const ContactLaw& law, NamedContact contact) {
  if (!law_names_.insert(contact.name).second)
    fail_at(source_, *law.between, fmt::format("another law has the name of the contact '{}'; rename it", contact.name));
  LawDescription description{.law = law.law, .gap = contact.geometry.gap, .velocities = {}};
  description.law.name = std::move(contact.name);
  if (law.friction != nullptr) {
    turn_slips(law, description.law.name, contact.geometry);
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
  const std::string name = description.law.name;
  description_.laws.push_back(std::move(description));
  if (law.rolling_arm > 0.0) add_rolling(law, name, contact.geometry.rolls);
}

/// Of the contact that was added last.
void SceneReader::add_rolling(const ContactLaw& law, const std::string& contact, const std::vector<Expr>& rolls) {
  LawDescription resistance{.law = {}, .gap = {}, .velocities = rolls};
  resistance.law.kind = ForceLaw::Kind::kDryFriction;
  resistance.law.name = contact + " rolling";
  resistance.law.key = law.law.key;
  resistance.law.rows = static_cast<int>(rolls.size());
  resistance.law.rolling = ForceLaw::Rolling{static_cast<int>(description_.laws.size()) - 1, law.rolling_arm};
  if (!law_names_.insert(resistance.law.name).second)
    fail_at(source_, *law.rolling, fmt::format("another law has the name '{}'; rename it", resistance.law.name));
  if (std::all_of(rolls.begin(), rolls.end(), [](Expr roll) { return roll.is_constant(); }))
    fail_at(source_, *law.rolling, fmt::format("nothing rolls in '{}': its bodies do not turn", contact));
  for (int row = 0; row < resistance.law.rows; ++row)
    written_[law.law.key + "." + resistance.law.row_key(row)] = {law.rolling, law.indices};
  description_.laws.push_back(std::move(resistance));
}

}  // namespace tippe
