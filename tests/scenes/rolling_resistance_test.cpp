// SPDX-License-Identifier: Apache-2.0
// rolling = ... of a contact law, against closed forms: a ball that rolls out, and one on a slope; with contacts by expressions and with those that are found.
#include <cmath>

#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_rolling_resistance_test {

/// A ball of radius 0.1 m on a plane, in g = 10 m/s2, with the arm 0.004 m.
std::string ball(const std::string& gravity, const std::string& start, const std::string& contacts = "expressions") {
  return "tippe = 1\n[world]\ngravity = " + gravity + "\ncontacts = \"" + contacts + R"TOML("
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

std::string slope(double tangent) {
  const double angle = std::atan(tangent);
  return fmt::format("[{}, 0, {}]", 10.0 * std::sin(angle), -10.0 * std::cos(angle));
}

Scene read(const std::string& text, const std::string& integrator) {
  return read_scene(text, "ball.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
}

struct Way {
  const char *integrator, *contacts;
};

class RollingResistance : public testing::TestWithParam<Way> {
 protected:
  static std::string text(const std::string& gravity, const std::string& start = "") {
    return ball(gravity, start, GetParam().contacts);
  }
  static Scene scene(const std::string& gravity, const std::string& start = "") {
    return read(text(gravity, start), GetParam().integrator);
  }
};

// m g (arm/r) is lost per way, of 7/10 m v^2: it rolls with 5/7 g arm/r = 2/7 m/s2 less and stops for good after v^2/(2 a) = 0.4375 m.
TEST_P(RollingResistance, ABallRollsOut) {
  const double way = 0.25 / (2.0 * 2.0 / 7.0);
  for (const double angle : {0.0, 0.25 * M_PI}) {
    const double x = std::cos(angle), y = std::sin(angle);
    const std::string start =
        fmt::format("velocity = [{}, {}, 0]\nangular_velocity = [{}, {}, 0]\n", 0.5 * x, 0.5 * y, -5.0 * y, 5.0 * x);
    const Scene scene = this->scene("[0, 0, -10]", start);
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
  const State stays = test::run(scene(slope(0.0399))).final_state;
  EXPECT_LT(stays.u.norm(), 1e-9);
  EXPECT_NEAR(stays.q[0], 0.0, 1e-9);
  const State rolls = test::run(scene(slope(0.0401))).final_state;
  EXPECT_NEAR(rolls.u[0], 2.0 * 5.0 / 7.0 * 10.0 * (0.0401 - 0.04) * std::cos(std::atan(0.0401)), 1e-7);
}

TEST_P(RollingResistance, IsJudgedByVerify) {
  const Scene scene = this->scene(slope(0.02), "velocity = [0.3, 0.1, 0]\nangular_velocity = [-1, 3, 2]\n");
  verify::RunWatch watch(scene);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  // Half the arm is another law.
  std::string text = scene.origin.scene_text;
  text.replace(text.find("0.004\n"), 5, "0.002");
  const Scene other = read(text, GetParam().integrator);
  verify::RunWatch strict(other);
  RunHooks wrong;
  strict.take_part(wrong);
  const RunSummary again = simulate(*scene.system, scene.start, scene.run, wrong);
  EXPECT_GT(strict.finish(again).of(verify::Kind::kFrictionSet).violations, 0);
}

INSTANTIATE_TEST_SUITE_P(Schemes, RollingResistance,
                         testing::Values(Way{"moreau", "expressions"}, Way{"moreau-jean", "expressions"},
                                         Way{"moreau", "found"}, Way{"moreau-jean", "found"}),
                         [](const auto& way) {
                           const std::string scheme = way.param.integrator;
                           return (scheme == "moreau" ? "moreau_" : "moreau_jean_") + std::string(way.param.contacts);
                         });

/// A cylinder of radius 0.1 m that lies on a plane along y and rolls along x, J = m r^2/2.
std::string cylinder(double arm) {
  return fmt::format(R"TOML(tippe = 1
[world]
gravity = [0, 0, -10]
[[body]]
name = "trunk"
mass = 2
inertia = [0.02, 0.01, 0.02]
position = [0, 0, 0.1]
velocity = [0.5, 0, 0]
angular_velocity = [0, 5, 0]
[[body.cylinder]]
from = [0, -0.2, 0]
to = [0, 0.2, 0]
radius = 0.1
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
friction = 0.5
rolling = {}
[run]
dt = 1e-3
until = 1
)TOML",
                     arm);
}

// Two contacts share its weight and its moment: m g arm/r per way of 3/4 m v^2, a = 2/3 g arm/r, both at once.
TEST(FoundRollingResistance, ACylinderRollsOutOnTwoContacts) {
  const Scene scene = read(cylinder(0.01), "moreau");
  std::vector<double> speeds;
  test::watch(scene, [&](const State& state, const Integrator& /*moreau*/, const StepReport& /*report*/) {
    speeds.push_back(state.u[0]);
    EXPECT_NEAR(state.u[0], std::max(0.0, 0.5 - 2.0 / 3.0 * state.t), 1e-3 * 2.0 / 3.0 + 1e-9);
  });
  EXPECT_EQ(speeds.size(), 1000U);
  EXPECT_LT(std::abs(speeds.back()), 1e-9);
}

const std::string kDisc = R"TOML(tippe = 1
[world]
gravity = [0, -10]
contacts = "found"
[[body]]
name = "disc"
kind = "planar"
mass = 2
inertia = 0.01
position = [0, 0.1]
velocity = [0.5, 0]
angular_velocity = -5
[[body.sphere]]
radius = 0.1
[[plane]]
name = "floor"
normal = [0, 1]
[[contact_law]]
between = ["*", "*"]
friction = 0.5
rolling = 0.01
[run]
dt = 1e-3
until = 1
)TOML";

// It comes so far in so long, and stays, or rolls back with what is left of its weight.
TEST(RollingBarrel, RollsUpASlopeAndStays) {
  constexpr double g = 9.81, resistance = 0.04;
  for (const double slope : {0.03, 0.05}) {
    const Scene scene = test::load("rolling_barrel",
                                   {.settings = {fmt::format("slope={}", slope)}, .integrator = {}, .dt = {}, .until = {}});
    const double up = 2.0 / 3.0 * g * (std::sin(slope) + resistance * std::cos(slope)),
                 down = 2.0 / 3.0 * g * std::max(0.0, std::sin(slope) - resistance * std::cos(slope));
    const State end = test::run(scene).final_state;
    const double fallen = scene.run.until - 1.0 / up;
    EXPECT_NEAR(end.q[0], 0.5 / up - 0.5 * down * fallen * fallen, 1e-3);
    EXPECT_NEAR(end.u[0], -down * fallen, down > 0.0 ? 1e-3 : 1e-9);
  }
}

// A disc: a = 2/3 g arm/r as well.
TEST(FoundRollingResistance, OfPlanarBodies) {
  const Scene scene = read(kDisc, "moreau");
  test::watch(scene, [&](const State& state, const Integrator& /*moreau*/, const StepReport& /*report*/) {
    EXPECT_NEAR(state.u[0], std::max(0.0, 0.5 - 2.0 / 3.0 * state.t), 1e-3 * 2.0 / 3.0 + 1e-9);
  });
}

/// Two balls that a spring presses against each other, both turning.
std::string two_balls(const std::string& contacts) {
  return "tippe = 1\n[world]\ncontacts = \"" + contacts + R"TOML("
[[body]]
name = "a"
mass = 1
inertia = [0.004, 0.004, 0.004]
angular_velocity = [0, 3, 1]
[[body.sphere]]
radius = 0.1
[[body]]
name = "b"
mass = 2
inertia = [0.02, 0.02, 0.02]
position = [0.25, 0, 0]
angular_velocity = [2, -1, 0]
[[body.sphere]]
radius = 0.15
[[spring]]
between = ["a", "b"]
stiffness = 200
length = 0.2
[[contact_law]]
between = ["a", "b"]
friction = 0.3
rolling = 0.01
[run]
dt = 1e-3
until = 0.3
)TOML";
}

