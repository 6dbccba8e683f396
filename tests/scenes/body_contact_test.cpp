// SPDX-License-Identifier: Apache-2.0
// Bodies in contact, with Moreau's rule: closed forms, invariants and published numbers.
#include <Eigen/Geometry>
#include <algorithm>

#include "support/bodies.h"

namespace tippe::scenes_body_contact_test {

using Eigen::Vector3d;

/// Coordinates and velocities of a scene by their names.
struct Named {
  const Scene& scene;

  [[nodiscard]] double q(const State& state, const std::string& name) const { return test::coordinate(scene, state, name); }
  [[nodiscard]] double u(const State& state, const std::string& name) const { return test::velocity(scene, state, name); }
  [[nodiscard]] Vector3d position(const State& state, const std::string& body) const {
    return {q(state, body + ".x"), q(state, body + ".y"), q(state, body + ".z")};
  }
  [[nodiscard]] Vector3d velocity(const State& state, const std::string& body) const {
    return {u(state, body + ".vx"), u(state, body + ".vy"), u(state, body + ".vz")};
  }
  [[nodiscard]] Vector3d spin(const State& state, const std::string& body) const {
    return {u(state, body + ".wx"), u(state, body + ".wy"), u(state, body + ".wz")};
  }
};

double energy(const Scene& scene, const State& state) {
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(state.t, state.q, state.u);
  const Energies energies = evaluator->evaluate_energies();
  return energies.kinetic + energies.potential;
}

/// The states before and after the first step in which a law carries an impulse.
std::pair<State, State> first_impact(const Scene& scene) {
  State before = scene.start, after;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    if (after.q.size() > 0) return;
    const auto& impulse = integrator.last_laws().impulse;
    const bool hit = std::any_of(impulse.begin(), impulse.end(), [](double Lambda) { return Lambda != 0.0; });
    (hit ? after : before) = state;
  });
  if (after.q.size() == 0) throw std::runtime_error("nothing was hit");
  return {before, after};
}

// Smooth elastic spheres: v_i' = v_i - 2 m_j/(m_i + m_j) n n.(v_i - v_j); equal masses exchange their normal velocities. Spins stay,
// and so do momentum and energy.
TEST(BodyContact, ElasticSpheresExchangeTheirNormalVelocities) {
  for (const double mass : {2.0, 5.0}) {
    const Scene scene = test::scene_from(
        "[[body]]\nname = \"a\"\nmass = 2\ninertia = [1, 1, 1]\nvelocity = [1, 0.3, -0.2]\n"
        "angular_velocity = [3, -2, 1]\n[[body.sphere]]\nradius = 0.5\n[[body]]\nname = \"b\"\nmass = " +
        std::to_string(mass) +
        "\ninertia = [1, 1, 1]\nposition = [1.5, 0.4, 0.3]\nvelocity = [-1, 0.1, 0]\nangular_velocity = [0, 1, 5]\n"
        "[[body.sphere]]\nradius = 0.7\n[[contact_law]]\nbetween = [\"a\", \"b\"]\nrestitution = 1\n"
        "[run]\nintegrator = \"moreau\"\ndt = 1e-4\nuntil = 0.5\n");
    const Named named{scene};
    const auto [before, after] = first_impact(scene);
    const Vector3d v_a = named.velocity(before, "a"), v_b = named.velocity(before, "b");
    // The normal at the midpoint of the step, where Moreau's rule looks at contacts.
    const Vector3d n =
        (named.position(before, "a") - named.position(before, "b") + 0.5 * scene.run.dt * (v_a - v_b)).normalized();
    const Vector3d change = 2.0 * n * n.dot(v_a - v_b) / (2.0 + mass);
    EXPECT_LE((named.velocity(after, "a") - (v_a - mass * change)).norm(), 1e-13);
    EXPECT_LE((named.velocity(after, "b") - (v_b + 2.0 * change)).norm(), 1e-13);
    EXPECT_LE((named.spin(after, "a") - Vector3d(3, -2, 1)).norm(), 1e-12);
    EXPECT_LE((named.spin(after, "b") - Vector3d(0, 1, 5)).norm(), 1e-12);
    EXPECT_NEAR(energy(scene, after), energy(scene, scene.start), 1e-12);
  }
}

