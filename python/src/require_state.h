// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "tippe/core/error.h"
#include "tippe/model/system.h"

namespace tippe::python {

/// Throws InputError unless the state is one of the system: the sizes of q and u, finite numbers.
inline void require_state(const State& state, const System& system) {
  const auto require = [](const char* name, const Eigen::VectorXd& values, Eigen::Index size) {
    if (values.size() != size)
      throw InputError({}, fmt::format("{} has {} entries and must have {}", name, values.size(), size));
    for (Eigen::Index k = 0; k < size; ++k) {
      if (!std::isfinite(values[k]))
        throw InputError({}, fmt::format("{}[{}] is {} and must be finite", name, k, values[k]));
    }
  };
  if (!std::isfinite(state.t)) throw InputError({}, fmt::format("t is {} and must be finite", state.t));
  require("q", state.q, system.nq());
  require("u", state.u, system.nu());
}

}  // namespace tippe::python
