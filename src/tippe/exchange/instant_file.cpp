// SPDX-License-Identifier: Apache-2.0
#include "tippe/exchange/instant_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"
#include "tippe/core/text_file.h"
#include "tippe/exchange/source_value.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Type = SourceValue::Type;

const TextFileKind kProblemText = {.kind = "problem file", .instead_of_folder = "a problem is a .json or .toml file"};

bool is_json(const std::string& text, const std::string& file) {
  const size_t begin = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return file.ends_with(".json") || (begin != std::string::npos && (text[begin] == '{' || text[begin] == '/'));
}

SourceValue parse_source(const std::string& text, const std::string& file) {
  return is_json(text, file) ? parse_json_source(text, file) : parse_toml_source(text, file);
}

class InstantReader {
 public:
  InstantReader(const SourceValue& root, const std::string& file) : root_(root), file_(file) {}

  Instant read() {
    if (!root_.is(Type::kTable))
      fail(root_, fmt::format("{} where a table {{ \"M\": ..., \"F\": ... }} is expected", root_.type_name()));
    require_keys(root_, "a problem",
                 {"title", "description", "coordinates", "M", "F", "unilateral", "bilateral", "dry_friction", "actuator",
                  "velocity", "restitution"});
    Instant problem;
    AccelerationProblem& acceleration = problem.acceleration.emplace();
    for (const char* key : {"title", "description"}) {
      const SourceValue* value = find(root_, key);
      if (value != nullptr && problem.title.empty()) problem.title = text(*value, key);
    }
    read_equations(acceleration);
    acceleration.unilateral = contacts("unilateral", "A");
    acceleration.bilateral = contacts("bilateral", "B");
    read_dry_frictions(problem);
    read_actuators(problem);
    for (const ContactRows& contact : acceleration.unilateral) note_oddities(contact, problem.notes);
    for (const ContactRows& contact : acceleration.bilateral) note_oddities(contact, problem.notes);
    read_impact(problem);
    placed([&] { require_valid(acceleration); });
    placed([&] { require_valid(problem.dry, acceleration); });
    if (problem.impact) placed([&] { require_valid(*problem.impact); });
    return problem;
  }

 private:
  [[noreturn]] void fail(const SourceValue& value, const std::string& message) const {
    throw InputError({file_, value.line, value.column}, message);
  }

  /// The value of a key, or nullptr; null is the same as nothing.
  static const SourceValue* find(const SourceValue& table, std::string_view key) {
    for (const SourceValue& item : table.items) {
      if (item.key == key) return item.is(Type::kNull) ? nullptr : &item;
    }
    return nullptr;
  }

  const SourceValue& require(const SourceValue& table, const char* key, const std::string& what) const {
    const SourceValue* value = find(table, key);
    if (value == nullptr) fail(table, fmt::format("'{}' is missing: {}", key, what));
    return *value;
  }

  void require_keys(const SourceValue& table, const std::string& what, const std::vector<std::string>& keys) const {
    for (const SourceValue& item : table.items) {
      if (std::find(keys.begin(), keys.end(), item.key) != keys.end()) continue;
      throw InputError({file_, item.key_line, item.key_column},
                       fmt::format("unknown key '{}' in {}{} (known: {})", item.key, what, did_you_mean(item.key, keys),
                                   comma_list(keys)));
    }
  }

  void require_type(const SourceValue& value, Type type, const std::string& what, const char* expected) const {
    if (!value.is(type)) fail(value, fmt::format("{} is {} and must be {}", what, value.type_name(), expected));
  }

  std::string text(const SourceValue& value, const std::string& what) const {
    require_type(value, Type::kString, what, "a text");
    return value.text;
  }

  /// A text without control characters: reports print names, and U+001B, say, would control a terminal.
  std::string name_text(const SourceValue& value, const std::string& what) const {
    std::string name = text(value, what);
    for (size_t k = 0; k < name.size(); ++k) {
      const auto c = static_cast<unsigned char>(name[k]);
      const bool second =
          c == 0xC2 && k + 1 < name.size() && static_cast<unsigned char>(name[k + 1]) < 0xA0;  // U+0080 to U+009F
      if (c < 0x20 || c == 0x7F || second)
        fail(value, fmt::format("{} has the control character U+{:04X}; names may not have any", what,
                                second ? static_cast<unsigned char>(name[k + 1]) : c));
    }
    return name;
  }

