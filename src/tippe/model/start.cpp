// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/start.h"

#include <fmt/format.h>

#include <cmath>

#include "tippe/core/error.h"

namespace tippe {
namespace {

void require_finite(double value, const std::string& subject, const std::string& what) {
  if (!std::isfinite(value))
    throw ModelError(subject, fmt::format("{} is {} at the initial state", what, std::isnan(value) ? std::nan("") : value));
}

/// "y' = 1, alpha' = -0.5": the entries that matter.
std::string describe_direction(const System& system, const Eigen::VectorXd& direction) {
  std::string text;
  for (int i = 0; i < direction.size(); ++i) {
    if (std::abs(direction[i]) < 1e-9) continue;
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", system.velocity_names()[i], direction[i]);
  }
  return text;
}

void check_mass(const System& system, const Dynamics& dynamics) {
  const auto& pattern = system.mass_pattern();
  for (size_t p = 0; p < pattern.size(); ++p) {
    require_finite(dynamics.M[p], "lagrangian.kinetic",
                   fmt::format("the mass matrix entry of {} and {}", system.velocity_names()[pattern[p].row],
                               system.velocity_names()[pattern[p].column]));
  }
  SparseLDLT factor(system.nu(), pattern);
  if (factor.factorize(dynamics.M)) return;
  const Eigen::VectorXd z = factor.failed_direction();
  double energy = 0.0;
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto& [row, column] = pattern[p];
    energy += (row == column ? 0.5 : 1.0) * dynamics.M[p] * z[row] * z[column];
  }
  throw ModelError("lagrangian.kinetic",
                   fmt::format("the mass matrix is not positive definite at the initial state: the motion {} has "
                               "kinetic energy {:.3g}; give every coordinate a mass",
                               describe_direction(system, z), energy));
}

}  // namespace

void check_start(const System& system, const State& start, double allowed_penetration) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(start.t, start.q, start.u);

  const Energies energies = evaluator->evaluate_energies();
  require_finite(energies.kinetic, "lagrangian.kinetic", "the kinetic energy");
  require_finite(energies.potential, "lagrangian.potential", "the potential energy");
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  check_mass(system, dynamics);
  for (int i = 0; i < system.nu(); ++i) {
    const std::string& name = system.coordinate_names()[i];
    require_finite(dynamics.damping[i], "lagrangian.damping", "the damping force on " + name);
    require_finite(dynamics.applied[i], "lagrangian.forces." + name, "the force on " + name);
    require_finite(dynamics.h[i], "lagrangian.potential", "the force on " + name + " (from T and V)");
  }

  Eigen::VectorXd gaps = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system.laws().size()));
  evaluator->evaluate_gaps(gaps);
  SparseColumns W;
  std::vector<double> chi;
  for (size_t i = 0; i < system.laws().size(); ++i) {
    const ForceLaw& law = system.laws()[i];
    const bool contact = law.kind == ForceLaw::Kind::kContact;
    W.clear();
    chi.clear();
    evaluator->append_directions(static_cast<int>(i), W, chi);
    for (int k = 0; k < W.columns(); ++k) {
      const std::string subject = law.key + "." + law.row_key(k);
      for (int p = W.start[k]; p < W.start[k + 1]; ++p) {
        require_finite(W.value[p], subject, fmt::format("a force direction of '{}'", law.name));
      }
      require_finite(chi[static_cast<size_t>(k)], subject, fmt::format("the velocity of '{}' at rest", law.name));
    }
    if (!contact) continue;
    const double gap = gaps[static_cast<Eigen::Index>(i)];
    const std::string subject = law.key + ".gap";
    require_finite(gap, subject, fmt::format("the gap of '{}'", law.name));
    if (gap < -allowed_penetration) {
      throw ModelError(subject,
                       fmt::format("the initial state is {:.6g} deep inside '{}', allowed is {:.3g}; change [initial], or "
                                   "raise initial_penetration in [run]",
                                   -gap, law.name, allowed_penetration));
    }
  }
}

}  // namespace tippe
