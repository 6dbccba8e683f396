// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/moreau.h"

#include "support/scenes.h"

namespace tippe::integrate_moreau_test {

// Moeller (5.4): xi_N = gamma_E + epsilon gamma_B = 0 while the contact carries an impulse, to round-off.
TEST(MoreauMidpoint, BallLeavesWithMinusEpsilonTimesItsBeginVelocity) {
  const Scene scene =
      test::load("bouncing_ball", {.settings = {"epsilon=0.6"}, .integrator = {}, .dt = "1e-3", .until = "0.6"});
  double u_B = 0.0;
  bool hit = false;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    if (!hit && integrator.last_laws().impulse[0] > 0.0) {
      hit = true;
      EXPECT_NEAR(state.u[0], -0.6 * u_B, 1e-14);                     // the discrete law: round-off
      EXPECT_NEAR(u_B, -std::sqrt(2 * 9.81 * 1.0), 2 * 9.81 * 1e-3);  // free fall: first order in dt
      EXPECT_NEAR(integrator.last_laws().closing_speed[0], -u_B, 1e-15);
    }
    u_B = state.u[0];
  });
  EXPECT_TRUE(hit);
}

// (5.3)-(5.8) by hand, one step of a particle with constant force: q_E = q_B + dt (u_B + u_E) / 2 exactly.
TEST(MoreauMidpoint, FreeFallIsExact) {
  const Scene scene = test::load("bouncing_ball", {.settings = {}, .integrator = {}, .dt = "0.01", .until = "0.4"});
  test::watch(scene, [&](const State& state, const Integrator&, const StepReport& report) {
    EXPECT_NEAR(state.q[0], 1.0 - 0.5 * 9.81 * state.t * state.t, 1e-13);
    EXPECT_EQ(report.active_laws, 0);
  });
}

// Newton's law per direction: tangential restitution reverses the slip of a sticking contact.
TEST(MoreauMidpoint, TangentialRestitutionReversesTheSlip) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "z"]
kinetic = "0.5*(x'^2 + z'^2)"
[[contact]]
name = "floor"
gap = "z"
slip = "x'"
friction = 10
restitution = 0.5
restitution_tangential = 0.25
[initial]
z = 0.0001
"x'" = 1
"z'" = -2
[run]
integrator = "moreau"
dt = 0.001
until = 0.001
)toml");
  State state = scene.start;
  MoreauMidpoint stepper(*scene.system, {});
  ASSERT_TRUE(stepper.step(state, 0.001).ok());
  EXPECT_NEAR(state.u[0], -0.25, 1e-15);
  EXPECT_NEAR(state.u[1], 1.0, 1e-15);
}

// A one-way clutch: velocity a' - b' >= 0, plastic: both end with the common momentum. With a spring force it
// stays locked.
TEST(MoreauMidpoint, ClutchLocksAndConservesMomentum) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["a", "b"]
kinetic = "0.5*2*a'^2 + 0.5*b'^2"
[[one_way]]
name = "clutch"
velocity = "a' - b'"
[initial]
"b'" = 3
[run]
integrator = "moreau"
dt = 0.01
until = 0.02
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_NEAR(summary.final_state.u[0], 1.0, 1e-14);
  EXPECT_NEAR(summary.final_state.u[1], 1.0, 1e-14);
  EXPECT_NEAR(summary.energy.lost_in_contacts, 0.5 * 9 - 0.5 * 3, 1e-13);
}

// Dry friction of limit 2 N on 1 kg: stops after v m / limit = 1.5 s at v^2 m / (2 limit) = 2.25 m, and
// stays.
TEST(MoreauMidpoint, DryFrictionStopsAMassAndHoldsIt) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
[[dry_friction]]
name = "pad"
velocity = "y'"
limit = 2.0
[initial]
"y'" = 3
[run]
integrator = "moreau"
dt = 0.001
until = 2
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_NEAR(summary.final_state.q[0], 2.25, 1e-12);
  EXPECT_NEAR(summary.final_state.u[0], 0.0, 1e-15);
  EXPECT_NEAR(summary.energy.lost_in_contacts, 4.5, 1e-12);
}

