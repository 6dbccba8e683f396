// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tippe/core/suggest.h"
#include "tippe/model/lagrangian.h"
#include "tippe/model/start.h"
#include "tippe/scene/deep_keys.h"
#include "tippe/scene/parameters.h"
#include "tippe/scene/toml_reader.h"

namespace tippe {
namespace {

/// Reads one scene, top to bottom, and remembers where each expression was written.
class SceneReader {
 public:
  SceneReader(const SourceText& source, const toml::table& root, const SceneOverrides& overrides)
      : source_(source),
        overrides_(overrides),
        root_(source, root, "the scene",
              {"tippe", "title", "source", "parameters", "lagrangian", "contact", "one_way", "dry_friction", "initial",
               "run", "output"}),
        parameters_(source, root_.table("parameters"), overrides.settings) {}

  Scene read();

 private:
  void read_version();
  void read_coordinates(const TableReader& lagrangian);
  void read_lagrangian();
  void read_contacts();
  void read_one_ways();
  void read_dry_frictions();
  void read_start(Scene& scene);
  void read_run(Scene& scene);
  void check_options(const Scene& scene);

  ForceLaw begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key);
  void read_slip(const TableReader& reader, LawDescription& contact);
  double coefficient(const toml::node& node, const std::string& what, double largest);
  double restitution(const TableReader& reader);
  std::vector<double> coefficients(const toml::node& node, const std::string& what, size_t directions, double largest);
  Expr expression(const toml::node& node, const std::string& subject, const std::string& what);
  /// A number in [run] or [output] that the command line may replace.
  void read_number(const TableReader& reader, const std::string& key, const std::optional<std::string>& override,
                   double& value);
  /// Throws the error of a model where its subject was written.
  [[noreturn]] void rethrow(const ModelError& error) const;

  const SourceText& source_;
  const SceneOverrides& overrides_;
  TableReader root_;
  Parameters parameters_;
  ExprGraph graph_;
  LagrangianDescription description_;
  std::vector<std::string> names_;                    // all that may occur in expressions
  std::map<std::string, Expr, std::less<>> inputs_;   // coordinates, velocities, t
  std::map<std::string, const toml::node*> written_;  // subject -> its value in the file
  std::set<std::string> law_names_;
};

Scene SceneReader::read() {
  Scene scene;
  read_version();
  scene.origin.title = root_.text("title").value_or("");
  scene.origin.source = root_.text("source").value_or("");
  scene.origin.scene_file = source_.file();
  scene.origin.scene_text = source_.text();
  scene.origin.settings = overrides_.settings;
  scene.origin.parameters = parameters_.values();
  read_lagrangian();
  read_contacts();
  read_one_ways();
  read_dry_frictions();
  read_start(scene);
  read_run(scene);
  try {
    scene.system = make_lagrangian_system(description_);
    check_options(scene);
    check_start(*scene.system, scene.start, scene.run.initial_penetration);
  } catch (const ModelError& error) {
    rethrow(error);
  }
  return scene;
}

void SceneReader::rethrow(const ModelError& error) const {
  const auto found = written_.find(error.subject());
  if (found == written_.end()) fail_at(source_, root_.node(), fmt::format("{}: {}", error.subject(), error.what()));
  const toml::node& value = *found->second;
  if (value.is_string() && !error.symbol().empty()) {
    for (const NameInExpression& used : names_in_expression(**value.as_string())) {
      if (used.name == error.symbol()) fail_inside(source_, value, used.offset, error.what());
    }
  }
  fail_at(source_, value, error.what());
}

void SceneReader::read_version() {
  const toml::node& version = root_.require("tippe", "the version of the scene language, tippe = 1");
  if (version.value_exact<int64_t>() != 1)
    fail_at(source_, version, "this program reads version 1 of the scene language: tippe = 1");
}

Expr SceneReader::expression(const toml::node& node, const std::string& subject, const std::string& what) {
  written_[subject] = &node;
  if (const auto number = node.value<double>(); number && !node.is_string())
    return graph_.constant(parameters_.number(node, what));
  if (!node.is_string())
    fail_at(source_, node, fmt::format("{} must be an expression in quotes, not {}", what, type_name(node)));
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    if (const auto input = inputs_.find(name); input != inputs_.end()) return input->second;
    const std::optional<double> parameter = parameters_.value(name);
    return parameter ? std::optional(graph_.constant(*parameter)) : std::nullopt;
  };
  try {
    return parse_expression(**node.as_string(), graph_, resolve, names_);
  } catch (const ExpressionError& error) {
    fail_inside(source_, node, error.offset(), error.what());
  }
}

