// SPDX-License-Identifier: Apache-2.0
// Boxes that land on corners, edges and faces: the same as by Moreau's rule with steps that tell the impacts apart, or not unique by the verdict of the event.
#include <fmt/format.h>

#include "support/events.h"
#include "tippe/analyze/impact_laws.h"
#include "tippe/hybrid/impact.h"
#include "tippe/integrate/instant_of_system.h"

namespace tippe::hybrid_box_landings_test {

using Eigen::Vector2d;
using Eigen::Vector4d;
using Eigen::VectorXd;

struct Box {
  double mass = 2.0;
  std::string inertia = "[0.0334, 0.0417, 0.0217]", size = "[0.3, 0.2, 0.4]";
  std::string position = "[0, 0, 0.2]", orientation = "axis = [1, 0, 0], angle = 0";
  std::string velocity = "[0.5, -0.3, -1]", angular_velocity = "[0, 0, 1.5]";
  double mu = 0.3;
};

Scene scene_of(const Box& box, double until) {
  Scene scene = test::scene_from(fmt::format(
      "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = {}\ninertia = {}\nposition = {}\norientation = {{ "
      "{} "
      "}}\nvelocity = {}\nangular_velocity = {}\n[[body.box]]\nsize = {}\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, "
      "1]\n[[contact_law]]\nbetween = [\"box\", \"floor\"]\nfriction = {}\n[run]\nintegrator = \"event-driven\"\nuntil = "
      "{}\n",
      box.mass, box.inertia, box.position, box.orientation, box.velocity, box.angular_velocity, box.size, box.mu, until));
  return scene;
}

RunSummary run_moreau(Scene& scene, double dt) {
  scene.run.integrator = "moreau";
  scene.run.dt = dt;
  return test::run(scene);
}

double difference(const RunSummary& a, const RunSummary& b) {
  return (a.final_state.u - b.final_state.u).cwiseAbs().maxCoeff();
}

/// Velocities of a plate on four feet (+-a, +-b) under its centre by `height` after a blow of 1 m/s: friction against the slip after it, and normal impulses that
/// balance its moments, up to `t` (1, -1, -1, 1).
VectorXd slide_on_feet(const VectorXd& before, double t, const Box& box, double J, double a, double b, double height) {
  const std::vector<Vector2d> feet{{a, b}, {a, -b}, {-a, b}, {-a, -b}};
  VectorXd after = before;
  for (int k = 0; k < 400; ++k) {
    const double my = -box.mass * height * (after[0] - before[0]) / (4.0 * a);
    const double mx = box.mass * height * (after[1] - before[1]) / (4.0 * b);
    const double each = 0.25 * box.mass;
    const Vector4d N(each + my - mx + t, each + my + mx - t, each - my - mx - t, each - my + mx + t);
    VectorXd next = before;
    for (int i = 0; i < 4; ++i) {
      const Vector2d foot = feet[static_cast<size_t>(i)];
      const Vector2d slip(after[0] - after[2] * foot[1], after[1] + after[2] * foot[0]);
      const Vector2d impulse = -box.mu * N[i] * slip.normalized();
      next.head(2) += impulse / box.mass;
      next[2] += (foot[0] * impulse[1] - foot[1] * impulse[0]) / J;
    }
    after = 0.5 * (after + next);
  }
  return after;
}

// A face that lands while it slides and spins: the normal impulses of its corners are determined up to a multiple of (1, -1, -1, 1), and each choice has its own slip after the impact.
TEST(BoxLandings, AFaceThatSlidesAndSpinsHasManyOutcomes) {
  const Box flat{.mass = 2.0, .inertia = "[0.03, 0.04, 0.06]", .size = "[0.5, 0.4, 0.1]", .position = "[0, 0, 0.05]"};
  const Scene scene = scene_of(flat, 1e-3);
  std::vector<bool> closed(scene.system->laws().size());
  std::fill_n(closed.begin(), 4, true);
  const ImpactOutcome outcome = resolve_impact(*scene.system, scene.start, closed);
  ASSERT_EQ(outcome.status, ImpactOutcome::Status::kDone) << outcome.note;
  ASSERT_GT(outcome.alternatives.value_or(0), 0);
  EXPECT_NE(outcome.note.find("consistent too"), std::string::npos) << outcome.note;
  // What it chose is one of them, by a formula of its own.
  constexpr double kHeight = 0.05, a = 0.25, b = 0.2, J = 0.06;
  const VectorXd before = (VectorXd(3) << 0.5, -0.3, 1.5).finished();
  const auto outcome_of = [&](double t) { return slide_on_feet(before, t, flat, J, a, b, kHeight); };
  VectorXd found(3);
  found << outcome.u[0], outcome.u[1], outcome.u[5];
  double nearest = 1.0, t_nearest = 0.0;
  const auto distance = [&](double t) { return (outcome_of(t) - found).norm(); };
  for (double t = -0.4; t <= 0.4; t += 0.05) {
    if (const double d = distance(t); d < nearest) nearest = d, t_nearest = t;
  }
  double low = t_nearest - 0.05, high = t_nearest + 0.05;
  for (int k = 0; k < 45; ++k) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    (distance(left) < distance(right) ? high : low) = distance(left) < distance(right) ? right : left;
  }
  EXPECT_LE(distance(0.5 * (low + high)), 1e-8);
  EXPECT_GE((outcome_of(-0.2) - outcome_of(0.2)).norm(), 1e-3);  // and the others differ from it
  // analyze says the same.
  const auto evaluator = scene.system->make_evaluator();
  const ImpactReport report = judge_impact(impact_of(*scene.system, scene.start, {0, 1, 2, 3}, *evaluator));
  ASSERT_TRUE(report.newton);
  EXPECT_GT(report.newton->alternatives.value_or(0), 0);
}

