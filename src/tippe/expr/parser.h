// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Reads  + - * / ^ ( ) , numbers, names, names with a prime, and the functions below. ^ is right associative
/// and binds tighter than unary minus: -x^2 = -(x^2), 2^-1 = 0.5. `pi` is known. `known_names` serve the
/// suggestion when a name is unknown.
[[nodiscard]] Expr parse_expression(std::string_view text, ExprGraph& graph, const NameResolver& resolve,
                                    std::span<const std::string> known_names);

/// The names that occur in a text, functions left out, each with its offset; for finding which parameters
/// need which. Stops at the first thing that is no expression.
struct NameInExpression {
  std::string name;
  int offset;
};
[[nodiscard]] std::vector<NameInExpression> names_in_expression(std::string_view text);

[[nodiscard]] std::span<const std::string> function_names();

/// A letter or _ first, then letters, digits and _.
[[nodiscard]] bool is_valid_name(std::string_view name);

}  // namespace tippe
