// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/force_cones.h"

#include <algorithm>
#include <cmath>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/infinity.h"
#include "tippe/core/least_squares.h"
#include "tippe/core/rank_decision.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

bool planar(const ForcePart& part) {
  return part.kind == Part::kCone && part.tangents == 1;
}
bool spatial(const ForcePart& part) {
  return part.kind == Part::kCone && part.tangents >= 2;
}

}  // namespace

ForceCones::ForceCones(const MatrixXd& directions, std::vector<ForcePart> parts, double factor)
    : parts_(std::move(parts)), first_(parts_.size()), factor_(factor) {
  for (const ForcePart& part : parts_) {
    if (part.kind == Part::kFree) free_ += 1 + part.tangents;
    if (part.kind == Part::kRay) cones_.nonnegative += 1;
    if (planar(part)) cones_.nonnegative += 2;
    if (spatial(part)) cones_.second_order.push_back(1 + part.tangents);
  }
  T_ = MatrixXd::Zero(directions.cols(), free_ + cones_.size());
  cone_unit_ = VectorXd::Zero(T_.cols());
  int next_free = 0, next_ray = free_, next_cone = free_ + cones_.nonnegative;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const ForcePart& part = parts_[i];
    const int row = part.component;
    if (part.kind == Part::kFree) {
      first_[i] = next_free;
      T_.block(row, next_free, 1 + part.tangents, 1 + part.tangents).setIdentity();
      next_free += 1 + part.tangents;
    } else if (part.kind == Part::kRay) {
      first_[i] = next_ray;
      T_(row, next_ray) = part.sign;
      T_.block(row + 1, next_ray, part.friction.size(), 1) = part.friction;
      next_ray += 1;
    } else if (planar(part)) {
      first_[i] = next_ray;
      T_.block(row, next_ray, 1, 2).setConstant(part.sign / (factor * part.mu));
      T_(row + 1, next_ray) = 1.0;
      T_(row + 1, next_ray + 1) = -1.0;
      cone_unit_.segment(next_ray, 2).setConstant(0.5);
      next_ray += 2;
    } else {
      first_[i] = next_cone;
      T_(row, next_cone) = part.sign / (factor * part.mu);
      T_.block(row + 1, next_cone + 1, part.tangents, part.tangents).setIdentity();
      cone_unit_[next_cone] = 1.0;
      next_cone += 1 + part.tangents;
    }
  }
  A_ = directions * T_;
}

bool ForceCones::has_cones() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const ForcePart& part) { return part.kind == Part::kCone; });
}

// x = x~ + s unit with x~ in K, s = limit - r, r >= 0: minimise r, the last nonnegative variable.
ForceMargin ForceCones::margin(const VectorXd& w, double limit) const {
  const auto n = A_.cols();
  const VectorXd lift = A_ * cone_unit_;
  ConeProduct cones = cones_;
  cones.nonnegative += 1;
  const int r = free_ + cones_.nonnegative;
  MatrixXd A(A_.rows(), n + 1);
  A << A_.leftCols(r), -lift, A_.rightCols(n - r);
  const ConeSolution solution = ConeProgram(A, w - limit * lift, cones, free_).minimize(VectorXd::Unit(n + 1, r));
  ForceMargin margin;
  margin.status = solution.status;
  if (solution.y.size() > 0) margin.direction = -solution.y;
  if (solution.x.size() > 0) {
    margin.depth = limit - solution.x[r];
    VectorXd x(n);
    x << solution.x.head(r), solution.x.tail(n - r);
    margin.forces = T_ * (x + margin.depth * cone_unit_);
  }
  if (solution.s.size() > 0) {
    margin.slack.resize(n);
    margin.slack << solution.s.head(r), solution.s.tail(n - r);
  }
  if (solution.status == ConeStatus::kInfeasible) margin.depth = -kInfinity;
  return margin;
}

ForceMargin ForceCones::scaled_margin(const VectorXd& w) const {
  return normalized_margin(w.norm() > 0.0 ? w / w.norm() : w);
}

ForceMargin ForceCones::self_stress() const {
  return normalized_margin(MatrixXd(A_.rows(), 0));
}

// x = x~ + s unit with x~ in K and sum 1; s is one more free variable, the scale of the load one more nonnegative.
ForceMargin ForceCones::normalized_margin(const MatrixXd& loads, bool inside) const {
  const auto n = A_.cols(), m = A_.rows(), scales = loads.cols();
  VectorXd size = VectorXd::Zero(n);
  size.tail(n - free_) = cones_.unit();
  VectorXd unit = cone_unit_;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].kind == Part::kRay) unit[first_[i]] = 1.0;
  }
  ConeProduct cones = cones_;
  cones.nonnegative += static_cast<int>(scales);
  MatrixXd A(m + 1, 1 + n + scales);  // s, free, scale, K
  A.topRows(m) << A_ * unit, A_.leftCols(free_), -loads, A_.rightCols(n - free_);
  A.row(m) << size.dot(unit), size.head(free_).transpose(), Eigen::RowVectorXd::Ones(scales),
      size.tail(n - free_).transpose();
  ConeProgram program(A, VectorXd::Unit(m + 1, m), cones, 1 + free_);
  const VectorXd cost = -VectorXd::Unit(A.cols(), 0);
  const ConeSolution solution = inside ? program.minimize_inside(cost) : program.minimize(cost);
  ForceMargin margin;
  margin.status = solution.status;
  margin.depth = -kInfinity;
  if (solution.y.size() > 0) margin.direction = -solution.y.head(m);
  if (solution.x.size() > 0) {
    margin.depth = solution.x[0];
    VectorXd x(n);
    x << solution.x.segment(1, free_), solution.x.tail(n - free_);
    margin.forces = T_ * (x + margin.depth * unit);
    margin.scale = solution.x.segment(1 + free_, scales).sum();
  }
  return margin;
}

