// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/unit_directions.h"

#include "tippe/core/row_weights.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One over the length of the normal of each contact, for all of its components. A normal that is zero gives way to its tangents.
VectorXd contact_units(const AccelerationProblem& problem, const MatrixXd& columns) {
  VectorXd units(columns.cols());
  Eigen::Index first = 0;
  for (const auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (const ContactRows& contact : *contacts) {
      const auto block = columns.middleCols(first, contact.rows());
      double length = block.col(0).norm();
      if (length == 0.0) length = block.norm();
      units.segment(first, contact.rows()).setConstant(length > 0.0 ? 1.0 / length : 1.0);
      first += contact.rows();
    }
  }
  return units;
}

KineticMetric metric_of(const MatrixXd& M, const MatrixXd& rows) {
  return {M, rows, row_weights(M, rows)};
}

MatrixXd unit_contacts(const AccelerationProblem& problem) {
  const MatrixXd D = force_directions(problem);
  return D * contact_units(problem, D).asDiagonal();
}

}  // namespace

UnitDirections::UnitDirections(const AccelerationProblem& problem) : metric_(metric_of(problem.M, unit_contacts(problem))) {
  if (!metric_.holds()) {
    massless_direction_ = metric_.free_direction();
    MatrixXd rows(problem.n(), force_directions(problem).cols() + problem.n());
    rows << unit_contacts(problem), MatrixXd::Identity(problem.n(), problem.n());
    metric_ = metric_of(problem.M, rows);
  }
  columns_ = metric_.scale(force_directions(problem));
  force_units_ = contact_units(problem, columns_);
  columns_ = columns_ * force_units_.asDiagonal();
}

VectorXd UnitDirections::motion_of(const VectorXd& u) const {
  const VectorXd d = metric_.to_acceleration(u);
  const double largest = d.size() > 0 ? d.cwiseAbs().maxCoeff() : 0.0;
  return largest > 0.0 ? VectorXd(d / largest) : d;
}

AccelerationProblem UnitDirections::in_unit_rows(AccelerationProblem problem) const {
  Eigen::Index first = 0;
  for (auto* contacts : {&problem.unilateral, &problem.bilateral}) {
    for (ContactRows& contact : *contacts) {
      const double unit = force_units_[first];
      first += contact.rows();
      contact.normal *= unit;
      contact.tangents *= unit;
      contact.drift *= unit;
      contact.tangent_drift *= unit;
      contact.slip *= unit;
    }
  }
  return problem;
}

}  // namespace tippe
