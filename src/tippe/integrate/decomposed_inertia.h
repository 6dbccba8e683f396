// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/model/lagrangian_equations.h"

namespace tippe {

/// T = u'Mu/2 with a constant M in velocities u = Q(q) dq/dt of one's own choice, Moeller (3.40), and the skew H of
///
///   M du/dt + F'H F u = F'f ,    F = Q^-1 ,    H_ij = dp_i/dq_j - dp_j/dq_i ,    p(q, u) = dT/d(dq/dt) = Q'M u                  (3.52)
///
/// by the entries of F'H F. None where T needs none of this, because the rates of all its coordinates are combinations of u with constant
/// coefficients, and none where it is no such T: M varies, or there are fewer velocities than coordinates.
[[nodiscard]] std::optional<BodyInertia> decomposed_inertia(const LagrangianDescription& description,
                                                            const LagrangianEquations& equations);

/// Of the coordinates that T depends on, one whose rate is not a combination of velocities with constant coefficients, or -1.
[[nodiscard]] int curved_coordinate(const LagrangianDescription& description);

}  // namespace tippe
