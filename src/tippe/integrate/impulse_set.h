// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/model/force_law.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// The set that a law's impulse over a time dt obeys. Impulse sets of cones are the cones themselves; a limited force gives the
/// impulse limit * dt, none in an impact (dt = 0). `extra_normal`: what loads the friction beside the law's own normal impulse.
[[nodiscard]] inline LawSet impulse_set(const ForceLaw& law, double dt, double extra_normal = 0.0) {
  if (law.kind == ForceLaw::Kind::kDryFriction) return Interval{-law.limit * dt, law.limit * dt};
  if (law.drilling) return DrillingContact{law.mu1, law.drilling->Rbar, law.drilling->set, extra_normal};
  if (law.rows > 1) return CoulombContact{law.mu1, law.mu2, extra_normal};
  return HalfLine{};
}

}  // namespace tippe
