// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tippe/expr/parser.h"

namespace tippe {

/// A word of an expression.
struct Token {
  enum class Kind {
    kNumber,
    kName,    // may contain dots and braces, "top.x", "x{i+1}'"
    kBraces,  // "{i}" alone: a number
    kSymbol,
    kEnd,
  };
  Kind kind;
  int offset;  // in the text
  std::string_view text;
  double number = 0.0;
};

/// Cuts a text into tokens, one at a time. What braces mean is left to the parser: it depends on indices. Copies remember a
/// place to come back to.
class Lexer {
 public:
  explicit Lexer(std::string_view text, size_t begin = 0) : text_(text), at_(begin) {}

  /// Throws ExpressionError at what is no token.
  Token next();

 private:
  void step_over_braces();
  [[nodiscard]] Token make(Token::Kind kind, size_t begin) const;
  Token number();
  [[nodiscard]] ExpressionError unexpected_character(size_t at) const;

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace tippe
