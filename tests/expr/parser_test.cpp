// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/parser.h"

#include <numbers>

namespace tippe::expr_parser_test {

const std::vector<std::string> kNames = {"x", "mass", "phi", "phi'"};

Expr parse(const std::string& text, ExprGraph& graph) {
  return parse_expression(
      text, graph,
      [&](std::string_view name) -> std::optional<Expr> {
        for (size_t k = 0; k < kNames.size(); ++k) {
          if (kNames[k] == name) return graph.input(static_cast<int>(k));
        }
        return std::nullopt;
      },
      kNames);
}

double value(const std::string& text) {
  ExprGraph graph;
  return parse(text, graph).constant_value();
}

TEST(Parser, KnowsPrecedenceAndAssociativity) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("8 - 4 - 2"), 2);
  EXPECT_EQ(value("16/4/2"), 2);
  EXPECT_EQ(value("2^3^2"), 512);  // right associative
  EXPECT_EQ(value("-2^2"), -4);    // ^ binds tighter than unary minus
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-2^2"), 0.0625);
  EXPECT_EQ(value("-3*-2"), 6);
  EXPECT_EQ(value("+-+2"), -2);
  EXPECT_EQ(value("2*-3^2"), -18);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
}

TEST(Parser, KnowsNumbersAndFunctions) {
  EXPECT_EQ(value("1e-5"), 1e-5);
  EXPECT_EQ(value(".5 + 2. + 1E3"), 1002.5);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("max(1, 5, 3) + min(4, 2)"), 7);
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1.0, -1.0));
  EXPECT_EQ(value("sign(-3) + sign(0) + abs(-2)"), 1);
  EXPECT_EQ(value("sin(1) + cos(2) + tan(3) + asin(0.1) + acos(0.2) + atan(4) + sinh(1) + cosh(1) + tanh(1) "
                  "+ exp(2) + log(3) + sqrt(5)"),
            std::sin(1.0) + std::cos(2.0) + std::tan(3.0) + std::asin(0.1) + std::acos(0.2) + std::atan(4.0) +
                std::sinh(1.0) + std::cosh(1.0) + std::tanh(1.0) + std::exp(2.0) + std::log(3.0) + std::sqrt(5.0));
}

TEST(Parser, TellsVelocitiesFromCoordinates) {
  ExprGraph graph;
  EXPECT_EQ(parse("phi", graph).id(), graph.input(2).id());
  EXPECT_EQ(parse("phi'", graph).id(), graph.input(3).id());
}

struct BadExpression {
  std::string text;
  int offset;
  std::string message;  // a part of it
};
void PrintTo(const BadExpression& bad, std::ostream* stream) {
  *stream << bad.text;
}

class EveryBadExpression : public testing::TestWithParam<BadExpression> {};
INSTANTIATE_TEST_SUITE_P(
    Parser, EveryBadExpression,
    testing::Values(BadExpression{"", 0, "empty"}, BadExpression{"1 + ", 4, "ends where an operand is expected"},
                    BadExpression{"1 + maas*2", 4, "unknown name 'maas'; did you mean 'mass'?"},
                    BadExpression{"sni(x)", 0, "unknown function 'sni'; did you mean 'sin'?"},
                    BadExpression{"2*(x + 1", 2, "'(' without its ')'"}, BadExpression{"x + 1)", 5, "')' without its '('"},
                    BadExpression{"2 x", 2, "operator is missing before 'x'"},
                    BadExpression{"x(2)", 1, "operator is missing between 'x' and '('"},
                    BadExpression{"x ** 2", 3, "a power is written with '^'"},
                    BadExpression{"sin x", 0, "sin needs its argument in parentheses"},
                    BadExpression{"atan2(x)", 0, "atan2 takes 2 arguments, got 1"},
                    BadExpression{"sin(x, 1)", 0, "sin takes 1 argument, got 2"},
                    BadExpression{"min(x)", 0, "min takes 2 or more arguments, got 1"}, BadExpression{"x = 2", 2, "no '='"},
                    BadExpression{"1e999", 0, "out of range"}, BadExpression{"x' + 1", 0, "unknown name 'x''"},
                    BadExpression{"x + $", 4, "unexpected '$'"},
                    BadExpression{"x \xE2\x88\x92 1", 2, "the minus sign is '-'"},
                    BadExpression{"x + * 2", 4, "unexpected '*' where an operand"},
                    BadExpression{"(x, 1)", 2, "unexpected ','"},
                    BadExpression{std::string(300, '(') + "x", 200, "nested more than"},
                    BadExpression{std::string(300, '-') + "x", 200, "nested more than"}));

