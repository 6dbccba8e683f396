// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace tippe {

/// The power of two by which a row is multiplied to be about as long as 1; 1 for one without a length. Gaps of different contacts may be lengths and angles, while
/// the residual of an inclusion problem adds their impulses: with their rows in natural units it does not depend on how they are measured.
[[nodiscard]] inline double natural_unit(double length) {
  return length > 0.0 && std::isfinite(length) ? std::ldexp(1.0, -std::ilogb(length)) : 1.0;
}

}  // namespace tippe
