// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "packing.h"

namespace tippe::bench {

/// Kinds of contact problems that are known to be hard.
inline constexpr std::array kProblemClasses = {"tower", "wall", "arch", "wedge", "heap", "chain", "needles", "faces"};

/// One step of bodies that lie, hang or are jammed, at rest or disturbed, all contacts open by 1e-3 to 1e-1 of the way of gravity in the step, so that a
/// solution exists. What is random: sizes, masses (ratios up to 1e6), friction, loads, how many points a face has.
///
///   tower    3 to 12 boxes on each other, 4 to 8 points a face, heavy ones above light ones
///   wall     bricks in bond
///   arch     voussoirs between two abutments, thick or thin
///   wedge    blocks driven between two walls by a load
///   heap     spheres in a box, the upper ones up to 1e4 times as heavy
///   chain    links that hang from each other by contacts, a heavy weight at the end
///   needles  thin rods across each other
///   faces    few bodies with faces of 4 to 8 points against each other, from all sides
///
/// The same on every machine for the same class and seed. Throws InputError for a class that does not exist.
[[nodiscard]] Packing make_problem(const std::string& problem_class, std::uint64_t seed);

}  // namespace tippe::bench
