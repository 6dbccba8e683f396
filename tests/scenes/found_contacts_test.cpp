// SPDX-License-Identifier: Apache-2.0
// Bodies that touch by their shapes, against what is known of them.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"

namespace tippe::scenes_found_contacts_test {

using Eigen::Vector3d;

constexpr double g = 9.81;

std::string body(const std::string& name, double mass, const std::string& inertia, const std::string& more) {
  return fmt::format("[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\n{}\n", name, mass, inertia, more);
}

/// A ball of radius 0.1 m and 1 kg.
std::string ball(const std::string& name, const std::string& start) {
  return body(name, 1.0, "[4e-3, 4e-3, 4e-3]", start + "\n[[body.sphere]]\nradius = 0.1");
}

std::string cube(const std::string& name, double mass, const std::string& start, double a = 0.2) {
  const double J = mass * a * a / 6.0;
  return body(name, mass, fmt::format("[{0}, {0}, {0}]", J),
              fmt::format("{0}\n[[body.box]]\nsize = [{1}, {1}, {1}]", start, a));
}

std::string run_for(double dt, double until, const std::string& more = "") {
  return fmt::format("[run]\nintegrator = \"moreau\"\ndt = {}\nuntil = {}\n{}\n", dt, until, more);
}

const std::string kFloor = "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n";
const std::string kWeight = "[world]\ngravity = [0, 0, -9.81]\ncontacts = \"found\"\n";

std::string law(const std::string& keys) {
  return "[[contact_law]]\nbetween = [\"*\", \"*\"]\n" + keys + "\n";
}

/// Runs a scene and gives its last state.
State last_state(const Scene& scene) {
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return summary.final_state;
}

// Along the line of centres the velocities after the impact of two balls are those of Newton's law; nothing else changes.
TEST(FoundContacts, TwoBallsHitByNewtonsLaw) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const Scene scene =
        test::scene_from("[world]\ncontacts = \"found\"\n" + ball("a", "position = [0, 0, 0]\nvelocity = [3, 0, 0]") +
                         body("b", 2.5, "[0.01, 0.01, 0.01]",
                              "position = [0.5, 0.06, 0.08]\nvelocity = [-1, 0, 0]\n[[body.sphere]]\nradius = 0.15") +
                         law(fmt::format("restitution = {}", e)) + run_for(1e-4, 0.12));
    const State end = last_state(scene);
    // n points from b to a where the distance is 0.25: dx^2 = 0.25^2 - 0.1^2, up to the way of a step.
    const double dx = std::sqrt(0.25 * 0.25 - 0.1 * 0.1);
    const Vector3d n = Vector3d(-dx, -0.06, -0.08) / 0.25, v_a(3.0, 0.0, 0.0), v_b(-1.0, 0.0, 0.0);
    const double impulse = -(1.0 + e) * n.dot(v_a - v_b) / (1.0 / 1.0 + 1.0 / 2.5);
    EXPECT_LE((end.u.segment<3>(0) - (v_a + impulse * n)).norm(), 5e-3) << e;
    EXPECT_LE((end.u.segment<3>(6) - (v_b - impulse / 2.5 * n)).norm(), 5e-3) << e;
    EXPECT_LE((end.u.segment<3>(0) + 2.5 * end.u.segment<3>(6) - (v_a + 2.5 * v_b)).norm(), 1e-13);
    EXPECT_LE(end.u.segment<3>(3).norm() + end.u.segment<3>(9).norm(), 1e-13);
  }
}

// What comes faster than the band in a step bounces exactly; the discrete law of Moreau's rule holds to round-off.
TEST(FoundContacts, FastImpactsKeepTheirRestitution) {
  constexpr double dt = 1e-3;
  const Scene scene =
      test::scene_from(kWeight + ball("b", "position = [0, 0, 0.5]") + kFloor + law("restitution = 0.7") + run_for(dt, 0.8));
  double before = 0.0;
  int bounces = 0;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    const LawStep& step = integrator.last_laws();
    if (step.impulse.size() > 0 && step.impulse[0] > 0.0 && before < -0.1) {
      EXPECT_NEAR(state.u[2], -0.7 * before, 1e-12);
      ++bounces;
    }
    before = state.u[2];
  });
  EXPECT_EQ(bounces, 2);
}

