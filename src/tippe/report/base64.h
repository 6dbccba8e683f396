// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tippe {

[[nodiscard]] std::string base64_of_bytes(std::string_view bytes);
/// The bytes of a text that base64_of_bytes() made.
[[nodiscard]] std::string bytes_of_base64(std::string_view text);

}  // namespace tippe
