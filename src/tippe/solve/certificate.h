// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// What a certificate of infeasibility or unboundedness must reach in floating point, in equilibrated data.
inline constexpr double kSmallestGap = 1e-9;    // a smaller gap proves nothing
inline constexpr double kLargestDefect = 1e-8;  // of its equations, relative to its gap

}  // namespace tippe
