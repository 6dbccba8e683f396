// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// What contact modes take for zero, relative to what stands behind each number. Verdicts rest on kVerdictTolerance (core/verdict.h).

/// Of the terms of an equation: a misfit up to this is round-off.
inline constexpr double kMisfitOfTerms = 1e-12;
/// Of the pull of a contact: what less friction does elsewhere is no coupling.
inline constexpr double kNoCoupling = 1e-12;

}  // namespace tippe
