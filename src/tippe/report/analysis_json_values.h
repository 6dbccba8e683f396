// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tippe/analyze/verdict.h"

namespace tippe {

using Json = nlohmann::ordered_json;

/// Numbers, vectors and verdicts of an analysis as JSON.

/// JSON has no infinities: they are "inf" and "-inf", and what is no number is null.
[[nodiscard]] Json number(double value);
[[nodiscard]] Json numbers(const Eigen::VectorXd& values);
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
