// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/constrained_mass.h"
#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/model/massless.h"
#include "tippe/model/motion_series.h"
#include "tippe/model/tolerances.h"

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
    M[p] += kLittleMass * trace;
  }
  for (int i = 0; i < system.nu(); ++i) {
    if (has_diagonal[static_cast<size_t>(i)]) continue;
    pattern.push_back({i, i});
    M.push_back(trace > 0.0 ? kLittleMass * trace : 1.0);
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

/// The directions of constraints, then of laws and of loads that hold velocities without mass, see MotionSeries::Massless.
SparseColumns all_that_holds(const System& system, Evaluator& evaluator, const State& start,
                             const SparseColumns& constraints) {
  SparseColumns W = constraints;
  std::vector<double> chi;
  LawList laws;
  evaluator.find_laws(kInfinity, laws);
  for (int i = 0; i < laws.size(); ++i) evaluator.append_directions(laws, i, W, chi);
  const std::unique_ptr<MotionSeries> series = system.make_series(1);
  if (series == nullptr) return W;
  series->begin(start.t, start.q, start.u);
  series->evaluate(0);
  for (const MotionSeries::Massless& massless : series->massless()) {
    for (size_t j = 0; j < massless.row.velocity.size(); ++j) W.push(massless.row.velocity[j], massless.row.value[j][0]);
    W.finish_column();
  }
  return W;
}

void check_mass(const System& system, Evaluator& evaluator, const State& start, const Dynamics& dynamics,
                const SparseColumns& W) {
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
  const bool loose = !loose_velocities(system).empty();
  if (loose) {
    const SparseColumns all = all_that_holds(system, evaluator, start, W);
    if (ConstrainedMass(system.nu(), pattern, all).factorize(dynamics.M, all))
      return require_semidefinite(system, dynamics.M);
  }
  const Eigen::VectorXd z = mass.massless_direction();
  throw ModelError("lagrangian.kinetic",
                   fmt::format("the mass matrix is not positive definite at the initial state: the motion {} has "
                               "kinetic energy {:.3g}{}; give every coordinate a mass{}",
                               describe_direction(system, z), kinetic_energy(system, dynamics.M, z),
                               loose                          ? " and no contact, load or constraint holds it"
                               : system.constraints().empty() ? ""
                                                              : " and no constraint holds it",
                               system.constraints().empty() ? "" : ", or a constraint that holds it"));
}

/// Of each velocity: the largest coordinate that it changes, in units of its integral.
Eigen::VectorXd reach_of_velocities(const System& system, Evaluator& evaluator, const State& start) {
  if (system.velocities_are_rates()) return start.q.cwiseAbs();
  if (!system.has_fixed_laws()) {  // thousands of bodies: their own count is enough
    Eigen::VectorXd own(system.nu());
    for (int j = 0; j < system.nu(); ++j) own[j] = system.reach(start.q, j);
    return own;
  }
  Eigen::VectorXd reach = Eigen::VectorXd::Zero(system.nu()), unit = reach, rates;
  for (int j = 0; j < system.nu(); ++j) {
    unit[j] = 1.0;
    evaluator.map_velocities(unit, rates);
    unit[j] = 0.0;
    const double fastest = rates.size() > 0 ? rates.cwiseAbs().maxCoeff() : 0.0;
    for (Eigen::Index i = 0; i < rates.size(); ++i) {
      if (rates[i] != 0.0) reach[j] = std::max(reach[j], std::abs(start.q[i]) / fastest);
    }
  }
  return reach;
}

/// What a column of directions makes of it; 1 where all is zero.
double length_of(const SparseColumns& W, int column, const Eigen::VectorXd& reach) {
  double length = 0.0;
  for (int p = W.start[column]; p < W.start[column + 1]; ++p)
    length = std::max(length, std::abs(W.value[p]) * reach[W.row[p]]);
  return length > 0.0 ? length : 1.0;
}

/// Distances are values over the size of the gradient: what a user has to move.
void check_constraints(const System& system, Evaluator& evaluator, const State& start, const SparseColumns& W,
                       const Eigen::VectorXd& chi, const Eigen::VectorXd& reach, std::optional<double> given) {
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
    const double allowed = given.value_or(kWritten * length_of(W, k, reach) / (size > 0.0 ? size : 1.0));
    if (std::abs(g[k]) > allowed * size) complain(constraint, "position", g[k], std::abs(g[k]) / size);
    if (std::abs(gamma) > given.value_or(kWritten) * std::max(size, speed))
      complain(constraint, "velocity", gamma, std::abs(gamma) / size);
  }
  if (count == 0) return;
  if (count > kMostNamed) violated += fmt::format(" and {} more", count - kMostNamed);
  throw ModelError(first, fmt::format("the initial state violates {}; change it, or let project = true in [initial] move it "
                                      "to the nearest state that keeps the constraints",
                                      violated));
}

}  // namespace

double check_start(const System& system, const State& start, std::optional<double> allowed_penetration) {
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
  check_mass(system, *evaluator, start, dynamics, directions);
  for (int i = 0; i < system.nu(); ++i) {
    const std::string name = force_target(system, i);
    require_finite(dynamics.damping[i], "lagrangian.damping", "the damping force on " + name);
    require_finite(dynamics.applied[i], "lagrangian.forces." + name, "the force on " + name);
    require_finite(dynamics.h[i], "lagrangian.potential", "the force on " + name + " (from T and V)");
  }
  const Eigen::VectorXd reach = reach_of_velocities(system, *evaluator, start);
  check_constraints(system, *evaluator, start, directions, moving, reach, allowed_penetration);

  LawList laws;
  evaluator->find_laws(0.0, laws);
  SparseColumns W;
  std::vector<double> chi;
  double most_allowed = allowed_penetration.value_or(0.0);
  for (int i = 0; i < laws.size(); ++i) {
    const ForceLaw& law = system.laws()[static_cast<size_t>(laws.law[i])];
    const std::string name = system.law_name(laws.id[i]);
    const double gap = laws.gap[i];
    const bool is_contact = law.kind == ForceLaw::Kind::kContact;
    if (is_contact)  // before the directions, which spheres with one centre do not have
      require_finite(gap, law.key + ".gap", fmt::format("the gap of '{}'", name));
    W.clear();
    chi.clear();
    evaluator->append_directions(laws, i, W, chi);
    if (is_contact) {
      const double length = length_of(W, 0, reach);
      const double size = std::isfinite(length) ? length : 0.0;
      const double allowed = allowed_penetration.value_or(size <= kNoDepth ? kNoDepth : kWritten * size);
      most_allowed = std::max(most_allowed, allowed);
      if (gap < -allowed) {
        throw ModelError(law.key + ".gap",
                         fmt::format("the initial state is {:.6g} deep inside '{}', allowed is {:.3g}; change it, or "
                                     "raise initial_penetration in [run]",
                                     -gap, name, allowed));
      }
    }
    for (int k = 0; k < W.columns(); ++k) {
      const std::string subject = law.key + "." + law.row_key(k);
      for (int p = W.start[k]; p < W.start[k + 1]; ++p) {
        require_finite(W.value[p], subject, fmt::format("a force direction of '{}'", name));
      }
      require_finite(chi[static_cast<size_t>(k)], subject, fmt::format("the velocity of '{}' at rest", name));
    }
  }
  return most_allowed;
}

}  // namespace tippe
