// SPDX-License-Identifier: Apache-2.0
// The table [units], and what is known of units without it. They are names: no number is converted.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tippe/run/column_units.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

/// What an expression tells of its unit. A constant may have any: parameters are numbers.
struct Dimension {
  enum class Kind { kAny, kKnown, kUnknown } kind = Kind::kUnknown;
  std::string unit = {};  // of kKnown: unit^power
  double power = 1.0;

  [[nodiscard]] bool known() const { return kind == Kind::kKnown; }
  [[nodiscard]] bool pure() const { return known() && (power == 0.0 || unit == kPureNumber); }
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

const Dimension kAny{Dimension::Kind::kAny};
const Dimension kUnknown{};
const Dimension kPure{Dimension::Kind::kKnown, kPureNumber};

Dimension sum(const Dimension& a, const Dimension& b) {
  if (a == b || b.kind == Dimension::Kind::kAny) return a;
  if (a.kind == Dimension::Kind::kAny || (b.known() && !a.known())) return b;
  if (!b.known()) return a;  // who adds two things says that they are of one kind
  if (a.pure() && b.unit == kRadian) return b;
  if (b.pure() && a.unit == kRadian) return a;
  return kUnknown;
}

Dimension product(const Dimension& a, const Dimension& b, double sign) {
  if (a.kind == Dimension::Kind::kAny && b.kind == Dimension::Kind::kAny) return kAny;
  if (!a.known() || !b.known())
    return a.kind == Dimension::Kind::kUnknown || b.kind == Dimension::Kind::kUnknown ? kUnknown : kAny;
  if (b.pure()) return a;
  if (a.pure()) return {Dimension::Kind::kKnown, b.unit, sign * b.power};
  if (a.unit == b.unit) return {Dimension::Kind::kKnown, a.unit, a.power + sign * b.power};
  return kUnknown;
}

Dimension power(const Dimension& a, double exponent) {
  return a.known() ? Dimension{Dimension::Kind::kKnown, a.unit, a.power * exponent} : a;
}

Dimension dimension_of(const ExprGraph& graph, Expr expression, const std::vector<std::string>& inputs) {
  std::unordered_map<int, Dimension> found;
  for (const int id : graph.reachable(std::span(&expression, 1))) {
    const ExprGraph::Node& node = graph.node(id);
    const auto operand = [&](int k) -> const Dimension& { return found.at(k); };
    const auto of = [&]() -> Dimension {
      switch (node.op) {
        case Op::kConstant:
          return kAny;
        case Op::kInput: {
          const std::string& unit = inputs[static_cast<size_t>(node.a)];
          return unit.empty() || unit == kSomeUnit ? kUnknown : Dimension{Dimension::Kind::kKnown, unit};
        }
        case Op::kAdd:
        case Op::kSub:
        case Op::kMin:
        case Op::kMax:
          return sum(operand(node.a), operand(node.b));
        case Op::kSelect:
          return sum(operand(node.b), operand(node.c));
        case Op::kMul:
          return product(operand(node.a), operand(node.b), 1.0);
        case Op::kDiv:
          return product(operand(node.a), operand(node.b), -1.0);
        case Op::kNeg:
        case Op::kAbs:
          return operand(node.a);
        case Op::kPow:
          return graph.node(node.b).op == Op::kConstant ? power(operand(node.a), graph.node(node.b).value) : kUnknown;
        case Op::kSqrt:
          return power(operand(node.a), 0.5);
        case Op::kAsin:
        case Op::kAcos:
        case Op::kAtan:
        case Op::kAtan2:
          return {Dimension::Kind::kKnown, kRadian};
        default:
          return kPure;
      }
    };
    found.emplace(id, of());
  }
  return found.at(expression.id());
}

/// "" where the expression does not tell.
std::string unit_of(const ExprGraph& graph, Expr expression, const std::vector<std::string>& inputs) {
  const Dimension dimension = dimension_of(graph, expression, inputs);
  if (dimension.pure()) return kPureNumber;
  return dimension.known() && dimension.power == 1.0 ? dimension.unit : "";
}

/// Adds the inputs that a node is a sum or difference of.
void add_terms(const ExprGraph& graph, int id, std::vector<bool>& is_term) {
  const ExprGraph::Node& node = graph.node(id);
  if (node.op == Op::kInput) is_term[static_cast<size_t>(node.a)] = true;
  if (node.op == Op::kNeg || node.op == Op::kAdd || node.op == Op::kSub) add_terms(graph, node.a, is_term);
  if (node.op == Op::kAdd || node.op == Op::kSub) add_terms(graph, node.b, is_term);
}

/// "phi", "theta2", "alphaL": whether a name begins with this word.
bool begins_with_word(const std::string& name, std::string_view word) {
  return name.starts_with(word) &&
         (name.size() == word.size() || std::islower(static_cast<unsigned char>(name[word.size()])) == 0);
}

bool names_an_angle(const std::string& name) {
  const auto words = {"alpha", "beta", "gamma", "theta", "phi", "psi", "angle"};
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return begins_with_word(name, word); });
}

