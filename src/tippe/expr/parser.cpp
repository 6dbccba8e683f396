// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/parser.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "tippe/core/suggest.h"

namespace tippe {
namespace {

struct Function {
  std::string_view name;
  Op op;
  int arguments;  // 1 or 2; min and max take two or more
};

constexpr std::array kFunctions = {
    Function{"sin", Op::kSin, 1},   Function{"cos", Op::kCos, 1},   Function{"tan", Op::kTan, 1},
    Function{"asin", Op::kAsin, 1}, Function{"acos", Op::kAcos, 1}, Function{"atan", Op::kAtan, 1},
    Function{"sinh", Op::kSinh, 1}, Function{"cosh", Op::kCosh, 1}, Function{"tanh", Op::kTanh, 1},
    Function{"exp", Op::kExp, 1},   Function{"log", Op::kLog, 1},   Function{"sqrt", Op::kSqrt, 1},
    Function{"abs", Op::kAbs, 1},   Function{"sign", Op::kSign, 1}, Function{"atan2", Op::kAtan2, 2},
    Function{"min", Op::kMin, 2},   Function{"max", Op::kMax, 2},
};

const Function* find_function(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct Token {
  enum class Kind { kNumber, kName, kSymbol, kEnd };
  Kind kind;
  int offset;
  std::string_view text;
  double number = 0.0;
};

/// Cuts the text into tokens, one at a time.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const size_t begin = at_;
    if (begin == text_.size()) return make(Token::Kind::kEnd, begin);
    const char c = text_[begin];
    if (is_digit(c) || (c == '.' && begin + 1 < text_.size() && is_digit(text_[begin + 1]))) return number();
    if (is_letter(c)) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      if (at_ < text_.size() && text_[at_] == '\'') ++at_;
      return make(Token::Kind::kName, begin);
    }
    if (std::string_view("+-*/^(),").find(c) == std::string_view::npos) throw unexpected_character(begin);
    ++at_;
    return make(Token::Kind::kSymbol, begin);
  }

 private:
  Token make(Token::Kind kind, size_t begin) const {
    return {kind, static_cast<int>(begin), text_.substr(begin, at_ - begin)};
  }

