// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/record/recorded_run.h"

namespace tippe {

using Json = nlohmann::ordered_json;

/// What the JSON objects of runs and of commands are made of.

/// JSON has no infinities: "inf", "-inf", "nan".
[[nodiscard]] Json number(double value);
[[nodiscard]] Json numbers(const Eigen::VectorXd& values);
[[nodiscard]] Json named_values(const std::vector<std::string>& names, const Eigen::VectorXd& values);
[[nodiscard]] Json text_or_null(const std::string& text);
[[nodiscard]] Json error_object(const SourcePosition& position, const std::string& message);
[[nodiscard]] Json events_array(const RecordedEvents& recorded);
/// As it is printed.
[[nodiscard]] std::string dump(const Json& json);

}  // namespace tippe
