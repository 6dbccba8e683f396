// SPDX-License-Identifier: Apache-2.0
#include "tippe/multibody/free_bodies.h"

#include <gtest/gtest.h>

#include "support/random.h"
#include "support/scenes.h"

namespace tippe::multibody_free_bodies_test {

constexpr const char* kBodies = R"(
[world]
gravity = [0.3, -0.2, -9.81]
[[body]]
name = "a"
mass = 1.7
inertia = [[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.5]]
[[body]]
name = "p"
kind = "point"
mass = 0.4
[[body]]
name = "s"
mass = 2.5
inertia = [0.11, 0.11, 0.11]
[[body]]
name = "top"
mass = 0.9
inertia = [0.2, 0.2, 0.3]
[run]
integrator = "moreau"
dt = 0.01
until = 1
)";

Body body(const std::string& name, BodyKind kind, double mass, int q, int u) {
  Body made;
  made.name = name;
  made.kind = kind;
  made.mass = mass;
  made.first_coordinate = q;
  made.first_velocity = u;
  return made;
}

// Two ways to the same numbers: expressions and their derivatives, and the equations by hand.
TEST(FreeBodies, HaveTheNumbersOfTheirExpressions) {
  const Scene scene = test::scene_from(kBodies);
  std::vector<Body> bodies = {body("a", BodyKind::kNewtonEuler, 1.7, 0, 0), body("p", BodyKind::kPoint, 0.4, 7, 6),
                              body("s", BodyKind::kNewtonEuler, 2.5, 10, 9),
                              body("top", BodyKind::kNewtonEuler, 0.9, 17, 15)};
  bodies[0].inertia << 0.3, 0.01, -0.02, 0.01, 0.4, 0.03, -0.02, 0.03, 0.5;
  bodies[2].inertia = 0.11 * Eigen::Matrix3d::Identity();
  bodies[3].inertia = Eigen::Vector3d(0.2, 0.2, 0.3).asDiagonal();
  const auto free = make_free_bodies(bodies, {0.3, -0.2, -9.81});
  const System& expected = *scene.system;
  EXPECT_EQ(free->coordinate_names(), expected.coordinate_names());
  EXPECT_EQ(free->velocity_names(), expected.velocity_names());
  ASSERT_EQ(free->mass_pattern().size(), expected.mass_pattern().size());
  for (size_t k = 0; k < free->mass_pattern().size(); ++k) {
    EXPECT_EQ(free->mass_pattern()[k].row, expected.mass_pattern()[k].row);
    EXPECT_EQ(free->mass_pattern()[k].column, expected.mass_pattern()[k].column);
  }
  const auto by_hand = free->make_evaluator(), by_expressions = expected.make_evaluator();
  test::Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::VectorXd q = random.vector(expected.nq(), 2.0), u = random.vector(expected.nu(), 3.0);
    for (Evaluator* evaluator : {by_hand.get(), by_expressions.get()}) evaluator->set_state(0.4, q, u);
    Dynamics a, b;
    by_hand->evaluate_dynamics(a);
    by_expressions->evaluate_dynamics(b);
    EXPECT_EQ(a.M, b.M);
    EXPECT_LE((a.h - b.h).norm(), 1e-15 * b.h.norm());
    EXPECT_EQ(a.damping, b.damping);
    EXPECT_EQ(a.applied, b.applied);
    Eigen::VectorXd rate_a, rate_b;
    by_hand->evaluate_position_rate(rate_a);
    by_expressions->evaluate_position_rate(rate_b);
    EXPECT_EQ(rate_a, rate_b);
    by_hand->map_velocities(Eigen::VectorXd::Ones(u.size()), rate_a);
    by_expressions->map_velocities(Eigen::VectorXd::Ones(u.size()), rate_b);
    EXPECT_LE((rate_a - rate_b).norm(), 1e-14 * rate_b.norm());
    const Energies energies = by_hand->evaluate_energies(), wanted = by_expressions->evaluate_energies();
    EXPECT_NEAR(energies.kinetic, wanted.kinetic, 1e-14 * wanted.kinetic);
    EXPECT_NEAR(energies.potential, wanted.potential, 1e-13 * (1.0 + std::abs(wanted.potential)));
    for (int j = 0; j < u.size(); ++j) EXPECT_EQ(free->reach(q, j), expected.reach(q, j)) << j;
  }
}

TEST(FreeBodies, PlanarOnesHaveTheirOwnRates) {
  std::vector<Body> bodies = {body("d", BodyKind::kPlanar, 2.0, 0, 0)};
  bodies[0].inertia(2, 2) = 0.5;
  const auto free = make_free_bodies(bodies, {0.0, -9.81, 0.0});
  EXPECT_TRUE(free->velocities_are_rates());
  const auto evaluator = free->make_evaluator();
  evaluator->set_state(0.0, Eigen::Vector3d(1.0, 2.0, 0.3), Eigen::Vector3d(3.0, 4.0, 5.0));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  EXPECT_EQ(dynamics.h, Eigen::Vector3d(0.0, -2.0 * 9.81, 0.0));
  const Energies energies = evaluator->evaluate_energies();
  EXPECT_DOUBLE_EQ(energies.kinetic, 0.5 * 2.0 * 25.0 + 0.5 * 0.5 * 25.0);
  EXPECT_DOUBLE_EQ(energies.potential, 2.0 * 9.81 * 2.0);
}

}  // namespace tippe::multibody_free_bodies_test
