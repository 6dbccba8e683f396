// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/report/json_values.h"

namespace tippe {

/// Numbers, vectors and verdicts of an analysis as JSON.

/// As number() and numbers(), but what is no number is null.
[[nodiscard]] Json known_number(double value);
[[nodiscard]] Json known_numbers(const Eigen::VectorXd& values);
/// The same, null where there is no vector.
[[nodiscard]] Json numbers_or_null(const Eigen::VectorXd& values);
/// A matrix with a row for each of `names`; null if it was not computed.
[[nodiscard]] Json rows_or_null(const Eigen::MatrixXd& matrix, const std::vector<std::string>& names);
/// One list per column.
[[nodiscard]] Json columns(const Eigen::MatrixXd& matrix);
/// Values by their names; null where there are none, a list where they are others than `names`.
[[nodiscard]] Json named(const std::vector<std::string>& names, const Eigen::VectorXd& values);
/// The entries of each column that are more than round-off, by their names.
[[nodiscard]] Json sparse_columns(const std::vector<std::string>& names, const Eigen::MatrixXd& matrix);
/// [lower, upper] by their names; null where there are none.
[[nodiscard]] Json intervals(const std::vector<std::string>& names, const Eigen::VectorXd& lower,
                             const Eigen::VectorXd& upper);
[[nodiscard]] Json verdict(const Verdict& found);

}  // namespace tippe
