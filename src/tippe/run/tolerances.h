// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// Of a step, or of the time between samples: times that differ by less are the same. `until = 0.3, dt = 0.1` are three steps.
inline constexpr double kSameTime = 1e-6;

/// The time at which a condition ends a run, relative to the step and to the time itself.
inline constexpr double kStopOfStep = 1e-12, kStopOfTime = 1e-14;

/// Of the energies of all steps: what round-off gives to a body at rest, whose impulses stand for more than its motion.
inline constexpr double kEnergyAtRest = 1e-9;
/// Of the energies of a run: what their difference cannot be better than.
inline constexpr double kEnergyRoundOff = 1e-13;
/// Of the energies of a state: what another compiler may make of the same state.
inline constexpr double kEnergyOfOtherBuild = 1e-9;

/// Of the largest gap: the depth that a located event leaves; of the largest coordinate: the round-off of a gap.
inline constexpr double kDepthOfEvent = 1e-10, kGapRoundOff = 1e-11;

/// Singular value of the kinetic directions of constraints, each of unit length: below, forces lose digits, and a note says so.
inline constexpr double kNearlyDependent = 1e-4;

}  // namespace tippe
