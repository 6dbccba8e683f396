// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// Numbers that several algorithms decide with; those of one algorithm stay beside it. Programs and complementarity problems are
// equilibrated first: powers of two bring the largest entry of every row and column near 1. Contact problems come in the variables of
// solve/normal_form.h, where 1 is a natural size of everything. So none of these has a unit.

// What a result may claim

/// Measured error of a result, relative to its terms: optimality of a program, feasibility of a vertex, complementarity of a point.
/// Programs reach 1e-12 or better unless they are degenerate; callers decide nothing below kVerdictTolerance, which is the same.
inline constexpr double kProgramTolerance = 1e-9;
/// What a certificate of infeasibility or unboundedness must reach: a smaller gap proves nothing.
inline constexpr double kSmallestGap = 1e-9;
/// Of a certificate: the defect of its equations, relative to its gap.
inline constexpr double kLargestDefect = 1e-8;
/// Where iterations end that have nothing more to gain, relative: some units of round-off of the residuals they go by.
inline constexpr double kLastDigit = 1e-14;

// Rank and pivots

/// In equilibrated data: pivots up to this are zero, what is left of their rows and columns is round-off of the elimination.
inline constexpr double kSmallestPivot = 1e-10;

// Contacts

/// Smallest diagonal or eigenvalue of a block, relative to the largest, that is solved as it is; below, kBlockShift is added to its
/// diagonal and its old impulse is taken into account, which has the same fixed points.
inline constexpr double kNearlySingularBlock = 1e-7;
/// What is added: small beside 1, so that iterations hardly get slower, and large beside round-off.
inline constexpr double kBlockShift = 1e-10;

// Searches along a line

/// Part of the decrease that the slope promises with which a step is content (Armijo).
inline constexpr double kSufficientDecrease = 1e-4;

}  // namespace tippe
