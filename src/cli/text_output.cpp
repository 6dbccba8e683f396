// SPDX-License-Identifier: Apache-2.0
#include "cli/text_output.h"

#include <fmt/format.h>

#include <fstream>

namespace tippe::cli {

void print_error(const SourcePosition& position, const std::string& message) {
  std::string place = position.file;
  if (position.line > 0) place += fmt::format(":{}:{}", position.line, position.column);
  fmt::print(stderr, "{}: error: {}\n", place.empty() ? "tippe" : place, message);
  if (position.line <= 0) return;
  std::ifstream file(position.file);
  std::string line;
  for (int k = 0; k < position.line; ++k) {
    if (!std::getline(file, line)) return;
  }
  constexpr size_t kLongestLine = 200;
  if (line.size() > kLongestLine) return;
  std::string indent;  // tabs stay tabs, and a character is one column however many bytes it has
  int column = 1;
  for (size_t k = 0; k < line.size() && column < position.column; ++k) {
    if ((static_cast<unsigned char>(line[k]) & 0xC0) == 0x80) continue;
    indent += line[k] == '\t' ? '\t' : ' ';
    ++column;
  }
  fmt::print(stderr, "  {}\n  {}^\n", line, indent);
}

void print_summary(const RunHead& head, const std::vector<SummaryLine>& lines) {
  const std::string title = head.origin.title.empty() ? head.origin.scene_file : head.origin.title;
  fmt::print("{}: {}, dt = {}\n", title, head.integrator, head.dt);
  for (const SummaryLine& line : lines) fmt::print("  {:<24}{}\n", line.label, line.value);
}

}  // namespace tippe::cli
