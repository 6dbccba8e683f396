// SPDX-License-Identifier: Apache-2.0
// The laws of a scene: [[bilateral]], [[contact]], [[one_way]], [[dry_friction]].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/model/friction_curve.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

constexpr std::string_view kSlipSpeed = "slip_speed";

}  // namespace

double SceneReader::coefficient(const toml::node& node, const std::string& what, double largest) {
  const double value = number(node, what);
  if (value < 0.0 || value > largest) {
    const std::string range =
        std::isinf(largest) ? "must not be negative" : fmt::format("must lie between 0 and {}", largest);
    fail_at(source_, node, fmt::format("{} {}, got {}", what, range, value));
  }
  return value;
}

/// One number for all directions, or a list with one for each.
std::vector<double> SceneReader::coefficients(const toml::node& node, const std::string& what, size_t directions,
                                              double largest) {
  if (!node.is_array()) return std::vector<double>(directions, coefficient(node, what, largest));
  const toml::array& list = *node.as_array();
  if (list.size() != directions) {
    fail_at(
        source_, node,
        fmt::format("{} has {} numbers for {} slip direction{}", what, list.size(), directions, directions == 1 ? "" : "s"));
  }
  std::vector<double> values;
  for (const toml::node& entry : list) values.push_back(coefficient(entry, what, largest));
  return values;
}

/// The name of an entry that results and messages have as a word.
std::string SceneReader::filled_name(const TableReader& reader, const std::string& meaning) {
  const toml::node& node = reader.require("name", meaning);
  std::string name = filled_text(node, "'name'");
  const bool printable =
      std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
  if (name.empty() || !printable) fail_at(source_, node, "a name must not be empty or contain control characters");
  return name;
}

/// The name of a law or a constraint.
std::string SceneReader::read_name(const TableReader& reader) {
  std::string name = filled_name(reader, "how results and messages call it");
  const toml::node& node = *reader.find("name");
  if (!law_names_.insert(name).second) fail_at(source_, node, fmt::format("the name '{}' is used twice", name));
  return name;
}

ForceLaw SceneReader::begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key) {
  ForceLaw law;
  law.kind = kind;
  law.key = key;
  law.name = read_name(reader);
  return law;
}

double SceneReader::restitution(const TableReader& reader, const std::string& key) {
  const toml::node* node = reader.find("restitution");
  written_[key + ".restitution"] = {node ? node : &reader.node(), indices_};
  return node ? coefficient(*node, "'restitution'", 1.0) : 0.0;
}

void SceneReader::read_slip(const TableReader& reader, LawDescription& contact) {
  const std::string& key = contact.law.key;
  const toml::node* slip = reader.find("slip");
  const toml::node* spin = reader.find("spin");
  const toml::node* friction = reader.find("friction");
  const toml::node* restitution_tangential = reader.find("restitution_tangential");
  if (slip == nullptr) {
    if (friction)
      fail_at(source_, *friction,
              "'friction' needs 'slip': the relative tangential velocity, one expression or a list of two");
    if (spin) fail_at(source_, *spin, "'spin' needs 'slip': a list of two expressions");
    if (restitution_tangential) fail_at(source_, *restitution_tangential, "'restitution_tangential' needs 'slip'");
    return;
  }
  if (friction == nullptr) fail_at(source_, *slip, "'slip' needs 'friction': the coefficient mu, or [mu1, mu2]; 0 for none");
  if (const toml::array* list = slip->as_array()) {
    if (list->empty() || list->size() > 2) {
      fail_at(source_, *slip,
              fmt::format("'slip' must be one expression, or two for friction in a plane; here are {}", list->size()));
    }
    for (size_t k = 0; k < list->size(); ++k) {
      const std::string subject = list->size() > 1 ? fmt::format("{}.slip[{}]", key, k) : key + ".slip";
      contact.velocities.push_back(expression(*list->get(k), subject, "'slip'"));
    }
  } else {
    contact.velocities.push_back(expression(*slip, key + ".slip", "'slip'"));
  }
  const size_t directions = contact.velocities.size();
  contact.law.rows = 1 + static_cast<int>(directions);
  if (friction->is_table() && spin == nullptr && is_falling(*friction->as_table(), "mu")) {
    contact.law.mu1 = contact.law.mu2 = read_falling(*friction->as_table(), "'friction'", "mu", contact.law);
  } else if (friction->is_table() || spin != nullptr) {
    read_drilling(spin, *friction, contact);
  } else {
    const std::vector<double> mu =
        coefficients(*friction, "'friction'", directions, std::numeric_limits<double>::infinity());
    contact.law.mu1 = mu.front();
    contact.law.mu2 = mu.back();
  }
  if (restitution_tangential) {
    refuse_returned_slip(*restitution_tangential, contact.law);
    const std::vector<double> epsilon = coefficients(*restitution_tangential, "'restitution_tangential'", directions, 1.0);
    std::copy(epsilon.begin(), epsilon.end(), contact.law.epsilon.begin() + 1);
    if (contact.law.drilling) contact.law.epsilon[3] = epsilon.back();  // of the spin
  }
}

