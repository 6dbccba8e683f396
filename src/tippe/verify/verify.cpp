// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/verify.h"

#include <fmt/format.h>

#include "tippe/core/error.h"
#include "tippe/scene/scene.h"
#include "tippe/verify/judge.h"

namespace tippe::verify {
namespace {

Eigen::VectorXd row_of(const RecordedTable& table, size_t row) {
  const size_t width = table.names.size();
  if (table.values.empty()) return {};
  return Eigen::Map<const Eigen::VectorXd>(table.values.data() + row * width, static_cast<Eigen::Index>(width));
}

Moment moment_at(const RecordedRun& run, size_t row) {
  Moment moment;
  moment.t = run.time[row];
  moment.q = row_of(run.q, row);
  moment.u = row_of(run.u, row);
  moment.gap = row_of(run.gap, row);
  moment.impulse = row_of(run.impulse, row);
  const Eigen::VectorXd energy = row_of(run.energy, row), since = row_of(run.since, row);
  moment.energy = {energy[0], energy[1], energy[2], energy[3], energy[4], energy[5], energy[6], energy[7]};
  moment.steps = since[0];
  moment.cut_steps = since[1];
  moment.impacts = since[2];
  moment.residual = since[3];
  moment.impact = row_of(run.impact, row);
  moment.acted = row_of(run.acted, row);
  moment.u_start = row_of(run.u_start, row);
  moment.moved_q = row_of(run.moved_q, row);
  moment.moved_u = row_of(run.moved_u, row);
  moment.constraint_position = row_of(run.constraint_position, row);
  moment.constraint_velocity = row_of(run.constraint_velocity, row);
  moment.constraint_force = row_of(run.constraint_force, row);
  moment.control_force = row_of(run.control_force, row);
  const RecordedContacts& contacts = run.contacts;
  for (size_t c = contacts.were_found() ? contacts.start[row] : 1, end = contacts.were_found() ? contacts.start[row + 1] : 0;
       c < end; ++c) {
    const auto three = [c](const std::vector<double>& values) {
      return Eigen::Vector3d(Eigen::Map<const Eigen::Vector3d>(values.data() + 3 * c));
    };
    moment.found.push_back({contacts.id[c], contacts.law[c], three(contacts.at), three(contacts.normal),
                            three(contacts.impulse), contacts.gap[c]});
    if (!contacts.moment.empty()) moment.found.back().moment = three(contacts.moment);
  }
  return moment;
}

ToldImpact impact_at(const RecordedRun& run, size_t k, const System& system) {
  ToldImpact impact{run.impact_time[k], static_cast<size_t>(run.impact_law[k]), run.impact_speed[k], run.impact_lost[k], {}};
  impact.impulse =
      Eigen::Map<const Eigen::VectorXd>(run.impact_impulse.data() + ForceLaw::kMostRows * k, system.laws()[impact.law].rows);
  return impact;
}

/// With its motion as expressions, also where the run had no need of them.
Scene read_for_judgement(const RunOrigin& origin, const std::string& integrator, double dt, double until) {
  SceneOverrides overrides;
  overrides.settings = origin.settings;
  overrides.integrator = integrator;
  overrides.dt = fmt::format("{}", dt);
  overrides.until = fmt::format("{}", until);
  overrides.motion_as_expressions = true;
  Scene scene = read_scene(origin.scene_text, origin.scene_file, overrides);
  scene.run.dt = dt;
  scene.run.until = until;
  if (!origin.inputs_text.empty()) give_inputs(scene, origin.inputs_text, origin.inputs_file);
  return scene;
}

Scene scene_of(const RecordedRun& run) {
  const RunOrigin& origin = run.origin;
  if (origin.scene_text.empty())
    throw InputError({origin.scene_file, 0, 0}, "the recording has no scene in it, so there is nothing to judge it by");
  Scene scene = read_for_judgement(origin, run.integrator, run.dt, run.until);
  const RunHead own = describe_head(*scene.system, scene.origin, scene.run);
  if (own.coordinates != run.q.names || own.velocities != run.u.names || own.laws != run.laws ||
      own.contacts != run.gap.names)
    throw FileError(fmt::format("{}: damaged: the names in the recording are not those of its scene", origin.scene_file));
  return scene;
}

}  // namespace

Verdict verify_run(const RecordedRun& run, const RunSummary& summary) {
  const Scene scene = scene_of(run);
  Judge judge(*scene.system, scene.run, run.start);
  for (const Event& event : run.events) judge.add(event);
  for (size_t k = 0; k < run.impact_time.size(); ++k) judge.add(impact_at(run, k, *scene.system));
  for (size_t row = 0; row < run.time.size(); ++row) judge.look(moment_at(run, row));
  judge.look_at_tables({run.step_time, run.step_residual, run.step_iterations, run.step_energy}, summary);
  return judge.finish(summary);
}

Verdict verify_recording(const std::filesystem::path& path) {
  const RecordedState recorded = read_state(path);
  return verify_run(recorded.run, recorded.recorded.summary);
}

RunWatch::RunWatch(const System& system, const State& start, const RunOptions& options)
    : system_(system), options_(options), judge_(std::make_unique<Judge>(system, options, start.t)) {
  if (!options.adaptive()) judge_->begin(start);
}

RunWatch::RunWatch(const Scene& scene) : system_(*scene.system), options_(scene.run) {
  const System* judged = scene.system.get();
  if (judged->lagrangian() == nullptr && !scene.origin.scene_text.empty()) {
    own_ =
        std::make_unique<const Scene>(read_for_judgement(scene.origin, scene.run.integrator, scene.run.dt, scene.run.until));
    judged = own_->system.get();
  }
  judge_ = std::make_unique<Judge>(*judged, scene.run, scene.start.t);
  if (!scene.run.adaptive()) judge_->begin(scene.start);
}

RunWatch::~RunWatch() = default;

void RunWatch::take_part(RunHooks& hooks) {
  if (options_.adaptive()) {
    hooks.on_sample = [this, other = std::move(hooks.on_sample)](const Sample& sample) {
      if (other) other(sample);
      judge_->look(moment_of(sample, system_));
    };
  }
  hooks.on_step = [this, other = std::move(hooks.on_step)](const Sample& sample, std::span<const Event> events) {
    if (other) other(sample, events);
    for (const Event& event : events) judge_->add(event);
    if (!options_.adaptive()) judge_->look(moment_of(sample, system_));
  };
}

Verdict RunWatch::finish(const RunSummary& summary) {
  return judge_->finish(summary);
}

}  // namespace tippe::verify
