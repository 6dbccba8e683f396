// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tippe/core/error.h"

namespace tippe {

/// A field of a line of comma-separated values, without blanks and quotes around it, and where it begins.
struct CsvField {
  std::string text;
  int column;  // from 1
};
[[nodiscard]] std::vector<CsvField> csv_fields(const std::string& line);

/// A table of numbers whose first line names its columns. Empty lines are left out.
struct CsvTable {
  std::vector<std::string> names;
  std::vector<SourcePosition> places;  // of the names
  std::vector<double> values;          // row by row
  std::vector<int> lines;              // of each row
};
/// Throws InputError with line and column for a field that is no finite number, and for rows of another length.
[[nodiscard]] CsvTable read_csv(const std::string& text, const std::string& file);

}  // namespace tippe
