// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/series_program.h"

#include <array>

#include "support/random.h"
#include "tippe/expr/program.h"
#include "tippe/expr/scalar.h"

namespace tippe::expr_series_program_test {

constexpr int kOrder = 20;
using Series = std::vector<double>;

/// Coefficients 0 .. kOrder of expressions of inputs x, y, ...; a series that is too short ends in zeros.
class Calculator {
 public:
  Calculator(std::span<const Expr> outputs, const std::vector<Series>& inputs)
      : program_(static_cast<int>(inputs.size()), kOrder, outputs), memory_(program_.make_memory()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      for (size_t k = 0; k < inputs[i].size(); ++k) memory_[program_.input(static_cast<int>(i)) + k] = inputs[i][k];
    }
    evaluate();
  }
  void evaluate() {
    for (int k = 0; k <= kOrder; ++k) program_.evaluate(k, memory_);
  }
  void force(int number, int branch) {
    program_.force(number, branch, memory_);
    evaluate();
  }
  Series output(int number) const { return read(program_.output(number)); }
  Series argument(int number) const { return read(program_.switch_argument(number)); }
  const SeriesProgram& program() const { return program_; }

 private:
  Series read(size_t at) const { return {memory_.begin() + at, memory_.begin() + at + kOrder + 1}; }

  SeriesProgram program_;
  std::vector<double> memory_;
};

Series series_of(Expr y, const std::vector<Series>& inputs) {
  return Calculator({&y, 1}, inputs).output(0);
}

void expect_near(const Series& actual, const Series& expected, double tolerance, const std::string& what) {
  for (int k = 0; k <= kOrder; ++k) {
    const double value = k < static_cast<int>(expected.size()) ? expected[static_cast<size_t>(k)] : 0.0;
    EXPECT_NEAR(actual[static_cast<size_t>(k)], value, tolerance * (1.0 + std::abs(value))) << what << ", coefficient " << k;
  }
}

template <class Coefficient>
Series make_series(Coefficient&& coefficient) {
  Series series;
  for (int k = 0; k <= kOrder; ++k) series.push_back(coefficient(k));
  return series;
}

double binomial(double c, int k) {
  double product = 1.0;
  for (int j = 0; j < k; ++j) product *= (c - j) / (j + 1);
  return product;
}

// At x = x0 + s the coefficients are the derivatives over k!.
TEST(SeriesProgram, ElementaryFunctionsHaveTheirKnownSeries) {
  ExprGraph graph;
  const Expr x = graph.input(0);
  const double x0 = 0.7, pi = std::acos(-1.0);
  const std::vector<Series> at_x0 = {{x0, 1.0}}, at_1 = {{1.0, 1.0}}, at_0 = {{0.0, 1.0}};
  const auto over_factorial = [](double value, int k) { return value / std::tgamma(k + 1.0); };
  const auto sign = [](int k) { return k % 2 == 0 ? 1.0 : -1.0; };
  constexpr double kTolerance = 1e-14;

  const auto derivatives = [&](auto&& derivative) {
    return make_series([&](int k) { return over_factorial(derivative(k), k); });
  };
  expect_near(series_of(sin(x), at_x0), derivatives([&](int k) { return std::sin(x0 + k * pi / 2); }), kTolerance, "sin");
  expect_near(series_of(cos(x), at_x0), derivatives([&](int k) { return std::cos(x0 + k * pi / 2); }), kTolerance, "cos");
  expect_near(series_of(exp(x), at_x0), derivatives([&](int) { return std::exp(x0); }), kTolerance, "exp");
  const auto sinh_or_cosh = [&](bool sinh) { return sinh ? std::sinh(x0) : std::cosh(x0); };
  expect_near(series_of(sinh(x), at_x0), derivatives([&](int k) { return sinh_or_cosh(k % 2 == 0); }), kTolerance, "sinh");
  expect_near(series_of(cosh(x), at_x0), derivatives([&](int k) { return sinh_or_cosh(k % 2 == 1); }), kTolerance, "cosh");

  expect_near(series_of(log(x), at_1), make_series([&](int k) { return k == 0 ? 0.0 : -sign(k) / k; }), kTolerance, "log");
  expect_near(series_of(1.0 / x, at_1), make_series(sign), kTolerance, "1/x");
  expect_near(series_of(sqrt(x), at_1), make_series([](int k) { return binomial(0.5, k); }), kTolerance, "sqrt");
  for (const double c : {1.7, -2.3, 0.25, 17.0, -19.0}) {
    expect_near(series_of(pow(x, c), at_1), make_series([c](int k) { return binomial(c, k); }), kTolerance,
                "power " + std::to_string(c));
  }

  const auto asin_coefficient = [](int k) { return k % 2 == 0 ? 0.0 : std::abs(binomial(-0.5, k / 2)) / k; };
  expect_near(series_of(asin(x), at_0), make_series(asin_coefficient), kTolerance, "asin");
  expect_near(series_of(acos(x), at_0), make_series([&](int k) { return k == 0 ? pi / 2 : -asin_coefficient(k); }),
              kTolerance, "acos");
  expect_near(series_of(atan(x), at_0), make_series([&](int k) { return k % 2 == 0 ? 0.0 : sign(k / 2) / k; }), kTolerance,
              "atan");
  // Abramowitz and Stegun 4.3.67, 4.5.64
  const std::array<double, 5> tangent = {1.0, 1.0 / 3.0, 2.0 / 15.0, 17.0 / 315.0, 62.0 / 2835.0};
  const Series tan_series = series_of(tan(x), at_0), tanh_series = series_of(tanh(x), at_0);
  for (int n = 0; n < 5; ++n) {
    EXPECT_NEAR(tan_series[static_cast<size_t>(2 * n + 1)], tangent[static_cast<size_t>(n)], kTolerance);
    EXPECT_NEAR(tanh_series[static_cast<size_t>(2 * n + 1)], sign(n) * tangent[static_cast<size_t>(n)], kTolerance);
  }
}

