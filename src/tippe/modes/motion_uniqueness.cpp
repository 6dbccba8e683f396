// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/motion_uniqueness.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "tippe/core/rank_decision.h"
#include "tippe/modes/tolerances.h"

namespace tippe {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

bool has_one_motion(const MatrixXd& forces, std::span<const KineticContact> contacts) {
  constexpr double kMargin = 1e-6;
  VectorXd length;
  const MatrixXd unit = unit_columns(forces, 0.0, &length);
  if (decide_rank(unit).rank < forces.cols()) return false;
  const MatrixXd inverse =
      Eigen::LDLT<MatrixXd>(unit.transpose() * unit).solve(MatrixXd::Identity(unit.cols(), unit.cols()));
  double sum = 0.0;
  bool coupled = false;
  for (const KineticContact& contact : contacts) {
    if (!(contact.mu > 0.0) || contact.tangents.cols() == 0) continue;
    const double pull = contact.tangents.norm();  // not less than the largest singular value
    sum += contact.mu * pull * std::sqrt(std::max(inverse(contact.force, contact.force), 0.0)) / length[contact.force];
    for (const KineticContact& other : contacts) {
      const VectorXd effect = contact.tangents.transpose() * unit.col(other.force);
      coupled = coupled || effect.norm() > kNoCoupling * pull;
    }
  }
  return sum < 1.0 - kMargin || !coupled;
}

}  // namespace tippe
