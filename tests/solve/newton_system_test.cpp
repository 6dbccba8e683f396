// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/newton_system.h"

#include "support/contact_problems.h"

namespace tippe::solve_newton_system_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// (A (W + e) + B) x by the form's own product with W.
VectorXd apply(const NormalForm& form, const NewtonSystem& system, double e, const VectorXd& x) {
  KeptVector u, kinetic, r = x;
  form.evaluate_velocity(r, u, kinetic);
  VectorXd result(form.rows());
  for (int i = 0; i < form.block_count(); ++i) {
    const auto& block = form.blocks[i];
    const auto part = [&](const auto& v) { return VectorXd(v.segment(block.row, block.size)); };
    result.segment(block.row, block.size) = system.A[i] * (part(u) - part(form.q) + e * part(x)) + system.B[i] * part(x);
  }
  return result;
}

/// Random blocks A and B, some of them as Newton's method has them: A = 0, B = 1 or the other way round.
void draw_blocks(const NormalForm& form, NewtonSystem& system, test::Random& random) {
  for (int i = 0; i < form.block_count(); ++i) {
    const int size = form.blocks[i].size;
    system.A[i].setZero(size, size);
    system.B[i].setZero(size, size);
    const int mode = random.below(3);
    if (mode == 0) system.B[i].setIdentity();
    if (mode == 1) system.A[i].setIdentity();
    if (mode != 2) continue;
    system.A[i].setIdentity();
    for (int k = 0; k < size; ++k) system.B[i].col(k) = random.vector(size, 0.2);
    system.B[i].diagonal().array() += 0.5;
  }
}

void solves(const InclusionProblem& problem, test::Random& random) {
  NormalForm form;
  form.assign(problem);
  NewtonSystem system;
  system.prepare(form);
  for (const double e : {1e-6, 1e-3}) {  // the second time with the same analysis
    draw_blocks(form, system, random);
    ASSERT_TRUE(system.factorize(e));
    const VectorXd f = random.vector(form.rows());
    VectorXd x;
    system.solve(f, x);
    EXPECT_LE((apply(form, system, e, x) - f).norm(), 1e-9 * (f.norm() + x.norm())) << form.rows() << " rows, e " << e;
  }
}

TEST(NewtonSystem, SolvesSmallProblems) {
  test::Random random(21);
  for (int trial = 0; trial < 40; ++trial) {
    solves(test::bodies_in_contact({.bodies = 1 + random.below(6),
                                    .contacts = 1 + random.below(20),
                                    .kinds = test::kAllKinds,
                                    .form = trial % 2 == 0 ? DelassusForm::kExplicit : DelassusForm::kFactored},
                                   random),
           random);
  }
}

TEST(NewtonSystem, SolvesLargeProblemsInBothForms) {
  test::Random random(22);
  for (const auto form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    for (const bool shuffled : {false, true}) {
      solves(
          test::bodies_in_contact(
              {.bodies = 150, .contacts = 300, .kinds = test::kAllKinds, .form = form, .chain = true, .shuffled = shuffled},
              random),
          random);
      solves(
          test::bodies_in_contact({.bodies = 40, .contacts = 160, .kinds = {test::Kind::kContact3d}, .form = form}, random),
          random);
    }
  }
}

TEST(NewtonSystem, SolvesWithoutSymmetry) {
  test::Random random(23);
  solves(test::manufacture_laws(test::draw_laws(120, {test::Kind::kContact3d}, 0.5, random), 100, 0.01, random).problem,
         random);
}

TEST(NewtonSystem, SingularEquationsShow) {
  test::Random random(24);
  for (const auto form_kind : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    for (const int contacts : {4, 200}) {
      NormalForm form;
      form.assign(
          test::bodies_in_contact({.bodies = contacts / 2, .contacts = contacts, .form = form_kind, .chain = true}, random));
      NewtonSystem system;
      system.prepare(form);
      for (int i = 0; i < form.block_count(); ++i) {
        system.A[i].setZero(3, 3);
        system.B[i].setIdentity(3, 3);
      }
      system.B[1].setZero();
      VectorXd x = VectorXd::Zero(form.rows());
      if (system.factorize(1e-6)) system.solve(VectorXd::Ones(form.rows()), x);
      EXPECT_TRUE(x.isZero(0.0) || !x.allFinite()) << contacts << " contacts";
    }
  }
}

// A chain is eliminated in linear time, whatever its length and the order of its contacts; a problem in which everything acts on
// everything is not.
TEST(NewtonSystem, WorkFollowsThePattern) {
  test::Random random(25);
  const auto work_of = [](const NormalForm& form) {
    NewtonSystem system;
    system.prepare(form);
    return system.work();
  };
  const auto work = [&](int contacts, DelassusForm form_kind, bool shuffled) {
    NormalForm form;
    form.assign(test::bodies_in_contact(
        {.bodies = contacts / 2, .contacts = contacts, .form = form_kind, .chain = true, .shuffled = shuffled}, random));
    return work_of(form);
  };
  for (const auto form : {DelassusForm::kExplicit, DelassusForm::kFactored}) {
    const double one = work(1000, form, false);
    EXPECT_GT(one, 1000.0);
    EXPECT_NEAR(work(4000, form, false) / one, 4.0, 1.0);
    EXPECT_NEAR(work(1000, form, true) / one, 1.0, 0.5);
  }
  NormalForm form;
  form.assign(test::bodies_in_contact({.bodies = 1, .contacts = 200}, random));
  EXPECT_GT(work_of(form), 0.1 * std::pow(600.0, 3));
}

}  // namespace tippe::solve_newton_system_test
