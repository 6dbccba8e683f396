// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "tippe/model/force_law.h"
#include "tippe/verify/formula.h"

namespace tippe::verify {

/// The impulse of one law, what it acts on, and how far each may be off.
struct LawImpulse {
  const ForceLaw& law;
  Vector Lambda;                         // N s
  Vector xi;                             // m/s  gamma, with the impact law's share
  Vector Lambda_off, xi_off;             // allowed, row by row
  Real dt = 0.0L;                        // of dry friction, whose impulse is at most limit dt; 0 in an impact
  std::optional<Real> slip_before = {};  // m/s  of friction that falls with the slip: in an impact that before it decides
};

/// How much a law is violated, as a share of what is allowed; 0 where a question does not arise.
struct LawMisfit {
  Real pull = 0.0L;                // Lambda_N >= 0
  Real closing = 0.0L;             // xi_N >= 0
  Real complementarity = 0.0L;     // Lambda_N = 0 or xi_N = 0
  Real friction_set = 0.0L;        // -Lambda_T in C(Lambda_N)
  Real friction_direction = 0.0L;  // -Lambda_T'xi_T = the most that C allows
};

/// By the definitions: a contact or a clutch has 0 <= xi_N, 0 <= Lambda_N, and one of them zero; friction lies in a convex set C and
/// -Lambda_T'xi_T is the largest x'xi_T of all x in C, its support function.
[[nodiscard]] LawMisfit misfit_of(const LawImpulse& law);
/// Of summed impulses: the cones alone. They are convex, so that sums lie in them too.
[[nodiscard]] LawMisfit cone_misfit_of(const LawImpulse& law);

/// The support function of a friction set for a normal impulse 1: the most power that it takes from a slip. Of Coulomb-Contensou friction it is
/// an integral of Coulomb's law over the disc of contact.
[[nodiscard]] Real support_of(const ForceLaw& law, const Vector& slip);

}  // namespace tippe::verify
