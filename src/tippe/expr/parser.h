// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/expr/graph.h"

namespace tippe {

/// An expression that cannot be read: what is wrong, and where in its text (offset of a byte, from 0).
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(int offset, const std::string& message) : std::runtime_error(message), offset_(offset) {}
  [[nodiscard]] int offset() const { return offset_; }

 private:
  int offset_;
};

/// What a name stands for: a coordinate ("phi"), a velocity ("phi'"), a parameter, t. Nothing if the name is
/// unknown.
using NameResolver = std::function<std::optional<Expr>(std::string_view name)>;
/// The same for names that stand for numbers: parameters.
using NumberResolver = std::function<std::optional<double>(std::string_view name)>;

/// An index of a repetition and its present value: what {i} stands for.
struct IndexValue {
  std::string name;
  std::int64_t value;
};
/// " (for i = 3, j = 2)" for the end of a message; "" if there are none.
[[nodiscard]] std::string describe_indices(std::span<const IndexValue> indices);

/// More is a mistake, and would fill the memory.
constexpr std::int64_t kMostRepetitions = 100000;
[[nodiscard]] std::string too_many_repetitions();

/// Reads  + - * / ^ ( ) , numbers, names, names with a prime, and the functions below. ^ is right associative
/// and binds tighter than unary minus: -x^2 = -(x^2), 2^-1 = 0.5. `pi` is known. `known_names` serve the
/// suggestion when a name is unknown.
/// Braces hold a whole number, an expression of `indices` and of names that stand for constants: x{i+1} is the name x4 and
/// {2*i} the number 6 where i is 3. sum(i, 1, 12, expression) adds the expression for i = 1, 2, ..., 12.
[[nodiscard]] Expr parse_expression(std::string_view text, ExprGraph& graph, const NameResolver& resolve,
                                    std::span<const std::string> known_names, std::span<const IndexValue> indices = {});

/// The whole number in text[begin .. end - 1]; errors count from the beginning of the text.
[[nodiscard]] std::int64_t parse_whole_number(std::string_view text, size_t begin, size_t end, const NumberResolver& known,
                                              std::span<const IndexValue> indices);
/// Any text with each {expression} replaced by its value: "spoke {i+1}".
[[nodiscard]] std::string fill_braces(std::string_view text, const NumberResolver& known,
                                      std::span<const IndexValue> indices);

/// The names that an expression needs, functions left out, indices replaced, each with its offset; for finding which
/// parameters need which. Stops at the first thing that is no expression, or depends on a name that is not yet `known`.
struct NameInExpression {
  std::string name;
  int offset;
};
[[nodiscard]] std::vector<NameInExpression> names_in_expression(std::string_view text,
                                                                std::span<const IndexValue> indices = {},
                                                                const NumberResolver& known = {});

[[nodiscard]] std::span<const std::string> function_names();

/// A letter or _ first, then letters, digits and _.
[[nodiscard]] bool is_valid_name(std::string_view name);

}  // namespace tippe