/// Coulomb-Contensou friction: spin = "...", friction = { mu, contact_radius or mean_drilling_radius, set }.
void SceneReader::read_drilling(const toml::node* spin, const toml::node& friction, LawDescription& contact) {
  const toml::table* table = friction.as_table();
  if (table != nullptr && is_falling(*table, "mu"))
    fail_at(source_, friction, "friction that falls with the slip does not drill: leave 'spin' out");
  if (table == nullptr) {
    fail_at(source_, friction, "with 'spin' the friction is a table: { mu = 0.3, contact_radius = 5e-4, set = \"exact\" }");
  }
  if (spin != nullptr && contact.velocities.size() != 2)
    fail_at(source_, *spin, "'spin' needs two slip directions: friction in a plane");
  contact.law.mu1 = contact.law.mu2 =
      read_friction_table(*table, "'friction'", "mu", "the friction coefficient", spin != nullptr, contact.law);
  if (spin == nullptr) {
    for (const char* key : {"contact_radius", "mean_drilling_radius", "set"}) {
      if (const toml::node* node = table->get(key))
        fail_at(source_, *node, "drilling friction needs 'spin': the relative angular velocity about the normal");
    }
    return;
  }
  contact.velocities.push_back(expression(*spin, contact.law.key + ".spin", "'spin'"));
  contact.law.rows = 4;
}

/// mu or the limit of a force, which is returned, and for what `drills` the radius and the set.
double SceneReader::read_friction_table(const toml::table& table, const std::string& path, const std::string& size_key,
                                        const std::string& size_words, bool drills, ForceLaw& law) {
  const TableReader reader(source_, table, path, {size_key, "contact_radius", "mean_drilling_radius", "set"});
  const double size =
      coefficient(reader.require(size_key, size_words), "'" + size_key + "'", std::numeric_limits<double>::infinity());
  if (!drills) return size;
  const toml::node* contact_radius = reader.find("contact_radius");
  const toml::node* mean_radius = reader.find("mean_drilling_radius");
  if ((contact_radius == nullptr) == (mean_radius == nullptr)) {
    fail_at(source_, table,
            "give one of 'contact_radius' (of the contact disc) and 'mean_drilling_radius' (3 pi / 16 of it)");
  }
  ForceLaw::Drilling drilling;
  const toml::node& radius = contact_radius ? *contact_radius : *mean_radius;
  drilling.Rbar = number(radius, "the drilling radius") * (contact_radius ? kMeanDrillingRadiusRatio : 1.0);
  if (!(drilling.Rbar > 0.0))
    fail_at(source_, radius, fmt::format("the drilling radius must be positive, got {}", drilling.Rbar));
  const std::map<std::string, DrillingSet> sets = {
      {"exact", DrillingSet::kExact}, {"ellipsoid", DrillingSet::kEllipsoid}, {"cylinder", DrillingSet::kCylinder}};
  if (const std::optional<std::string> set = reader.text("set")) {
    if (!sets.contains(*set))
      fail_at(source_, *table.get("set"), fmt::format("unknown set '{}'; there are exact, ellipsoid and cylinder", *set));
    drilling.set = sets.at(*set);
  }
  law.drilling = drilling;
  return size;
}

