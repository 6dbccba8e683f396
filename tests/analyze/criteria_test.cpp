// SPDX-License-Identifier: Apache-2.0
// Published criteria near their boundary, copositivity and Proposition 8 of Brogliato B.
#include "tippe/analyze/criteria.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/instant_problems.h"
#include "support/linear_algebra.h"
#include "tippe/analyze/analysis.h"
#include "tippe/analyze/copositivity.h"
#include "tippe/analyze/delassus_report.h"
#include "tippe/analyze/solvability_criteria.h"

namespace tippe::analyze_criteria_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

const Criterion& criterion_of(const std::vector<Criterion>& criteria, const std::string& name) {
  for (const Criterion& criterion : criteria) {
    if (criterion.name == name) return criterion;
  }
  throw std::out_of_range(name);
}

/// The verdict and the criterion do not contradict each other.
void expect_agreement(const Verdict& verdict, const Criterion& criterion, const std::string& where) {
  if (!criterion.applies) return;
  if (criterion.kind != Criterion::Kind::kSufficient && verdict.yes()) {
    EXPECT_NE(criterion.holds, Answer::kNo) << where << " " << criterion.name;
  }
  if (criterion.kind != Criterion::Kind::kNecessary && verdict.no()) {
    EXPECT_NE(criterion.holds, Answer::kYes) << where << " " << criterion.name;
  }
}

// A contact at a small angle beside a joint: 1 - cos^2 is the square of the sine, and A_c is definite while that angle
// is no round-off.
TEST(CriteriaBoundary, AContactBesideAJointIsJudgedByTheSine) {
  for (const double angle : {1e-1, 1e-3, 1e-5, 1e-7, 3e-9, 3e-10, 1e-11, 1e-13, 0.0}) {
    const AccelerationProblem problem = test::problem_of(
        Vector2d(4, 9).asDiagonal(), Vector2d::Zero(),
        {test::row("contact", Vector2d(2 * std::cos(angle), 3 * std::sin(angle)))}, {test::row("joint", Vector2d(2, 0))});
    const Verdict definite = report_delassus(problem)->definite;
    const std::string where = std::to_string(std::log10(angle));
    EXPECT_EQ(definite.answer, angle > 1e-9 ? Answer::kYes : angle > 1e-10 ? Answer::kUndecided : Answer::kNo) << where;
    const std::vector<Criterion> criteria = evaluate_criteria(problem);
    for (const char* name : {"Theorem 1", "Corollary 2", "Proposition 7", "Proposition 8", "principal angle"})
      EXPECT_EQ(criterion_of(criteria, name).holds, definite.answer) << where << " " << name;
    for (const Criterion& criterion : criteria) expect_agreement(definite, criterion, where);
    if (angle >= 1e-7) {
      for (const char* name :
           {"Theorem 1", "Corollary 2", "Corollary 3", "Proposition 7", "Proposition 8", "Proposition 12"})
        EXPECT_NEAR(criterion_of(criteria, name).value / std::pow(std::sin(angle), 2), 1.0, 1e-7) << where << " " << name;
      EXPECT_NEAR(criterion_of(criteria, "principal angle").value / std::sin(angle), 1.0, 1e-7) << where;
    }
  }
}

// 600 problems whose contacts lie beside joints at angles of any order of magnitude.
TEST(CriteriaBoundary, NoCriterionContradictsTheVerdict) {
  test::Random random(73);
  for (int trial = 0; trial < 600; ++trial) {
    const int n = test::random_integer(random, 2, 5), m = test::random_integer(random, 1, 2),
              p = test::random_integer(random, 1, 2);
    MatrixXd all = test::random_matrix(random, n, std::min(n, m + p));
    for (int j = 0; j < all.cols(); ++j) {
      for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < j; ++k) all.col(j) -= all.col(k) * all.col(k).dot(all.col(j));
      }
      all.col(j).normalize();
    }
    const double angle = std::pow(10.0, random.uniform(-14, 0));
    std::vector<ContactRows> contacts, joints;
    for (int j = 0; j < p; ++j) joints.push_back(test::row("j" + std::to_string(j), all.col(j % all.cols())));
    for (int i = 0; i < m; ++i) {
      const VectorXd beside = i < p ? all.col(i) : all.col((p + i) % all.cols());
      const VectorXd off = all.col((p + i) % all.cols());
      contacts.push_back(test::row("c" + std::to_string(i), std::cos(angle) * beside + std::sin(angle) * off));
    }
    const AccelerationProblem problem = test::problem_of(MatrixXd::Identity(n, n), VectorXd::Zero(n), contacts, joints);
    const auto report = report_delassus(problem);
    for (const Criterion& criterion : evaluate_criteria(problem))
      expect_agreement(report->definite, criterion, std::to_string(trial));
  }
}

