// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/lagrangian_builder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.h"

namespace tippe::model_lagrangian_builder_test {

/// Written for any scalar: called with numbers here and with expressions by the builder.
struct Pendulum {
  double m = 0.3, l = 0.5, g = 9.81;
  template <class Values>
  auto potential(const Values& q) const {
    using std::cos;
    return -m * g * l * cos(q[0]);
  }
};

TEST(LagrangianBuilder, GivesTheSystemOfTheScene) {
  const Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "th"]
kinetic = "0.5*1.5*(x'^2 + y'^2) + 0.5*0.2*th'^2"
potential = "-6*x*cos(th)"
damping = "0.05*th'^2"
forces = { y = "sin(2*t)" }
[velocities]
names = ["v", "w"]
[velocities.rates]
x = "v*cos(th)"
y = "v*sin(th)"
th = "w + t"
[[bilateral]]
name = "turn"
position = "th - t^2/2 - exp(x) + 1"
[[contact]]
name = "wall"
gap = "1 - x"
slip = "y'"
friction = 0.4
restitution = 0.3
[run]
integrator = "moreau"
dt = 1
until = 1
)toml");
  LagrangianBuilder builder({"x", "y", "th"});
  builder
      .velocities({"v", "w"},
                  [](const auto& q, const auto& u, auto t) {
                    return std::vector{u[0] * cos(q[2]), u[0] * sin(q[2]), u[1] + t};
                  })
      .kinetic([](const auto&, const auto& v, auto) { return 0.75 * (v[0] * v[0] + v[1] * v[1]) + 0.1 * v[2] * v[2]; })
      .potential([](const auto& q, auto) { return -6.0 * q[0] * cos(q[2]); })
      .damping([](const auto&, const auto& v, auto) { return 0.05 * pow(v[2], 2.0); })
      .force(1, [](const auto&, const auto&, auto t) { return sin(2.0 * t); })
      .constrain_position("turn", [](const auto& q, auto t) { return q[2] - 0.5 * t * t - exp(q[0]) + 1.0; })
      .contact(
          "wall", 0.3, 0.4, [](const auto& q, auto) { return 1.0 - q[0]; },
          [](const auto&, const auto& v, auto) { return v[1]; });
  const std::unique_ptr<const System> system = builder.build();
  ASSERT_EQ(system->velocity_names(), scene.system->velocity_names());
  const Eigen::Vector3d q(0.3, -0.2, 0.7);
  const Eigen::Vector2d u(1.1, -0.4);
  const auto evaluate = [&](const System& which) {
    const auto evaluator = which.make_evaluator();
    evaluator->set_state(0.9, q, u);
    Dynamics dynamics;
    evaluator->evaluate_dynamics(dynamics);
    Eigen::VectorXd g, drift, chi;
    SparseColumns W;
    evaluator->evaluate_constraint_positions(g);
    evaluator->evaluate_constraint_drift(drift);
    evaluator->evaluate_constraint_directions(W, chi);
    std::vector<double> numbers = dynamics.M;
    numbers.insert(numbers.end(), dynamics.h.begin(), dynamics.h.end());
    numbers.insert(numbers.end(), {g[0], drift[0], chi[0], dynamics.drive_power});
    numbers.insert(numbers.end(), W.value.begin(), W.value.end());
    std::vector<double> contact_chi;
    evaluator->append_directions(list_of_fixed_laws(which.laws()), 0, W, contact_chi);
    numbers.insert(numbers.end(), W.value.begin(), W.value.end());
    return numbers;
  };
  const std::vector<double> built = evaluate(*system), read = evaluate(*scene.system);
  ASSERT_EQ(built.size(), read.size());
  for (size_t k = 0; k < built.size(); ++k) EXPECT_NEAR(built[k], read[k], 1e-14 * (1.0 + std::abs(read[k]))) << k;
  EXPECT_EQ(system->laws()[0].mu1, 0.4);
}

TEST(LagrangianBuilder, TakesFunctionTemplatesThatAlsoWorkOnNumbers) {
  const Pendulum pendulum;
  LagrangianBuilder builder({"phi"});
  builder.kinetic(
      [&](const auto&, const auto& v, auto) { return 0.5 * pendulum.m * pendulum.l * pendulum.l * v[0] * v[0]; });
  builder.potential([&](const auto& q, auto) { return pendulum.potential(q); });
  const auto system = builder.build();
  const auto evaluator = system->make_evaluator();
  evaluator->set_state(0.0, Eigen::VectorXd::Constant(1, 0.8), Eigen::VectorXd::Zero(1));
  EXPECT_DOUBLE_EQ(evaluator->evaluate_energies().potential, pendulum.potential(std::vector{0.8}));
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  EXPECT_NEAR(dynamics.h[0], -0.3 * 9.81 * 0.5 * std::sin(0.8), 1e-15);
}

TEST(LagrangianBuilder, RefusesWhatIsNotLagrangian) {
  LagrangianBuilder builder({"x"});
  builder.kinetic([](const auto&, const auto& v, auto) { return v[0] * v[0] * v[0]; });
  EXPECT_THROW((void)builder.build(), ModelError);
  EXPECT_THROW((void)LagrangianBuilder({"x"}).build(), ModelError);  // no kinetic energy
  EXPECT_THROW((void)LagrangianBuilder({"x", "y"})
                   .velocities({"v"}, [](const auto&, const auto& u, auto) { return std::vector{u[0]}; }),
               ModelError);
}

}  // namespace tippe::model_lagrangian_builder_test