// Moments on the two are opposite: their angular momentum stays, while the turning of one against the other dies out. Found or not is the same.
TEST(FoundRollingResistance, BetweenTwoBallsKeepsTheAngularMomentum) {
  const auto momentum = [](const State& state) {
    Eigen::Vector3d L = Eigen::Vector3d::Zero();
    for (const auto& [m, J, q, u] : {std::tuple{1.0, 0.004, 0, 0}, {2.0, 0.02, 7, 6}}) {
      const Eigen::Quaterniond turned(state.q[q + 3], state.q[q + 4], state.q[q + 5], state.q[q + 6]);
      L += m * state.q.segment<3>(q).cross(state.u.segment<3>(u)) + turned * Eigen::Vector3d(J * state.u.segment<3>(u + 3));
    }
    return L;
  };
  const Scene scene = read(two_balls("found"), "moreau");
  const RunSummary found = test::run(scene);
  EXPECT_LE((momentum(found.final_state) - momentum(scene.start)).norm(), 1e-13);
  const Scene bare = read(two_balls("found") + "rest_band = 0\n", "moreau");
  const Scene written = read(two_balls("expressions"), "moreau");
  EXPECT_LE((test::run(bare).final_state.u - test::run(written).final_state.u).norm(), 1e-9);
  EXPECT_GT(found.energy.lost_in_contacts, 0.01);
}

