// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/integrate/discrete_derivative.h"

namespace tippe {

/// The inner function p of f = F(p): the outermost proper part of f through which all its coordinates act, inputs 0 .. n - 1. None if
/// there is no such part.
[[nodiscard]] std::optional<Expr> inner_function(ExprGraph& graph, Expr f, int n);

/// [F(p(b)) - F(p(a))] / [p(b) - p(a)] of f = F(p), written so that no difference is divided by another one: the slope stays accurate
/// where p(b) - p(a) vanishes, and becomes F'(p). Made of the slopes of single operations, such as
///   sqrt: 1 / (sqrt x0 + sqrt x1) ,     sin: cos((x0 + x1)/2) sin(h)/h with h = (x1 - x0)/2 .
/// None where f contains an operation without such an identity.
[[nodiscard]] std::optional<Expr> discrete_slope(ExprGraph& graph, Difference& difference, Expr f, Expr p);

}  // namespace tippe
