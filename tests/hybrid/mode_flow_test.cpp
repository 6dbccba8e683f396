// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/mode_flow.h"

#include <cmath>

#include "support/scenes.h"
#include "tippe/hybrid/series.h"
#include "tippe/model/lagrangian_builder.h"

namespace tippe::hybrid_mode_flow_test {

using Eigen::VectorXd;

ModeFlow expanded(const Scene& scene, std::vector<ContactMode> modes, int order = 12) {
  ModeFlow flow(*scene.system, order);
  flow.set_modes(modes, {});
  EXPECT_EQ(flow.expand(scene.start, order), ModeFlow::Status::kOk);
  return flow;
}

// x = cos t: coefficients (-1)^(k/2) / k!.
TEST(ModeFlow, AnOscillatorHasTheSeriesOfTheCosine) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = 1\n"
      "[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
  const ModeFlow flow = expanded(scene, {}, 16);
  double factorial = 1.0;
  for (int k = 0; k <= 16; ++k) {
    if (k > 0) factorial *= k;
    EXPECT_NEAR(flow.q()(0, k), k % 2 == 1 ? 0.0 : (k % 4 == 0 ? 1.0 : -1.0) / factorial, 1e-16) << k;
  }
  State state = scene.start;
  flow.evaluate(0.5, state);
  EXPECT_NEAR(state.q[0], std::cos(0.5), 1e-15);
  EXPECT_NEAR(state.u[0], -std::sin(0.5), 1e-14);
}

// A pendulum in Cartesian coordinates, length 1, mass 1, g = 1, from the horizontal: the rod's force is 3 times the drop, and the drop
// grows as t^2/2. Constraint x^2 + y^2 - 1 with gradient (2x, 2y): its multiplier is -3/2 of the height below.
TEST(ModeFlow, ConstraintsAreHeldAndTheirForcesExpanded) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"y\"\n"
      "[[bilateral]]\nname = \"rod\"\nposition = \"x^2 + y^2 - 1\"\n[initial]\nx = 1\n[run]\nintegrator = \"moreau\"\ndt = "
      "0.1\nuntil = 1\n");
  const ModeFlow flow = expanded(scene, {}, 18);
  const double t = 0.3;
  State state = scene.start;
  flow.evaluate(t, state);
  EXPECT_NEAR(state.q.norm(), 1.0, 1e-14);
  EXPECT_NEAR(0.5 * state.u.squaredNorm() + state.q[1], 0.0, 1e-13);
  EXPECT_NEAR(evaluate_series(flow.constraint_force(0), flow.expanded(), t), 1.5 * state.q[1], 1e-11);
}

const char* kBlock =
    "[parameters]\nmu = 0.3\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\npotential = "
    "\"2*9.81*y\"\n"
    "[[contact]]\nname = \"floor\"\ngap = \"y\"\nslip = \"x'\"\nfriction = \"mu\"\n";

// A block of 2 kg slides with mu = 0.3: deceleration mu g, friction power mu m g v.
TEST(ModeFlow, SlidingFrictionBrakes) {
  const Scene scene =
      test::scene_from(std::string(kBlock) + "[initial]\n\"x'\" = 2\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
  const ModeFlow flow = expanded(scene, {ContactMode::kSlideForward});
  EXPECT_NEAR(flow.acceleration()(0, 0), -0.3 * 9.81, 1e-14);
  EXPECT_NEAR(flow.law_force(0, 0)[0], 2.0 * 9.81, 1e-13);
  EXPECT_NEAR(flow.law_force(0, 1)[0], -0.6 * 9.81, 1e-13);
  const double t = 0.4, way = 2.0 * t - 0.5 * 0.3 * 9.81 * t * t;
  EXPECT_NEAR(integrate_series(flow.law_loss(0), flow.expanded(), t), 0.6 * 9.81 * way, 1e-13);
}

// At rest with a horizontal force that grows as 5 t: friction follows it, and the reserve mu N -+ f of the cone's edges with it.
TEST(ModeFlow, ASteadilyLoadedContactSticks) {
  const Scene scene = test::scene_from(
      "[parameters]\nmu = 0.3\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\npotential = "
      "\"2*9.81*y - 5*t*x\"\n"
      "[[contact]]\nname = \"floor\"\ngap = \"y\"\nslip = \"x'\"\nfriction = \"mu\"\n[run]\nintegrator = \"moreau\"\ndt = "
      "0.1\nuntil = 1\n");
  const ModeFlow flow = expanded(scene, {ContactMode::kStick});
  EXPECT_NEAR(flow.law_force(0, 1)[0], 0.0, 1e-14);
  EXPECT_NEAR(flow.law_force(0, 1)[1], -5.0, 1e-13);
  EXPECT_EQ(flow.acceleration().cwiseAbs().maxCoeff(), 0.0);
  ASSERT_EQ(flow.columns().size(), 2);  // x = (N + f/mu) / 2 and (N - f/mu) / 2
  EXPECT_NEAR(flow.force(0)[1], -0.5 * 5.0 / 0.3, 1e-12);
  EXPECT_NEAR(flow.force(1)[1], 0.5 * 5.0 / 0.3, 1e-12);
}

// A table of 4 kg on three supports in a row, its centre over the first quarter: two of them carry, none pulls.
TEST(ModeFlow, RedundantSupportsCarryWithoutPulling) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"y\", \"a\"]\nkinetic = \"2*y'^2 + 0.5*a'^2\"\npotential = \"4*10*y\"\n"
      "[[contact]]\nname = \"left\"\ngap = \"y - 0.5*a\"\n[[contact]]\nname = \"middle\"\ngap = \"y + 0.5*a\"\n"
      "[[contact]]\nname = \"right\"\ngap = \"y + 1.5*a\"\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
  const ModeFlow flow = expanded(scene, {ContactMode::kClosed, ContactMode::kClosed, ContactMode::kClosed});
  EXPECT_EQ(flow.held_rows(), 3);
  EXPECT_EQ(flow.rank(), 2);
  double sum = 0.0, moment = 0.0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_GE(flow.law_force(i, 0)[0], 0.0);
    sum += flow.law_force(i, 0)[0];
    moment += (i - 0.5) * flow.law_force(i, 0)[0];
  }
  EXPECT_NEAR(sum, 40.0, 1e-12);
  EXPECT_NEAR(moment, 0.0, 1e-12);
}

