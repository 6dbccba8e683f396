// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "tippe/core/suggest.h"
#include "tippe/expr/lexer.h"

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

constexpr std::string_view kSum = "sum";  // not in the table: its last argument is read once per value of its index

const Function* find_function(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

/// The text with what is in braces replaced by its value, which number_at(begin, end) tells.
template <class NumberAt>
std::string replace_braces(std::string_view text, NumberAt&& number_at) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      result += text[at];
      continue;
    }
    const size_t close = text.find('}', at);
    if (close == std::string_view::npos) throw ExpressionError(static_cast<int>(at), "'{' without its '}'");
    result += std::to_string(number_at(at + 1, close));
    at = close;
  }
  return result;
}

class Parser {
 public:
  /// Reads from `begin` to the end of the text; errors count from the beginning of the text.
  Parser(std::string_view text, ExprGraph& graph, const NameResolver& resolve, std::span<const std::string> known_names,
         std::span<const IndexValue> indices, size_t begin = 0)
      : text_(text),
        lexer_(text, begin),
        graph_(graph),
        resolve_(resolve),
        known_names_(known_names),
        indices_(indices.begin(), indices.end()),
        outer_indices_(indices.size()),
        token_(lexer_.next()) {}

  /// Notes every name that is read.
  void note_names(std::vector<NameInExpression>& used) { used_ = &used; }

  /// An error inside a sum tells at which value of its index.
  Expr parse_or_tell_indices() {
    try {
      return parse();
    } catch (const ExpressionError& error) {
      const std::string values = describe_indices(std::span(indices_).subspan(outer_indices_));
      throw ExpressionError(error.offset(), error.what() + values);
    }
  }

  Expr parse() {
    if (token_.kind == Token::Kind::kEnd) throw ExpressionError(token_.offset, "the expression is empty");
    const Expr result = sum();
    if (is_symbol(')')) throw ExpressionError(token_.offset, "')' without its '('");
    if (token_.kind != Token::Kind::kEnd) throw missing_operator();
    return result;
  }

  /// A text with whole numbers in it, of indices and of names that stand for constants.
  struct Number {
    std::string_view text;
    ExprGraph& graph;
    const NameResolver& resolve;
    std::span<const IndexValue> indices;
    std::vector<NameInExpression>* used;
  };
  /// The one in text[begin .. end - 1].
  static std::int64_t whole_number_at(const Number& number, size_t begin, size_t end) {
    std::vector<std::string> known;
    for (const IndexValue& index : number.indices) known.push_back(index.name);
    const NameResolver resolve = [&](std::string_view name) -> std::optional<Expr> {
      for (const IndexValue& index : number.indices) {
        if (index.name == name) return number.graph.constant(static_cast<double>(index.value));
      }
      return number.resolve(name);
    };
    Parser inner(number.text.substr(0, end), number.graph, resolve, known, {}, begin);
    inner.used_ = number.used;
    return whole_number(inner.parse(), static_cast<int>(begin));
  }

 private:
  static constexpr std::int64_t kMostTerms = 1000000;  // of nested sums too
  static constexpr int kDeepestNesting = 200;          // deeper is a mistake, and recursion needs a bound

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
      case Token::Kind::kBraces:
        advance();
        return graph_.constant(
            static_cast<double>(number_in_braces(token.offset + 1, token.offset + token.text.size() - 1)));
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

  std::int64_t number_in_braces(size_t begin, size_t end) {
    return whole_number_at({text_, graph_, resolve_, indices_, used_}, begin, end);
  }

  static std::int64_t whole_number(Expr value, int offset) {
    constexpr double kLargest = 1e15;  // doubles count exactly up to here
    if (!value.is_constant())
      throw ExpressionError(offset, "a whole number is needed here, which only indices and parameters give");
    const double number = value.constant_value();
    if (number != std::floor(number) || std::abs(number) > kLargest)
      throw ExpressionError(offset, fmt::format("a whole number is needed here, this is {}", number));
    return static_cast<std::int64_t>(number);
  }

