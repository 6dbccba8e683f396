// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/stacked_problem.h"

#include <fmt/format.h>

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What a unit of normal force of a sliding contact brings along: -mu * slip direction.
VectorXd sliding_friction(const ContactRows& contact) {
  return -*contact.mu * contact.slip_direction();
}

class Stacker {
 public:
  Stacker(const AccelerationProblem& problem, std::span<const int> signs)
      : problem_(problem), signs_(signs), layout_(problem) {}

  StackedProblem stack() {
    const auto n = problem_.n();
    const auto m = static_cast<Eigen::Index>(problem_.unilateral.size());
    const auto p = equality_count();
    stacked_.normals.resize(n, m);
    stacked_.pushes.resize(n, m);
    stacked_.normal_drift.resize(m);
    stacked_.equalities.resize(n, p);
    stacked_.pulls.resize(n, p);
    stacked_.equality_drift.resize(p);
    stacked_.to_forces = MatrixXd::Zero(layout_.size(), m + p);
    add_unilateral_normals();
    add_bilateral_normals();
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) add_tangents(problem_.unilateral[i], layout_.unilateral[i]);
    for (size_t i = 0; i < problem_.bilateral.size(); ++i) add_tangents(problem_.bilateral[i], layout_.bilateral[i]);
    return std::move(stacked_);
  }

 private:
  Eigen::Index equality_count() const {
    auto count = static_cast<Eigen::Index>(problem_.bilateral.size());
    for (const auto* contacts : {&problem_.unilateral, &problem_.bilateral}) {
      for (const ContactRows& contact : *contacts) count += contact.slides() ? 0 : contact.tangent_count();
    }
    return count;
  }

  void add_unilateral_normals() {
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
      const ContactRows& contact = problem_.unilateral[i];
      const auto column = static_cast<Eigen::Index>(i);
      const int row = layout_.unilateral[i];
      stacked_.normals.col(column) = contact.normal;
      stacked_.pushes.col(column) = contact.normal;
      stacked_.normal_drift[column] = contact.drift;
      stacked_.to_forces(row, column) = 1.0;
      if (!contact.slides()) continue;
      const VectorXd friction = sliding_friction(contact);
      stacked_.pushes.col(column) += contact.tangents * friction;
      stacked_.to_forces.block(row + 1, column, friction.size(), 1) = friction;
      stacked_.sliding = stacked_.sliding || *contact.mu > 0.0;
    }
  }

  void add_bilateral_normals() {
    size_t sliding = 0;
    for (size_t i = 0; i < problem_.bilateral.size(); ++i) {
      const ContactRows& contact = problem_.bilateral[i];
      const auto column = add_equality(contact.normal, contact.drift, layout_.bilateral[i]);
      if (!contact.slides() || *contact.mu == 0.0) continue;
      stacked_.sliding = true;
      stacked_.sliding_bilateral.push_back(static_cast<int>(i));
      if (signs_.empty()) continue;
      const VectorXd friction = signs_[sliding++] * sliding_friction(contact);
      stacked_.pulls.col(column) += contact.tangents * friction;
      stacked_.to_forces.block(layout_.bilateral[i] + 1, unilateral_count() + column, friction.size(), 1) = friction;
    }
  }

  void add_tangents(const ContactRows& contact, int first_row) {
    if (contact.slides()) return;
    for (int k = 0; k < contact.tangent_count(); ++k) {
      add_equality(contact.tangents.col(k), contact.tangent_drift[k], first_row + 1 + k);
      stacked_.sticking = true;
    }
  }

  Eigen::Index add_equality(const VectorXd& direction, double drift, int row) {
    const auto column = static_cast<Eigen::Index>(stacked_.equality_names.size());
    stacked_.equalities.col(column) = direction;
    stacked_.pulls.col(column) = direction;
    stacked_.equality_drift[column] = drift;
    stacked_.equality_names.push_back(layout_.names[static_cast<size_t>(row)]);
    stacked_.to_forces(row, unilateral_count() + column) = 1.0;
    return column;
  }

  Eigen::Index unilateral_count() const { return stacked_.normals.cols(); }

  const AccelerationProblem& problem_;
  std::span<const int> signs_;
  ForceLayout layout_;
  StackedProblem stacked_;
};

}  // namespace

MatrixXd StackedProblem::columns() const {
  MatrixXd all(pushes.rows(), pushes.cols() + pulls.cols());
  all << pushes, pulls;
  return all;
}

StackedProblem stack(const AccelerationProblem& problem, std::span<const int> signs) {
  return Stacker(problem, signs).stack();
}

}  // namespace tippe
