// SPDX-License-Identifier: Apache-2.0
#include "cli/reached_instant.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/scene_options.h"
#include "tippe/record/simulate.h"

namespace tippe::cli {
namespace {

void simulate_scene(ReachedInstant& reached, bool show_progress) {
  const Scene& scene = reached.scene;
  const std::atomic<bool>& interrupted = catch_interrupts();
  ProgressBar bar(show_progress);
  const RunSummary summary = simulate(
      *scene.system, scene.start, scene.run, nullptr, [&](const Progress& progress) { bar.show(progress); }, &interrupted,
      nullptr,
      [&](const StepView& step) {
        reached.held.look(step.integrator.last_laws());
        reached.step = step.end - step.begin;
      });
  if (summary.status == "interrupted") throw RunFailure{kInterrupted, "interrupted", summary.message};
  if (summary.status != "ok") throw RunFailure{kNumericalFailure, "failed", summary.message};
  if (summary.stopped)
    reached.notes.push_back(fmt::format("{} of the scene ended the simulation: this is the instant t = {:.9g}",
                                        summary.stopped->because, summary.stopped->time));
  reached.state = summary.final_state;
}

double time_of(const std::string& text) {
  double time = 0.0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), time);
  if (trouble != std::errc() || end != text.data() + text.size())
    throw InputError({}, fmt::format("--time is '{}' and must be a number, the time in s", text));
  return time;
}

}  // namespace

ReachedInstant reach_instant(const std::string& file, SceneOverrides overrides, const std::optional<std::string>& text,
                             bool show_progress) {
  const std::optional<double> given = text ? std::optional(time_of(*text)) : std::nullopt;
  if (given && std::isfinite(*given)) {
    // The time as the end of the run is checked like any other: too many steps, for example.
    const double start = load_scene(file, overrides).start.t;
    if (*given > start) overrides.until = fmt::format("{}", *given);
  }
  Scene scene = load_scene(file, overrides);
  const double start = scene.start.t, time = given.value_or(start);
  if (!(time >= start) || std::isinf(time))
    throw InputError({}, fmt::format("--time is {} and must be a time from the start of the scene, {}, on", time, start));
  const State first = scene.start;
  const size_t laws = scene.system->laws().size();
  ReachedInstant reached{std::move(scene), first, HeldLaws(laws), 0.0, {}};
  if (time > start) simulate_scene(reached, show_progress);
  return reached;
}

void add_instant_options(CLI::App& command, std::optional<std::string>& time, SceneOverrides& overrides) {
  command
      .add_option_function<std::string>(
          "--time", [&time](const std::string& text) { time = text; },
          "Simulate the scene up to this time in s and judge that instant (default: its start)")
      ->type_name("NUMBER");
  add_integrator_and_step(command, overrides);
  add_parameters(command, overrides);
}

std::string find_scene_or_problem(const std::string& name) {
  std::string file = find_scene(name);
  if (std::error_code trouble; std::filesystem::is_directory(file, trouble))
    throw InputError({file, 0, 0}, "is a folder; a scene is a .toml file, a problem a .json or .toml file");
  return file;
}

void require_no_scene_options(const std::string& file, const std::optional<std::string>& time,
                              const SceneOverrides& overrides) {
  if (time || !overrides.settings.empty() || overrides.integrator || overrides.dt)
    throw InputError({file, 0, 0}, "is a problem, not a scene: --time, --set, --integrator and --dt have no meaning for it");
}

}  // namespace tippe::cli
