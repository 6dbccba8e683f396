// SPDX-License-Identifier: Apache-2.0
// A double pendulum of point masses on rods, in Cartesian coordinates, from C++ functions instead of a scene file: derivatives,
// constraint forces and an energy-conserving step follow from them. Prints the tension of the rods and what became of the energy.
#include <tippe/tippe.h>

#include <cmath>
#include <iostream>

int main() {
  const double m = 1.0, l = 0.5, g = 9.81;
  tippe::LagrangianBuilder builder({"x1", "y1", "x2", "y2"});
  builder.kinetic(
      [=](const auto&, const auto& v, auto) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]); });
  builder.potential([=](const auto& q, auto) { return m * g * (q[1] + q[3]); });
  builder.constrain_position("upper rod", [=](const auto& q, auto) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l); });
  builder.constrain_position("lower rod", [=](const auto& q, auto) {
    const auto dx = q[2] - q[0], dy = q[3] - q[1];
    return 0.5 * (dx * dx + dy * dy - l * l);
  });
  const std::unique_ptr<const tippe::System> system = builder.build();

  tippe::State state;
  state.q = Eigen::Vector4d(l, 0.0, 2.0 * l, 0.0);  // both rods level, at rest
  state.u = Eigen::Vector4d::Zero();
  const auto evaluator = system->make_evaluator();
  const auto energy = [&] {
    evaluator->set_state(state.t, state.q, state.u);
    const tippe::Energies energies = evaluator->evaluate_energies();
    return energies.kinetic + energies.potential;
  };
  const double energy_at_start = energy();

  const auto integrator = tippe::find_integrator("conserving-ggl")->make(*system, {});
  for (int n = 1; n <= 2000; ++n) {
    const tippe::StepReport report = integrator->step(state, 1e-3);
    if (!report.ok()) {
      std::cerr << tippe::describe_failure(*system, report, state) << '\n';
      return 3;
    }
    if (n % 500 != 0) continue;
    const tippe::ConstraintForces forces = tippe::constraint_forces(*system, state);
    if (!forces.failure.empty()) return 3;
    std::cout << "t = " << state.t << " s: tensions " << -forces.lambda[0] * l << " N and " << -forces.lambda[1] * l
              << " N, energy changed by " << energy() - energy_at_start << " J\n";
  }
}