// Balls of radius 0.1 that meet with 30 m/s each: in a step of 10 ms each moves by 0.3 m, and they pass through each other. It is said, with the step that would
// do; that step hits, and nothing is said. So is what flies alone or together, or hits a plane.
TEST(FoundContacts, WhatMayPassThroughIsSaid) {
  const auto warnings = [](const std::string& bodies, double dt) {
    const Scene scene =
        test::scene_from("[world]\ncontacts = \"found\"\n" + bodies + kFloor + law("restitution = 1") + run_for(dt, 0.1));
    return simulate(*scene.system, scene.start, scene.run).warnings;
  };
  const std::string left = ball("left", "position = [-1.23, 0, 1]\nvelocity = [30, 0, 0]"),
                    right = ball("right", "position = [1.24, 0, 1]\nvelocity = [-30, 0, 0]"),
                    beside = ball("beside", "position = [-1.23, 1, 1]\nvelocity = [30, 0, 0]"),
                    down = ball("down", "position = [0, 0, 1]\nvelocity = [0, 0, -30]");
  const std::vector<std::string> said = warnings(left + right, 0.01);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("in 10 steps a body moved by more than half its thickness and may have passed through"))
      << said[0];
  EXPECT_TRUE(said[0].ends_with("'left' by 0.3 up to t = 0.01, and half its thickness is 0.1; take a dt below 0.0033"))
      << said[0];
  EXPECT_EQ(warnings(left + right, 0.002), std::vector<std::string>());
  EXPECT_EQ(warnings(left + beside, 0.01), std::vector<std::string>());
  EXPECT_EQ(warnings(down, 0.002), std::vector<std::string>());
}

// A ball that slides and hits the floor rolls after the impact if it does not slip: I = 0.4 m r^2, 5/7 of its speed, however deep it has sunk.
TEST(FoundContacts, AnImpactOnThePlaneActsAtTheSurfaceOfTheBall) {
  for (const double start : {0.1001, 0.1049, 0.103}) {
    const Scene scene = test::scene_from("[world]\ncontacts = \"found\"\n" +
                                         ball("b", fmt::format("position = [0, 0, {}]\nvelocity = [1, 0, -5]", start)) +
                                         kFloor + law("friction = 1") + run_for(2e-3, 0.02));
    const State end = last_state(scene);
    EXPECT_NEAR(end.u[0], 5.0 / 7.0, 1e-9);
    EXPECT_NEAR(end.u[4], 50.0 / 7.0, 1e-8);
  }
}

// With b/dt = 10 mm/s an impact of 5 mm/s does not bounce, and one of 50 mm/s does.
TEST(FoundContacts, SlowImpactsEndInTheBand) {
  for (const double speed : {5e-3, 5e-2}) {
    const Scene scene = test::scene_from("[world]\ncontacts = \"found\"\n" +
                                         ball("b", fmt::format("position = [0, 0, 0.105]\nvelocity = [0, 0, {}]", -speed)) +
                                         kFloor + law("restitution = 1") + run_for(1e-3, 0.01 / speed, "rest_band = 1e-5"));
    const State end = last_state(scene);
    if (speed > 1e-2) {
      EXPECT_NEAR(end.u[2], speed, 1e-14);
    } else {
      EXPECT_LE(std::abs(end.u[2]), 0.5 * speed);
    }
  }
}

