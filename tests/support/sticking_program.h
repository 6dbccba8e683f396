// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/programs.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe::test {

/// Whether contacts can stick or open, from the definitions: for every choice of open contacts one linear program in the accelerations and
/// in weights of the edges of the friction cones. Space: polygons inside or outside of the cones.
class StickingProgram {
 public:
  StickingProgram(const AccelerationProblem& problem, double factor, int corners = 0, bool outside = false)
      : problem_(problem), factor_(factor), corners_(corners), outside_(outside) {}

  /// The smallest error (sum of absolute values) with which some choice satisfies all equations. Below 1e-10: they can, and no
  /// further choices are tried.
  double least_error() const {
    double least = std::numeric_limits<double>::infinity();
    for (unsigned closed = 1U << problem_.unilateral.size(); closed-- > 0 && least > 1e-10;)
      least = std::min(least, error(closed));
    return least;
  }

 private:
  std::vector<Eigen::VectorXd> edges(const ContactRows& contact) const {
    if (contact.tangent_count() == 0) return {contact.normal};
    const double mu = *contact.mu;
    if (contact.slides()) return {contact.normal - mu * (contact.tangents * contact.slip_direction())};
    if (contact.tangent_count() == 1)
      return {contact.normal + factor_ * mu * contact.tangents, contact.normal - factor_ * mu * contact.tangents};
    std::vector<Eigen::VectorXd> all;
    const double radius = factor_ * mu / (outside_ ? std::cos(std::numbers::pi / corners_) : 1.0);
    for (int k = 0; k < corners_; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / corners_;
      all.push_back(contact.normal + radius * contact.tangents * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    }
    return all;
  }

  // Variables: a, weights >= 0, multipliers of joints, errors p, q >= 0 of all equations.
  double error(unsigned closed) const {
    const Eigen::Index n = problem_.n();
    std::vector<Eigen::VectorXd> pushes, held;
    std::vector<double> drifts;
    std::vector<size_t> opening;
    for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
      const ContactRows& contact = problem_.unilateral[i];
      for (int k = 0; !contact.slides() && k < contact.tangent_count(); ++k) {
        held.push_back(contact.tangents.col(k));
        drifts.push_back(contact.tangent_drift[k]);
      }
      if ((closed >> i & 1U) == 0U) {
        opening.push_back(i);
        continue;
      }
      held.push_back(contact.normal);
      drifts.push_back(contact.drift);
      for (const Eigen::VectorXd& edge : edges(contact)) pushes.push_back(edge);
    }
    for (const ContactRows& joint : problem_.bilateral) {
      held.push_back(joint.normal);
      drifts.push_back(joint.drift);
      pushes.push_back(joint.normal);
      pushes.push_back(-joint.normal);
    }
    const auto m = static_cast<Eigen::Index>(pushes.size()), h = static_cast<Eigen::Index>(held.size()), rows = n + h;
    LinearProgram program;
    program.A_eq = Eigen::MatrixXd::Zero(rows, n + m + 2 * rows);
    program.b_eq.resize(rows);
    program.A_eq.topLeftCorner(n, n) = problem_.M;
    program.b_eq.head(n) = -problem_.F;
    for (Eigen::Index j = 0; j < m; ++j) program.A_eq.col(n + j).head(n) = -pushes[static_cast<size_t>(j)];
    for (Eigen::Index j = 0; j < h; ++j) {
      program.A_eq.row(n + j).head(n) = held[static_cast<size_t>(j)].transpose();
      program.b_eq[n + j] = -drifts[static_cast<size_t>(j)];
    }
    program.A_eq.middleCols(n + m, rows).setIdentity();
    program.A_eq.rightCols(rows) = -Eigen::MatrixXd::Identity(rows, rows);
    const auto signs = m + 2 * rows, gaps = static_cast<Eigen::Index>(opening.size());
    program.A_in = Eigen::MatrixXd::Zero(signs + gaps, program.A_eq.cols());
    program.A_in.block(0, n, signs, signs) = -Eigen::MatrixXd::Identity(signs, signs);
    program.b_in = Eigen::VectorXd::Zero(signs + gaps);
    for (Eigen::Index j = 0; j < gaps; ++j) {
      const ContactRows& contact = problem_.unilateral[opening[static_cast<size_t>(j)]];
      program.A_in.row(signs + j).head(n) = -contact.normal.transpose();
      program.b_in[signs + j] = contact.drift;
    }
    program.p = Eigen::VectorXd::Zero(program.A_eq.cols());
    program.p.tail(2 * rows).setOnes();
    const ProgramSolution solution = test::solve_by_lemke(program);
    return solution.optimal() ? solution.objective : std::numeric_limits<double>::quiet_NaN();
  }

  const AccelerationProblem& problem_;
  double factor_;
  int corners_;
  bool outside_;
};

}  // namespace tippe::test
