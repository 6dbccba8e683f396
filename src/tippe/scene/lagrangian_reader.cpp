// SPDX-License-Identifier: Apache-2.0
// The system of a scene as far as it is given by energies: [lagrangian] and [velocities].
#include <fmt/format.h>

#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

const char* article(const std::string& noun) {
  return noun == "input" ? "an" : "a";
}

}  // namespace

/// A new name of the system. `what`: "coordinate".
void SceneReader::declare_name(const toml::node& node, const std::string& name, const std::string& what) {
  require_usable_name(source_, node, name, what);
  if (parameters_.value(name))
    fail_at(source_, node, fmt::format("'{}' is both {} {} and a parameter; rename one", name, article(what), what));
  const auto [place, is_new] = declared_.emplace(name, what);
  if (is_new) return;
  if (place->second == what) fail_at(source_, node, fmt::format("the {} '{}' is named twice", what, name));
  fail_at(source_, node,
          fmt::format("'{}' is both {} {} and {} {}; rename one", name, article(what), what, article(place->second),
                      place->second));
}

/// An array of new names of the system. `what`: "coordinate".
void SceneReader::read_name_list(const toml::node& list, const std::string& what, std::vector<std::string>& names) {
  if (list.is_array() && list.as_array()->empty() && !root_.tables("body").empty())
    fail_at(source_, list, "there is nothing here beside the bodies: leave this table out; bodies are pushed by [[force]]");
  if (!list.is_array() || list.as_array()->empty())
    fail_at(source_, list,
            fmt::format("this must be an array of names of one {0} or more, as in [\"{0}1\", \"{0}2\"]", what));
  for (const toml::node& entry : *list.as_array()) {
    if (!entry.is_string())
      fail_at(source_, entry, fmt::format("a {} must be a name in quotes, not {}", what, type_name(entry)));
    const NumberResolver known = parameters_.resolver();
    for_each_name(source_, **entry.as_string(), entry.source().begin, known, [&](const std::string& name, const Indices&) {
      declare_name(entry, name, what);
      names.push_back(name);
    });
  }
  if (names.empty()) fail_at(source_, list, fmt::format("there is no {}: the ranges are empty", what));
}

void SceneReader::declare_lagrangian() {
  const toml::table *lagrangian = root_.table("lagrangian"), *own = root_.table("velocities");
  if (lagrangian == nullptr) {
    if (root_.tables("body").empty()) {
      fail_at(source_, root_.node(),
              "the scene needs a system: a table [lagrangian] with coordinates and kinetic energy, or bodies, [[body]]");
    }
    if (own != nullptr) fail_at(source_, *own, "[velocities] are for the coordinates of [lagrangian], which is not there");
    return;
  }
  const TableReader reader(source_, *lagrangian, "[lagrangian]",
                           {"coordinates", "kinetic", "potential", "damping", "forces"});
  read_name_list(reader.require("coordinates", "the names of the generalized coordinates, [\"x\", \"phi\"]"), "coordinate",
                 coordinates_);
  if (own == nullptr) {
    for (const std::string& name : coordinates_) velocities_.push_back(name + "'");
    return;
  }
  const TableReader velocities(source_, *own, "[velocities]", {"names", "rates"});
  const toml::node& list = velocities.require("names", "the names of the generalized velocities, [\"v\", \"w\"]");
  written_["velocities.names"] = {&list, {}};
  read_name_list(list, "velocity", velocities_);
}

