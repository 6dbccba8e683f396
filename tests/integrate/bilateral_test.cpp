// SPDX-License-Identifier: Apache-2.0
// Bilateral constraints at an instant: accelerations, forces, Delassus matrices.
#include "support/bilateral.h"
#include "support/random.h"

namespace tippe::integrate_bilateral_test {

using Eigen::VectorXd;
using test::HeldInstant;
using test::run_with;

TEST(Bilateral, NonholonomicParticleOfKalabaUdwadiaExample1) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
[[bilateral]]
name = "blade"
velocity = "y' - z*x'"
)toml" + run_with("rk4", 0.01, 1));
  test::Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    State state{.t = 0.0, .q = random.vector(3, 2.0), .u = random.vector(3, 2.0)};
    state.u[1] = state.q[2] * state.u[0];
    const HeldInstant instant(scene, state);
    const double z = state.q[2], lambda = state.u[2] * state.u[0] / (1.0 + z * z);
    EXPECT_LT((instant.a - lambda * Eigen::Vector3d(-z, 1.0, 0.0)).norm(), 1e-12);      // (38)
    EXPECT_NEAR(instant.lambda[0], lambda, 1e-12);                                      // D'Lambda = Q'
    EXPECT_LT((instant.force - lambda * Eigen::Vector3d(-z, 1.0, 0.0)).norm(), 1e-12);  // the mass is 1
  }
}

TEST(Bilateral, RheonomicParticleOfKalabaUdwadiaExample2) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
m = 0.7
X = 1.3
Y = -2.1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*m*(x'^2 + y'^2)"
forces = { x = "X", y = "Y" }
[[bilateral]]
name = "guide"
velocity = "x' - t*y' - sin(2*t)"
)toml" + run_with("rk4", 0.01, 1));
  const double m = 0.7;
  const Eigen::Vector2d given(1.3, -2.1);
  test::Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const double t = random.uniform(-3, 3);
    State state{.t = t, .q = random.vector(2), .u = random.vector(2, 2.0)};
    state.u[0] = t * state.u[1] + std::sin(2 * t);
    const HeldInstant instant(scene, state);
    const double g = state.u[1] + 2 * std::cos(2 * t);  // y' + alpha'
    const Eigen::Matrix2d along = (Eigen::Matrix2d() << t * t, t, t, 1).finished(),
                          across = (Eigen::Matrix2d() << 1, -t, -t, t * t).finished();
    const Eigen::Vector2d direction(1.0, -t);
    const Eigen::Vector2d expected = (along * given + m * g * direction) / (m * (1 + t * t));  // (41)
    const Eigen::Vector2d control = (-across * given + m * g * direction) / (1 + t * t);       // (42)
    EXPECT_LT((instant.a - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    EXPECT_LT((instant.force - control).norm(), 1e-12 * (1.0 + control.norm()));
    EXPECT_NEAR(instant.lambda[0], direction.dot(control) / direction.squaredNorm(), 1e-12);  // (35)
  }
}

TEST(Bilateral, EllipseGivesTheDelassusMatrixAndMultiplierOfReducedCoordinates) {
  // Brogliato A, Example 2: M = I, F = 0, 4 q1^2 + q2^2 = 1; reduced coordinate x = q2, q1 = sqrt(1 - x^2) / 2. The unilateral
  // constraint h = q1 + q2 / 3 - c becomes a function of x alone.
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["q1", "q2"]
kinetic = "0.5*(q1'^2 + q2'^2)"
[[bilateral]]
name = "ellipse"
position = "4*q1^2 + q2^2 - 1"
[initial]
q1 = 0.5
)toml" + run_with("rk4", 0.01, 1));
  test::Random random(3);
  for (int trial = 0; trial < 30; ++trial) {
    const double x = random.uniform(-0.9, 0.9), v = random.uniform(-1, 1), r = std::sqrt(1 - x * x);
    State state{.t = 0.0, .q = Eigen::Vector2d(r / 2, x), .u = Eigen::Vector2d(-0.5 * x / r * v, v)};
    // By hand in x: T = mass x'^2 / 2 with mass = 1 + x^2 / (4 r^2), so x'' = -mass' x'^2 / (2 mass) without contact.
    const double mass = 1 + x * x / (4 * r * r), mass_slope = x / (2 * r * r * r * r);
    const double free = -0.5 * mass_slope * v * v / mass;
    const double h_x = -0.5 * x / r + 1.0 / 3.0, h_xx = -0.5 / (r * r * r);
    const double reduced = h_x * h_x / mass, h_free = h_x * free + h_xx * v * v;

    ConstrainedMotion motion(*scene.system);
    StepReport report;
    ASSERT_TRUE(motion.evaluate(0.0, state.q, state.u, report));
    const std::vector<int> rows{0, 1};
    const std::vector<double> gradient{1.0, 1.0 / 3.0};
    SparseColumns Y;
    motion.mass().append_kinetic_column(rows, gradient, Y);
    double A_c = 0.0;
    for (const double y : Y.value) A_c += y * y;
    EXPECT_NEAR(A_c, reduced, 1e-12);
    // h'' of the jointed system; h is linear in q, so it has no drift of its own. The multiplier follows: -h''/A_c.
    const double H4 = motion.acceleration()[0] + motion.acceleration()[1] / 3.0;
    EXPECT_NEAR(H4, h_free, 1e-11 * (1.0 + std::abs(h_free)));
    EXPECT_NEAR(-H4 / A_c, -h_free / reduced, 1e-9 * (1.0 + std::abs(h_free / reduced)));
  }
}

TEST(Bilateral, PrescribedMotionNeedsTheForceOfNewton) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*3*x'^2"
potential = "0.5*20*x^2"
[[bilateral]]
name = "drive"
position = "x - 0.2*sin(4*t)"
[initial]
"x'" = 0.8
)toml" + run_with("rk4", 1e-3, 1.3));
  const RunSummary summary = test::run(scene);
  const HeldInstant instant(scene, summary.final_state);
  EXPECT_NEAR(instant.force[0], (20 - 3 * 16) * 0.2 * std::sin(4 * 1.3), 1e-9);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-9);
  const double x = 0.2 * std::sin(5.2), v = 0.8 * std::cos(5.2);
  EXPECT_NEAR(summary.energy.work_done, 1.5 * v * v + 10 * x * x - 1.5 * 0.64, 1e-9);
}

}  // namespace tippe::integrate_bilateral_test
