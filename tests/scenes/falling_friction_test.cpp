// SPDX-License-Identifier: Apache-2.0
// Friction that falls when a slip begins, and with its speed: closed forms, and the judge of tippe verify.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bad_scene.h"
#include "support/scenes.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/model/lagrangian_builder.h"
#include "tippe/verify/law_definitions.h"
#include "tippe/verify/verify.h"

namespace tippe::scenes_falling_friction_test {

struct End {
  State state;
  RunSummary summary;
};
End run_judged(const Scene& scene) {
  verify::RunWatch watch(*scene.system, scene.start, scene.run);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << verify::verdict_text(verdict);
  return {summary.final_state, summary};
}

std::string run_of(const std::string& integrator, double until, double dt = 1e-4) {
  return "[run]\nintegrator = \"" + integrator + "\"\nuntil = " + std::to_string(until) +
         (integrator == "event-driven" ? "\ntolerance = 1e-12\n" : "\ndt = " + std::to_string(dt) + "\n");
}

const std::vector<std::string> kIntegrators = {"moreau", "moreau-jean", "event-driven"};

// A mass of 1 kg on a belt with the speed v, held by a spring k = 100; N = 10, mu_s = 0.5, mu_k = 0.3.
Scene belt(double v, const std::string& friction, const std::string& integrator, double dt = 1e-4) {
  return test::scene_from(
      "[parameters]\nv = " + std::to_string(v) +
      "\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n"
      "potential = \"50*x^2 + 10*y\"\n[[contact]]\nname = \"belt\"\ngap = \"y\"\nslip = \"x' - v\"\nfriction = " +
      friction + "\n[initial]\n\"x'\" = \"v\"\n" + run_of(integrator, 5.0, dt));
}

/// It sticks until k x = mu_s N; then x = x_k + A cos(w s) + v/w sin(w s), A = x_s - x_k, until it has the speed of the belt again, at
/// w s = 2 pi - 2 atan(A w/v), where x = x_k - A.
struct StickSlip {
  double x = 0.0, u = 0.0;
  int transitions = 0;
};
StickSlip exact_belt(double v, double until) {
  const double w = 10.0, x_s = 0.05, x_k = 0.03, A = x_s - x_k;
  StickSlip motion{.x = 0.0, .u = v};
  for (double t = 0.0;;) {
    const double sticks = (x_s - motion.x) / v;
    if (t + sticks > until) return {motion.x + v * (until - t), v, motion.transitions};
    t += sticks;
    ++motion.transitions;
    const double slips = (2.0 * std::numbers::pi - 2.0 * std::atan(A * w / v)) / w;
    if (const double s = until - t; slips > s)
      return {x_k + A * std::cos(w * s) + v / w * std::sin(w * s), -A * w * std::sin(w * s) + v * std::cos(w * s),
              motion.transitions};
    t += slips;
    ++motion.transitions;
    motion.x = x_k - A;
  }
}

const std::string kJump = "{ static = 0.5, kinetic = 0.3 }";

TEST(FallingFriction, ABeltSticksAndSlipsAsInItsClosedForm) {
  for (const double v : {0.05, 0.1, 0.3, 0.5, 1.0}) {
    const StickSlip known = exact_belt(v, 5.0);
    EXPECT_GE(known.transitions, 8);
    for (const std::string& integrator : kIntegrators) {
      End end = run_judged(belt(v, kJump, integrator));
      const bool exact = integrator == "event-driven";
      EXPECT_NEAR(end.state.q[0], known.x, exact ? 1e-12 : 3e-5) << integrator << ", v = " << v;
      EXPECT_NEAR(end.state.u[0], known.u, exact ? 1e-11 : 1e-3) << integrator << ", v = " << v;
      EXPECT_NEAR(end.summary.energy.unexplained(), 0.0, exact ? 1e-12 : 1e-6) << integrator << ", v = " << v;
      if (exact) {
        EXPECT_EQ(end.summary.events[EventKind::kStickToSlip] + end.summary.events[EventKind::kSlipToStick],
                  known.transitions);
      } else {
        EXPECT_GT(end.summary.ambiguous_steps, 0);  // a step in which it could stop is there in every slip,
        EXPECT_LE(end.summary.ambiguous_steps, 2 * known.transitions);  // and few are
      }
    }
  }
}

// The error of the jump is that of the step, of first order.
TEST(FallingFriction, StepsConvergeOnABelt) {
  const StickSlip known = exact_belt(0.1, 5.0);
  const auto error = [&](double dt) { return std::abs(run_judged(belt(0.1, kJump, "moreau", dt)).state.q[0] - known.x); };
  const double coarse = error(1e-3), fine = error(1e-4);
  EXPECT_LE(coarse, 2e-4);
  EXPECT_LE(fine, 0.2 * coarse);
}

// mu_k + (mu_s - mu_k) exp(-v/v_s) with v_s = 1e-5 m/s is the jump for a motion of 0.1 m/s: they differ by what a slip that is as slow changes.
TEST(FallingFriction, ASteepStribeckCurveIsTheJump) {
  for (const auto& [v, integrator] : {std::pair{0.1, "moreau"}, std::pair{0.5, "moreau-jean"}}) {
    const State jump = run_judged(belt(v, kJump, integrator)).state;
    const State curve = run_judged(belt(v, "{ mu = \"0.3 + 0.2*exp(-slip_speed/1e-5)\" }", integrator)).state;
    const State with_static =
        run_judged(belt(v, "{ static = 0.5, mu = \"0.3 + 0.2*exp(-slip_speed/1e-5)\" }", integrator)).state;
    EXPECT_NEAR(curve.q[0], jump.q[0], 1e-8) << integrator << ", v = " << v;
    EXPECT_NEAR(curve.u[0], jump.u[0], 1e-6) << integrator << ", v = " << v;
    EXPECT_EQ(curve.q[0], with_static.q[0]);
  }
}

// mu = a + b v: v = (v0 + a/b) exp(-b g t) - a/b. In a plane with two slips the speed is that of both.
TEST(FallingFriction, TheSceneOfStribeckBecomesThatOfAJump) {
  const auto end_of = [](const char* scene, std::vector<std::string> settings) {
    const RunSummary run =
        test::run(test::load(scene, {.settings = std::move(settings), .integrator = {}, .dt = {}, .until = "1.3"}));
    EXPECT_EQ(run.status, RunStatus::kOk) << run.message;
    return run.final_state;
  };
  const State jump = end_of("stick_slip", {}), steep = end_of("stribeck", {"v_s=1e-5"}), smooth = end_of("stribeck", {});
  EXPECT_NEAR(steep.q[0], jump.q[0], 2e-4);
  EXPECT_NEAR(steep.u[0], jump.u[0], 2e-3);
  EXPECT_GT(std::abs(smooth.q[0] - jump.q[0]), 5e-3);
}

TEST(FallingFriction, FrictionThatRisesWithTheSpeedHasItsClosedForm) {
  const double a = 0.2, b = 0.5, g = 10.0, t = 0.3, known = (1.5 + a / b) * std::exp(-b * g * t) - a / b;
  for (const std::string integrator : {"moreau", "moreau-jean"}) {
    const auto error = [&](double dt) {
      const Scene line = test::scene_from(
          "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\npotential = \"20*y\"\n[[contact]]\nname = "
          "\"floor\"\n"
          "gap = \"y\"\nslip = \"x'\"\nfriction = { mu = \"0.2 + 0.5*slip_speed\" }\n[initial]\n\"x'\" = 1.5\n" +
          run_of(integrator, t, dt));
      const Scene plane = test::scene_from(
          "[world]\ngravity = [0, 0, -10]\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 3\nposition = [0, 0, 0.1]\n"
          "velocity = [0.9, 1.2, 0]\n[[body.sphere]]\nradius = 0.1\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n"
          "[[contact_law]]\nbetween = [\"p\", \"floor\"]\nfriction = { static = 0.4, mu = \"0.2 + 0.5*slip_speed\" }\n" +
          run_of(integrator, t, dt));
      const State in_plane = run_judged(plane).state;
      EXPECT_NEAR(in_plane.u[0] / in_plane.u[1], 0.75, 1e-9);
      EXPECT_NEAR(std::hypot(in_plane.u[0], in_plane.u[1]), known, 10.0 * dt) << integrator;
      return std::abs(run_judged(line).state.u[0] - known);
    };
    const double coarse = error(1e-3), fine = error(1e-4);
    EXPECT_LE(coarse, 2e-3) << integrator;
    EXPECT_LE(fine, 0.15 * coarse) << integrator;
  }
}

// Three feet of a block in the plane share its load in many ways, and its friction too: they let go together at 0.4 m g = c t1, and no other mode goes on.
TEST(FallingFriction, RedundantFeetReleaseAtOnceAndThatIsChecked) {
  std::string feet;
  for (const double at : {-0.1, 0.0, 0.1})
    feet += fmt::format(
        "[[contact]]\nname = \"foot{}\"\ngap = \"y + {}*sin(phi)\"\nslip = \"x' - {}*phi'*sin(phi)\"\nfriction = {{ static "
        "= "
        "0.4, kinetic = 0.3 }}\n",
        10 * at + 1, at, at);
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"phi\"]\nkinetic = \"x'^2 + y'^2 + 0.01*phi'^2\"\npotential = "
      "\"20*y\"\n[lagrangian.forces]\nx = \"2*t\"\n" +
      feet + run_of("event-driven", 5.0));
  std::vector<Event> events;
  RunHooks hooks;
  hooks.on_step = [&](const auto& /*step*/, std::span<const Event> some) {
    events.insert(events.end(), some.begin(), some.end());
  };
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  std::erase_if(events, [](const Event& event) { return event.kind != EventKind::kStickToSlip; });
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].laws.size(), 3u);
  EXPECT_NEAR(events[0].t, 4.0, 1e-11);
  EXPECT_EQ(events[0].alternatives, 0);
  EXPECT_EQ(events[0].note, "");
  EXPECT_NEAR(summary.final_state.u[0], 1.5, 1e-10);  // 2 u' = 2 t - 6 for a second
}