/// Whether a table says that friction falls with the slip: { static, kinetic }, or a size with slip_speed in it.
bool SceneReader::is_falling(const toml::table& table, const std::string& size_key) const {
  if (table.contains("static") || table.contains("kinetic")) return true;
  const toml::node* size = table.get(size_key);
  if (size == nullptr || !size->is_string()) return false;
  const std::vector<NameInExpression> used = names_in_expression(**size->as_string(), indices_, parameters_.resolver());
  return std::any_of(used.begin(), used.end(), [](const NameInExpression& name) { return name.name == kSlipSpeed; });
}

/// { static = 0.4, kinetic = 0.3 } or { static = 0.4, mu = "expression of slip_speed" }. Returns what it is at rest; `law` gets how it falls.
double SceneReader::read_falling(const toml::table& table, const std::string& path, const std::string& size_key,
                                 ForceLaw& law) {
  for (const char* key : {"contact_radius", "mean_drilling_radius", "set"}) {
    if (const toml::node* node = table.get(key))
      fail_at(source_, *node, "friction that falls with the slip does not drill: give one coefficient, or no radius");
  }
  const TableReader reader(source_, table, path, {"static", "kinetic", size_key});
  const double infinity = std::numeric_limits<double>::infinity();
  const toml::node *at_rest = reader.find("static"), *kinetic = reader.find("kinetic"), *size = reader.find(size_key);
  if ((kinetic == nullptr) == (size == nullptr))
    fail_at(source_, table, fmt::format("give one of 'kinetic', a number, and '{}', an expression of slip_speed", size_key));
  if (kinetic != nullptr) {
    const double rest = coefficient(reader.require("static", "what it is at rest"), "'static'", infinity);
    const double share = coefficient(*kinetic, "'kinetic'", infinity);
    if (share > rest)
      fail_at(
          source_, *kinetic,
          fmt::format("'kinetic' is {}, more than 'static', {}: friction must not rise when a slip begins", share, rest));
    if (share < rest) law.falling = make_friction_curve(share / rest);
    return rest;
  }
  const auto graph = std::make_shared<ExprGraph>();
  const Expr of_slip = expression_of_slip(*size, size_key, *graph);
  const FrictionCurve curve(graph, of_slip);
  const double begins = curve.share(0.0);
  const double rest = at_rest != nullptr ? coefficient(*at_rest, "'static'", infinity) : begins;
  if (rest < begins)
    fail_at(
        source_, *at_rest,
        fmt::format("'static' is {}, less than the {} of a slip that begins: friction must not rise then", rest, begins));
  constexpr double kSlowest = 1e-12, kFastest = 1e9;  // m/s
  for (double v = 0.0; v <= kFastest; v = v == 0.0 ? kSlowest : 10.0 * v) {
    const double value = curve.share(v);
    if (!(value >= 0.0 && std::isfinite(value)))
      fail_at(
          source_, *size,
          fmt::format("'{}' is {} where slip_speed is {}: it must be a number that is not negative", size_key, value, v));
  }
  if (rest > 0.0) law.falling = make_friction_curve(graph, of_slip / graph->constant(rest));
  return rest;
}

Expr SceneReader::expression_of_slip(const toml::node& node, const std::string& key, ExprGraph& graph) {
  if (node.is_number()) return graph.constant(number(node, "'" + key + "'"));
  if (!node.is_string())
    fail_at(source_, node, fmt::format("'{}' must be an expression of slip_speed in quotes, not {}", key, type_name(node)));
  if (parameters_.value(kSlipSpeed))
    fail_at(source_, node, "slip_speed is the speed of the slip here, and there is a parameter of this name; rename it");
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    if (name == kSlipSpeed) return graph.input(0);
    const std::optional<double> parameter = parameters_.value(name);
    return parameter ? std::optional(graph.constant(*parameter)) : std::nullopt;
  };
  std::vector<std::string> known = parameters_.names();
  known.emplace_back(kSlipSpeed);
  try {
    return parse_expression(**node.as_string(), graph, resolve, known, indices_);
  } catch (const ExpressionError& error) {
    fail_inside(source_, node, error.offset(),
                fmt::format("'{}' may depend on slip_speed and parameters only: {}", key, error.what()));
  }
}

