// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/reached_instant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.h"
#include "tippe/analyze/analysis.h"
#include "tippe/core/error.h"

namespace tippe::study_reached_instant_test {

ReachedInstant reach(const SceneOverrides& overrides, std::optional<double> time, const std::atomic<bool>* stop = nullptr) {
  return reach_instant([](const SceneOverrides& changed) { return test::load("bouncing_ball", changed); }, overrides, time,
                       {}, stop);
}

// Free fall, which the midpoint rule has exactly: y = h - g t^2/2, and no contact takes part in the step.
TEST(ReachedInstant, ABallFallsToItsInstant) {
  const ReachedInstant reached = reach({}, 0.25);
  EXPECT_EQ(reached.status, RunStatus::kOk);
  EXPECT_NEAR(reached.state.t, 0.25, 1e-15);
  EXPECT_NEAR(reached.state.q[0], 1.0 - 0.5 * 9.81 * 0.0625, 1e-12);
  EXPECT_NEAR(reached.state.u[0], -9.81 * 0.25, 1e-12);
  EXPECT_NEAR(reached.step, 1e-4, 1e-12);
  EXPECT_FALSE(reached.step_problem());
}

TEST(ReachedInstant, WithoutATimeItIsTheStart) {
  const ReachedInstant reached = reach({{"h=3"}, {}, {}, {}, {}}, {});
  EXPECT_EQ(reached.state.q[0], 3.0);
  EXPECT_EQ(reached.step, 0.0);
}

// On the floor: G = 1/m and c = (1 + epsilon) u - g dt.  Moeller (5.6)
TEST(ReachedInstant, TheProblemOfTheFirstStepIsThatOfMoreausRule) {
  Scene scene = test::load("bouncing_ball", {{"m=4"}, {}, "1e-3", {}, {}});
  State lying = scene.start;
  lying.q[0] = 0.0;
  lying.u[0] = -1e-3;
  const std::optional<InclusionProblem> problem = instant_at(std::move(scene), lying).step_problem();
  ASSERT_TRUE(problem);
  EXPECT_NEAR(dense(problem->G)(0, 0), 0.25, 1e-15);
  EXPECT_NEAR(problem->c[0], -1.5e-3 - 9.81e-3, 1e-14);
}

// All bounces are over at sqrt(2 h/g) (1 + epsilon)/(1 - epsilon) = 1.35 s: then the floor carries m g, and there is a problem in every step.
TEST(ReachedInstant, TheBallComesToRestAndIsHeld) {
  const ReachedInstant reached = reach({}, 1.9);
  ASSERT_TRUE(reached.step_problem());
  const Instant instant = reached.instant();
  ASSERT_TRUE(instant.acceleration);
  EXPECT_EQ(instant.acceleration->unilateral.size(), 1u);
  EXPECT_EQ(instant.title, "Bouncing ball");
  const ModesReport modes = reached.modes();
  ASSERT_TRUE(modes.motion);
  ASSERT_EQ(modes.motion->list.modes.size(), 1u);
  EXPECT_NEAR(modes.motion->list.modes[0].forces[0], 9.81, 1e-9);
}

constexpr const char* kPushedBlock = R"(
tippe = 1
[[body]]
name = "block"
kind = "planar"
mass = 2
inertia = 1
position = [0, 1]
angle = 0.5
[[body.point]]
name = "corner"
at = [1, 0]
[[bilateral]]
name = "upright"
position = "block.phi - 0.5"
[[dry_friction]]
name = "pad"
velocity = "block.x'"
limit = 3
[[spring]]
between = ["block", [1, 1]]
stiffness = 14
length = 0
[[actuator]]
name = "arm"
velocity = "2*block.corner.x' + t"
[run]
dt = 1e-3
until = 1
integrator = "moreau"
)";

// The spring pulls with 14 N, the pad holds 3 N: 11 N along x, which the arm gives with 5.5 N.
TEST(ReachedInstant, ActuatorsOfASceneAreAskedFor) {
  const Instant instant =
      instant_at(read_scene(kPushedBlock, "block.toml"), read_scene(kPushedBlock, "block.toml").start).instant();
  ASSERT_EQ(instant.actuators.size(), 1u);
  EXPECT_EQ(instant.actuators[0].name, "arm");
  EXPECT_LE((instant.actuators[0].direction - Eigen::Vector3d(2, 0, -2 * std::sin(0.5))).norm(), 1e-14);
  const Analysis analysis = analyze(instant);
  ASSERT_TRUE(analysis.actuation);
  EXPECT_EQ(analysis.actuation->possible, Answer::kYes);
  EXPECT_NEAR(analysis.actuation->forces[0], -5.5, 1e-6);
}

TEST(ReachedInstant, AnActuatorNeedsALinearVelocity) {
  for (const auto& [bad, message] :
       {std::pair{"block.x'^2", "must be linear"}, std::pair{"block.x", "moves nothing"}, std::pair{"3", "moves nothing"}}) {
    std::string text = kPushedBlock;
    const std::string good = "2*block.corner.x' + t";
    text.replace(text.find(good), good.size(), bad);
    try {
      (void)read_scene(text, "block.toml");
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

TEST(ReachedInstant, AnInterruptIsAStatus) {
  const std::atomic<bool> stop{true};
  EXPECT_EQ(reach({}, 1.0, &stop).status, RunStatus::kInterrupted);
}

TEST(ReachedInstant, ATimeBeforeTheStartIsRefused) {
  try {
    static_cast<void>(reach({}, -1.0));
    FAIL() << "accepted";
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.argument(), Argument::kTime);
    EXPECT_STREQ(error.what(), "-1 must be finite and not before the scene starts, at t = 0");
  }
}

}  // namespace tippe::study_reached_instant_test
