// SPDX-License-Identifier: Apache-2.0
// [inputs]: numbers that somebody sets while the system moves. Each is a part of the state, so that it is recorded and kept with it: a coordinate, after
// all others, that no velocity moves.
#include <fmt/format.h>

#include <algorithm>

#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {

void SceneReader::read_inputs() {
  const toml::table* table = root_.table("inputs");
  if (table == nullptr) return;
  for (const NamedEntry& entry : named_entries(source_, *table, parameters_.resolver())) {
    with_indices(entry.indices, [&] {
      declare_name(*entry.value, entry.name, "input");
      const double value = parameters_.number(*entry.value, fmt::format("the input '{}'", entry.name), entry.indices);
      scene_inputs_.push_back({entry.name, value, 0});
    });
  }
}

void SceneReader::start_inputs(State& start) {
  for (const SceneInput& input : scene_inputs_) {
    double& value = start.q[input.coordinate];
    value = input.value;
    take_setting(input.name, value);
    names_of_start_.push_back(input.name);
  }
}

void SceneReader::refuse_inputs_in(Expr y, const std::string& subject, const std::string& what) const {
  if (!y.valid()) return;
  const std::vector<int> used = graph_.inputs_of(y);
  for (const SceneInput& input : scene_inputs_) {
    if (std::find(used.begin(), used.end(), input.coordinate) == used.end()) continue;
    rethrow(ModelError(subject,
                       fmt::format("{} must not depend on the input {}: where that is set to another value, no finite force "
                                   "could follow; let it act by a force, a potential, a motor or a slip velocity",
                                   what, input.name),
                       input.name));
  }
}

/// Where a jump would ask for an impulse or for a jump of positions.
void SceneReader::refuse_inputs_that_jump() const {
  if (scene_inputs_.empty()) return;
  refuse_inputs_in(description_.kinetic, "lagrangian.kinetic", "the kinetic energy");
  for (size_t i = 0; root_.find("velocities") != nullptr && i < coordinates_.size(); ++i)
    refuse_inputs_in(description_.rates[i], "velocities.rates." + coordinates_[i], "a rate");
  for (const LawDescription& law : description_.laws) refuse_inputs_in(law.gap, law.law.key + ".gap", "a gap");
  for (const ConstraintDescription& row : description_.constraints) {
    const std::string subject = row.constraint.key + "." + row.constraint.row_key();
    refuse_inputs_in(row.position, subject, "a bilateral position");
    refuse_inputs_in(row.velocity, subject, "a bilateral velocity");
  }
}

void give_inputs(Scene& scene, const std::string& text, const std::string& file) {
  scene.run.inputs = read_input_table(text, file, *scene.system);
  scene.run.inputs.hold(scene.start.t, scene.start.q);
  scene.origin.inputs_text = text;
  scene.origin.inputs_file = file;
}

}  // namespace tippe
