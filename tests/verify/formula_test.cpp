// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/formula.h"

#include <cmath>

#include "tippe/expr/scalar.h"

namespace tippe::verify_formula_test {

using verify::Formula;
using verify::Real;
using verify::Vector;

constexpr double kRoundOff = 1e-16;

Vector at(std::initializer_list<Real> values) {
  Vector x(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const Real value : values) x[i++] = value;
  return x;
}

// f = x^2 y + sin(x) exp(y): gradient and its change along (1, 2) in closed form.
TEST(VerifyFormula, HasGradientAndSecondDerivativesOfAClosedForm) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const Formula f(x * x * y + sin(x) * exp(y));
  const Real a = 0.7L, b = -0.3L, s = std::sin(a), c = std::cos(a), e = std::exp(b);
  Vector g(2), change(2);
  f.gradient(at({a, b}), at({1.0L, 2.0L}), g, change);
  EXPECT_NEAR(static_cast<double>(f.value(at({a, b})) - (a * a * b + s * e)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(g[0] - (2 * a * b + c * e)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(g[1] - (a * a + s * e)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(change[0] - ((2 * b - s * e) + 2 * (2 * a + c * e))), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(change[1] - ((2 * a + c * e) + 2 * (s * e))), 0.0, kRoundOff);
}

// x^2 y + sin(x) exp(y) is two terms, with minus in between one of them turned round: their second derivatives add up to those in closed form.
TEST(VerifyFormula, IsTheSumOfItsTerms) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1), first = x * x * y, second = sin(x) * exp(y), third = x * y;
  const std::vector<Formula> terms = Formula::terms_of(first - (second - third));
  ASSERT_EQ(terms.size(), 3u);
  const Vector here = at({0.7L, -0.3L});
  Real value = 0.0L, xx = 0.0L, xy = 0.0L, yx = 0.0L, yy = 0.0L;
  for (const Formula& term : terms) {
    value += term.value(here);
    for (const auto& entry : term.second_slopes(here))
      (entry.row() == 0 ? (entry.col() == 0 ? xx : xy) : (entry.col() == 0 ? yx : yy)) += entry.value();
  }
  const Real a = here[0], b = here[1], s = std::sin(a), c = std::cos(a), e = std::exp(b);
  EXPECT_NEAR(static_cast<double>(value - (a * a * b - s * e + a * b)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(xx - (2 * b + s * e)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(xy - (2 * a - c * e + 1)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(yx - (2 * a - c * e + 1)), 0.0, kRoundOff);
  EXPECT_NEAR(static_cast<double>(yy + s * e), 0.0, kRoundOff);
}

// Terms that cancel: 3 of (x + 3) - 3; in y sin(x) + 2 y, where x is small, the size of 2 y.
TEST(VerifyFormula, HasTheSizeOfItsTerms) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  EXPECT_NEAR(static_cast<double>(Formula((x + 3.0) - sqrt(y)).size(at({1e-20L, 9.0L}))), 3.0, 1e-15);
  EXPECT_NEAR(static_cast<double>(Formula(y * sin(x) + 2.0 * y).size(at({1e-9L, 1e-12L}))), 2e-12, 1e-20);
}

// Every operation against differences: first derivatives of values, second ones of first ones.
TEST(VerifyFormula, DifferentiatesEveryOperation) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> all = {x + y,  x - y,   x * y,   x / y,   -x,          pow(x, 3.0),   pow(x, y),  sin(x),  cos(x),
                                 tan(x), asin(x), acos(x), atan(x), atan2(x, y), sinh(x),       cosh(x),    tanh(x), exp(x),
                                 log(x), sqrt(x), abs(-x), sign(x), min(x, y),   max(x, y * x), pow(x, 0.5)};
  const Vector here = at({0.4L, 0.9L}), along = at({0.8L, -0.6L});
  const Real step = 1e-6L;
  for (const Expr plain : all) {
    const Formula f(plain * plain + plain * x);  // so that second derivatives matter
    Vector g(2), change(2), ahead(2), behind(2), unused(2);
    f.gradient(here, along, g, change);
    f.gradient(here + step * along, ahead);
    f.gradient(here - step * along, behind);
    const Real slope = (f.value(here + step * along) - f.value(here - step * along)) / (2 * step);
    EXPECT_NEAR(static_cast<double>(g.dot(along) - slope), 0.0, 1e-9);
    EXPECT_NEAR(static_cast<double>((change - (ahead - behind) / (2 * step)).norm()), 0.0, 1e-9);
  }
}

}  // namespace tippe::verify_formula_test
