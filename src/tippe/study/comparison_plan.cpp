// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/comparison_plan.h"
#include "tippe/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tippe {
namespace {

Scene load_combination(const SceneLoader& load, const SceneOverrides& overrides) {
  try {
    return load(overrides);
  } catch (const ArgumentError& error) {
    if (error.argument() != Argument::kIntegrator) throw;
    throw ArgumentError(Argument::kIntegrators, error.what(), error.given(), error.remedy());
  }
}

/// Those that were asked for, else all that fit: the scene's own first.
std::vector<std::string> choose_integrators(const SceneLoader& load, const ComparisonRequest& request) {
  if (!request.integrators.empty()) return request.integrators;
  const Scene scene = load(request.overrides);
  std::vector<std::string> names = fitting_integrators(*scene.system);
  const auto own = std::find(names.begin(), names.end(), scene.run.integrator);
  std::rotate(names.begin(), own, own + 1);
  return names;
}

void add_combination(const SceneLoader& load, SceneOverrides overrides, const std::string& integrator, const std::string* dt,
                     ComparisonPlan& plan) {
  overrides.integrator = integrator;
  if (dt != nullptr) overrides.dt = *dt;
  Scene scene = load_combination(load, overrides);
  for (const RunOptions& run : plan.runs) {
    if (run.integrator != integrator) continue;
    if (run.adaptive()) return;  // one run for all steps: it chooses its own
    if (run.dt == scene.run.dt) {
      throw ArgumentError(Argument::kIntegrators,
                          fmt::format("the run with {} and dt = {} is asked for twice", integrator, run.dt));
    }
  }
  plan.overrides.push_back(std::move(overrides));
  plan.runs.push_back(scene.run);
  if (plan.runs.size() == 1) plan.scene = std::move(scene);
}

bool any_has(const Comparison& comparison, RunStatus status) {
  return std::any_of(comparison.runs().begin(), comparison.runs().end(),
                     [&](const ComparedRun& run) { return run.summary.status == status; });
}

std::string describe_status(const Comparison& comparison, const std::vector<std::string>& not_run) {
  std::vector<std::string> failed;
  std::string text;
  for (const ComparedRun& run : comparison.runs()) {
    if (run.summary.status == RunStatus::kInterrupted) text = fmt::format("{} was {}", run.label(), run.summary.message);
    if (run.summary.status == RunStatus::kFailed) failed.push_back(run.label() + ": " + run.summary.message);
  }
  const auto append = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (!not_run.empty()) append(fmt::format("not run: {}", fmt::join(not_run, "; ")));
  if (!failed.empty())
    append(fmt::format("{} of {} runs failed: {}", failed.size(), comparison.runs().size(), fmt::join(failed, "; ")));
  return text;
}

}  // namespace

ComparisonPlan plan_comparison(const SceneLoader& load, const ComparisonRequest& request) {
  ComparisonPlan plan;
  for (const std::string& integrator : choose_integrators(load, request)) {
    if (request.steps.empty()) add_combination(load, request.overrides, integrator, nullptr, plan);
    for (const std::string& dt : request.steps) add_combination(load, request.overrides, integrator, &dt, plan);
  }
  // A page of about 10 MB at most, and no curve without detail.
  constexpr size_t kMostNumbers = 1'000'000, kFewestTimes = 500, kMostTimes = 5000;
  const size_t at_each_time = plan.runs.size() * Comparison::width(*plan.scene.system, plan.scene.run);
  const size_t most = std::clamp(kMostNumbers / at_each_time, kFewestTimes, kMostTimes);
  CommonTimesChoice choice = choose_common_times(plan.runs, plan.scene.start.t, static_cast<std::int64_t>(most));
  if (!choice.problem.empty()) throw ArgumentError(Argument::kTimeStep, choice.problem);
  plan.times = choice.times;
  return plan;
}

ComparisonOutcome run_comparison(const ComparisonPlan& plan, const ComparisonProgress& progress,
                                 const std::atomic<bool>* stop) {
  const RunOrigin& origin = plan.scene.origin;
  ComparisonOutcome outcome{Comparison(*plan.scene.system, origin, plan.scene.run, plan.times), {}, RunStatus::kOk, {}};
  auto& [comparison, not_run, status, message] = outcome;
  for (size_t k = 0; k < plan.runs.size(); ++k) {
    const RunOptions& options = plan.runs[k];
    const std::string label = run_label(options.integrator, options.dt);
    if (stop != nullptr && *stop) {
      not_run.push_back(label);
      continue;
    }
    // Each run has a system of its own: integrators add to the expressions of theirs.
    const Scene scene = read_scene(origin.scene_text, origin.scene_file, plan.overrides[k]);
    comparison.run(*scene.system, scene.start, options, progress ? progress(k, label) : ProgressCallback(), stop);
  }
  if (!not_run.empty() || any_has(comparison, RunStatus::kInterrupted))
    status = RunStatus::kInterrupted;
  else if (any_has(comparison, RunStatus::kFailed))
    status = RunStatus::kFailed;
  message = describe_status(comparison, not_run);
  return outcome;
}

}  // namespace tippe
