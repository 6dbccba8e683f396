// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/integrate/law_check.h"
#include "tippe/model/system.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// An impact without collision: where no bounded forces satisfy the laws (Painleve), the limit of impacts with a vanishing approach.
struct Strike {
  Eigen::VectorXd change;   // of the velocities
  Eigen::VectorXd impulse;  // N s  rows of all laws, as in LawStep
  std::vector<int> laws;    // that push
};

/// The strike at an instant, or nothing if there is none. `laws`: of the unilateral contacts of the problem, one after another.
[[nodiscard]] std::optional<Strike> find_strike(const System& system, const AccelerationProblem& problem,
                                                std::span<const int> laws);

/// Whether the state after a strike and its impulses obey the laws, as after a plastic impact; `laws`: the same.
[[nodiscard]] std::optional<LawCheck::Violation> judge_strike(const System& system, const State& after,
                                                              const AccelerationProblem& problem, std::span<const int> laws,
                                                              const Eigen::VectorXd& impulse);

}  // namespace tippe
