// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/report/comparison.h"
#include "tippe/scene/scene.h"
#include "tippe/study/reached_instant.h"

namespace tippe {

/// Which runs of a scene to compare: every integrator with every step.
struct ComparisonRequest {
  SceneOverrides overrides;              // of all runs
  std::vector<std::string> integrators;  // empty: all that fit, the scene's own first
  std::vector<std::string> steps;        // s  numbers or expressions of parameters; empty: the scene's
};

/// All runs, checked: nothing of them can be refused later.
struct ComparisonPlan {
  Scene scene;  // of the first run
  std::vector<SceneOverrides> overrides;
  std::vector<RunOptions> runs;
  CommonTimes times;
};

/// Throws InputError, which blames integrators or steps, for runs that cannot be made, that are asked for twice or that have
/// no times in common.
[[nodiscard]] ComparisonPlan plan_comparison(const SceneLoader& load, const ComparisonRequest& request);

/// What came of a plan.
struct ComparisonOutcome {
  Comparison comparison;
  std::vector<std::string> not_run;  // labels of the runs that an interrupt left out
  RunStatus status;                  // kFailed if any run did, kInterrupted before that
  std::string message;               // one sentence on runs that did not reach their end, or ""
};

/// Called before each run with its number from 0 and its label; what it returns sees the progress of the run.
using ComparisonProgress = std::function<ProgressCallback(size_t run, const std::string& label)>;

/// Runs the plan one after the other, or the first part of it if `stop` becomes true.
[[nodiscard]] ComparisonOutcome run_comparison(const ComparisonPlan& plan, const ComparisonProgress& progress = {},
                                               const std::atomic<bool>* stop = nullptr);

}  // namespace tippe
