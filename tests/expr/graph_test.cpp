// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/graph.h"

#include "support/random.h"
#include "tippe/expr/parser.h"
#include "tippe/expr/program.h"

namespace tippe::expr_graph_test {

/// Expressions of x, y, z = inputs 0, 1, 2.
class Expressions {
 public:
  Expr parse(const std::string& text) {
    const std::vector<std::string> names = {"x", "y", "z"};
    return parse_expression(
        text, graph,
        [&](std::string_view name) -> std::optional<Expr> {
          for (int k = 0; k < 3; ++k) {
            if (names[k] == name) return graph.input(k);
          }
          return std::nullopt;
        },
        names);
  }
  double value(Expr y, const Eigen::VectorXd& at) const {
    ExprProgram program(3);
    const int function = program.add({&y, 1});
    std::vector<double> memory = program.make_memory();
    std::copy(at.begin(), at.end(), memory.begin());
    double result = 0.0;
    program.evaluate(function, memory, &result);
    return result;
  }
  ExprGraph graph;
};

const std::vector<std::string> kSmoothExpressions = {"x + 2*y - z/3",
                                                     "x*y*z",
                                                     "x/y + y/z",
                                                     "-x^2 + y^3 - z^-2",
                                                     "x^2.5*y",
                                                     "x^y",
                                                     "2^z",
                                                     "sin(x)*cos(y)",
                                                     "tan(x*y/4)",
                                                     "asin(x/5)*acos(y/5)",
                                                     "atan(z)",
                                                     "atan2(x, y + z)",
                                                     "sinh(x)*tanh(y) - cosh(z)",
                                                     "exp(x - y)",
                                                     "log(x + y + z)",
                                                     "sqrt(x*y + z)",
                                                     "abs(x - 5)*z",
                                                     "min(x, 4 + y)*max(y, z - 9)",
                                                     "max(x, y - 8, z - 9)",
                                                     "sign(x)*y",
                                                     "(x + y)^2*(x - z)^3/(1 + x^2)",
                                                     "x^17 / (1 + x^17)"};

class EveryExpression : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Derivatives, EveryExpression, testing::ValuesIn(kSmoothExpressions));

// Central differences of the value, and of the gradient for second derivatives: error O(step^2).
TEST_P(EveryExpression, GradientAndHessianMatchDifferences) {
  Expressions e;
  const Expr f = e.parse(GetParam());
  test::Random random(61);
  for (int trial = 0; trial < 5; ++trial) {
    Eigen::VectorXd at(3);
    for (double& entry : at) entry = random.uniform(0.5, 1.5);
    const double step = 1e-5;
    const auto difference = [&](Expr g, int k) {
      Eigen::VectorXd up = at, down = at;
      up[k] += step, down[k] -= step;
      return (e.value(g, up) - e.value(g, down)) / (2 * step);
    };
    for (int i = 0; i < 3; ++i) {
      const Expr f_i = e.graph.partial(f, i);
      EXPECT_NEAR(e.value(f_i, at), difference(f, i), 1e-8 * (1 + std::abs(difference(f, i)))) << "input " << i;
      for (int j = 0; j < 3; ++j) {
        const Expr f_ij = e.graph.partial(f_i, j);
        EXPECT_NEAR(e.value(f_ij, at), difference(f_i, j), 1e-7 * (1 + std::abs(difference(f_i, j)))) << i << j;
      }
    }
  }
}

TEST_P(EveryExpression, ForwardModeAgreesWithReverseMode) {
  Expressions e;
  const Expr f = e.parse(GetParam());
  const Eigen::Vector3d at(0.7, 1.2, 0.9), direction(0.3, -2.0, 0.5);
  ForwardDerivative along(e.graph,
                          {e.graph.constant(direction[0]), e.graph.constant(direction[1]), e.graph.constant(direction[2])});
  double expected = 0.0;
  for (int k = 0; k < 3; ++k) expected += direction[k] * e.value(e.graph.partial(f, k), at);
  EXPECT_NEAR(e.value(along(f), at), expected, 1e-13 * (1 + std::abs(expected)));
}

TEST_P(EveryExpression, SubstitutionIsEvaluationAtAnotherPoint) {
  Expressions e;
  const Expr f = e.parse(GetParam());
  Substitution fix_y(e.graph, {Expr(), e.graph.constant(1.2), Expr()});
  const Expr g = fix_y(f);
  for (const int input : e.graph.inputs_of(g)) EXPECT_NE(input, 1);
  EXPECT_NEAR(e.value(g, Eigen::Vector3d(0.7, std::nan(""), 0.9)), e.value(f, Eigen::Vector3d(0.7, 1.2, 0.9)), 1e-14);
}

TEST(ExprGraph, StructureShows) {
  Expressions e;
  // Like terms, zeros and ones disappear; equal expressions are the same node.
  EXPECT_EQ(e.parse("x + x").id(), e.parse("2*x").id());
  EXPECT_EQ(e.parse("3*x - x - 2*x").id(), e.parse("0").id());
  EXPECT_EQ(e.parse("0*y + 1*x^1").id(), e.parse("x").id());
  EXPECT_EQ(e.parse("y*x").id(), e.parse("x*y").id());
  EXPECT_EQ(e.parse("2*(3*x)").id(), e.parse("6*x").id());
  EXPECT_EQ(e.parse("--x").id(), e.parse("x").id());
  EXPECT_EQ(e.parse("sqrt(x)^2").id(), e.parse("x").id());
  // A quadratic form has constant second derivatives.
  const Expr T = e.parse("0.5*3*(x + 2*y)^2 + 0.5*z^2");
  EXPECT_TRUE(e.graph.partial(e.graph.partial(T, 0), 1).is_constant(6.0));
  EXPECT_TRUE(e.graph.partial(e.graph.partial(T, 0), 2).is_constant(0.0));
}

TEST(ExprGraph, DerivativesOfAChainGrowLinearly) {
  // sum_i (x_{i+1} - x_i)^2 sin(x_i): all first and second derivatives. Nodes per mass must not depend on the
  // length.
  double per_mass[2];
  for (int run = 0; run < 2; ++run) {
    const int n = run == 0 ? 200 : 2000;
    ExprGraph graph;
    Expr V = graph.constant(0.0);
    for (int i = 0; i + 1 < n; ++i) {
      const Expr stretch = graph.input(i + 1) - graph.input(i);
      V = V + stretch * stretch * graph.apply(Op::kSin, graph.input(i));
    }
    size_t entries = 0;
    for (const auto& [input, derivative] : graph.gradient(V, 0, n)) entries += graph.gradient(derivative, 0, n).size();
    EXPECT_EQ(entries, static_cast<size_t>(3 * n - 2));  // tridiagonal
    per_mass[run] = static_cast<double>(graph.size()) / n;
  }
  EXPECT_NEAR(per_mass[0], per_mass[1], 0.5);
}

TEST(ExprGraph, MinAndMaxPassNaNOn) {
  EXPECT_TRUE(std::isnan(evaluate_op(Op::kMin, std::nan(""), 1, 0)));
  EXPECT_TRUE(std::isnan(evaluate_op(Op::kMax, 1, std::nan(""), 0)));
  EXPECT_TRUE(std::isnan(evaluate_op(Op::kSign, std::nan(""), 0, 0)));
}

}  // namespace tippe::expr_graph_test