// Pulled with c t it holds until c t1 = limit at rest; then m x'' = c t - kinetic.
TEST(FallingFriction, ALoadThatRisesReleasesAtTheStaticLimit) {
  const double c = 5.0, m = 2.0, t1 = 1.0, kinetic = 3.0;
  const double s = 0.5, x = (c * s * s * s / 6.0 + (c * t1 - kinetic) * s * s / 2.0) / m;
  for (const std::string& integrator : kIntegrators) {
    const double off = integrator == "event-driven" ? 1e-11 : 3e-4;
    const std::string run = run_of(integrator, t1 + s);
    const Scene pad = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[lagrangian.forces]\nx = \"5*t\"\n[[dry_friction]]\nname "
        "= \"pad\"\n"
        "velocity = \"x'\"\nlimit = { static = 5, kinetic = 3 }\n" +
        run);
    EXPECT_NEAR(run_judged(pad).state.q[0], x, off) << integrator;
    const Scene sledge = test::scene_from(
        "[world]\ngravity = [0, 0, -10]\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 2\nposition = [0, 0, 0.1]\n"
        "[[body.sphere]]\nradius = 0.1\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[force]]\non = \"p\"\n"
        "force = [\"3*t\", \"4*t\", 0]\n[[contact_law]]\nbetween = [\"p\", \"floor\"]\nfriction = { static = 0.25, kinetic "
        "= 0.15 }\n" +
        run);
    const State end = run_judged(sledge).state;
    EXPECT_NEAR(std::hypot(end.q[0], end.q[1]), x, off) << integrator;
    EXPECT_NEAR(end.q[0] / end.q[1], 0.75, 1e-9) << integrator;
  }
}

