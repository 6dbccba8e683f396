// SPDX-License-Identifier: Apache-2.0
// A block on three contacts that share its weight, as a contact problem of its own: u = W r + q with Coulomb's law at each contact.
#include <tippe/tippe.h>

#include <cstdio>

int main() {
  // One body of mass 2 that falls with 1 m/s and slides with 0.1 m/s; each contact sees the same three directions of it.
  constexpr int kContacts = 3;
  Eigen::MatrixXd W(3 * kContacts, 3 * kContacts);
  for (int i = 0; i < kContacts; ++i) {
    for (int j = 0; j < kContacts; ++j) W.block<3, 3>(3 * i, 3 * j) = 0.5 * Eigen::Matrix3d::Identity();
  }
  tippe::InclusionProblem problem;
  problem.G = tippe::delassus_from_dense(W, {3, 3, 3});  // rows of each contact: normal first, then two tangents
  problem.c = Eigen::Vector3d(-1.0, 0.1, 0.0).replicate<kContacts, 1>();
  problem.laws.assign(kContacts, tippe::CoulombContact{.mu1 = 0.3, .mu2 = 0.3});

  tippe::ContactSolver solver;
  tippe::Solution solution;  // solution.Lambda may hold a warm start
  solver.solve(problem, {.tolerance = 1e-10}, solution);

  double weight = 0.0;
  for (int i = 0; i < kContacts; ++i) weight += solution.Lambda[3 * i];
  std::printf("%s, residual %.1e, impulses sum up to %.6f N s\n", name_of(solution.status), solution.residual, weight);
  for (const tippe::SolveStage& stage : solver.stages()) std::printf("  %s: %d iterations\n", stage.name, stage.iterations);
  return solution.converged() ? 0 : 1;
}
