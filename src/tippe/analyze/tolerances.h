// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// What the questions of analyze/ take for zero, in the kinetic metric or in units of the problem, so that none has a unit. Answers are
// decided by kVerdictTolerance (core/verdict.h), between which and these they are undecided.

/// Of the terms of a sum: what round-off may make of a sum that is zero. A few dozen terms, computed from data that went through one
/// factorization.
inline constexpr double kSumRoundOff = 1e-12;
/// Of a vector of a few terms that cancel, without any factorization.
inline constexpr double kCancelled = 1e-14;
/// Of a load: what a vector in the span of directions may lack of it. Ranks leave a digit less than sums.
inline constexpr double kLoadRoundOff = 1e-11;
/// What is less of a load, of its motion or of a depth is zero: cone programs end with 1e-14 (solve/self_dual.h).
inline constexpr double kConeRoundOff = 1e-13;
/// Depth of a cone program with the exact value 0 in problems that are degenerate: it is found with half the digits less.
inline constexpr double kZeroDepth = 1e-10;
/// Of a component of a cone: how near to a face its slack tells, the square root of what the slack is good for.
inline constexpr double kFaceTolerance = 1e-6;

}  // namespace tippe