// Friction in a plane: a sliding disc is braked along its velocity (isotropic). Speed v - mu g t, direction
// kept.
TEST(MoreauMidpoint, PlaneFrictionOpposesTheSlip) {
  const std::string text = R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
potential = "10*z"
[[contact]]
name = "floor"
gap = "z"
slip = ["x'", "y'"]
friction = FRICTION
[initial]
"x'" = 3
"y'" = 4
[run]
integrator = "moreau"
dt = 0.001
until = 1
)toml";
  const auto with = [&](const std::string& friction) {
    std::string scene = text;
    return test::run(test::scene_from(scene.replace(scene.find("FRICTION"), 8, friction)));
  };
  const State isotropic = with("0.2").final_state;
  EXPECT_NEAR(isotropic.u[0], 0.6 * 3.0, 1e-9);
  EXPECT_NEAR(isotropic.u[1], 0.8 * 3.0, 1e-9);
  // Ellipse with mu2 = 0: only x is braked.
  const State along_x = with("[0.2, 0.0]").final_state;
  EXPECT_NEAR(along_x.u[0], 1.0, 1e-9);
  EXPECT_NEAR(along_x.u[1], 4.0, 1e-9);
  // Ellipse: the force -(mu1^2 x', mu2^2 y') / |(mu1 x', mu2 y')| m g; a second solution by small explicit
  // steps.
  const State elliptic = with("[0.3, 0.1]").final_state;
  double vx = 3, vy = 4;
  for (int k = 0; k < 1000000; ++k) {
    const double size = std::hypot(0.3 * vx, 0.1 * vy);
    vx -= 1e-6 * 10 * 0.09 * vx / size;
    vy -= 1e-6 * 10 * 0.01 * vy / size;
  }
  EXPECT_NEAR(elliptic.u[0], vx, 3e-3);  // first order in dt = 1e-3
  EXPECT_NEAR(elliptic.u[1], vy, 3e-3);
}

// Masses stacked on a shaken floor, every gap exactly closed at the start: none of the contacts may open,
// although no force but the solver's keeps the upper ones closed. Without the guard against round-off they
// open, fall a step and count as impacts.
TEST(MoreauMidpoint, AStackStaysClosedToRoundOff) {
  std::string coordinates, kinetic, potential, contacts, initial;
  const int n = 6;
  for (int i = 0; i < n; ++i) {
    const std::string x = "x" + std::to_string(i), y = "y" + std::to_string(i), plus = i ? " + " : "";
    coordinates += (i ? ", \"" : "\"") + x + "\", \"" + y + "\"";
    kinetic += plus + "0.5*(" + x + "'^2 + " + y + "'^2)";
    potential += plus + "9.81*" + y;
    const std::string below = std::to_string(i - 1);
    contacts += "[[contact]]\nname = \"c" + std::to_string(i) + "\"\nfriction = 0.3\n";
    contacts += "gap = \"" + (i ? y + " - y" + below + " - 1" : y) + "\"\n";
    contacts += "slip = \"" + (i ? x + "' - x" + below + "'" : x + "' - 0.5*cos(3*t)") + "\"\n";
    initial += y + " = " + std::to_string(i) + "\n";
  }
  const RunSummary summary = test::run(test::scene_from(
      "[lagrangian]\ncoordinates = [" + coordinates + "]\nkinetic = \"" + kinetic + "\"\npotential = \"" + potential +
      "\"\n" + contacts + "[initial]\n" + initial + "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1\n"));
  EXPECT_EQ(summary.status, RunStatus::kOk);
  EXPECT_EQ(summary.impacts, 0);
  EXPECT_LE(summary.worst_penetration, 1e-12);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-11);
}

// A rod dropped on both ends: its friction rows are nearly dependent and no sweep finds the impulses; the last resort does.
TEST(MoreauMidpoint, ADroppedRodIsSolved) {
  const RunSummary summary = test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "a"]
