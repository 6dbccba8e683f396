// SPDX-License-Identifier: Apache-2.0
// Dry friction with given limits: unequal ones, in a plane, with drilling; ellipses between bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bodies.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_given_friction_test {

State plain_end(const Scene& scene, const std::string& integrator) {
  RunOptions options = scene.run;
  options.integrator = integrator;
  const RunSummary summary = simulate(*scene.system, scene.start, options);
  EXPECT_EQ(summary.status, RunStatus::kOk) << integrator << ": " << summary.message;
  return summary.final_state;
}

/// Judged on the way.
State end_with(const Scene& scene, const std::string& integrator) {
  RunOptions options = scene.run;
  options.integrator = integrator;
  verify::RunWatch watch(*scene.system, scene.start, options);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, options, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << integrator << ": " << summary.message;
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << integrator << ": " << verify::verdict_text(verdict);
  return summary.final_state;
}

/// A block of 2 kg on a pad that resists with 3 N forwards and 1 N backwards.
Scene block(const std::string& force, double velocity, double until) {
  return test::scene_from("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[lagrangian.forces]\nx = \"" + force +
                          "\"\n[[dry_friction]]\nname = \"pad\"\nvelocity = \"x'\"\nlimit = [3, 1]\n[initial]\n\"x'\" = " +
                          std::to_string(velocity) +
                          "\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = " + std::to_string(until) + "\n");
}

const std::vector<std::string> kSchemes = {"moreau", "moreau-jean", "consistent-2", "consistent-mq", "quaternion-2"};

// m v^2/(2 limit): 2 * 1.2^2/(2 * 3) forwards and 2 * 1.2^2/(2 * 1) backwards; steps of 1e-3 s end within 1e-3 of it.
TEST(GivenFriction, UnequalLimitsStopOverUnequalWays) {
  for (const std::string& integrator : kSchemes) {
    const State forwards = end_with(block("0", 1.2, 3.0), integrator),
                backwards = end_with(block("0", -1.2, 3.0), integrator);
    EXPECT_NEAR(forwards.q[0], 0.48, 1.3e-3) << integrator;
    EXPECT_NEAR(backwards.q[0], -1.44, 1.3e-3) << integrator;
    EXPECT_NEAR(forwards.u[0], 0.0, 1e-12) << integrator;
    EXPECT_NEAR(backwards.u[0], 0.0, 1e-12) << integrator;
  }
  EXPECT_NEAR(end_with(block("0", 1.2, 3.0), "event-driven").q[0], 0.48, 1e-12);
  EXPECT_NEAR(end_with(block("0", -1.2, 3.0), "event-driven").q[0], -1.44, 1e-12);
}

// Held from -1 N to 3 N, beyond it slides with (F - limit)/m. A force 0.5 + t slides from t = 2.5 s on: x = (t - 2.5)^3/(6 m).
TEST(GivenFriction, UnequalLimitsHoldUnequalForces) {
  for (const std::string integrator : {"moreau", "consistent-2", "event-driven"}) {
    EXPECT_NEAR(end_with(block("2.9", 0.0, 1.0), integrator).q[0], 0.0, 1e-15) << integrator;
    EXPECT_NEAR(end_with(block("-0.9", 0.0, 1.0), integrator).q[0], 0.0, 1e-15) << integrator;
    EXPECT_NEAR(end_with(block("-1.2", 0.0, 1.0), integrator).u[0], -0.1, 1e-9) << integrator;
    EXPECT_NEAR(end_with(block("3.2", 0.0, 1.0), integrator).u[0], 0.1, 1e-9) << integrator;
  }
  EXPECT_NEAR(end_with(block("0.5 + t", 0.0, 4.0), "event-driven").q[0], std::pow(1.5, 3) / 12.0, 1e-10);
  EXPECT_NEAR(end_with(block("-0.5 - t", 0.0, 4.0), "event-driven").q[0], -std::pow(3.5, 3) / 12.0, 1e-10);
}

// At an instant the middle of the limits, -1 N, is a load, and what is left lies within 2 N.
TEST(GivenFriction, AnInstantTakesTheMiddleOfTheLimitsAsALoad) {
  const auto instant = [](const Scene& scene) { return instant_of(*scene.system, scene.start, {}); };
  const Instant held = instant(block("2.9", 0.0, 1.0));
  ASSERT_EQ(held.dry.size(), 1U);
  EXPECT_EQ(held.dry[0].limit, 2.0);
  EXPECT_NEAR(held.acceleration->F[0], -1.9, 1e-15);
  const Instant slides = instant(block("0", 1.2, 1.0));
  // M a = -F - limit: 2 a = -1 - 2.
  EXPECT_NEAR(slides.acceleration->F[0] + slides.dry[0].limit, 3.0, 1e-15);
}