// Rough spheres that stick: the points that touch have no relative velocity after the impact with epsilon = 0, and momentum and
// angular momentum about the origin are kept.
TEST(BodyContact, RoughSpheresKeepMomentumAndAngularMomentum) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"a\"\nmass = 2\ninertia = [0.2, 0.2, 0.2]\nvelocity = [1, 0.3, -0.2]\n"
      "angular_velocity = [3, -2, 1]\n[[body.sphere]]\nradius = 0.5\n"
      "[[body]]\nname = \"b\"\nmass = 3\ninertia = [0.6, 0.6, 0.6]\nposition = [1.5, 0.4, 0.3]\nvelocity = [-1, 0.1, 0]\n"
      "angular_velocity = [0, 1, 5]\n[[body.sphere]]\nradius = 0.7\n"
      "[[contact_law]]\nbetween = [\"a\", \"b\"]\nfriction = 100\n[run]\nintegrator = \"moreau\"\ndt = 1e-4\nuntil = 0.3\n");
  const Named named{scene};
  const auto [before, after] = first_impact(scene);
  const auto in_space = [&](const State& state, const std::string& body) -> Vector3d {
    const Eigen::Quaterniond A(named.q(state, body + ".qw"), named.q(state, body + ".qx"), named.q(state, body + ".qy"),
                               named.q(state, body + ".qz"));
    return A * named.spin(state, body);
  };
  // Moments about the origin with the bodies where they are in the middle of the step, where the impulses act.
  const auto at = [&](const std::string& body) -> Vector3d {
    return named.position(before, body) + 0.5 * scene.run.dt * named.velocity(before, body);
  };
  const auto angular_momentum = [&](const State& state) -> Vector3d {
    return 2.0 * at("a").cross(named.velocity(state, "a")) + 0.2 * in_space(state, "a") +
           3.0 * at("b").cross(named.velocity(state, "b")) + 0.6 * in_space(state, "b");
  };
  EXPECT_LE((2.0 * (named.velocity(after, "a") - named.velocity(before, "a")) +
             3.0 * (named.velocity(after, "b") - named.velocity(before, "b")))
                .norm(),
            1e-13);
  // The spin in space is that of the body frame of another instant of the step: first order.
  EXPECT_LE((angular_momentum(after) - angular_momentum(before)).norm(), 10 * scene.run.dt);
  const Vector3d n = (at("a") - at("b")).normalized(), contact = at("b") + 0.7 * n;
  const auto velocity = [&](const std::string& body) -> Vector3d {
    return named.velocity(after, body) + in_space(after, body).cross(contact - at(body));
  };
  EXPECT_LE((velocity("a") - velocity("b")).norm(), 10 * scene.run.dt);
  EXPECT_LT(energy(scene, after), energy(scene, before));
}

// Friction has no moment about the lowest point: m v r + J w_y is kept, so a ball with J = 2/5 m r^2 rolls in the end with
// (5 v0 - 2 r w0)/7, from t1 = 2 (v0 + r w0)/(7 mu g) on; until then it decelerates with mu g.
TEST(RollingBall, RollsInTheEndWithFiveSeventhsLessTwoSeventhsOfTheBackspin) {
  const double v0 = 2.0, r = 0.03, w0 = 100.0, mu = 0.2, g = 9.81;
  const double rolling = (5 * v0 - 2 * r * w0) / 7, t1 = 2 * (v0 + r * w0) / (7 * mu * g);
  const Scene scene = test::load("rolling_ball");
  const Named named{scene};
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
    const double expected = std::max(v0 - mu * g * state.t, rolling);
    const bool at_the_change = std::abs(state.t - t1) < scene.run.dt;
    EXPECT_NEAR(named.u(state, "ball.vx"), expected, at_the_change ? mu * g * scene.run.dt : 1e-12) << state.t;
    EXPECT_NEAR(named.q(state, "ball.z"), r, 1e-15);
  });
}

