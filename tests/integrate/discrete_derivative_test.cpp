// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/discrete_derivative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"
#include "tippe/expr/program.h"

namespace tippe::integrate_discrete_derivative_test {

/// Functions of q = inputs 0, 1; a is inputs 2, 3 and b inputs 4, 5.
class DiscreteDerivatives : public testing::Test {
 protected:
  Expr apply(Op op, Expr operand, Expr second = {}) { return graph.apply(op, operand, second); }
  Expr number(double value) { return graph.constant(value); }

  Segment segment() {
    const Expr half = number(0.5);
    Segment s{.a = {graph.input(2), graph.input(3)},
              .b = {graph.input(4), graph.input(5)},
              .middle = {},
              .delta = {},
              .others = {}};
    for (size_t i = 0; i < 2; ++i) {
      s.middle.push_back(half * (s.a[i] + s.b[i]));
      s.delta.push_back(s.b[i] - s.a[i]);
    }
    return s;
  }
  /// Df/Dq(a, b), structural zeros included.
  Eigen::Vector2d discrete(Expr f, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    DiscreteDerivative derivative(graph, segment());
    Eigen::Vector2d result = Eigen::Vector2d::Zero();
    for (const auto& [input, entry] : derivative(f)) result[input] = evaluate(entry, a, b);
    return result;
  }
  double evaluate(Expr f, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    ExprProgram program(6);
    program.add({&f, 1});
    std::vector<double> memory = program.make_memory();
    std::copy_n(a.data(), 2, memory.data());  // q = a for functions of q
    std::copy_n(a.data(), 2, memory.data() + 2);
    std::copy_n(b.data(), 2, memory.data() + 4);
    double value = 0.0;
    program.evaluate(0, memory, &value);
    return value;
  }
  double at(Expr f, const Eigen::Vector2d& q) { return evaluate(f, q, q); }

  std::vector<Expr> functions() {
    const Expr two = number(2.0), e = apply(Op::kExp, x * y), r = apply(Op::kSqrt, x * x + y * y);
    return {x * x * x - two * x * y,
            apply(Op::kSin, x) * apply(Op::kCos, y) - number(3.0) * apply(Op::kCos, x - y),
            number(100.0) * (r - number(1.0)) * (r - number(1.0)),
            number(1.0) / r + e / (two + apply(Op::kCosh, y)),
            apply(Op::kSinh, x) - apply(Op::kTanh, x * y) * apply(Op::kAtan, y),
            apply(Op::kLog, r + two) + apply(Op::kPow, r, number(1.5)),
            apply(Op::kSin, x - y) + apply(Op::kExp, number(0.3) * (x + y)) * number(0.5) - apply(Op::kCosh, x * y - x),
            apply(Op::kPow, apply(Op::kMax, number(0.0), r - number(0.5)), number(2.5)) -
                apply(Op::kSinh, apply(Op::kMin, x * y, two))};
  }

