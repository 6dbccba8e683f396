// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tippe/core/error.h"

namespace tippe::cli {

/// The text with control characters other than line ends and tabs written out as \x1b, so that a name cannot move the cursor of a terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// The message as compilers write it, "file:line:column: error: message", with the line and a mark under the place, on
/// standard error. In colour if that is a terminal and NO_COLOR is not set.
void print_error(const SourcePosition& position, const std::string& message);

/// The same for something that a user should know although the program goes on.
void print_warning(const SourcePosition& position, const std::string& message);

}  // namespace tippe::cli
