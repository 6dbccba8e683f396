// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking_load.h"

#include "tippe/analyze/gap_accelerations.h"
#include "tippe/analyze/tolerances.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

/// Entries below `size` are zero: one size for all, or one each.
void clear_below(const VectorXd& size, VectorXd& x) {
  x = (x.array().abs() > kConeRoundOff * size.array()).select(x, 0.0);
}

}  // namespace

StickingLoad find_sticking_load(const AccelerationProblem& problem, const UnitDirections& directions, const VectorXd& a) {
  const VectorXd inertia = problem.M * a;
  VectorXd w = inertia + problem.F;
  clear_below(problem.M.cwiseAbs() * a.cwiseAbs() + problem.F.cwiseAbs(), w);
  const double load = directions.scale(problem.F).norm();
  StickingLoad result;
  result.w = directions.scale(w);
  clear_below(VectorXd::Constant(w.size(), load + directions.scale(inertia).norm()), result.w);
  if (result.w.norm() > 0.0) {
    result.size = result.w.norm();
    result.w /= result.size;
  }
  const GapAccelerations gaps = gap_accelerations(problem, directions, a);
  for (Eigen::Index i = 0; i < gaps.value.size(); ++i) result.closed.push_back(!gaps.opens(i));
  return result;
}

}  // namespace tippe
