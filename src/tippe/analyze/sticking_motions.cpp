// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking_motions.h"

#include "tippe/analyze/unit_directions.h"
#include "tippe/problem/stacked_problem.h"

namespace tippe {

StickingMotions sticking_motions(const SlidingJudgement& sliding) {
  return {sliding.accelerations, sliding.solvability.verdict.no() || sliding.complete};
}

StickingMotions find_sticking_motions(const AccelerationProblem& problem) {
  if (stack(problem).sliding) return sticking_motions(judge_sliding(problem));
  const AccelerationProblem alike = UnitDirections(problem).in_unit_rows(problem);
  const StackedProblem stacked = stack(alike);
  const Solvability solvability = judge_solvability(alike, stacked);
  if (!solvability.verdict.yes()) return {{}, solvability.verdict.no()};
  const Motion motion = find_motion(alike, stacked);
  if (!(motion.residual <= kVerdictTolerance)) return {};
  // M a is the same for all motions.
  return {{motion.most_closed.size() > 0 ? motion.most_closed : motion.acceleration}, true};
}

}  // namespace tippe