/// Two inertias with a spring, the upper one driven by a torque D (w - a'), the lower one in friction 5 at rest and 3 in slip: an integration of its own,
/// by Runge and Kutta with bisected transitions.
struct DrillString {
  Eigen::Vector4d z;  // a, b, a', b'
  int transitions = 0;
};
DrillString exact_drill_string(double w, double until) {
  const double J1 = 2.0, J2 = 0.5, k = 10.0, d = 0.05, D = 20.0;
  Eigen::Vector4d z(0.0, 0.0, w, w);
  bool sticks = false;
  const auto load = [&](const Eigen::Vector4d& at) { return k * (at[0] - at[1]) + d * (at[2] - at[3]); };
  const auto rate = [&](const Eigen::Vector4d& at) {
    const double up = (D * (w - at[2]) - load(at)) / J1;
    return Eigen::Vector4d(at[2], sticks ? 0.0 : at[3], up, sticks ? 0.0 : (load(at) - 3.0) / J2);
  };
  const auto step = [&](const Eigen::Vector4d& at, double dt) {
    const Eigen::Vector4d k1 = rate(at), k2 = rate(at + 0.5 * dt * k1), k3 = rate(at + 0.5 * dt * k2),
                          k4 = rate(at + dt * k3);
    return Eigen::Vector4d(at + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4));
  };
  DrillString result;
  for (double t = 0.0; t < until;) {
    double dt = std::min(2e-4, until - t);
    const auto over = [&](const Eigen::Vector4d& at) { return sticks ? load(at) > 5.0 : at[3] < 0.0; };
    Eigen::Vector4d next = step(z, dt);
    const bool changes = over(next);
    if (changes) {
      double early = 0.0, late = dt;
      while (late - early > 1e-16) {
        const double middle = 0.5 * (early + late);
        if (middle == early || middle == late) break;
        (over(step(z, middle)) ? late : early) = middle;
      }
      next = step(z, dt = late);
      sticks = !sticks;
      if (sticks) next[3] = 0.0;
      ++result.transitions;
    }
    z = next;
    t += dt;
  }
  result.z = z;
  return result;
}