// Saved in the middle and gone on with: the same bits. What the moments did is in the recording, contact by contact.
TEST(FoundRollingResistance, IsRecordedAndResumed) {
  Scene scene = read(cylinder(0.01), "moreau");
  scene.run.every = 0.05;
  scene.run.dt = 1e-2;
  const test::TemporaryFolder folder;
  const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
  EXPECT_EQ(test::record(scene, whole, 100'000, nullptr).status, RunStatus::kOk);
  EXPECT_EQ(test::record(scene, parts, 33, nullptr).status, RunStatus::kInterrupted);
  const RecordedCheckpoint recorded = read_checkpoint(parts);
  EXPECT_EQ(test::record(scene, parts, 100'000, &recorded.checkpoint).status, RunStatus::kOk);
  test::expect_same_run(whole, parts);
  const RecordedContacts& contacts = read_recording(whole).contacts;
  ASSERT_EQ(contacts.moment.size(), 3 * contacts.id.size());
  double moment = 0.0;
  for (size_t k = 0; k < contacts.id.size(); ++k) {
    const Eigen::Vector3d turned = Eigen::Map<const Eigen::Vector3d>(contacts.moment.data() + 3 * k);
    EXPECT_LT(turned.cross(Eigen::Vector3d::UnitY()).norm(), 1e-12);
    moment += turned[1];
  }
  EXPECT_NEAR(moment, -0.01 * 20.0 * 0.75, 1e-2 * 0.2);  // arm m g until it stops: what rests needs none
}

// In the plane and in space, with both schemes; the last step before it stops too.
TEST(FoundRollingResistance, IsJudgedByVerify) {
  // Two laws with a resistance each, beside laws with gaps.
  const std::string pair = two_balls("found") + R"TOML([[plane]]
name = "wall"
normal = [-1, 0, 0]
point = [0.41, 0, 0]
[[contact_law]]
between = ["b", "wall"]
friction = 0.3
rolling = 0.005
)TOML";
  for (const std::string& text : {cylinder(0.01), kDisc, two_balls("found"), pair}) {
    const Scene scene = read(text, "moreau");
    verify::RunWatch watch(scene);
    RunHooks hooks;
    watch.take_part(hooks);
    const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
    const verify::Verdict verdict = watch.finish(summary);
    EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  }
}

TEST(FoundRollingResistance, OfWhatDoesNotTurnIsRefused) {
  try {
    (void)test::scene_from(
        "[world]\ncontacts = \"found\"\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\n[[body.sphere]]\nradius = "
        "0.1\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"p\", \"floor\"]\nrolling = "
        "0.1\n");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "nothing rolls in 'p-floor': its bodies do not turn");
    EXPECT_EQ(error.position().line, 15);
  }
}

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
