// SPDX-License-Identifier: Apache-2.0
// [[event]]: what a scene itself calls an event, and what happens then.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

constexpr const char* kImpacts = "impacts";  // of stop_after

}  // namespace

void SceneReader::read_own_events(Scene& scene) {
  std::vector<OwnEvent> events;
  std::set<std::string> names = names_of_switch_events();
  read_entries("event", {"name", "when", "direction", "stop", "reset"},
               [&](const TableReader& reader, const std::string& key) {
                 OwnEvent event;
                 event.name = filled_name(reader, "of the event, by which it is counted");
                 const toml::node& name = *reader.find("name");
                 if (event.name == kImpacts)
                   fail_at(source_, name, fmt::format("'{}' are those of contacts, in 'stop_after' too", kImpacts));
                 if (!names.insert(event.name).second)
                   fail_at(source_, name, fmt::format("there are two events '{}'", event.name));
                 const toml::node& when = reader.require("when", "an expression: the event is where it passes through zero");
                 event.when = expression(when, key + ".when", "'when'");
                 if (graph_.inputs_of(event.when).empty())
                   fail_at(source_, when, "'when' never passes through zero: it depends on nothing that moves");
                 if (const std::optional<std::string> direction = reader.text("direction")) {
                   const std::map<std::string, OwnEvent::Direction> directions = {{"rising", OwnEvent::Direction::kRising},
                                                                                  {"falling", OwnEvent::Direction::kFalling},
                                                                                  {"both", OwnEvent::Direction::kBoth}};
                   const auto found = directions.find(*direction);
                   if (found == directions.end())
                     fail_at(source_, *reader.find("direction"),
                             fmt::format("'direction' is \"rising\", \"falling\" or \"both\", got \"{}\"", *direction));
                   event.direction = found->second;
                 }
                 if (const toml::node* stop = reader.find("stop")) event.stop = true_or_false(source_, *stop, "stop");
                 if (const toml::node* reset = reader.find("reset")) {
                   if (event.stop)
                     fail_at(source_, *reset, "an event ends the run ('stop') or changes its state ('reset'), not both");
                   read_resets(reader, *reset, key, *scene.system, event);
                 }
                 events.push_back(std::move(event));
               });
  add_switch_events(events);
  if (!events.empty()) scene.run.events = OwnEvents(description_, std::move(events));
}

void SceneReader::read_resets(const TableReader& reader, const toml::node& node, const std::string& key,
                              const System& system, OwnEvent& event) {
  if (!node.is_table() || node.as_table()->empty())
    fail_at(source_, node, "'reset' is a table of new values: reset = { \"x'\" = \"-0.5*x'\" }");
  std::vector<std::string> names = system.coordinate_names();
  names.insert(names.end(), system.velocity_names().begin(), system.velocity_names().end());
  for (const TableEntry& entry : in_file_order(*node.as_table())) {
    const std::string name(entry.key->str());
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) fail_at(source_, *entry.key, unknown_key(name, reader.path() + " reset", names));
    const auto place = static_cast<int>(found - names.begin());
    const auto coordinates = static_cast<int>(system.coordinate_names().size());
    OwnEvent::Reset reset;
    reset.of_velocity = place >= coordinates;
    reset.index = reset.of_velocity ? place - coordinates : place;
    reset.value = expression(*entry.value, fmt::format("{}.reset.{}", key, name), fmt::format("the new '{}'", name));
    event.resets.push_back(reset);
  }
}

/// [run] stop_after = { impacts = 300, kick = 5 }.
void SceneReader::read_stop_after(Scene& scene) const {
  const toml::table* run = root_.table("run");
  const toml::node* node = run != nullptr ? run->get("stop_after") : nullptr;
  if (node == nullptr) return;
  std::vector<std::string> names = {kImpacts};
  for (const OwnEvent& event : scene.run.events.list()) names.push_back(event.name);
  if (!node->is_table() || node->as_table()->empty())
    fail_at(source_, *node, "'stop_after' is a table of counts: stop_after = { impacts = 300 }");
  for (const TableEntry& entry : in_file_order(*node->as_table())) {
    const std::string name(entry.key->str());
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail_at(source_, *entry.key, unknown_key(name, "[run] stop_after", names));
    const double count = parameters_.number(*entry.value, fmt::format("the count of '{}'", name));
    if (!(count >= 1.0 && count <= 1e15 && count == std::round(count)))
      fail_at(source_, *entry.value,
              fmt::format("the count of '{}' must be a whole number, at least 1, got {}", name, count));
    scene.run.stop_after.push_back({name, static_cast<std::int64_t>(count)});
  }
}

void SceneReader::check_own_events(const Scene& scene) const {
  const std::vector<OwnEvent>& events = scene.run.events.list();
  Eigen::VectorXd values;
  if (!events.empty()) ObservablesEvaluator(scene.run.events.values()).evaluate_quantities(scene.start, values);
  for (size_t k = 0; k < events.size(); ++k) {
    const double value = values[static_cast<Eigen::Index>(k)];
    if (!std::isfinite(value))
      throw ModelError(fmt::format("event[{}].when", k),
                       fmt::format("'when' of the event '{}' is {} at the start", events[k].name,
                                   std::isnan(value) ? std::nan("") : value));
  }
}

}  // namespace tippe
