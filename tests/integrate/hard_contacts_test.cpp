// SPDX-License-Identifier: Apache-2.0
// Scenes whose contact problems are hard: masses far apart, many redundant contacts, scales far apart within a contact.
#include "support/scenes.h"

namespace tippe::integrate_hard_contacts_test {

/// Blocks on a shaken floor, one on top of the other, dropped by 1 cm and more.
std::string stack(const std::vector<double>& masses) {
  std::string text = "[parameters]\nn = " + std::to_string(masses.size()) + "\n";
  for (size_t i = 0; i < masses.size(); ++i) text += "m" + std::to_string(i + 1) + " = " + std::to_string(masses[i]) + "\n";
  return text + R"toml(
[lagrangian]
coordinates = ["x{i} for i in 1..n", "y{i} for i in 1..n"]
kinetic = "sum(i, 1, n, 0.5*m{i}*(x{i}'^2 + y{i}'^2))"
potential = "sum(i, 1, n, 9.81*m{i}*y{i})"
[[contact]]
name = "floor"
gap = "y1"
slip = "x1' - 0.5*cos(3*t)"
friction = 0.3
[[contact]]
for = { i = "2..n" }
name = "blocks {i-1} and {i}"
gap = "y{i} - y{i-1} - 1"
slip = "x{i}' - x{i-1}'"
friction = 0.3
[initial]
"y{i} for i in 1..n" = "{i} - 1 + 0.01*{i}"
[run]
integrator = "moreau"
dt = 1e-3
until = 0.4
)toml";
}

/// After the fall each contact carries what lies on it: weight times dt, summed from the top.
void expect_weights(const std::vector<double>& masses) {
  const Scene scene = test::scene_from(stack(masses));
  LawStep last(scene.system->laws());
  int iterations = 0;
  test::watch(scene, [&](const State&, const Integrator& integrator, const StepReport& report) {
    EXPECT_LE(report.residual, 1e-10);
    iterations += report.iterations;
    last = integrator.last_laws();
  });
  double above = 0.0;
  for (size_t i = masses.size(); i-- > 0;) {
    above += masses[i];
    EXPECT_NEAR(last.impulse[last.first_row[i]] / (above * 9.81e-3), 1.0, 1e-6) << "block " << i + 1;
  }
  EXPECT_LE(iterations, 400 * 50);
}

TEST(HardContacts, AHeavyBlockOnLightOnes) {
  expect_weights({1, 1e4});
  expect_weights({1, 1e5});
  expect_weights({1, 300, 9e4});
}

TEST(HardContacts, LightAndHeavyBlocksInTurn) {
  expect_weights({1, 1e3, 1, 1e3, 1, 1e3, 1, 1e3, 1, 1e3});
  expect_weights({1, 1e4, 1, 1e4, 1, 1e4, 1, 1e4, 1, 1e4});
}

TEST(HardContacts, EachBlockHeavierThanTheOneBelow) {
  expect_weights({1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683});
}

// 45 cylinders in nine rows, 117 contacts at the start, more than three for each cylinder that has three velocities: they fall on a
// floor and roll apart.
const std::string kPyramid = R"toml(
[parameters]
n = 9
r = 0.05
m = 0.2
mu = 0.5
[lagrangian]
coordinates = [
  "x{i}_{j} for i in 1..n for j in 1..n+1-{i}",
  "y{i}_{j} for i in 1..n for j in 1..n+1-{i}",
  "a{i}_{j} for i in 1..n for j in 1..n+1-{i}",
]
kinetic = "sum(i, 1, n, sum(j, 1, n+1-{i}, 0.5*m*(x{i}_{j}'^2 + y{i}_{j}'^2) + 0.25*m*r^2*a{i}_{j}'^2))"
potential = "sum(i, 1, n, sum(j, 1, n+1-{i}, m*9.81*y{i}_{j}))"
[[contact]]
for = { j = "1..n" }
name = "floor {j}"
gap = "y1_{j} - r"
slip = "x1_{j}' + r*a1_{j}'"
friction = "mu"
[[contact]]
for = { i = "1..n-1", j = "1..n-{i}" }
name = "beside {i}_{j}"
gap = "sqrt((x{i}_{j+1} - x{i}_{j})^2 + (y{i}_{j+1} - y{i}_{j})^2) - 2*r"
slip = """((x{i}_{j+1}' - x{i}_{j}')*(y{i}_{j+1} - y{i}_{j}) - (y{i}_{j+1}' - y{i}_{j}')*(x{i}_{j+1} - x{i}_{j}))/(2*r)
  + r*(a{i}_{j}' + a{i}_{j+1}')"""
friction = "mu"
[[contact]]
for = { i = "1..n-1", j = "1..n-{i}", k = "0..1" }
name = "over {i}_{j+k} {k}"
gap = "sqrt((x{i+1}_{j} - x{i}_{j+k})^2 + (y{i+1}_{j} - y{i}_{j+k})^2) - 2*r"
slip = """((x{i+1}_{j}' - x{i}_{j+k}')*(y{i+1}_{j} - y{i}_{j+k}) - (y{i+1}_{j}' - y{i}_{j+k}')*(x{i+1}_{j} - x{i}_{j+k}))/(2*r)
  + r*(a{i+1}_{j}' + a{i}_{j+k}')"""
