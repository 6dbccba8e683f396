// SPDX-License-Identifier: Apache-2.0
#include "tippe/contact/contact_rows.h"

#include <algorithm>
#include <cmath>

#include "tippe/contact/contact_state.h"

namespace tippe {

using Eigen::MatrixXd;
using Eigen::VectorXd;

FrictionTangents::FrictionTangents(const ForceLaw& law) {
  if (law.kind == ForceLaw::Kind::kOneWay || law.is_line_friction()) return;
  const int first = law.first_slip(), end = first + friction_rows(law);
  for (int row = first; row < first + law.slips(); ++row) mu_ = std::max(mu_, friction_along(law, row));
  for (int row = first; row < end; ++row) {
    const double mu = friction_along(law, row);
    if (!(mu > 0.0)) continue;
    row_[static_cast<size_t>(count_)] = row;
    scale_[static_cast<size_t>(count_)] = mu / mu_;
    ++count_;
  }
}

VectorXd sliding_friction(const ForceLaw& law, const VectorXd& slip) {
  const int count = friction_rows(law), first = law.first_slip();
  VectorXd size(count);
  for (int k = 0; k < count; ++k) size[k] = friction_along(law, first + k);
  const VectorXd power = size.cwiseProduct(slip);
  if (power.isZero(0.0)) return VectorXd::Zero(count);
  if (!law.drilling || law.drilling->set == DrillingSet::kEllipsoid) return size.cwiseProduct(power.stableNormalized());
  const double spin = std::abs(slip[2]), way = slip.head(2).stableNorm();
  double force = way > 0.0 ? 1.0 : 0.0, moment = spin > 0.0 ? 1.0 : 0.0;
  if (law.drilling->set == DrillingSet::kExact && way > 0.0 && spin > 0.0) {
    const ContensouPoint point = contensou_boundary(kMeanDrillingRadiusRatio * way / (law.drilling->Rbar * spin));
    force = point.force;
    moment = point.moment;
  }
  VectorXd result(3);
  result.head(2) = force * size[0] * slip.head(2).stableNormalized();
  result[2] = std::copysign(moment * size[2], slip[2]);
  return result;
}

namespace {

/// Its friction: what slides does so along the direction in which its force acts.
void add_tangents(const ForceLaw& law, const DenseRows& rows, bool slides, ContactRows& contact) {
  const FrictionTangents friction(law);
  if (friction.count() == 0) return;
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
  if (!law.drilling || law.drilling->set == DrillingSet::kEllipsoid || !contact.slides()) return;
  const VectorXd forces = sliding_friction(law, rows.gamma.segment(law.first_slip(), friction_rows(law)));
  for (int k = 0; k < friction.count(); ++k)
    contact.slip[k] = forces[friction.row(k) - law.first_slip()] / friction.scale(k);
  contact.mu = contact.slip.norm();
}

}  // namespace

ContactRows contact_rows(const ForceLaw& law, const DenseRows& rows, bool slides, bool moves) {
  ContactRows contact = constraint_rows(law.name, rows, 0);
  add_tangents(law, rows, slides, contact);
  if (law.falling && moves && contact.mu) *contact.mu *= law.share(rows.gamma.segment(law.first_slip(), law.slips()).norm());
  return contact;
}

void add_pressed(const ForceLaw& law, const DenseRows& rows, bool slides, AccelerationProblem& problem,
                 std::vector<DryFrictionRow>& dry) {
  const Eigen::Index n = problem.n();
  ContactRows pad;
  pad.name = law.name;
  pad.pressed = true;
  pad.tangents.resize(rows.W.rows(), 0);
  add_tangents(law, rows, slides, pad);
  if (pad.tangent_count() == 0) return;
  const VectorXd lightness = problem.M.diagonal().unaryExpr([](double m) { return m > 0.0 ? 1.0 / m : 0.0; });
  const double square = pad.tangents.col(0).cwiseAbs2().dot(lightness);
  pad.normal = VectorXd::Unit(n, 0);  // of the right size: it is set below
  problem.unilateral.push_back(std::move(pad));
  problem.M.conservativeResizeLike(MatrixXd::Zero(n + 1, n + 1));
  problem.M(n, n) = square > 0.0 ? 1.0 / square : 1.0;
  problem.F.conservativeResizeLike(VectorXd::Zero(n + 1));
  for (auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (ContactRows& contact : *contacts) {
      contact.normal.conservativeResizeLike(VectorXd::Zero(n + 1));
      contact.tangents.conservativeResizeLike(MatrixXd::Zero(n + 1, contact.tangent_count()));
    }
  }
  for (DryFrictionRow& row : dry) row.direction.conservativeResizeLike(VectorXd::Zero(n + 1));
  ContactRows& last = problem.unilateral.back();
  last.normal = VectorXd::Unit(n + 1, n);
  problem.F[n] = *last.mu;  // N  its limit: the coefficient is 1
  last.mu = 1.0;
  if (!problem.coordinates.empty()) problem.coordinates.push_back(law.name + " press");
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

DryFrictionRow dry_friction_row(const ForceLaw& law, const DenseRows& rows, bool slides, VectorXd& F) {
  F -= law.middle_force() * rows.W.col(0);
  const double limit = (slides ? law.share(std::abs(rows.gamma[0])) : 1.0) * 0.5 * (law.limits[0] + law.limits[1]);
  return {law.name, rows.W.col(0), rows.drift[0], limit, slides ? rows.gamma[0] : 0.0};
}

void load_sliding_friction(const ForceLaw& law, const DenseRows& rows, VectorXd& F) {
  F += law.share(rows.gamma.head<2>().norm()) * rows.W * sliding_friction(law, rows.gamma);
}

double tangential_restitution(const ForceLaw& law) {
  const FrictionTangents friction(law);
  return law.epsilon[friction.count() > 0 ? static_cast<size_t>(friction.row(0)) : 1];
}

}  // namespace tippe
