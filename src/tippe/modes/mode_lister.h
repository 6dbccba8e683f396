// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/modes/mode_enumeration.h"
#include "tippe/modes/mode_judge.h"
#include "tippe/modes/mode_words.h"
#include "tippe/modes/modes.h"

namespace tippe {

/// Lists the modes of a problem of accelerations, or of an impact that is written as one.
[[nodiscard]] ModeList list_modes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry,
                                  const ModeOptions& options, const ModeUnits& units);

/// One motion by the contact solver, for friction in space and for more contacts than can be enumerated.
struct SolvedMode {
  std::string failure;  // not empty: nothing else is filled in
  Eigen::VectorXd motion, forces;
  bool forces_unique = false;
  bool motion_unique = false;  // proved: there is no other
  double residual = -1.0;      // of the laws, as the solver measures it
  int iterations = 0;
};
[[nodiscard]] SolvedMode solve_one_mode(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry);

}  // namespace tippe
