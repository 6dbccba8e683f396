// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constraint_report.h"

#include "tippe/integrate/constrained_motion.h"

namespace tippe {

ConstraintReport report_constraints(const System& system, const State& state) {
  ConstraintReport report;
  if (system.constraints().empty()) return report;
  ConstrainedMotion motion(system);
  motion.violation(state, report.position, report.velocity);
  motion.judge_redundancy(state.t, state.q, state.u);
  report.rank = motion.rank();
  if (report.rank.redundant()) report.redundant_rows = motion.mass().redundant_rows();
  report.mass_is_singular = motion.mass().mass_is_singular();
  return report;
}

}  // namespace tippe
