// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/verify/formula.h"

namespace tippe::verify {

// What the judge allows where a scheme promises nothing of its own; what belongs to one check alone stays beside it. docs/howto/trust.md says why.

/// Of the terms: what equations of a step that are solved directly leave.
inline constexpr Real kSolved = 1e-9L;
/// How many times the residual of a step its impulses and velocities may be off: as many as Tippe's own check allows.
inline constexpr Real kOfResidual = 100.0L;
/// Of the terms of a sum of numbers in double precision.
inline constexpr Real kRoundOff = 1e-11L;
/// Of a motion that is known to 1e-10.
inline constexpr Real kKnown = 1e-7L;
/// Numbers so small are zero, whatever their unit.
inline constexpr Real kTiny = 1e-280L;

}  // namespace tippe::verify
