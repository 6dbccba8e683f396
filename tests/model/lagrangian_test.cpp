// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/lagrangian.h"

#include "support/random.h"
#include "support/scenes.h"

namespace tippe::model_lagrangian_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense_mass(const System& system, const Dynamics& dynamics) {
  MatrixXd M = MatrixXd::Zero(system.nu(), system.nu());
  for (size_t p = 0; p < system.mass_pattern().size(); ++p) {
    const auto& [row, column] = system.mass_pattern()[p];
    M(row, column) = M(column, row) = dynamics.M[p];
  }
  return M;
}

const std::string kRun = "\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 1\n";

// Hand-derived equations of the double pendulum in angles (point masses m, rods l):
//   M = m l^2 [2, cos d; cos d, 1],  h = m l^2 (-a2'^2 sin d, a1'^2 sin d) - m g l (2 sin a1, sin a2),  d =
//   a1 - a2
TEST(Lagrangian, DoublePendulumMatchesItsHandDerivedEquations) {
  const Scene scene = test::load("double_pendulum");
  const auto evaluator = scene.system->make_evaluator();
  const double m = 0.2, l = 0.5, g = 9.81;
  test::Random random(71);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd q = random.vector(2, 3.0), u = random.vector(2, 5.0);
    evaluator->set_state(0.0, q, u);
    Dynamics dynamics;
    evaluator->evaluate_dynamics(dynamics);
    const double d = q[0] - q[1];
    MatrixXd M(2, 2);
    M << 2, std::cos(d), std::cos(d), 1;
    M *= m * l * l;
    const Eigen::Vector2d h(-m * l * l * u[1] * u[1] * std::sin(d) - 2 * m * g * l * std::sin(q[0]),
                            m * l * l * u[0] * u[0] * std::sin(d) - m * g * l * std::sin(q[1]));
    EXPECT_LE((dense_mass(*scene.system, dynamics) - M).norm(), 1e-15);
    EXPECT_LE((dynamics.h - h).norm(), 1e-13 * (1 + h.norm()));
    EXPECT_FALSE(scene.system->constant_mass());
  }
}

// Pendulum whose support moves as s(t) = a sin(w t): x = s + l sin(phi), y = -l cos(phi). By hand
//   l^2 m phi'' = -m l s'' cos(phi) - m g l sin(phi)
TEST(Lagrangian, RheonomicKineticEnergyGivesTheInertiaForceOfTheMovingSupport) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
m = 0.7
l = 0.4
a = 0.1
w = 3.0
[lagrangian]
coordinates = ["phi"]
kinetic = "0.5*m*((a*w*cos(w*t) + l*cos(phi)*phi')^2 + (l*sin(phi)*phi')^2)"
potential = "-m*9.81*l*cos(phi)"
)toml" + kRun);
  const auto evaluator = scene.system->make_evaluator();
  for (double t : {0.0, 0.3, 1.1}) {
    for (double phi : {-1.0, 0.2, 2.5}) {
      const double phi_rate = 1.7;
      evaluator->set_state(t, VectorXd::Constant(1, phi), VectorXd::Constant(1, phi_rate));
      Dynamics dynamics;
      evaluator->evaluate_dynamics(dynamics);
      const double acceleration_of_support = -0.1 * 9.0 * std::sin(3.0 * t);
      EXPECT_NEAR(dynamics.M[0], 0.7 * 0.16, 1e-15);
      EXPECT_NEAR(dynamics.h[0], -0.7 * 0.4 * (acceleration_of_support * std::cos(phi) + 9.81 * std::sin(phi)), 1e-13);
    }
  }
}

// A bead on a rotating straight wire, q'' = w^2 q: constant term in T.
TEST(Lagrangian, TermsWithoutVelocitiesBecomeCentrifugalForce) {
  const Scene scene = test::scene_from("[lagrangian]\ncoordinates = [\"r\"]\nkinetic = \"0.5*2*(r'^2 + 3^2*r^2)\"\n" + kRun);
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(0, VectorXd::Constant(1, 0.5), VectorXd::Constant(1, 1.0));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  EXPECT_NEAR(dynamics.h[0], 2 * 9 * 0.5, 1e-14);
}

TEST(Lagrangian, DampingAndForcesAreSplitOutAndSummed) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
potential = "2*x"
damping = "0.5*3*(x' - y')^2"
[lagrangian.forces]
y = "5*t + y'*x"
)toml" + kRun);
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(2.0, Eigen::Vector2d(0.5, 0.0), Eigen::Vector2d(1.0, 3.0));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  EXPECT_EQ(dynamics.damping, Eigen::Vector2d(6, -6));
  EXPECT_EQ(dynamics.applied, Eigen::Vector2d(0, 11.5));
  EXPECT_EQ(dynamics.h, Eigen::Vector2d(6 - 2, -6 + 11.5));
}

// gap = y - 0.1 sin(4 t) - x^2: W = (-2x, 1), chi = -0.4 cos(4 t); slip x' (1 + y) + 2 t: W = (1 + y, 0), chi
// = 2 t.
TEST(Lagrangian, DirectionsAndMovingSupportsOfContacts) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
[[contact]]
name = "hill"
gap = "y - 0.1*sin(4*t) - x^2"
slip = "x'*(1 + y) + 2*t"
friction = 0.2
[initial]
y = 1
)toml" + kRun);
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(0.3, Eigen::Vector2d(0.5, 0.7), Eigen::Vector2d(9, 9));
  SparseColumns W;
  std::vector<double> chi;
  evaluator->append_directions(list_of_fixed_laws(scene.system->laws()), 0, W, chi);
  ASSERT_EQ(W.columns(), 2);
  Eigen::Vector2d normal = Eigen::Vector2d::Zero(), tangent = Eigen::Vector2d::Zero();
  W.add_to(0, 1.0, normal.data());
  W.add_to(1, 1.0, tangent.data());
  EXPECT_EQ(normal, Eigen::Vector2d(-1, 1));
  EXPECT_EQ(tangent, Eigen::Vector2d(1.7, 0));
  EXPECT_NEAR(chi[0], -0.4 * std::cos(1.2), 1e-15);
  EXPECT_NEAR(chi[1], 0.6, 1e-15);
}

TEST(Lagrangian, AChainHasATridiagonalMassMatrix) {
  std::string coordinates, kinetic = "0";
  const int n = 300;
  for (int i = 0; i < n; ++i) {
    coordinates += (i ? ", " : "") + ("\"x" + std::to_string(i)) + "\"";
    kinetic += " + 0.5*x" + std::to_string(i) + "'^2";
    if (i > 0) kinetic += " + 0.1*(x" + std::to_string(i) + "' - x" + std::to_string(i - 1) + "')^2";
  }
  const Scene scene =
      test::scene_from("[lagrangian]\ncoordinates = [" + coordinates + "]\nkinetic = \"" + kinetic + "\"\n" + kRun);
  EXPECT_EQ(scene.system->mass_pattern().size(), static_cast<size_t>(2 * n - 1));
  EXPECT_TRUE(scene.system->constant_mass());
}

}  // namespace tippe::model_lagrangian_test
