// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tippe {

/// The built page of viewer/, without data; generated into page.cpp by the build.
[[nodiscard]] std::string_view page_template();

/// What is replaced by the data in the template.
inline constexpr std::string_view kPageDataMark = "/*TIPPE-DATA*/null";

/// The page with its data, a JSON document as viewer/src/data.ts defines it.
[[nodiscard]] std::string fill_page(std::string data);
/// Numbers as they stand in that document: base64 of little-endian float64.
[[nodiscard]] std::string base64(const std::vector<double>& values);
/// Throws FileError.
void write_page(const std::string& page, const std::filesystem::path& path);

}  // namespace tippe
