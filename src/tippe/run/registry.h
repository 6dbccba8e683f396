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

/// Settings that a run may pass to its integrator; each integrator takes those that concern it.
struct IntegratorOptions {
  double closed_tolerance = 0.0;    // m   a contact is closed when its gap is at most this
  double contact_tolerance = 1e-6;  // 1   of the residual of a step that misses `tolerance`: moreau and moreau-jean
  double tolerance = 1e-10;  // 1   of the residual of a step; for adaptive schemes of its error, relative to the motion
  double theta = 0.5;        // 1   of moreau-jean, from 1/2 to 1
  Tangents tangents = Tangents::kMidpoint;                       // consistent schemes
  FrictionActsOn friction_acts_on = FrictionActsOn::kAutomatic;  // consistent schemes
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
};

/// All integrators.
[[nodiscard]] std::span<const IntegratorInfo> integrators();
/// By name, or nullptr.
[[nodiscard]] const IntegratorInfo* find_integrator(const std::string& name);
/// Names of those that fit.
[[nodiscard]] std::vector<std::string> fitting_integrators(const System& system);

}  // namespace tippe