  ExprGraph graph;
  Expr x = graph.input(0), y = graph.input(1);
  test::Random random{5};
};

// Moeller (5.15): Df/Dq (b - a) = f(b) - f(a), whatever the distance.
TEST_F(DiscreteDerivatives, HaveTheDirectionality) {
  for (const Expr f : functions()) {
    for (const double distance : {1.0, 1e-2, 1e-4}) {
      for (int draw = 0; draw < 20; ++draw) {
        const Eigen::Vector2d a = random.vector(2) + Eigen::Vector2d(2, 0), b = a + random.vector(2, distance);
        const double expected = at(f, b) - at(f, a), size = std::abs(at(f, a)) + std::abs(at(f, b)) + 1.0;
        EXPECT_NEAR(discrete(f, a, b).dot(b - a), expected, 1e-14 * size);
      }
    }
  }
}

// Moeller (5.16): it becomes the derivative, with an error of second order in the distance.
TEST_F(DiscreteDerivatives, AreConsistentWithTheDerivative) {
  for (const Expr f : functions()) {
    const Eigen::Vector2d m(1.3, 0.4), direction(0.3, -0.8);
    const Eigen::Vector2d gradient(at(graph.partial(f, 0), m), at(graph.partial(f, 1), m));
    EXPECT_LE((discrete(f, m, m) - gradient).norm(), 1e-15 * gradient.norm());  // round-off: slopes are written otherwise
    double previous = 0.0;
    for (const double distance : {0.1, 0.05, 0.025}) {
      const double error = (discrete(f, m - distance * direction, m + distance * direction) - gradient).norm();
      if (previous > 0.0) {
        EXPECT_NEAR(previous / error, 4.0, 0.4);
      }
      previous = error;
    }
  }
}

// Next to rest the quotient of (5.19) is 0/0: round-off in f must not be blown up by 1/|b - a|.
TEST_F(DiscreteDerivatives, AreSmoothNextToRest) {
  const std::vector<Expr> all = functions();
  for (size_t k = 0; k < 4; ++k) {  // made of functions that are differenced by identities
    const Eigen::Vector2d a(1.3, 0.4);
    const Eigen::Vector2d gradient(at(graph.partial(all[k], 0), a), at(graph.partial(all[k], 1), a));
    for (const double distance : {1e-7, 1e-10, 1e-13, 1e-15, 1e-160}) {
      const Eigen::Vector2d D = discrete(all[k], a, a + distance * Eigen::Vector2d(0.6, -0.8));
      EXPECT_LE((D - gradient).norm(), (1e-13 + 10.0 * distance) * gradient.norm() * 10.0) << distance;
    }
  }
}

// A force between two points in the plane, here on a line, that depends on their distance: a shift of both does no work, so that
// momentum stays; over the coordinates x and y (5.19) has a part along (b - a), which is no multiple of (1, -1).
TEST_F(DiscreteDerivatives, OfADistanceDoesNoWorkOnAShiftOfBoth) {
  const Expr r = apply(Op::kSqrt, (x - y) * (x - y) + number(0.3)), s = r - number(1.0);
  for (const Expr f : {number(50.0) * (s * s), number(1.0) / r, apply(Op::kLog, r), apply(Op::kPow, r, number(1.5)),
                       apply(Op::kMax, s, number(0.0)) * apply(Op::kMax, s, number(0.0)), apply(Op::kExp, -r),
                       apply(Op::kCos, number(3.0) * (x - y))}) {
    const Eigen::Vector2d D = discrete(f, {2.0, 0.4}, {2.3, 0.1});
    EXPECT_GT(std::abs(D[0]), 0.1);
    EXPECT_EQ(D[0], -D[1]);
  }
}

// The distance stays, or nearly so, while the points move: [F(p(b)) - F(p(a))] / [p(b) - p(a)] is 0/0 and becomes F' at the mean of p.
TEST_F(DiscreteDerivatives, OfADistanceThatStaysIsItsSlope) {
  const Expr squared = x * x + y * y;
  for (const double more : {0.0, 1e-15, 1e-12, 1e-9}) {
    const Eigen::Vector2d a(2.0, 0.0), b = (2.0 + more) * Eigen::Vector2d(std::cos(0.3), std::sin(0.3)), m = 0.5 * (a + b);
    const double p = 0.5 * (a.squaredNorm() + b.squaredNorm());
    const auto expect_slope = [&](Expr f, double slope) {
      EXPECT_LE((discrete(f, a, b) - slope * 2.0 * m).norm(), 1e-14 * std::abs(slope)) << more;
    };
    expect_slope(apply(Op::kSqrt, squared), 0.5 / std::sqrt(p));
    expect_slope(apply(Op::kLog, squared), 1.0 / p);
    expect_slope(apply(Op::kPow, squared, number(-1.5)), -1.5 * std::pow(p, -2.5));
    expect_slope(apply(Op::kSin, squared), std::cos(p));
    expect_slope(apply(Op::kExp, squared), std::exp(p));
    expect_slope(number(1.0) / squared, -1.0 / (p * p));
  }
}

// Each term counts on its own: the derivative by y of cos(x) + cos(y) does not see x, as that of (5.19) over all of q would.
TEST_F(DiscreteDerivatives, KeepTheStructureOfTheGradient) {
  DiscreteDerivative derivative(graph, segment());
  const auto entries = derivative(number(3.0) * (apply(Op::kCos, x) - apply(Op::kCos, y)));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(graph.inputs_of(entries[1].derivative), (std::vector<int>{3, 5}));
}

// (5.19) is the gradient at the middle for quadratic functions: then nothing else is evaluated.
TEST_F(DiscreteDerivatives, OfAQuadraticFunctionIsTheGradientAtTheMiddle) {
  DiscreteDerivative derivative(graph, segment());
  const auto entries = derivative(number(0.5) * (x - y) * (x - y) + x * y);
  ASSERT_EQ(entries.size(), 2u);
  const std::vector<Expr> outputs{entries[0].derivative, entries[1].derivative};
  for (const int id : graph.reachable(outputs)) EXPECT_NE(graph.node(id).op, Op::kSelect);
  const Eigen::Vector2d D = discrete(number(0.5) * (x - y) * (x - y) + x * y, {1, 2}, {3, 5});
  EXPECT_EQ(D, Eigen::Vector2d(2.0, 3.5));  // middle (2, 3.5): df/dx = x - y + y, df/dy = y - x + x
}

}  // namespace tippe::integrate_discrete_derivative_test
