// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/model/lagrangian.h"

namespace tippe {

/// On what the equations of motion of a system depend, M, h, F, beta, W, chi, gaps and positions of constraints.
struct EquationInputs {
  std::vector<bool>
      coordinate;     // false: cyclic, a shift of this coordinate changes no motion; or an input, which nothing moves
  bool time = false;  // explicitly
};
/// From the expressions: a dependence that cancels only in value counts. Derivatives grow the graph of the description.
[[nodiscard]] EquationInputs find_equation_inputs(const LagrangianDescription& description);

}  // namespace tippe
