// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/sweeper.h"

#include "support/contact_problems.h"

namespace tippe::solve_sweeper_test {

using Eigen::VectorXd;

struct Sweeps {
  NormalForm form;
  Sweeper sweeper;
  KeptVector r;

  explicit Sweeps(const InclusionProblem& problem, int threads = 1) {
    form.assign(problem);
    sweeper.prepare(form, threads);
    r.setZero(form.rows());
    sweeper.set_iterate(r);
  }
  double sweep(int count) {
    double change = 0.0;
    for (int k = 0; k < count; ++k) change = sweeper.sweep(r);
    return change;
  }
  [[nodiscard]] VectorXd Lambda() const {
    KeptVector result;
    form.unscale(r, result);
    return result;
  }
};

TEST(Sweeper, LeavesASolutionAlone) {
  test::Random random(41);
  for (int trial = 0; trial < 100; ++trial) {
    const auto known =
        test::manufacture_laws(test::draw_laws(1 + random.below(6), test::kAllKinds, 0.3, random), -1, 0.0, random);
    Sweeps sweeps(known.problem);
    if (sweeps.sweeper.several()) continue;
    sweeps.form.scale(known.Lambda, sweeps.r);
    sweeps.sweeper.set_iterate(sweeps.r);
    const double size = sweeps.r.norm();
    EXPECT_LE(sweeps.sweep(3), 1e-9 * size) << "trial " << trial;
    EXPECT_LE((sweeps.Lambda() - known.Lambda).norm(), 1e-7 * known.Lambda.norm()) << "trial " << trial;
  }
}

// One block of every kind: nothing but the local solution, exact for cones, by iterations for sets known by their prox only.
TEST(Sweeper, SolvesOneBlock) {
  test::Random random(42);
  for (const test::Kind kind : test::kAllKinds) {
    for (int trial = 0; trial < 40; ++trial) {
      const auto known = test::manufacture_laws(test::draw_laws(1, {kind}, 0.3, random), -1, 0.0, random);
      Sweeps sweeps(known.problem);
      sweeps.sweep(kind < test::Kind::kLoaded2d || kind == test::Kind::kDrillingEllipsoid ? 3 : 200);
      EXPECT_LE(test::eta(known.problem, sweeps.Lambda()), 1e-9) << "kind " << static_cast<int>(kind) << " trial " << trial;
    }
  }
}

// Both forms make the same sweeps but for round-off.
TEST(Sweeper, FactoredAndExplicitAgree) {
  for (const auto& kinds : {test::kAllKinds, std::vector<test::Kind>{test::Kind::kContact3d}}) {
    test::BodyOptions options{.bodies = 5, .contacts = 9, .kinds = kinds, .largest_mu = 0.3};
    test::Random random(43), again(43);
    Sweeps one(test::bodies_in_contact(options, random));
    options.form = DelassusForm::kFactored;
    Sweeps other(test::bodies_in_contact(options, again));
    for (int k = 0; k < 20; ++k) {
      const double change = one.sweep(1);
      EXPECT_NEAR(other.sweep(1), change, 1e-9);
      EXPECT_LE((one.r - other.r).norm(), 1e-9 * one.r.norm()) << "sweep " << k;
    }
  }
}

// The change reported is the change made.
TEST(Sweeper, ReportsItsChange) {
  test::Random random(44);
  for (const int contacts : {7, 2500}) {
    Sweeps sweeps(test::bodies_in_contact({.bodies = contacts / 2 + 1, .contacts = contacts, .chain = true}, random));
    for (int k = 0; k < 5; ++k) {
      const VectorXd before = sweeps.r;
      const double change = sweeps.sweep(1);
      EXPECT_NEAR(change, (sweeps.r - before).norm(), 1e-12 * change);
    }
  }
}

TEST(Sweeper, TwoThreadsGiveTheSameBits) {
  for (const auto form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    for (const auto& kinds : {std::vector<test::Kind>{test::Kind::kContact3d}, test::kConeKinds}) {
      for (const bool shuffled : {false, true}) {
        const test::BodyOptions options{
            .bodies = 1300, .contacts = 2600, .kinds = kinds, .form = form, .chain = true, .shuffled = shuffled};
        test::Random random(45);
        const InclusionProblem problem = test::bodies_in_contact(options, random);
        Sweeps one(problem, 1), two(problem, 2);
        for (int k = 0; k < 10; ++k) {
          ASSERT_EQ(one.sweep(1), two.sweep(1)) << "sweep " << k;
          ASSERT_EQ(one.r, two.r) << "sweep " << k;
        }
        // Also where the iterate was moved in between.
        KeptVector previous = one.r, previous_two = two.r;
        one.sweep(1);
        two.sweep(1);
        one.sweeper.extrapolate(0.5, previous, one.r);
        two.sweeper.extrapolate(0.5, previous_two, two.r);
        one.sweep(3);
        two.sweep(3);
        ASSERT_EQ(one.r, two.r);
      }
    }
  }
}

// Carrying the kinetic vector along is the same as computing it anew.
TEST(Sweeper, ExtrapolationMovesTheVelocitiesToo) {
  test::Random random(46);
  Sweeps sweeps(test::bodies_in_contact({.bodies = 4, .contacts = 10, .form = DelassusForm::kFactored}, random));
  KeptVector previous = sweeps.r;
  sweeps.sweep(1);
  const VectorXd swept = sweeps.r;
  sweeps.sweeper.extrapolate(0.7, previous, sweeps.r);
  EXPECT_EQ(previous, swept);
  EXPECT_LE((sweeps.r - 1.7 * swept).norm(), 1e-14 * swept.norm());
  KeptVector fresh = sweeps.r;
  sweeps.sweep(1);
  sweeps.sweeper.set_iterate(fresh);
  sweeps.sweeper.sweep(fresh);
  EXPECT_LE((fresh - sweeps.r).norm(), 1e-12 * fresh.norm());
}

TEST(Sweeper, ProjectionLandsInTheSets) {
  test::Random random(47);
  for (int trial = 0; trial < 50; ++trial) {
    const auto known = test::manufacture_laws(test::draw_laws(8, test::kAllKinds, 0.8, random), -1, 0.0, random);
    Sweeps sweeps(known.problem);
    sweeps.r = random.vector(sweeps.form.rows(), 3.0);
    sweeps.sweeper.project(sweeps.r);
    for (const auto& block : sweeps.form.blocks) {
      if (block.kind == NormalForm::Kind::kLine) {
        EXPECT_TRUE(sweeps.r[block.row] >= block.lower && sweeps.r[block.row] <= block.upper);
        continue;
      }
      EXPECT_GE(sweeps.r[block.row], 0.0);
      const double limit = block.mu * (sweeps.r[block.row] + block.extra);
      Eigen::Vector3d r_T = Eigen::Vector3d::Zero();
      for (int k = 1; k < block.size; ++k) r_T[k - 1] = sweeps.r[block.row + k];
      EXPECT_TRUE(in_drilling_set(block.set, r_T, limit * (1.0 + 1e-12), 1.0));
    }
    const VectorXd once = sweeps.r;
    sweeps.sweeper.project(sweeps.r);
    EXPECT_LE((sweeps.r - once).norm(), 1e-13 * once.norm());
    // What lies inside stays: the known solution.
    sweeps.form.scale(known.Lambda, sweeps.r);
    const VectorXd inside = sweeps.r;
    sweeps.sweeper.project(sweeps.r);
    EXPECT_LE((sweeps.r - inside).norm(), 1e-12 * inside.norm());
  }
}

}  // namespace tippe::solve_sweeper_test
