// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/analysis_text.h"

#include <sstream>

#include "support/analyses.h"

namespace tippe::report_analysis_text_test {

TEST(AnalysisText, HasWordsThenNumbersThenEvidence) {
  const test::AnalysedInstant block = test::three_point_block();
  const std::string text = analysis_text(block.instant, block.analysis, {"block.json", 0.25});
  size_t last = 0;
  for (const char* part : {"block.json: Block on three points\n", "3 closed contacts (A1, A2 and A3); t = 0.25 s",
                           "Solvable: yes\n", "Motion: unique\n", "Forces: not unique\n", "Notes\n", "\nNumbers\n",
                           "    height      0\n", "\nEvidence\n", "Theorem 1"}) {
    const size_t at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << text;
    EXPECT_GT(at + 1, last) << part;
    last = at;
  }
  EXPECT_NE(text.find("A2.n   9.81     0  29.43\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("Theorem 2"), std::string::npos);  // does not apply
}

TEST(AnalysisText, ShowsTheMotionWithFrictionLimitsFirst) {
  const test::AnalysedInstant block = test::slipping_block();
  const std::string text = analysis_text(block.instant, block.analysis, {"slope.json", std::nullopt});
  const size_t real = text.find("slope slides; acceleration up -2.356"),
               held = text.find("acceleration if all contacts at rest stick");
  ASSERT_NE(real, std::string::npos) << text;
  ASSERT_NE(held, std::string::npos) << text;
  EXPECT_LT(real, held);
}

/// An impact may have more contacts than the accelerations: those that separate slowly, say.
TEST(AnalysisText, ImpactsHaveContactsOfTheirOwn) {
  test::AnalysedInstant block = test::three_point_block();
  const AccelerationProblem& problem = *block.instant.acceleration;
  block.instant.impact = ImpactProblem{.M = problem.M,
                                       .velocity = -Eigen::VectorXd::Ones(1),
                                       .unilateral = problem.unilateral,
                                       .bilateral = {},
                                       .restitution = Eigen::MatrixXd::Zero(4, 4),
                                       .coordinates = {}};
  block.instant.impact->unilateral.push_back(problem.unilateral[0]);
  block.instant.impact->unilateral.back().name = "lid";
  ImpactReport& impact = block.analysis.impact.emplace();
  impact.velocity_before = -Eigen::VectorXd::Ones(1);
  impact.kinematic.velocity_after = Eigen::VectorXd::Zero(1);
  impact.kinematic.impulses = Eigen::Vector4d(0, 0, 1e-17, 3);
  const std::string text = analysis_text(block.instant, block.analysis, {"p.json", std::nullopt});
  EXPECT_NE(text.find("an impact at A1, A2, A3 and lid"), std::string::npos) << text;
  EXPECT_NE(text.find("    A3           0\n    lid          3\n"), std::string::npos) << text;
}

TEST(AnalysisText, NothingIsMinusZero) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces->unique.margin = -0.0;
  EXPECT_EQ(analysis_text(block.instant, block.analysis, {"p.json", std::nullopt}).find("margin -0"), std::string::npos);
}

TEST(AnalysisText, ShowsKineticAngles) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.angles->unilateral_constrained(0, 1) = 61.25;
  const std::string text = analysis_text(block.instant, block.analysis, {"p.json", std::nullopt});
  EXPECT_NE(text.find("    A1       61.25  180\n"), std::string::npos) << text;
}

TEST(AnalysisText, LinesFitATerminal) {
  for (const test::AnalysedInstant& analysed : {test::three_point_block(), test::sliding_rod()}) {
    std::istringstream lines(analysis_text(analysed.instant, analysed.analysis, {"p.json", std::nullopt}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
  }
}

TEST(AnalysisText, LongTablesAreCut) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis = {};
  AccelerationProblem& problem = *block.instant.acceleration;
  problem.unilateral.assign(300, problem.unilateral[0]);
  for (size_t i = 0; i < 300; ++i) problem.unilateral[i].name = "P" + std::to_string(i);
  ForceSet& forces = block.analysis.forces.emplace();
  forces.representative = forces.lower = forces.upper = Eigen::VectorXd::Ones(300);
  forces.unique = {Answer::kYes, 1.0};
  const std::string text = analysis_text(block.instant, block.analysis, {"p.json", std::nullopt});
  EXPECT_NE(text.find("P39.n"), std::string::npos);
  EXPECT_EQ(text.find("P40.n"), std::string::npos);
  EXPECT_NE(text.find("and 260 more"), std::string::npos);
}

TEST(AnalysisText, NothingKnownIsNoFailure) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces = ForceSet{};
  block.analysis.motion = Motion{};
  EXPECT_NE(analysis_text(block.instant, block.analysis, {"p.json", std::nullopt}).find("Forces: undecided"),
            std::string::npos);
  EXPECT_NE(analysis_text({}, {}, {"p.json", std::nullopt}).find("0 coordinates"), std::string::npos);
}

}  // namespace tippe::report_analysis_text_test
