// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// What the two common impact laws make of a collision. Where impulses are not unique the smallest are given: of least norm when each
/// counts with the kinetic length of its direction, sqrt(n'M^-1 n), so that units do not matter.
struct ImpactReport {
  struct Newton {              // kinematic: v+ = -E v-, Brogliato A (77)
    bool exists = true;        // false: no impulse gives these velocities, or none could be computed; what follows is empty
    bool unique = true;        // of the impulses
    Eigen::VectorXd impulses;  // N s  per unilateral contact; if not unique: the smallest, >= 0 if that can be
    Eigen::VectorXd bilateral_impulses;  // the smallest
    Eigen::VectorXd velocity_after;      // generalized
    double energy_change = 0.0;          // J  p'(v+ + v-) / 2; for surfaces that move, without their work
    double residual = -1.0;              // of M (v+ - v-) = N p + G p_b, joints and energy; relative, kinetic units; <= 1e-9
    Verdict admissible;                  // impulses >= 0, v+ >= 0, energy does not rise
    std::vector<std::string> reasons;    // why not, naming the contacts
    std::string wide_angles;  // if impulses pull: a sentence on contacts at kinetic angles above 90 degrees, also a warning
  };
  struct Moreau {                        // 0 <= p _|_ v+ + E v- >= 0 with a diagonal E
    Eigen::VectorXd impulses;            // the smallest if not unique
    Eigen::VectorXd bilateral_impulses;  // the smallest
    Eigen::VectorXd velocity_after;
    double energy_change = 0.0;  // J  as Newton's; never > 0 if all restitutions are equal
    bool energy_rises = false;   // possible if they differ: the rebound is then not admissible, and a warning says so
    double residual = -1.0;      // of the law, and as Newton's; <= 1e-9
    bool converged = false;      // true wherever there is a solution to report
  };
  /// Not empty: a direction without mass that no joint holds. The velocity after the impact is then not determined and nothing
  /// else is filled in but a warning.
  Eigen::VectorXd massless_direction;
  Eigen::VectorXd velocity_before;  // as given, or projected onto the joints
  double projected = 0.0;           // how much the projection changed it, relative; 0 if it was consistent
  Eigen::VectorXd gap_velocity;     // m/s  of each contact before
  Newton newton;
  /// Absent, with the reason among the warnings: E is not diagonal or not from 0 to 1; or no velocities satisfy the law, as when
  /// surfaces move or restitutions differ and contacts or joints contradict each other.
  std::optional<Moreau> moreau;
  std::vector<std::string> warnings;
};

/// Velocities that break the joints are first projected onto them in the kinetic metric, with a warning.
[[nodiscard]] ImpactReport judge_impact(const ImpactProblem& problem);

}  // namespace tippe
