// SPDX-License-Identifier: Apache-2.0
// What the text prints otherwise, selectable for study; velocities of one's own choice with a constant mass matrix; steps by their error.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.h"
#include "tippe/integrate/consistent.h"
#include "tippe/verify/verify.h"

namespace tippe::integrate_printed_variants_test {

RunSummary judged(const Scene& scene) {
  verify::RunWatch watch(*scene.system, scene.start, scene.run);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  const verify::Verdict verdict = watch.finish(summary);
  EXPECT_TRUE(verdict.obeys()) << verify::verdict_text(verdict);
  return summary;
}

/// Errors of the end at dt and dt/4.
std::pair<double, double> errors(const std::string& system, const std::string& run, double dt, bool judge = true) {
  const State known = test::end_of(test::scene_from(system + test::accurate_run(0.6)));
  const auto error = [&](double step) {
    const Scene scene = test::scene_from(system + "[run]\nuntil = 0.6\ndt = " + std::to_string(step) + "\n" + run);
    const RunSummary summary = judge ? judged(scene) : test::run(scene);
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-11 * summary.energy.scale) << run;
    return (summary.final_state.q - known.q).norm();
  };
  return {error(dt), error(0.25 * dt)};
}

// Moeller (5.107): Q and H at the beginning of the step, as printed, is first order where Q varies; energy is kept all the same.
TEST(PrintedVariants, MapAndGyroscopicTermsAtTheBeginningAreOfFirstOrder) {
  const std::string top =
      "[[body]]\nname = \"top\"\nformulation = \"scalable\"\nmass = 1\ninertia = [1, 1.5, 2]\nangular_velocity = [0.3, 4, "
      "0.2]\n";
  const auto [coarse, fine] = errors(top, "integrator = \"consistent-2\"\n", 8e-3, false);
  EXPECT_NEAR(coarse / fine, 16.0, 2.0);
  const auto [printed, printed_fine] = errors(top, "integrator = \"consistent-2\"\nkinematics = \"begin\"\n", 8e-3, false);
  EXPECT_NEAR(printed / printed_fine, 4.0, 0.6);
  EXPECT_GT(printed_fine, 3.0 * fine);
}

/// A point that slides without friction inside of a circle of radius 1, from its deepest point with 2 m/s.
Scene bowl(const std::string& integrator, const std::string& gradient) {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\n[[contact]]\nname = \"bowl\"\ngap = \"1 "
      "- "
      "sqrt(x^2 + y^2)\"\nrestitution = 1\n[initial]\ny = -1\n\"x'\" = 2\n[run]\nintegrator = \"" +
      integrator + "\"\ngap_gradient = \"" + gradient + "\"\ndt = 0.01\nuntil = 0.05\n");
}

// Moeller (5.96), (5.142): the gradient at the beginning is (0, 1), so that the first step goes straight on and ends 1 - sqrt(1 + 0.02^2)
// deep; with the discrete derivative the gap is not smaller than before, (5.103).
TEST(PrintedVariants, AGapGradientAtTheBeginningLetsContactsSink) {
  for (const std::string integrator : {"consistent-elastic", "consistent-2", "consistent-mq", "quaternion-2"}) {
    const auto gap_after_one = [&](const std::string& gradient) {
      const Scene scene = bowl(integrator, gradient);
      const auto stepper = find_integrator(integrator)->make(*scene.system, scene.run.integrator_options);
      State state = scene.start;
      EXPECT_TRUE(stepper->step(state, 0.01).ok());
      return 1.0 - state.q.norm();
    };
    EXPECT_NEAR(gap_after_one("begin"), 1.0 - std::sqrt(1.0 + 0.02 * 0.02), 1e-14) << integrator;
    EXPECT_NEAR(gap_after_one("discrete"), 0.0, 1e-14) << integrator;
    for (const std::string gradient : {"begin", "discrete"}) {
      const RunSummary summary = judged(bowl(integrator, gradient));
      EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-13) << integrator << " " << gradient;
    }
  }
}

const std::string kPlate =
    "[lagrangian]\ncoordinates = [\"x\", \"y\", \"th\"]\nkinetic = \"0.5*2*(x'^2 + y'^2) + 0.5*0.3*th'^2 + "
    "0.4*th'*(y'*cos(th) - "
    "x'*sin(th))\"\npotential = \"3*(x^2 + 2*y^2) + 0.7*cos(th)\"\n";
const std::string kOwnVelocities =
    "[velocities]\nnames = [\"v\", \"s\", \"w\"]\n[velocities.rates]\nx = \"v*cos(th) - s*sin(th)\"\ny = \"v*sin(th) + "
    "s*cos(th)\"\nth = \"w\"\n";

