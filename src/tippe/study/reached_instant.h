// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tippe/contact/state_sizes.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/run/simulate.h"
#include "tippe/scene/scene.h"
#include "tippe/study/list_modes.h"

namespace tippe {

/// The scene that somebody talks about, with other overrides.
using SceneLoader = std::function<Scene(const SceneOverrides&)>;

/// A scene at a time of its simulation, or at a state that somebody gave.
struct ReachedInstant {
  Scene scene;
  State state;
  LawMemory held;
  PastSizes past;                           // of the samples of the run
  double step = 0.0;                        // s  length of the last one; 0: none was made
  std::optional<InclusionProblem> problem;  // of the last step, if it had one
  RunStatus status = RunStatus::kOk;        // else the simulation did not get there
  std::string message;                      // of a failure or interrupt
  std::vector<std::string> notes;
  std::string around{};  // InstantOptions::around

  [[nodiscard]] InstantOptions options() const {
    return {.closed_tolerance = scene.run.integrator_options.closed_tolerance,
            .held = &held,
            .step = step,
            .past = &past,
            .around = around};
  }
  /// What is judged there, with the title of the scene and the notes of the way.
  [[nodiscard]] Instant instant() const;
  /// The modes that can follow, under the name of the scene's file.
  [[nodiscard]] ModesReport modes() const;
  /// The contact problem of the step that led here, as `tippe run --dump-problem` writes it; where none did, that of the first step from here.
  /// Nothing if no law was active in it, or if the integrator solves no such problems.
  [[nodiscard]] std::optional<InclusionProblem> step_problem() const;
};

/// The scene at a state of one's own.
[[nodiscard]] ReachedInstant instant_at(Scene scene, State state);

/// Simulates the scene up to `time`, s; absent: its start. Throws InputError for a time before it, and what the loader throws.
[[nodiscard]] ReachedInstant reach_instant(const SceneLoader& load, SceneOverrides overrides, std::optional<double> time,
                                           const ProgressCallback& progress = {}, const std::atomic<bool>* stop = nullptr);

}  // namespace tippe
