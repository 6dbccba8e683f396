// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "tippe/model/body.h"
#include "tippe/model/system.h"

namespace tippe {

/// Bodies that nothing but their weight moves, without laws: the equations of model/body.h evaluated body by body, with the numbers that their
/// expressions have, up to round-off. Thousands are ready at once. Kinds: Newton-Euler bodies, points and planar bodies; coordinates and velocities of all
/// follow one another.
[[nodiscard]] std::unique_ptr<const System> make_free_bodies(std::vector<Body> bodies, const Eigen::Vector3d& gravity);

}  // namespace tippe
