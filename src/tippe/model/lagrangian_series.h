// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "tippe/model/lagrangian.h"
#include "tippe/model/motion_series.h"

namespace tippe {

/// Taylor polynomials of Lagrange's equations, see System::make_series(). Keeps nothing of the description.
[[nodiscard]] std::unique_ptr<MotionSeries> make_lagrangian_series(const LagrangianDescription& description, int order);

}  // namespace tippe
