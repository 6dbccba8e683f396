// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tippe/integrate/consistent.h"
#include "tippe/integrate/decomposed_inertia.h"

namespace tippe {
namespace {

std::string find_law_misfit(const System& system, ImpactScheme impacts) {
  if (impacts == ImpactScheme::kOneStep && !system.constraints().empty()) {
    return "it has no place for bilateral constraints, and the scene has '" + system.constraints()[0].name +
           "'; the two-step schemes have";
  }
  if (system.laws().empty()) return {};
  if (impacts == ImpactScheme::kNone)
    return "it integrates smooth motion only, and the scene has the law '" + system.laws()[0].name + "'";
  if (impacts != ImpactScheme::kBefore && system.impact_law() != ImpactLaw::kNewton)
    return "it knows Newton's impact law only, and the scene names another";
  if (impacts == ImpactScheme::kOneStep) {
    // xi_i = (gamma+ + epsilon_i gamma-)/(1 + epsilon_i) row by row: along two directions this points where Newton's law does only if both have one epsilon.
    for (const ForceLaw& law : system.laws()) {
      const bool apart = law.kind == ForceLaw::Kind::kContact && law.rows > 2 && law.epsilon[1] != law.epsilon[2];
      if (apart && law.mu1 > 0.0 && law.mu2 > 0.0)
        return fmt::format(
            "it needs one tangential restitution along both directions of a contact, and '{}' has {:g} and {:g}; the "
            "two-step "
            "schemes take both",
            law.name, law.epsilon[1], law.epsilon[2]);
    }
  }
  if (impacts != ImpactScheme::kElastic) return {};
  for (const ForceLaw& law : system.laws()) {
    if (law.kind != ForceLaw::Kind::kContact || law.rows > 1 || law.epsilon[0] != 1.0)
      return "it takes contacts without friction and with restitution = 1 only, and '" + law.name + "' is another law";
  }
  return {};
}

/// Velocities of one's own choice where T depends on their coordinates: only those in which M is constant, and where M may not vary.
std::string find_velocity_misfit(const LagrangianDescription& description, bool needs_constant_mass, bool& decomposed) {
  decomposed = false;
  const int curved = curved_coordinate(description);
  if (curved < 0) return {};
  if (needs_constant_mass) decomposed = decomposed_inertia(description, LagrangianEquations(description)).has_value();
  if (decomposed) return {};
  const std::string& name = description.coordinates[static_cast<size_t>(curved)];
  return "the kinetic energy depends on " + name + " or its rate, and it needs there the velocity " + name +
         "' itself; of velocities of one's own choice " +
         (needs_constant_mass ? "as many as coordinates, in which the mass matrix is constant, fit too"
                              : "consistent-2 and conserving-ggl take those in which the mass matrix is constant") +
         "; or write the system with [[bilateral]] rows";
}

bool drifts(const LagrangianDescription& description) {
  ExprGraph& graph = *description.graph;
  const LagrangianInputs inputs = description.inputs();
  std::vector<Expr> at_rest(static_cast<size_t>(inputs.count()));
  for (int j = 0; j < inputs.nu(); ++j) at_rest[static_cast<size_t>(inputs.u(j))] = graph.constant(0.0);
  Substitution zero(graph, at_rest);
  return std::any_of(description.rates.begin(), description.rates.end(),
                     [&](Expr rate) { return !zero(rate).is_constant(0.0); });
}

/// Of a constant mass matrix.
bool mass_is_definite(const System& system) {
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(0.0, Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu()));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  return SparseLDLT(system.nu(), system.mass_pattern()).factorize(dynamics.M);
}

bool is_homogeneous(const LagrangianDescription& description) {
  ExprGraph& graph = *description.graph;
  const LagrangianInputs inputs = description.inputs();
  std::vector<Expr> at_rest(static_cast<size_t>(inputs.count()));
  for (int i = 0; i < inputs.n; ++i) at_rest[static_cast<size_t>(inputs.rate(i))] = graph.constant(0.0);
  Substitution at_zero_rates(graph, at_rest);
  bool homogeneous = at_zero_rates(description.kinetic).is_constant(0.0);
  for (const auto& [input, p] : graph.gradient(description.kinetic, inputs.rate(0), inputs.t()))
    homogeneous = homogeneous && at_zero_rates(p).is_constant(0.0);
  return homogeneous;
}

}  // namespace

std::string find_misfit(const System& system, const ConsistentScheme& scheme) {
  if (std::string misfit = needs_fixed_laws(system); !misfit.empty()) return misfit;
  if (std::string misfit = find_law_misfit(system, scheme.impacts); !misfit.empty()) return misfit;
  const LagrangianDescription* description = system.lagrangian();
  if (description == nullptr) return "it needs the energies of the system as expressions";
  const bool needs_constant_mass = scheme.motion != MotionScheme::kMidpoint && scheme.motion != MotionScheme::kFrozen;
  bool decomposed = false;
  if (std::string misfit = find_velocity_misfit(*description, needs_constant_mass, decomposed); !misfit.empty())
    return misfit;
  if (drifts(*description)) return "it needs coordinates that rest when the velocities are zero";
  if (needs_constant_mass && !decomposed && !system.constant_mass())
    return "it needs a constant mass matrix, and that of this scene depends on coordinates or time";
  if (scheme.impacts == ImpactScheme::kOneStep && !mass_is_definite(system))
    return "it needs a mass matrix that is positive definite";
  const std::vector<int> used = description->graph->inputs_of(description->kinetic);
  if (std::find(used.begin(), used.end(), description->inputs().t()) != used.end())
    return "it needs a kinetic energy without explicit time; prescribe motions with [[bilateral]] rows";
  return is_homogeneous(*description) ? "" : "it needs a kinetic energy whose terms are all quadratic in the velocities";
}

}  // namespace tippe
