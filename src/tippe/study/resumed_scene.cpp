// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/resumed_scene.h"

#include <fmt/format.h>

#include "tippe/core/error.h"
#include "tippe/record/recorded_run.h"
#include "tippe/run/tolerances.h"

namespace tippe {
namespace {

/// Throws FileError unless the options that come from a recording can be used, and its tables are those of its scene.
void check_scene(const Scene& scene, const RunHead& recorded, const std::string& file) {
  const RunOptions::Problem problem = scene.run.invalid(scene.start.t);
  if (!problem.key.empty()) throw FileError(fmt::format("{}: damaged: {}", file, problem.message));
  const RunHead head = describe_head(*scene.system, scene.origin, scene.run);
  if (head.coordinates != recorded.coordinates || head.velocities != recorded.velocities || head.laws != recorded.laws ||
      head.contacts != recorded.contacts)
    throw FileError(fmt::format("{}: damaged: its names are not those of its scene", file));
}

}  // namespace

ResumedScene resume_scene(const std::filesystem::path& recording, const std::optional<std::string>& until) {
  const SourcePosition place{recording.string(), 0, 0};
  RecordedCheckpoint recorded = read_checkpoint(recording);
  if (const std::optional<EarlyStop> stopped = read_summary(recording).summary.stopped) {
    throw InputError(place, fmt::format("was ended by {} at t = {:.9g}: there is nothing to go on with", stopped->because,
                                        stopped->time));
  }
  const RunHead& head = recorded.head;
  if (find_integrator(head.integrator) == nullptr)
    throw FileError(fmt::format("{}: damaged: there is no integrator '{}'", place.file, head.integrator));
  SceneOverrides overrides;
  overrides.settings = head.origin.settings;
  overrides.integrator = head.integrator;
  overrides.dt = fmt::format("{}", head.dt);
  overrides.until = until ? *until : fmt::format("{}", recorded.until);
  ResumedScene resumed{read_scene(head.origin.scene_text, head.origin.scene_file, overrides), overrides,
                       std::move(recorded)};
  if (!head.origin.inputs_text.empty()) give_inputs(resumed.scene, head.origin.inputs_text, head.origin.inputs_file);
  RunOptions& run = resumed.scene.run;
  run.dt = resumed.recorded.head.dt;
  run.every = resumed.recorded.every;
  if (!until) run.until = resumed.recorded.until;
  check_scene(resumed.scene, resumed.recorded.head, place.file);
  const double reached = resumed.recorded.reached;
  if (!(run.until > reached + kSameTime * run.dt)) {
    throw InputError(place, fmt::format("has reached t = {:.9g} already", reached), Remedy::kGiveLaterEnd);
  }
  return resumed;
}

}  // namespace tippe