void SceneReader::read_coordinates(const TableReader& lagrangian) {
  const toml::node& list = lagrangian.require("coordinates", "the names of the generalized coordinates, [\"x\", \"phi\"]");
  if (!list.is_array() || list.as_array()->empty())
    fail_at(source_, list, "'coordinates' must be an array of names, as in [\"x\", \"phi\"]");
  std::vector<std::string>& names = description_.coordinates;
  for (const toml::node& entry : *list.as_array()) {
    if (!entry.is_string())
      fail_at(source_, entry, fmt::format("a coordinate must be a name in quotes, not {}", type_name(entry)));
    const std::string name = **entry.as_string();
    require_usable_name(source_, entry, name, "coordinate");
    if (std::find(names.begin(), names.end(), name) != names.end())
      fail_at(source_, entry, fmt::format("the coordinate '{}' is named twice", name));
    if (parameters_.value(name))
      fail_at(source_, entry, fmt::format("'{}' is both a coordinate and a parameter; rename one", name));
    names.push_back(name);
  }
  const LagrangianInputs inputs{static_cast<int>(names.size())};
  for (int i = 0; i < inputs.n; ++i) {
    inputs_[names[i]] = graph_.input(inputs.q(i));
    inputs_[names[i] + "'"] = graph_.input(inputs.u(i));
  }
  inputs_["t"] = graph_.input(inputs.t());
  for (const auto& [name, input] : inputs_) names_.push_back(name);
  names_.insert(names_.end(), parameters_.names().begin(), parameters_.names().end());
}

void SceneReader::read_lagrangian() {
  const toml::table* table = root_.table("lagrangian");
  if (table == nullptr)
    fail_at(source_, root_.node(), "the scene needs a system: a table [lagrangian] with coordinates and kinetic energy");
  TableReader reader(source_, *table, "[lagrangian]", {"coordinates", "kinetic", "potential", "damping", "forces"});
  read_coordinates(reader);
  description_.kinetic =
      expression(reader.require("kinetic", "the kinetic energy, \"0.5*m*x'^2\""), "lagrangian.kinetic", "'kinetic'");
  const toml::node* potential = reader.find("potential");
  description_.potential = potential ? expression(*potential, "lagrangian.potential", "'potential'") : graph_.constant(0.0);
  if (potential == nullptr) written_["lagrangian.potential"] = table;
  if (const toml::node* damping = reader.find("damping"))
    description_.damping = expression(*damping, "lagrangian.damping", "'damping'");
  description_.forces.resize(description_.coordinates.size());
  if (const toml::table* forces = reader.table("forces")) {
    const TableReader force_reader(source_, *forces, "[lagrangian.forces]", description_.coordinates);
    for (size_t i = 0; i < description_.coordinates.size(); ++i) {
      const std::string& name = description_.coordinates[i];
      if (const toml::node* force = force_reader.find(name))
        description_.forces[i] = expression(*force, "lagrangian.forces." + name, "the force on " + name);
    }
  }
}

