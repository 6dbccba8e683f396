// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/contact_rows.h"

#include <algorithm>

#include "tippe/contact/contact_state.h"

namespace tippe {

FrictionTangents::FrictionTangents(const ForceLaw& law) {
  if (law.kind != ForceLaw::Kind::kContact) return;
  const int rows = std::min(law.rows, 3);
  for (int row = 1; row < rows; ++row) mu_ = std::max(mu_, friction_along(law, row));
  for (int row = 1; row < rows; ++row) {
    const double mu = friction_along(law, row);
    if (!(mu > 0.0)) continue;
    row_[static_cast<size_t>(count_)] = row;
    scale_[static_cast<size_t>(count_)] = mu / mu_;
    ++count_;
  }
}

ContactRows contact_rows(const ForceLaw& law, const DenseRows& rows, bool slides) {
  ContactRows contact = constraint_rows(law.name, rows, 0);
  const FrictionTangents friction(law);
  if (friction.count() == 0) return contact;
  contact.tangents.resize(rows.W.rows(), friction.count());
  contact.tangent_drift.resize(friction.count());
  contact.slip.setZero(friction.count());
  for (int k = 0; k < friction.count(); ++k) {
    const int row = friction.row(k);
    contact.tangents.col(k) = friction.scale(k) * rows.W.col(row);
    contact.tangent_drift[k] = friction.scale(k) * rows.drift[row];
    if (slides) contact.slip[k] = friction.scale(k) * rows.gamma[row];
  }
  contact.mu = friction.mu();
  return contact;
}

ContactRows constraint_rows(const std::string& name, const DenseRows& rows, Eigen::Index k) {
  ContactRows row;
  row.name = name;
  row.normal = rows.W.col(k);
  row.drift = rows.drift[k];
  row.rate = rows.chi[k];
  row.tangents.resize(rows.W.rows(), 0);
  return row;
}

DryFrictionRow dry_friction_row(const ForceLaw& law, const DenseRows& rows, bool slides, Eigen::VectorXd& F) {
  F -= law.middle_force() * rows.W.col(0);
  const double limit = 0.5 * (law.limits[0] + law.limits[1]);
  return {law.name, rows.W.col(0), rows.drift[0], limit, slides ? rows.gamma[0] : 0.0};
}

/// -force = (l1^2 g1, l2^2 g2) / |(l1 g1, l2 g2)|, the point of the ellipse that takes most power.
void load_sliding_friction(const ForceLaw& law, const DenseRows& rows, Eigen::VectorXd& F) {
  const Eigen::Vector2d limits(law.limits[0], law.limits[1]);
  const Eigen::Vector2d power = limits.cwiseProduct(rows.gamma.head<2>());
  if (power.isZero(0.0)) return;
  F += rows.W.leftCols(2) * limits.cwiseProduct(power.stableNormalized());
}

double tangential_restitution(const ForceLaw& law) {
  const FrictionTangents friction(law);
  return law.epsilon[friction.count() > 0 ? static_cast<size_t>(friction.row(0)) : 1];
}

}  // namespace tippe