// Moeller (3.40): T = u'Mu/2 in velocities along the axes of a plate whose centre of mass is off; M = [2, 0, 0; 0, 2, 0.4; 0, 0.4, 0.3].
TEST(DecomposedMass, OfOnesOwnConvergesWithOrderTwoAndKeepsTheEnergy) {
  const std::string system = kPlate + kOwnVelocities + "[initial]\nx = 0.3\ny = -0.2\nth = 0.5\nv = 1\ns = -0.4\nw = 5\n";
  for (const std::string integrator : {"consistent-2", "conserving-ggl", "quaternion-2"}) {
    const auto [coarse, fine] = errors(system, "integrator = \"" + integrator + "\"\n", 8e-3);
    EXPECT_NEAR(coarse / fine, 16.0, 2.0) << integrator;
    EXPECT_LE(fine, 1e-4) << integrator;
  }
  const auto [printed, printed_fine] = errors(system, "integrator = \"consistent-2\"\nkinematics = \"begin\"\n", 8e-3);
  EXPECT_NEAR(printed / printed_fine, 4.0, 0.8);
}

// The same plate on a rough floor: the motion in x', y', th' and in v, s, w agree, and energy does not rise.
TEST(DecomposedMass, OfOnesOwnTakesLaws) {
  const std::string pad =
      "[[dry_friction]]\nname = \"pad\"\nvelocity = [\"x'\", \"y'\"]\nlimit = 2\n[[contact]]\nname = \"wall\"\ngap = "
      "\"0.4 - x\"\nrestitution = 0.5\n";
  const auto end = [&](const std::string& velocities, const std::string& start, const std::string& integrator) {
    const Scene scene = test::scene_from(kPlate + velocities + pad + "[initial]\nx = 0.3\nth = 0.5\n" + start +
                                         "[run]\ndt = 2e-4\nuntil = 0.5\nintegrator = \"" + integrator + "\"\n");
    const RunSummary summary = judged(scene);
    EXPECT_LE(summary.energy.max_rise_per_step, 1e-12 * summary.energy.scale);
    return summary.final_state.q;
  };
  const double c = std::cos(0.5), s = std::sin(0.5);
  const Eigen::VectorXd own = end(kOwnVelocities, "v = 1\nw = 5\n", "consistent-2"),
                        plain =
                            end("", "\"x'\" = " + std::to_string(c) + "\n\"y'\" = " + std::to_string(s) + "\n\"th'\" = 5\n",
                                "consistent-mq");
  EXPECT_LE((own - plain).norm(), 2e-3);
}

TEST(DecomposedMass, WhatIsNoneIsSaid) {
  const auto misfit = [](const std::string& kinetic, const std::string& integrator) {
    const Scene scene =
        test::scene_from("[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"" + kinetic +
                         "\"\n[velocities]\nnames = [\"v\", \"s\"]\n[velocities.rates]\nx = \"v\"\ny = \"s/(1 + "
                         "x^2)\"\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
    return find_integrator(integrator)->misfit(*scene.system);
  };
  const std::string constant = "0.5*(x'^2 + (1 + x^2)^2*y'^2)", varies = "0.5*(x'^2 + y'^2)";
  EXPECT_EQ(misfit(constant, "consistent-2"), "");
  EXPECT_NE(misfit(varies, "consistent-2").find("in which the mass matrix is constant, fit too"), std::string::npos);
  EXPECT_NE(misfit(constant, "consistent-mq").find("consistent-2 and conserving-ggl take those"), std::string::npos);
}

// Moeller (2.72): the same motion as by Newton's method, to what the step is solved to.
TEST(ProjectedNewton, FindsTheSameMotion) {
  const auto end = [](const std::string& more) {
    return test::end_of(
        test::scene_from("[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"9.81*y "
                         "+ 5*x^4\"\n[[contact]]\nname = "
                         "\"floor\"\ngap = \"y\"\nslip = \"x'\"\nfriction = 0.2\nrestitution = 0.5\n[initial]\nx = 0.5\ny = "
                         "0.1\n\"x'\" = 1\n[run]\n"
                         "integrator = \"consistent-2\"\ndt = 1e-3\nuntil = 0.6\n" +
                         more));
  };
  const State newton = end(""), projected = end("projected_newton = 0.8\n");
  EXPECT_LE((newton.q - projected.q).norm() + (newton.u - projected.u).norm(), 1e-9);
}

/// A comet with an eccentricity of 0.8: period 2 pi, from its aphelion 1.8.
Scene comet(const std::string& run) {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"-1/sqrt(x^2 + y^2)\"\n"
      "[initial]\nx = 1.8\n\"y'\" = \"1/3\"\n[run]\nintegrator = \"conserving-ggl\"\nuntil = \"2*pi\"\n" +
      run);
}

