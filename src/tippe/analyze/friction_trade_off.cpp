// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/friction_trade_off.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

constexpr double kMostFriction = 1e6;
constexpr double kGoalOfMu = 1e-12;  // of the interval, relative
constexpr int kMostSteps = 100;

/// `mu`: of each part; not a number: as it is; infinity: without limit, free beside a normal force >= 0.
std::vector<ForcePart> with_friction(const std::vector<ForcePart>& parts, const VectorXd& mu) {
  std::vector<ForcePart> result;
  for (size_t i = 0; i < parts.size(); ++i) {
    ForcePart part = parts[i];
    const int tangents = part.tangents;
    const double own = mu[static_cast<Eigen::Index>(i)];
    const bool unlimited = std::isinf(own) && part.kind == Part::kCone;
    if (std::isfinite(own)) part.mu = own;
    if (unlimited || own <= 0.0) {
      part.kind = Part::kRay;
      part.tangents = 0;
    }
    result.push_back(part);
    if (unlimited)
      result.push_back(
          {.kind = Part::kFree, .component = part.component + 1, .tangents = tangents - 1, .friction = {}, .contact = -1});
  }
  return result;
}

/// The depth of a load in the cones: not negative if they hold it. Nothing: not found.
std::optional<double> load_depth(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w) {
  const HeldLoad held = restrict_load(directions, parts, w);
  if (held.inside != Answer::kYes) return held.inside == Answer::kNo ? std::optional(-1.0) : std::nullopt;
  const ForceCones cones(held.directions, parts);
  if (!cones.has_cones()) {
    const Answer possible = find_support(directions, parts, w).possible;
    return possible == Answer::kUndecided ? std::nullopt : std::optional(possible == Answer::kYes ? 1.0 : -1.0);
  }
  const ForceMargin margin = cones.scaled_margin(held.w);
  if (margin.status == ConeStatus::kInfeasible) return -1.0;
  return margin.status == ConeStatus::kOptimal ? std::optional(margin.depth + kConeRoundOff) : std::nullopt;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The least x >= 0 whose depth is not negative, of a depth that rises; infinity: none; not a number: not found.
template <class Depth>
double least_with_depth(const Depth& depth) {
  const std::optional<double> smooth = depth(0.0);
  if (!smooth) return kUnknown;
  if (*smooth >= 0.0) return 0.0;
  double low = 0.0, high = 1.0, below = -1.0, above = 0.0;  // the depths there
  for (;;) {
    const std::optional<double> found = depth(high);
    if (found && *found >= 0.0) {
      above = *found;
      break;
    }
    if (high > kMostFriction) return found ? kInfinity : kUnknown;
    if (found) low = high, below = *found;
    high *= 4.0;
  }
  // The line through both ends, a little beyond its root, so that the next one is on the other side.
  bool raise = false;
  for (int k = 0, slow = 0; k < kMostSteps && high - low > kGoalOfMu * high; ++k) {
    const double width = high - low, edge = std::max(0.2 * kGoalOfMu * high, 1e-3 * width);
    const double root = low - below * width / (above - below);
    const double x =
        slow < 3 ? std::clamp(root + (raise ? edge : -edge), low + 0.1 * edge, high - 0.1 * edge) : 0.5 * (low + high);
    const std::optional<double> found = depth(x);
    if (!found) break;
    raise = *found < 0.0;
    if (raise)
      low = x, below = *found;
    else
      high = x, above = *found;
    slow = high - low <= 0.5 * width ? 0 : slow + 1;
  }
  return high < kConeRoundOff ? 0.0 : high;
}

VectorXd as_they_are(const std::vector<ForcePart>& parts) {
  return VectorXd::Constant(static_cast<Eigen::Index>(parts.size()), kUnknown);
}

}  // namespace

double least_own_friction(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w, size_t which,
                          bool others_unlimited) {
  VectorXd mu = as_they_are(parts);
  if (others_unlimited) mu.setConstant(kInfinity);
  return least_with_depth([&](double own) {
    mu[static_cast<Eigen::Index>(which)] = own;
    return load_depth(directions, with_friction(parts, mu), w);
  });
}

std::vector<Vector2d> friction_front(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w,
                                     std::array<size_t, 2> pair) {
  VectorXd mu = as_they_are(parts);
  const auto depth = [&](double first, double second) {
    mu[static_cast<Eigen::Index>(pair[0])] = first;
    mu[static_cast<Eigen::Index>(pair[1])] = second;
    return load_depth(directions, with_friction(parts, mu), w);
  };
  const Vector2d corner(least_with_depth([&](double x) { return depth(x, kInfinity); }),
                        least_with_depth([&](double x) { return depth(kInfinity, x); }));
  if (!corner.allFinite()) return {};
  std::vector<Vector2d> points;
  for (const double slope : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
    const Vector2d along = Vector2d(1.0, slope).normalized();
    const double way = least_with_depth([&](double x) { return depth(corner[0] + x * along[0], corner[1] + x * along[1]); });
    if (!std::isfinite(way)) return {};
    points.emplace_back(corner + way * along);
    constexpr double kNoWay = 1e-6;                                  // two edges of a cone at once
    if (way <= kNoWay * (1.0 + corner.maxCoeff())) return {corner};  // neither takes anything from the other
  }
  return points;
}

}  // namespace tippe
