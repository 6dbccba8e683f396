// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/run/run_summary.h"

namespace tippe {

class VariedNumbers;

/// What the command line or a caller may change of a scene. Numbers may be expressions of the scene's parameters.
struct SceneOverrides {
  std::vector<std::string> settings;  // "name=value": replaces a parameter
  std::optional<std::string> integrator;
  std::optional<std::string> dt;
  std::optional<std::string> until;
  std::optional<std::string> every = {};
  bool motion_as_expressions = false;  // also of bodies that need none: System::lagrangian() is there then
  VariedNumbers* varied = nullptr;     // follows names whose values vary through the scene
};

/// The table [sweep]: what a sweep of the scene does if it is not asked for more. Texts are those of a request.
struct SceneSweep {
  std::vector<std::string> vary;
  std::optional<std::int64_t> sample, seed, transient, keep;
  bool sobol = false;
  std::string table;  // a file; a relative path begins in the folder of the scene
  std::vector<std::string> quantities;
  std::string section, follow;
  bool basin = false;
  std::map<std::string, SourcePosition> places;  // of the values, by their keys
};

/// A scene file, read and checked: ready to run. docs/scene.md describes the language.
struct Scene {
  std::unique_ptr<const System> system;
  State start;
  RunOptions run;
  RunOrigin origin;
  std::optional<SceneSweep> sweep = {};
  Observables actuators = {};  // the velocities on which forces of one's choice act, by name; see actuator_directions()
};

/// Throws InputError with file, line and column for anything that cannot run.
[[nodiscard]] Scene load_scene(const std::filesystem::path& path, const SceneOverrides& overrides = {});

/// The same from a text; `file` is its name in messages.
[[nodiscard]] Scene read_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides = {});

/// Sets the inputs of its runs over time by a table; see read_input_table().
void give_inputs(Scene& scene, const std::string& text, const std::string& file);

/// Of [[actuator]] at a state: the directions of their forces, one column for each.
[[nodiscard]] Eigen::MatrixXd actuator_directions(const Scene& scene, const State& state);

}  // namespace tippe
