// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/registry.h"

#include <vector>

#include "tippe/hybrid/event_driven.h"
#include "tippe/integrate/consistent.h"
#include "tippe/integrate/dopri5.h"
#include "tippe/integrate/moreau.h"
#include "tippe/integrate/moreau_jean.h"
#include "tippe/integrate/rk4.h"
#include "tippe/model/friction_curve.h"
#include "tippe/model/massless.h"

namespace tippe {
namespace {

std::string needs_no_matrix(const System& system) {
  return system.restitution_matrix() == nullptr ? "" : "it knows no restitution matrix; take event-driven";
}

std::string needs_given_limits(const ForceLaw& law) {
  return "it knows limits that are given, and that of '" + law.name +
         "', rolling resistance, follows the normal force; take moreau or moreau-jean";
}

std::string needs_one_friction(const System& system) {
  for (const ForceLaw& law : system.laws()) {
    if (law.rolling) return needs_given_limits(law);
    if (law.falling)
      return "it knows friction with one coefficient, and that of '" + law.name +
             "' falls with the slip; take moreau, moreau-jean or event-driven";
  }
  return {};
}

std::string moreau_misfit(const System& system) {
  const std::string misfit = needs_no_matrix(system);
  return misfit.empty() ? needs_mass(system) : misfit;
}

std::string needs_no_laws(const System& system) {
  if (std::string misfit = needs_mass(system); !misfit.empty()) return misfit;
  return system.laws().empty()
             ? ""
             : "it integrates smooth motion only, and the scene has the law '" + system.laws()[0].name + "'";
}

std::string needs_newton(const System& system) {
  if (std::string misfit = needs_mass(system); !misfit.empty()) return misfit;
  if (system.lagrangian() == nullptr && !system.has_constant_forces()) return "it needs the system as expressions";
  if (system.restitution_matrix() != nullptr) return needs_no_matrix(system);
  return system.laws().empty() || system.impact_law() == ImpactLaw::kNewton
             ? ""
             : "it knows Newton's impact law only, and the scene names another";
}

ActiveLawsOptions laws_options(const IntegratorOptions& options) {
  ActiveLawsOptions own{options.closed_tolerance, options.tolerance};
  own.aim = options.contact_aim;
  own.accepted = options.contact_tolerance;
  own.most_sweeps = options.contact_sweeps;
  own.rest_band = options.rest_band;
  return own;
}

template <MotionScheme motion, ImpactScheme impacts>
std::string consistent_misfit(const System& system) {
  if (std::string misfit = needs_mass(system); !misfit.empty()) return misfit;
  if (std::string misfit = find_misfit(system, {motion, impacts}); !misfit.empty()) return misfit;
  if (std::string misfit = needs_one_friction(system); !misfit.empty()) return misfit;
  return needs_no_matrix(system);
}
template <MotionScheme motion, ImpactScheme impacts>
std::unique_ptr<Integrator> make_consistent(const System& system, const IntegratorOptions& options) {
  ConsistentOptions own;
  own.closed_tolerance = options.closed_tolerance;
  own.friction.directions_at_middle = options.tangents == Tangents::kMidpoint;
  own.variants.map_at_begin = options.kinematics == Kinematics::kBegin;
  own.variants.gap_gradient_at_begin = options.gap_gradient == GapGradient::kBegin;
  own.projected_newton = options.projected_newton;
  own.step_tolerance = options.step_tolerance;
  own.friction.acts_on = impacts == ImpactScheme::kOneStep ? FrictionActsOn::kDisplacement : options.friction_acts_on;
  return std::make_unique<Consistent>(system, ConsistentScheme{motion, impacts}, own);
}

/// As many velocities as coordinates: Q(q) has an inverse.
std::string decomposed_misfit(const System& system) {
  if (const LagrangianDescription* description = system.lagrangian();
      description != nullptr && !description->unit_quaternions.empty()) {
    return "it needs as many velocities as coordinates, and a Newton-Euler body has 6 for 7; take quaternion-2, or "
           "formulation = \"scalable\"";
  }
  return {};
}
std::string consistent_elastic_misfit(const System& system) {
  const std::string misfit = decomposed_misfit(system);
  return misfit.empty() ? consistent_misfit<MotionScheme::kGgl, ImpactScheme::kElastic>(system) : misfit;
}
std::string consistent_2_misfit(const System& system) {
  const std::string misfit = decomposed_misfit(system);
  return misfit.empty() ? consistent_misfit<MotionScheme::kGgl, ImpactScheme::kBefore>(system) : misfit;
}

std::string event_driven_misfit(const System& system) {
  if (std::string misfit = needs_fixed_laws(system); !misfit.empty()) return misfit;
  if (system.lagrangian() == nullptr) return "it needs the system as expressions";
  for (const ForceLaw& law : system.laws()) {
    if (law.rolling) return needs_given_limits(law);
    if (law.falling && !law.falling->constant())
      return "it knows static and kinetic friction, and that of '" + law.name +
             "' is a function of the slip; take moreau or moreau-jean";
    if (law.falling && law.kind == ForceLaw::Kind::kDryFriction && law.rows > 1)
      return "it knows static and kinetic limits against one velocity, and '" + law.name +
             "' has two; take moreau or moreau-jean";
    if (law.drilling && law.drilling->set != DrillingSet::kEllipsoid)
      return "it knows drilling friction with set = \"ellipsoid\" only, and '" + law.name + "' has another";
  }
  return {};
}

const std::vector<IntegratorInfo>& table() {
  static const std::vector<IntegratorInfo> entries = {
      {"moreau", "Moreau's midpoint rule: any system, any law; first order, explicit classical forces", moreau_misfit,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<MoreauMidpoint>(
             system, MoreauOptions{laws_options(options), options.project.value_or(false), options.project_contacts});
       },
       false, false, false, true},
      {"moreau-jean", "theta scheme of Moreau and Jean: any law, stiff classical forces taken implicitly", needs_newton,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<MoreauJean>(
             system, MoreauJeanOptions{laws_options(options), options.theta, options.project.value_or(false),
                                       options.project_contacts});
       },
       false, false, false, true},
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
      {"event-driven",
       "smooth pieces by Taylor polynomials, every event located, modes chosen by complementarity: the reference",
       event_driven_misfit,
       [](const System& system, const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
         return std::make_unique<EventDriven>(system, EventDrivenOptions{options.tolerance, options.stop_when_not_unique});
       },
       true, false, false, false, false},
      {"conserving",
       "keeps T + V and the positions of constraints, their velocities oscillate: constant M, no laws; order 2",
       consistent_misfit<MotionScheme::kPositions, ImpactScheme::kNone>,
       make_consistent<MotionScheme::kPositions, ImpactScheme::kNone>, false, false, false, false, true, true},
      {"conserving-ggl", "keeps T + V, positions and velocities of constraints: constant M, no laws; order 2",
       consistent_misfit<MotionScheme::kGgl, ImpactScheme::kNone>, make_consistent<MotionScheme::kGgl, ImpactScheme::kNone>,
       false, false, false, false, true, true},
      {"conserving-mq", "keeps T + V, positions and velocities of constraints: any M(q), no laws; order 2",
       consistent_misfit<MotionScheme::kMidpoint, ImpactScheme::kNone>,
       make_consistent<MotionScheme::kMidpoint, ImpactScheme::kNone>, false, false, false, false, true, true},
      {"conserving-mq-frozen", "the same with M and G at the beginning of the step; order 1",
       consistent_misfit<MotionScheme::kFrozen, ImpactScheme::kNone>,
       make_consistent<MotionScheme::kFrozen, ImpactScheme::kNone>, false, false, false, false, true, true},
      {"consistent-elastic", "keeps T + V and never sinks further: constant M, elastic contacts without friction, one step",
       consistent_elastic_misfit, make_consistent<MotionScheme::kGgl, ImpactScheme::kElastic>, false, false, false, false,
       true, true, true},
      {"consistent-2", "impact, then motion, without gain of energy; constraints at both levels: constant M, all laws",
       consistent_2_misfit, make_consistent<MotionScheme::kGgl, ImpactScheme::kBefore>, false, true, true, false, true, true,
       true, true},
      {"consistent-mq", "the same for any M(q)", consistent_misfit<MotionScheme::kMidpoint, ImpactScheme::kBefore>,
       make_consistent<MotionScheme::kMidpoint, ImpactScheme::kBefore>, false, true, true, false, true, true, true},
      {"quaternion-1", "one step for motion and impacts, without gain of energy: constant M, Newton-Euler bodies, all laws",
       consistent_misfit<MotionScheme::kGgl, ImpactScheme::kOneStep>,
       make_consistent<MotionScheme::kGgl, ImpactScheme::kOneStep>, false, true, false, false, true, true, true},
      {"quaternion-2", "as consistent-2, with Newton-Euler bodies: unit quaternions stay so, contacts never sink further",
       consistent_misfit<MotionScheme::kGgl, ImpactScheme::kBefore>,
       make_consistent<MotionScheme::kGgl, ImpactScheme::kBefore>, false, true, true, false, true, true, true},
      {"quaternion-momentum",
       "as quaternion-2, and angular momentum is kept: Newton-Euler bodies, points, springs, contacts",
       consistent_misfit<MotionScheme::kMomentum, ImpactScheme::kBefore>,
       make_consistent<MotionScheme::kMomentum, ImpactScheme::kBefore>, false, true, true, false, true, true, true},
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