  double number(const SourceValue& value, const std::string& what) const {
    require_type(value, Type::kNumber, what, "a number");
    if (!std::isfinite(value.number)) fail(value, fmt::format("{} is {} and must be finite", what, value.number));
    return value.number;
  }

  /// A list of `count` numbers. `rule` says why so many.
  VectorXd vector(const SourceValue& value, const std::string& what, size_t count, const std::string& rule) const {
    require_type(value, Type::kArray, what, "a list of numbers");
    if (value.items.size() != count)
      fail(value, fmt::format("{} has {} numbers and must have {}: {}", what, value.items.size(), count, rule));
    VectorXd entries(static_cast<Eigen::Index>(count));
    for (size_t k = 0; k < count; ++k)
      entries[static_cast<Eigen::Index>(k)] = number(value.items[k], fmt::format("{}[{}]", what, k));
    return entries;
  }

  /// The same where a single number may stand without brackets.
  VectorXd number_or_vector(const SourceValue& value, const std::string& what, size_t count, const std::string& rule) const {
    if (value.is(Type::kNumber) && count == 1) return VectorXd::Constant(1, number(value, what));
    return vector(value, what, count, rule);
  }

  /// A square matrix as a list of rows.
  MatrixXd square(const SourceValue& value, const std::string& what) const {
    require_type(value, Type::kArray, what, "a matrix: a list of rows");
    const size_t size = value.items.size();
    std::vector<VectorXd> rows;  // all are there before memory for the matrix is taken
    for (const SourceValue& row : value.items)
      rows.push_back(vector(row, fmt::format("{}[{}]", what, rows.size()), size,
                            fmt::format("{} has {} rows and must be square", what, size)));
    MatrixXd matrix(size, size);
    for (size_t i = 0; i < size; ++i) matrix.row(static_cast<Eigen::Index>(i)) = rows[i];
    return matrix;
  }

  void read_equations(AccelerationProblem& problem) {
    const SourceValue& M = require(root_, "M", "the mass matrix, a list of rows");
    problem.M = square(M, "M");
    n_ = M.items.size();
    if (n_ == 0) fail(M, "M has no rows; a problem needs at least one degree of freedom");
    problem.F =
        vector(require(root_, "F", "the terms of M a + F = contact forces, one number for each row of M"), "F", n_, kPerRow);
    const SourceValue* coordinates = find(root_, "coordinates");
    if (coordinates == nullptr) return;
    require_type(*coordinates, Type::kArray, "coordinates", "a list of names");
    if (coordinates->items.size() != n_)
      fail(*coordinates,
           fmt::format("coordinates has {} names and must have {}: {}", coordinates->items.size(), n_, kPerRow));
    for (const SourceValue& name : coordinates->items) {
      problem.coordinates.push_back(name_text(name, "a coordinate"));
      const auto last = problem.coordinates.end() - 1;
      if (last->empty()) fail(name, "a coordinate has an empty name");
      if (std::find(problem.coordinates.begin(), last, *last) != last)
        fail(name, fmt::format("two coordinates are called '{}'", *last));
    }
  }

  /// read(table, its place, its default name) for each table of a list; it returns what has the name of the table.
  template <class Read>
  void for_each_table(const char* key, const char* letter, const char* expected, const Read& read) {
    const SourceValue* list = find(root_, key);
    if (list == nullptr) return;
    require_type(*list, Type::kArray, key, "a list of tables");
    for (size_t i = 0; i < list->items.size(); ++i) {
      const SourceValue& table = list->items[i];
      const std::string where = fmt::format("{}[{}]", key, i);
      require_type(table, Type::kTable, where, expected);
      placed_contacts_.push_back({read(table, where, fmt::format("{}{}", letter, i + 1)).name, &table});
    }
  }

  std::vector<ContactRows> contacts(const char* key, const char* letter) {
    std::vector<ContactRows> all;
    for_each_table(key, letter, "a table with 'normal'",
                   [&](const SourceValue& table, const std::string& where, const std::string& name) -> const ContactRows& {
                     return all.emplace_back(contact(table, where, name));
                   });
    return all;
  }

  void read_dry_frictions(Instant& problem) {
    for_each_table(
        "dry_friction", "D", "a table with 'direction' and 'limit'",
        [&](const SourceValue& table, const std::string& where, const std::string& name) -> const DryFrictionRow& {
          return problem.dry.emplace_back(dry_friction(table, where, name));
        });
    for (const DryFrictionRow& row : problem.dry) {
      if (row.direction.isZero(0.0))
        problem.notes.push_back(fmt::format("the direction of '{}' is zero: its force moves nothing", row.name));
    }
  }

