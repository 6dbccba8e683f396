// SPDX-License-Identifier: Apache-2.0
#include "cli/text_output.h"

#include <fmt/format.h>

#include "cli/output.h"
#include "tippe/report/event_list.h"
#include "tippe/report/text_layout.h"

namespace tippe::cli {

void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines) {
  print_out("{}", summary_text(head, lines));
}

void print_table(const TextTable& content) {
  print_out("{}", table(content));
}

void print_events(const RecordedEvents& recorded, const std::string& recording) {
  constexpr size_t kAll = 20, kFirst = 10, kLast = 5;
  TextTable content = tabulate_events(recorded.events, recorded.laws);
  const size_t count = content.rows.size();
  if (recording.empty() || count <= kAll) {
    print_table(content);
    return;
  }
  const auto first = content.rows.begin() + kFirst;
  std::vector<std::string> gap(content.headings.size());
  gap.front() = "...";
  gap.back() = fmt::format("{} more: tippe show {} --events", count - kFirst - kLast, recording);
  content.rows.erase(first, content.rows.end() - kLast);
  content.rows.insert(content.rows.begin() + kFirst, std::move(gap));
  print_table(content);
}

}  // namespace tippe::cli