/// A body of 1.5 kg that slides and turns on a floor, under its weight or a pad that presses as hard.
Scene puck(const std::string& law) {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\", \"phi\"]\nkinetic = \"0.75*(x'^2 + y'^2 + z'^2) + "
      "0.5*0.002*phi'^2\"\npotential = \"1.5*9.81*z\"\n" +
      law +
      "[initial]\n\"x'\" = 0.7\n\"y'\" = -0.4\n\"phi'\" = 9\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.3\n");
}
const std::string kFloor = "[[bilateral]]\nname = \"floor\"\nposition = \"z\"\n";

/// Largest difference of the velocities at the end.
double difference(const Scene& pad, const Scene& contact, const std::string& integrator) {
  return (plain_end(pad, integrator).u - plain_end(contact, integrator).u).cwiseAbs().maxCoeff();
}

// The same force as Coulomb's law under the weight 1.5 * 9.81 N, of which the other code knows.
TEST(GivenFriction, IsThatOfAContactUnderItsWeight) {
  const std::string slip = "slip = [\"x'\", \"y'\"]\n", velocity = "velocity = [\"x'\", \"y'\"]\n";
  const std::string contact = "[[contact]]\nname = \"floor\"\ngap = \"z\"\n" + slip;
  const std::string pad = "[[dry_friction]]\nname = \"pad\"\n" + velocity;
  for (const std::string integrator : {"moreau", "moreau-jean", "consistent-2", "quaternion-2"}) {
    const std::string& floor = kFloor;
    EXPECT_LE(difference(puck(floor + pad + "limit = \"0.3*1.5*9.81\"\n"), puck(contact + "friction = 0.3\n"), integrator),
              1e-9)
        << integrator;
    EXPECT_LE(difference(puck(floor + pad + "limit = [\"0.3*1.5*9.81\", \"0.1*1.5*9.81\"]\n"),
                         puck(contact + "friction = [0.3, 0.1]\n"), integrator),
              1e-9)
        << integrator;
    for (const std::string set : {"exact", "ellipsoid", "cylinder"}) {
      const std::string more = ", mean_drilling_radius = 0.01, set = \"" + set + "\" }\n", spin = "spin = \"phi'\"\n";
      EXPECT_LE(difference(puck(floor + pad + spin + "limit = { force = \"0.3*1.5*9.81\"" + more),
                           puck(contact + spin + "friction = { mu = 0.3" + more), integrator),
                1e-9)
          << integrator << " " << set;
    }
  }
}

TEST(GivenFriction, InAPlaneObeysItsDefinition) {
  for (const std::string limit :
       {"limit = [5, 2]\n", "spin = \"phi'\"\nlimit = { force = 5, mean_drilling_radius = 0.01, set = \"ellipsoid\" }\n"}) {
    const Scene scene = puck(kFloor + "[[dry_friction]]\nname = \"pad\"\nvelocity = [\"x'\", \"y'\"]\n" + limit);
    for (const std::string integrator : {"moreau", "moreau-jean", "consistent-2", "quaternion-2"})
      (void)end_with(scene, integrator);
  }
}

// Along a straight line, until it stops: v/(mu g) s.
TEST(GivenFriction, ADiscThatDoesNotTurnStopsOnALine) {
  const Scene scene = puck(kFloor + "[[dry_friction]]\nname = \"pad\"\nvelocity = [\"x'\", \"y'\"]\nlimit = 5\n");
  const double speed = std::hypot(0.7, 0.4), way = 1.5 * speed * speed / (2.0 * 5.0);
  for (const std::string integrator : {"moreau", "consistent-2", "quaternion-2"}) {
    const State end = end_with(scene, integrator);
    EXPECT_NEAR(end.q[0], way * 0.7 / speed, 1e-3) << integrator;
    EXPECT_NEAR(end.q[1], -way * 0.4 / speed, 1e-3) << integrator;
    EXPECT_NEAR(end.q[0] * 0.4 + end.q[1] * 0.7, 0.0, 1e-12) << integrator;
  }
}

TEST(GivenFriction, InAPlaneIsKnownToInstants) {
  const Scene scene = puck(kFloor + "[[dry_friction]]\nname = \"pad\"\nvelocity = [\"x'\", \"y'\"]\nlimit = 5\n");
  EXPECT_EQ(find_integrator("event-driven")->misfit(*scene.system), "");
  // While it slides a force of 5 N against the slip.
  const Instant slides = instant_of(*scene.system, scene.start, {});
  EXPECT_NEAR(slides.acceleration->F[0], 5.0 * 0.7 / std::hypot(0.7, 0.4), 1e-14);
  // At rest a contact that 5 N press along a coordinate of its own.
  State rest = scene.start;
  rest.u.setZero();
  const AccelerationProblem holds = *instant_of(*scene.system, rest, {}).acceleration;
  ASSERT_TRUE(holds.unilateral.back().pressed);
  EXPECT_EQ(holds.coordinates.back(), "pad press");
  EXPECT_EQ(holds.F[holds.n() - 1], 5.0);
  EXPECT_EQ(without_pressed(holds).n(), scene.system->nu());
}

