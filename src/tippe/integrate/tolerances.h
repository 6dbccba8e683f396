// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// What the schemes take for zero, relative to what stands behind each number. What contacts are judged by is ContactTolerances (contact/contact_state.h).

/// Of the terms of a sum: what round-off may make of one that is zero, after a factorization. Also of the terms of a gap: a contact that was set up
/// closed is closed.
inline constexpr double kZeroOfTerms = 1e-12;
/// Of the energy that impulses exchange: an impact that gains more has gained, a hundred times the tolerance of the solver.
inline constexpr double kGainOfExchange = 1e-8;
/// Of the terms of a loss in friction: one that is negative by more is a gain.
inline constexpr double kNegativeLoss = 1e-10;
/// Of the velocities: a misfit of implicit forces that cannot become smaller.
inline constexpr double kMisfitOfVelocities = 1e-13;

}  // namespace tippe
