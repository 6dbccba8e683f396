// SPDX-License-Identifier: Apache-2.0
// Rolling resistance, in the inclusion problem of a step: dry friction against the relative angular velocity whose limit follows the normal impulse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/contact/contact_rows.h"
#include "tippe/integrate/active_laws.h"

namespace tippe {

/// By the normal impulses of solution_. The largest change of a limit, as a part of the largest limit.
double ActiveLaws::set_rolling_limits(double dt) {
  double change = 0.0, largest = 0.0;
  for (int a = 0; a < size(); ++a) {
    const auto number = static_cast<size_t>(list_->law[static_cast<size_t>(active_[static_cast<size_t>(a)])]);
    ForceLaw& law = rolled_[number];
    if (!law.rolling) continue;
    double normal = 0.0;
    for (int other = 0, row = 0; other < size(); row += sizes_[other++]) {
      if (list_->law[static_cast<size_t>(active_[static_cast<size_t>(other)])] == law.rolling->contact)
        normal = std::max(0.0, solution_.Lambda[row]);
    }
    const double limit = law.rolling->arm * normal / dt;
    change = std::max(change, std::abs(limit - law.limits[0]));
    largest = std::max(largest, limit);
    law.limits = {limit, limit};
    problem_.laws[static_cast<size_t>(a)] = impulse_set(law, dt);
  }
  return largest > 0.0 ? change / largest : 0.0;
}

/// Solves problem_ until the limits are those of its own normal impulses: at once where moments do not press, else the arm over the size of the body is the
/// rate at which they come.
void ActiveLaws::solve_with_rolling(double dt, StepReport& report) {
  constexpr int kMostTrials = 100;
  constexpr double kSame = 1e-11;
  set_rolling_limits(dt);
  for (int trial = 0;; ++trial) {
    if (any_falls_) {
      solve_with_falling_friction(dt, report);
    } else {
      solve_inclusion_problem(report);
    }
    if (!report.ok() || set_rolling_limits(dt) <= kSame) return;
    if (trial == kMostTrials) {
      report.status = StepReport::Status::kNotSolved;
      report.culprit = fmt::format("rolling resistance does not settle with the forces that press, after {} trials", trial);
      return;
    }
  }
}

}  // namespace tippe
