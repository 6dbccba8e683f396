// SPDX-License-Identifier: Apache-2.0
#include "cli/text_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "tippe/report/event_list.h"

namespace tippe::cli {

void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines) {
  fmt::print("{}", summary_text(head, lines));
}

void print_table(const TextTable& table) {
  std::vector<std::vector<std::string>> lines(2);
  for (const std::string& heading : table.headings) {
    const size_t space = heading.find(' ');
    lines[0].push_back(heading.substr(0, space));
    lines[1].push_back(space == std::string::npos ? "" : heading.substr(space + 1));
  }
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<size_t> widths(table.headings.size(), 0);
  for (const std::vector<std::string>& line : lines) {
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  for (const std::vector<std::string>& line : lines) {
    std::string text;
    for (size_t c = 0; c < line.size(); ++c) {
      if (c + 1 == line.size()) {
        text += "  " + line[c];
      } else {
        const bool words = c < table.left_columns;
        text += words ? fmt::format("  {:<{}}", line[c], widths[c]) : fmt::format("  {:>{}}", line[c], widths[c]);
      }
    }
    fmt::print("{}\n", text.substr(0, text.find_last_not_of(' ') + 1));
  }
}

void print_events(const RecordedEvents& recorded, const std::string& recording) {
  constexpr size_t kAll = 20, kFirst = 10, kLast = 5;
  TextTable table = tabulate_events(recorded.events, recorded.laws);
  const size_t count = table.rows.size();
  if (recording.empty() || count <= kAll) {
    print_table(table);
    return;
  }
  const auto first = table.rows.begin() + kFirst;
  std::vector<std::string> gap(table.headings.size());
  gap.front() = "...";
  gap.back() = fmt::format("{} more: tippe show {} --events", count - kFirst - kLast, recording);
  table.rows.erase(first, table.rows.end() - kLast);
  table.rows.insert(table.rows.begin() + kFirst, std::move(gap));
  print_table(table);
}

}  // namespace tippe::cli
