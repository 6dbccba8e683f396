// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/model/system.h"

namespace tippe {

/// What integrates a scene that names no integrator.
struct DefaultIntegrator {
  std::string name;
  std::string reason;  // "2 laws, and a mass matrix that is constant"
};

/// The most accurate of those that fit at a reasonable cost: dopri5 for smooth motion, the consistent scheme of the mass matrix for up to
/// 20 laws, moreau beyond.
[[nodiscard]] DefaultIntegrator default_integrator(const System& system);

}  // namespace tippe
