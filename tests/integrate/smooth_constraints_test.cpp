// SPDX-License-Identifier: Apache-2.0
// Constrained motion with the Runge-Kutta schemes, against closed forms and other coordinates.
#include <cmath>

#include "support/scenes.h"
#include "tippe/integrate/constrained_motion.h"

namespace tippe::integrate_smooth_constraints_test {

constexpr std::array kSchemes = {"rk4", "dopri5"};

/// [run] for a scheme, with steps or a tolerance that make errors of about 1e-11.
std::string run_of(const std::string& scheme, double until, const std::string& more = "") {
  const std::string accuracy = scheme == "rk4" ? "dt = 1e-3\n" : "dt = 1e-3\ntolerance = 1e-11\n";
  return "[run]\nintegrator = \"" + scheme + "\"\n" + accuracy + "until = " + std::to_string(until) + "\n" + more;
}

ConstrainedMotion::Violation violation(const Scene& scene, const State& state) {
  ConstrainedMotion motion(*scene.system);
  Eigen::VectorXd g, gamma;
  return motion.violation(state, g, gamma);
}

Scene cartesian_pendulum(const std::string& run) {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\n"
      "[[bilateral]]\nname = \"rod\"\nposition = \"0.5*(x^2 + y^2 - 1)\"\n[initial]\nx = 1\n" +
      run);
}

Scene angle_pendulum(const std::string& run) {
  return test::scene_from(
      "[lagrangian]\ncoordinates = [\"phi\"]\nkinetic = \"0.5*phi'^2\"\npotential = \"-9.81*cos(phi)\"\n"
      "[initial]\nphi = \"pi/2\"\n" +
      run);
}

TEST(SmoothConstraints, APendulumInCartesianCoordinatesMovesAsInItsAngle) {
  for (const char* scheme : kSchemes) {
    const RunSummary angle = test::run(angle_pendulum(run_of(scheme, 3.0)));
    const Scene scene = cartesian_pendulum(run_of(scheme, 3.0));
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    const double phi = angle.final_state.q[0], rate = angle.final_state.u[0];
    EXPECT_NEAR(summary.final_state.q[0], std::sin(phi), 1e-9) << scheme;
    EXPECT_NEAR(summary.final_state.q[1], -std::cos(phi), 1e-9) << scheme;
    EXPECT_NEAR(summary.final_state.u[0], rate * std::cos(phi), 1e-8) << scheme;
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9) << scheme;
  }
}

// Projection changes a step by no more than its error: the order stays.
TEST(SmoothConstraints, ProjectionKeepsTheOrder) {
  const Scene scene = cartesian_pendulum(run_of("dopri5", 2.0));
  IntegratorOptions options;
  options.tolerance = 0.5;  // accepts every step
  const auto run = [&](const char* scheme, int steps) {
    const auto integrator = find_integrator(scheme)->make(*scene.system, options);
    State state = scene.start;
    for (int n = 0; n < steps; ++n) EXPECT_EQ(integrator->step(state, 2.0 / steps).rejected, 0);
    EXPECT_NEAR(state.t, 2.0, 1e-12);
    return state.q;
  };
  const double phi = test::run(angle_pendulum("[run]\nintegrator = \"rk4\"\ndt = 2e-4\nuntil = 2\n")).final_state.q[0];
  const Eigen::Vector2d exact(std::sin(phi), -std::cos(phi));
  for (const auto& [scheme, order] : {std::pair("rk4", 4.0), std::pair("dopri5", 5.0)}) {
    double previous = 0.0;
    for (const int steps : {40, 80, 160}) {
      const double error = (run(scheme, steps) - exact).norm();
      if (previous > 0.0) {
        EXPECT_GE(std::log2(previous / error), order - 0.3) << scheme << " " << steps;
      }
      previous = error;
    }
  }
}

TEST(SmoothConstraints, ProjectionKeepsThemToRoundOffAndWithoutItTheyDrift) {
  for (const char* scheme : kSchemes) {
    const std::string coarse = std::string("[run]\nintegrator = \"") + scheme + "\"\ndt = 0.02\nuntil = 10\n" +
                               (std::string(scheme) == "dopri5" ? "tolerance = 1e-6\n" : "");
    const Scene kept = cartesian_pendulum(coarse), free = cartesian_pendulum(coarse + "project = false\n");
    const ConstrainedMotion::Violation left = violation(kept, test::run(kept).final_state);
    const ConstrainedMotion::Violation drifted = violation(free, test::run(free).final_state);
    EXPECT_LE(left.position, 2e-15) << scheme;  // 8 epsilon, where Newton's method ends
    EXPECT_LE(left.velocity, 1e-14) << scheme;
    EXPECT_GT(drifted.position, 1e-7) << scheme;
    EXPECT_GT(drifted.velocity, 1e-8) << scheme;
    EXPECT_LT(drifted.position, 1e-2) << scheme;
  }
}