/// Of friction that falls no tangential velocity is given back.
void SceneReader::refuse_returned_slip(const toml::node& restitution, const ForceLaw& law) const {
  if (law.falling)
    fail_at(source_, restitution,
            "friction that falls with the slip takes no 'restitution_tangential': both say what it does");
}

/// All laws of a scene share one impact law; each may name it.
void SceneReader::read_impact_law(const TableReader& reader) {
  const std::optional<std::string> name = reader.text("impact_law");
  if (!name) return;
  const toml::node& node = *reader.find("impact_law");
  const auto words =
      std::find_if(kImpactLaws.begin(), kImpactLaws.end(), [&](const ImpactLawWords& other) { return *name == other.name; });
  if (words == kImpactLaws.end())
    fail_at(source_, node, fmt::format("unknown impact law '{}'; there are newton, poisson and moreau", *name));
  if (impact_law_named_ && description_.impact_law != words->law) {
    fail_at(source_, node,
            "another law of this scene names another impact law; one impact law governs all that hit at once");
  }
  impact_law_named_ = true;
  description_.impact_law = words->law;
}

void SceneReader::check_impact_law() {
  if (description_.impact_law != ImpactLaw::kMoreau) return;
  std::optional<double> common;
  for (const LawDescription& description : description_.laws) {
    const ForceLaw& law = description.law;
    if (law.kind == ForceLaw::Kind::kDryFriction) continue;
    if (!common) common = law.epsilon[0];
    if (law.epsilon[0] == *common) continue;
    throw ModelError(law.key + ".restitution",
                     fmt::format("Moreau's impact law has one restitution for all laws; '{}' has another", law.name));
  }
  if (!contacts_are_found_) return;
  for (const ContactLaw& contact : contact_laws_) {
    if (!contact.touch) continue;
    if (!common) common = contact.law.epsilon[0];
    if (contact.law.epsilon[0] != *common)
      throw ModelError(contact.law.key + ".restitution", "Moreau's impact law has one restitution for all laws");
  }
}

void SceneReader::read_bilaterals() {
  read_entries("bilateral", {"name", "position", "velocity"}, [&](const TableReader& reader, const std::string& key) {
    ConstraintDescription constraint{
        .constraint = {.holonomic = true, .name = read_name(reader), .key = key}, .position = {}, .velocity = {}};
    const toml::node *position = reader.find("position"), *velocity = reader.find("velocity");
    if ((position == nullptr) == (velocity == nullptr)) {
      fail_at(
          source_, velocity ? *velocity : reader.node(),
          "give one of 'position' (an expression of coordinates that is kept at zero) and 'velocity' (one that is linear in "
          "the velocities); a position keeps its velocity at zero too");
    }
    constraint.constraint.holonomic = position != nullptr;
    if (position) constraint.position = expression(*position, key + ".position", "'position'");
    if (velocity) constraint.velocity = expression(*velocity, key + ".velocity", "'velocity'");
    description_.constraints.push_back(std::move(constraint));
  });
}

void SceneReader::read_contacts() {
  const std::vector<std::string> keys = {
      "name", "gap", "slip", "spin", "friction", "restitution", "restitution_tangential", "impact_law", "active_when"};
  read_entries("contact", keys, [&](const TableReader& reader, const std::string& key) {
    LawDescription contact{.law = begin_law(reader, ForceLaw::Kind::kContact, key), .gap = {}, .velocities = {}};
    contact.gap = expression(reader.require("gap", "the signed distance, positive when open"), key + ".gap", "'gap'");
    read_switch(reader, key, contact);
    read_slip(reader, contact);
    contact.law.epsilon[0] = restitution(reader, key);
    read_impact_law(reader);
    description_.laws.push_back(std::move(contact));
  });
}