// Horn's matrix is copositive, with zeros, though no sum of a positive semidefinite matrix and one without negative
// entries.
TEST(Copositivity, OfHornsMatrix) {
  MatrixXd horn(5, 5);
  horn << 1, -1, 1, 1, -1,  //
      -1, 1, -1, 1, 1,      //
      1, -1, 1, -1, 1,      //
      1, 1, -1, 1, -1,      //
      -1, 1, 1, -1, 1;
  EXPECT_NEAR(least_form(horn), 0.0, 1e-14);
  EXPECT_NEAR(least_form(horn + 0.25 * MatrixXd::Identity(5, 5)), 0.25, 1e-14);
  EXPECT_NEAR(least_form(horn - 0.25 * MatrixXd::Identity(5, 5)), -0.25, 1e-14);
  // (1, 1, 0, 0, 0) is one of the zeros, with A z = (0, 0, 0, 2, 0).
  EXPECT_EQ(resists_load(horn, (VectorXd(5) << -1, 1, 5, 5, 5).finished()), Answer::kYes);
  EXPECT_EQ(resists_load(horn, (VectorXd(5) << -1, 0.5, 5, 5, 5).finished()), Answer::kNo);
  EXPECT_EQ(least_form(MatrixXd(0, 0)), 1.0);
}

// Against a fine grid over the directions x >= 0.
TEST(Copositivity, IsTheMinimumOverAGrid) {
  test::Random random(74);
  constexpr int kSteps = 400;
  for (int trial = 0; trial < 40; ++trial) {
    const MatrixXd A = test::random_matrix(random, 3, 3);
    double least = 1e9;
    for (int i = 0; i <= kSteps; ++i) {
      for (int j = 0; i + j <= kSteps; ++j) {
        const Vector3d x = Vector3d(i, j, kSteps - i - j).normalized();
        least = std::min(least, x.dot(A * x));
      }
    }
    EXPECT_LE(least_form(A), least + 1e-14);
    EXPECT_NEAR(least_form(A), least, 1e-4);
  }
}

// Sufficient criteria for solvability hold only where there is a solution; both answers occur.
TEST(SolvabilityCriteria, HoldOnlyWhereThereIsASolution) {
  test::Random random(75);
  int copositive = 0, theorem = 0, not_solvable = 0, smooth = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = test::random_integer(random, 2, 4), m = test::random_integer(random, 1, 3);
    const bool slides = trial % 2 == 0;
    std::vector<ContactRows> contacts;
    for (int i = 0; i < m; ++i) {
      ContactRows contact =
          slides ? test::row("c" + std::to_string(i), random.vector(n), random.vector(n), 3.0, VectorXd::Ones(1))
                 : test::row("c" + std::to_string(i), random.vector(n));
      contact.drift = random.uniform(-2, 1);
      if (i > 0 && random.below(3) == 0) contact.normal = -contacts[0].normal;
      contacts.push_back(contact);
    }
    std::vector<ContactRows> joints;
    if (random.below(2) == 0) joints.push_back(test::row("j", random.below(2) == 0 ? contacts[0].normal : random.vector(n)));
    Instant instant;
    instant.acceleration = test::problem_of(MatrixXd::Identity(n, n), random.vector(n), contacts, joints);
    const Analysis analysis = analyze(instant);
    not_solvable += analysis.solvability->verdict.no() ? 1 : 0;
    for (const Criterion& criterion : analysis.criteria) {
      if (criterion.about != Criterion::About::kSolvability || !criterion.applies || criterion.holds != Answer::kYes)
        continue;
      EXPECT_TRUE(analysis.solvability->verdict.yes()) << trial << " " << criterion.name;
      copositive += criterion.name == "copositivity" ? 1 : 0;
      theorem += criterion.name == "Theorem 3.8.6" ? 1 : 0;
      smooth += criterion.name == "Proposition 8" ? 1 : 0;
    }
  }
  EXPECT_GT(copositive, 20);
  EXPECT_GE(theorem, copositive);
  EXPECT_GT(smooth, 20);
  EXPECT_GT(not_solvable, 10);
}

// Brogliato B, Proposition 8: E = {0} fails where contacts press against each other, where a joint takes the force of
// a contact, and
// where a direction without mass is free; twice the same joint does not matter.
TEST(SolvabilityCriteria, Proposition8) {
  const auto holds = [](const AccelerationProblem& problem) {
    return criterion_of(evaluate_solvability_criteria(problem), "Proposition 8").holds;
  };
  const auto foot = test::row("foot", Vector2d(0, 1)), wall = test::row("wall", Vector2d(1, 0)),
             ceiling = test::row("ceiling", Vector2d(0, -1));
  const MatrixXd I = MatrixXd::Identity(2, 2);
  EXPECT_EQ(holds(test::problem_of(I, Vector2d::Zero(), {foot, wall})), Answer::kYes);
  EXPECT_EQ(holds(test::problem_of(I, Vector2d::Zero(), {foot, ceiling})), Answer::kNo);
  EXPECT_EQ(holds(test::problem_of(I, Vector2d::Zero(), {foot}, {ceiling})), Answer::kNo);
  EXPECT_EQ(holds(test::problem_of(I, Vector2d::Zero(), {foot}, {wall, test::row("again", Vector2d(2, 0))})), Answer::kYes);
  EXPECT_EQ(holds(test::problem_of(Vector2d(1, 0).asDiagonal(), Vector2d::Zero(), {foot})), Answer::kNo);
  EXPECT_EQ(
      holds(test::problem_of(Vector2d(1, 0).asDiagonal(), Vector2d::Zero(), {wall}, {test::row("rod", Vector2d(1, 1))})),
      Answer::kYes);
  // The resultant of foot and wall is shortest half way: (1, 1)/2.
  EXPECT_NEAR(
      criterion_of(evaluate_solvability_criteria(test::problem_of(I, Vector2d::Zero(), {foot, wall})), "Proposition 8")
          .value,
      std::sqrt(0.5), 1e-14);
}

}  // namespace tippe::analyze_criteria_test