std::string box_on_incline(double angle, double mu) {
  const std::string a = std::to_string(angle);
  return "[parameters]\na = " + a +
         "\n[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 3\ninertia = [0.1, 0.2, 0.15]\n"
         "position = [\"0.1*sin(a)\", 0, \"0.1*cos(a)\"]\norientation = { axis = [0, 1, 0], angle = \"a\" }\n"
         "[[body.box]]\nsize = [0.6, 0.4, 0.2]\n[[plane]]\nname = \"slope\"\nnormal = [\"sin(a)\", 0, \"cos(a)\"]\n"
         "[[contact_law]]\nbetween = [\"box\", \"slope\"]\nfriction = " +
         std::to_string(mu) +
         "\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n"
         "closed_tolerance = 1e-12\n";
}

// Down the slope with g (sin a - mu cos a), on four corners whose friction is redundant, without turning.
TEST(BodyContact, ABoxSlidesDownASlopeAsInTheClosedForm) {
  const double a = 0.5, mu = 0.3;
  const Scene scene = test::scene_from(box_on_incline(a, mu));
  const Named named{scene};
  const State end = test::run(scene).final_state;
  const double acceleration = 9.81 * (std::sin(a) - mu * std::cos(a));
  const Vector3d down(std::cos(a), 0.0, -std::sin(a));
  EXPECT_LE((named.velocity(end, "box") - acceleration * down).norm(), 1e-9);
  EXPECT_LE(
      (named.position(end, "box") - Vector3d(0.1 * std::sin(a), 0, 0.1 * std::cos(a)) - 0.5 * acceleration * down).norm(),
      1e-9);
  EXPECT_LE(named.spin(end, "box").norm(), 1e-8);
}

TEST(BodyContact, ABoxSticksBelowTheFrictionAngle) {
  const Scene scene = test::scene_from(box_on_incline(0.28, 0.3));  // atan(0.3) = 0.2915
  const State end = test::run(scene).final_state;
  EXPECT_LE((end.q - scene.start.q).norm(), 1e-10);
  EXPECT_LE(end.u.norm(), 1e-9);
}

// All energy of the fall is lost in one plastic impact of four corners; it rests as deep as the step in which it landed.
TEST(BodyContact, ABoxDroppedFlatComesToRest) {
  const Scene scene = test::scene_from(
      "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 3\ninertia = [0.1, 0.2, 0.15]\nposition = [0, 0, "
      "0.6]\n"
      "[[body.box]]\nsize = [0.6, 0.4, 0.2]\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n"
      "[[contact_law]]\nbetween = [\"box\", \"floor\"]\nfriction = 0.5\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = "
      "1\n");
  const Named named{scene};
  const RunSummary summary = test::run(scene);
  EXPECT_LE(summary.final_state.u.norm(), 1e-12);
  const double speed = std::sqrt(2 * 9.81 * 0.5);
  EXPECT_NEAR(named.q(summary.final_state, "box.z"), 0.1, speed * 1e-3);
  EXPECT_NEAR(summary.energy.lost_in_contacts, 3 * 9.81 * 0.5, 3 * 9.81 * speed * 1e-3);
  EXPECT_NEAR(named.q(summary.final_state, "box.qw"), 1.0, 1e-14);
}

