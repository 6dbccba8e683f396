// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/registry.h"

#include <vector>

#include "tippe/integrate/conserving.h"
#include "tippe/integrate/dopri5.h"
#include "tippe/integrate/moreau.h"
#include "tippe/integrate/moreau_jean.h"
#include "tippe/integrate/rk4.h"

namespace tippe {
namespace {

std::string fits_all(const System&) {
  return {};
}

std::string needs_no_laws(const System& system) {
  return system.laws().empty()
             ? ""
             : "it integrates smooth motion only, and the scene has the law '" + system.laws()[0].name + "'";
}

std::string needs_newton(const System& system) {
  if (system.lagrangian() == nullptr) return "it needs the system as expressions";
  return system.laws().empty() || system.impact_law() == ImpactLaw::kNewton
             ? ""
             : "it knows Newton's impact law only, and the scene names another";
}

ActiveLawsOptions laws_options(const IntegratorOptions& options) {
  return {options.closed_tolerance, options.tolerance};
}

template <ConservingScheme scheme>
std::string conserving_misfit(const System& system) {
  return find_conserving_misfit(system, scheme);
}
template <ConservingScheme scheme>
std::unique_ptr<Integrator> make_conserving(const System& system, const IntegratorOptions& options) {
  return std::make_unique<Conserving>(system, scheme, options.tolerance);
}

const std::vector<IntegratorInfo>& table() {
  static const std::vector<IntegratorInfo> entries = {
      {"moreau", "Moreau's midpoint rule: any system, any law; first order, explicit classical forces", fits_all,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<MoreauMidpoint>(system,
                                                 MoreauOptions{laws_options(options), options.project.value_or(false)});
       }},
      {"moreau-jean", "theta scheme of Moreau and Jean: any law, stiff classical forces taken implicitly", needs_newton,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<MoreauJean>(
             system, MoreauJeanOptions{laws_options(options), options.theta, options.project.value_or(false)});
       }},
      {"rk4", "classical Runge-Kutta scheme of order 4: smooth motion without laws, bilateral constraints projected",
       needs_no_laws,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<RungeKutta4>(system, options.project.value_or(true));
       }},
      {"dopri5", "Dormand-Prince pair of orders 5 and 4 with steps by its error: as rk4, with dense output", needs_no_laws,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<DormandPrince>(system, options.tolerance, options.project.value_or(true));
       },
       true},
      {"conserving",
       "keeps T + V and the positions of constraints, their velocities oscillate: constant M, no laws; order 2",
       conserving_misfit<ConservingScheme::kPositions>, make_conserving<ConservingScheme::kPositions>},
      {"conserving-ggl", "keeps T + V, positions and velocities of constraints: constant M, no laws; order 2",
       conserving_misfit<ConservingScheme::kGgl>, make_conserving<ConservingScheme::kGgl>},
      {"conserving-mq", "keeps T + V, positions and velocities of constraints: any M(q), no laws; order 2",
       conserving_misfit<ConservingScheme::kMidpoint>, make_conserving<ConservingScheme::kMidpoint>},
      {"conserving-mq-frozen", "the same with M and G at the beginning of the step; order 1",
       conserving_misfit<ConservingScheme::kFrozen>, make_conserving<ConservingScheme::kFrozen>},
  };
  return entries;
}

}  // namespace

std::span<const IntegratorInfo> integrators() {
  return table();
}

const IntegratorInfo* find_integrator(const std::string& name) {
  for (const IntegratorInfo& info : integrators()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::vector<std::string> fitting_integrators(const System& system) {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) {
    if (info.misfit(system).empty()) names.push_back(info.name);
  }
  return names;
}

}  // namespace tippe
