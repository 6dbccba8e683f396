// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// A force that may be chosen: it acts along `direction`, on the side of the contact forces.
struct Actuator {
  std::string name;
  Eigen::VectorXd direction;
};

/// What is to be judged: an instant, a collision, or both.
struct Instant {
  std::string title;
  std::optional<AccelerationProblem> acceleration;
  std::optional<ImpactProblem> impact;
  std::vector<std::string> notes;        // of whoever made it: what was left out and why
  std::vector<DryFrictionRow> dry = {};  // of the acceleration; it takes no part in an impact
  std::vector<Actuator> actuators = {};  // whose least forces are asked for; none: a force along each coordinate
};

/// Of all force components of the acceleration problem.
[[nodiscard]] inline std::vector<std::string> force_names(const Instant& instant) {
  return instant.acceleration ? force_names(*instant.acceleration, instant.dry) : std::vector<std::string>();
}

}  // namespace tippe
