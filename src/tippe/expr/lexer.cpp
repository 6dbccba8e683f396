// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/lexer.h"

#include <fmt/format.h>

#include <charconv>

namespace tippe {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

Token Lexer::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  const size_t begin = at_;
  if (begin == text_.size()) return make(Token::Kind::kEnd, begin);
  const char c = text_[begin];
  if (is_digit(c) || (c == '.' && begin + 1 < text_.size() && is_digit(text_[begin + 1]))) return number();
  if (is_letter(c)) {
    const auto dot_inside = [&] { return text_[at_] == '.' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]); };
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '{' || dot_inside())) {
      text_[at_] == '{' ? step_over_braces() : void(++at_);
    }
    if (at_ < text_.size() && text_[at_] == '\'') ++at_;
    return make(Token::Kind::kName, begin);
  }
  if (c == '{') {
    step_over_braces();
    return make(Token::Kind::kBraces, begin);
  }
  if (std::string_view("+-*/^(),").find(c) == std::string_view::npos) throw unexpected_character(begin);
  ++at_;
  return make(Token::Kind::kSymbol, begin);
}

void Lexer::step_over_braces() {
  const size_t close = text_.find('}', at_);
  if (close == std::string_view::npos) throw ExpressionError(static_cast<int>(at_), "'{' without its '}'");
  at_ = close + 1;
}

Token Lexer::make(Token::Kind kind, size_t begin) const {
  return {kind, static_cast<int>(begin), text_.substr(begin, at_ - begin)};
}

Token Lexer::number() {
  const size_t begin = at_;
  double value = 0.0;
  const auto result = std::from_chars(text_.data() + begin, text_.data() + text_.size(), value);
  at_ = static_cast<size_t>(result.ptr - text_.data());
  Token token = make(Token::Kind::kNumber, begin);
  if (result.ec == std::errc::result_out_of_range) {
    throw ExpressionError(token.offset, fmt::format("the number {} is out of range", token.text));
  }
  token.number = value;
  return token;
}

ExpressionError Lexer::unexpected_character(size_t at) const {
  size_t length = 1;  // a whole UTF-8 sequence, so that the message shows what the user sees
  while (at + length < text_.size() && (static_cast<unsigned char>(text_[at + length]) & 0xC0) == 0x80) ++length;
  const std::string_view shown = text_.substr(at, length);
  std::string hint;
  if (shown == "=") hint = "; an expression has no '='";
  if (shown == "'" || shown == "\xE2\x80\x99")
    hint = "; a velocity is written with a straight ' right after a coordinate, as in y'";
  if (shown == "\xE2\x88\x92") hint = "; the minus sign is '-'";
  return {static_cast<int>(at), fmt::format("unexpected '{}'{}", shown, hint)};
}

bool is_valid_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

}  // namespace tippe