// m a = m g (sin - mu cos) above the angle of friction, and no motion below it.
TEST(FoundContacts, ABoxOnASlopeSlidesFromAtanMuOn) {
  constexpr double mu = 0.5;
  for (const double angle : {std::atan(mu) - 1e-3, std::atan(mu) + 1e-3, 0.7}) {
    const std::string slope =
        fmt::format("[[plane]]\nname = \"slope\"\nnormal = [{}, 0, {}]\n", std::sin(angle), std::cos(angle));
    const auto on_slope = [&](double height) {
      return fmt::format("position = [{}, 0, {}]\norientation = {{ axis = [0, 1, 0], angle = {} }}",
                         height * std::sin(angle), height * std::cos(angle), angle);
    };
    const Scene scene = test::scene_from(
        kWeight + cube("lower", 2.0, on_slope(0.1)) + cube("upper", 1.0, on_slope(0.25), 0.1) + slope +
        law("friction = 0.5") + "[[contact_law]]\nbetween = [\"lower\", \"upper\"]\nfriction = 2\n" + run_for(5e-3, 0.5));
    const State end = last_state(scene);
    const double a = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
    const Vector3d down(std::cos(angle), 0.0, -std::sin(angle));
    EXPECT_NEAR(end.u.segment<3>(0).dot(down), a * 0.5, 1e-8) << angle;
    EXPECT_NEAR(end.u.segment<3>(6).dot(down), a * 0.5, 1e-8) << angle;
    EXPECT_LE((end.q.segment<3>(0) - scene.start.q.segment<3>(0) - 0.5 * a * 0.25 * down).norm(), 1e-8);
  }
}