// x = 7/10 + s/2 - s^2/4, y = 5/4 - s + s^3/8; coefficients by mpmath with 60 digits, from Cauchy's integral on a circle.
TEST(SeriesProgram, CompositionsAgreeWithSixtyDigits) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> outputs = {
      exp(-(x * tan(0.5 * y))) / sqrt(1.0 + pow(atan2(x, y), 2.0)),
      pow(x, 1.7) * log(y) + asin(x / 2.0) * acos(y / 3.0) - atan(x * y),
      sinh(x) * tanh(y) - cosh(x - y) + sin(x * y) * cos(x / y),
      pow(x, y) + pow(graph.constant(2.0), x) + pow(x - 0.7, 17.0) + pow(y, -3.0),
  };
  const std::vector<Series> expected = {
      {0.53749686901013032,     -0.04836132871910466,   0.11966984932838286,    -0.14433761434926533,
       0.10587331963225375,     -0.048394481618041735,  0.033466900272181007,   -0.031379407722732079,
       0.01354640622758262,     -0.0039546238762665434, 0.0048224857071773052,  -0.0025132236194127481,
       -0.00024515302935166568, -4.5558000867590488e-5, 0.00032995682672980859, 0.00015727927419528243,
       -0.00017411659438548662, -2.7313226065756462e-5, -4.8618528891319693e-6, 4.4990219575208506e-5,
       -3.430659232818914e-6},
      {-0.18914498662061302,  0.18960157897937417,    -0.32968605016561077,   -0.38841759844309073,  0.2766013343803593,
       -0.12262049679887084,  0.047766999413962246,   -0.02822121041899483,   0.0071582695035611915, 0.016548985934148151,
       -0.015098490652961777, 0.020743661029290643,   -0.017875285001164574,  0.012586436850504096,  -0.0086943542844435612,
       0.0035115047721559614, 0.00031342667812127708, -0.0027206892700379107, 0.0043603951006697277, -0.0046937519212938795,
       0.004288033374630956},
      {0.13869788487955448,     0.8004105145312383,      -2.8365034708801871,    0.53494023687902046,
       -0.34369607209342191,    0.54046102704433458,     0.16449708173124054,    -0.10588425263647755,
       0.035360189211129592,    -0.0015718967742852072,  0.016768679307960595,   0.014001275971401728,
       -0.0079993053172682465,  -0.0039329182507516407,  -0.0035093986354946936, -0.0026992338376861823,
       -0.00073944217156710487, -0.00059409326226682311, -0.0003770822347042084, -0.00015845290557631706,
       -2.0973118170992099e-5},
      {2.7767886461725572,    2.5918656779930696,     1.3346256200033145,    2.0708459980491213,    3.086837108743586,
       2.4820864205998602,    2.0875962543247519,     1.8661774621675719,    1.3410777011070584,    0.9237253296878275,
       0.62598186233222487,   0.38000590477496161,    0.20886878925837402,   0.10549834444030621,   0.041592731108647363,
       0.0082733982346830566, -0.0071853671788190212, -0.011729638850690515, -0.011886136917181162, -0.0090319529138479874,
       -0.0074736342371627293},
  };
  const Calculator calculator(outputs, {{0.7, 0.5, -0.25}, {1.25, -1.0, 0.0, 0.125}});
  for (int f = 0; f < 4; ++f)
    expect_near(calculator.output(f), expected[static_cast<size_t>(f)], 1e-13, "function " + std::to_string(f));
}

