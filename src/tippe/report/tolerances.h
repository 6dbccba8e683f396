// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// What a reader is not shown. None of these decides an answer; those come from analyze/.

/// Of the size of a quantity: smaller values are zero for a reader. Accelerations are right to 1e-12, forces of rows that nearly coincide
/// to a digit less.
inline constexpr double kShownAsZero = 1e-11;
/// Of the largest entry of a combination, a range or an axis: entries that are smaller are left out, bounds that differ by less are one
/// number. Bounds come from programs that are exact to 1e-9.
inline constexpr double kShownAsEqual = 1e-9;
/// Of the largest entry of a matrix or spectrum in files and drawings: smaller ones are left out.
inline constexpr double kLeftOut = 1e-12;
/// Of the values of a mode: bounds that are farther apart are written. A digit coarser than kShownAsEqual, as modes write six digits.
inline constexpr double kShownAsRange = 1e-8;
/// Degrees: an angle this near to 90 counts as a right one.
inline constexpr double kRightAngle = 1e-6;

}  // namespace tippe