/// What a name stands for, of all coordinates, rates and velocities. Where u = dq/dt a velocity is the rate of its coordinate.
void SceneReader::declare_inputs() {
  const bool all_rates =
      root_.find("velocities") == nullptr && scene_inputs_.empty() &&
      std::all_of(bodies_.begin(), bodies_.end(), [](const SceneBody& body) { return body.body.velocities_are_rates(); });
  std::vector<std::string> velocities = velocities_;
  description_.coordinates = coordinates_;
  for (const SceneBody& body : bodies_) {
    for (std::string& name : body.body.coordinate_names()) description_.coordinates.push_back(std::move(name));
    for (std::string& name : body.body.velocity_names()) velocities.push_back(std::move(name));
  }
  const auto moved = static_cast<int>(description_.coordinates.size());
  for (SceneInput& input : scene_inputs_) {
    input.coordinate = static_cast<int>(description_.coordinates.size());
    description_.coordinates.push_back(input.name);
    description_.input_coordinates.push_back(input.coordinate);
  }
  if (!all_rates) description_.velocities = std::move(velocities);
  if (all_rates && !bodies_.empty()) description_.rate_names = std::move(velocities);

  const LagrangianInputs inputs = description_.inputs();
  for (int i = 0; i < inputs.n; ++i) {
    const std::string& name = description_.coordinates[static_cast<size_t>(i)];
    inputs_[name] = graph_.input(inputs.q(i));
    if (i < moved) inputs_[name + "'"] = graph_.input(inputs.rate(i));
  }
  if (root_.find("velocities") != nullptr) {
    for (size_t j = 0; j < velocities_.size(); ++j) inputs_[velocities_[j]] = graph_.input(inputs.u(static_cast<int>(j)));
  }
  for (const SceneBody& body : bodies_) {
    const std::vector<std::string> names = body.body.velocity_names();
    for (int j = 0; j < static_cast<int>(names.size()); ++j) {
      inputs_[names[static_cast<size_t>(j)]] = body.body.velocities_are_rates()
                                                   ? graph_.input(inputs.rate(body.body.first_coordinate + j))
                                                   : graph_.input(inputs.u(body.body.first_velocity + j));
    }
  }
  inputs_["t"] = graph_.input(inputs.t());
  declare_names();

  description_.kinetic = description_.potential = graph_.constant(0.0);
  description_.forces.resize(description_.coordinates.size());
  if (all_rates) return;
  description_.rates.resize(description_.coordinates.size());
  for (const SceneInput& input : scene_inputs_)
    description_.rates[static_cast<size_t>(input.coordinate)] = graph_.constant(0.0);
  if (root_.find("velocities") != nullptr) return;
  for (int i = 0; i < static_cast<int>(coordinates_.size()); ++i)
    description_.rates[static_cast<size_t>(i)] = graph_.input(inputs.u(i));
}

/// What expressions may name, for suggestions.
void SceneReader::declare_names() {
  for (const auto& [name, input] : inputs_) names_.push_back(name);
  for (const auto& [name, point] : points_) {
    for (const char* component : {".x", ".y", ".z", ".x'", ".y'", ".z'"}) {
      if (!inputs_.contains(name + component)) names_.push_back(name + component);
    }
  }
  for (const SceneBody& body : bodies_) {
    if (body.body.kind == BodyKind::kPoint) continue;
    for (const char* component : {".x", ".y", ".z"})
      names_.push_back(body.body.name + ".angular_velocity_world" + component);
  }
  for (const SceneJoint& joint : scene_joints_) {
    if (!joint.joint.has_axis()) continue;
    const std::string name = joint.joint.name + (joint.joint.type == JointType::kHinge ? ".angle" : ".position");
    names_.insert(names_.end(), {name, name + "'"});
  }
  names_.insert(names_.end(), parameters_.names().begin(), parameters_.names().end());
}

/// [velocities.rates]: dq/dt = F(q,t) u + beta(q,t).
void SceneReader::read_rates() {
  const toml::table* table = root_.table("velocities");
  if (table == nullptr) return;
  const toml::node* rates = table->get("rates");
  if (rates == nullptr || !rates->is_table()) {
    fail_at(source_, rates ? *rates : *table,
            "[velocities] needs a table [velocities.rates] that gives dq/dt of every coordinate, as in x = \"v*cos(th)\"");
  }
  read_values(*rates->as_table(), "[velocities.rates]", coordinates_, [&](size_t i, const toml::node& rate) {
    description_.rates[i] = expression(rate, "velocities.rates." + coordinates_[i], "the rate of " + coordinates_[i]);
  });
  for (size_t i = 0; i < coordinates_.size(); ++i) {
    if (!description_.rates[i].valid())
      fail_at(source_, *rates,
              fmt::format("the rate of {} is missing: how it follows from the velocities", coordinates_[i]));
  }
}

void SceneReader::read_lagrangian() {
  const toml::table* table = root_.table("lagrangian");
  if (table == nullptr) {
    written_["lagrangian.kinetic"] = written_["lagrangian.potential"] = {bodies_.front().table, {}};
    return;
  }
  read_rates();
  const TableReader reader(source_, *table, "[lagrangian]", {"coordinates", "kinetic", "potential", "damping", "forces"});
  description_.kinetic = description_.kinetic + expression(reader.require("kinetic", "the kinetic energy, \"0.5*m*x'^2\""),
                                                           "lagrangian.kinetic", "'kinetic'");
  if (const toml::node* potential = reader.find("potential")) {
    description_.potential = description_.potential + expression(*potential, "lagrangian.potential", "'potential'");
  } else {
    written_["lagrangian.potential"] = {table, {}};
  }
  if (const toml::node* damping = reader.find("damping"))
    description_.damping = expression(*damping, "lagrangian.damping", "'damping'");
  if (const toml::table* forces = reader.table("forces")) {
    read_values(*forces, "[lagrangian.forces]", coordinates_, [&](size_t i, const toml::node& force) {
      description_.forces[i] = expression(force, "lagrangian.forces." + coordinates_[i], "the force on " + coordinates_[i]);
    });
  }
}

}  // namespace tippe
