// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/equality_check.h"

#include <cmath>

#include "tippe/core/held_mass.h"
#include "tippe/core/kinetic_metric.h"
#include "tippe/modes/tolerances.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd load_accelerations(const MatrixXd& M, const VectorXd& F, const MatrixXd& columns) {
  const KineticMetric metric(M, columns);
  if (metric.holds()) return metric.scale(columns).colwise().norm().transpose() * metric.scale(F).norm();
  const VectorXd light = M.diagonal().unaryExpr([](double m) { return m > 0.0 ? 1.0 / m : 0.0; });
  return columns.cwiseAbs().transpose() * light.cwiseProduct(F.cwiseAbs());
}

EqualityCheck check_equalities(const MatrixXd& M, const VectorXd& F, const MatrixXd& C, const VectorXd& drift) {
  EqualityCheck check{{Answer::kYes, {}}, {}, drift};
  if (drift.size() == 0) return check;
  HeldMass held(M, C);
  if (!held.definite()) held = HeldMass(MatrixXd::Identity(M.rows(), M.cols()), C);
  const VectorXd a = held.smallest_motion(-drift);
  const VectorXd terms = C.cwiseAbs().transpose() * a.cwiseAbs() + drift.cwiseAbs() + load_accelerations(M, F, C);
  const VectorXd misfit = (C.transpose() * a + drift).cwiseAbs();
  VectorXd relative(misfit.size());
  for (Eigen::Index k = 0; k < misfit.size(); ++k) relative[k] = terms[k] > 0.0 ? misfit[k] / terms[k] : 0.0;
  const double worst = relative.maxCoeff();
  check.drift = -C.transpose() * a;
  check.consistent.margin = kVerdictTolerance - worst;
  if (worst <= kMisfitOfTerms) return check;
  check.consistent.answer = worst > kVerdictTolerance ? Answer::kNo : Answer::kUndecided;
  for (Eigen::Index k = 0; k < relative.size(); ++k) {
    if (relative[k] > 0.5 * worst) check.culprits.push_back(static_cast<int>(k));
  }
  return check;
}

}  // namespace tippe
