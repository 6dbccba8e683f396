// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/record/recorded_checkpoint.h"
#include "tippe/record/recorded_run.h"
#include "tippe/record/recording.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"

namespace tippe::test {

inline std::string scene_path(const std::string& name) {
  return std::string(TIPPE_SOURCE_DIR) + "/scenes/" + name + ".toml";
}

inline Scene load(const std::string& name, SceneOverrides overrides = {}) {
  return load_scene(scene_path(name), overrides);
}

/// Runs a scene without recording.
inline RunSummary run(const Scene& scene) {
  return simulate(*scene.system, scene.start, scene.run);
}

/// Calls look(state, integrator) after every step.
template <class Look>
void watch(const Scene& scene, Look&& look) {
  const auto integrator = find_integrator(scene.run.integrator)->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  const std::int64_t steps = scene.run.steps_from(state.t);
  for (std::int64_t n = 1; n <= steps; ++n) {
    const StepReport report = integrator->step(state, scene.run.dt);
    state.t = scene.start.t + static_cast<double>(n) * scene.run.dt;
    if (!report.ok()) throw std::runtime_error(describe_failure(*scene.system, report, state));
    look(state, *integrator, report);
  }
}

/// Runs and records a scene, from a checkpoint if there is one, until a step.
inline RunSummary record(const Scene& scene, const std::filesystem::path& path, std::int64_t step, const Checkpoint* from) {
  std::optional<Recording> recording;
  if (from != nullptr) {
    recording.emplace(path, *scene.system, scene.run, *from);
  } else {
    recording.emplace(path, *scene.system, scene.origin, scene.run, scene.start.t);
  }
  recording->set_flush_interval(std::chrono::seconds(0));
  std::atomic<bool> stop{false};
  return simulate(*scene.system, scene.start, scene.run,
                  {.recorder = &*recording,
                   .progress = [&](const Progress& now) { stop = now.steps >= step; },
                   .stop = &stop,
                   .from = from});
}

/// A scene from a system's description; dt and until are set by the caller.
inline Scene scene_from(const std::string& body) {
  return read_scene("tippe = 1\n" + body, "test.toml");
}

}  // namespace tippe::test
