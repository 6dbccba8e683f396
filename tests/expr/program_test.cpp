// SPDX-License-Identifier: Apache-2.0
#include "tippe/expr/program.h"

namespace tippe::expr_program_test {

TEST(ExprProgram, FunctionsShareInputsAndKeepApart) {
  ExprGraph graph;
  const Expr x = graph.input(0), y = graph.input(1);
  const std::vector<Expr> first = {x + y, graph.constant(7.0), x}, second = {x * y};
  ExprProgram program(2);
  const int f = program.add(first), g = program.add(second), none = program.add({});
  std::vector<double> memory = program.make_memory();
  memory[0] = 3.0, memory[1] = 4.0;
  double result[3];
  program.evaluate(g, memory, result);
  EXPECT_EQ(result[0], 12.0);
  program.evaluate(f, memory, result);
  EXPECT_EQ(result[0], 7.0);
  EXPECT_EQ(result[1], 7.0);
  EXPECT_EQ(result[2], 3.0);
  EXPECT_EQ(program.outputs(none), 0);
}

TEST(ExprProgram, CommonPartsAreEvaluatedOnce) {
  ExprGraph graph;
  const Expr s = graph.apply(Op::kSin, graph.input(0));
  const std::vector<Expr> outputs = {s * s, s + s, s};
  ExprProgram program(1);
  EXPECT_EQ(program.operations(program.add(outputs)), 3);  // sin, s*s, 2*s
}

}  // namespace tippe::expr_program_test
