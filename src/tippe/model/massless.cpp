// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/massless.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace tippe {

std::vector<int> loose_velocities(const System& system) {
  std::vector<int> loose;
  if (!system.velocities_are_rates()) return loose;
  std::vector<bool> held(static_cast<size_t>(system.nu()), false);
  for (const LowerEntry& entry : system.mass_pattern()) held[entry.row] = held[entry.column] = true;
  SparseColumns W;
  Eigen::VectorXd chi;
  const bool all_heavy = std::find(held.begin(), held.end(), false) == held.end();
  if (all_heavy) return loose;
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  evaluator->evaluate_constraint_directions(W, chi);  // its pattern is that of every state
  for (const int row : W.row) held[static_cast<size_t>(row)] = true;
  for (int j = 0; j < system.nu(); ++j) {
    if (!held[static_cast<size_t>(j)]) loose.push_back(j);
  }
  return loose;
}

std::string needs_mass(const System& system) {
  const std::vector<int> loose = loose_velocities(system);
  return loose.empty() ? ""
                       : fmt::format("it needs a mass for every coordinate, and {} has none; take event-driven",
                                     system.velocity_names()[static_cast<size_t>(loose[0])]);
}

}  // namespace tippe
