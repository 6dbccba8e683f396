// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tippe/integrate/event.h"
#include "tippe/scene/scene.h"

namespace tippe {

struct GradientOptions {
  std::vector<double> times = {};  // s  ascending, within the run; empty: those of the samples of the run
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(double t)> tell = {};  // is told the time after every step
};

/// A run and its derivatives by parameters and initial values.
struct RunGradient {
  enum class Status {
    kDone,
    kFailed,        // the simulation did
    kNoDerivative,  // or none that is known
    kInterrupted,
  };
  struct EventTime {
    Event event;
    Eigen::VectorXd shift;  // s per unit of each parameter
  };
  Status status = Status::kDone;
  std::string message;                   // what went wrong; what follows is until then
  std::vector<std::string> parameters;   // by which it is derived
  std::vector<double> at;                // their values
  std::vector<std::string> names;        // of coordinates, velocities and quantities of the scene
  std::vector<double> times;             // s
  Eigen::MatrixXd value;                 // one row for each time, one column for each name
  std::vector<Eigen::MatrixXd> derived;  // of each parameter, likewise
  std::vector<EventTime> events;         // without the start
};

/// The derivatives of the run of a scene by the linearised motion with its jumps at events. The end time is that of the scene, also if it depends on a
/// parameter. `parameters`: of the scene, or initial values of coordinates and velocities.
///
/// Throws InputError if the scene cannot be run with parameters a little less or more, if it has no such parameter, if its integrator is not event-driven, and if it is stopped or reset by
/// events of its own.
[[nodiscard]] RunGradient find_run_gradient(const std::string& text, const std::string& file,
                                            const SceneOverrides& overrides, const std::vector<std::string>& parameters,
                                            const GradientOptions& options = {});

}  // namespace tippe
