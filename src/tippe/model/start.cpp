// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/start.h"

#include <fmt/format.h>

#include <cmath>

#include "tippe/core/constrained_mass.h"
#include "tippe/core/error.h"

namespace tippe {
namespace {

void require_finite(double value, const std::string& subject, const std::string& what) {
  if (!std::isfinite(value))
    throw ModelError(subject, fmt::format("{} is {} at the initial state", what, std::isnan(value) ? std::nan("") : value));
}

double kinetic_energy(const System& system, const std::vector<double>& M, const Eigen::VectorXd& u) {
  double energy = 0.0;
  const auto& pattern = system.mass_pattern();
  for (size_t p = 0; p < pattern.size(); ++p) {
    const auto& [row, column] = pattern[p];
    energy += (row == column ? 0.5 : 1.0) * M[p] * u[row] * u[column];
  }
  return energy;
}

/// A direction along which M is clearly negative, if M plus a little of its own diagonal is not positive definite.
void require_semidefinite(const System& system, std::vector<double> M) {
  constexpr double kLittle = 1e-10;
  std::vector<LowerEntry> pattern = system.mass_pattern();
  double trace = 0.0;
  for (size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p].row == pattern[p].column) trace += std::abs(M[p]);
  }
  const std::vector<double> exact = M;
  std::vector<bool> has_diagonal(static_cast<size_t>(system.nu()), false);
  for (size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p].row != pattern[p].column) continue;
    has_diagonal[static_cast<size_t>(pattern[p].row)] = true;
    M[p] += kLittle * trace;
  }
  for (int i = 0; i < system.nu(); ++i) {
    if (has_diagonal[static_cast<size_t>(i)]) continue;
    pattern.push_back({i, i});
    M.push_back(trace > 0.0 ? kLittle * trace : 1.0);
  }
  SparseLDLT factor(system.nu(), pattern);
  if (trace == 0.0 || factor.factorize(M)) return;
  const Eigen::VectorXd z = factor.failed_direction();
  throw ModelError(
      "lagrangian.kinetic",
      fmt::format("the mass matrix is not positive semidefinite at the initial state: the motion {} has kinetic "
                  "energy {:.3g}",
                  describe_direction(system, z), kinetic_energy(system, exact, z)));
}

void check_mass(const System& system, const Dynamics& dynamics, const SparseColumns& W) {
  const auto& pattern = system.mass_pattern();
  for (size_t p = 0; p < pattern.size(); ++p) {
    require_finite(dynamics.M[p], "lagrangian.kinetic",
                   fmt::format("the mass matrix entry of {} and {}", system.velocity_names()[pattern[p].row],
                               system.velocity_names()[pattern[p].column]));
  }
  ConstrainedMass mass(system.nu(), pattern, W);
  const bool held = mass.factorize(dynamics.M, W);
  if (held && mass.mass_is_singular()) require_semidefinite(system, dynamics.M);
  if (held) return;
  const Eigen::VectorXd z = mass.massless_direction();
  throw ModelError("lagrangian.kinetic",
                   fmt::format("the mass matrix is not positive definite at the initial state: the motion {} has "
                               "kinetic energy {:.3g}{}; give every coordinate a mass{}",
                               describe_direction(system, z), kinetic_energy(system, dynamics.M, z),
                               system.constraints().empty() ? "" : " and no constraint holds it",
                               system.constraints().empty() ? "" : ", or a constraint that holds it"));
}

/// Distances are values over the size of the gradient: what a user has to move.
void check_constraints(const System& system, Evaluator& evaluator, const State& start, const SparseColumns& W,
                       const Eigen::VectorXd& chi, double allowed) {
  Eigen::VectorXd g;
  evaluator.evaluate_constraint_positions(g);
  constexpr int kMostNamed = 5;
  std::string violated, first;
  int count = 0;
  const auto complain = [&](const Constraint& constraint, const char* level, double value, double distance) {
    if (first.empty()) first = constraint.key + "." + constraint.row_key();
    if (++count > kMostNamed) return;
    violated += fmt::format("{}'{}' by {:.3g} at {} level (distance {:.3g})", violated.empty() ? "" : ", ", constraint.name,
                            value, level, distance);
  };
  for (int k = 0; k < W.columns(); ++k) {
    const Constraint& constraint = system.constraints()[static_cast<size_t>(k)];
    const std::string subject = constraint.key + "." + constraint.row_key();
    double size = 0.0, speed = 0.0;
    for (int p = W.start[k]; p < W.start[k + 1]; ++p) {
      require_finite(W.value[p], subject, fmt::format("the direction of '{}'", constraint.name));
      size += W.value[p] * W.value[p];
      speed += std::abs(W.value[p] * start.u[W.row[p]]);
    }
    size = std::sqrt(size);
    const double gamma = W.dot(k, start.u.data()) + chi[k];
    require_finite(g[k], subject, fmt::format("the position of '{}'", constraint.name));
    require_finite(gamma, subject, fmt::format("the velocity of '{}'", constraint.name));
    if (std::abs(g[k]) > allowed * size) complain(constraint, "position", g[k], std::abs(g[k]) / size);
    if (std::abs(gamma) > allowed * std::max(size, speed)) complain(constraint, "velocity", gamma, std::abs(gamma) / size);
  }
  if (count == 0) return;
  if (count > kMostNamed) violated += fmt::format(" and {} more", count - kMostNamed);
  throw ModelError(first, fmt::format("the initial state violates {}; change it, or let project = true in [initial] move it "
                                      "to the nearest state that keeps the constraints",
                                      violated));
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
  SparseColumns directions;
  Eigen::VectorXd moving;
  evaluator->evaluate_constraint_directions(directions, moving);
  check_mass(system, dynamics, directions);
  for (int i = 0; i < system.nu(); ++i) {
    const std::string name = force_target(system, i);
    require_finite(dynamics.damping[i], "lagrangian.damping", "the damping force on " + name);
    require_finite(dynamics.applied[i], "lagrangian.forces." + name, "the force on " + name);
    require_finite(dynamics.h[i], "lagrangian.potential", "the force on " + name + " (from T and V)");
  }
  check_constraints(system, *evaluator, start, directions, moving, allowed_penetration);

  Eigen::VectorXd gaps = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system.laws().size()));
  evaluator->evaluate_gaps(gaps);
  SparseColumns W;
  std::vector<double> chi;
  for (size_t i = 0; i < system.laws().size(); ++i) {
    const ForceLaw& law = system.laws()[i];
    if (law.kind == ForceLaw::Kind::kContact) {  // before the directions, which spheres with one centre do not have
      const double gap = gaps[static_cast<Eigen::Index>(i)];
      const std::string subject = law.key + ".gap";
      require_finite(gap, subject, fmt::format("the gap of '{}'", law.name));
      if (gap < -allowed_penetration) {
        throw ModelError(subject,
                         fmt::format("the initial state is {:.6g} deep inside '{}', allowed is {:.3g}; change it, or "
                                     "raise initial_penetration in [run]",
                                     -gap, law.name, allowed_penetration));
      }
    }
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
  }
}

}  // namespace tippe
