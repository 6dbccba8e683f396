// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/interior_point.h"

#include "support/contact_problems.h"
#include "support/linear_algebra.h"

namespace tippe::solve_interior_point_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The smallest eta that the method reaches within its steps; every iterate inside the cones.
double best_eta(const InclusionProblem& problem, int most_steps) {
  NormalForm form;
  form.assign(problem);
  EXPECT_TRUE(InteriorPoint::applies(form));
  InteriorPoint method;
  KeptVector r = VectorXd::Zero(form.rows()), Lambda;
  method.prepare(form, r);
  double best = test::kInfinity;
  for (int k = 0; k < most_steps; ++k) {
    const bool alive = method.step();
    EXPECT_EQ(alive, !method.stuck());
    method.iterate(r);
    EXPECT_TRUE(r.allFinite());
    for (const auto& block : form.blocks) {
      const bool bilateral = block.kind == NormalForm::Kind::kLine && std::isinf(block.lower);
      if (bilateral) continue;
      EXPECT_GT(r[block.row], 0.0);
      EXPECT_LE(r.segment(block.row + 1, block.size - 1).norm(), block.mu * r[block.row] * (1 + 1e-9));
    }
    form.unscale(r, Lambda);
    best = std::min(best, test::eta(problem, Lambda));
    if (!alive || best <= 1e-9) break;
  }
  return best;
}

TEST(InteriorPoint, KnowsWhereItApplies) {
  const auto applies = [](const LawSet& law, int size) {
    NormalForm form;
    form.assign(test::make_problem(MatrixXd::Identity(size, size), VectorXd::Ones(size), {law}, {size}));
    return InteriorPoint::applies(form);
  };
  EXPECT_TRUE(applies(HalfLine{}, 1));
  EXPECT_TRUE(applies(Interval{-test::kInfinity, test::kInfinity}, 1));
  EXPECT_TRUE(applies(Interval{-test::kInfinity, 0.0}, 1));
  EXPECT_TRUE(applies(CoulombContact{0.5, 0.5}, 2));
  EXPECT_TRUE(applies(CoulombContact{0.5, 0.2}, 3));
  EXPECT_TRUE(applies(DrillingContact{0.5, 0.1, DrillingSet::kEllipsoid}, 4));
  EXPECT_FALSE(applies(Interval{-1.0, 1.0}, 1));
  EXPECT_FALSE(applies(Interval{0.0, test::kInfinity}, 1));
  EXPECT_FALSE(applies(CoulombContact{0.5, 0.5, 1.0}, 3));
  EXPECT_FALSE(applies(DrillingContact{0.5, 0.1, DrillingSet::kExact}, 4));
  EXPECT_FALSE(applies(DrillingContact{0.5, 0.1, DrillingSet::kCylinder}, 4));
}

TEST(InteriorPoint, ComesNearManufacturedSolutions) {
  test::Random random(51);
  int near = 0;
  constexpr int kTrials = 100;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto known = test::manufacture_laws(test::draw_laws(1 + random.below(12), test::kConeKinds, 0.5, random), -1,
                                              trial % 2 == 0 ? 0.0 : 1e-3, random);
    if (best_eta(known.problem, 60) <= 1e-6) ++near;
  }
  EXPECT_GE(near, kTrials - 2);
}

// Bodies that fall onto a floor from outside, in both forms.
TEST(InteriorPoint, ComesNearForChains) {
  test::Random random(52);
  for (const auto form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    for (const int contacts : {20, 240}) {
      const auto problem = test::bodies_in_contact(
          {.bodies = contacts / 2, .contacts = contacts, .largest_mu = 0.3, .form = form, .chain = true}, random);
      EXPECT_LE(best_eta(problem, 60), 1e-6) << contacts;
    }
  }
}

// Bilateral rows alone are linear equations: one step, against a direct solution.
TEST(InteriorPoint, BilateralRowsAreEquations) {
  MatrixXd G(2, 2);
  G << 2.0, 0.5, 0.5, 1.0;
  const Eigen::Vector2d c(1.0, -3.0);
  const auto problem = test::make_problem(G, c, std::vector<LawSet>(2, Interval{-test::kInfinity, test::kInfinity}), {1, 1});
  NormalForm form;
  form.assign(problem);
  InteriorPoint method;
  KeptVector r = VectorXd::Zero(form.rows()), Lambda;
  method.prepare(form, r);
  method.step();
  method.iterate(r);
  form.unscale(r, Lambda);
  EXPECT_LE((Lambda - test::solve(G, -c)).norm(), 1e-9);
}

// A row on which nothing acts and that is pushed closed has no solution: the method ends without one, and says so.
TEST(InteriorPoint, GivesUpOnContradictions) {
  MatrixXd G = MatrixXd::Identity(4, 4);
  G(3, 3) = 0.0;
  const auto problem =
      test::make_problem(G, Eigen::Vector4d(-1, 0.2, 0, -1), {CoulombContact{0.3, 0.3}, HalfLine{}}, {3, 1});
  EXPECT_GT(best_eta(problem, 200), 0.1);
}

}  // namespace tippe::solve_interior_point_test
