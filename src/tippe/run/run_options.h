// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tippe/draw/drawing.h"
#include "tippe/model/observables.h"
#include "tippe/run/input_table.h"
#include "tippe/run/registry.h"

namespace tippe {

/// How to run a system. Steps are at t0 + n dt; the last one is shortened if `until` is no multiple. Adaptive integrators choose
/// their steps after the first, which is dt, or less if the run is shorter or the error too large.
struct RunOptions {
  std::string integrator = "moreau";
  double dt = 0.0;                    // s   > 0
  double until = 0.0;                 // s   end time
  double initial_penetration = 1e-9;  // m   a start deeper than this is refused; a scene's default is check_start()'s
  double every = 0.0;                 // s   between samples; 0: by default, see sample_interval()
  double forcing_period = 0.0;  // s   of what depends explicitly on time, for searches of periodic orbits; 0: not given
  IntegratorOptions integrator_options;
  /// The run ends when there have been so many impacts ("impacts"), or own events of that name.
  struct StopAfter {
    std::string name;
    std::int64_t count;
  };
  std::vector<StopAfter> stop_after;
  OwnEvents events;                // that the scene defines
  InputTable inputs;               // what inputs are set to while the system moves
  Observables observables;         // quantities to record, and when to stop before `until`
  Drawing drawing;                 // how the system looks, for pages that replay the run
  std::vector<std::string> notes;  // on the start, for the summary: how far reading a scene has moved it

  /// Whether the integrator chooses its steps itself.
  [[nodiscard]] bool adaptive() const;
  /// How many steps of dt lead from t0 to `until`: the multiple of dt within round-off, else one more for the rest.
  [[nodiscard]] std::int64_t steps_from(double t0) const;
  /// Seconds between samples: `every`, or by default a whole number of steps that gives at most 5000 samples; with an adaptive
  /// integrator a thousandth of the run.
  [[nodiscard]] double sample_interval(double t0) const;
  /// A number that differs, in all likelihood, between options with which the same system moves or is recorded differently, `until`
  /// left aside.
  [[nodiscard]] double fingerprint(double t0) const;
  /// Empty if usable, else the key in [run] or [output] and what is wrong with it: "dt", "dt = -1 must be
  /// positive".
  struct Problem {
    std::string key;
    std::string message;
  };
  [[nodiscard]] Problem invalid(double t0) const;

 private:
  [[nodiscard]] Problem invalid_times(double t0) const;
  [[nodiscard]] Problem invalid_tolerances() const;
  [[nodiscard]] Problem invalid_samples(double t0) const;
};

}  // namespace tippe
