// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/model/system.h"

namespace tippe::python {

/// m  of the contacts of a system, in the order of gap_names(). The evaluator, of the system, is at the state afterwards.
[[nodiscard]] inline Eigen::VectorXd contact_gaps(const System& system, const State& state, Evaluator& evaluator) {
  const std::vector<ForceLaw>& laws = system.laws();
  evaluator.set_state(state.t, state.q, state.u);
  const Eigen::VectorXd all = gaps_of(evaluator);
  std::vector<double> gaps;
  for (size_t i = 0; i < laws.size(); ++i) {
    if (laws[i].kind == ForceLaw::Kind::kContact) gaps.push_back(all[static_cast<Eigen::Index>(i)]);
  }
  return Eigen::Map<Eigen::VectorXd>(gaps.data(), static_cast<Eigen::Index>(gaps.size()));
}

}  // namespace tippe::python
