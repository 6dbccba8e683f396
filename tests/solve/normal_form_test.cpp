// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/normal_form.h"

#include "support/contact_problems.h"

namespace tippe::solve_normal_form_test {

using Eigen::VectorXd;

/// u = v T xi and r = v T^-1 Lambda with to_Lambda = T / v: xi_k to_Lambda_k / u_k is the same number 1 / v^2 for all rows.
void expect_same_velocities(const InclusionProblem& problem, test::Random& random) {
  NormalForm form;
  form.assign(problem);
  KeptVector r = random.vector(form.rows());
  KeptVector u, kinetic, Lambda, back;
  form.evaluate_velocity(r, u, kinetic);
  form.unscale(r, Lambda);
  form.scale(Lambda, back);
  for (int k = 0; k < form.rows(); ++k) {
    if (back[k] == 0.0) r[k] = 0.0;  // a row before a friction with a given limit
  }
  EXPECT_LE((back - r).norm(), 1e-14 * r.norm());
  const VectorXd xi = test::velocities(problem, Lambda);
  // In which given row a row here lies: only there Lambda changes.
  double v_squared = 0.0;
  for (int k = 0; k < form.rows(); ++k) {
    KeptVector unit = VectorXd::Unit(form.rows(), k), Lambda_unit;
    form.unscale(unit, Lambda_unit);
    Eigen::Index row = 0;
    if (Lambda_unit.isZero(0.0)) continue;  // the row before a friction with a given limit
    EXPECT_EQ(Lambda_unit.cwiseAbs().maxCoeff(&row), form.to_Lambda[k]);
    const double here = u[k] / (xi[row] * form.to_Lambda[k]);
    if (v_squared == 0.0) v_squared = here;
    EXPECT_NEAR(here, v_squared, 1e-7 * v_squared) << "row " << k;
  }
  for (int i = 0; i < form.block_count(); ++i) {
    double trace = 0.0;
    for (int k = 0; k < form.blocks[i].size; ++k) trace += form.diagonal(i)[k * form.blocks[i].size + k];
    EXPECT_NEAR(trace / form.blocks[i].size, 1.0, 1e-12);
  }
  EXPECT_NEAR(form.q.squaredNorm() / form.block_count(), 1.0, 1e-12);
}

TEST(NormalForm, IsTheSameProblemInOtherUnits) {
  test::Random random(31);
  for (int trial = 0; trial < 60; ++trial) {
    expect_same_velocities(
        test::bodies_in_contact({.bodies = 1 + random.below(5),
                                 .contacts = 1 + random.below(12),
                                 .kinds = test::kAllKinds,
                                 .mass_decades = 3.0,
                                 .form = trial % 2 == 0 ? DelassusForm::kExplicit : DelassusForm::kFactored},
                                random),
        random);
  }
}

TEST(NormalForm, KindsOfBlocks) {
  const std::vector<LawSet> laws = {HalfLine{},
                                    Interval{-1.0, 2.0},
                                    CoulombContact{0.5, 0.5},
                                    CoulombContact{0.0, 0.0},
                                    CoulombContact{0.0, 0.3},
                                    CoulombContact{0.2, 0.4},
                                    CoulombContact{0.5, 0.5, 1.0},
                                    DrillingContact{0.5, 0.1, DrillingSet::kEllipsoid},
                                    DrillingContact{0.5, 0.1, DrillingSet::kExact},
                                    DrillingContact{0.0, 0.1, DrillingSet::kExact}};
  const std::vector<int> sizes = {1, 1, 2, 3, 3, 3, 3, 4, 4, 4};
  NormalForm form;
  form.assign(test::make_problem(Eigen::MatrixXd::Identity(28, 28), VectorXd::Ones(28), laws, sizes));
  using Kind = NormalForm::Kind;
  const std::vector<std::pair<Kind, int>> expected = {{Kind::kLine, 1}, {Kind::kLine, 1}, {Kind::kCone, 2}, {Kind::kLine, 1},
                                                      {Kind::kCone, 2}, {Kind::kCone, 3}, {Kind::kProx, 3}, {Kind::kCone, 4},
                                                      {Kind::kProx, 4}, {Kind::kLine, 1}};
  ASSERT_EQ(form.blocks.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(form.blocks[i].kind, expected[i].first) << i;
    EXPECT_EQ(form.blocks[i].size, expected[i].second) << i;
  }
  // Lambda of a friction row without a coefficient is zero.
  KeptVector Lambda;
  form.unscale(VectorXd::Ones(form.rows()), Lambda);
  EXPECT_EQ(Lambda[4 + 1], 0.0);
  EXPECT_EQ(Lambda[7 + 1], 0.0);
  EXPECT_NE(Lambda[7 + 2], 0.0);
}

// A large problem whose neighbours lie far apart is reordered; the distance shrinks to that of the chain.
TEST(NormalForm, BringsNeighboursTogether) {
  test::Random random(32);
  for (const auto kind : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    const auto problem =
        test::bodies_in_contact({.bodies = 1100, .contacts = 2200, .form = kind, .chain = true, .shuffled = true}, random);
    NormalForm form;
    form.assign(problem);
    EXPECT_LE(form.longest_coupling(), 20);
    std::vector<int> seen(2200, 0);
    for (const auto& block : form.blocks) ++seen[block.law];
    EXPECT_EQ(seen, std::vector<int>(2200, 1));
    expect_same_velocities(problem, random);
  }
}

}  // namespace tippe::solve_normal_form_test