/// A small ball that slides on a plane with two coefficients.
Scene ball(const std::string& law, const std::string& body = "", const std::string& world = "",
           const std::string& integrator = "quaternion-2") {
  return test::scene_from("[world]\ngravity = [0, 0, -10]\n" + world +
                          "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\nposition = "
                          "[0, 0, 1e-9]\nvelocity = [1, 0.5, 0]\n" +
                          body +
                          "[[body.sphere]]\nradius = 1e-9\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n"
                          "[[contact_law]]\nbetween = [\"ball\", \"floor\"]\n" +
                          law + "[run]\nintegrator = \"" + integrator + "\"\ndt = 1e-3\nuntil = 0.05\n");
}

// By hand: slips along (cos a, sin a) and across it. The ellipse slows the slip (g1, g2) by g (mu1^2 g1, mu2^2 g2)/|(mu1 g1, mu2 g2)|.
TEST(GivenFriction, AnEllipseBetweenABodyAndAPlaneLiesWhereItsDirectionPoints) {
  const double a = 0.4, c = std::cos(a), s = std::sin(a);
  const State end =
      end_with(ball("friction = [0.5, 0.1]\ndirection = [\"2*cos(0.4)\", \"2*sin(0.4)\", 7]\n"), "quaternion-2");
  double g1 = c + 0.5 * s, g2 = -s + 0.5 * c;
  constexpr int kSteps = 20000;
  for (int k = 0; k < kSteps; ++k) {  // the middle of each
    const auto rate = [](double x, double y) {
      const double size = std::hypot(0.5 * x, 0.1 * y);
      return std::pair{-10.0 * 0.25 * x / size, -10.0 * 0.01 * y / size};
    };
    const double dt = 0.05 / kSteps;
    const auto [r1, r2] = rate(g1, g2);
    const auto [m1, m2] = rate(g1 + 0.5 * dt * r1, g2 + 0.5 * dt * r2);
    g1 += dt * m1;
    g2 += dt * m2;
  }
  EXPECT_NEAR(c * end.u[0] + s * end.u[1], g1, 1e-5);
  EXPECT_NEAR(-s * end.u[0] + c * end.u[1], g2, 1e-5);
}

// The default of a plane with its normal along z: x and y.
TEST(GivenFriction, WithoutADirectionAPlaneTakesItsOwn) {
  const State plain = end_with(ball("friction = [0.5, 0.1]\n"), "moreau"),
              given = end_with(ball("friction = [0.5, 0.1]\ndirection = [1, 0, 0]\n"), "moreau");
  EXPECT_LE((plain.u - given.u).cwiseAbs().maxCoeff(), 1e-14);
}

// A runner: free along its own axis, which lies at 40 degrees, held across it. What is left is the velocity along it.
TEST(GivenFriction, ADirectionMayBeFixedToABody) {
  const double a = 40.0 * std::numbers::pi / 180.0;
  Scene scene = ball("friction = [0, 5]\ndirection = [1, 0, 0]\ndirection_in = \"ball\"\n",
                     "orientation = { axis = [0, 0, 1], angle = \"40*pi/180\" }\n");
  const double along = std::cos(a) + 0.5 * std::sin(a);
  const State end = end_with(scene, "quaternion-2");
  EXPECT_NEAR(end.u[0], along * std::cos(a), 1e-6);
  EXPECT_NEAR(end.u[1], along * std::sin(a), 1e-6);
}

// Contacts that are found while bodies move slide as those of expressions do.
TEST(GivenFriction, AnEllipseOfFoundContactsIsThatOfExpressions) {
  for (const char* fixed : {"", "direction_in = \"ball\"\n"}) {
    const std::string law = std::string("friction = [0.5, 0.1]\ndirection = [1, 0.3, 0]\n") + fixed;
    const std::string turned = "orientation = { axis = [0, 0, 1], angle = 0.6 }\nangular_velocity = [0, 0, 9]\n";
    const State expressions = test::run(ball(law, turned, "", "moreau")).final_state,
                found = test::run(ball(law, turned, "contacts = \"found\"\n", "moreau")).final_state;
    EXPECT_LE((found.u - expressions.u).cwiseAbs().maxCoeff(), 1e-9) << fixed;
    EXPECT_GT(std::abs(found.u[1] - 0.5), 1e-3) << "it slides askew";
  }
}

}  // namespace tippe::scenes_given_friction_test
