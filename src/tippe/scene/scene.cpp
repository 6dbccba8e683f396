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
  void read_observables(Scene& scene);
  void check_stop_at_start(const Scene& scene) const;
  void check_options(const Scene& scene);

  ForceLaw begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key);
  void read_slip(const TableReader& reader, LawDescription& contact);
  double coefficient(const toml::node& node, const std::string& what, double largest);
  double restitution(const TableReader& reader, const std::string& key);
  void read_drilling(const toml::node* spin, const toml::node& friction, LawDescription& contact);
  void read_impact_law(const TableReader& reader);
  void check_impact_law();
  std::vector<double> coefficients(const toml::node& node, const std::string& what, size_t directions, double largest);
  /// Numbers and expressions of the entry that is being read, with its indices.
  [[nodiscard]] double number(const toml::node& node, const std::string& what) const {
    return parameters_.number(node, what, indices_);
  }
  Expr expression(const toml::node& node, const std::string& subject, const std::string& what);
  /// A number in [run] or [output] that the command line may replace.
  void read_number(const TableReader& reader, const std::string& key, const std::optional<std::string>& override,
                   double& value);
  /// Reads all [[key]], repeated ones as often as they say: read(reader, "contact[3]").
  template <class Read>
  void read_laws(const std::string& key, std::vector<std::string> keys, Read&& read);
  /// Reads a table with a value for each of these names: read(number of the name, value).
  template <class Read>
  void read_values(const toml::table& table, const std::string& path, const std::vector<std::string>& names, Read&& read);
  /// Throws the error of a model where its subject was written.
  [[noreturn]] void rethrow(const ModelError& error) const;

  const SourceText& source_;
  const SceneOverrides& overrides_;
  TableReader root_;
  Parameters parameters_;
  ExprGraph graph_;
  LagrangianDescription description_;
  std::vector<std::string> names_;                   // all that may occur in expressions
  std::map<std::string, Expr, std::less<>> inputs_;  // coordinates, velocities, t
  struct Written {
    const toml::node* node;
    Indices indices;
  };
  std::map<std::string, Written> written_;  // subject -> its value in the file
  Indices indices_;                         // of the entry that is being read
  std::set<std::string> law_names_;
  bool impact_law_named_ = false;
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
  read_observables(scene);
  try {
    check_impact_law();
    scene.system = make_lagrangian_system(description_);
    check_options(scene);
    check_start(*scene.system, scene.start, scene.run.initial_penetration);
    check_stop_at_start(scene);
  } catch (const ModelError& error) {
    rethrow(error);
  }
  return scene;
}

void SceneReader::rethrow(const ModelError& error) const {
  const auto found = written_.find(error.subject());
  if (found == written_.end()) fail_at(source_, root_.node(), fmt::format("{}: {}", error.subject(), error.what()));
  const auto& [value, indices] = found->second;
  const std::string message = error.what() + describe_indices(indices);
  if (value->is_string() && !error.symbol().empty()) {
    for (const NameInExpression& used : names_in_expression(**value->as_string(), indices, parameters_.resolver())) {
      if (used.name == error.symbol()) fail_inside(source_, *value, used.offset, message);
    }
  }
  fail_at(source_, *value, message);
}

void SceneReader::read_version() {
  const toml::node& version = root_.require("tippe", "the version of the scene language, tippe = 1");
  if (version.value_exact<int64_t>() != 1)
    fail_at(source_, version, "this program reads version 1 of the scene language: tippe = 1");
}

Expr SceneReader::expression(const toml::node& node, const std::string& subject, const std::string& what) {
  written_[subject] = {&node, indices_};
  if (node.is_number()) return graph_.constant(number(node, what));
  if (!node.is_string())
    fail_at(source_, node, fmt::format("{} must be an expression in quotes, not {}", what, type_name(node)));
  const auto resolve = [&](std::string_view name) -> std::optional<Expr> {
    if (const auto input = inputs_.find(name); input != inputs_.end()) return input->second;
    const std::optional<double> parameter = parameters_.value(name);
    return parameter ? std::optional(graph_.constant(*parameter)) : std::nullopt;
  };
  try {
    return parse_expression(**node.as_string(), graph_, resolve, names_, indices_);
  } catch (const ExpressionError& error) {
    fail_inside(source_, node, error.offset(), error.what());
  }
}

