// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/lemke.h"

#include "support/complementarity.h"

namespace tippe::solve_lemke_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Small integers and equal q make ties in nearly every pivot. A rule that takes the first or the last of the tied rows
// cycles in about one of ten such problems, and in the first one here.
TEST(Lemke, DoesNotCycle) {
  MatrixXd cycling(4, 4);
  cycling << 0, 2, -2, 2, -1, 1, 2, 0, 2, -1, 0, -2, -1, 1, 1, 1;
  const LemkeResult result = solve_by_lemke(cycling, VectorXd::Constant(4, -1.0), VectorXd::Ones(4), 100);
  EXPECT_EQ(result.outcome, LemkeOutcome::kSolution);
  test::Random random(151);
  for (int trial = 0; trial < 5000; ++trial) {
    const int n = 3 + random.below(3);
    MatrixXd M(n, n);
    for (double& entry : M.reshaped()) entry = random.below(5) - 2;
    const VectorXd q = VectorXd::Constant(n, -1.0);
    const LemkeResult lemke = solve_by_lemke(M, q, VectorXd::Ones(n), 500);
    ASSERT_NE(lemke.outcome, LemkeOutcome::kBudget) << M;
    if (lemke.outcome != LemkeOutcome::kSolution) continue;
    EXPECT_LE((M * lemke.z + q - lemke.w).norm(), 1e-10 * (1.0 + lemke.z.norm()));
    EXPECT_GE(std::min(lemke.z.minCoeff(), lemke.w.minCoeff()), -1e-10);
    EXPECT_LE(lemke.z.cwiseProduct(lemke.w).norm(), 0.0);
  }
}

}  // namespace tippe::solve_lemke_test
