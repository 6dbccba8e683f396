// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "tippe/core/error.h"
#include "tippe/model/cyclic_coordinates.h"

namespace tippe {
namespace {

PointSet points_of(const SweepRequest& request) {
  if (!request.table_text.empty()) {
    if (!request.vary.empty())
      throw ArgumentError(Argument::kPointTable, "a table has all that varies, and ranges are given too");
    return PointSet::table(request.table_text, request.table_file);
  }
  if (request.vary.empty()) throw ArgumentError(Argument::kVary, "nothing varies: give a range, name=from:to:count");
  std::vector<Axis> axes;
  for (const std::string& text : request.vary) axes.push_back(Axis::parse(text));
  if (!request.samples) return PointSet::grid(std::move(axes));
  return PointSet::samples(std::move(axes), *request.samples, request.sampling, request.seed);
}

SweepLook look_of(const SweepRequest& request, const Scene& scene) {
  SweepLook look;
  for (const std::string& text : request.quantities) look.reductions.push_back(Reduction::parse(scene, text));
  if (request.section.empty()) return look;
  look.section = RunSection::parse(scene, request.section);
  look.section.transient = request.transient;
  look.section.keep = request.keep;
  if (const LagrangianDescription* description = scene.system->lagrangian())
    look.period.coordinate = find_equation_inputs(*description).coordinate;
  return look;
}

}  // namespace

SweepPlan::SweepPlan(SweepRequest request)
    : request_(std::move(request)),
      scene_(read_scene(request_.scene_text, request_.scene_file, request_.overrides)),
      points_(points_of(request_)),
      look_(look_of(request_, scene_)) {
  (void)make_family();  // whose names must exist
}

SceneFamily SweepPlan::make_family() const {
  return {request_.scene_text, request_.scene_file, request_.overrides, points_.names()};
}

SweepRow SweepWorker::compute(std::int64_t number, const std::atomic<bool>* interrupt) {
  const auto begin = std::chrono::steady_clock::now();
  SweepRow row;
  row.number = number;
  row.values.resize(plan_.points().names().size());
  plan_.points().get(number, row.values);
  try {
    Scene scene = family_.at(row.values);
    SweepLook look = plan_.look();
    look.period.forcing_period = scene.run.forcing_period;
    prepare_for_sweep(scene, look, plan_.request().overrides.until.has_value());
    row.result = run_point(scene, look, interrupt);
  } catch (const InputError& error) {
    row.result = {};
    row.result.end = SweepEnd::kRefused;
    row.result.message = error.what();
    row.result.reduced.assign(plan_.look().reductions.size(), std::numeric_limits<double>::quiet_NaN());
  }
  row.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return row;
}

}  // namespace tippe
