// SPDX-License-Identifier: Apache-2.0
#include "packing.h"

#include "spheres.h"
#include "support/random.h"
#include "tippe/core/error.h"
#include "tippe/problem/residual.h"
#include "tippe/solve/projected.h"

namespace tippe::bench::bench_packing_test {

PackingOptions small_packing() {
  PackingOptions options;
  options.spheres = 200;
  return options;
}

Eigen::MatrixXd dense(const SparseColumns& H, int rows) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, H.columns());
  for (int k = 0; k < H.columns(); ++k) H.add_to(k, 1.0, matrix.col(k).data());
  return matrix;
}

TEST(Packing, SameSeedSamePackingOtherSeedAnother) {
  PackingOptions options = small_packing();
  const Packing a = make_packing(options), b = make_packing(options);
  EXPECT_EQ(a.H.value, b.H.value);
  EXPECT_EQ(a.f, b.f);
  options.seed = 2;
  EXPECT_NE(a.f, make_packing(options).f);
}

TEST(Packing, BothFormsAreTheDelassusMatrixOfTheBodies) {
  const Packing packing = make_packing(small_packing());
  const int rows = 6 * packing.bodies();
  const Eigen::MatrixXd H = dense(packing.H, rows);
  const Eigen::Map<const Eigen::VectorXd> M(packing.M.data(), rows), f(packing.f.data(), rows),
      w(packing.w.data(), 3 * packing.contacts());
  const Eigen::MatrixXd W = H.transpose() * M.cwiseInverse().asDiagonal() * H;
  const Eigen::VectorXd q = H.transpose() * f.cwiseQuotient(M) + w;
  test::Random random(5);
  const Eigen::VectorXd r = random.vector(3 * packing.contacts());
  for (const DelassusForm form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    const InclusionProblem problem = contact_problem(packing, form);
    KeptVector product, kinetic;
    problem.G.multiply(r, product, kinetic);
    EXPECT_LE((product - W * r).norm(), 1e-13 * (W * r).norm());
    EXPECT_LE((problem.c - q).norm(), 1e-14 * q.norm());
    EXPECT_EQ(problem.laws.size(), packing.mu.size());
  }
}

/// A contact force acts and reacts: it changes neither the momentum of its two spheres nor their moment of momentum about the
/// point of contact. At a wall only the latter can be said.
TEST(Packing, ContactForcesActAndReact) {
  const Packing packing = make_packing(small_packing());
  const Eigen::MatrixXd H = dense(packing.H, 6 * packing.bodies());
  int between_spheres = 0;
  for (int column = 0; column < H.cols(); ++column) {
    std::vector<int> bodies;
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    for (int b = 0; b < packing.bodies(); ++b) {
      if (H.col(column).segment<6>(6 * b).isZero(0.0)) continue;
      bodies.push_back(b);
      force += H.col(column).segment<3>(6 * b);
      EXPECT_NEAR(H.col(column).segment<3>(6 * b).norm(), 1.0, 1e-14);
      // A tangential force has the lever arm r, so its moment is r times the force; a normal one has none.
      const double inertia_radius = std::sqrt(packing.M[6 * b + 3] / packing.M[6 * b] / 0.4);
      EXPECT_NEAR(H.col(column).segment<3>(6 * b + 3).norm(), column % 3 == 0 ? 0.0 : inertia_radius, 1e-14);
    }
    if (bodies.size() == 2) {
      ++between_spheres;
      EXPECT_NEAR(force.norm(), 0.0, 1e-15);
      // Spheres roll on each other like gears: the moments on both have the same direction.
      EXPECT_GE(H.col(column).segment<3>(6 * bodies[0] + 3).dot(H.col(column).segment<3>(6 * bodies[1] + 3)), 0.0);
    } else {
      EXPECT_EQ(bodies.size(), 1u);
    }
  }
  EXPECT_GT(between_spheres, H.cols() / 2);
}

TEST(Packing, SettledSpheresTouchAndDoNotOverlap) {
  test::Random random(3);
  Spheres spheres;
  spheres.width = 0.2;
  for (int i = 0; i < 1000; ++i) {
    spheres.radius.push_back(random.uniform(0.008, 0.012));
    spheres.position.push_back(
        {0.01 + 0.02 * (i % 10), 0.01 + 0.02 * (i / 10 % 10), 0.02 * (i / 100 + 1) + random.uniform(0, 0.001)});
  }
  settle(spheres);
  std::vector<int> supports(1000, 0);
  for (const Neighbours& pair : find_neighbours(spheres, 1e-4)) {
    const Gap gap = gap_between(spheres, pair);
    EXPECT_GT(gap.gap, -1e-4);
    if (gap.normal.z() > 0.05) ++supports[pair.second];
    if (gap.normal.z() < -0.05 && pair.first >= 0) ++supports[pair.first];
  }
  EXPECT_LE(std::count(supports.begin(), supports.end(), 0), 20);  // nearly all rest on something
}

TEST(Packing, AStepDoesNotGainEnergyAndStopsTheFall) {
  PackingOptions options = small_packing();
  const Packing packing = make_packing(options);
  const InclusionProblem problem = contact_problem(packing, DelassusForm::kFactored);
  ProjectedSolver solver;
  ProjectedOptions solver_options;
  solver_options.tolerance = 1e-6;
  Solution solution;
  ASSERT_EQ(solver.solve(problem, solver_options, solution), SolveStatus::kConverged);
  std::vector<double> momentum = packing.f;
  for (int k = 0; k < problem.rows(); ++k) packing.H.add_to(k, solution.Lambda[k], momentum.data());
  double free_energy = 0.0, energy = 0.0;
  for (size_t k = 0; k < momentum.size(); ++k) {
    free_energy += 0.5 * packing.f[k] * packing.f[k] / packing.M[k];
    energy += 0.5 * momentum[k] * momentum[k] / packing.M[k];
  }
  EXPECT_LT(energy, 0.1 * free_energy);
}

TEST(Packing, AimsAtTheContactsAskedFor) {
  PackingOptions options;
  for (const int contacts : {300, 3000}) {
    options.contacts = contacts;
    EXPECT_NEAR(make_packing(options).contacts(), contacts, 0.05 * contacts);
  }
  options.size_law = SizeLaw::kEqual;
  options.settling = Settling::kLattice;
  // 10 x 10 x 10 touching spheres: 3 * 9 * 100 pairs, and 5 sides of 100 at the walls.
  options.contacts = 0;
  options.spheres = 1000;
  EXPECT_EQ(make_packing(options).contacts(), 2700 + 500);
}

TEST(Packing, RefusesBadOptions) {
  PackingOptions options;
  options.spread = 1.5;
  EXPECT_EQ(options.invalid_reason(), "spread = 1.5 must lie in [0, 1)");
  EXPECT_THROW((void)make_packing(options), InputError);
  options = {};
  options.settling = Settling::kLattice;
  EXPECT_EQ(options.invalid_reason(), "settling = lattice needs size_law = equal");
}

}  // namespace tippe::bench::bench_packing_test