// Without a spin all corners slide alike, and how they share the blow does not matter.
TEST(BoxLandings, AFaceThatOnlySlidesHasOneOutcome) {
  const Box flat{.inertia = "[0.03, 0.04, 0.06]",
                 .size = "[0.5, 0.4, 0.1]",
                 .position = "[0, 0, 0.05]",
                 .angular_velocity = "[0, 0, 0]"};
  const Scene scene = scene_of(flat, 1e-3);
  std::vector<bool> closed(scene.system->laws().size());
  std::fill_n(closed.begin(), 4, true);
  const ImpactOutcome outcome = resolve_impact(*scene.system, scene.start, closed);
  ASSERT_EQ(outcome.status, ImpactOutcome::Status::kDone) << outcome.note;
  EXPECT_EQ(outcome.alternatives, std::nullopt);  // none is found, which proves nothing
  const double slip = std::hypot(0.5, 0.3), left = (slip - 0.3 * 1.0) / slip;
  EXPECT_NEAR(outcome.u[0], left * 0.5, 1e-12);
  EXPECT_NEAR(outcome.u[1], -left * 0.3, 1e-12);
}

// Tilted by 1e-5 rad, a face lands with one corner after the other within 4 us. Longer steps take the impacts as one, and it stays; shorter ones see what event-driven sees: it leaves again.
TEST(BoxLandings, CornersThatLandShortlyAfterEachOther) {
  const Box tilted{.position = "[0, 0, 0.20001]", .orientation = "axis = [1, 0.3, 0], angle = 1e-5"};
  Scene scene = scene_of(tilted, 4e-5);
  const RunSummary events = test::run(scene);
  ASSERT_EQ(events.status, RunStatus::kOk) << events.message;
  EXPECT_GE(events.final_state.u[2], 0.05);
  EXPECT_LE(difference(events, run_moreau(scene, 2e-8)), 2e-5);
  EXPECT_LE(difference(events, run_moreau(scene, 4e-9)), 4e-6);
  const RunSummary merged = run_moreau(scene, 1e-5);
  EXPECT_LE(std::abs(merged.final_state.u[2]), 1e-3);
  EXPECT_GE(difference(events, merged), 0.1);
}