// Contact k of a stack carries the weight above it, whatever the share of its points.
TEST(FoundContacts, AStackCarriesItsWeights) {
  const Scene scene = test::load("heavy_stack", {.settings = {}, .integrator = {}, .dt = {}, .until = "0.3"});
  State end;
  std::vector<double> carried(10, 0.0);
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport& report) {
    EXPECT_LE(report.residual, 1e-9);
    end = state;
    carried.assign(10, 0.0);
    const LawStep& step = integrator.last_laws();
    for (int k = 0; k < step.size(); ++k) {
      const LawId& id = step.id[static_cast<size_t>(k)];
      const bool floor = id.shape_b == 11;  // the plane comes after the ten boxes
      carried[floor ? 0 : id.shape_a] += step.impulse[step.first_row[static_cast<size_t>(k)]] / scene.run.dt;
    }
  });
  for (size_t k = 0; k < carried.size(); ++k)
    EXPECT_NEAR(carried[k], g * (1000.0 + static_cast<double>(9 - k)), 2e-5 * 1e4) << k;
  EXPECT_LE((end.q - scene.start.q).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(FoundContacts, TowersStand) {
  for (const auto& [name, until] : {std::pair{"kapla", "0.2"}, std::pair{"planks", "0.04"}}) {
    const Scene scene = test::load(name, {.settings = {}, .integrator = {}, .dt = {}, .until = until});
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_LE(summary.worst_residual, 1e-8) << name;
    EXPECT_EQ(summary.halved_steps, 0);
    EXPECT_LE((summary.final_state.q - scene.start.q).cwiseAbs().maxCoeff(), 1e-6) << name;
    EXPECT_LE(summary.worst_penetration, 1e-9);
  }
}

// At rest no contact changes its name, and the impulses of the last step solve the next one.
TEST(FoundContacts, IdsStayAtRest) {
  const Scene scene = test::load("kapla", {.settings = {}, .integrator = {}, .dt = {}, .until = "0.2"});
  std::vector<LawId> last;
  int changes = 0, steps = 0;
  test::watch(scene, [&](const State&, const Integrator& integrator, const StepReport&) {
    std::vector<LawId> now;
    const LawStep& step = integrator.last_laws();
    for (int k = 0; k < step.size(); ++k) {
      if (step.acted[k] > 0.0) now.push_back(step.id[static_cast<size_t>(k)]);
    }
    if (++steps > 5 && now != last) ++changes;
    last = now;
  });
  EXPECT_GT(last.size(), 500u);
  EXPECT_EQ(changes, 0);
}

// A cylinder on its side rolls down with 2/3 of the acceleration of a sliding one; a cylinder on its end stands.
TEST(FoundContacts, ACylinderRollsAndACylinderStands) {
  constexpr double angle = 0.2, r = 0.1;
  const std::string slope =
      fmt::format("[[plane]]\nname = \"slope\"\nnormal = [{}, 0, {}]\n", std::sin(angle), std::cos(angle));
  const Scene rolls = test::scene_from(
      kWeight +
      body("c", 1.0, "[9e-3, 5e-3, 9e-3]",
           fmt::format("position = [{}, 0, {}]\n[[body.cylinder]]\nfrom = [0, -0.15, 0]\nto = [0, 0.15, 0]\nradius = 0.1",
                       r * std::sin(angle), r * std::cos(angle))) +
      slope + law("friction = 0.6") + run_for(1e-3, 0.5));
  const State end = last_state(rolls);
  const Vector3d down(std::cos(angle), 0.0, -std::sin(angle));
  EXPECT_NEAR(end.u.segment<3>(0).dot(down), 2.0 / 3.0 * g * std::sin(angle) * 0.5, 1e-6);
  EXPECT_NEAR(end.u[4], 2.0 / 3.0 * g * std::sin(angle) * 0.5 / r, 1e-5);
  const Scene stands = test::scene_from(
      kWeight +
      body("c", 1.0, "[9e-3, 9e-3, 5e-3]",
           "position = [0, 0, 0.15]\n[[body.cylinder]]\nfrom = [0, 0, -0.15]\nto = [0, 0, 0.15]\nradius = 0.1") +
      kFloor + law("friction = 0.6") + run_for(1e-2, 1.0));
  EXPECT_LE((last_state(stands).q - stands.start.q).cwiseAbs().maxCoeff(), 1e-9);
}

// Lengths times 4 and times times 2 are the same mechanics: velocities are twice as large.
TEST(FoundContacts, AreTheSameInOtherUnits) {
  const auto fall = [](double size) {
    const double time = std::sqrt(size);
    std::string text = kWeight;
    for (int k = 0; k < 4; ++k) {
      text += cube(fmt::format("c{}", k), 1.0,
                   fmt::format("position = [{}, {}, {}]\norientation = {{ axis = [1, 2, 3], angle = {} }}", 0.03 * size * k,
                               0.02 * size * k, size * (0.2 + 0.3 * k), 0.3 * k),
                   0.2 * size);
    }
    return test::scene_from(text + kFloor + law("friction = 0.4\nrestitution = 0.2") +
                            fmt::format("[run]\nintegrator = \"moreau\"\ndt = {}\nuntil = {}\n", 0.002 * time, 0.3 * time));
  };
  const State small = last_state(fall(1.0)), large = last_state(fall(4.0));
  for (int k = 0; k < 4; ++k) {
    EXPECT_LE((large.q.segment<3>(7 * k) - 4.0 * small.q.segment<3>(7 * k)).norm(), 1e-9) << k;
    EXPECT_LE((large.u.segment<3>(6 * k) - 2.0 * small.u.segment<3>(6 * k)).norm(), 1e-8) << k;
  }
}

// An elastic fall of balls without friction keeps T + V up to what first order loses, and momentum along the floor exactly.
TEST(FoundContacts, ElasticBallsKeepTheirEnergyAndMomentum) {
  const Scene scene = test::load("ball_cube", {.settings = {"n=3", "e=1"}, .integrator = {}, .dt = {}, .until = "0.5"});
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.impacts, 20);
  EXPECT_LE(std::abs(summary.energy.lost_in_contacts), 1e-6 * summary.energy.scale);
  double px = 0.0, py = 0.0;
  for (int k = 0; k < 27; ++k) {
    px += 10.0 * summary.final_state.u[6 * k];
    py += 10.0 * summary.final_state.u[6 * k + 1];
  }
  EXPECT_NEAR(px, 0.0, 1e-9);
  EXPECT_NEAR(py, 0.0, 1e-9);
}