TEST(FallingFriction, ADrillStringSticksAndSlipsAtTwelveSpeeds) {
  int with_stick_slip = 0, without = 0;
  for (const double w : {0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.7, 2.0, 2.5, 3.0, 4.0}) {
    const DrillString known = exact_drill_string(w, 12.0);
    (known.transitions > 2 ? with_stick_slip : without) += 1;
    for (const std::string& integrator : kIntegrators) {
      if (integrator != "event-driven" && w != 0.2 && w != 1.0 && w != 4.0) continue;  // 60,000 steps each
      const Scene scene = test::scene_from(
          "[parameters]\nw = " + std::to_string(w) +
          "\n[lagrangian]\ncoordinates = [\"a\", \"b\"]\nkinetic = \"a'^2 + 0.25*b'^2\"\npotential = \"5*(a - b)^2\"\n"
          "damping = \"0.025*(a' - b')^2\"\n[[motor]]\non = \"a\"\ntorque = \"20*(w - a')\"\n[[dry_friction]]\nname = "
          "\"bit\"\n"
          "velocity = \"b'\"\nlimit = { static = 5, kinetic = 3 }\n[initial]\n\"a'\" = \"w\"\n\"b'\" = \"w\"\n" +
          run_of(integrator, 12.0, 2e-4));
      End end = run_judged(scene);
      const double off = integrator == "event-driven" ? 1e-8 : 0.02;
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(end.state.q[i], known.z[i], off) << integrator << ", w = " << w;
      if (integrator != "event-driven") continue;
      EXPECT_EQ(end.summary.events[EventKind::kStickToSlip] + end.summary.events[EventKind::kSlipToStick], known.transitions)
          << w;
    }
  }
  EXPECT_GE(with_stick_slip, 4);
  EXPECT_GE(without, 4);
}

// A point that hits with slip 3 and closing speed 2: p = (1 + e) 2, and friction takes mu_k p; one without slip sticks.
TEST(FallingFriction, AnImpactUsesTheSlipBeforeIt) {
  for (const std::string impact_law : {"newton", "poisson", "moreau"}) {
    for (const std::string& integrator : kIntegrators) {
      if (integrator == "moreau-jean" && impact_law != "newton") continue;  // it knows no other
      const Scene scene = test::scene_from(
          "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n[[contact]]\nname = \"floor\"\ngap "
          "= \"y\"\n"
          "slip = \"x'\"\nfriction = { static = 0.5, mu = \"" +
          std::string(integrator == "event-driven" ? "0.3" : "0.1*slip_speed") + "\" }\nrestitution = 0.5\nimpact_law = \"" +
          impact_law + "\"\n[initial]\ny = 0.1\n\"x'\" = 3\n\"y'\" = -2\n" + run_of(integrator, 0.1));
      const End end = run_judged(scene);
      EXPECT_NEAR(end.state.u[0], 3.0 - 0.3 * 3.0, 1e-9) << integrator << ", " << impact_law;
      EXPECT_NEAR(end.state.u[1], 1.0, 1e-9) << integrator << ", " << impact_law;
    }
  }
}

TEST(FallingFriction, AnInstantAtRestHasTheStaticAndOneThatSlidesTheKineticCoefficient) {
  const Scene scene = belt(0.1, "{ static = 0.5, mu = \"0.3 + 0.2*exp(-slip_speed)\" }", "moreau");
  const auto mu = [&](double u) {
    State state = scene.start;
    state.u[0] = u;
    const Instant instant = instant_of(*scene.system, state, {});
    return *instant.acceleration->unilateral.at(0).mu;
  };
  EXPECT_DOUBLE_EQ(mu(0.1), 0.5);
  EXPECT_DOUBLE_EQ(mu(0.8), 0.3 + 0.2 * std::exp(-0.7));
}

