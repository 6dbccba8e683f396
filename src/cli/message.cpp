// SPDX-License-Identifier: Apache-2.0
#include "cli/message.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "cli/output.h"

namespace tippe::cli {
namespace {

constexpr std::string_view kBold = "\033[1m", kRed = "\033[1;31m", kYellow = "\033[1;33m";

/// https://no-color.org asks for NO_COLOR; a terminal called dumb would print the codes.
bool colours_wanted() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string painted(std::string_view text, std::string_view colour) {
  return colours_wanted() ? fmt::format("{}{}\033[0m", colour, text) : std::string(text);
}

/// The line of the file and a mark under the place.
void show_place(const SourcePosition& position, std::string_view colour) {
  if (position.line <= 0) return;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(position.file, ignored)) return;  // a pipe or a device cannot be read again
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
  print_aside("  {}\n  {}{}\n", printable(line), indent, painted("^", colour));
}

void print_message(const SourcePosition& position, std::string_view kind, std::string_view colour,
                   const std::string& message) {
  std::string place = position.file.empty() ? "tippe" : position.file;
  if (position.line > 0) place += fmt::format(":{}:{}", position.line, position.column);
  print_aside("{} {} {}\n", painted(printable(place) + ":", kBold), painted(fmt::format("{}:", kind), colour),
              printable(message));
  show_place(position, colour);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    // U+0080 to U+009F are C2 80 to C2 9F.
    const bool second = c == 0xC2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xA0;
    if (second) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++k]));
    } else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
      shown += fmt::format("\\x{:02x}", c);
    } else {
      shown += text[k];
    }
  }
  return shown;
}

void print_error(const SourcePosition& position, const std::string& message) {
  print_message(position, "error", kRed, message);
}

void print_warning(const SourcePosition& position, const std::string& message) {
  print_message(position, "warning", kYellow, message);
}

}  // namespace tippe::cli
