// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/reached_instant.h"
#include "tippe/core/error.h"

#include <fmt/format.h>

#include <cmath>

namespace tippe {
namespace {

/// Of the last step, if it had one.
std::optional<InclusionProblem> problem_of(const StepView& step) {
  const InclusionProblem* problem = step.report.methods_tried > 0 ? step.integrator.last_problem() : nullptr;
  return problem != nullptr ? std::optional(*problem) : std::nullopt;
}

void simulate_scene(ReachedInstant& reached, const ProgressCallback& progress, const std::atomic<bool>* stop) {
  const Scene& scene = reached.scene;
  const RunSummary summary =
      simulate(*scene.system, scene.start, scene.run,
               {.progress = progress,
                .stop = stop,
                .after_step =
                    [&](const StepView& step) {
                      reached.held.look(step.integrator.last_laws());
                      reached.step = step.end - step.begin;
                      reached.problem = problem_of(step);
                    },
                .on_sample = [&](const Sample& sample) { reached.past.note_coordinates(sample.state); }});
  reached.status = summary.status;
  reached.message = summary.message;
  if (summary.stopped)
    reached.notes.push_back(fmt::format("{} of the scene ended the simulation: this is the instant t = {:.9g}",
                                        summary.stopped->because, summary.stopped->time));
  reached.state = summary.final_state;
}

void add_actuators(const Scene& scene, const State& state, Instant& instant) {
  const Eigen::MatrixXd directions = actuator_directions(scene, state);
  const int own = instant.acceleration->n() - scene.system->nu();  // coordinates of the problem alone: none moves them
  if (own < 0 && directions.cols() > 0) {
    instant.notes.emplace_back("actuators are left out where only some bodies are judged");
    return;
  }
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(instant.acceleration->n());
    direction.head(directions.rows()) = directions.col(k);
    instant.actuators.push_back({scene.actuators.names()[static_cast<size_t>(k)], std::move(direction)});
  }
}

}  // namespace

Instant ReachedInstant::instant() const {
  Instant found = instant_of(*scene.system, state, options());
  found.title = scene.origin.title;
  if (found.acceleration) add_actuators(scene, state, found);
  found.notes.insert(found.notes.begin(), notes.begin(), notes.end());
  return found;
}

ModesReport ReachedInstant::modes() const {
  ModesReport report = list_modes(*scene.system, state, options(), notes);
  report.file = scene.origin.scene_file;
  report.title = scene.origin.title;
  return report;
}

std::optional<InclusionProblem> ReachedInstant::step_problem() const {
  if (step > 0.0) return problem;
  RunOptions first = scene.run;
  first.until = state.t + first.dt;
  std::optional<InclusionProblem> found;
  // A step that fails has a problem all the same.
  static_cast<void>(simulate(*scene.system, state, first, {.after_step = [&](const StepView& made) {
    if (made.number == 1) found = problem_of(made);
  }}));
  return found;
}

ReachedInstant instant_at(Scene scene, State state) {
  for (const ForceLaw& law : scene.system->laws()) {
    if (law.rolling)
      throw InputError(
          {scene.origin.scene_file, 0, 0},
          fmt::format("instants are judged with limits that are given, and that of '{}', rolling resistance, follows the "
                      "normal force; leave 'rolling' out",
                      law.name));
  }
  PastSizes past{.horizon = scene.run.until - scene.start.t};
  past.note_coordinates(scene.start);
  return {std::move(scene), std::move(state), {}, std::move(past), 0.0, {}, RunStatus::kOk, {}, {}};
}

ReachedInstant reach_instant(const SceneLoader& load, SceneOverrides overrides, std::optional<double> given,
                             const ProgressCallback& progress, const std::atomic<bool>* stop) {
  if (given && std::isfinite(*given)) {
    // The time as the end of the run is checked like any other: too many steps, for example.
    const double start = load(overrides).start.t;
    if (*given > start) overrides.until = fmt::format("{}", *given);
  }
  Scene scene = load(overrides);
  const double start = scene.start.t, time = given.value_or(start);
  if (!(time >= start) || std::isinf(time))
    throw ArgumentError(Argument::kTime,
                        fmt::format("{} must be finite and not before the scene starts, at t = {}", time, start));
  State first = scene.start;
  ReachedInstant reached = instant_at(std::move(scene), std::move(first));
  if (time > start) simulate_scene(reached, progress, stop);
  return reached;
}

}  // namespace tippe
