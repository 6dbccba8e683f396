// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tippe/modes/contact_modes.h"

namespace tippe {

/// All directions in which one contact in space can begin to slide in a mode, as angles from its first tangent;
/// `contact` is the only one whose
/// direction is not known. With the direction u its normal force and its acceleration are quotients of linear
/// functions of u, so that the
/// acceleration is along u or against it at the roots of a trigonometric polynomial of degree 2: four directions at
/// most. Nothing where
/// the other equations do not decide the motion, or where every direction would do.
[[nodiscard]] std::optional<std::vector<double>> sliding_directions(const ContactModes& modes,
                                                                    std::span<const ContactChoice> choices, size_t contact);

}  // namespace tippe
