// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tippe {

/// "3.2 mJ", "1.56 µm": three digits with a prefix, where the unit takes one; "0 J".
[[nodiscard]] std::string with_prefix(double value, const std::string& unit);

}  // namespace tippe
