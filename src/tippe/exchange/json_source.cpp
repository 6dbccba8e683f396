// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <set>
#include <string_view>

#include "tippe/core/error.h"
#include "tippe/exchange/source_value.h"

namespace tippe {
namespace {

using Type = SourceValue::Type;

class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& file) : text_(text), file_(file) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  SourceValue parse() {
    skip_space();
    if (done()) fail("there is nothing in this file but blanks and comments; a problem begins with {");
    SourceValue value = parse_value(0);
    skip_space();
    if (!done()) fail(fmt::format("{} after the end of the problem", seen()));
    return value;
  }

 private:
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }

  void advance() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if (at_ >= text_.size() || (static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80) {
      ++column_;  // the next byte begins a character
    }
  }
  void advance(size_t count) {
    for (size_t k = 0; k < count; ++k) advance();
  }

  [[noreturn]] void fail(const std::string& message) const { throw InputError({file_, line_, column_}, message); }
  [[noreturn]] void fail_at(int line, int column, const std::string& message) const {
    throw InputError({file_, line, column}, message);
  }

  /// What stands here, for messages.
  [[nodiscard]] std::string seen() const {
    if (done()) return "the end of the file";
    const auto c = static_cast<unsigned char>(peek());
    return c >= 0x20 && c < 0x7f ? fmt::format("'{}'", peek()) : fmt::format("byte {:#04x}", c);
  }

  void skip_space() {
    while (!done()) {
      const std::string_view rest = text_.substr(at_, 2);
      if (const char c = peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        advance();
      } else if (rest == "//") {
        while (!done() && peek() != '\n') advance();
      } else if (rest == "/*") {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail("this comment has no end; write */ behind it");
        advance(end + 2 - at_);
      } else {
        return;
      }
    }
  }

  SourceValue parse_value(int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) fail(fmt::format("more than {} lists and tables inside each other", kDeepest));
    SourceValue value;
    value.line = line_;
    value.column = column_;
    const char c = peek();
    if (c == '{' || c == '[') {
      parse_items(value, c == '{', depth);
    } else if (c == '"') {
      value.type = Type::kString;
      value.text = parse_string();
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      value.type = Type::kNumber;
      value.number = parse_number();
    } else {
      parse_word(value);
    }
    return value;
  }

  void parse_items(SourceValue& parent, bool table, int depth) {
    const char close = table ? '}' : ']';
    parent.type = table ? Type::kTable : Type::kArray;
    std::set<std::string> keys;
    advance();
    skip_space();
    while (peek() != close) {
      if (table) {
        const int line = line_, column = column_;
        if (peek() != '"')
          fail(fmt::format("{} where a key in double quotes, or the closing }} of line {}, is expected", seen(),
                           parent.line));
        std::string key = parse_string();
        if (!keys.insert(key).second) fail_at(line, column, fmt::format("the key '{}' stands twice in this table", key));
        skip_space();
        if (peek() != ':') fail(fmt::format("{} where a : is expected behind the key '{}'", seen(), key));
        advance();
        skip_space();
        parent.items.push_back(parse_value(depth + 1));
        parent.items.back().key = std::move(key);
        parent.items.back().key_line = line;
        parent.items.back().key_column = column;
      } else {
        parent.items.push_back(parse_value(depth + 1));
      }
      skip_space();
      if (peek() == ',') {
        advance();
        skip_space();
        if (peek() == close) fail(fmt::format("a comma before the closing {}; remove it", close));
      } else if (peek() != close) {
        fail(fmt::format("{} where a comma, or the closing {} of line {}, is expected", seen(), close, parent.line));
      }
    }
    advance();
  }

  std::string parse_string() {
    const int line = line_, column = column_;
    std::string text;
    for (advance(); peek() != '"' || done();) {
      if (done() || peek() == '\n') fail_at(line, column, "this text has no closing quote on its line");
      if (static_cast<unsigned char>(peek()) < 0x20)
        fail(fmt::format("{} inside a text; write it as \\u{:04x}", seen(), peek()));
      if (peek() == '\\') {
        text += parse_escape();
      } else {
        text += peek();
        advance();
      }
    }
    advance();
    if (!is_utf8(text)) fail_at(line, column, "this text is not UTF-8; save the file in that encoding");
    return text;
  }

  /// No stray bytes, no sequence that is longer than needed, no halves of surrogate pairs.
  static bool is_utf8(const std::string& text) {
    for (size_t k = 0; k < text.size();) {
      const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
      const size_t length = byte(k) < 0x80   ? 1
                            : byte(k) < 0xC2 ? 0
                            : byte(k) < 0xE0 ? 2
                            : byte(k) < 0xF0 ? 3
                            : byte(k) < 0xF5 ? 4
                                             : 0;
      if (length == 0 || k + length > text.size()) return false;
      unsigned code = length == 1 ? byte(k) : byte(k) & (0xFFu >> (length + 1));
      for (size_t i = k + 1; i < k + length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return false;
        code = (code << 6) | (byte(i) & 0x3F);
      }
      if ((length == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
          (length == 4 && (code < 0x10000 || code > 0x10FFFF)))
        return false;
      k += length;
    }
    return true;
  }

  std::string parse_escape() {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeaning = "\"\\/\b\f\n\r\t";
    advance();
    if (const size_t k = kLetters.find(peek()); !done() && k != std::string_view::npos) {
      advance();
      return std::string(1, kMeaning[k]);
    }
    if (peek() != 'u') fail(fmt::format("{} behind a \\ in a text; a backslash itself is \\\\", seen()));
    advance();
    unsigned code = parse_hex();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      advance(2);
      const unsigned low = parse_hex();
      if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair in a text");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xD800 && code < 0xE000) {
      fail("half of a surrogate pair in a text");
    }
    return utf8(code);
  }

  unsigned parse_hex() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (trouble != std::errc() || end != digits.data() + 4) fail("\\u needs four hexadecimal digits");
    advance(4);
    return code;
  }

  static std::string utf8(unsigned code) {
    const auto tail = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
    return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
  }

  double parse_number() {
    size_t length = 0;
    while (at_ + length < text_.size() &&
           std::string_view("+-.0123456789eE").find(text_[at_ + length]) != std::string_view::npos)
      ++length;
    const std::string_view token = text_.substr(at_, length);
    double number = 0.0;
    const auto [end, trouble] = std::from_chars(token.data(), token.data() + token.size(), number);
    if (end != token.data() + token.size() || trouble == std::errc::invalid_argument)
      fail(token == "-" ? "a - without a number; infinite numbers cannot be used" : fmt::format("'{}' is no number", token));
    if (trouble == std::errc::result_out_of_range) fail(fmt::format("{} is beyond double precision", token));
    advance(length);
    return number;
  }

  void parse_word(SourceValue& value) {
    size_t length = 0;
    while (at_ + length < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_ + length])) != 0) ++length;
    const std::string_view word = text_.substr(at_, length);
    if (word == "true" || word == "false") {
      value.type = Type::kBoolean;
    } else if (word != "null") {
      if (length == 0) fail(fmt::format("{} where a value is expected", seen()));
      const bool odd_number = word == "NaN" || word == "nan" || word == "Infinity" || word == "inf";
      fail(odd_number ? fmt::format("{} cannot be used here; numbers must be finite", word)
                      : fmt::format("'{}' is no value; texts need double quotes", word.substr(0, 40)));
    }
    advance(length);
  }

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

}  // namespace

const char* SourceValue::type_name() const {
  switch (type) {
    case Type::kNull:
      return "null";
    case Type::kBoolean:
      return "true or false";
    case Type::kNumber:
      return "a number";
    case Type::kString:
      return "a text";
    case Type::kArray:
      return "a list";
    case Type::kTable:
      return "a table";
    case Type::kOther:
      break;
  }
  return "a date";
}

SourceValue parse_json_source(const std::string& text, const std::string& file) {
  return JsonParser(text, file).parse();
}

}  // namespace tippe