void SceneReader::read_coordinates(const TableReader& lagrangian) {
  const toml::node& list = lagrangian.require("coordinates", "the names of the generalized coordinates, [\"x\", \"phi\"]");
  if (!list.is_array() || list.as_array()->empty())
    fail_at(source_, list, "'coordinates' must be an array of names, as in [\"x\", \"phi\"]");
  std::vector<std::string>& names = description_.coordinates;
  std::set<std::string, std::less<>> seen;
  for (const toml::node& entry : *list.as_array()) {
    if (!entry.is_string())
      fail_at(source_, entry, fmt::format("a coordinate must be a name in quotes, not {}", type_name(entry)));
    const NumberResolver known = parameters_.resolver();
    for_each_name(source_, **entry.as_string(), entry.source().begin, known, [&](const std::string& name, const Indices&) {
      require_usable_name(source_, entry, name, "coordinate");
      if (!seen.insert(name).second) fail_at(source_, entry, fmt::format("the coordinate '{}' is named twice", name));
      if (parameters_.value(name))
        fail_at(source_, entry, fmt::format("'{}' is both a coordinate and a parameter; rename one", name));
      names.push_back(name);
    });
  }
  if (names.empty()) fail_at(source_, list, "there is no coordinate: the ranges are empty");
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
  if (potential == nullptr) written_["lagrangian.potential"] = {table, {}};
  if (const toml::node* damping = reader.find("damping"))
    description_.damping = expression(*damping, "lagrangian.damping", "'damping'");
  description_.forces.resize(description_.coordinates.size());
  if (const toml::table* forces = reader.table("forces")) {
    read_values(*forces, "[lagrangian.forces]", description_.coordinates, [&](size_t i, const toml::node& force) {
      const std::string& name = description_.coordinates[i];
      description_.forces[i] = expression(force, "lagrangian.forces." + name, "the force on " + name);
    });
  }
}

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

