// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tippe {

/// The built page of viewer/, without data; generated into page.cpp by the build.
[[nodiscard]] std::string_view page_template();

/// What is replaced by the data in the template.
inline constexpr std::string_view kPageDataMark = "/*TIPPE-DATA*/null";

}  // namespace tippe
