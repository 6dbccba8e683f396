// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/analyze/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

/// Whether the contacts hold the system against every load: without friction (form, of first order) and with it (force). Bilateral
/// constraints are taken as rigid.
struct Closure {
  Verdict form;
  Verdict force;
  Eigen::VectorXd
      unresisted;  // a motion d that the contacts with their friction do not resist (or, if force closed, those without); empty if both hold
};

[[nodiscard]] Closure judge_closure(const AccelerationProblem& problem);

}  // namespace tippe
