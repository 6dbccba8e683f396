// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

// What decides which features touch. docs/theory/shapes.md has the reasons.

/// Of the smaller half size: by so much the outline of a face is moved out before anything is cut off there, so that the aligned edges of a
/// stack cut nothing; and an overlap with a face that is no wider than this is none.
inline constexpr double kAligned = 1e-4;
/// Of the smaller half size: by so much another normal must be better than that of a face, and that of a face of the second shape
/// than that of a face of the first.
inline constexpr double kFacesWin = 1e-2;
/// Sine of an angle: two lines, or a line and a face, that make a smaller one touch along a line.
inline constexpr double kParallel = 1e-2;
/// Sine of an angle: flat to this, it is not known which place of a rim or a line is the lowest, and it makes no difference.
inline constexpr double kFlat = 1e-4;
/// Sine of the tilt of a rim up to which its fixed places touch, too.
inline constexpr double kStanding = 0.1;
/// Of sizes: a vector shorter than this has no direction.
inline constexpr double kNoLength = 1e-12;

}  // namespace tippe