  void read_actuators(Instant& problem) {
    const SourceValue* list = find(root_, "actuator");
    if (list == nullptr) return;
    require_type(*list, Type::kArray, "actuator", "a list of tables");
    for (size_t i = 0; i < list->items.size(); ++i) {
      const SourceValue& table = list->items[i];
      const std::string where = fmt::format("actuator[{}]", i);
      require_type(table, Type::kTable, where, "a table with 'direction'");
      require_keys(table, where, {"name", "direction"});
      Actuator actuator{name_of(table, where, fmt::format("U{}", i + 1)), {}};
      if (actuator.name.empty()) fail(table, fmt::format("{} has an empty name", where));
      for (const Actuator& other : problem.actuators) {
        if (other.name == actuator.name) fail(table, fmt::format("two actuators are called '{}'", actuator.name));
      }
      const SourceValue& direction = require(table, "direction", "what its force acts along, one number for each row of M");
      actuator.direction = vector(direction, actuator.name + ".direction", n_, kPerRow);
      if (actuator.direction.isZero(0.0))
        fail(direction, fmt::format("{}.direction is zero: its force moves nothing", actuator.name));
      problem.actuators.push_back(std::move(actuator));
    }
  }

  std::string name_of(const SourceValue& table, const std::string& where, const std::string& default_name) const {
    const SourceValue* name = find(table, "name");
    return name != nullptr ? name_text(*name, where + ".name") : default_name;
  }

  DryFrictionRow dry_friction(const SourceValue& table, const std::string& where, const std::string& default_name) const {
    require_keys(table, where, {"name", "direction", "limit", "drift", "slip"});
    DryFrictionRow row;
    row.name = name_of(table, where, default_name);
    const auto called = [&](const char* key) { return row.name + "." + key; };
    row.direction = vector(require(table, "direction", "the gradient of the velocity, one number for each row of M"),
                           called("direction"), n_, kPerRow);
    row.limit = number(require(table, "limit", "the largest force"), called("limit"));
    if (const SourceValue* value = find(table, "drift")) row.drift = number(*value, called("drift"));
    if (const SourceValue* value = find(table, "slip")) row.slip = number(*value, called("slip"));
    return row;
  }

  /// What is allowed and rarely meant.
  static void note_oddities(const ContactRows& contact, std::vector<std::string>& notes) {
    if (contact.normal.isZero(0.0))
      notes.push_back(fmt::format("the normal of '{}' is zero: its force moves nothing", contact.name));
    for (Eigen::Index k = 0; k < contact.tangents.cols(); ++k) {
      if (contact.tangents.col(k).isZero(0.0))
        notes.push_back(fmt::format("a tangent of '{}' is zero: friction along it moves nothing", contact.name));
    }
    if (contact.mu && *contact.mu > 0.0 && contact.tangents.cols() == 0)
      notes.push_back(
          fmt::format("the mu of '{}' is not used: it has no tangents, so that it has no friction", contact.name));
  }

  ContactRows contact(const SourceValue& table, const std::string& where, const std::string& default_name) const {
    require_keys(table, where, {"name", "normal", "drift", "rate", "tangents", "tangent_drift", "mu", "slip"});
    ContactRows rows;
    rows.name = name_of(table, where, default_name);
    const auto called = [&](const char* key) { return rows.name + "." + key; };
    rows.normal = vector(require(table, "normal", "the gradient of the gap, one number for each row of M"), called("normal"),
                         n_, kPerRow);
    if (const SourceValue* value = find(table, "drift")) rows.drift = number(*value, called("drift"));
    if (const SourceValue* value = find(table, "rate")) rows.rate = number(*value, called("rate"));
    if (const SourceValue* value = find(table, "mu")) rows.mu = number(*value, called("mu"));
    rows.tangents = MatrixXd(static_cast<Eigen::Index>(n_), 0);
    if (const SourceValue* value = find(table, "tangents")) rows.tangents = tangents(*value, called("tangents"));
    const auto count = static_cast<size_t>(rows.tangents.cols());
    rows.tangent_drift = VectorXd::Zero(rows.tangents.cols());
    if (const SourceValue* value = find(table, "tangent_drift"))
      rows.tangent_drift = number_or_vector(*value, called("tangent_drift"), count, kPerTangent);
    if (const SourceValue* value = find(table, "slip"))
      rows.slip = number_or_vector(*value, called("slip"), count, kPerTangent);
    return rows;
  }

