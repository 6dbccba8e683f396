// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/friction_trade_off.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "tippe/analyze/tolerances.h"
#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Part = ForcePart::Kind;

constexpr double kMostFriction = 1e6;
constexpr double kGoalOfMu = 1e-12;  // of the interval, relative
constexpr int kMostSteps = 100;

/// Friction without limit is free beside a normal force >= 0.
std::vector<ForcePart> with_own_friction(const std::vector<ForcePart>& parts, size_t which, bool others_unlimited,
                                         double mu) {
  std::vector<ForcePart> result;
  for (size_t i = 0; i < parts.size(); ++i) {
    ForcePart part = parts[i];
    const int tangents = part.tangents;
    if (i == which) part.mu = mu;
    const bool unlimited = i != which && others_unlimited && part.kind == Part::kCone;
    if (unlimited || (i == which && !(mu > 0.0))) {
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

}  // namespace

double least_own_friction(const MatrixXd& directions, const std::vector<ForcePart>& parts, const VectorXd& w, size_t which,
                          bool others_unlimited) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const auto depth = [&](double mu) {
    return load_depth(directions, with_own_friction(parts, which, others_unlimited, mu), w);
  };
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

}  // namespace tippe