ForceLaw SceneReader::begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key) {
  ForceLaw law;
  law.kind = kind;
  law.key = key;
  const toml::node& name = reader.require("name", "how results and messages call it");
  law.name = reader.text("name").value_or("");
  if (!indices_.empty()) {
    try {
      law.name = fill_braces(law.name, parameters_.resolver(), indices_);
    } catch (const ExpressionError& error) {
      fail_inside(source_, name, error.offset(), error.what());
    }
  }
  const bool printable = std::all_of(law.name.begin(), law.name.end(),
                                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
  if (law.name.empty() || !printable) fail_at(source_, name, "a name must not be empty or contain control characters");
  if (!law_names_.insert(law.name).second) fail_at(source_, name, fmt::format("the name '{}' is used twice", law.name));
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
  if (friction->is_table() || spin != nullptr) {
    read_drilling(spin, *friction, contact);
  } else {
    const std::vector<double> mu =
        coefficients(*friction, "'friction'", directions, std::numeric_limits<double>::infinity());
    contact.law.mu1 = mu.front();
    contact.law.mu2 = mu.back();
  }
  if (restitution_tangential) {
    const std::vector<double> epsilon = coefficients(*restitution_tangential, "'restitution_tangential'", directions, 1.0);
    std::copy(epsilon.begin(), epsilon.end(), contact.law.epsilon.begin() + 1);
  }
}

/// Coulomb-Contensou friction: spin = "...", friction = { mu, contact_radius or mean_drilling_radius, set }.
void SceneReader::read_drilling(const toml::node* spin, const toml::node& friction, LawDescription& contact) {
  ForceLaw& law = contact.law;
  const toml::table* table = friction.as_table();
  if (table == nullptr) {
    fail_at(source_, friction, "with 'spin' the friction is a table: { mu = 0.3, contact_radius = 5e-4, set = \"exact\" }");
  }
  const TableReader reader(source_, *table, "'friction'", {"mu", "contact_radius", "mean_drilling_radius", "set"});
  law.mu1 = law.mu2 =
      coefficient(reader.require("mu", "the friction coefficient"), "'mu'", std::numeric_limits<double>::infinity());
  const toml::node* contact_radius = reader.find("contact_radius");
  const toml::node* mean_radius = reader.find("mean_drilling_radius");
  const std::optional<std::string> set = reader.text("set");
  if (spin == nullptr) {
    for (const toml::node* node : {contact_radius, mean_radius, table->get("set")}) {
      if (node != nullptr)
        fail_at(source_, *node, "drilling friction needs 'spin': the relative angular velocity about the normal");
    }
    return;
  }
  if (contact.velocities.size() != 2) fail_at(source_, *spin, "'spin' needs two slip directions: friction in a plane");
  if ((contact_radius == nullptr) == (mean_radius == nullptr)) {
    fail_at(source_, friction,
            "give one of 'contact_radius' (of the contact disc) and 'mean_drilling_radius' (3 pi / 16 of it)");
  }
  ForceLaw::Drilling drilling;
  const toml::node& radius = contact_radius ? *contact_radius : *mean_radius;
  drilling.Rbar = number(radius, "the drilling radius") * (contact_radius ? kMeanDrillingRadiusRatio : 1.0);
  if (!(drilling.Rbar > 0.0))
    fail_at(source_, radius, fmt::format("the drilling radius must be positive, got {}", drilling.Rbar));
  const std::map<std::string, DrillingSet> sets = {
      {"exact", DrillingSet::kExact}, {"ellipsoid", DrillingSet::kEllipsoid}, {"cylinder", DrillingSet::kCylinder}};
  if (set) {
    if (!sets.contains(*set))
      fail_at(source_, *table->get("set"), fmt::format("unknown set '{}'; there are exact, ellipsoid and cylinder", *set));
    drilling.set = sets.at(*set);
  }
  contact.velocities.push_back(expression(*spin, law.key + ".spin", "'spin'"));
  law.drilling = drilling;
  law.rows = 4;
}

/// All laws of a scene share one impact law; each may name it.
void SceneReader::read_impact_law(const TableReader& reader) {
  const std::optional<std::string> name = reader.text("impact_law");
  if (!name) return;
  const toml::node& node = *reader.find("impact_law");
  const std::map<std::string, ImpactLaw> laws = {
      {"newton", ImpactLaw::kNewton}, {"poisson", ImpactLaw::kPoisson}, {"moreau", ImpactLaw::kMoreau}};
  if (!laws.contains(*name))
    fail_at(source_, node, fmt::format("unknown impact law '{}'; there are newton, poisson and moreau", *name));
  if (impact_law_named_ && description_.impact_law != laws.at(*name)) {
    fail_at(source_, node,
            "another law of this scene names another impact law; one impact law governs all that hit at once");
  }
  impact_law_named_ = true;
  description_.impact_law = laws.at(*name);
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
}

template <class Read>
void SceneReader::read_laws(const std::string& key, std::vector<std::string> keys, Read&& read) {
  keys.insert(keys.begin(), "for");
  int laws = 0;
  for (const toml::table* table : root_.tables(key)) {
    const TableReader reader(source_, *table, fmt::format("[[{}]]", key), keys);
    const toml::node* repeat = reader.find("for");
    const Repetition repetition = repeat ? Repetition::of_entry(source_, *repeat) : Repetition(source_);
    repetition.for_each(parameters_.resolver(), [&](const Indices& indices) {
      indices_ = indices;
      read(reader, fmt::format("{}[{}]", key, laws++));
    });
    indices_.clear();
  }
}

void SceneReader::read_contacts() {
  const std::vector<std::string> keys = {
      "name", "gap", "slip", "spin", "friction", "restitution", "restitution_tangential", "impact_law"};
  read_laws("contact", keys, [&](const TableReader& reader, const std::string& key) {
    LawDescription contact{.law = begin_law(reader, ForceLaw::Kind::kContact, key), .gap = {}, .velocities = {}};
    contact.gap = expression(reader.require("gap", "the signed distance, positive when open"), key + ".gap", "'gap'");
    read_slip(reader, contact);
    contact.law.epsilon[0] = restitution(reader, key);
    read_impact_law(reader);
    description_.laws.push_back(std::move(contact));
  });
}

void SceneReader::read_one_ways() {
  const std::vector<std::string> keys = {"name", "velocity", "restitution", "impact_law"};
  read_laws("one_way", keys, [&](const TableReader& reader, const std::string& key) {
    LawDescription clutch{.law = begin_law(reader, ForceLaw::Kind::kOneWay, key), .gap = {}, .velocities = {}};
    clutch.velocities = {
        expression(reader.require("velocity", "the velocity that must not be negative"), key + ".velocity", "'velocity'")};
    clutch.law.epsilon[0] = restitution(reader, key);
    read_impact_law(reader);
    description_.laws.push_back(std::move(clutch));
  });
}

void SceneReader::read_dry_frictions() {
  read_laws("dry_friction", {"name", "velocity", "limit"}, [&](const TableReader& reader, const std::string& key) {
    LawDescription pad{.law = begin_law(reader, ForceLaw::Kind::kDryFriction, key), .gap = {}, .velocities = {}};
    pad.velocities = {
        expression(reader.require("velocity", "the velocity that the friction opposes"), key + ".velocity", "'velocity'")};
    pad.law.limit = coefficient(reader.require("limit", "the largest friction force"), "'limit'",
                                std::numeric_limits<double>::infinity());
    description_.laws.push_back(std::move(pad));
  });
}

template <class Read>
void SceneReader::read_values(const toml::table& table, const std::string& path, const std::vector<std::string>& names,
                              Read&& read) {
  std::map<std::string_view, size_t> number_of;
  for (size_t k = 0; k < names.size(); ++k) number_of[names[k]] = k;
  for (const NamedEntry& entry : named_entries(source_, table, parameters_.resolver())) {
    with_indices(entry.indices, [&] {
      const auto found = number_of.find(entry.name);
      if (found == number_of.end()) fail_at(source_, *entry.key, unknown_key(entry.name, path, names));
      indices_ = entry.indices;
      read(found->second, *entry.value);
    });
    indices_.clear();
  }
}

void SceneReader::read_start(Scene& scene) {
  const auto n = static_cast<Eigen::Index>(description_.coordinates.size());
  scene.start.q.setZero(n);
  scene.start.u.setZero(n);
  const toml::table* table = root_.table("initial");
  if (table == nullptr) return;
  std::vector<std::string> keys = {"t"};
  std::vector<double*> targets = {&scene.start.t};
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::string& name = description_.coordinates[static_cast<size_t>(i)];
    keys.insert(keys.end(), {name, name + "'"});
    targets.insert(targets.end(), {&scene.start.q[i], &scene.start.u[i]});
  }
  read_values(*table, "[initial]", keys, [&](size_t k, const toml::node& value) {
    *targets[k] = number(value, k == 0 ? "the start time" : "the initial " + keys[k]);
  });
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
  written_[reader.path() + key] = {node, {}};
  value = parameters_.number(*node, "'" + key + "'");
}