// Energy and angular momentum are those of each part; the parts are short where the comet is fast.
TEST(StepTolerance, ShortensStepsWhereTheMotionIsFast) {
  const Scene scene = comet("dt = \"2*pi/40\"\ntolerance = 1e-7\n");
  int least = 1000000, most = 0;
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport& report) {
    least = std::min(least, report.halvings);
    most = std::max(most, report.halvings);
    ASSERT_NEAR(0.5 * state.u.squaredNorm() - 1.0 / state.q.norm(), 0.5 / 9.0 - 1.0 / 1.8, 1e-13);
    ASSERT_NEAR(state.q[0] * state.u[1] - state.q[1] * state.u[0], 0.6, 1e-13);
  });
  EXPECT_GE(most, 16 * std::max(1, least));
  const double adaptive = (judged(scene).final_state.q - scene.start.q).norm();
  EXPECT_LE(adaptive, 2e-4);
  const auto error = [](const std::string& run) {
    const Scene other = comet(run);
    return (test::end_of(other).q - other.start.q).norm();
  };
  EXPECT_LE(error("dt = \"2*pi/40\"\ntolerance = 1e-9\n"), adaptive / 10.0);
  EXPECT_GT(error("dt = \"2*pi/4000\"\n"), adaptive);  // more steps than all parts
}

// A ball that falls from 1 m: the contact closes within a part that is short enough, so that with restitution 0.8 it comes back to 0.64 m.
TEST(StepTolerance, FindsTheClosingOfAContact) {
  const auto apex = [](const std::string& run) {
    const Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\", \"z\"]\nkinetic = \"0.5*(x'^2 + z'^2)\"\npotential = "
        "\"10*z\"\n[[contact]]\nname = \"floor\"\n"
        "gap = \"z\"\nrestitution = 0.8\n[initial]\nz = 1\n[run]\nintegrator = \"consistent-2\"\ndt = 0.05\nuntil = 0.8\n" +
        run);
    double highest = 0.0, deepest = 0.0;
    test::watch(scene, [&](const State& state, const Integrator&, const StepReport&) {
      deepest = std::min(deepest, state.q[1]);
      if (state.t > 0.5) highest = std::max(highest, state.q[1] + state.u[1] * state.u[1] / 20.0);
    });
    EXPECT_GE(deepest, run.empty() ? -0.3 : -1e-3);
    return highest;
  };
  EXPECT_NEAR(apex("tolerance = 1e-6\n"), 0.64, 2e-4);
  EXPECT_NEAR(apex(""), 0.64 - 0.36 * 0.0125, 1e-12);  // it closes 1 - 5 0.45^2 deep
}

// A tolerance is for the integrator of the scene: asked for another one, it takes steps of dt.
TEST(StepTolerance, OfAnotherIntegratorIsNotTaken) {
  const std::string system =
      "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n[run]\ntolerance = 1e-9\ndt = 0.1\nuntil = "
      "1\nintegrator = ";
  const auto taken = [&](const std::string& own) {
    return read_scene(system + "\"" + own + "\"\n", "a.toml",
                      {.settings = {}, .integrator = "conserving-ggl", .dt = {}, .until = {}})
        .run.integrator_options.step_tolerance.has_value();
  };
  EXPECT_FALSE(taken("dopri5"));
  EXPECT_TRUE(taken("conserving"));
}

TEST(StepTolerance, ARunThatGoesOnRepeatsItToTheBit) {
  const Scene scene = comet("dt = \"2*pi/40\"\ntolerance = 1e-6\n");
  const auto one = find_integrator("conserving-ggl")->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  for (int k = 0; k < 12; ++k) ASSERT_TRUE(one->step(state, scene.run.dt).ok());
  const auto other = find_integrator("conserving-ggl")->make(*scene.system, scene.run.integrator_options);
  other->restore_memory(one->memory());
  State again = state;
  for (int k = 0; k < 12; ++k) {
    ASSERT_TRUE(one->step(state, scene.run.dt).ok());
    ASSERT_TRUE(other->step(again, scene.run.dt).ok());
  }
  EXPECT_EQ(state.q, again.q);
  EXPECT_EQ(state.u, again.u);
}

}  // namespace tippe::integrate_printed_variants_test
