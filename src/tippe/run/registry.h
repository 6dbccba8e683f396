// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/integrate/friction_acts_on.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// Where consistent schemes take the directions of friction.
enum class Tangents { kMidpoint, kBegin };

/// Where (5.107) takes the kinematic map F and the gyroscopic terms.
enum class Kinematics { kMidpoint, kBegin };
/// How the normal of a contact goes into a step: by the discrete derivative of its gap, or its gradient at the beginning.
enum class GapGradient { kDiscrete, kBegin };

/// Settings that a run may pass to its integrator; each integrator takes those that concern it.
struct IntegratorOptions {
  double closed_tolerance = 0.0;  // m   a contact is closed when its gap is at most this
  /// m   moreau and moreau-jean, of contacts that are found; nothing: a share of the half size of what touches (ActiveLawsOptions)
  std::optional<double> rest_band{};
  // moreau and moreau-jean; nothing: by the count of contacts (ActiveLaws)
  std::optional<double> contact_aim{};        // 1   residual of the contact problem that a step aims at
  std::optional<double> contact_tolerance{};  // 1   residual that is accepted of a step that misses its aim
  int contact_sweeps = 0;                     //     the most of a step, with contacts that are found; 0: as the aim needs
  double tolerance = 1e-10;  // 1   of the residual of a step; for adaptive schemes of its error, relative to the motion
  double theta = 0.5;        // 1   of moreau-jean, from 1/2 to 1
  Tangents tangents = Tangents::kMidpoint;                       // consistent schemes
  FrictionActsOn friction_acts_on = FrictionActsOn::kAutomatic;  // consistent schemes
  Kinematics kinematics = Kinematics::kMidpoint;                 // consistent-2
  GapGradient gap_gradient = GapGradient::kDiscrete;             // consistent schemes with laws
  double projected_newton = 0.0;  // 1  consistent schemes with laws: the factor alpha of (2.73); 0: Newton's method
  std::optional<double>
      step_tolerance;  // 1  conserving and consistent schemes: steps are cut until their error is at most this
  bool stop_when_not_unique = false;  // event-driven: several consistent outcomes are a failure, instead of taking one
  bool project_contacts = true;       // moreau and moreau-jean: closed contacts are pushed out slowly
  std::optional<bool> project;        // whether steps end on the constraints; nothing: as the integrator does by default
};

struct IntegratorInfo {
  std::string name;
  std::string description;  // one line
  /// Why it cannot integrate this system, or "".
  std::string (*misfit)(const System& system);
  std::unique_ptr<Integrator> (*make)(const System& system, const IntegratorOptions& options);
  bool adaptive = false;        // chooses its steps itself: an AdaptiveIntegrator
  bool takes_tangents = false;  // IntegratorOptions::tangents
  bool takes_friction_acts_on = false;
  bool keeps_contacts_by_velocities = false;  // takes IntegratorOptions::project_contacts and contact_tolerance
  bool takes_dt = true;                       // false: dt has no meaning, not even for the first step
  bool takes_step_tolerance = false;          // IntegratorOptions::step_tolerance
  bool takes_gap_gradient = false;            // and projected_newton
  bool takes_kinematics = false;
};

/// All integrators.
[[nodiscard]] std::span<const IntegratorInfo> integrators();
/// By name, or nullptr.
[[nodiscard]] const IntegratorInfo* find_integrator(const std::string& name);
/// Names of those that fit.
[[nodiscard]] std::vector<std::string> fitting_integrators(const System& system);

}  // namespace tippe
