// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace tippe {

// Numbers that several parts decide with. Each layer with more of its own has a header of this name; what belongs to one algorithm alone
// stays beside it. kVerdictTolerance, for answers, is in core/verdict.h.

/// The spacing of doubles at 1: twice what one operation loses, relative to its result.
inline constexpr double kMachineEpsilon = std::numeric_limits<double>::epsilon();

/// Numbers so small have lost digits, and their inverses overflow: they count as zero.
inline constexpr double kVanishing = 1e-305;

/// Times sqrt(columns): a singular value of columns of length 1 that counts as zero. Far above what factorizations of a few hundred
/// such columns lose (1e-14), far below what anybody writes on purpose.
inline constexpr double kDependentColumns = 1e-10;
/// Of a vector, relative to its length: what is left of it after directions that hold it altogether were taken out. Directions that are
/// decided with kDependentColumns are known no better.
inline constexpr double kNothingLeft = 1e-10;

/// Smallest eigenvalue of a symmetric matrix with a diagonal of 1, at which it counts as singular: what is smaller may be round-off of
/// entries that were computed in a few steps.
inline constexpr double kSingularMatrix = 1e-12;
/// Smallest pivot of a mass matrix, relative to its diagonal, down to which it is factored without the help of constraints. One of this
/// size costs 9 of 16 digits.
inline constexpr double kNearlySingularMass = 1e-9;

/// Of the largest entry: what entries of a matrix that is given as symmetric may differ by; written in decimals, they are rounded.
inline constexpr double kAsymmetry = 1e-12;
/// Of the largest entry: an eigenvalue of a matrix that is given as positive semidefinite may be so negative, for the same reason.
inline constexpr double kNegativeEigenvalue = 1e-10;

}  // namespace tippe
