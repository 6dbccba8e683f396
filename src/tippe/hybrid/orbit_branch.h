// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tippe/hybrid/periodic_orbit.h"

namespace tippe {

/// The system at a value of the parameter.
struct SystemAtValue {
  std::shared_ptr<const System> system;
  double forcing_period = 0.0;  // s   of what depends explicitly on time; 0 if nothing does
};
using SystemFamily = std::function<SystemAtValue(double parameter)>;

struct BranchOptions {
  double from = 0.0, to = 0.0;  // the parameter: where the branch begins and where it ends, if not before
  int most_points = 1000;
  bool switch_at_flips = false;  // follow the orbits of twice the period too
  double tolerance = 1e-11;      // 1   of |R(z) - z|, each coordinate relative to its size
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(double parameter, size_t points)> tell = {};
};

/// An orbit of a branch.
struct BranchPoint {
  double parameter = 0.0;
  double period = 0.0;  // s
  Section section;      // of its own where the section that it began with is not met any more
  int returns = 0;      // to it in a period
  State state;          // on the section
  double residual = 0.0;
  std::vector<std::complex<double>> multipliers;  // those that are not zero, the largest first
  PeriodicOrbit::Stability stability = PeriodicOrbit::Stability::kNotDecided;
  std::vector<Event> events;  // of one period; times since the section, the last is the return to it
  std::string impact_modes;   // of all impacts with friction in a plane: 'o' sticks, '+' and '-' slip
};

/// Where something changes along a branch.
struct BranchMark {
  enum class Kind {
    kFold,       // the parameter turns round
    kFlip,       // a multiplier passes -1: the period doubles
    kTorus,      // a complex pair passes the unit circle (Neimark and Sacker)
    kBranching,  // a multiplier passes 1 where the parameter does not turn
    kSequence,   // the events of a period change
    kGrazing,    // likewise, where an impact vanishes with its velocity
  };
  Kind kind = Kind::kFold;
  BranchPoint point;
  std::string note = {};  // "impact sleeve top appears"
};

/// A family of periodic orbits over a parameter.
struct OrbitBranch {
  std::vector<BranchPoint> points;
  std::vector<BranchMark> marks;
  std::string end;  // why it ends: "the end of the range", or what went wrong
};

struct OrbitBranches {
  PeriodicOrbit::Status status = PeriodicOrbit::Status::kConverged;
  std::string message;
  std::vector<OrbitBranch> branches;  // the first from options.from on, then those of twice the period
};

[[nodiscard]] const char* name_of(BranchMark::Kind kind);

/// Follows a periodic orbit over a parameter by pseudo-arclength continuation, past folds: Newton's method for R(z, p) = z, with the derivative of the return map by
/// the linearised motion (LinearMotion). `orbit`: at options.from, as find_periodic_orbit() found it.
[[nodiscard]] OrbitBranches follow_branch(const SystemFamily& family, const PeriodicOrbit& orbit,
                                          const BranchOptions& options);

}  // namespace tippe