// What the judge of recordings says of an impulse (1, friction) with the slip 1.
TEST(FallingFriction, TheJudgeKnowsWhatSlidingTakes) {
  ForceLaw law;
  law.rows = 2;
  law.mu1 = law.mu2 = 0.5;
  law.falling = make_friction_curve(0.6);
  const auto misfit = [&](double friction, double slip) {
    verify::LawImpulse at{law, verify::Vector::Constant(2, 1.0L), verify::Vector::Zero(2),
                          verify::Vector::Constant(2, 1e-9L), verify::Vector::Constant(2, 1e-9L)};
    at.Lambda[1] = static_cast<verify::Real>(friction);
    at.xi[1] = static_cast<verify::Real>(slip);
    return verify::misfit_of(at);
  };
  EXPECT_LE(misfit(-0.3, 1.0).friction_direction, 1.0L);
  EXPECT_GT(misfit(-0.5, 1.0).friction_direction, 1e3L);  // the friction of rest
  EXPECT_GT(misfit(-0.2, 1.0).friction_direction, 1e3L);
  EXPECT_LE(misfit(-0.5, 0.0).friction_direction, 1.0L);
  EXPECT_LE(misfit(-0.4, 0.0).friction_set, 1.0L);
  EXPECT_GT(misfit(-0.6, 0.0).friction_set, 1e3L);
}

// What slid is remembered: a run that goes on from what an integrator remembers has the same bits.
TEST(FallingFriction, ARunGoesOnFromItsMemory) {
  const Scene scene = belt(0.1, kJump, "moreau", 1e-3);
  const auto make = [&] { return find_integrator("moreau")->make(*scene.system, scene.run.integrator_options); };
  const auto whole = make();
  State state = scene.start;
  NamedArrays memory;
  State middle;
  for (int n = 0; n < 3000; ++n) {
    if (n == 480) middle = state, whole->save_memory(memory);  // it holds more than sliding friction could
    ASSERT_TRUE(whole->step(state, 1e-3).ok());
  }
  const auto second = make();
  second->restore_memory(memory);
  for (int n = 480; n < 3000; ++n) ASSERT_TRUE(second->step(middle, 1e-3).ok());
  EXPECT_EQ(middle.q, state.q);
  EXPECT_EQ(middle.u, state.u);
}

TEST(FallingFriction, TheBuilderTakesACurve) {
  LagrangianBuilder builder({"x", "y"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  builder.contact(
      "floor", 0.0, 0.5, [](const auto& q, auto) { return q[1]; }, [](const auto&, const auto& v, auto) { return v[0]; });
  builder.friction_falls([](auto v) { return 0.6 + 0.4 * exp(-1.0 * v); });
  const std::unique_ptr<const System> system = builder.build();
  EXPECT_DOUBLE_EQ(system->laws()[0].share(0.0), 1.0);
  EXPECT_DOUBLE_EQ(system->laws()[0].share(2.0), 0.6 + 0.4 * std::exp(-2.0));
}

TEST(FallingFriction, WhatMakesNoSenseIsRefusedAtItsPlace) {
  const std::string begin =
      "tippe = 1\n[parameters]\nm = 2\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + "
      "y'^2\"\n[[contact]]\nname = \"f\"\ngap = \"y\"\n"
      "slip = \"x'\"\nfriction = ";
  const std::string run = "\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n";
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"{ static = 0.3, kinetic = »^0.4 }", "more than 'static'"},
           {"»^{ static = 0.3 }", "give one of 'kinetic'"},
           {"»^{ kinetic = 0.3 }", "needs 'static'"},
           {"{ static = »^0.2, mu = \"0.3*exp(-slip_speed)\" }", "less than the 0.3"},
           {"{ mu = »^\"0.3 - slip_speed\" }", "must be a number that is not negative"},
           {"{ mu = \"0.3*exp(-slip_speed/»^x)\" }", "may depend on slip_speed and parameters only"},
           {"{ static = 0.3, kinetic = 0.2, set = »^\"exact\" }", "does not drill"},
           {"{ static = 0.3, kinetic = 0.2 }\nrestitution_tangential = »^0.1", "takes no 'restitution_tangential'"}})
    test::expect_refused({text, begin + text + run, {part}});
  for (const std::string integrator : {"consistent-2", "quaternion-2", "consistent-mq"}) {
    const std::string misfit = find_integrator(integrator)->misfit(*belt(0.1, kJump, "moreau").system);
    EXPECT_NE(misfit.find("falls with the slip"), std::string::npos) << misfit;
  }
  const std::string curve = "{ mu = \"0.3 + 0.2*exp(-slip_speed)\" }";
  EXPECT_NE(find_integrator("event-driven")->misfit(*belt(0.1, curve, "moreau").system).find("function of the slip"),
            std::string::npos);
}

}  // namespace tippe::scenes_falling_friction_test
