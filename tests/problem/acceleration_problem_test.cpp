// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/acceleration_problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/instant_problems.h"
#include "tippe/core/error.h"

namespace tippe::problem_acceleration_problem_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

AccelerationProblem block() {
  return test::problem_of(MatrixXd::Identity(2, 2), Vector2d(0.0, 9.81),
                          {test::row("foot", Vector2d(0.0, 1.0), MatrixXd(Vector2d(1.0, 0.0)), 0.5)},
                          {test::row("rail", Vector2d(1.0, 0.0))});
}

TEST(AccelerationProblem, LaysOutForcesContactAfterContact) {
  const AccelerationProblem problem = block();
  EXPECT_NO_THROW(require_valid(problem));
  const ForceLayout layout(problem);
  EXPECT_EQ(layout.names, (std::vector<std::string>{"foot.n", "foot.t", "rail.n"}));
  EXPECT_EQ(layout.unilateral, std::vector<int>{0});
  EXPECT_EQ(layout.bilateral, std::vector<int>{2});
  MatrixXd D(2, 3);
  D << 0.0, 1.0, 1.0, 1.0, 0.0, 0.0;
  EXPECT_EQ(force_directions(problem), D);
  EXPECT_EQ(force_drifts(problem).size(), 3);
}

/// What is said against a problem after a change.
std::string refusal(const std::function<void(AccelerationProblem&)>& change) {
  AccelerationProblem problem = block();
  change(problem);
  try {
    require_valid(problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refusal(const std::function<void(AccelerationProblem&)>& change, const std::string& message) {
  const std::string said = refusal(change);
  EXPECT_NE(said.find(message), std::string::npos) << said;
}

TEST(AccelerationProblem, IsRefusedWithTheFieldAndTheRule) {
  using P = AccelerationProblem;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusal([](P& p) { p.M(0, 1) = 0.1; }, "symmetric, but M[1][0] = 0 and M[0][1] = 0.1");
  expect_refusal([](P& p) { p.M(0, 1) = 1e-9, p.M(1, 0) = 2.0000001e-9 + 1e-3; }, "M[1][0] = 0.0010000020000001");
  expect_refusal([](P& p) { p.M(1, 1) = -1.0; }, "not positive semidefinite");
  expect_refusal([](P& p) { p.M.resize(3, 2); }, "3 x 2 and must be 2 x 2");
  expect_refusal([=](P& p) { p.F[0] = nan; }, "F has a number that is not finite");
  expect_refusal([](P& p) { p.F.resize(0); }, "F has no numbers");
  expect_refusal([](P& p) { p.unilateral[0].normal.setZero(3); }, "'foot': normal has 3 numbers");
  expect_refusal([](P& p) { p.unilateral[0].mu = -0.1; }, "mu is -0.1");
  expect_refusal([](P& p) { p.unilateral[0].tangents.setZero(2, 4); }, "4 tangents");
  expect_refusal([](P& p) { p.unilateral[0].slip.setZero(2); }, "slip has 2 numbers");
  expect_refusal([](P& p) { p.unilateral[0].tangent_drift.resize(0); }, "tangent_drift");
  expect_refusal([](P& p) { p.bilateral[0].name = "foot"; }, "called 'foot'");
  expect_refusal([](P& p) { p.bilateral[0].name = ""; }, "empty name");
  expect_refusal(
      [](P& p) {
        p.unilateral[0].slip = VectorXd::Ones(1);
        p.unilateral[0].mu.reset();
      },
      "slides and needs a mu");
}

TEST(ImpactProblem, KnowsWhetherOneNumberIsItsRestitution) {
  ImpactProblem problem{MatrixXd::Identity(1, 1),
                        VectorXd::Ones(1),
                        {test::row("a", VectorXd::Ones(1)), test::row("b", VectorXd::Ones(1))},
                        {},
                        0.5 * MatrixXd::Identity(2, 2),
                        {}};
  EXPECT_NO_THROW(require_valid(problem));
  EXPECT_EQ(problem.common_restitution(), 0.5);
  problem.restitution(0, 1) = 0.1;
  EXPECT_FALSE(problem.common_restitution());
  problem.restitution.resize(1, 1);
  EXPECT_THROW(require_valid(problem), InputError);
}

}  // namespace tippe::problem_acceleration_problem_test