void SceneReader::read_run(Scene& scene) {
  RunOptions& run = scene.run;
  const toml::table no_table;
  const toml::table* run_table = root_.table("run");
  const TableReader reader(
      source_, run_table ? *run_table : no_table, "[run]",
      {"integrator", "dt", "until", "stop_when", "initial_penetration", "closed_tolerance", "impact_law"});
  if (const std::optional<std::string> integrator = reader.text("integrator")) {
    run.integrator = *integrator;
    written_["[run]integrator"] = {reader.node().get("integrator"), {}};
  }
  read_impact_law(reader);
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
  const TableReader output(source_, output_table ? *output_table : no_table, "[output]", {"every", "quantities"});
  if (const toml::node* every = output.find("every")) {
    written_["[run]every"] = {every, {}};
    run.every = parameters_.number(*every, "'every'");
    if (!(run.every > 0.0))
      fail_at(source_, *every, fmt::format("the time between samples must be positive, got {}", run.every));
  }
}

/// [output.quantities] and [run] stop_when; read_run() has checked the keys of their tables.
void SceneReader::read_observables(Scene& scene) {
  std::vector<std::string> names;
  std::vector<Expr> quantities;
  const toml::table *output = root_.table("output"), *run = root_.table("run");
  const toml::node* table = output ? output->get("quantities") : nullptr;
  if (table != nullptr && !table->is_table())
    fail_at(source_, *table, fmt::format("'quantities' must be a table of expressions, not {}", type_name(*table)));
  if (table != nullptr) {
    for (const auto& [name, key, node, indices] : named_entries(source_, *table->as_table(), parameters_.resolver())) {
      indices_ = indices;
      with_indices(indices, [&, &name = name, &node = node] {
        require_usable_name(source_, *node, name, "quantity");
        if (inputs_.contains(name) || parameters_.value(name) || law_names_.contains(name)) {
          fail_at(source_, *node, fmt::format("the quantity '{}' has the name of a coordinate, a parameter or a law", name));
        }
        names.push_back(name);
        quantities.push_back(expression(*node, "output.quantities." + name, "the quantity " + name));
      });
    }
    indices_.clear();
  }
  const toml::node* stop = run ? run->get("stop_when") : nullptr;
  scene.run.observables = Observables(static_cast<int>(description_.coordinates.size()), std::move(names), quantities,
                                      stop ? expression(*stop, "[run]stop_when", "'stop_when'") : Expr());
}

void SceneReader::check_stop_at_start(const Scene& scene) const {
  if (!scene.run.observables.may_stop()) return;
  const double value = ObservablesEvaluator(scene.run.observables).stop_value(scene.start);
  if (value <= 0.0) return;
  throw ModelError("[run]stop_when",
                   fmt::format("'stop_when' ends the run when it becomes positive, but it is {} at the start", value));
}

void SceneReader::check_options(const Scene& scene) {
  const auto complain = [&](const std::string& key, bool overridden, const std::string& message) {
    const auto found = written_.find("[run]" + key);
    if (overridden || found == written_.end()) throw InputError({}, fmt::format("--{}: {}", key, message));
    fail_at(source_, *found->second.node, message);
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