kinetic = "0.5*1.5*(x'^2 + y'^2) + 0.5*0.08*a'^2"
potential = "1.5*9.81*y"
[[contact]]
name = "left"
gap = "y - 0.4*sin(a)"
slip = "x' + 0.4*sin(a)*a'"
friction = 0.4
restitution = 0.3
[[contact]]
name = "right"
gap = "y + 0.4*sin(a)"
slip = "x' - 0.4*sin(a)*a'"
friction = 0.4
restitution = 0.3
[initial]
y = 0.5
a = 0.6
"x'" = 1
"a'" = 2
[run]
integrator = "moreau"
dt = 1e-3
until = 1.5
)toml"));
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_LE(summary.worst_residual, 1e-10);
}

// Six milligrams stacked beside an unrelated locomotive.
TEST(MoreauMidpoint, AHeavyNeighbourDoesNotHideALightStack) {
  std::string coordinates = "\"big\"", kinetic = "0.5*1e6*big'^2", potential = "9.81*1e6*big";
  std::string contacts = "[[contact]]\nname = \"big\"\ngap = \"big\"\n", initial;
  for (int i = 0; i < 6; ++i) {
    const std::string y = "y" + std::to_string(i), below = "y" + std::to_string(i - 1);
    coordinates += ", \"" + y + "\"";
    kinetic += " + 0.5*1e-6*" + y + "'^2";
    potential += " + 9.81*1e-6*" + y;
    contacts += "[[contact]]\nname = \"" + y + "\"\ngap = \"" + (i ? y + " - " + below + " - 1" : y) + "\"\n";
    initial += y + " = " + std::to_string(i) + "\n";
  }
  const RunSummary summary = test::run(test::scene_from(
      "[lagrangian]\ncoordinates = [" + coordinates + "]\nkinetic = \"" + kinetic + "\"\npotential = \"" + potential +
      "\"\n" + contacts + "[initial]\n" + initial + "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.2\n"));
  EXPECT_LE(summary.worst_penetration, 1e-12);
}

const std::string kSpinner = R"toml(
[parameters]
mu = 0.3
[lagrangian]
coordinates = ["x", "y", "z", "phi"]
kinetic = "0.5*2*(x'^2 + y'^2 + z'^2) + 0.5*0.001*phi'^2"
potential = "2*10*z"
[[contact]]
name = "floor"
gap = "z"
slip = ["x'", "y'"]
spin = "phi'"
friction = { mu = "mu", contact_radius = 0.01, set = "SET" }
[initial]
"phi'" = 40
"x'" = VELOCITY
[run]
integrator = "moreau"
dt = 1e-4
until = 0.1
)toml";

RunSummary run_spinner(const std::string& set, const std::string& velocity) {
  std::string text = kSpinner;
  text.replace(text.find("SET"), 3, set);
  text.replace(text.find("VELOCITY"), 8, velocity);
  return test::run(test::scene_from(text));
}

// Pure drilling: the moment is mu m g Rbar, Rbar = 3 pi R / 16, in every set.
TEST(MoreauMidpoint, DrillingFrictionBrakesASpin) {
  const double moment = 0.3 * 20 * 3 * M_PI / 16 * 0.01;
  for (const char* set : {"exact", "ellipsoid", "cylinder"}) {
    const RunSummary summary = run_spinner(set, "0");
    EXPECT_NEAR(summary.final_state.u[3], 40 - moment / 0.001 * 0.1, 1e-6) << set;
    EXPECT_LE(summary.worst_residual, 1e-10);
    EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-10);
  }
}

TEST(MoreauMidpoint, DrillingRadiusMayBeGivenEitherWay) {  // Rbar = 3 pi R / 16
  std::string text = kSpinner;
  text.replace(text.find("SET"), 3, "ellipsoid");
  text.replace(text.find("VELOCITY"), 8, "0.3");
  text.replace(text.find("contact_radius = 0.01"), 21, "mean_drilling_radius = \"3*pi/16*0.01\"");
  EXPECT_NEAR(test::run(test::scene_from(text)).final_state.u[3], run_spinner("ellipsoid", "0.3").final_state.u[3], 1e-9);
}