  Expr name(const Token& token) {
    if (token.text.find('{') == std::string_view::npos) return name(token.text, token.offset);
    const auto offset = static_cast<size_t>(token.offset);
    const std::string filled =
        replace_braces(token.text, [&](size_t begin, size_t end) { return number_in_braces(offset + begin, offset + end); });
    return name(filled, token.offset);
  }

  Expr name(std::string_view text, int offset) {
    if (text == "pi") return graph_.constant(std::numbers::pi);
    if (const std::optional<Expr> meaning = resolve_(text)) {
      if (used_ != nullptr) used_->push_back({std::string(text), offset});
      return *meaning;
    }
    for (const IndexValue& index : indices_) {
      if (index.name == text)
        throw ExpressionError(offset, fmt::format("the index '{0}' is written in braces: {{{0}}}", text));
    }
    if (text == kSum || find_function(text)) {
      throw ExpressionError(offset, fmt::format("the function {} needs its argument in parentheses", text));
    }
    std::vector<std::string> candidates(known_names_.begin(), known_names_.end());
    candidates.emplace_back("pi");
    for (const std::string& function : function_names()) candidates.push_back(function);
    const std::string rate = rate_meant(text);
    throw ExpressionError(offset, fmt::format("unknown name '{}'{}", text,
                                              rate.empty() ? did_you_mean(text, candidates)
                                                           : fmt::format("; the rate of {0} is written {0}'", rate)));
  }

  /// The x of xdot, x_dot and dx, where x is known; else "".
  [[nodiscard]] std::string rate_meant(std::string_view text) const {
    const auto known = [&](std::string_view name) {
      return std::find(known_names_.begin(), known_names_.end(), std::string(name) + "'") != known_names_.end();
    };
    for (const std::string_view end : {"_dot", "dot"}) {
      if (text.ends_with(end) && known(text.substr(0, text.size() - end.size())))
        return std::string(text.substr(0, text.size() - end.size()));
    }
    if (text.starts_with('d') && known(text.substr(1))) return std::string(text.substr(1));
    return {};
  }

  /// sum(i, first, last, expression with {i}): the expression is read again for each value of the index.
  Expr repeated_sum(const Token& token) {
    const std::string form = "sum is written sum(i, 1, 12, expression with {i})";
    const int opened_at = token_.offset;
    accept('(');
    const Token index = token_;
    if (index.kind != Token::Kind::kName || !is_valid_name(index.text)) throw ExpressionError(index.offset, form);
    const std::string index_name(index.text);
    require_free_index(index_name, index.offset);
    advance();
    std::array<std::int64_t, 2> bounds{};
    for (std::int64_t& bound : bounds) {
      if (!accept(',')) throw ExpressionError(token_.offset, form);
      const int offset = token_.offset;
      bound = whole_number(sum(), offset);
    }
    if (!is_symbol(',')) throw ExpressionError(token_.kind == Token::Kind::kEnd ? opened_at : token_.offset, form);
    if (bounds[1] - bounds[0] >= kMostRepetitions) throw ExpressionError(token.offset, too_many_repetitions());
    if (bounds[1] < bounds[0]) {
      skip_to_close(opened_at);
      return graph_.constant(0.0);
    }
    terms_ += bounds[1] - bounds[0] + 1;
    if (terms_ > kMostTerms) throw ExpressionError(token.offset, fmt::format("more than {} terms in all sums", kMostTerms));
    const Lexer body = lexer_;
    Expr total = graph_.constant(0.0);
    indices_.push_back({index_name, 0});
    for (std::int64_t value = bounds[0]; value <= bounds[1]; ++value) {
      indices_.back().value = value;
      lexer_ = body;
      advance();
      total = total + sum();
      if (is_symbol(',')) throw ExpressionError(token_.offset, form);
      if (!is_symbol(')')) close_parenthesis(opened_at);  // which says what is wrong
    }
    indices_.pop_back();
    accept(')');
    return total;
  }

