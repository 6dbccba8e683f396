// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// What event-driven simulation takes for zero, relative to what stands behind each number. Gaps and velocities are told by MotionScales and ContactTolerances.

/// Of accelerations, which are differences of large forces: a misfit up to this is accepted whatever the tolerance.
inline constexpr double kAcceptedMisfit = 1e-11;
/// Of the largest force of a law: the error of all its forces, from a factorization.
inline constexpr double kErrorOfForces = 1e-12;
/// Of the largest impulse: what is less hits nothing.
inline constexpr double kNoImpulse = 1e-12;
/// Of the size of a switch: its argument stays zero.
inline constexpr double kNoArgument = 1e-12;
/// Of the loads in the time of the motion: a derivative of them up to this is none.
inline constexpr double kNoLoadRate = 1e-10;
/// Of the largest share of a load: contacts that share it carry none.
inline constexpr double kNoShare = 1e-9;
/// Of a column: a direction without mass does not turn.
inline constexpr double kNoTurn = 1e-9;
/// Of the impulses of an accumulation: at its limit velocities are known to 1e-8 of those at its beginning, and so are the signs of the impulses.
inline constexpr double kNoImpulseOfLimit = 1e-7;

}  // namespace tippe