// A blade on an incline that spins at the rate w: u' = a cos(w t) along itself, so that its speed is a sin(w t)/w and its track
// the cycloid x = a sin^2(w t)/(2 w^2), y = a (w t - sin(w t) cos(w t))/(2 w^2): it does not slide down for good.
TEST(SmoothConstraints, AKnifeEdgeOnAnInclineFollowsACycloid) {
  constexpr double a = 3.0, w = 1.7, t = 4.0;
  for (const char* scheme : kSchemes) {
    const Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\", \"y\", \"th\"]\nkinetic = \"0.5*2*(x'^2 + y'^2) + 0.5*0.3*th'^2\"\n"
        "potential = \"-2*3*x\"\n[[bilateral]]\nname = \"blade\"\nvelocity = \"y'*cos(th) - x'*sin(th)\"\n"
        "[initial]\n\"th'\" = 1.7\n" +
        run_of(scheme, t));
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    const Eigen::VectorXd& q = summary.final_state.q;
    EXPECT_NEAR(q[0], a * std::pow(std::sin(w * t), 2) / (2 * w * w), 1e-9) << scheme;
    EXPECT_NEAR(q[1], a * (w * t - std::sin(w * t) * std::cos(w * t)) / (2 * w * w), 1e-9) << scheme;
    EXPECT_NEAR(q[2], w * t, 1e-12) << scheme;
    EXPECT_LE(violation(scene, summary.final_state).velocity, 1e-14) << scheme;
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9) << scheme;
  }
}

// x follows sin t; the mass on the spring behind it has y'' = w^2 (x - y), y = w^2/(w^2 - 1) (sin t - sin(w t)/w).
TEST(SmoothConstraints, APrescribedMotionIsFollowedAndItsWorkIsBooked) {
  constexpr double w = 3.0, t = 5.0;
  for (const char* scheme : kSchemes) {
    const Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*4*x'^2 + 0.5*y'^2\"\npotential = \"0.5*9*(x - y)^2\"\n"
        "[[bilateral]]\nname = \"hand\"\nposition = \"x - sin(t)\"\n[initial]\n\"x'\" = 1\n" +
        run_of(scheme, t));
    const RunSummary summary = test::run(scene);
    ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
    const auto y = [](double time) { return w * w / (w * w - 1) * (std::sin(time) - std::sin(w * time) / w); };
    const auto y_rate = [](double time) { return w * w / (w * w - 1) * (std::cos(time) - std::cos(w * time)); };
    EXPECT_NEAR(summary.final_state.q[0], std::sin(t), 1e-14) << scheme;
    EXPECT_NEAR(summary.final_state.u[0], std::cos(t), 1e-14) << scheme;
    EXPECT_NEAR(summary.final_state.q[1], y(t), 1e-9) << scheme;
    const double energy =
        2 * std::pow(std::cos(t), 2) + 0.5 * std::pow(y_rate(t), 2) + 4.5 * std::pow(std::sin(t) - y(t), 2);
    EXPECT_NEAR(summary.energy.work_done, energy - 2.0, 1e-8) << scheme;
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-9) << scheme;
  }
}

// The same rod again, written in another way.
TEST(SmoothConstraints, ARedundantRowChangesNothing) {
  for (const char* scheme : kSchemes) {
    const auto scene = [&](const std::string& more) {
      return test::scene_from(
          "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\n"
          "[[bilateral]]\nname = \"rod\"\nposition = \"0.5*(x^2 + y^2 - 1)\"\n" +
          more + "[initial]\nx = 1\n" + run_of(scheme, 2.0));
    };
    const RunSummary once = test::run(scene("")),
                     twice = test::run(scene("[[bilateral]]\nname = \"same\"\nposition = \"sqrt(x^2 + y^2) - 1\"\n"));
    ASSERT_EQ(twice.status, RunStatus::kOk) << twice.message;
    EXPECT_LE((once.final_state.q - twice.final_state.q).norm(), 1e-9) << scheme;
  }
}

}  // namespace tippe::integrate_smooth_constraints_test
