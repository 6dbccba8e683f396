// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "tippe/core/named_arrays.h"
#include "tippe/hybrid/section.h"

namespace tippe {

struct OrbitOptions {
  double until = 0.0;           // s   the motion from the start until then shows where to look
  std::string section = {};     // "impact:beak", see parse_section(); empty: that event which recurs most closely
  int returns = 0;              // to the section in one period; 0: as the motion suggests
  double forcing_period = 0.0;  // s   of what depends explicitly on time; 0 if nothing does
  double tolerance = 1e-11;     // 1   of |R(z) - z|, each coordinate relative to its size along the orbit
  int most_iterations = 30;     // of Newton's method, from each start
  double seconds = 0.0;  // s   on the clock after which it gives up; half of them for the motion; 0: as long as it takes
  const std::atomic<bool>* interrupt = nullptr;
  /// Is told very often what the search does at present: "Newton's method from close return 2 of 5 to 'impact:beak', ...".
  std::function<void(const std::string&)> tell = {};
};

/// A motion that repeats itself, up to a constant drift of coordinates on which nothing depends.
struct PeriodicOrbit {
  enum class Status {
    kConverged,
    kNoReturn,      // no event that can be a section recurs
    kNotConverged,  // residual and state are those of the best point
    kFailed,        // the simulation did
    kInterrupted,
    kOutOfTime,
  };
  /// One start of Newton's method.
  struct Try {
    double duration;  // s   of the close return that it starts from
    double distance;  // 1   between the two states, each coordinate relative to its size
    int iterations;
    double residual;  // the best; infinite if the motion did not return
  };
  enum class Stability {
    kStable,      // all multipliers inside the unit circle
    kUnstable,    // one outside
    kNotDecided,  // one on it as far as can be told, or the map is not smooth at the orbit
  };
  struct Drift {
    int coordinate;
    double per_period;
  };

  Status status = Status::kConverged;
  std::string message;  // what went wrong
  Section section;
  int returns = 0;
  State state;                                    // just after the event of the section
  double period = 0.0;                            // s
  std::vector<Drift> drift;                       // of each cyclic coordinate, and of angles that make full turns
  std::vector<std::complex<double>> multipliers;  // those that are not zero, the largest first
  int zero_multipliers = 0;                       // the others: what contacts make the motion forget, and the section itself
  double multiplier_error = 0.0;                  // estimate, by halving the steps of the differences
  Stability stability = Stability::kNotDecided;
  double residual = -1.0;     // of |R(z) - z|, see OrbitOptions::tolerance; < 0: never evaluated
  int iterations = 0;         // of Newton's method, from all starts
  double simulated = 0.0;     // s   until when the motion was searched for close returns
  std::vector<Try> tries;     // in their order
  std::vector<Event> events;  // of one period; times since the section, the last is the return to it
  double lost = 0.0;          // J  per period in contacts and damping
  double work = 0.0;          // J  per period by given forces, moving supports and prescribed motions
  std::vector<std::string> notes;
  NamedArrays memory;  // of the integrator at the section
};

[[nodiscard]] constexpr const char* name_of(PeriodicOrbit::Stability stability) {
  switch (stability) {
    case PeriodicOrbit::Stability::kStable:
      return "stable";
    case PeriodicOrbit::Stability::kUnstable:
      return "unstable";
    case PeriodicOrbit::Stability::kNotDecided:
      return "not decided";
  }
  return "";
}

/// Looks for a periodic orbit: simulates event by event from the start, takes the closest returns to the section, and improves them by
/// Newton's method on R(z) - z = 0, with derivatives of the return map R by differences of simulations. Multipliers are the eigenvalues of its
/// derivative at the orbit. Stable orbits and unstable ones are found alike.
///
/// The system must be made of expressions, without drilling friction. Throws InputError for a section that there is not, for a number out of its
/// range, and if the equations depend on time and the forcing period is not given or is none.
[[nodiscard]] PeriodicOrbit find_periodic_orbit(const System& system, const State& start, const OrbitOptions& options);

}  // namespace tippe