/// A heap that moves.
Scene heap() {
  return test::load("ball_cube", {.settings = {"n=3"}, .integrator = {}, .dt = {}, .until = "0.3"});
}

TEST(FoundContacts, AHeapThatIsResumedMovesOnToTheBit) {
  Scene scene = heap();
  scene.run.every = 0.01;
  const test::TemporaryFolder folder;
  const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
  EXPECT_EQ(test::record(scene, whole, 100'000, nullptr).status, RunStatus::kOk);
  for (const std::int64_t step : {83, 121}) {  // between samples too
    EXPECT_EQ(test::record(scene, parts, step, nullptr).status, RunStatus::kInterrupted);
    const RecordedCheckpoint recorded = read_checkpoint(parts);
    EXPECT_GT(recorded.checkpoint.integrator_memory.at("law.directions").size(), 0u);
    EXPECT_EQ(test::record(scene, parts, 100'000, &recorded.checkpoint).status, RunStatus::kOk);
    test::expect_same_run(whole, parts);
  }
}

// The impulses on the first shapes, summed over all contacts with the floor, are what stops the fall.
TEST(FoundContacts, AreRecordedWithTheirImpulses) {
  Scene scene = heap();
  scene.run.every = 0.01;
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "heap.h5";
  EXPECT_EQ(test::record(scene, path, 100'000, nullptr).status, RunStatus::kOk);
  const RecordedRun run = read_recording(path);
  const RecordedContacts& contacts = run.contacts;
  ASSERT_TRUE(contacts.were_found());
  ASSERT_EQ(contacts.start.size(), run.time.size() + 1);
  EXPECT_EQ(contacts.shapes.back(), "floor");
  const auto floor = static_cast<std::uint32_t>(contacts.shapes.size());
  Vector3d from_floor = Vector3d::Zero();
  for (size_t k = 0; k < contacts.id.size(); ++k) {
    const Vector3d p = Eigen::Map<const Vector3d>(contacts.impulse.data() + 3 * k);
    const Vector3d n = Eigen::Map<const Vector3d>(contacts.normal.data() + 3 * k);
    EXPECT_GT(p.dot(n), 0.0);
    if (contacts.id[k].shape_b == floor) from_floor += p;
  }
  const State& end = scene.start;
  double p = 0.0;
  const size_t last = run.time.size() - 1, width = run.u.names.size();
  for (size_t body = 0; body < 27; ++body) p += 10.0 * run.u.values[last * width + 6 * body + 2];
  EXPECT_NEAR(p, from_floor[2] - 27.0 * 10.0 * g * (run.time[last] - end.t), 1e-8);
}

TEST(FoundContacts, BothSchemesMoveAlike) {
  Scene scene = heap();
  const State moreau = last_state(scene);
  scene.run.integrator = "moreau-jean";
  const State jean = last_state(scene);
  EXPECT_LE((moreau.q - jean.q).cwiseAbs().maxCoeff(), 1e-6);
}

// Beside joints, springs and laws of expressions: what hangs on a rod falls on a box.
TEST(FoundContacts, LiveBesideJointsAndExpressions) {
  const Scene scene = test::scene_from(
      kWeight + cube("anvil", 5.0, "position = [1, 0, 0.1]") +
      ball("hammer", "position = [0, 0, 1.28]\n[[body.point]]\nname = \"eye\"\nat = [-0.1, 0, 0]") + kFloor +
      "[[joint]]\ntype = \"rod\"\nlength = 1.0\nbetween = [\"hammer\", [1, 0, 1.28]]\n[[dry_friction]]\nname = "
      "\"drag\"\nvelocity = \"anvil.vx\"\nlimit = 0.1\n" +
      law("friction = 0.5\nrestitution = 0.2") + run_for(1e-3, 1.0));
  ASSERT_FALSE(scene.system->has_fixed_laws());
  EXPECT_EQ(scene.system->laws()[0].name, "drag");
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.impacts, 0);
  EXPECT_LT(summary.constraints.position.value, 1e-2);
}

TEST(FoundContacts, WhatIsToBeLeftApartPassesThrough) {
  const std::string boxes = cube("a", 1.0, "position = [0, 0, 0.1]\ngroup = \"boxes\"") +
                            cube("b", 1.0, "position = [0, 0, 0.5]\ngroup = \"boxes\"") + kFloor;
  const auto end = [&](const std::string& more) {
    const Scene scene = test::scene_from(kWeight + boxes + law("") + more + run_for(5e-3, 1.0));
    return last_state(scene).q[9];
  };
  EXPECT_NEAR(end(""), 0.3, 1e-4);
  EXPECT_NEAR(end("[[contact_law]]\nbetween = [\"boxes\", \"boxes\"]\ntouch = false\n"), 0.1, 1e-2);
}

// The centre of mass of an L of two boxes, and its inertia about it, by hand (parallel axes); `position` stays that of the written origin.
TEST(FoundContacts, DensityGivesMassInertiaAndTheCentreOfMass) {
  const Scene scene = test::scene_from(
      "[world]\ncontacts = \"found\"\n[[body]]\nname = \"l\"\ndensity = 10\nposition = [1, 2, 3]\nangular_velocity = [0, 0, "
      "2]\n"
      "[[body.box]]\ncenter = [0.5, 0.1, 0]\nsize = [1, 0.2, 0.1]\n[[body.box]]\ncenter = [0.1, 0.6, 0]\nsize = [0.2, 0.8, "
      "0.1]\n"
      "[[body.point]]\nname = \"tip\"\nat = [1, 0, 0]\n" +
      kFloor + law("") + run_for(1e-2, 1.0) + "[output.quantities]\ntip = \"l.tip.x\"\n");
  const double m1 = 10 * 0.02, m2 = 10 * 0.016, m = m1 + m2;
  const Vector3d c = (m1 * Vector3d(0.5, 0.1, 0.0) + m2 * Vector3d(0.1, 0.6, 0.0)) / m;
  EXPECT_LE((scene.start.q.segment<3>(0) - (Vector3d(1, 2, 3) + c)).norm(), 1e-14);
  EXPECT_LE((scene.start.u.segment<3>(0) - Vector3d(0, 0, 2).cross(c)).norm(), 1e-14);
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(0.0, scene.start.q, scene.start.u);
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  double Jzz = 0.0;
  for (size_t k = 0; k < dynamics.M.size(); ++k) {
    const LowerEntry& entry = scene.system->mass_pattern()[k];
    if (entry.row == 0) {
      EXPECT_NEAR(dynamics.M[k], m, 1e-15);
    }
    if (entry.row == 5 && entry.column == 5) Jzz = dynamics.M[k];
  }
  const auto box = [&](double mass, double a, double b, const Vector3d& at) {
    return mass * ((a * a + b * b) / 12.0 + (at - c).head<2>().squaredNorm());
  };
  EXPECT_NEAR(Jzz, box(m1, 1.0, 0.2, {0.5, 0.1, 0.0}) + box(m2, 0.2, 0.8, {0.1, 0.6, 0.0}), 1e-14);
  Eigen::VectorXd quantities;
  ObservablesEvaluator(scene.run.observables).evaluate_quantities(scene.start, quantities);
  EXPECT_NEAR(quantities[quantities.size() - 1], 2.0, 1e-14);  // the point is where it was written
}

// Planar bodies: a polygon comes to rest on its flat side, a disc rolls down with 2/3 of the acceleration of sliding.
TEST(FoundContacts, PlanarBodiesRollAndRest) {
  const std::string slope = "[[plane]]\nname = \"slope\"\nnormal = [0.2, 1, 0]\n";
  const double s = 0.2 / std::hypot(0.2, 1.0), c = 1.0 / std::hypot(0.2, 1.0);
  const Scene rolls = test::scene_from(fmt::format("[world]\ngravity = [0, -9.81]\ncontacts = \"found\"\n[[body]]\nname = "
                                                   "\"d\"\nkind = \"planar\"\nmass = 2\ninertia = "
                                                   "0.01\nposition = [{}, {}]\n[[body.sphere]]\nradius = 0.1\n",
                                                   0.1 * s, 0.1 * c) +
                                       slope + law("friction = 0.5") + run_for(1e-3, 0.5));
  const State end = last_state(rolls);
  EXPECT_NEAR(std::hypot(end.u[0], end.u[1]), 2.0 / 3.0 * g * s * 0.5, 1e-6);
  const Scene rests = test::scene_from(
      "[world]\ngravity = [0, -9.81]\n[[body]]\nname = \"p\"\nkind = \"planar\"\ndensity = 100\nposition = [0, 0.3]\nangle "
      "= 0.4\n"
      "[[body.hull]]\npoints = [[-0.2, -0.1], [0.2, -0.1], [0.1, 0.1], [-0.1, 0.1]]\n"
      "[[body]]\nname = \"q\"\nkind = \"planar\"\ndensity = 100\nposition = [0.02, 0.8]\n[[body.box]]\nsize = [0.1, 0.1]\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 1]\n" +
      law("friction = 0.5") + run_for(2e-3, 3.0));
  ASSERT_FALSE(rests.system->has_fixed_laws());
  const State rest = last_state(rests);
  EXPECT_LE(rest.u.norm(), 1e-8);
  EXPECT_NEAR(std::remainder(rest.q[2], 2 * std::numbers::pi), 0.0, 1e-4);
  EXPECT_NEAR(rest.q[4], 0.25, 1e-4);
}

// The octahedron has come to rest on a face, r/sqrt(3) above the floor; the cylinder that slid rolls with 2/3 of its speed, since t = v/(3 mu g), when it had gone
// 5/18 v^2/(mu g); the other one has not moved.
TEST(FoundContacts, AnOctahedronRestsOnAFaceACylinderRollsAndOneStands) {
  const Scene scene = test::load("solids", {});
  const State end = last_state(scene);
  const double mu = 0.4, r = 0.1, T = 1.0 / (3.0 * mu * g);
  EXPECT_LE(end.u.segment<6>(0).norm(), 1e-8);
  EXPECT_NEAR(end.q[2], r / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(end.u[6], 2.0 / 3.0, 1e-9);
  EXPECT_NEAR(end.u[10], 2.0 / 3.0 / r, 1e-8);
  EXPECT_NEAR(end.q[7] - scene.start.q[7], 5.0 / 18.0 / (mu * g) + 2.0 / 3.0 * (2.0 - T), 2e-3 / 3.0);  // a step of dt v/3
  EXPECT_LE((end.q.segment<7>(14) - scene.start.q.segment<7>(14)).norm(), 1e-9);
}

// A semicircular arch of 30 equal voussoirs with mu = 0.6 stands above a thickness of 0.1075 of its centre-line radius, and not below.
TEST(FoundContacts, AnArchStandsAboveItsLeastThickness) {
  const auto crown = [](const std::string& ratio, const std::string& until) {
    const Scene scene = test::load("arch", {.settings = {"ratio=" + ratio}, .integrator = {}, .dt = {}, .until = until});
    return std::pair{last_state(scene).q[7 * 14 + 2], scene.start.q[7 * 14 + 2]};
  };
  const auto [stands, above] = crown("0.110", "1.0");
  EXPECT_NEAR(stands, above, 1e-6);
  const auto [falls, below] = crown("0.105", "2.5");
  EXPECT_LT(falls, 0.9 * below);
}

TEST(FoundContacts, LeaningCardsStandByFriction) {
  const Scene scene = test::load("card_house", {.settings = {}, .integrator = {}, .dt = {}, .until = "0.2"});
  EXPECT_LE((last_state(scene).q - scene.start.q).cwiseAbs().maxCoeff(), 1e-6);
  const Scene smooth =
      test::load("card_house", {.settings = {"mu=0.1"}, .integrator = {}, .dt = {}, .until = "0.2"});  // tan(angle)/2 = 0.18
  EXPECT_LT(last_state(smooth).q[2], 0.9 * smooth.start.q[2]);
}

// Lengths times 4 and times times 2: twice the speed.
TEST(FoundContacts, DominoesOfOtherSizesFallAlike) {
  const auto fall = [](const std::string& size, const std::string& until) {
    return last_state(
        test::load("dominoes", {.settings = {"n=3", "size=" + size}, .integrator = {}, .dt = {}, .until = until}));
  };
  const State small = fall("1", "0.06"), large = fall("4", "0.12");
  for (int k = 0; k < 3; ++k) {
    EXPECT_LE((large.q.segment<3>(7 * k) - 4.0 * small.q.segment<3>(7 * k)).norm(), 1e-9) << k;
    EXPECT_LE((large.q.segment<4>(7 * k + 3) - small.q.segment<4>(7 * k + 3)).norm(), 1e-9) << k;
    EXPECT_LE((large.u.segment<3>(6 * k) - 2.0 * small.u.segment<3>(6 * k)).norm(), 1e-9) << k;
  }
  EXPECT_GT(std::abs(small.q[7 + 5]), 1e-2);  // the second has begun to fall
}

// A step takes no more sweeps than it may, and says what they left.
TEST(FoundContacts, SweepsAreBounded) {
  const auto run = [](int sweeps) {
    Scene scene = test::load("heavy_stack", {.settings = {}, .integrator = {}, .dt = {}, .until = {}});
    scene.run.until = scene.start.t + 20 * scene.run.dt;
    scene.run.integrator_options.contact_sweeps = sweeps;
    scene.run.integrator_options.contact_tolerance = 0.99;
    const RunSummary summary = test::run(scene);
    EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
    return summary;
  };
  const RunSummary few = run(5), more = run(40), all = run(0);
  constexpr int kIslands = 2;  // at most, and each counts its sweeps
  EXPECT_LE(few.iterations, 5 * 20 * kIslands);
  EXPECT_LE(more.iterations, 40 * 20 * kIslands);
  EXPECT_EQ(few.inexact_steps, 20);
  EXPECT_EQ(all.inexact_steps, 0);
  EXPECT_GT(few.worst_residual, more.worst_residual);
  EXPECT_GT(more.worst_residual, all.worst_residual);
}

TEST(FoundContacts, TooFewSweepsEndTheRunByTheirName) {
  Scene scene = test::load("heavy_stack", {.settings = {}, .integrator = {}, .dt = {}, .until = {}});
  scene.run.integrator_options.contact_sweeps = 1;
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("contact_sweeps = 1 left a residual of"), std::string::npos) << summary.message;
}

// What is poured stays in its box, and T + V never grows beyond what pushing out has its line for.
TEST(FoundContacts, WhatIsPouredStaysInItsBox) {
  const Scene scene = test::load("pour", {.settings = {"layers=1"}, .integrator = {}, .dt = {}, .until = "0.1"});
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.worst_residual, 1e-6);
  EXPECT_LE(summary.energy.final, summary.energy.initial);
  for (int body = 0; body < 300; ++body) {
    EXPECT_GT(summary.final_state.q[7 * body + 2], 0.0) << body;
    EXPECT_LT(summary.final_state.q.segment<2>(7 * body).cwiseAbs().maxCoeff(), 0.5 * 10.5 * 0.054) << body;
  }
}

}  // namespace tippe::scenes_found_contacts_test