// A planar box and a disc on a floor: the disc rolls with 2/3 of its speed, J = m r^2/2; the box stops after v^2/(2 mu g).
TEST(BodyContact, PlanarBodiesSlideAndRollAsInTheClosedForms) {
  const Scene scene = test::scene_from(
      "[world]\ngravity = [0, -9.81]\n[[body]]\nname = \"disc\"\nkind = \"planar\"\nmass = 2\ninertia = 0.01\nposition = "
      "[5, 0.1]\n"
      "velocity = [3, 0]\n[[body.sphere]]\nradius = 0.1\n[[body]]\nname = \"box\"\nkind = \"planar\"\nmass = 1\ninertia = "
      "0.02\n"
      "position = [0, 0.05]\nvelocity = [2, 0]\n[[body.box]]\nsize = [0.4, 0.1]\n[[plane]]\nname = \"floor\"\nnormal = [0, "
      "1]\n"
      "[[contact_law]]\nbetween = [\"*\", \"floor\"]\nfriction = 0.25\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = "
      "2\nclosed_tolerance = "
      "1e-12\n");
  const Named named{scene};
  const State end = test::run(scene).final_state;
  EXPECT_NEAR(named.u(end, "disc.vx"), 2.0, 1e-12);
  EXPECT_NEAR(named.u(end, "disc.w"), -20.0, 1e-11);
  EXPECT_NEAR(named.u(end, "box.vx"), 0.0, 1e-12);
  EXPECT_NEAR(named.q(end, "box.x"), 4.0 / (2 * 0.25 * 9.81), 2e-3);  // 2 m/s and one step: when it stops
  EXPECT_NEAR(named.q(end, "box.phi"), 0.0, 1e-12);
}

// With gaps the balls hit one after the other and the last one takes the whole speed; without, Newton's law with restitution 1 gives
// u_1 = -3/5 v and 2/5 v for the other four: their relative velocity v is reversed and momentum is kept.
TEST(Cradle, TheGapsDecideWhichBallsLeave) {
  for (const bool gaps : {true, false}) {
    const Scene scene =
        test::load("cradle", {.settings = {gaps ? "gap=1e-4" : "gap=0"}, .integrator = {}, .dt = "1e-5", .until = "0.25"});
    const Named named{scene};
    const auto [before, after] = first_impact(scene);
    const double v = named.u(before, "ball1.vx");
    State end = after;
    test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
      if (state.t <= after.t + (gaps ? 4e-4 / v * 1.5 : 0.0)) end = state;
    });
    EXPECT_NEAR(v, std::sqrt(2 * 9.81 * 0.2 * (1 - std::cos(0.5))), 1e-4);
    const std::vector<double> expected =
        gaps ? std::vector<double>{0, 0, 0, 0, 1} : std::vector<double>{-0.6, 0.4, 0.4, 0.4, 0.4};
    for (size_t k = 0; k < 5; ++k) {
      EXPECT_NEAR(named.u(end, "ball" + std::to_string(k + 1) + ".vx"), expected[k] * v, 2e-3) << "ball " << k + 1;
    }
  }
}

TEST(Billiards, KeepTheirEnergyThroughTheBreak) {
  const Scene scene = test::load("billiards");
  int impacts = 0;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    const auto& impulse = integrator.last_laws().impulse;
    impacts += std::any_of(impulse.begin(), impulse.end(), [](double Lambda) { return Lambda != 0.0; }) ? 1 : 0;
    EXPECT_NEAR(energy(scene, state), 0.5 * 0.17 * 9.0, 1e-12);
  });
  EXPECT_GE(impacts, 10);
}

// In the end the chain lies: no link is higher than its radius, none deeper than the way of a step, and nothing moves but a spin
// about the own axis of a link that its neighbours carry.
TEST(ChainDrop, LiesOnTheFloorInTheEnd) {
  const Scene scene = test::load("chain_drop");
  const Named named{scene};
  const RunSummary summary = test::run(scene);
  for (int k = 1; k <= 4; ++k) {
    const std::string link = "link" + std::to_string(k);
    EXPECT_NEAR(named.q(summary.final_state, link + ".z"), 0.01, 6e-4);
    EXPECT_LE(named.velocity(summary.final_state, link).norm(), 1e-3) << link;
  }
  // A contact that opens with v <= g dt at the beginning of a step is held at its end: Lambda v/2 = m (g dt - v) v/2 <= m (g dt)^2/8.
  EXPECT_LE(summary.energy.max_rise_per_step, 4 * 0.05 * std::pow(9.81 * 2e-4, 2) / 8.0);
}

}  // namespace tippe::scenes_body_contact_test