// To round-off times the size of the intermediate coefficients, up to 1e4 where a singularity is near.
TEST(SeriesProgram, IdentitiesHoldOrderByOrder) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1), zero = graph.constant(0.0), one = graph.constant(1.0);
  struct Identity {
    const char* name;
    Expr left, right;
  };
  const std::vector<Identity> identities = {
      {"sin^2 + cos^2", sin(x) * sin(x) + cos(x) * cos(x), one},
      {"cosh^2 - sinh^2", cosh(x) * cosh(x) - sinh(x) * sinh(x), one},
      {"exp log", exp(log(x)), x},
      {"log exp", log(exp(y)), y},
      {"asin sin", asin(sin(x)), x},
      {"acos cos", acos(cos(x)), x},
      {"atan tan", atan(tan(x)), x},
      {"tan", tan(x) * cos(x), sin(x)},
      {"tanh", tanh(y) * cosh(y), sinh(y)},
      {"atan2", atan2(exp(y) * sin(x), exp(y) * cos(x)), x},
      {"sqrt", sqrt(x * exp(y)), sqrt(x) * sqrt(exp(y))},
      {"power", pow(x, 1.3) * pow(x, -1.3), one},
      {"sum of powers", pow(x, 0.3) * pow(x, 2.4), pow(x, 2.7)},
      {"power of powers", pow(pow(x, y), 1.5), pow(x, 1.5 * y)},
      {"whole power", pow(y, 18.0), pow(y, 9.0) * pow(y, 9.0)},
      {"quotient", (y / x) * x, y},
      {"squares", (x + y) * (x + y) - (x - y) * (x - y) - 4.0 * (x * y), zero},
      {"larger and smaller", max(x, y) + min(x, y), x + y},
      {"absolute value", abs(y) * sign(y), y},
      {"maximum", max(x, y), 0.5 * (x + y + abs(x - y))},
  };
  test::Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Series> inputs(2);
    for (Series& input : inputs) input = make_series([&](int k) { return random.uniform(-1.0, 1.0) * std::pow(0.5, k); });
    inputs[0][0] = random.uniform(0.6, 1.2);  // where the branches of asin, acos and atan are the principal ones
    for (const Identity& identity : identities)
      expect_near(series_of(identity.left, inputs), series_of(identity.right, inputs), 1e-11, identity.name);
  }
}

// (s + 2 s^2)^n = s^n (1 + 2 s)^n.
TEST(SeriesProgram, WholePowersAreAnalyticAtZero) {
  ExprGraph graph;
  const Expr x = graph.input(0);
  for (const int n : {2, 3, 16, 17, 19}) {
    expect_near(series_of(pow(x, n), {{0.0, 1.0, 2.0}}),
                make_series([n](int k) { return k < n ? 0.0 : binomial(n, k - n) * std::pow(2.0, k - n); }), 1e-14,
                "power " + std::to_string(n));
  }
}

TEST(SeriesProgram, CoefficientZeroIsTheValue) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> outputs = {x + y,       x / y, max(x, y),          sign(x - y), atan2(x, y), tanh(x) - sqrt(y),
                                     pow(x, 1.5), x,     graph.constant(3.0)};
  const double at[2] = {0.3, 0.8};
  const Calculator calculator(outputs, {{at[0], 1.0}, {at[1], -2.0}});
  ExprProgram program(2);
  const int f = program.add(outputs);
  std::vector<double> memory = program.make_memory(), values(outputs.size());
  std::copy_n(at, 2, memory.begin());
  program.evaluate(f, memory, values.data());
  for (size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(calculator.output(static_cast<int>(i))[0], values[i]) << i;
}

// sin and cos serve each other, the argument of both is x: three operations with their product.
TEST(SeriesProgram, CommonPartsAreEvaluatedOnce) {
  ExprGraph graph;
  const Expr x = graph.input(0), s = sin(x), c = cos(x);
  const std::vector<Expr> outputs = {s * c, s, c, s * c};
  EXPECT_EQ(SeriesProgram(1, kOrder, outputs).operations(), 3);
}

TEST(SeriesProgram, NotAnalyticMeansNotFinite) {
  ExprGraph graph;
  const Expr x = graph.input(0);
  const Series leaving = {0.0, 0.0, 1.0}, resting = {0.0};
  for (const Expr y : {sqrt(x), pow(x, 1.5), pow(x, 0.3), asin(1.0 - x), acos(1.0 - x)}) {
    EXPECT_FALSE(std::isfinite(series_of(y, {leaving})[kOrder]));
    const Series constant = series_of(y, {resting});
    for (int k = 1; k <= kOrder; ++k) EXPECT_EQ(constant[static_cast<size_t>(k)], 0.0);
  }
  for (const Expr y : {1.0 / x, log(x), pow(x, -0.5), pow(x, -17.0), atan2(x, 2.0 * x)})
    EXPECT_FALSE(std::isfinite(series_of(y, {leaving})[kOrder]));
  EXPECT_TRUE(std::isnan(series_of(max(x, sqrt(x - 1.0)), {resting})[0]));
}

