// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/collision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/verdict.h"
#include "tippe/problem/joint_velocity.h"
#include "tippe/solve/least_distance.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd normals_of(const std::vector<ContactRows>& contacts, Eigen::Index n) {
  MatrixXd normals(n, static_cast<Eigen::Index>(contacts.size()));
  for (size_t i = 0; i < contacts.size(); ++i) normals.col(static_cast<Eigen::Index>(i)) = contacts[i].normal;
  return normals;
}

VectorXd rates_of(const std::vector<ContactRows>& contacts) {
  VectorXd rates(static_cast<Eigen::Index>(contacts.size()));
  for (size_t i = 0; i < contacts.size(); ++i) rates[static_cast<Eigen::Index>(i)] = contacts[i].rate;
  return rates;
}

/// The smallest with the effect of y, none of which pulls but those that have only one value; y itself if there are none.
VectorXd smallest_impulses(const MatrixXd& unit, const MatrixXd& V, Eigen::Index rank, const VectorXd& y, bool pushes,
                           std::vector<bool>& forced) {
  const auto k = y.size();
  std::vector<int> signed_ones;
  for (int i = 0; i < k; ++i) {
    forced[static_cast<size_t>(i)] = V.row(i).tail(k - rank).norm() <= rank_tolerance(k);
    if (pushes || !forced[static_cast<size_t>(i)]) signed_ones.push_back(i);
  }
  const MatrixXd effects = V.leftCols(rank), each = MatrixXd::Identity(k, k);
  const LeastDistance shortest = solve_least_distance({effects, effects.transpose() * y, each(Eigen::all, signed_ones),
                                                       VectorXd::Zero(static_cast<Eigen::Index>(signed_ones.size()))});
  if (shortest.status != LeastDistanceStatus::kSolved) return y;
  VectorXd x = shortest.v;
  for (const int i : signed_ones) x[i] = x[i] > kCancelled * y.norm() ? x[i] : 0.0;
  return (unit * (x - y)).norm() <= kSumRoundOff * y.norm() ? x : y;
}

}  // namespace

Collision::Collision(const ImpactProblem& problem)
    : problem_(problem),
      G_(normals_of(problem.bilateral, problem.velocity.size())),
      mass_(problem.M, G_),
      velocity_before_(problem.velocity) {
  if (!mass_.definite()) {
    massless_direction_ = mass_.massless_direction();
    return;
  }
  normals_.D = normals_of(problem.unilateral, problem.velocity.size());
  normals_.rate = rates_of(problem.unilateral);
  normals_.B = mass_.kinetic_held(normals_.D);
  unit_ = unit_columns(normals_.B, 0.0, &held_length_);
  svd_ = decompose_singular(unit_.transpose());
  length_ = mass_.kinetic(normals_.D).colwise().norm();
  project_velocity();
  measure_gap_velocity();
}

double Collision::kinetic_speed(const VectorXd& x) const {
  return std::sqrt(std::max(0.0, x.dot(problem_.M * x)));
}

void Collision::project_velocity() {
  const JointVelocity kept = keep_joints(problem_, mass_);
  coordinate_size_ = problem_.velocity.cwiseAbs() + kept.change.cwiseAbs();
  body_speed_ = kinetic_speed(problem_.velocity);
  if (!kept.changed) return;
  velocity_before_ = kept.velocity;
  const double moved = kinetic_speed(kept.change);
  projected_ = body_speed_ > 0.0 ? moved / body_speed_ : 1.0;
  body_speed_ += moved;
  warnings_.push_back(
      fmt::format("The velocities before the impact break the joints: they were projected onto them, which changed them by "
                  "{:.3g} of their size in the kinetic metric.",
                  projected_));
  if (kept.contradictory) warnings_.emplace_back("The joints contradict each other: no velocity satisfies them all.");
}

/// Gaps that depend on each other or on the joints have velocities that depend likewise, B'w for some w; where they do up to
/// round-off of the terms they are sums of and of the velocities elsewhere, they are made to do so to the last digit.
void Collision::measure_gap_velocity() {
  const MatrixXd& N = normals_.D;
  VectorXd v = N.transpose() * velocity_before_ + normals_.rate;
  const VectorXd terms =
      (N.cwiseAbs().transpose() * coordinate_size_ + normals_.rate.cwiseAbs()).cwiseMax(body_speed_ * length_);
  constexpr double kSmallDifference = 1e-3;  // of the terms of a relative velocity: what is less does not set the speed
  const VectorXd fitted =
      held_length_.cwiseProduct(unit_.transpose() * solve_least_norm(svd_, over_held_length(v), rank_tolerance(v.size())));
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    if (std::abs(fitted[i] - v[i]) <= kVerdictTolerance * terms[i]) v[i] = fitted[i];
    speed_ = std::max({speed_, std::abs(in_kinetic_units(v, i)), kSmallDifference * in_kinetic_units(terms, i)});
  }
  if (speed_ == 0.0) speed_ = 1.0;
  normals_.gamma = v;
}

