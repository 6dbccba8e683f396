// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// Of a component of a unit vector: round-off of a rotation, which would make entries out of nothing.
inline constexpr double kNoComponent = 1e-15;
/// A start is written with a few digits: this much, relative to the size of what it says, it may miss what constraints, joints and gaps
/// ask for. Where nothing has a size, absolute, in the unit of the condition.
inline constexpr double kWritten = 1e-9;
/// m  What numbers that cancel leave of a gap, as of sin(pi), where no coordinate is larger and tells a size.
inline constexpr double kNoDepth = 1e-15;
/// Of the largest entry of a direction, which is 1: smaller ones are not named.
inline constexpr double kNotNamed = 1e-9;
/// Of the trace of a mass matrix: what is added to its diagonal before it must be positive definite. Less may be round-off.
inline constexpr double kLittleMass = 1e-10;

}  // namespace tippe
