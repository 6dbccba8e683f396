// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/gap_accelerations.h"

#include <cmath>

#include "tippe/analyze/tolerances.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

VectorXd GapAccelerations::clean() const {
  return (value.array().abs() > kLoadRoundOff * size.array()).select(value, 0.0);
}

GapAccelerations gap_accelerations(const AccelerationProblem& problem, const UnitDirections& directions,
                                   const VectorXd& acceleration) {
  const auto m = static_cast<Index>(problem.unilateral.size());
  GapAccelerations gaps{VectorXd(m), VectorXd(m)};
  const double load = directions.scale(problem.F).norm();
  Index row = 0;
  for (Index i = 0; i < m; ++i) {
    const ContactRows& contact = problem.unilateral[static_cast<size_t>(i)];
    gaps.value[i] = contact.normal.dot(acceleration) + contact.drift;
    gaps.size[i] = contact.normal.cwiseAbs().dot(acceleration.cwiseAbs()) + std::abs(contact.drift) +
                   load * directions.columns().col(row).norm() / directions.force_units()[row];
    row += contact.rows();
  }
  return gaps;
}

}  // namespace tippe