TEST_P(EveryBadExpression, IsRefusedAtTheRightPlaceWithAHelpfulMessage) {
  const auto& [text, offset, message] = GetParam();
  ExprGraph graph;
  try {
    (void)parse(text, graph);
    FAIL() << "accepted: " << text;
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.offset(), offset) << error.what();
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(Parser, ListsTheNamesOfAnExpression) {
  const auto names = names_in_expression("2*sin(alpha) + b_1*alpha'");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0].name, "alpha");
  EXPECT_EQ(names[0].offset, 6);
  EXPECT_EQ(names[1].name, "b_1");
  EXPECT_EQ(names[2].name, "alpha'");
}

TEST(Parser, BracesHoldWholeNumbersOfIndices) {
  ExprGraph graph;
  const auto meaning = [&](const std::string& text, std::int64_t i) {
    const NameResolver resolve = [&](std::string_view name) -> std::optional<Expr> {
      if (name == "x4'") return graph.constant(40.0);
      if (name == "x1_2") return graph.constant(12.0);
      if (name == "n") return graph.constant(5.0);
      return std::nullopt;
    };
    const std::vector<IndexValue> indices = {{"i", i}};
    return parse_expression(text, graph, resolve, {}, indices).constant_value();
  };
  EXPECT_EQ(meaning("1 + x{i+1}'", 3), 41);
  EXPECT_EQ(meaning("x{i}_{2*i}", 1), 12);
  EXPECT_EQ(meaning("x{n - 1}'", 0), 40);
  EXPECT_EQ(meaning("{i}^2 - {i}", -3), 12);
  EXPECT_EQ(meaning("2*{-i}", 3), -6);
  EXPECT_THROW((void)meaning("{i}{i}", 3), ExpressionError);
  EXPECT_THROW((void)meaning("{i/2}", 3), ExpressionError);
  EXPECT_THROW((void)meaning("{}", 3), ExpressionError);
  EXPECT_THROW((void)meaning("{{i}}", 3), ExpressionError);
  EXPECT_THROW((void)meaning("x{i}(1)", 3), ExpressionError);
}

TEST(Parser, SumsAddTheirLastArgument) {
  EXPECT_EQ(value("sum(i, 1, 10, {i})"), 55);
  EXPECT_EQ(value("2*sum(i, -1, 1, {i}^2) + 1"), 5);
  EXPECT_EQ(value("sum(i, 1, 3, sum(j, {i}, 3, 10*{i} + {j}))"), 11 + 12 + 13 + 22 + 23 + 33);
  EXPECT_EQ(value("sum(i, 1, 0, nobody{i}(,)) + 7"), 7);
  EXPECT_EQ(value("sum(i, 1, 2, max({i}, 1.5))"), 3.5);
}

TEST(Parser, ErrorsInSumsTellTheirIndices) {
  const std::string text = "1 + sum(i, 1, 3, sum(j, 1, 2, 1/{(3 - i)*2 + j} + {6/(i + j)}))";
  try {
    (void)value(text);
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.offset(), static_cast<int>(text.find("6/")));
    EXPECT_NE(std::string(error.what()).find("1.5"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("(for i = 2, j = 2)"), std::string::npos) << error.what();
  }
}

// Nested sums multiply: they are refused before they are read.
TEST(Parser, RefusesSumsWithoutEnd) {
  EXPECT_THROW((void)value("sum(i, 1, 100001, 1)"), ExpressionError);
  EXPECT_THROW((void)value("sum(i, 1, 99999, sum(j, 1, 99999, sum(k, 1, 99999, 1)))"), ExpressionError);
}

}  // namespace tippe::expr_parser_test
