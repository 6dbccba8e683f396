// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/report/text_table.h"

namespace tippe {

/// Characters, not bytes.
[[nodiscard]] size_t width_of(const std::string& text);

/// The text in lines of at most 100 characters, each behind `indent` blanks.
[[nodiscard]] std::string wrapped(const std::string& text, size_t indent);

/// Columns of equal width under headings of two lines; the last column, whose text may be long, as it is.
[[nodiscard]] std::string table(const TextTable& content);

/// Columns of equal width, the first to the left, the others to the right.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& lines);

}  // namespace tippe