  void require_free_index(const std::string& index, int offset) {
    const bool is_index =
        std::any_of(indices_.begin(), indices_.end(), [&](const IndexValue& outer) { return outer.name == index; });
    if (is_index || index == "pi" || index == kSum || find_function(index) || (used_ == nullptr && resolve_(index)))
      throw ExpressionError(offset,
                            fmt::format("the index '{}' has a name that means something else here; take another", index));
  }

  /// Over what an empty sum would add: it need not make sense.
  void skip_to_close(int opened_at) {
    for (int depth = 1; depth > 0; advance()) {
      if (token_.kind == Token::Kind::kEnd) throw ExpressionError(opened_at, "'(' without its ')'");
      depth += is_symbol('(') ? 1 : is_symbol(')') ? -1 : 0;
    }
  }

  Expr call(const Token& token) {
    if (token.text == kSum) return repeated_sum(token);
    const Function* function = find_function(token.text);
    if (function == nullptr) {
      if (token.text.find('{') != std::string_view::npos)
        throw ExpressionError(token_.offset, fmt::format("an operator is missing between '{}' and '('", token.text));
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

  std::string_view text_;
  Lexer lexer_;
  ExprGraph& graph_;
  const NameResolver& resolve_;
  std::span<const std::string> known_names_;
  std::vector<IndexValue> indices_;  // given ones, then those of the sums that are open
  size_t outer_indices_;             // how many were given
  Token token_;
  int depth_ = 0;
  std::int64_t terms_ = 0;  // of all sums so far
  std::vector<NameInExpression>* used_ = nullptr;
};

}  // namespace

Expr parse_expression(std::string_view text, ExprGraph& graph, const NameResolver& resolve,
                      std::span<const std::string> known_names, std::span<const IndexValue> indices) {
  return Parser(text, graph, resolve, known_names, indices).parse_or_tell_indices();
}

std::vector<NameInExpression> names_in_expression(std::string_view text, std::span<const IndexValue> indices,
                                                  const NumberResolver& known) {
  std::vector<NameInExpression> names;
  ExprGraph graph;
  const NameResolver resolve = [&](std::string_view name) -> std::optional<Expr> {
    return graph.constant((known ? known(name) : std::nullopt).value_or(std::nan("")));
  };
  try {
    Parser parser(text, graph, resolve, {}, indices);
    parser.note_names(names);
    (void)parser.parse();
  } catch (const ExpressionError&) {  // parse_expression will say it
  }
  return names;
}

std::int64_t parse_whole_number(std::string_view text, size_t begin, size_t end, const NumberResolver& known,
                                std::span<const IndexValue> indices) {
  ExprGraph graph;
  const NameResolver resolve = [&](std::string_view name) -> std::optional<Expr> {
    const std::optional<double> value = known(name);
    return value ? std::optional(graph.constant(*value)) : std::nullopt;
  };
  const Parser::Number number{text, graph, resolve, indices, nullptr};
  return Parser::whole_number_at(number, begin, end);
}

std::string fill_braces(std::string_view text, const NumberResolver& known, std::span<const IndexValue> indices) {
  return replace_braces(text,
                        [&](size_t begin, size_t end) { return parse_whole_number(text, begin, end, known, indices); });
}

std::string describe_indices(std::span<const IndexValue> indices) {
  if (indices.empty()) return {};
  std::string list;
  for (const IndexValue& index : indices)
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", index.name, index.value);
  return " (for " + list + ")";
}

std::string too_many_repetitions() {
  return fmt::format("more than {} repetitions", kMostRepetitions);
}

std::span<const std::string> function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Function& function : kFunctions) list.emplace_back(function.name);
    list.emplace_back(kSum);
    return list;
  }();
  return names;
}

}  // namespace tippe
