// SPDX-License-Identifier: Apache-2.0
// What names in expressions stand for: [define], coordinates of joints, angular velocities in space, and what --set gives of a start.
#include <fmt/format.h>

#include <algorithm>

#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {

void SceneReader::declare_definitions() {
  const toml::table* table = root_.table("define");
  if (table == nullptr) return;
  for (const NamedEntry& entry : named_entries(source_, *table, parameters_.resolver())) {
    with_indices(entry.indices, [&] {
      declare_name(*entry.value, entry.name, "definition");
      definitions_[entry.name] = {entry.value, entry.indices, {}};
      names_.push_back(entry.name);
    });
  }
  for (const auto& [name, definition] : definitions_) refuse_cycle_of_definitions(name);
}

/// Depth first along what needs what. Those that were seen to end are not walked again.
void SceneReader::refuse_cycle_of_definitions(const std::string& first) const {
  struct Waiting {
    std::string name;
    std::vector<NameInExpression> needs;
    size_t next = 0;
  };
  std::vector<Waiting> path;
  std::set<std::string> done;
  const auto wait_for = [&](const std::string& name) {
    const Definition& definition = definitions_.at(name);
    const toml::value<std::string>* text = definition.node->as_string();
    path.push_back({name, {}, 0});
    if (text != nullptr) path.back().needs = names_in_expression(**text, definition.indices, parameters_.resolver());
  };
  wait_for(first);
  while (!path.empty()) {
    Waiting& last = path.back();
    if (last.next == last.needs.size()) {
      done.insert(last.name);
      path.pop_back();
      continue;
    }
    const NameInExpression need = last.needs[last.next++];
    if (!definitions_.contains(need.name) || done.contains(need.name)) continue;
    const auto begin = std::find_if(path.begin(), path.end(), [&](const Waiting& other) { return other.name == need.name; });
    if (begin == path.end()) {
      wait_for(need.name);
      continue;
    }
    std::string cycle;
    for (auto place = begin; place != path.end(); ++place) cycle += place->name + " -> ";
    const Definition& definition = definitions_.at(last.name);
    fail_inside(source_, *definition.node, need.offset,
                fmt::format("definitions need each other in a cycle: {}{}{}", cycle, need.name,
                            describe_indices(definition.indices)));
  }
}

/// All of them, also those that nothing needs: each may be wrong.
void SceneReader::read_definitions() {
  std::vector<std::string> names;
  for (const auto& [name, definition] : definitions_) names.push_back(name);
  for (const std::string& name : names) (void)definition(name);
}

Expr SceneReader::definition(const std::string& name) {
  Definition& entry = definitions_.at(name);
  if (entry.value) return *entry.value;
  const Indices outside = std::exchange(indices_, entry.indices);
  with_indices(entry.indices, [&] { entry.value = expression(*entry.node, "define." + name, "a definition"); });
  indices_ = outside;
  return *entry.value;
}

std::optional<Expr> SceneReader::meaning(std::string_view name) {
  if (const auto input = inputs_.find(name); input != inputs_.end()) return input->second;
  if (const std::optional<double> parameter = parameters_.value(name)) return graph_.constant(*parameter);
  if (definitions_.contains(name)) return definition(std::string(name));
  if (const std::optional<Expr> component = component_of_point(name)) return component;
  if (const std::optional<Expr> coordinate = coordinate_of_joint(name)) return coordinate;
  return component_of_turning(name);
}

std::optional<Expr> SceneReader::component_of_turning(std::string_view name) {
  constexpr std::string_view kVector = ".angular_velocity_world.";
  const size_t dot = name.find(kVector);
  if (dot == std::string_view::npos || dot + kVector.size() + 1 != name.size()) return std::nullopt;
  const size_t component = std::string_view("xyz").find(name.back());
  const auto found = points_.find(name.substr(0, dot));
  if (component == std::string_view::npos || found == points_.end() || found->first.find('.') != std::string::npos)
    return std::nullopt;
  SceneBody& body = bodies_[found->second.body];
  if (!body.body.turns()) return std::nullopt;
  return frame_of(body).angular_velocity[component];
}

std::optional<Expr> SceneReader::coordinate_of_joint(std::string_view name) {
  const bool is_rate = name.ends_with('\'');
  if (is_rate) name.remove_suffix(1);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto found = joint_numbers_.find(name.substr(0, dot));
  if (found == joint_numbers_.end()) return std::nullopt;
  SceneJoint& joint = scene_joints_[found->second];
  const std::string_view word = joint.joint.type == JointType::kHinge ? "angle" : "position";
  if (!joint.joint.has_axis() || name.substr(dot + 1) != word) return std::nullopt;
  const JointCoordinate& coordinate = coordinate_of(joint);
  return is_rate ? coordinate.rate : coordinate.value;
}

std::optional<Expr> SceneReader::rate_of_coordinate(const std::string& name) {
  if (const auto rate = inputs_.find(name + "'"); rate != inputs_.end()) return rate->second;
  return coordinate_of_joint(name + "'");
}

void SceneReader::take_setting(const std::string& name, double& value) {
  if (const std::optional<double> setting = parameters_.take_setting(name)) value = *setting;
}

}  // namespace tippe