  Token number() {
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

  ExpressionError unexpected_character(size_t at) const {
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

  std::string_view text_;
  size_t at_ = 0;
};

class Parser {
 public:
  Parser(std::string_view text, ExprGraph& graph, const NameResolver& resolve, std::span<const std::string> known_names)
      : lexer_(text), graph_(graph), resolve_(resolve), known_names_(known_names), token_(lexer_.next()) {}

  Expr parse() {
    if (token_.kind == Token::Kind::kEnd) throw ExpressionError(0, "the expression is empty");
    const Expr result = sum();
    if (is_symbol(')')) throw ExpressionError(token_.offset, "')' without its '('");
    if (token_.kind != Token::Kind::kEnd) throw missing_operator();
    return result;
  }

 private:
  static constexpr int kDeepestNesting = 200;  // deeper is a mistake, and recursion needs a bound

  /// Counts how deep the recursion is while it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepestNesting) {
        throw ExpressionError(parser_.token_.offset, fmt::format("nested more than {} levels deep", kDeepestNesting));
      }
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  [[nodiscard]] bool is_symbol(char symbol) const { return token_.kind == Token::Kind::kSymbol && token_.text[0] == symbol; }
  void advance() { token_ = lexer_.next(); }
  bool accept(char symbol) {
    if (!is_symbol(symbol)) return false;
    advance();
    return true;
  }

  ExpressionError missing_operator() const {
    return {token_.offset, fmt::format("an operator is missing before '{}'", token_.text)};
  }

  Expr sum() {  // product { (+|-) product }
    Expr left = product();
    while (true) {
      if (accept('+')) {
        left = left + product();
      } else if (accept('-')) {
        left = left - product();
      } else {
        return left;
      }
    }
  }

  Expr product() {  // unary { (*|/) unary }
    Expr left = unary();
    while (true) {
      if (accept('*')) {
        if (is_symbol('*')) throw ExpressionError(token_.offset, "unexpected '*'; a power is written with '^'");
        left = left * unary();
      } else if (accept('/')) {
        left = left / unary();
      } else {
        return left;
      }
    }
  }

  Expr unary() {  // (+|-) unary | power
    const Nesting nesting(*this);
    if (accept('-')) return -unary();
    if (accept('+')) return unary();
    return power();
  }

  Expr power() {  // primary [ ^ unary ]
    const Expr base = primary();
    if (!accept('^')) return base;
    return graph_.apply(Op::kPow, base, unary());
  }

  Expr primary() {
    const Token token = token_;
    switch (token.kind) {
      case Token::Kind::kNumber:
        advance();
        return graph_.constant(token.number);
      case Token::Kind::kName:
        advance();
        return is_symbol('(') ? call(token) : name(token);
      case Token::Kind::kEnd:
        throw ExpressionError(token.offset, "the expression ends where an operand is expected");
      case Token::Kind::kSymbol:
        break;
    }
    if (accept('(')) {
      const Expr inner = sum();
      close_parenthesis(token.offset);
      return inner;
    }
    throw ExpressionError(token.offset, fmt::format("unexpected '{}' where an operand is expected", token.text));
  }

  void close_parenthesis(int opened_at) {
    if (accept(')')) return;
    if (token_.kind == Token::Kind::kEnd) throw ExpressionError(opened_at, "'(' without its ')'");
    if (is_symbol(',')) throw ExpressionError(token_.offset, "unexpected ','");
    throw missing_operator();
  }

  Expr name(const Token& token) {
    if (token.text == "pi") return graph_.constant(std::numbers::pi);
    if (const std::optional<Expr> meaning = resolve_(token.text)) return *meaning;
    if (find_function(token.text)) {
      throw ExpressionError(token.offset, fmt::format("the function {} needs its argument in parentheses", token.text));
    }
    std::vector<std::string> candidates(known_names_.begin(), known_names_.end());
    candidates.emplace_back("pi");
    for (const std::string& function : function_names()) candidates.push_back(function);
    throw ExpressionError(token.offset,
                          fmt::format("unknown name '{}'{}", token.text, did_you_mean(token.text, candidates)));
  }

  Expr call(const Token& token) {
    const Function* function = find_function(token.text);
    if (function == nullptr) {
      if (resolve_(token.text) || token.text == "pi") {
        throw ExpressionError(token_.offset, fmt::format("an operator is missing between '{}' and '('", token.text));
      }
      throw ExpressionError(token.offset,
                            fmt::format("unknown function '{}'{}", token.text, did_you_mean(token.text, function_names())));
    }
    const int opened_at = token_.offset;
    accept('(');
    std::vector<Expr> arguments{sum()};
    while (accept(',')) arguments.push_back(sum());
    close_parenthesis(opened_at);

    const int given = static_cast<int>(arguments.size());
    const bool any_number = function->op == Op::kMin || function->op == Op::kMax;
    if (any_number ? given < 2 : given != function->arguments) {
      throw ExpressionError(token.offset,
                            fmt::format("{} takes {}{} argument{}, got {}", token.text, function->arguments,
                                        any_number ? " or more" : "", function->arguments == 1 ? "" : "s", given));
    }
    if (function->arguments == 1) return graph_.apply(function->op, arguments[0]);
    Expr result = arguments[0];
    for (int k = 1; k < given; ++k) result = graph_.apply(function->op, result, arguments[k]);
    return result;
  }

  Lexer lexer_;
  ExprGraph& graph_;
  const NameResolver& resolve_;
  std::span<const std::string> known_names_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

Expr parse_expression(std::string_view text, ExprGraph& graph, const NameResolver& resolve,
                      std::span<const std::string> known_names) {
  return Parser(text, graph, resolve, known_names).parse();
}

std::vector<NameInExpression> names_in_expression(std::string_view text) {
  std::vector<NameInExpression> names;
  Lexer lexer(text);
  try {
    for (Token token = lexer.next(); token.kind != Token::Kind::kEnd; token = lexer.next()) {
      if (token.kind != Token::Kind::kName || find_function(token.text)) continue;
      names.push_back({std::string(token.text), token.offset});
    }
  } catch (const ExpressionError&) {  // parse_expression will say it
  }
  return names;
}

std::span<const std::string> function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Function& function : kFunctions) list.emplace_back(function.name);
    return list;
  }();
  return names;
}

bool is_valid_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

}  // namespace tippe
