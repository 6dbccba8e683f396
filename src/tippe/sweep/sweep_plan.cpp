// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "tippe/core/error.h"
#include "tippe/model/cyclic_coordinates.h"

namespace tippe {
namespace {

Follow follow_of(const SweepRequest& request) {
  if (request.follow.empty()) return Follow::kNone;
  if (request.follow == "up") return Follow::kUp;
  if (request.follow == "down") return Follow::kDown;
  if (request.follow == "both") return Follow::kBoth;
  throw InputError({}, fmt::format("'{}' is no direction to follow points in (there are: up, down, both)", request.follow));
}

PointSet unfollowed_points(const SweepRequest& request) {
  if (!request.table_text.empty()) {
    if (!request.vary.empty())
      throw ArgumentError(Argument::kPointTable, "a table has all that varies, and ranges are given too");
    if (request.samples)
      throw ArgumentError(Argument::kPointTable, "a table has all its points, and samples of ranges are asked for too");
    return PointSet::table(request.table_text, request.table_file);
  }
  if (request.vary.empty()) throw ArgumentError(Argument::kVary, "nothing varies: give a range, name=from:to:count");
  std::vector<Axis> axes;
  for (const std::string& text : request.vary) axes.push_back(Axis::parse(text));
  if (!request.samples) return PointSet::grid(std::move(axes));
  return PointSet::samples(std::move(axes), *request.samples, request.sampling, request.seed);
}

PointSet points_of(const SweepRequest& request) {
  return unfollowed_points(request).followed(follow_of(request));
}

SweepLook look_of(const SweepRequest& request, const Scene& scene) {
  SweepLook look;
  for (const std::string& text : request.quantities) look.reductions.push_back(Reduction::parse(scene, text));
  look.rest = request.basin;
  if (const LagrangianDescription* description = scene.system->lagrangian())
    look.period.coordinate = find_equation_inputs(*description).coordinate;
  if (request.section.empty()) return look;
  look.section = RunSection::parse(scene, request.section);
  look.section.transient = request.transient.value_or(look.section.transient);
  look.section.keep = request.keep.value_or(look.section.keep);
  return look;
}

/// A basin without a section: of what is driven once in each period; of the rest equilibria are told from each other.
SweepRequest with_section(SweepRequest request, const Scene& scene) {
  if (request.basin && request.section.empty() && scene.run.forcing_period > 0.0) request.section = "stroboscopic";
  return request;
}

/// Moves positions out of contacts into which another number has put them.
void lift_out(const System& system, State& state) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  LawList laws;
  SparseColumns W;
  std::vector<double> chi;
  Eigen::VectorXd dq;
  constexpr int kRounds = 4;  // Newton's
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    evaluator->set_state(state.t, state.q, state.u);
    evaluator->find_laws(0.0, laws);
    for (int k = 0; k < laws.size(); ++k) {
      const ForceLaw& law = system.laws()[static_cast<size_t>(laws.law[static_cast<size_t>(k)])];
      if (law.kind != ForceLaw::Kind::kContact || !(laws.gap[k] < 0.0)) continue;
      W.clear();
      chi.clear();
      evaluator->append_directions(laws, k, W, chi);
      Eigen::VectorXd normal = Eigen::VectorXd::Zero(system.nu());
      for (int p = W.start[0]; p < W.start[1]; ++p) normal[W.row[p]] = W.value[p];
      if (!(normal.squaredNorm() > 0.0)) continue;
      evaluator->map_velocities(normal * (-laws.gap[k] / normal.squaredNorm()), dq);
      state.q += dq;
      moved = true;
    }
    if (!moved) return;
  }
}

}  // namespace

