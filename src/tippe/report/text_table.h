// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tippe {

/// A table as text, for the terminal and for a page.
struct TextTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;  // sentences on what the numbers are
  size_t left_columns = 1;         // so many, and the last, hold words; the others numbers
};

}  // namespace tippe
