// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/least_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

constexpr double kGoal = 1e-11;          // of the gap, relative
constexpr double kEdge = 1e-3;           // of the interval between the bounds
constexpr double kSmallestScale = 1e-6;  // of a depth that its program scales with
constexpr int kMaxPrograms = 80;

class Search {
 public:
  Search(const MatrixXd& directions, std::vector<ForcePart> parts, const VectorXd& w)
      : D_(directions), parts_(std::move(parts)), w_(w), limit_(w.norm()) {}

  /// `forces` prove a first upper bound.
  LeastFriction find(const VectorXd& forces) {
    upper_ = sufficient(forces);
    double guess = upper_, halved = upper_;
    for (int slow = 0; upper_ - lower_ > kGoal * upper_ && programs_ < kMaxPrograms && slow < 8; ++slow) {
      const double newton = improve(guess);
      const double width = upper_ - lower_;
      if (width <= 0.5 * halved) {
        halved = width;
        slow = 0;
      }
      // A little too far, so that the next program proves the other side. Where the depth jumps it has no slope.
      const double edge = std::max(kEdge * width, 0.2 * kGoal * upper_);
      const double beyond = newton + std::copysign(edge, newton - guess);
      guess = slow < 3 ? std::clamp(beyond, lower_ + std::min(edge, 0.5 * width), upper_ - std::min(edge, 0.5 * width))
                       : 0.5 * (lower_ + upper_);
    }
    return {upper_, upper_ - lower_, programs_, by_forces_};
  }

 private:
  /// Solves at one factor, narrows the bracket and returns Newton's guess of the root. Forces of any size are admitted in the limit:
  /// where self-stress appears, the least factor is an infimum.
  double improve(double factor) {
    ++programs_;
    const ForceMargin margin = ForceCones(D_, parts_, factor).scaled_margin(w_);
    raise_lower(margin.direction, parts_);
    if (margin.status != ConeStatus::kOptimal) return lower_;
    if (margin.scale > kSmallestScale) {
      const VectorXd forces = margin.forces * (limit_ / margin.scale);
      const double terms = (D_.cwiseAbs() * forces.cwiseAbs()).norm();
      if ((D_ * forces - w_).norm() <= kSumRoundOff * terms) lower_upper(sufficient(forces), true);
    }
    const double depth = std::abs(margin.depth) > kConeRoundOff ? margin.depth : depth_beside_jammed(factor);
    if (depth > kConeRoundOff) lower_upper(factor, margin.scale > kSmallestScale);
    lower_ = std::min(lower_, upper_);
    double slope = 0.0;  // d(depth)/d(factor), by the multipliers
    for (const ForcePart& part : parts_) {
      if (part.kind != Part::kCone) continue;
      const double push = part.sign * D_.col(part.component).dot(margin.direction) / (factor * part.mu);
      slope += push * part.mu * part.sign * margin.forces[part.component];
    }
    return slope > 0.0 ? factor - margin.depth / slope : lower_;
  }

  void lower_upper(double factor, bool by_forces) {
    if (!(factor < upper_)) return;
    upper_ = factor;
    by_forces_ = by_forces;
  }

  /// Where some contacts jam each other with zero force in the others, they are out of the question, and the others decide.
  double depth_beside_jammed(double factor) {
    std::vector<ForcePart> parts = parts_;
    for (;;) {
      parts = ForceCones(D_, parts, factor).with_jammed_free(w_);
      if (parts.empty()) return 0.0;
      const ForceCones cones(D_, parts, factor);
      // With nothing left but free parts, they hold the load since larger friction does.
      const bool all_free =
          std::all_of(parts.begin(), parts.end(), [](const ForcePart& p) { return p.kind == Part::kFree; });
      if (all_free) return 1.0;
      const ForceMargin margin = cones.scaled_margin(w_);
      raise_lower(margin.direction, parts);
      if (margin.status == ConeStatus::kInfeasible) return -1.0;
      if (margin.status != ConeStatus::kOptimal) return 0.0;
      if (std::abs(margin.depth) > kConeRoundOff) return margin.depth;
    }
  }

  double sufficient(const VectorXd& forces) const {
    double factor = 0.0;
    for (const ForcePart& part : parts_) {
      const double normal = part.sign * forces[part.component];
      if (part.kind == Part::kRay && normal < -kSumRoundOff * limit_) return kInfinity;
      if (part.kind != Part::kCone) continue;
      const double friction = forces.segment(part.component + 1, part.tangents).norm();
      if (friction <= kConeRoundOff * limit_ && normal >= -kConeRoundOff * limit_) continue;
      if (normal <= 0.0) return kInfinity;
      factor = std::max(factor, friction / (part.mu * normal));
    }
    return factor;
  }

  /// By a direction that no force of the free ones among `parts` acts along, to the last digit.
  void raise_lower(const VectorXd& d, const std::vector<ForcePart>& parts) {
    if (d.size() > 0) lower_ = std::max(lower_, insufficient(orthogonal_to_free(D_, parts, d)));
  }

  double insufficient(const VectorXd& d) const {
    const double size = d.norm();
    if (!(w_.dot(d) < -kSumRoundOff * limit_ * size)) return 0.0;
    double factor = kInfinity;
    for (const ForcePart& part : parts_) {
      const auto normal = D_.col(part.component);
      const auto tangents = D_.middleCols(part.component + 1, std::max<Eigen::Index>(part.tangents, part.friction.size()));
      const VectorXd slip = tangents.transpose() * d;
      const double zero = kSumRoundOff * (normal.norm() + tangents.norm()) * size;
      double push = part.sign * normal.dot(d);
      if (part.kind == Part::kRay && part.friction.size() > 0) push += part.friction.dot(slip);
      if (push < -zero || (part.kind == Part::kFree && (push > zero || slip.norm() > zero))) return 0.0;
      if (part.kind == Part::kCone && slip.norm() > zero)
        factor = std::min(factor, std::max(push, 0.0) / (part.mu * slip.norm()));
    }
    return factor < kInfinity ? factor : 0.0;
  }

  const MatrixXd& D_;
  std::vector<ForcePart> parts_;
  const VectorXd& w_;
  double limit_;
  double lower_ = 0.0, upper_ = kInfinity;
  bool by_forces_ = true;  // the upper bound is proved by forces, not only by the sign of a depth
  int programs_ = 0;
};

}  // namespace

LeastFriction find_least_friction(const std::vector<ForcePart>& given, const LoadSupport& support) {
  if (support.possible == Answer::kNo) return {.factor = kInfinity};
  if (support.possible == Answer::kUndecided) return {.factor = std::numeric_limits<double>::quiet_NaN()};
  const MatrixXd& directions = support.held.directions;
  const VectorXd& w = support.held.w;
  std::vector<ForcePart> parts;
  for (size_t i = 0; i < given.size(); ++i) {
    if (support.used[i]) parts.push_back(given[i]);
  }
  const auto without_friction = [](std::vector<ForcePart> smooth) {
    for (ForcePart& part : smooth) {
      if (part.kind == Part::kCone) part.kind = Part::kRay;
      part.tangents = part.kind == Part::kRay ? 0 : part.tangents;
    }
    return smooth;
  };
  const auto hold = [&](const std::vector<ForcePart>& smooth) {
    return find_support(directions, smooth, w).possible == Answer::kYes;
  };
  if (hold(without_friction(parts))) return {};
  const std::vector<bool> jammed = find_jammed(directions, parts);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (jammed[i]) parts[i].kind = Part::kFree;
  }
  if (hold(without_friction(parts))) return {.attained = false};
  return Search(directions, parts, w).find(support.forces);
}

}  // namespace tippe
