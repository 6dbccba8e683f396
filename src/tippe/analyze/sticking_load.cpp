// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/sticking_load.h"

#include <cmath>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/verdict.h"

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
  Eigen::Index row = 0;
  for (const ContactRows& contact : problem.unilateral) {
    // How large the acceleration of the gap could be under the load F alone, and its terms as they are.
    const double size = contact.normal.cwiseAbs().dot(a.cwiseAbs()) + std::abs(contact.drift) +
                        load * directions.columns().col(row).norm() / directions.force_units()[row];
    result.closed.push_back(contact.normal.dot(a) + contact.drift <= kVerdictTolerance * size);
    row += contact.rows();
  }
  return result;
}

}  // namespace tippe
