// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tippe/integrate/consistent.h"

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
  if (impacts != ImpactScheme::kElastic) return {};
  for (const ForceLaw& law : system.laws()) {
    if (law.kind != ForceLaw::Kind::kContact || law.rows > 1 || law.epsilon[0] != 1.0)
      return "it takes contacts without friction and with restitution = 1 only, and '" + law.name + "' is another law";
  }
  return {};
}

/// Of the coordinates that T depends on, one whose rate is not a combination of velocities with constant coefficients, or "".
std::string find_curved_coordinate(const LagrangianDescription& description) {
  if (description.velocities.empty()) return {};
  ExprGraph& graph = *description.graph;
  const LagrangianInputs inputs = description.inputs();
  for (const int input : graph.inputs_of(description.kinetic)) {
    if (input >= inputs.t()) continue;
    const auto i = static_cast<size_t>(input % inputs.n);
    for (const auto& [velocity, entry] : graph.gradient(description.rates[i], inputs.u(0), inputs.count())) {
      if (!entry.is_constant()) return description.coordinates[i];
    }
  }
  return {};
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
  if (const std::string name = find_curved_coordinate(*description); !name.empty()) {
    return "it needs the velocity " + name + "' itself where the kinetic energy depends on " + name +
           ", not velocities of one's own choice; write the system with [[bilateral]] rows";
  }
  if (drifts(*description)) return "it needs coordinates that rest when the velocities are zero";
  const bool needs_constant_mass = scheme.motion == MotionScheme::kPositions || scheme.motion == MotionScheme::kGgl;
  if (needs_constant_mass && !system.constant_mass())
    return "it needs a constant mass matrix, and that of this scene depends on coordinates or time";
  if (scheme.impacts == ImpactScheme::kOneStep && !mass_is_definite(system))
    return "it needs a mass matrix that is positive definite";
  const std::vector<int> used = description->graph->inputs_of(description->kinetic);
  if (std::find(used.begin(), used.end(), description->inputs().t()) != used.end())
    return "it needs a kinetic energy without explicit time; prescribe motions with [[bilateral]] rows";
  return is_homogeneous(*description) ? "" : "it needs a kinetic energy whose terms are all quadratic in the velocities";
}

}  // namespace tippe