// An edge whose corners take turns until it lies: in the limit nothing slides, however small the slip that the impacts before it leave.
TEST(BoxLandings, AnEdgeThatRattlesToRestSticks) {
  const Box edge{.mass = 2.488,
                 .inertia = "[0.052801, 0.070558, 0.05263]",
                 .size = "[0.412, 0.29, 0.413]",
                 .position = "[0, 0, 0.314085]",
                 .orientation = "axis = [0, 1, 0], angle = 0.6481",
                 .velocity = "[-0.012, -0.409, 0]",
                 .angular_velocity = "[0, 0, 0.029]",
                 .mu = 0.53};
  Scene scene = scene_of(edge, 0.2);
  const test::EventRun run = test::run_events(scene, 1e-10);
  const auto limits = run.of(EventKind::kAccumulation);
  ASSERT_EQ(limits.size(), 1u) << run.list();
  EXPECT_EQ(limits[0].after(),
            "osos"
            "oooo")
      << run.list();
  EXPECT_NEAR(limits[0].t(), 0.178733606386, 1e-11);
  const RunSummary events = test::run(scene);
  ASSERT_EQ(events.status, RunStatus::kOk) << events.message;
  for (const double dt : {1e-5, 2e-6}) EXPECT_LE(difference(events, run_moreau(scene, dt)), 5.0 * dt) << dt;
}

// A corner that the impact leaves opening by round-off, and the solver's tolerance lets close again, is no impact of its own: the run ended with "100 impacts at one instant".
TEST(BoxLandings, WhatTheSolverLeavesClosingIsNoImpact) {
  const Box edge{.mass = 1.7031165851832708,
                 .inertia = "[0.0376514353461551, 0.03952726510482789, 0.03623839399308092]",
                 .size = "[0.3664350228899751, 0.34793347805397856, 0.37977728088192175]",
                 .position = "[0, 0, 0.23149836817179245]",
                 .orientation = "axis = [0, 1, 0], angle = 1.2680545018485172",
                 .velocity = "[-0.275, 0.053, -1.459]",
                 .angular_velocity = "[0.002, 0.915, -0.126]",
                 .mu = 0.2};
  Scene scene = scene_of(edge, 0.008);
  const RunSummary events = test::run(scene);
  ASSERT_EQ(events.status, RunStatus::kOk) << events.message;
  scene.run.integrator = "quaternion-2";
  scene.run.dt = 4e-6;
  const RunSummary steps = test::run(scene);
  ASSERT_EQ(steps.status, RunStatus::kOk) << steps.message;
  EXPECT_LE(difference(events, steps), 1e-6);
}

/// A slender box of 4 cm x 12 cm that stands on its left corner, tilted by `angle`.
Scene rocking_box(double mu, double angle, double until) {
  return test::scene_from(fmt::format(
      "[world]\ngravity = [0, -9.81]\n[[body]]\nkind = \"planar\"\nname = \"box\"\nmass = 1\ninertia = \"(0.04^2 + "
      "0.12^2)/12\"\nposition = [0, \"0.06*cos({0}) + 0.02*sin({0})\"]\nangle = {0}\n[[body.box]]\nsize = [0.04, "
      "0.12]\n[[plane]]\nname = \"floor\"\nnormal = [0, 1]\n[[contact_law]]\nbetween = [\"box\", \"floor\"]\nfriction = "
      "{1}\n[run]\nintegrator = \"event-driven\"\nuntil = {2}\n",
      angle, mu, until));
}

