// SPDX-License-Identifier: Apache-2.0
// Definitions, forces, motors, moving planes and starts that --set gives, against closed forms, and judged by tippe verify.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.h"
#include "tippe/core/error.h"
#include "tippe/model/lagrangian_builder.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_forces_test {

struct End {
  State state;
  EnergyLedger energy;
};
End run_judged(const Scene& scene) {
  verify::RunWatch watch(*scene.system, scene.start, scene.run);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << verify::verdict_text(verdict);
  return {summary.final_state, summary.energy};
}

std::string run_of(const std::string& integrator, double until, double dt = 1e-3) {
  const bool by_error = integrator == "dopri5" || integrator == "event-driven";
  return "[run]\nintegrator = \"" + integrator + "\"\nuntil = " + std::to_string(until) +
         (by_error ? "\ntolerance = 1e-12\n" : "\ndt = " + std::to_string(dt) + "\n");
}

// m x'' = F cos(w t): x = F (1 - cos(w t))/(m w^2).
TEST(Forces, ADrivenPointHasItsClosedForm) {
  const auto error = [](const std::string& integrator) {
    const Scene scene = test::scene_from(
        "[define]\nF = \"4*cos(w*t)\"\npush = \"F + 0*drift\"\ndrift = \"p.x\"\n[parameters]\nw = 2\n"
        "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 2\n[[force]]\nname = \"hand\"\non = \"p\"\nforce = [\"push\", 0, "
        "\"2*3\"]\n" +
        run_of(integrator, 1.0));
    const End end = run_judged(scene);
    EXPECT_NEAR(end.state.q[2], 1.5, 2e-3) << integrator;
    EXPECT_NEAR(end.energy.unexplained(), 0.0, 1e-8) << integrator;
    return std::abs(end.state.q[0] - 4.0 * (1.0 - std::cos(2.0)) / 8.0);
  };
  for (const std::string integrator : {"rk4", "dopri5", "event-driven"}) EXPECT_LE(error(integrator), 1e-10) << integrator;
  for (const std::string integrator : {"moreau", "moreau-jean", "consistent-2", "conserving", "quaternion-2"})
    EXPECT_LE(error(integrator), 1e-6) << integrator;
}

// About a fixed axis a force in the body frame has a constant moment: J phi'' = a F + tau. Of the arm J = J_zz about the hinge at its
// centre of mass, a = 1.
TEST(Forces, OnAPointInTheBodyFrameTurnAnArmEvenly) {
  for (const std::string kind :
       {"inertia = [2, 2, 3]\nformulation = \"newton-euler\"", "inertia = [2, 2, 3]\nformulation = \"scalable\"",
        "inertia = [2, 2, 3]\nformulation = \"affine\"", "kind = \"planar\"\ninertia = 3"}) {
    const bool planar = kind.starts_with("kind");
    const Scene scene = test::scene_from(
        "[[body]]\nname = \"arm\"\nmass = 2\n" + kind +
        "\n[[body.point]]\nname = \"tip\"\nat = " + (planar ? "[1, 0]" : "[1, 0, 0]") +
        "\n[[joint]]\nname = \"elbow\"\ntype = \"hinge\"\nbetween = [\"world\", \"arm\"]\naxis = [0, 0, 1]\n"
        "[[force]]\non = \"arm.tip\"\nframe = \"body\"\nforce = " +
        (planar ? "[0, 0.5]" : "[0, 0.5, 0]") + "\n[[force]]\non = \"arm\"\ntorque = " + (planar ? "0.25" : "[0, 0, 0.25]") +
        "\n[[force]]\non = \"elbow.angle\"\nforce = 0.75\n[[motor]]\njoint = \"elbow\"\ntorque = 1.5\n"
        "[output.quantities]\nangle = \"elbow.angle\"\nrate = \"elbow.angle'\"\n" +
        (planar ? "" : "turning = \"arm.angular_velocity_world.z\"\n") + run_of("rk4", 1.2));
    const End end = run_judged(scene);
    EXPECT_NEAR(test::quantity(scene, end.state, "angle"), 0.5 * 1.44, 1e-9) << kind;
    EXPECT_NEAR(test::quantity(scene, end.state, "rate"), 1.2, 1e-9) << kind;
    const std::string turning = planar ? "rate" : "turning";
    EXPECT_NEAR(test::quantity(scene, end.state, turning), 1.2, 1e-9) << kind;
  }
}

// A slider between two masses: the force of its motor pushes them apart, m1 m2/(m1 + m2) s'' = F.
TEST(Forces, AMotorInASliderPushesBothWays) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[body]]\nname = \"b\"\nmass = 3\ninertia = [1, 1, "
      "1]\nposition = [2, 0, 0]\n"
      "[[joint]]\nname = \"rail\"\ntype = \"slider\"\nbetween = [\"a\", \"b\"]\naxis = [1, 0, 0]\n"
      "[[motor]]\njoint = \"rail\"\nforce = 1.5\n[output.quantities]\ns = \"rail.position\"\n" +
      run_of("rk4", 1.0));
  EXPECT_NEAR(test::quantity(scene, scene.start, "s"), 2.0, 1e-15);
  const End end = run_judged(scene);
  EXPECT_NEAR(test::quantity(scene, end.state, "s"), 3.0, 1e-9);
  EXPECT_NEAR(end.state.q[0], -0.75, 1e-9);
}