void SweepRequest::complete(const SceneSweep& scene, const std::function<std::string(const std::string& file)>& read) {
  if (vary.empty() && table_text.empty()) {
    vary = scene.vary;
    if (!samples && scene.sample) {
      samples = scene.sample;
      sampling = scene.sobol ? Sampling::kSobol : Sampling::kRandom;
      if (seed == 0 && scene.seed) seed = static_cast<std::uint64_t>(*scene.seed);
    }
    if (vary.empty() && !scene.table.empty()) {
      table_file = scene.table;
      table_text = read(scene.table);
    }
  }
  if (quantities.empty()) quantities = scene.quantities;
  if (section.empty()) section = scene.section;
  if (!transient) transient = scene.transient;
  if (!keep) keep = scene.keep;
  // A basin and points that follow each other exclude each other, and only points of a grid can.
  if (basin || !follow.empty()) return;
  basin = scene.basin;
  if (!samples && table_text.empty()) follow = scene.follow;
}

SweepPlan::SweepPlan(SweepRequest request)
    : scene_(read_scene(request.scene_text, request.scene_file, request.overrides)),
      request_(with_section(std::move(request), scene_)),
      points_(points_of(request_)),
      look_(look_of(request_, scene_)) {
  if (request_.basin && !request_.follow.empty())
    throw InputError({}, "a basin is of starts, and points that are followed have none of their own");
  check_names();
}

void SweepPlan::check_names() const {
  try {
    (void)make_family();
  } catch (const ArgumentError& error) {
    if (error.argument() != Argument::kVary || points_.places().empty()) throw;
    const auto name = std::find(points_.names().begin(), points_.names().end(), error.given());
    if (name == points_.names().end()) throw;
    throw InputError(points_.places()[static_cast<size_t>(name - points_.names().begin())], error.what());
  }
}

SceneFamily SweepPlan::make_family() const {
  return {request_.scene_text, request_.scene_file, request_.overrides, points_.names()};
}

double SweepPlan::extent_of_starts() const {
  const std::vector<std::string>& coordinates = scene_.system->coordinate_names();
  std::vector<double> values(points_.names().size());
  double extent = 0.0;
  for (const std::int64_t k : {std::int64_t{0}, points_.size() - 1}) {  // the corners of a grid
    points_.get(k, values);
    for (size_t a = 0; a < values.size(); ++a) {
      if (std::find(coordinates.begin(), coordinates.end(), points_.names()[a]) != coordinates.end())
        extent = std::max(extent, std::abs(values[a]));
    }
  }
  return extent;
}

double SweepWorker::forcing_period_at(std::int64_t number) {
  std::vector<double> values(plan_.points().names().size());
  plan_.points().get(number, values);
  return family_.at(values).run.forcing_period;
}

/// At the same phase of what drives the system; for as long as from its own start.
void SweepWorker::start_from_last(Scene& scene, double forcing_period_of_last) const {
  const double t0 = scene.start.t, duration = scene.run.until - t0;
  State start = last_->state;
  start.t = t0;
  if (forcing_period_of_last > 0.0) {
    const double periods = (last_->state.t - t0) / forcing_period_of_last;
    start.t = t0 + (periods - std::floor(periods)) * scene.run.forcing_period;
  }
  lift_out(*scene.system, start);
  scene.start = std::move(start);
  scene.run.until = scene.start.t + duration;
}

void SweepWorker::run(SweepRow& row, const std::atomic<bool>* interrupt) {
  const std::int64_t number = row.number;
  const std::int64_t line = plan_.points().line();
  const bool follows = line > 1 && last_ && last_->number / line == number / line;
  const double period_of_last = follows ? forcing_period_at(last_->number) : 0.0;
  Scene& scene = family_.at(row.values);
  row.forcing_period = scene.run.forcing_period;
  SweepLook look = plan_.look();
  look.period.forcing_period = scene.run.forcing_period;
  if (follows) start_from_last(scene, period_of_last);
  prepare_for_sweep(scene, look, plan_.request().overrides.until.has_value());
  row.result = run_point(scene, look, interrupt);
  if (line > 1 && row.result.end != SweepEnd::kFailed) last_ = {number, row.result.summary.final_state};
}

SweepRow SweepWorker::compute(std::int64_t number, const std::atomic<bool>* interrupt) {
  const auto begin = std::chrono::steady_clock::now();
  SweepRow row;
  row.number = number;
  row.values.resize(plan_.points().names().size());
  plan_.points().get(number, row.values);
  try {
    run(row, interrupt);
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