TEST(SeriesProgram, BranchIsThatOfTheStart) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> outputs = {abs(x),
                                     sign(x),
                                     min(x, y),
                                     max(x, y),
                                     graph.apply(Op::kGreaterEqual, x, y),
                                     graph.apply(Op::kSelect, graph.apply(Op::kGreaterEqual, x, y), sin(x), x * y)};
  const Series a = {-1.0, 3.0}, b = {2.0, -5.0, 1.0};
  const Calculator calculator(outputs, {a, b});
  expect_near(calculator.output(0), {1.0, -3.0}, 0.0, "abs");
  expect_near(calculator.output(1), {-1.0}, 0.0, "sign");
  expect_near(calculator.output(2), a, 0.0, "min");
  expect_near(calculator.output(3), b, 0.0, "max");
  expect_near(calculator.output(4), {0.0}, 0.0, ">=");
  expect_near(calculator.output(5), {-2.0, 11.0, -16.0, 3.0}, 0.0, "select");
}

// x, -x, 2 x and -3 x have their roots in common, and so have x - y and y - x.
TEST(SeriesProgram, SwitchesWithTheSameRootsAreOne) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> outputs = {abs(x),     sign(-x),     max(2.0 * x, graph.constant(0.0)), min(x, y), max(y, x),
                                     abs(y - x), abs(-3.0 * x)};
  Calculator calculator(outputs, {{1.0, 1.0}, {3.0}});
  ASSERT_EQ(calculator.program().switches(), 2);
  expect_near(calculator.argument(0), {1.0, 1.0}, 0.0, "x");
  EXPECT_EQ(std::abs(calculator.argument(1)[0]), 2.0);
  expect_near(calculator.output(1), {-1.0}, 0.0, "sign(-x)");
  expect_near(calculator.output(3), {1.0, 1.0}, 0.0, "min");
  expect_near(calculator.output(4), {3.0}, 0.0, "max");
  expect_near(calculator.output(5), {2.0, -1.0}, 0.0, "abs(y - x)");
  expect_near(calculator.output(6), {3.0, 3.0}, 0.0, "abs(-3 x)");

  calculator.force(0, -1);
  expect_near(calculator.output(0), {-1.0, -1.0}, 0.0, "abs, forced");
  expect_near(calculator.output(1), {1.0}, 0.0, "sign(-x), forced");
  expect_near(calculator.output(2), {0.0}, 0.0, "max(2 x, 0), forced");
  calculator.force(0, 0);
  calculator.force(1, calculator.argument(1)[0] > 0.0 ? -1 : 1);
  expect_near(calculator.output(0), {1.0, 1.0}, 0.0, "abs");
  expect_near(calculator.output(3), {3.0}, 0.0, "min, forced");
  expect_near(calculator.output(4), {1.0, 1.0}, 0.0, "max, forced");
  expect_near(calculator.output(5), {-2.0, 1.0}, 0.0, "abs(y - x), forced");
}

TEST(SeriesProgram, KinksAtTheStartFollowTheFirstCoefficientThatIsNotZero) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> outputs = {abs(x), max(y, y + x), min(y, y + x), sign(x),
                                     graph.apply(Op::kGreaterEqual, x, graph.constant(0.0))};
  const Series a = {0.0, 0.0, -3.0, 7.0}, b = {2.0, 1.0, 1.0};
  Calculator calculator(outputs, {a, b});
  expect_near(calculator.output(0), {0.0, 0.0, 3.0, -7.0}, 0.0, "abs");
  expect_near(calculator.output(1), b, 0.0, "max");
  expect_near(calculator.output(2), {2.0, 1.0, -2.0, 7.0}, 0.0, "min");
  expect_near(calculator.output(3), {0.0}, 0.0, "sign");
  expect_near(calculator.output(4), {1.0}, 0.0, ">=");

  for (const int branch : {1, -1}) {
    for (int s = 0; s < calculator.program().switches(); ++s)
      if (calculator.argument(s) == Calculator({&x, 1}, {a}).output(0)) calculator.force(s, branch);
    expect_near(calculator.output(0), {0.0, 0.0, -3.0 * branch, 7.0 * branch}, 0.0, "abs, forced");
    expect_near(calculator.output(3), {1.0 * branch}, 0.0, "sign, forced");
    expect_near(calculator.output(4), {branch > 0 ? 1.0 : 0.0}, 0.0, ">=, forced");
  }
}

}  // namespace tippe::expr_series_program_test
