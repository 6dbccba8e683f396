// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/analyze/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// What the two common impact laws make of a collision.
struct ImpactReport {
  struct Newton {              // kinematic: v+ = -E v-, Brogliato A (77)
    bool exists = true;        // false: A_c is singular and no impulse gives these velocities
    bool unique = true;        // of the impulses
    Eigen::VectorXd impulses;  // N s  per unilateral contact; of least norm if not unique
    Eigen::VectorXd bilateral_impulses;
    Eigen::VectorXd velocity_after;    // generalized
    double energy_change = 0.0;        // J
    Verdict admissible;                // impulses >= 0, v+ >= 0, energy does not rise
    std::vector<std::string> reasons;  // why not, naming the contacts
  };
  struct Moreau {
    Eigen::VectorXd impulses;
    Eigen::VectorXd bilateral_impulses;
    Eigen::VectorXd velocity_after;
    double energy_change = 0.0;
    double residual = -1.0;  // of the complementarity problem, relative
    bool converged = false;
  };
  Eigen::VectorXd velocity_before;  // as given, or projected onto the joints
  double projected = 0.0;           // how much the projection changed it, relative; 0 if it was consistent
  Eigen::VectorXd gap_velocity;     // m/s  of each contact before
  Newton newton;
  std::optional<Moreau> moreau;  // absent: the restitution is not one number
  std::vector<std::string> warnings;
};

[[nodiscard]] ImpactReport judge_impact(const ImpactProblem& problem);

}  // namespace tippe