// A massless link between a spring and a contact: x has no inertia, but the contact holds it. Its force is that of the spring. Let go,
// the spring holds it where its force is zero, at x = y - 3, and y falls with 3 m/s^2; without a spring nothing holds it.
TEST(ModeFlow, AMasslessDirectionMayBeHeldByAContactOrASpring) {
  LagrangianBuilder builder({"x", "y"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * v[1] * v[1]; });
  builder.potential([](const auto& q, auto) { return 0.5 * (q[0] - q[1]) * (q[0] - q[1]) + 3.0 * q[0]; });
  builder.contact("stop", 0.0, [](const auto& q, auto) { return q[0]; });
  const auto system = builder.build();
  const State start{0.0, Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d::Zero()};
  ModeFlow flow(*system, 6);
  flow.set_modes(std::vector{ContactMode::kClosed}, {});
  ASSERT_EQ(flow.expand(start, 6), ModeFlow::Status::kOk);
  EXPECT_NEAR(flow.law_force(0, 0)[0], 2.0, 1e-14);
  EXPECT_NEAR(flow.acceleration()(1, 0), -1.0, 1e-14);
  flow.set_modes(std::vector{ContactMode::kOpen}, {});
  ASSERT_EQ(flow.expand({0.0, Eigen::Vector2d(1.0, 4.0), Eigen::Vector2d::Zero()}, 6), ModeFlow::Status::kOk);
  EXPECT_NEAR(flow.acceleration()(0, 0), -3.0, 1e-14);
  EXPECT_NEAR(flow.acceleration()(1, 0), -3.0, 1e-14);
  LagrangianBuilder bare({"x", "y"});
  bare.kinetic([](const auto&, const auto& v, auto) { return 0.5 * v[1] * v[1]; });
  bare.potential([](const auto& q, auto) { return 3.0 * q[0]; });
  const auto loose = bare.build();
  ModeFlow nothing(*loose, 6);
  nothing.set_modes({}, {});
  EXPECT_EQ(nothing.expand(start, 6), ModeFlow::Status::kMassSingular);
}

// Sliding in space: friction against the velocity, which keeps its direction on a level floor and stops after v / (mu g).
TEST(ModeFlow, SlidingInSpaceGoesStraight) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"10*z\"\n"
      "[[contact]]\nname = \"floor\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\nfriction = 0.5\n"
      "[initial]\n\"x'\" = 3\n\"y'\" = 4\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
  const ModeFlow flow = expanded(scene, {ContactMode::kSlide});
  EXPECT_NEAR(flow.acceleration()(0, 0), -3.0, 1e-14);
  EXPECT_NEAR(flow.acceleration()(1, 0), -4.0, 1e-14);
  EXPECT_NEAR(flow.acceleration().rightCols(12).cwiseAbs().maxCoeff(), 0.0, 1e-12);
  EXPECT_NEAR(evaluate_series(flow.sliding_speed(0), flow.expanded(), 1.0), 0.0, 1e-13);
}

}  // namespace tippe::hybrid_mode_flow_test
