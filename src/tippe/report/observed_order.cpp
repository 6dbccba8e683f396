// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/observed_order.h"

#include <cmath>

namespace tippe {

std::optional<double> observed_order(const std::vector<StepError>& runs) {
  double mean_x = 0.0, mean_y = 0.0;
  for (const StepError& run : runs) {
    if (!(run.dt > 0.0) || !(run.error > 0.0) || !std::isfinite(run.error)) return std::nullopt;
    mean_x += std::log(run.dt) / static_cast<double>(runs.size());
    mean_y += std::log(run.error) / static_cast<double>(runs.size());
  }
  double xx = 0.0, xy = 0.0;
  for (const StepError& run : runs) {
    const double x = std::log(run.dt) - mean_x;
    xx += x * x;
    xy += x * (std::log(run.error) - mean_y);
  }
  constexpr double kSameSteps = 1e-12;  // of squared logarithms: steps are all the same but for round-off
  if (!(xx > kSameSteps)) return std::nullopt;
  return xy / xx;
}

}  // namespace tippe