  /// A list of directions, or one direction alone.
  MatrixXd tangents(const SourceValue& value, const std::string& what) const {
    require_type(value, Type::kArray, what, "a list of directions");
    const bool single = !value.items.empty() && value.items[0].is(Type::kNumber);
    const size_t count = single ? 1 : value.items.size();
    if (count > 2) fail(value, fmt::format("{} are {}; there may be 1 (in the plane) or 2 (in space)", what, count));
    MatrixXd matrix(n_, count);
    for (size_t k = 0; k < count; ++k)
      matrix.col(static_cast<Eigen::Index>(k)) =
          vector(single ? value : value.items[k], single ? what : fmt::format("{}[{}]", what, k), n_, kPerRow);
    return matrix;
  }

  void read_impact(Instant& problem) const {
    const SourceValue* velocity = find(root_, "velocity");
    const SourceValue* restitution = find(root_, "restitution");
    ImpactProblem impact{problem.acceleration->M,         {}, problem.acceleration->unilateral,
                         problem.acceleration->bilateral, {}, problem.acceleration->coordinates};
    if (velocity != nullptr) impact.velocity = vector(*velocity, "velocity", n_, kPerRow);
    if (restitution != nullptr) impact.restitution = restitution_matrix(*restitution, impact.unilateral.size());
    if (velocity != nullptr && restitution != nullptr) {
      problem.impact = std::move(impact);
    } else if (velocity != nullptr) {
      problem.notes.emplace_back("'velocity' is given without 'restitution': no impact is judged");
    } else if (restitution != nullptr) {
      problem.notes.emplace_back("'restitution' is given without 'velocity': no impact is judged");
    }
  }

  MatrixXd restitution_matrix(const SourceValue& value, size_t count) const {
    const auto size = static_cast<Eigen::Index>(count);
    if (value.is(Type::kNumber)) return number(value, "restitution") * MatrixXd::Identity(size, size);
    require_type(value, Type::kArray, "restitution", "a number, a list or a matrix");
    const bool matrix = !value.items.empty() && value.items[0].is(Type::kArray);
    if (!matrix) return vector(value, "restitution", count, "one for each unilateral contact").asDiagonal();
    if (value.items.size() != count)
      fail(value, fmt::format("restitution has {} rows and must have {}: one for each unilateral contact",
                              value.items.size(), count));
    return square(value, "restitution");
  }

  /// Calls check() and adds the place to what it throws.
  template <class Check>
  void placed(const Check& check) const {
    try {
      check();
    } catch (const InputError& error) {
      fail(place_of(error.what()), error.what());
    }
  }

  /// The value that a message of require_valid is about: a contact if it names one (of several with the same name the last), else M.
  const SourceValue& place_of(const std::string& message) const {
    for (auto contact = placed_contacts_.rbegin(); contact != placed_contacts_.rend(); ++contact) {
      if (message.find("'" + contact->name + "'") == std::string::npos) continue;
      for (const SourceValue& item : contact->table->items) {
        if (message.find("': " + item.key + " ") != std::string::npos) return item;
      }
      return *contact->table;
    }
    for (const auto& contact : placed_contacts_) {
      if (contact.name.empty()) return *contact.table;
    }
    const SourceValue* M = find(root_, "M");
    return M != nullptr ? *M : root_;
  }

  struct PlacedContact {
    std::string name;
    const SourceValue* table;
  };
  const std::string kPerRow = "one for each row of M";
  const std::string kPerTangent = "one for each tangent";
  const SourceValue& root_;
  const std::string& file_;
  size_t n_ = 0;
  std::vector<PlacedContact> placed_contacts_;
};

}  // namespace

Instant read_instant(const std::string& text, const std::string& file) {
  const SourceValue root = parse_source(text, file);
  return InstantReader(root, file).read();
}

Instant load_instant(const std::filesystem::path& path) {
  return read_instant(read_text_file(path, kProblemText), path.string());
}

bool is_instant_file(const std::filesystem::path& path) {
  if (path.extension() == ".json") return true;
  try {
    const std::string text = read_text_file(path, kProblemText);
    if (is_json(text, path.string())) return true;
    const SourceValue root = parse_toml_source(text, path.string());
    return std::any_of(root.items.begin(), root.items.end(), [](const SourceValue& item) { return item.key == "M"; });
  } catch (const InputError&) {
    return false;
  } catch (const FileError&) {  // whoever loads it says why
    return false;
  }
}

}  // namespace tippe
