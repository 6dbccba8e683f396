// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/text_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace tippe {

size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, size_t indent) {
  constexpr size_t kWidth = 100;
  std::string result(indent, ' ');
  size_t column = indent;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (column > indent && column + 1 + width_of(word) > kWidth) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width_of(word);
    begin = end + 1;
  }
  return result + "\n";
}

std::string table(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& line : lines) {
    widths.resize(std::max(widths.size(), line.size()), 0);
    for (size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], width_of(line[k]));
  }
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    std::string row = "  ";
    for (size_t k = 0; k < line.size(); ++k) {
      const std::string gap(widths[k] - width_of(line[k]), ' ');
      row += k == 0 ? "  " + line[k] + gap : "  " + gap + line[k];
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string table(const TextTable& content) {
  std::vector<std::vector<std::string>> lines(2);
  for (const std::string& heading : content.headings) {
    const size_t space = heading.find(' ');
    lines[0].push_back(heading.substr(0, space));
    lines[1].push_back(space == std::string::npos ? "" : heading.substr(space + 1));
  }
  lines.insert(lines.end(), content.rows.begin(), content.rows.end());
  std::vector<size_t> widths(content.headings.size(), 0);
  for (const std::vector<std::string>& line : lines) {
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  std::string whole;
  for (const std::vector<std::string>& line : lines) {
    std::string text;
    for (size_t c = 0; c < line.size(); ++c) {
      if (c + 1 == line.size()) {
        text += "  " + line[c];
      } else {
        const bool words = c < content.left_columns;
        text += words ? fmt::format("  {:<{}}", line[c], widths[c]) : fmt::format("  {:>{}}", line[c], widths[c]);
      }
    }
    whole += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  return whole;
}

}  // namespace tippe