std::vector<ForcePart> ForceCones::with_jammed_free(const VectorXd& w) const {
  const ForceMargin margin = normalized_margin(w.norm() > 0.0 ? w / w.norm() : w, true);
  if (margin.status != ConeStatus::kOptimal || margin.scale > kFaceTolerance) return {};
  std::vector<ForcePart> parts = parts_;
  bool some = false;
  for (ForcePart& part : parts) {
    const double normal = part.sign * margin.forces[part.component];
    const double friction = margin.forces.segment(part.component + 1, part.tangents).norm();
    const double inside = part.kind == Part::kRay ? normal : factor_ * part.mu * normal - friction;
    // A ray with friction of its own is free in its direction only.
    if (part.kind == Part::kFree || part.friction.size() > 0 || inside <= kFaceTolerance) continue;
    part.kind = Part::kFree;
    some = true;
  }
  return some ? parts : std::vector<ForcePart>{};
}

ShortestAddition ForceCones::shortest_addition(const VectorXd& w, const MatrixXd& U, const MatrixXd& V) const {
  const auto n = A_.cols(), z = U.cols(), v = V.cols();
  MatrixXd A(A_.rows(), n + z + 1 + v);  // free, z, K, (t, v) with t >= |v|
  A << A_.leftCols(free_), -U, A_.rightCols(n - free_), VectorXd::Zero(A_.rows()), -V;
  ConeProduct cones = cones_;
  cones.second_order.push_back(static_cast<int>(1 + v));
  const ConeSolution solution =
      ConeProgram(A, w, cones, static_cast<int>(free_ + z)).minimize(VectorXd::Unit(A.cols(), n + z));
  ShortestAddition shortest{solution.status, {}, {}};
  if (!solution.optimal()) return shortest;
  shortest.addition = solution.x.tail(v);
  VectorXd x(n);
  x << solution.x.head(free_), solution.x.segment(free_ + z, n - free_);
  shortest.forces = T_ * x;
  return shortest;
}

bool ForceCones::bound(const VectorXd& w, const VectorXd& forces, VectorXd& lower, VectorXd& upper) const {
  lower = forces;
  upper = forces;
  VectorXd lengths;
  MatrixXd null_space = decide_rank(unit_columns(A_, 0.0, &lengths)).null_space;
  null_space = (lengths.array() > 0.0).select(lengths, 1.0).cwiseInverse().asDiagonal() * null_space;
  const MatrixXd freedom = T_ * null_space;
  ConeProgram program(A_, w, cones_, free_);
  bool proved = true;
  for (Eigen::Index j = 0; j < T_.rows(); ++j) {
    // A component that no change of the forces without resultant changes is determined.
    if (freedom.cols() == 0 || freedom.row(j).norm() <= kNothingLeft * T_.row(j).norm() * null_space.norm()) continue;
    for (const double sign : {1.0, -1.0}) {
      const ConeSolution solution = program.minimize(sign * T_.row(j).transpose());
      proved = proved && (solution.optimal() || solution.status == ConeStatus::kUnbounded);
      (sign > 0.0 ? lower : upper)[j] = sign * (solution.optimal() ? solution.objective : solution.dual_objective);
    }
    // An edge of a cone that the given forces touch is not missed by round-off.
    lower[j] = std::min(lower[j], forces[j]);
    upper[j] = std::max(upper[j], forces[j]);
  }
  return proved;
}

// Forces with D f = w are orthogonal to the slack: where it is inside a cone, the force is zero, where it is on the boundary, the
// force is on the opposite edge.
std::vector<ForcePart> ForceCones::face(const VectorXd& slack) const {
  std::vector<ForcePart> faces;
  for (size_t i = 0; i < parts_.size(); ++i) {
    ForcePart part = parts_[i];
    const int k = first_[i];
    if (part.kind == Part::kRay && slack[k] > kFaceTolerance) continue;
    if (part.kind == Part::kCone) {
      VectorXd z(1 + part.tangents);  // slack of (mu * normal force, friction)
      if (planar(part)) {
        z << 0.5 * (slack[k] + slack[k + 1]), 0.5 * (slack[k] - slack[k + 1]);
      } else {
        z = slack.segment(k, 1 + part.tangents);
      }
      const double tail = z.tail(part.tangents).norm();
      if (z[0] - tail > kFaceTolerance) continue;
      if (z[0] > kFaceTolerance) {
        part.kind = Part::kRay;
        part.friction = -factor_ * part.mu / tail * z.tail(part.tangents);
        part.tangents = 0;
      }
    }
    faces.push_back(part);
  }
  return faces;
}

VectorXd orthogonal_to_free(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& d) {
  MatrixXd held(directions.rows(), 0);
  for (const ForcePart& part : parts) {
    if (part.kind != Part::kFree) continue;
    held.conservativeResize(Eigen::NoChange, held.cols() + 1 + part.tangents);
    held.rightCols(1 + part.tangents) = directions.middleCols(part.component, 1 + part.tangents);
  }
  return held.cols() > 0 ? VectorXd(d - held * LeastSquares(held).solve(d)) : d;
}

}  // namespace tippe
