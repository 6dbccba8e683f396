// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/contact_modes.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/dense_lu.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/verdict.h"
#include "tippe/solve/mixed_problem.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kWorstCondition = 1e9;  // of a mode that is solved as a linear system; others go to linear programs

}  // namespace

ContactModes::ContactModes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry)
    : problem_(problem), dry_(dry), layout_(problem), D_(force_directions(problem)), drift_(force_drifts(problem)) {
  const Eigen::Index n = problem.n(), first = D_.cols(), count = static_cast<Eigen::Index>(dry.size());
  D_.conservativeResize(n, first + count);
  drift_.conservativeResize(first + count);
  for (Eigen::Index i = 0; i < count; ++i) {
    D_.col(first + i) = dry[static_cast<size_t>(i)].direction;
    drift_[first + i] = dry[static_cast<size_t>(i)].drift;
  }
  const double largest = std::max(0.0, problem.M.diagonal().maxCoeff());
  coordinate_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double mass = problem.M(i, i), row = D_.cols() > 0 ? D_.row(i).cwiseAbs().maxCoeff() : 0.0;
    coordinate_[i] = inverse_power_of_two(mass > 1e-28 * largest ? std::sqrt(mass) : row);
  }
  M_ = coordinate_.asDiagonal() * problem.M * coordinate_.asDiagonal();
  F_ = coordinate_.asDiagonal() * problem.F;
  D_ = (coordinate_.asDiagonal() * D_).eval();
  // One factor for both tangents of a contact, whose friction is one vector.
  component_.resize(D_.cols());
  const auto scale_contact = [this](const ContactRows& contact, int row) {
    const int tangents = contact.tangent_count();
    component_[row] = inverse_power_of_two(D_.col(row).cwiseAbs().maxCoeff());
    if (tangents > 0)
      component_.segment(row + 1, tangents)
          .setConstant(inverse_power_of_two(D_.middleCols(row + 1, tangents).cwiseAbs().maxCoeff()));
  };
  for (size_t i = 0; i < problem.unilateral.size(); ++i) scale_contact(problem.unilateral[i], layout_.unilateral[i]);
  for (size_t i = 0; i < problem.bilateral.size(); ++i) scale_contact(problem.bilateral[i], layout_.bilateral[i]);
  for (Eigen::Index i = first; i < first + count; ++i) component_[i] = inverse_power_of_two(D_.col(i).cwiseAbs().maxCoeff());
  D_ = (D_ * component_.asDiagonal()).eval();
  drift_ = component_.cwiseProduct(drift_);
  limit_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) limit_[i] = dry[static_cast<size_t>(i)].limit / component_[first + i];
  double load = F_.cwiseAbs().maxCoeff();
  if (drift_.size() > 0) load = std::max(load, drift_.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < count; ++i) {
    // Friction that holds takes no more than the loads, whatever its limit.
    if (dry[static_cast<size_t>(i)].slip != 0.0) load = std::max(load, limit_[i]);
  }
  unit_ = 1.0 / inverse_power_of_two(load);
  F_ /= unit_;
  drift_ /= unit_;
  limit_ /= unit_;
}

ModePoint ContactModes::point_of(const ModeEquations& equations, const VectorXd& x) const {
  const auto n = M_.rows();
  return {x.head(n), equations.to_forces * x.tail(x.size() - n) + equations.given};
}

bool ContactModes::solve_regular(const ModeEquations& equations, VectorXd& x) {
  const MatrixXd& K = equations.K;
  DenseLU lu(static_cast<int>(K.rows()));
  lu.factorize(K);
  const MatrixXd inverse = lu.inverse();
  const double condition = K.cwiseAbs().rowwise().sum().maxCoeff() * inverse.cwiseAbs().rowwise().sum().maxCoeff();
  if (!(condition < kWorstCondition)) return false;
  x = -inverse * equations.k;
  x -= inverse * (K * x + equations.k);
  return true;
}

bool ContactModes::solve_equations(std::span<const ContactChoice> choices, ModePoint& point) const {
  const ModeEquations equations = equations_of(choices);
  VectorXd x;
  if (!solve_regular(equations, x)) {
    x = solve_least_norm(decompose_singular(equations.K), -equations.k, rank_tolerance(equations.K.cols()));
    const double error = (equations.K * x + equations.k).cwiseAbs().maxCoeff();
    if (error > kVerdictTolerance * std::max(1.0, x.cwiseAbs().maxCoeff())) return false;
  }
  point = point_of(equations, x);
  return true;
}

bool ContactModes::same_motion(const ModePoint& a, const ModePoint& b) const {
  const double size = std::max({1.0, a.acceleration.cwiseAbs().maxCoeff(), b.acceleration.cwiseAbs().maxCoeff()});
  return (a.acceleration - b.acceleration).cwiseAbs().maxCoeff() <= 10.0 * kVerdictTolerance * size;
}

double ContactModes::residual(const ModePoint& point) const {
  const VectorXd error = M_ * point.acceleration + F_ - D_ * point.forces;
  const VectorXd terms =
      M_.cwiseAbs() * point.acceleration.cwiseAbs() + F_.cwiseAbs() + D_.cwiseAbs() * point.forces.cwiseAbs();
  const double largest = terms.maxCoeff();
  return largest > 0.0 ? error.cwiseAbs().maxCoeff() / largest : 0.0;
}

VectorXd ContactModes::acceleration(const ModePoint& point) const {
  return unit_ * coordinate_.cwiseProduct(point.acceleration);
}

double ContactModes::scaled_mu(size_t contact) const {
  const size_t m = problem_.unilateral.size();
  const ContactRows& rows = contact < m ? problem_.unilateral[contact] : problem_.bilateral[contact - m];
  return *rows.mu * component_[first_component(contact)] / component_[friction_component(contact)];
}

VectorXd ContactModes::load(const VectorXd& scaled) const {
  return unit_ * scaled.cwiseQuotient(coordinate_);
}

VectorXd ContactModes::forces(const ModePoint& point) const {
  return unit_ * component_.cwiseProduct(point.forces);
}

}  // namespace tippe
