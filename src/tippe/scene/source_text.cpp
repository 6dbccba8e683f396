// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/source_text.h"

namespace tippe {
namespace {

/// A place in a text that moves forward and knows its line and column.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  [[nodiscard]] bool starts_with(std::string_view word) const {
    return text_.substr(std::min(at_, text_.size()), word.size()) == word;
  }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] int column() const { return column_; }

  /// Over one byte; a column is a whole UTF-8 sequence.
  void step() {
    if (at_end()) return;
    const char passed = text_[at_++];
    if (passed == '\n') {
      ++line_;
      column_ = 1;
    } else if (at_end() || (static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80) {
      ++column_;
    }
  }
  void step(size_t bytes) {
    for (size_t k = 0; k < bytes; ++k) step();
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// Bytes of the UTF-8 form of a code point.
int utf8_length(unsigned long code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/// Steps over one escape sequence of a basic string and returns how many decoded bytes it stands for.
int step_over_escape(Cursor& cursor) {
  const char kind = cursor.peek(1);
  if (kind == 'u' || kind == 'U') {
    const size_t digits = kind == 'u' ? 4 : 8;
    std::string hex;
    for (size_t k = 0; k < digits; ++k) hex += cursor.peek(2 + k);
    cursor.step(2 + digits);
    return utf8_length(std::strtoul(hex.c_str(), nullptr, 16));
  }
  if (kind == ' ' || kind == '\t' || kind == '\r' || kind == '\n') {  // line-ending backslash: swallows white space
    cursor.step();
    while (!cursor.at_end() && std::string_view(" \t\r\n").find(cursor.peek()) != std::string_view::npos) cursor.step();
    return 0;
  }
  cursor.step(2);
  return 1;
}

}  // namespace

SourcePosition SourceText::inside_string(int line, int column, int offset) const {
  Cursor cursor(text_);
  while (!cursor.at_end() && (cursor.line() < line || (cursor.line() == line && cursor.column() < column))) cursor.step();

  const char quote = cursor.peek();
  if (quote == '"' || quote == '\'') {
    const bool multi_line = cursor.starts_with(std::string(3, quote));
    cursor.step(multi_line ? 3 : 1);
    if (multi_line && cursor.starts_with("\r\n")) cursor.step();
    if (multi_line && cursor.peek() == '\n') cursor.step();  // a newline right after the opening quotes is not content
    int decoded = 0;
    while (!cursor.at_end() && decoded < offset) {
      if (quote == '"' && cursor.peek() == '\\') {
        decoded += step_over_escape(cursor);
      } else {
        if (cursor.starts_with("\r\n")) cursor.step();  // decoded as one newline
        cursor.step();
        ++decoded;
      }
    }
    while (quote == '"' && cursor.peek() == '\\' &&
           std::string_view(" \t\r\n").find(cursor.peek(1)) != std::string_view::npos) {
      step_over_escape(cursor);
    }
  }
  return {file_, cursor.line(), cursor.column()};
}

}  // namespace tippe
