// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "heap.h"

namespace tippe::bench {

/// As each engine is meant to be used: its own solver with its own iterations, friction as a cone or a pyramid, no restitution.
[[nodiscard]] std::unique_ptr<HeapEngine> make_tippe(const Heap& heap, double dt, int sweeps);
[[nodiscard]] std::unique_ptr<HeapEngine> make_ode(const Heap& heap, double dt);
[[nodiscard]] std::unique_ptr<HeapEngine> make_bullet(const Heap& heap, double dt);
[[nodiscard]] std::unique_ptr<HeapEngine> make_mujoco(const Heap& heap, double dt);

}  // namespace tippe::bench
