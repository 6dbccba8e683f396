// SPDX-License-Identifier: Apache-2.0
// Loads along directions without mass are no paradox of friction.
#include <gtest/gtest.h>

#include "support/instant_problems.h"
#include "tippe/analyze/analysis.h"
#include "tippe/modes/modes.h"
#include "tippe/report/analysis_findings.h"

namespace tippe::analyze_massless_load_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Class = Painleve::Class;

/// A plate without mass along x under a foot with mass in y, pulled sideways by `pull` while 10 N press it.
AccelerationProblem plate(double pull, double mu, const VectorXd& slip = {}) {
  return test::problem_of(Vector2d(0, 2).asDiagonal(), Vector2d(-pull, 10),
                          {test::row("foot", Vector2d(0, 1), Vector2d(1, 0), mu, slip)});
}

std::string painleve_text(const AccelerationProblem& problem, const Analysis& analysis) {
  Instant instant;
  instant.acceleration = problem;
  for (const Finding& finding : describe_findings(instant, analysis)) {
    if (finding.topic == "Painleve") return finding.answer + ": " + finding.text;
  }
  return {};
}

Analysis judge(const AccelerationProblem& problem) {
  Instant instant;
  instant.acceleration = problem;
  return analyze(instant);
}

// Friction holds 5 N at most: what is more acts on nothing that has mass.
TEST(MasslessLoad, IsNoParadox) {
  const Analysis held = judge(plate(3.5, 0.5));
  EXPECT_EQ(held.painleve->classification, Class::kUnique);
  const Analysis loaded = judge(plate(6.5, 0.5));
  EXPECT_EQ(loaded.painleve->classification, Class::kMasslessLoaded);
  EXPECT_TRUE(loaded.painleve->solutions.empty());
  EXPECT_LE((loaded.painleve->massless_direction - Vector2d(1, 0)).norm(), 1e-6);
  EXPECT_EQ(loaded.painleve->impulse.size(), 0);
  const std::string text = painleve_text(plate(6.5, 0.5), loaded);
  EXPECT_NE(text.find("No paradox of friction"), std::string::npos) << text;
  EXPECT_NE(text.find("q1 1"), std::string::npos) << text;
  // It slides already, and the friction of 5 N does not balance the pull.
  const Analysis sliding = judge(plate(6.5, 0.5, VectorXd::Ones(1)));
  EXPECT_EQ(sliding.painleve->classification, Class::kMasslessLoaded);
  EXPECT_EQ(sliding.solvability->ground, Solvability::Ground::kMasslessLoaded);
  EXPECT_EQ(sliding.solvability->massless_direction.size(), 2);
}

// In a third coordinate that no force of a contact acts along.
TEST(MasslessLoad, ApartFromTheContacts) {
  const Analysis analysis =
      judge(test::problem_of(Vector3d(1, 1, 0).asDiagonal(), Vector3d(1, 10, -1.5),
                             {test::row("foot", Vector3d(0, 1, 0), Vector3d(1, 0, 0), 0.5, VectorXd::Ones(1))}));
  EXPECT_EQ(analysis.painleve->classification, Class::kMasslessLoaded);
  EXPECT_LE((analysis.painleve->massless_direction - Vector3d(0, 0, 1)).norm(), 1e-6);
}

// `modes` says that it slides, that 1.5 N are balanced by nothing, and has no small residual.
TEST(MasslessLoad, ModesTellWhatIsNotBalanced) {
  const ModeList list = list_motion_modes(plate(6.5, 0.5));
  ASSERT_EQ(list.modes.size(), 1u) << list.note;
  EXPECT_EQ(list.modes[0].contacts, std::vector{ContactMode::kSlideForward});
  ASSERT_EQ(list.modes[0].unbalanced.size(), 2);
  EXPECT_LE((list.modes[0].unbalanced - Vector2d(1.5, 0)).norm(), 1e-12);
  EXPECT_GT(list.modes[0].residual, 0.05);
  EXPECT_NE(list.note.find("balanced by nothing"), std::string::npos) << list.note;
  const ModeList held = list_motion_modes(plate(3.5, 0.5));
  EXPECT_EQ(held.modes[0].unbalanced.size(), 0);
  EXPECT_LE(held.modes[0].residual, 1e-14);
}

// Painleve's rod is one, also beside a direction without mass that nothing loads.
TEST(MasslessLoad, AParadoxStaysOne) {
  const double mu = 2.0, lever = 0.45;
  const auto rod = [&](double massless_load) {
    AccelerationProblem problem;
    problem.M = Eigen::Vector4d(1, 1, 1.0 / 3.0 * 0.25, 0).asDiagonal();
    problem.F = Eigen::Vector4d(0, 10, 0, massless_load);
    ContactRows tip =
        test::row("tip", Eigen::Vector4d(0, 1, -lever, 0), Eigen::Vector4d(1, 0, 2 * lever, 0), mu, -VectorXd::Ones(1));
    problem.unilateral = {tip};
    return problem;
  };
  EXPECT_EQ(judge(rod(0.0)).painleve->classification, Class::kInconsistent);
}

// A closed contact without friction stays closed; it does not slide.
TEST(MasslessLoad, AContactWithoutFrictionIsSaidToStayClosed) {
  AccelerationProblem problem = test::problem_of(
      Eigen::MatrixXd::Identity(5, 5), VectorXd::Constant(5, 10.0),
      {test::row("rough", VectorXd::Unit(5, 1), VectorXd::Unit(5, 0), 0.01),
       test::row("smooth", VectorXd::Unit(5, 3), VectorXd::Unit(5, 2), 0.0), test::row("bare", VectorXd::Unit(5, 4))});
  const std::string text = painleve_text(problem, judge(problem));
  EXPECT_NE(text.find("smooth stays closed and bare stays closed"), std::string::npos) << text;
  problem.unilateral[1].slip = VectorXd::Ones(1);
  const std::string slipping = painleve_text(problem, judge(problem));
  EXPECT_NE(slipping.find("smooth stays closed and bare stays closed"), std::string::npos) << slipping;
}

}  // namespace tippe::analyze_massless_load_test
