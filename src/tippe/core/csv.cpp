// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace tippe {

std::vector<CsvField> csv_fields(const std::string& line) {
  std::vector<CsvField> fields;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t comma = std::min(line.find(',', begin), line.size());
    size_t first = begin, last = comma;
    const auto blank = [&](size_t at) { return line[at] == ' ' || line[at] == '\t' || line[at] == '\r'; };
    while (first < last && blank(first)) ++first;
    while (last > first && blank(last - 1)) --last;
    if (last - first >= 2 && line[first] == '"' && line[last - 1] == '"') ++first, --last;
    fields.push_back({line.substr(first, last - first), static_cast<int>(first) + 1});
    begin = comma + 1;
  }
  return fields;
}

CsvTable read_csv(const std::string& text, const std::string& file) {
  CsvTable table;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // the byte order mark of spreadsheets
    const std::vector<CsvField> fields = csv_fields(line);
    if (fields.size() == 1 && fields[0].text.empty()) continue;
    if (table.names.empty()) {
      for (const CsvField& field : fields) {
        if (field.text.empty()) throw InputError({file, number, field.column}, "a column needs the name of what it holds");
        table.names.push_back(field.text);
        table.places.push_back({file, number, field.column});
      }
      continue;
    }
    if (fields.size() != table.names.size()) {
      throw InputError({file, number, 1}, std::to_string(fields.size()) + (fields.size() == 1 ? " number" : " numbers") +
                                              ", where the names are " + std::to_string(table.names.size()));
    }
    for (const CsvField& field : fields) {
      double value = 0.0;
      const char* const end = field.text.data() + field.text.size();
      const auto [stop, trouble] = std::from_chars(field.text.data() + (field.text.starts_with('+') ? 1 : 0), end, value);
      if (trouble != std::errc() || stop != end || !std::isfinite(value))
        throw InputError({file, number, field.column}, "'" + field.text + "' is no number");
      table.values.push_back(value);
    }
    table.lines.push_back(number);
  }
  return table;
}

}  // namespace tippe
