// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tippe/model/system.h"

namespace tippe {

struct LyapunovOptions {
  double transient = 0.0;  // s   from the start, not measured
  double until = 0.0;      // s   end time, later than that
  int most = 0;            // so many exponents, the largest; 0: all
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(double t)> tell = {};  // is told the time after every step
};

/// How fast nearby motions part, by directions.
struct LyapunovSpectrum {
  enum class Status {
    kMeasured,
    kFailed,        // the simulation did
    kNoDerivative,  // nearby motions differ from it in a way that has no derivative, or none that is known
    kInterrupted,   // exponents are those until then, if it was measuring
  };
  Status status = Status::kMeasured;
  std::string message;            // what went wrong
  std::vector<double> exponents;  // 1/s  the largest first; -infinity for directions that an impact or sticking destroyed
  std::vector<double>
      errors;  // 1/s  standard errors of those that are finite, by parts of the time; infinite if it is too short for that
  double begin = 0.0, end = 0.0;  // s    of what was measured
  int events = 0;                 // in that time
};

/// The Lyapunov exponents of the motion from a state, by its linearised flow with the jumps at events (LinearMotion) and orthonormal directions
/// (Benettin). There is one for each direction that bilateral constraints allow in (q, u): of an autonomous system one is zero, along the motion, and one is zero for each
/// cyclic coordinate. Needs what the event-driven integrator does. Throws InputError for times out of their order.
[[nodiscard]] LyapunovSpectrum find_lyapunov_exponents(const System& system, const State& start,
                                                       const LyapunovOptions& options);

}  // namespace tippe