bool names_a_length(const std::string& name) {
  const auto words = {"x", "y", "z", "s"};
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return begins_with_word(name, word); });
}

std::vector<std::string> units_of_coordinates(const Body& body) {
  std::vector<std::string> units = {"m", "m", "m"};
  if (body.kind == BodyKind::kPlanar) units = {"m", "m", kRadian};
  units.resize(body.coordinate_names().size(), kPureNumber);
  return units;
}

std::vector<std::string> units_of_velocities(const Body& body) {
  std::vector<std::string> units = {"m/s", "m/s", "m/s"};
  if (body.kind == BodyKind::kPlanar) units = {"m/s", "m/s", "rad/s"};
  if (body.kind == BodyKind::kNewtonEuler) units.resize(6, "rad/s");
  if (body.kind == BodyKind::kScalable) units = {"m/s", "m/s", "m/s", "1/s", "rad/s", "rad/s", "rad/s"};
  units.resize(body.velocity_names().size(), "1/s");
  return units;
}

}  // namespace

/// A coordinate is an angle where it is named like one, or where the scene takes its sine or cosine; else a length.
std::vector<std::string> SceneReader::guess_units_of_coordinates() const {
  std::vector<bool> turns(static_cast<size_t>(description_.inputs().count()), false);
  for (int id = 0; id < graph_.size(); ++id) {
    const ExprGraph::Node& node = graph_.node(id);
    if (node.op == Op::kSin || node.op == Op::kCos || node.op == Op::kTan) add_terms(graph_, node.a, turns);
  }
  std::vector<std::string> units(description_.coordinates.size(), "m");
  for (size_t i = 0; i < units.size(); ++i) {
    const std::string& name = description_.coordinates[i];
    if (names_an_angle(name) || (turns[i] && !names_a_length(name))) units[i] = kRadian;
  }
  for (const SwitchedContact& contact : switches_) units[static_cast<size_t>(contact.coordinate)] = kPureNumber;
  for (const SceneBody& entry : bodies_) {
    const std::vector<std::string> known = units_of_coordinates(entry.body);
    std::copy(known.begin(), known.end(), units.begin() + entry.body.first_coordinate);
  }
  return units;
}