// A limited motor gives all it has until the speed is reached, at t = w J/limit = 4, and then holds it against the load.
TEST(Forces, ALimitedMotorReachesItsSpeedAndHoldsIt) {
  for (const std::string integrator : {"moreau", "moreau-jean", "consistent-2", "event-driven"}) {
    const Scene scene = test::scene_from(
        "[[body]]\nname = \"arm\"\nkind = \"planar\"\nmass = 2\ninertia = 3\n"
        "[[joint]]\nname = \"elbow\"\ntype = \"hinge\"\nbetween = [\"world\", \"arm\"]\naxis = [0, 0, 1]\n"
        "[[motor]]\nname = \"drive\"\njoint = \"elbow\"\nspeed = 2\nlimit = 2\n[[force]]\non = \"elbow.angle\"\nforce = "
        "-0.5\n" +
        run_of(integrator, 10.0, 1e-2));
    const End end = run_judged(scene);
    EXPECT_NEAR(end.state.q[2], 4.0 + 2.0 * 6.0, 1e-9) << integrator;
    EXPECT_NEAR(end.state.u[2], 2.0, 1e-12) << integrator;
    EXPECT_NEAR(end.energy.unexplained(), 0.0, 1e-9) << integrator;
  }
  const Scene held = test::scene_from(
      "[lagrangian]\ncoordinates = [\"phi\"]\nkinetic = \"phi'^2\"\n[initial]\n\"phi'\" = 1\n[[motor]]\non = \"phi\"\nspeed "
      "= \"1 + t\"\n" +
      run_of("rk4", 2.0));
  EXPECT_EQ(held.system->constraints().size(), 1u);
  EXPECT_NEAR(run_judged(held).state.q[0], 2.0 + 2.0, 1e-10);
}

// A sphere rests on a table that moves with less than g; friction drags it along: m v' = mu m g while it slips, and for a homogeneous solid
// sphere on a table with acceleration a it rolls with 2/7 a.
TEST(Forces, AMovingPlaneCarriesAndDrags) {
  for (const std::string integrator : {"moreau", "quaternion-2", "event-driven"}) {
    const Scene scene = test::scene_from(
        "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [0.008, 0.008, 0.008]\nposition = "
        "[0, 0, 0.1]\n"
        "velocity = [0, 0, 0.4]\n[[body.sphere]]\nradius = 0.1\n"
        "[[plane]]\nname = \"table\"\nnormal = [0, 0, 1]\nmotion = [\"t^2\", 0, \"0.02*sin(20*t)\"]\n"
        "[[contact_law]]\nbetween = [\"ball\", \"table\"]\nfriction = 2\n" +
        run_of(integrator, 1.0));
    const State end = run_judged(scene).state;
    EXPECT_NEAR(end.q[2], 0.1 + 0.02 * std::sin(20.0), 2e-5) << integrator;
    EXPECT_NEAR(end.u[0], 2.0 / 7.0 * 2.0, 1e-3) << integrator;
  }
}

TEST(Forces, SetGivesStartsToo) {
  const std::string text =
      "tippe = 1\n[parameters]\na = 2\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[initial]\nx = 1\n"
      "[[body]]\nname = \"disc\"\nkind = \"planar\"\nmass = 1\ninertia = 1\nposition = [1, 2]\n[[body]]\nname = "
      "\"top\"\nmass = 1\n"
      "inertia = [1, 1, 1]\n[run]\nintegrator = \"rk4\"\ndt = 0.1\nuntil = 5\n";
  const Scene scene =
      read_scene(text, "set.toml",
                 {.settings = {"x=a/4", "x'=3", "t=1", "disc.y=7", "disc.phi=0.5", "disc.w=2", "top.vx=4", "top.wy=5"},
                  .integrator = {},
                  .dt = {},
                  .until = {}});
  const auto q = [&](const std::string& name) {
    const auto& names = scene.system->coordinate_names();
    return scene.start.q[std::find(names.begin(), names.end(), name) - names.begin()];
  };
  const auto u = [&](const std::string& name) {
    const auto& names = scene.system->velocity_names();
    return scene.start.u[std::find(names.begin(), names.end(), name) - names.begin()];
  };
  EXPECT_EQ(scene.start.t, 1.0);
  EXPECT_EQ(q("x"), 0.5);
  EXPECT_EQ(q("disc.x"), 1.0);
  EXPECT_EQ(q("disc.y"), 7.0);
  EXPECT_EQ(q("disc.phi"), 0.5);
  EXPECT_EQ(u("x'"), 3.0);
  EXPECT_EQ(u("disc.w"), 2.0);
  EXPECT_EQ(u("top.vx"), 4.0);
  EXPECT_EQ(u("top.wy"), 5.0);
  const auto refused = [&](const std::string& setting) {
    try {
      (void)read_scene(text, "set.toml", {.settings = {setting}, .integrator = {}, .dt = {}, .until = {}});
      return std::string("accepted");
    } catch (const ArgumentError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refused("disc.z=1").find("no parameter 'disc.z'"), std::string::npos) << refused("disc.z=1");
  EXPECT_NE(refused("x=1/0").find("inf"), std::string::npos) << refused("x=1/0");
  EXPECT_NE(refused("x=b").find("unknown name 'b'"), std::string::npos) << refused("x=b");
}

// A point on a wheel of radius r: a force along its velocity r phi' has the moment r F.
TEST(Forces, TheBuilderTakesForcesAlongVelocities) {
  LagrangianBuilder builder({"phi"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * 3.0 * v[0] * v[0]; });
  builder.force_along([](const auto&, const auto& v, auto) { return 0.4 * v[0]; },
                      [](const auto&, const auto&, auto t) { return 2.0 * t; });
  const std::unique_ptr<const System> system = builder.build();
  const std::unique_ptr<Evaluator> evaluator = system->make_evaluator();
  evaluator->set_state(5.0, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  EXPECT_DOUBLE_EQ(dynamics.h[0], 4.0);
  EXPECT_DOUBLE_EQ(dynamics.applied[0], 4.0);
}

}  // namespace tippe::scenes_forces_test