friction = "mu"
[initial]
"x{i}_{j} for i in 1..n for j in 1..n+1-{i}" = "2*r*{j} + r*({i} - 1)"
"y{i}_{j} for i in 1..n for j in 1..n+1-{i}" = "r + sqrt(3)*r*({i} - 1) + 0.02"
[run]
integrator = "moreau"
dt = 1e-3
until = 0.2
)toml";

TEST(HardContacts, APyramidOfCylindersFallsAndRollsApart) {
  const Scene scene = test::scene_from(kPyramid);
  const int count = 45;
  int most_active = 0;
  Eigen::Vector2d pushed = Eigen::Vector2d::Zero();
  State last;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport& report) {
    EXPECT_LE(report.residual, 1e-10);
    EXPECT_GE(report.lost_in_contacts, -1e-12);  // no restitution: nothing is gained
    most_active = std::max(most_active, report.active_laws);
    const LawStep& laws = integrator.last_laws();
    for (int j = 0; j < 9; ++j) pushed += Eigen::Vector2d(laws.impulse[2 * j + 1], laws.impulse[2 * j]);
    last = state;
  });
  EXPECT_GE(most_active, 80);
  // Momentum is what the floor and gravity gave.
  EXPECT_NEAR(0.2 * last.u.head(count).sum(), pushed[0], 1e-9);
  EXPECT_NEAR(0.2 * last.u.segment(count, count).sum(), pushed[1] - count * 0.2 * 9.81 * 0.2, 1e-9);
}

RunSummary run_spinner(const std::string& Rbar, const std::string& set) {
  return test::run(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z", "phi"]
kinetic = "0.5*2*(x'^2 + y'^2 + z'^2) + 0.5*0.001*phi'^2"
potential = "2*10*z"
[[contact]]
name = "floor"
gap = "z"
slip = ["x'", "y'"]
spin = "phi'"
friction = { mu = 0.3, mean_drilling_radius = )toml" +
                                    Rbar + ", set = \"" + set + R"toml(" }
[initial]
"phi'" = 40
"x'" = 0.3
[run]
integrator = "moreau"
dt = 1e-4
until = 0.05
)toml"));
}

// Without a radius a spin costs nothing, and the sliding is braked with mu g.
TEST(HardContacts, ATinyDrillingRadius) {
  for (const char* set : {"exact", "ellipsoid", "cylinder"}) {
    const RunSummary summary = run_spinner("1e-12", set);
    EXPECT_EQ(summary.status, RunStatus::kOk) << set << ": " << summary.message;
    EXPECT_NEAR(summary.final_state.u[3], 40.0, 1e-7) << set;  // the moment 6e-12 N m for 0.05 s
    EXPECT_NEAR(summary.final_state.u[0], 0.3 - 0.3 * 10 * 0.05, 1e-6) << set;
  }
}

// With a huge one the spin stops in the first step, with hardly any friction left for the sliding in it.
TEST(HardContacts, AHugeDrillingRadius) {
  const RunSummary summary = run_spinner("1e3", "ellipsoid");
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_NEAR(summary.final_state.u[3], 0.0, 1e-9);
  EXPECT_NEAR(summary.final_state.u[0], 0.3 - 0.3 * 10 * 0.05, 0.3 * 10 * 1e-4);
}

// A box lands on a corner, slides and turns on it, and lands on an edge at 0.147 s. A corner on which it turns hops by less than a nanometre; the impact of the other one is that of
// both, whatever the step of the hop.
TEST(HardContacts, AnEdgeLandsAtOnce) {
  const std::string box =
      "[world]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 1\ninertia = [0.0105, 0.0046, 0.0098]\n"
      "position = [0, 0, 0.26]\norientation = { axis = [-0.19, 0.57, -0.39], angle = 0.34 }\nvelocity = [-0.24, 0.01, "
      "-0.5]\n"
      "angular_velocity = [3.44, 2.58, -0.79]\n[[body.box]]\nsize = [0.15, 0.32, 0.18]\n"
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"box\", \"floor\"]\nfriction = 0.24\n"
      "[run]\nuntil = 0.2\n";
  const auto end = [&](const std::string& integrator, double dt) {
    const Scene scene = test::scene_from(box + fmt::format("integrator = \"{}\"\ndt = {}\n", integrator, dt));
    const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
    EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
    return summary.final_state;
  };
  const State exact = end("event-driven", 1e-3);
  for (const char* integrator : {"moreau", "moreau-jean"}) {
    for (const double dt : {2e-4, 1.3e-4, 1e-4, 7e-5})
      EXPECT_LE((end(integrator, dt).u - exact.u).cwiseAbs().maxCoeff(), 100.0 * dt) << integrator << ", " << dt;
  }
}

}  // namespace tippe::integrate_hard_contacts_test
