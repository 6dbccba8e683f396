// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/analyze/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// What the two common impact laws make of a collision. Where impulses are not unique the smallest are given: of least norm when each
/// counts with the kinetic length of its direction, sqrt(n'M^-1 n), so that units do not matter.
struct ImpactReport {
  struct Newton {              // kinematic: v+ = -E v-, Brogliato A (77)
    bool exists = true;        // false: A_c is singular and no impulse gives these velocities; what follows is empty
    bool unique = true;        // of the impulses
    Eigen::VectorXd impulses;  // N s  per unilateral contact; if not unique: the smallest, >= 0 if that can be
    Eigen::VectorXd bilateral_impulses;  // the smallest
    Eigen::VectorXd velocity_after;      // generalized
    double energy_change = 0.0;          // J  p'(v+ + v-) / 2; for surfaces that move, without their work
    Verdict admissible;                  // impulses >= 0, v+ >= 0, energy does not rise
    std::vector<std::string> reasons;    // why not, naming the contacts
  };
  struct Moreau {
    Eigen::VectorXd impulses;            // the smallest if not unique
    Eigen::VectorXd bilateral_impulses;  // the smallest
    Eigen::VectorXd velocity_after;
    double energy_change = 0.0;
    bool energy_rises = false;  // possible if the restitutions differ; the rebound is then not admissible
    double residual = -1.0;     // of 0 <= p _|_ v+_i + e_i v-_i >= 0, relative to its terms in kinetic units
    bool converged =
        false;  // false: the rest says nothing; gaps that joints close against each other have no v+ + e v- >= 0
  };
  /// Not empty: a direction without mass that no joint holds. The velocity after the impact is then not determined and nothing
  /// else is filled in but a warning.
  Eigen::VectorXd massless_direction;
  Eigen::VectorXd velocity_before;  // as given, or projected onto the joints
  double projected = 0.0;           // how much the projection changed it, relative; 0 if it was consistent
  Eigen::VectorXd gap_velocity;     // m/s  of each contact before
  Newton newton;
  std::optional<Moreau> moreau;  // absent: the restitution couples contacts or is not from 0 to 1; a warning says so
  std::vector<std::string> warnings;
};

/// Velocities that break the joints are first projected onto them in the kinetic metric, with a warning.
[[nodiscard]] ImpactReport judge_impact(const ImpactProblem& problem);

}  // namespace tippe