double SceneReader::coefficient(const toml::node& node, const std::string& what, double largest) {
  const double value = parameters_.number(node, what);
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

ForceLaw SceneReader::begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key) {
  ForceLaw law;
  law.kind = kind;
  law.key = key;
  const toml::node& name = reader.require("name", "how results and messages call it");
  law.name = reader.text("name").value_or("");
  const bool printable = std::all_of(law.name.begin(), law.name.end(),
                                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
  if (law.name.empty() || !printable) fail_at(source_, name, "a name must not be empty or contain control characters");
  if (!law_names_.insert(law.name).second) fail_at(source_, name, fmt::format("the name '{}' is used twice", law.name));
  return law;
}

double SceneReader::restitution(const TableReader& reader) {
  const toml::node* node = reader.find("restitution");
  return node ? coefficient(*node, "'restitution'", 1.0) : 0.0;
}

void SceneReader::read_slip(const TableReader& reader, LawDescription& contact) {
  const std::string& key = contact.law.key;
  const toml::node* slip = reader.find("slip");
  const toml::node* friction = reader.find("friction");
  const toml::node* restitution_tangential = reader.find("restitution_tangential");
  if (slip == nullptr) {
    if (friction)
      fail_at(source_, *friction,
              "'friction' needs 'slip': the relative tangential velocity, one expression or a list of two");
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
  const std::vector<double> mu = coefficients(*friction, "'friction'", directions, std::numeric_limits<double>::infinity());
  contact.law.rows = 1 + static_cast<int>(directions);
  contact.law.mu1 = mu.front();
  contact.law.mu2 = mu.back();
  if (restitution_tangential) {
    const std::vector<double> epsilon = coefficients(*restitution_tangential, "'restitution_tangential'", directions, 1.0);
    std::copy(epsilon.begin(), epsilon.end(), contact.law.epsilon.begin() + 1);
  }
}

void SceneReader::read_contacts() {
  int number = 0;
  for (const toml::table* table : root_.tables("contact")) {
    const TableReader reader(source_, *table, "[[contact]]",
                             {"name", "gap", "slip", "friction", "restitution", "restitution_tangential"});
    const std::string key = fmt::format("contact[{}]", number++);
    LawDescription contact{.law = begin_law(reader, ForceLaw::Kind::kContact, key), .gap = {}, .velocities = {}};
    contact.gap = expression(reader.require("gap", "the signed distance, positive when open"), key + ".gap", "'gap'");
    read_slip(reader, contact);
    contact.law.epsilon[0] = restitution(reader);
    description_.laws.push_back(std::move(contact));
  }
}

void SceneReader::read_one_ways() {
  int number = 0;
  for (const toml::table* table : root_.tables("one_way")) {
    const TableReader reader(source_, *table, "[[one_way]]", {"name", "velocity", "restitution"});
    const std::string key = fmt::format("one_way[{}]", number++);
    LawDescription clutch{.law = begin_law(reader, ForceLaw::Kind::kOneWay, key), .gap = {}, .velocities = {}};
    clutch.velocities = {
        expression(reader.require("velocity", "the velocity that must not be negative"), key + ".velocity", "'velocity'")};
    clutch.law.epsilon[0] = restitution(reader);
    description_.laws.push_back(std::move(clutch));
  }
}

void SceneReader::read_dry_frictions() {
  int number = 0;
  for (const toml::table* table : root_.tables("dry_friction")) {
    const TableReader reader(source_, *table, "[[dry_friction]]", {"name", "velocity", "limit"});
    const std::string key = fmt::format("dry_friction[{}]", number++);
    LawDescription pad{.law = begin_law(reader, ForceLaw::Kind::kDryFriction, key), .gap = {}, .velocities = {}};
    pad.velocities = {
        expression(reader.require("velocity", "the velocity that the friction opposes"), key + ".velocity", "'velocity'")};
    pad.law.limit = coefficient(reader.require("limit", "the largest friction force"), "'limit'",
                                std::numeric_limits<double>::infinity());
    description_.laws.push_back(std::move(pad));
  }
}

void SceneReader::read_start(Scene& scene) {
  const auto n = static_cast<Eigen::Index>(description_.coordinates.size());
  scene.start.q.setZero(n);
  scene.start.u.setZero(n);
  const toml::table* table = root_.table("initial");
  if (table == nullptr) return;
  std::vector<std::string> keys = {"t"};
  for (const std::string& name : description_.coordinates) keys.insert(keys.end(), {name, name + "'"});
  const TableReader reader(source_, *table, "[initial]", std::move(keys));
  if (const toml::node* t = reader.find("t")) scene.start.t = parameters_.number(*t, "the start time");
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::string& name = description_.coordinates[static_cast<size_t>(i)];
    if (const toml::node* q = reader.find(name)) scene.start.q[i] = parameters_.number(*q, "the initial " + name);
    if (const toml::node* u = reader.find(name + "'"))
      scene.start.u[i] = parameters_.number(*u, "the initial " + name + "'");
  }
}

void SceneReader::read_number(const TableReader& reader, const std::string& key, const std::optional<std::string>& override,
                              double& value) {
  const toml::node* node = reader.find(key);
  if (override) {
    try {
      value = parameters_.evaluate(*override);
    } catch (const ExpressionError& error) {
      throw InputError({}, fmt::format("--{} {}: {}", key, *override, error.what()));
    }
    return;
  }
  if (node == nullptr) return;
  written_[reader.path() + key] = node;
  value = parameters_.number(*node, "'" + key + "'");
}

void SceneReader::read_run(Scene& scene) {
  RunOptions& run = scene.run;
  const toml::table no_table;
  const toml::table* run_table = root_.table("run");
  const TableReader reader(source_, run_table ? *run_table : no_table, "[run]",
                           {"integrator", "dt", "until", "initial_penetration", "closed_tolerance"});
  if (const std::optional<std::string> integrator = reader.text("integrator")) {
    run.integrator = *integrator;
    written_["[run]integrator"] = reader.node().get("integrator");
  }
  if (overrides_.integrator) run.integrator = *overrides_.integrator;
  read_number(reader, "dt", overrides_.dt, run.dt);
  read_number(reader, "until", overrides_.until, run.until);
  for (const auto& [key, override] : {std::pair{"dt", overrides_.dt}, std::pair{"until", overrides_.until}}) {
    if (override || (run_table && run_table->contains(key))) continue;
    fail_at(source_, run_table ? *run_table : root_.node(), fmt::format("[run] needs '{0}' (or give --{0})", key));
  }
  read_number(reader, "initial_penetration", std::nullopt, run.initial_penetration);
  read_number(reader, "closed_tolerance", std::nullopt, run.integrator_options.closed_tolerance);

  const toml::table* output_table = root_.table("output");
  const TableReader output(source_, output_table ? *output_table : no_table, "[output]", {"every"});
  if (const toml::node* every = output.find("every")) {
    written_["[run]every"] = every;
    run.every = parameters_.number(*every, "'every'");
    if (!(run.every > 0.0))
      fail_at(source_, *every, fmt::format("the time between samples must be positive, got {}", run.every));
  }
}

void SceneReader::check_options(const Scene& scene) {
  const auto complain = [&](const std::string& key, bool overridden, const std::string& message) {
    const auto found = written_.find("[run]" + key);
    if (overridden || found == written_.end()) throw InputError({}, fmt::format("--{}: {}", key, message));
    fail_at(source_, *found->second, message);
  };
  const RunOptions::Problem problem = scene.run.invalid(scene.start.t);
  const bool overridden = (problem.key == "dt" && overrides_.dt) || (problem.key == "until" && overrides_.until) ||
                          (problem.key == "integrator" && overrides_.integrator);
  if (!problem.key.empty()) complain(problem.key, overridden, problem.message);
  const std::string misfit = find_integrator(scene.run.integrator)->misfit(*scene.system);
  if (!misfit.empty()) {
    complain("integrator", overrides_.integrator.has_value(),
             fmt::format("'{}' does not fit this scene: {}; these do: {}", scene.run.integrator, misfit,
                         comma_list(fitting_integrators(*scene.system))));
  }
}

/// TOML's own message, with a hint for the two mistakes that everybody makes once.
std::string explain_toml_error(const std::string& message) {
  if (message.find("expected '=', saw '''") != std::string::npos)
    return message + "; a velocity as a key needs quotes: \"x'\" = 1";
  if (message.find("could not determine value type") != std::string::npos)
    return message + "; expressions and other texts need quotes";
  return message;
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides) {
  const SourceText source(file, text);
  refuse_deep_keys(source);
  toml::table root;
  try {
    root = toml::parse(std::string_view(source.text()), file);
  } catch (const toml::parse_error& error) {
    const toml::source_position& begin = error.source().begin;
    throw InputError({file, static_cast<int>(begin.line), static_cast<int>(begin.column)},
                     explain_toml_error(std::string(error.description())));
  }
  return SceneReader(source, root, overrides).read();
}

Scene load_scene(const std::filesystem::path& path, const SceneOverrides& overrides) {
  constexpr std::uintmax_t kLargestFile = 64u << 20;
  const SourcePosition whole_file{path.string(), 0, 0};
  std::error_code trouble;
  const std::filesystem::file_status status = std::filesystem::status(path, trouble);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(whole_file, "no such file");
  if (trouble) throw InputError(whole_file, "cannot be read (" + trouble.message() + ")");
  if (std::filesystem::is_directory(status)) throw InputError(whole_file, "is a folder; a scene is a .toml file");
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, trouble) > kLargestFile) {
    throw InputError(whole_file, "is larger than 64 MB, which is no scene");
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream.is_open() || text.str().empty()) {
    throw InputError(whole_file, stream.is_open() ? "is empty" : "cannot be read");
  }
  return read_scene(text.str(), path.string(), overrides);
}

}  // namespace tippe
