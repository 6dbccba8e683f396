// SPDX-License-Identifier: Apache-2.0
// rolling = ... of a contact law, against closed forms: a ball that rolls out, and one on a slope.
#include <cmath>

#include "support/scenes.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_rolling_resistance_test {

/// A ball of radius 0.1 m on a plane, in g = 10 m/s2, with the arm 0.004 m.
std::string ball(const std::string& gravity, const std::string& start) {
  return "tippe = 1\n[world]\ngravity = " + gravity + R"TOML(
contacts = "expressions"
[[body]]
name = "ball"
mass = 2
inertia = [0.008, 0.008, 0.008]
position = [0, 0, 0.1]
)TOML" + start +
         R"TOML([[body.sphere]]
radius = 0.1
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["ball", "floor"]
friction = 0.5
rolling = 0.004
[run]
dt = 1e-3
until = 2
)TOML";
}

std::string on_slope(double tangent, const std::string& start = "") {
  const double angle = std::atan(tangent);
  return ball(fmt::format("[{}, 0, {}]", 10.0 * std::sin(angle), -10.0 * std::cos(angle)), start);
}

Scene read(const std::string& text, const std::string& integrator) {
  return read_scene(text, "ball.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
}

class RollingResistance : public testing::TestWithParam<const char*> {};

// m g (arm/r) is lost per way, of 7/10 m v^2: it rolls with 5/7 g arm/r = 2/7 m/s2 less and stops for good after v^2/(2 a) = 0.4375 m.
TEST_P(RollingResistance, ABallRollsOut) {
  const double way = 0.25 / (2.0 * 2.0 / 7.0);
  for (const double angle : {0.0, 0.25 * M_PI}) {
    const double x = std::cos(angle), y = std::sin(angle);
    const std::string start =
        fmt::format("velocity = [{}, {}, 0]\nangular_velocity = [{}, {}, 0]\n", 0.5 * x, 0.5 * y, -5.0 * y, 5.0 * x);
    const Scene scene = read(ball("[0, 0, -10]", start), GetParam());
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_NEAR(summary.final_state.q[0], way * x, 1e-3);
    EXPECT_NEAR(summary.final_state.q[1], way * y, 1e-3);
    EXPECT_LT(summary.final_state.u.norm(), 1e-9);
    EXPECT_NEAR(summary.energy.lost_in_contacts, 0.35, 1e-6);  // 7/10 m v^2, and no work of anybody
  }
}

// It stays while tan(angle) <= arm/r = 0.04; beyond it rolls with 5/7 g (sin - 0.04 cos).
TEST_P(RollingResistance, ABallStaysOnASlightSlope) {
  const State stays = test::run(read(on_slope(0.0399), GetParam())).final_state;
  EXPECT_LT(stays.u.norm(), 1e-9);
  EXPECT_NEAR(stays.q[0], 0.0, 1e-9);
  const State rolls = test::run(read(on_slope(0.0401), GetParam())).final_state;
  EXPECT_NEAR(rolls.u[0], 2.0 * 5.0 / 7.0 * 10.0 * (0.0401 - 0.04) * std::cos(std::atan(0.0401)), 1e-7);
}

TEST_P(RollingResistance, IsJudgedByVerify) {
  const Scene scene = read(on_slope(0.02, "velocity = [0.3, 0.1, 0]\nangular_velocity = [-1, 3, 2]\n"), GetParam());
  verify::RunWatch watch(scene);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  // Half the arm is another law.
  std::string text = scene.origin.scene_text;
  text.replace(text.find("0.004\n"), 5, "0.002");
  const Scene other = read(text, GetParam());
  verify::RunWatch strict(other);
  RunHooks wrong;
  strict.take_part(wrong);
  const RunSummary again = simulate(*scene.system, scene.start, scene.run, wrong);
  EXPECT_GT(strict.finish(again).of(verify::Kind::kFrictionSet).violations, 0);
}

INSTANTIATE_TEST_SUITE_P(Schemes, RollingResistance, testing::Values("moreau", "moreau-jean"), [](const auto& scheme) {
  return std::string(scheme.param) == "moreau" ? "moreau" : "moreau_jean";
});

TEST(RollingResistanceScenes, WhatDoesNotKnowItSaysSo) {
  for (const char* integrator : {"event-driven", "quaternion-2"}) {
    try {
      (void)read(ball("[0, 0, -10]", ""), integrator);
      ADD_FAILURE() << integrator;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("rolling resistance, follows the normal force; take moreau"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace tippe::scenes_rolling_resistance_test
