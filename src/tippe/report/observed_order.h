// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace tippe {

/// The error of a run with a time step.
struct StepError {
  double dt;     // s
  double error;  // any unit, the same for all
};

/// The order p of error ~ dt^p: the slope of log error over log dt by least squares, of two runs the quotient of their differences.
/// Nothing with less than two different steps, or if an error is zero or not finite.
[[nodiscard]] std::optional<double> observed_order(const std::vector<StepError>& runs);

}  // namespace tippe
