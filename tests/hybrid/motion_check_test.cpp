// SPDX-License-Identifier: Apache-2.0
// Each kind of violation, by hand, and motions of one system judged by the laws of another.
#include "tippe/hybrid/motion_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.h"
#include "tippe/model/lagrangian_builder.h"

namespace tippe::hybrid_motion_check_test {

using Eigen::VectorXd;

ForceLaw contact(int rows, double mu1 = 0.0, double mu2 = 0.0) {
  ForceLaw law;
  law.rows = rows;
  law.mu1 = mu1;
  law.mu2 = mu2;
  return law;
}

ForceLaw other(ForceLaw::Kind kind, double limit = 0.0) {
  ForceLaw law;
  law.kind = kind;
  law.limits = {limit, limit};
  return law;
}

constexpr double kError = 1e-6;  // of each number

/// What is wrong, or "".
std::string judge(const ForceLaw& law, ContactMode mode, double gap, std::vector<double> velocity,
                  std::vector<double> force) {
  LawAtInstant now;
  now.mode = mode;
  now.gap = {gap, kError};
  for (size_t row = 0; row < velocity.size(); ++row) {
    now.velocity[row] = {velocity[row], kError};
    now.force[row] = {force[row], kError};
  }
  return find_violation(law, now).value_or("");
}

TEST(MotionCheck, OpenContactsAreNotPenetratedAndExertNoForce) {
  const ForceLaw law = contact(1);
  EXPECT_EQ(judge(law, ContactMode::kOpen, 0.1, {-1.0}, {0.0}), "");
  EXPECT_EQ(judge(law, ContactMode::kOpen, -1e-7, {-1.0}, {0.0}), "");
  EXPECT_EQ(judge(law, ContactMode::kOpen, -0.1, {1.0}, {0.0}), "it is penetrated by 0.1");
  EXPECT_EQ(judge(law, ContactMode::kOpen, 0.1, {1.0}, {2.0}), "it is open, and its force is 2");
}

TEST(MotionCheck, ClosedContactsPushAndStayClosed) {
  const ForceLaw law = contact(1);
  EXPECT_EQ(judge(law, ContactMode::kClosed, 0.0, {0.0}, {5.0}), "");
  EXPECT_EQ(judge(law, ContactMode::kClosed, 1e-7, {-1e-7}, {-1e-7}), "");
  EXPECT_EQ(judge(law, ContactMode::kClosed, 0.0, {0.0}, {-5.0}), "it pulls with a force of 5");
  EXPECT_EQ(judge(law, ContactMode::kClosed, 0.0, {0.5}, {5.0}), "it is closed, and opens with a velocity of 0.5");
  EXPECT_EQ(judge(law, ContactMode::kClosed, 0.2, {0.0}, {5.0}), "it is closed, and its gap is 0.2");
  EXPECT_EQ(judge(law, ContactMode::kClosed, -0.2, {0.0}, {5.0}), "it is penetrated by 0.2");
}

TEST(MotionCheck, FrictionInThePlane) {
  const ForceLaw law = contact(2, 0.5);
  EXPECT_EQ(judge(law, ContactMode::kStick, 0.0, {0.0, 0.0}, {4.0, 1.9}), "");
  EXPECT_EQ(judge(law, ContactMode::kStick, 0.0, {0.0, 0.1}, {4.0, 1.9}), "it sticks, and slips with a velocity of 0.1");
  EXPECT_EQ(judge(law, ContactMode::kStick, 0.0, {0.0, 0.0}, {4.0, 2.2}), "its friction is 1.1 of its limit");
  EXPECT_EQ(judge(law, ContactMode::kSlideForward, 0.0, {0.0, 3.0}, {4.0, -2.0}), "");
  EXPECT_EQ(judge(law, ContactMode::kSlideForward, 0.0, {0.0, 3.0}, {4.0, 2.0}),
            "it slips, and its friction takes -6 W of 6 W");
  EXPECT_EQ(judge(law, ContactMode::kSlideForward, 0.0, {0.0, 3.0}, {4.0, -1.0}),
            "it slips, and its friction takes 3 W of 6 W");
}

// Anisotropic: along the slip (1, 2) the force is -(mu1^2, 2 mu2^2) N / sqrt(mu1^2 + 4 mu2^2).
TEST(MotionCheck, FrictionInSpace) {
  const ForceLaw law = contact(3, 0.5, 0.25);
  const double root = std::sqrt(0.25 + 0.25);
  EXPECT_EQ(judge(law, ContactMode::kSlide, 0.0, {0.0, 1.0, 2.0}, {2.0, -0.5 / root, -0.25 / root}), "");
  EXPECT_NE(judge(law, ContactMode::kSlide, 0.0, {0.0, 1.0, 2.0}, {2.0, -0.25 / root, -0.5 / root}), "");
  const ForceLaw smooth_along_second = contact(3, 0.3, 0.0);
  EXPECT_EQ(judge(smooth_along_second, ContactMode::kStick, 0.0, {0.0, 0.0, 4.0}, {1.0, 0.2, 0.0}), "");
  EXPECT_NE(judge(smooth_along_second, ContactMode::kStick, 0.0, {0.0, 0.0, 4.0}, {1.0, 0.2, 0.1}), "");
}

TEST(MotionCheck, DryFrictionAndClutches) {
  const ForceLaw dry = other(ForceLaw::Kind::kDryFriction, 10.0), clutch = other(ForceLaw::Kind::kOneWay);
  EXPECT_EQ(judge(dry, ContactMode::kStick, 0.0, {0.0}, {6.0}), "");
  EXPECT_EQ(judge(dry, ContactMode::kSlideForward, 0.0, {2.0}, {-10.0}), "");
  EXPECT_NE(judge(dry, ContactMode::kStick, 0.0, {0.1}, {6.0}), "");
  EXPECT_NE(judge(dry, ContactMode::kStick, 0.0, {0.0}, {11.0}), "");
  EXPECT_NE(judge(dry, ContactMode::kSlideForward, 0.0, {2.0}, {10.0}), "");
  EXPECT_EQ(judge(clutch, ContactMode::kOpen, 0.0, {1.0}, {0.0}), "");
  EXPECT_EQ(judge(clutch, ContactMode::kClosed, 0.0, {0.0}, {1.0}), "");
  EXPECT_EQ(judge(clutch, ContactMode::kOpen, 0.0, {-1.0}, {0.0}), "it runs backwards with a velocity of 1");
  EXPECT_NE(judge(clutch, ContactMode::kClosed, 0.0, {0.0}, {-1.0}), "");
}

struct Block {
  double mass = 2.0, mu = 0.3, weight = 20.0, floor = 0.0;
};

std::unique_ptr<const System> make_block(const Block& block) {
  LagrangianBuilder builder({"x", "y"});
  builder.kinetic([=](const auto&, const auto& v, auto) { return 0.5 * block.mass * (v[0] * v[0] + v[1] * v[1]); });
  builder.potential([=](const auto& q, auto) { return block.weight * q[1]; });
  builder.contact(
      "floor", 0.0, block.mu, [=](const auto& q, auto) { return q[1] - block.floor; },
      [](const auto&, const auto& v, auto) { return v[0]; });
  return builder.build();
}

/// 0.5 s of a block that slides at first with 2 m/s, computed for one block and judged for another.
std::string judge_motion(const Block& computed, const Block& judged, ContactMode mode = ContactMode::kSlideForward) {
  const auto system = make_block(computed), judge = make_block(judged);
  const State begin{0.0, VectorXd::Zero(2), VectorXd{{mode == ContactMode::kStick ? 0.0 : 2.0, 0.0}}};
  MotionScales scales(*judge);
  const auto evaluator = judge->make_evaluator();
  scales.start(begin, 0.5, *evaluator);
  ModeFlow flow(*system, 8);
  flow.set_modes(std::vector{mode}, {});
  EXPECT_EQ(flow.expand(begin, 8), ModeFlow::Status::kOk);
  State end = begin;
  end.t = 0.5;
  flow.evaluate(0.5, end);
  MotionCheck check(*judge, scales);
  const auto violation = check.judge({flow, begin, end, 0.5, VectorXd::Zero(1), 1e-10, true, false});
  return violation ? violation->what : "";
}

TEST(MotionCheck, AMotionIsJudgedByTheLawsOfItsSystem) {
  const Block block;
  EXPECT_EQ(judge_motion(block, block), "");
  EXPECT_EQ(judge_motion(block, block, ContactMode::kStick), "");
  EXPECT_EQ(judge_motion({.mu = 0.33}, block), "its friction is 1.1 of its limit");
  EXPECT_NE(judge_motion({.mu = 0.29}, block).find("it slips, and its friction takes"), std::string::npos);
  EXPECT_NE(judge_motion({.mu = -0.3}, block).find("it slips, and its friction takes"), std::string::npos);
  EXPECT_EQ(judge_motion(block, {.floor = -0.1}), "it is closed, and its gap is 0.1");
  EXPECT_EQ(judge_motion(block, {.floor = 0.1}), "it is penetrated by 0.1");
  EXPECT_EQ(judge_motion({.weight = -20.0}, {.weight = -20.0}), "it pulls with a force of 20");
  // 6 N that push, just after the beginning: 2 m/s and 3 m/s^2 for a hundredth of the time.
  EXPECT_EQ(judge_motion(block, block, ContactMode::kSlideBackward), "it slips, and its friction takes -12.1 W of 12.1 W");
  // With forces that are not those of its motion.
  EXPECT_NE(judge_motion(block, {.mass = 2.1}).find("the force on x differs"), std::string::npos);
  EXPECT_NE(judge_motion(block, {.weight = 21.0}).find("the force on y differs"), std::string::npos);
}

// 2 m/s less 9 m/s^2 for 0.5 s: the block goes backwards, and friction still brakes forward motion.
TEST(MotionCheck, AMotionThatGoesOnBeyondItsModeIsFound) {
  const Block block{.mu = 0.9};
  EXPECT_NE(judge_motion(block, block), "");
}

// The tangents of a contact turn by 90 degrees at x = 1, as those of spheres do where the normal passes an axis. There a piece ends, and the
// evaluator is beyond: friction of the one branch is not to be judged by the slip of the other. As the tangents have the length sqrt(2),
// x = 5 t - sqrt(2) mu g t^2/2.
TEST(MotionCheck, TangentsMayTurn) {
  const RunSummary summary = test::run(test::scene_from(R"scene(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
potential = "9.81*z"
[[contact]]
name = "floor"
gap = "z"
slip = ["x' + sign(x - 1)*y'", "y' - sign(x - 1)*x'"]
friction = 0.3
[initial]
"x'" = 5
[run]
integrator = "event-driven"
dt = 0.1
until = 1
)scene"));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.final_state.q[0], 5.0 - 0.5 * std::sqrt(2.0) * 0.3 * 9.81, 1e-9);
}

// A coordinate without mass and load, held by a constraint: all that is left of its balance is round-off.
TEST(MotionCheck, ACoordinateWithoutMassAndLoad) {
  const RunSummary summary = test::run(test::scene_from(R"scene(
[lagrangian]
coordinates = ["x", "z"]
kinetic = "0.5*x'^2"
potential = "9.81*x"
[[bilateral]]
name = "h"
position = "z - x - 0.1*x^2"
[[contact]]
name = "floor"
gap = "x + 0.5"
restitution = 0.5
[initial]
x = 0.3
z = 0.309
"x'" = -0.5
project = true
[run]
integrator = "event-driven"
dt = 0.1
until = 0.3
)scene"));
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.final_state.q[0], 0.3 - 0.5 * 0.3 - 0.5 * 9.81 * 0.09, 1e-9);
}

}  // namespace tippe::hybrid_motion_check_test