void SceneReader::read_one_ways() {
  const std::vector<std::string> keys = {"name", "velocity", "restitution", "impact_law"};
  read_entries("one_way", keys, [&](const TableReader& reader, const std::string& key) {
    LawDescription clutch{.law = begin_law(reader, ForceLaw::Kind::kOneWay, key), .gap = {}, .velocities = {}};
    clutch.velocities = {
        expression(reader.require("velocity", "the velocity that must not be negative"), key + ".velocity", "'velocity'")};
    clutch.law.epsilon[0] = restitution(reader, key);
    read_impact_law(reader);
    description_.laws.push_back(std::move(clutch));
  });
}

void SceneReader::read_dry_frictions() {
  read_entries(
      "dry_friction", {"name", "velocity", "spin", "limit"}, [&](const TableReader& reader, const std::string& key) {
        LawDescription pad{.law = begin_law(reader, ForceLaw::Kind::kDryFriction, key), .gap = {}, .velocities = {}};
        const toml::node& velocity = reader.require("velocity", "the velocity that the friction opposes, or a list of two");
        if (const toml::array* list = velocity.as_array()) {
          if (list->empty() || list->size() > 2) {
            fail_at(
                source_, velocity,
                fmt::format("'velocity' must be one expression, or two for friction in a plane; here are {}", list->size()));
          }
          for (size_t k = 0; k < list->size(); ++k) {
            const std::string subject = list->size() > 1 ? fmt::format("{}.velocity[{}]", key, k) : key + ".velocity";
            pad.velocities.push_back(expression(*list->get(k), subject, "'velocity'"));
          }
        } else {
          pad.velocities.push_back(expression(velocity, key + ".velocity", "'velocity'"));
        }
        const toml::node* spin = reader.find("spin");
        if (spin != nullptr && pad.velocities.size() != 2)
          fail_at(source_, *spin, "'spin' needs two velocities: friction in a plane");
        read_limit(reader.require("limit", "the largest friction force"), spin, pad);
        pad.law.rows = static_cast<int>(pad.velocities.size());
        description_.laws.push_back(std::move(pad));
      });
}

/// One number; two, against a positive and a negative velocity or along two of them; with a spin a table.
void SceneReader::read_limit(const toml::node& limit, const toml::node* spin, LawDescription& pad) {
  if (spin != nullptr) {
    const toml::table* table = limit.as_table();
    if (table == nullptr)
      fail_at(source_, limit, "with 'spin' the limit is a table: { force = 3, contact_radius = 5e-4, set = \"exact\" }");
    const double force = read_friction_table(*table, "'limit'", "force", "the largest friction force", true, pad.law);
    pad.law.limits = {force, force};
    pad.velocities.push_back(expression(*spin, pad.law.key + ".spin", "'spin'"));
    return;
  }
  if (limit.is_table() && is_falling(*limit.as_table(), "force")) {
    const double at_rest = read_falling(*limit.as_table(), "'limit'", "force", pad.law);
    pad.law.limits = {at_rest, at_rest};
    return;
  }
  if (limit.is_table())
    fail_at(source_, limit,
            "a table is for drilling friction, which needs 'spin', or for { static, kinetic }; give a number");
  const bool plane = pad.velocities.size() == 2;
  const toml::array* list = limit.as_array();
  if (list != nullptr && list->size() != 2) {
    fail_at(source_, limit,
            fmt::format(
                "'limit' must be one number, or two, [{}]; here are {}",
                plane ? "along the first velocity, along the second" : "against a positive velocity, against a negative one",
                list->size()));
  }
  for (size_t k = 0; k < 2; ++k) {
    const toml::node& node = list != nullptr ? *list->get(k) : limit;
    pad.law.limits[k] = coefficient(node, "'limit'", std::numeric_limits<double>::infinity());
  }
}

}  // namespace tippe