// Sliding and drilling share one set: a fast spin takes friction from the sliding. An independent explicit solution of the exact law.
TEST(MoreauMidpoint, SpinReducesTheSlidingFriction) {
  const double R = 0.01, Rbar = 3 * M_PI / 16 * R, load = 0.3 * 20;
  double v = 0.3, w = 40;
  for (int k = 0; k < 1000000; ++k) {
    const ContensouPoint b = contensou_boundary(std::abs(v) / (R * std::abs(w)));
    v -= 1e-7 * load * b.force / 2;
    w -= 1e-7 * load * Rbar * b.moment / 0.001;
  }
  const RunSummary exact = run_spinner("exact", "0.3");
  EXPECT_NEAR(exact.final_state.u[0], v, 1e-4);
  EXPECT_NEAR(exact.final_state.u[3], w, 1e-2);
  EXPECT_NEAR(run_spinner("cylinder", "0.3").final_state.u[0], 0.3 - 0.3 * 10 * 0.1, 1e-9);  // independent of the spin
}

// A floor that moves down and up under a resting mass: the support works on it, no energy is "lost".
TEST(MoreauMidpoint, WorkOfAMovingSupportIsBookedAsWork) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*2*y'^2"
potential = "2*9.81*y"
[[contact]]
name = "lift"
gap = "y - 0.5*0.3*t^2"
[run]
integrator = "moreau"
dt = 0.0001
until = 1
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_NEAR(summary.final_state.q[0], 0.15, 1e-4);  // it rides along
  const double lifted = 2 * 9.81 * 0.15 + 0.5 * 2 * 0.09;
  EXPECT_NEAR(summary.energy.work_done, lifted, 2e-3);
  EXPECT_NEAR(summary.energy.lost_in_contacts, 0.0, 1e-3);
  EXPECT_LE(std::abs(summary.energy.unexplained()), 1e-12);
}

// Smooth motion with forces of q only: Moreau's midpoint rule is of second order; measured over perturbed
// step sizes.
TEST(MoreauMidpoint, IsOfSecondOrderForSmoothMotionWithoutVelocityForces) {
  double previous_error = 0.0;
  for (int refinement = 0; refinement < 4; ++refinement) {
    const double dt = 1.0 / std::floor(37.3 * std::pow(2, refinement));
    const Scene scene = test::scene_from(
        "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = "
        "\"0.5*4*x^2\"\n[initial]\nx = 1\n[run]\nintegrator = \"moreau\"\ndt = " +
        std::to_string(1) + "\nuntil = 1\n");
    RunOptions options = scene.run;
    options.dt = dt;
    const RunSummary summary = simulate(*scene.system, scene.start, options);
    const double error = std::abs(summary.final_state.q[0] - std::cos(2.0));
    if (refinement > 0) {
      EXPECT_NEAR(std::log2(previous_error / error), 2.0, 0.1);
    }
    previous_error = error;
  }
}

TEST(MoreauMidpoint, SaysWhenTheStateIsNoLongerFinite) {
  const Scene scene = test::load("oscillator", {.settings = {}, .integrator = {}, .dt = "1e-3", .until = {}});
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("step "), std::string::npos);
  EXPECT_TRUE(summary.final_state.q.allFinite());
  EXPECT_EQ(summary.failed_steps, 1);
}

// A contact whose direction vanishes cannot be solved: told, with its name.
TEST(MoreauMidpoint, NamesTheLawThatCannotBeSolved) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
[[contact]]
name = "cusp"
gap = "y^2 - t"
[run]
integrator = "moreau"
dt = 0.001
until = 1
)toml");
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_NE(summary.message.find("'cusp'"), std::string::npos) << summary.message;
}

}  // namespace tippe::integrate_moreau_test