ImpulseDirections Collision::rows(std::vector<std::string>& friction) const {
  Eigen::Index count = 0;
  for (const ContactRows& contact : problem_.unilateral) count += contact.rows();
  ImpulseDirections rows{MatrixXd(normals_.D.rows(), count), {}, VectorXd(count), VectorXd(count)};
  Eigen::Index row = 0;
  for (size_t i = 0; i < problem_.unilateral.size(); ++i) {
    const ContactRows& contact = problem_.unilateral[i];
    const auto k = static_cast<Eigen::Index>(i);
    rows.D.col(row) = contact.normal;
    rows.rate[row] = contact.rate;
    rows.gamma[row++] = normals_.gamma[k];
    for (Eigen::Index t = 0; t < contact.tangents.cols(); ++t, ++row) {
      friction.push_back(contact.tangent_name(static_cast<int>(t)));
      rows.D.col(row) = contact.tangents.col(t);
      const double by_velocity = contact.tangents.col(t).dot(problem_.velocity);
      rows.rate[row] = contact.slip.size() > 0 ? contact.slip[t] - by_velocity : 0.0;
      rows.gamma[row] = contact.tangents.col(t).dot(velocity_before_) + rows.rate[row];
    }
  }
  rows.B = mass_.kinetic_held(rows.D);
  return rows;
}

VectorXd Collision::over_held_length(const VectorXd& v) const {
  return (held_length_.array() > 0.0).select(v.cwiseQuotient(held_length_), VectorXd::Zero(v.size()));
}

VectorXd Collision::impulses_of(const VectorXd& u, const std::vector<int>& closed, const std::optional<VectorXd>& pushing,
                                std::vector<bool>* forced) const {
  const auto k = static_cast<Eigen::Index>(closed.size());
  if (forced != nullptr) forced->assign(static_cast<size_t>(normals_.D.cols()), true);
  VectorXd p = VectorXd::Zero(normals_.D.cols());
  if (k == 0) return p;
  const MatrixXd unit = unit_(Eigen::all, closed);
  const SingularValues svd = decompose_singular(unit);
  Eigen::Index rank = 0;
  while (rank < svd.values.size() && svd.values[rank] > rank_tolerance(k)) ++rank;
  VectorXd y;
  bool pushes = true;
  if (pushing) {
    y = held_length_(closed).cwiseProduct((*pushing)(closed));
  } else {
    y = solve_least_norm(svd, u, rank_tolerance(k));
    pushes = y.minCoeff() >= 0.0;
    if (!pushes && rank < k) {
      // The nearest point of the cone of pushing impulses; u lies in it if that is u.
      const LeastDistance nearest = solve_least_distance({MatrixXd(unit.rows(), 0), {}, unit, unit.transpose() * u});
      pushes = (unit * nearest.y_in - u).norm() <= kSumRoundOff * u.norm();
      if (pushes) y = nearest.y_in;
    }
  }
  std::vector<bool> forced_here(closed.size(), true);
  if (rank < k && y.squaredNorm() > 0.0) y = smallest_impulses(unit, svd.V, rank, y, pushes, forced_here);
  const VectorXd lengths = held_length_(closed);
  for (size_t i = 0; i < closed.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    p[closed[i]] = lengths[row] > 0.0 ? y[row] / lengths[row] : 0.0;
    if (forced != nullptr) (*forced)[static_cast<size_t>(closed[i])] = forced_here[i];
  }
  return p;
}

/// The smallest with G p_b = rest.
VectorXd Collision::joint_impulses(const VectorXd& rest) const {
  if (G_.cols() == 0) return {};
  VectorXd lengths;
  const MatrixXd Y = unit_columns(mass_.kinetic(G_), 0.0, &lengths);
  VectorXd p_b = solve_least_norm(decompose_singular(Y), mass_.kinetic(rest), rank_tolerance(Y.cols()));
  for (Eigen::Index i = 0; i < p_b.size(); ++i) p_b[i] = lengths[i] > 0.0 ? p_b[i] / lengths[i] : 0.0;
  return p_b;
}

Rebound Collision::rebound_of(const ImpulseDirections& directions, const VectorXd& u, const VectorXd& p) const {
  const VectorXd &before = velocity_before_, &v = directions.gamma;
  const VectorXd change = mass_.motion(u), joint_rates = rates_of(problem_.bilateral);
  Rebound rebound;
  rebound.impulses = p;
  rebound.velocity_after = before + change;
  rebound.bilateral_impulses = joint_impulses(problem_.M * (rebound.velocity_after - before) - directions.D * p);
  const VectorXd& p_b = rebound.bilateral_impulses;
  VectorXd misfit = problem_.M * change - directions.D * p;
  if (G_.cols() > 0) misfit -= G_ * p_b;
  const double size = std::max(speed_, u.norm());
  rebound.residual = mass_.kinetic(misfit).norm() / size;
  const VectorXd broken = G_.transpose() * change, joint_length = mass_.kinetic(G_).colwise().norm();
  for (Eigen::Index j = 0; j < broken.size(); ++j) {
    if (joint_length[j] > 0.0) rebound.residual = std::max(rebound.residual, std::abs(broken[j]) / joint_length[j] / size);
  }
  const VectorXd sum = 2.0 * v + directions.B.transpose() * u;
  rebound.energy_change = 0.5 * p.dot(sum);
  if (std::abs(rebound.energy_change) <= kCancelled * p.cwiseAbs().dot(v.cwiseAbs())) rebound.energy_change = 0.0;
  const auto energy = [&](const VectorXd& x) { return 0.5 * x.dot(problem_.M * x); };
  const double of_surfaces = p.dot(directions.rate) + (G_.cols() > 0 ? p_b.dot(joint_rates) : 0.0);
  const double kinetic = energy(rebound.velocity_after) - energy(before);
  rebound.surface_work = 0.0 - of_surfaces;
  const double energies = energy(rebound.velocity_after) + energy(before) + std::abs(of_surfaces) +
                          0.5 * p.cwiseAbs().dot(sum.cwiseAbs()) + speed_ * speed_;
  rebound.residual = std::max(rebound.residual, std::abs(rebound.energy_change - of_surfaces - kinetic) / energies);
  return rebound;
}

}  // namespace tippe