// Housner: a box that rocks without slip keeps 1 - 3/2 sin(alpha)^2 of its angular velocity in each impact, tan(alpha) = width/height = 1/3; so each impact loses 0.85^2 times what the
// one before it lost.
TEST(BoxLandings, ARockingBoxLosesWhatHousnerSays) {
  const test::EventRun run = test::run_events(rocking_box(0.6, 0.2, 0.8), 1e-10);
  const auto impacts = run.of(EventKind::kImpact);
  ASSERT_EQ(impacts.size(), 5u) << run.list();
  const double fall = 9.81 * ((0.06 * std::cos(0.2) + 0.02 * std::sin(0.2)) - 0.06);
  EXPECT_NEAR(impacts[0].lost(), (1.0 - 0.85 * 0.85) * fall, 1e-10);
  for (size_t k = 1; k < impacts.size(); ++k) EXPECT_NEAR(impacts[k].lost() / impacts[k - 1].lost(), 0.85 * 0.85, 1e-8) << k;
}

// With less friction the corners slip in some of the impacts. Moreau's rule is late by up to a step in each of them.
TEST(BoxLandings, ARockingBoxDoesWhatMoreausRuleDoes) {
  for (const double mu : {0.6, 0.15}) {
    Scene scene = rocking_box(mu, 0.2, 0.4);
    const RunSummary events = test::run(scene);
    ASSERT_EQ(events.status, RunStatus::kOk) << events.message;
    constexpr double kFastest =
        60.0;  // rad/s^2  3 g/(4 R) = 116 sin(alpha) of the box about its corner, and the speeds of its centre less
    constexpr double kImpacts = 3.0;
    for (const double dt : {1e-5, 1e-6}) {
      const RunSummary rule = run_moreau(scene, dt);
      EXPECT_LE(difference(events, rule), kImpacts * kFastest * dt) << mu << ", dt " << dt;
    }
  }
}

// Restitution and friction at both corners on a slope: their impacts accumulate at once, or in turn. In the end the block lies on a face, and rests where
// mu > tan(slope), else slides with g (sin - mu cos).
TEST(BoxLandings, ABlockThatBouncesOnASlopeComesToItsEnd) {
  constexpr double kGravity = 9.81;
  for (const double slope : {0.15, 0.35}) {
    for (const double mu : {0.1, 0.8}) {
      for (const double angle : {0.03, 0.3, 0.7}) {
        Scene scene = test::scene_from(fmt::format(
            "[world]\ngravity = [{}, {}]\n[[body]]\nname = \"b\"\nkind = \"planar\"\nmass = 1\ninertia = 0.02\nposition = "
            "[0, 0.3]\nangle = {}\n[[body.box]]\nsize = [0.4, 0.2]\n[[plane]]\nname = \"floor\"\nnormal = [0, 1]\n"
            "[[contact_law]]\nbetween = [\"b\", \"floor\"]\nfriction = {}\nrestitution = 0.6\n[run]\nintegrator = "
            "\"event-driven\"\nuntil = 4\n",
            kGravity * std::sin(slope), -kGravity * std::cos(slope), angle, mu));
        const test::EventRun run = test::run_events(scene);
        scene.run.until = 3.9;
        const test::EventRun before = test::run_events(scene);
        const bool rests = mu > std::tan(slope);
        const double quarters = run.end.q[2] / (0.5 * M_PI);
        EXPECT_NEAR(quarters, std::round(quarters), 1e-9) << slope << " " << mu << " " << angle << "\n" << run.list();
        EXPECT_NEAR(run.end.u[0] - before.end.u[0], rests ? 0.0 : 0.1 * kGravity * (std::sin(slope) - mu * std::cos(slope)),
                    1e-8);
        EXPECT_NEAR(run.end.u.tail(2).norm(), 0.0, 1e-9);
        EXPECT_LE(std::abs(run.energy.unexplained()), 1e-10 * run.energy.scale);
      }
    }
  }
}

}  // namespace tippe::hybrid_box_landings_test
