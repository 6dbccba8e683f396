// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/analyze/collision.h"
#include "tippe/analyze/impact_laws.h"

namespace tippe {

/// All directions have mass or are held.
[[nodiscard]] KinematicImpact judge_kinematic_impact(const ImpactProblem& problem, const Collision& collision);

}  // namespace tippe