/// [units]: of coordinates, velocities, quantities, laws (their gap, or the velocity that they act against) and bilateral rows.
std::map<std::string, std::string, std::less<>> SceneReader::read_own_units(const Scene& scene) {
  std::map<std::string, std::string, std::less<>> units;
  const toml::table* table = root_.table("units");
  if (table == nullptr) return units;
  std::vector<std::string> names = scene.system->coordinate_names();
  const auto add = [&](const std::vector<std::string>& more) { names.insert(names.end(), more.begin(), more.end()); };
  add(scene.system->velocity_names());
  add(scene.run.observables.names());
  for (const ForceLaw& law : scene.system->laws()) names.push_back(law.name);
  for (const Constraint& row : scene.system->constraints()) names.push_back(row.name);
  read_values(*table, "[units]", names, [&](size_t k, const toml::node& value) {
    constexpr size_t kLongest = 24;
    if (!value.is_string())
      fail_at(source_, value, fmt::format("the unit of {} must be a string, \"rad\", not {}", names[k], type_name(value)));
    const std::string& unit = **value.as_string();
    const bool is_plain =
        std::all_of(unit.begin(), unit.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
    if (unit.empty() || unit.size() > kLongest || !is_plain)
      fail_at(source_, value,
              fmt::format("the unit of {} has 1 to {} characters, \"m/s\"; a pure number has \"1\"", names[k], kLongest));
    units[names[k]] = unit;
  });
  return units;
}

void SceneReader::read_units(Scene& scene) {
  const std::map<std::string, std::string, std::less<>> own = read_own_units(scene);
  const auto otherwise = [&](const std::string& name, std::string unit) {
    const auto found = own.find(name);
    return found == own.end() ? std::move(unit) : found->second;
  };
  const LagrangianInputs number = description_.inputs();
  std::vector<std::string> inputs(static_cast<size_t>(number.count()));
  std::map<std::string, std::string, std::less<>>& units = scene.origin.units;
  const std::vector<std::string> coordinates = guess_units_of_coordinates();
  for (int i = 0; i < number.n; ++i) {
    const std::string& name = description_.coordinates[static_cast<size_t>(i)];
    std::string& unit = inputs[static_cast<size_t>(number.q(i))] = otherwise(name, coordinates[static_cast<size_t>(i)]);
    units[name] = unit;
    inputs[static_cast<size_t>(number.rate(i))] = rate_unit(unit);
  }
  inputs[static_cast<size_t>(number.t())] = "s";
  const std::vector<std::string>& velocities = scene.system->velocity_names();
  for (const std::string& velocity : velocities) {
    const std::string coordinate = velocity.ends_with("'") ? velocity.substr(0, velocity.size() - 1) : "";
    const auto found = units.find(coordinate);
    units[velocity] = otherwise(velocity, found == units.end() ? kSomeUnit : rate_unit(found->second));
  }
  for (const SceneBody& entry : bodies_) {
    const std::vector<std::string> names = entry.body.velocity_names(), known = units_of_velocities(entry.body);
    for (size_t k = 0; k < names.size(); ++k) units[names[k]] = otherwise(names[k], known[k]);
  }
  for (size_t j = 0; j < velocities.size(); ++j)
    inputs[static_cast<size_t>(number.u(static_cast<int>(j)))] = units[velocities[j]];

  const auto unit_or = [&](Expr expression, const char* unknown) {
    const std::string unit = expression.valid() ? unit_of(graph_, expression, inputs) : "";
    return unit.empty() ? std::string(unknown) : unit;
  };
  for (const ForceLaw& law : scene.system->laws())
    units[law.name] = otherwise(law.name, law.kind == ForceLaw::Kind::kContact ? "m" : kSomeUnit);
  for (const LawDescription& law : description_.laws) {
    const bool is_contact = law.law.kind == ForceLaw::Kind::kContact;
    const Expr first = is_contact ? law.gap : law.velocities.empty() ? Expr() : law.velocities.front();
    units[law.law.name] = otherwise(law.law.name, unit_or(first, is_contact ? "m" : kSomeUnit));
  }
  for (const ConstraintDescription& row : description_.constraints) {
    const bool holonomic = row.constraint.holonomic;
    units[row.constraint.name] = otherwise(row.constraint.name, unit_or(holonomic ? row.position : row.velocity, kSomeUnit));
  }
  for (const auto& [name, quantity] : quantities_) {
    const bool is_momentum = name.starts_with("momentum."), is_spin = name.starts_with("angular_momentum.");
    units[name] = otherwise(name, is_momentum ? "kg m/s" : is_spin ? "kg m^2/s" : unit_or(quantity, kSomeUnit));
  }
}

}  // namespace tippe
