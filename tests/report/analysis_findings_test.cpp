// SPDX-License-Identifier: Apache-2.0
// The words of an analysis: that they name the right contacts and carry the right numbers.
#include "tippe/report/analysis_findings.h"

#include <map>

#include "support/analyses.h"
#include "tippe/report/analysis_names.h"

namespace tippe::report_analysis_findings_test {

std::map<std::string, Finding> findings_of(const test::AnalysedInstant& analysed) {
  std::map<std::string, Finding> found;
  for (const Finding& finding : describe_findings(analysed.instant, analysed.analysis)) found[finding.topic] = finding;
  return found;
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(AnalysisFindings, NothingIsSaidOfNothing) {
  EXPECT_TRUE(describe_findings({}, {}).empty());
}

TEST(AnalysisFindings, OnlyTheSumOfThreeForcesIsDetermined) {
  auto found = findings_of(test::three_point_block());
  EXPECT_EQ(found["Motion"].text, "The motion is unique.");
  EXPECT_EQ(found["Solvable"].answer, "yes");
  EXPECT_EQ(found["Forces"].text.substr(0, found["Forces"].text.find('.', 90)),
            "The normal forces of A1, A2 and A3 are not determined one by one: only their sum, 29.43 N, is; each lies "
            "between 0 and 29");
}

TEST(AnalysisFindings, ASumIsNamedOnlyWhereItIsDetermined) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces->free_directions = Eigen::Vector3d(1, 1, 0);  // jammed: both grow together
  block.analysis.forces->groups = {{0, 1}};
  block.analysis.forces->group_sums = {std::nullopt};
  block.analysis.forces->upper = Eigen::Vector3d(kInfinity, kInfinity, 29.43);
  const std::string text = findings_of(block)["Forces"].text;
  EXPECT_EQ(text.find("sum"), std::string::npos) << text;
  expect_parts(text, {"A1 and A2", "each is at least 0 N"});
  block.analysis.forces->lower[1] = -kInfinity;
  expect_parts(findings_of(block)["Forces"].text, {"A1 is at least 0 N", "A2 can have any size"});
}

TEST(AnalysisFindings, AContradictionNamesItsContacts) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.solvability->verdict = {Answer::kNo, -2.0};
  block.analysis.solvability->ground = Solvability::Ground::kContradiction;
  block.analysis.solvability->certificate = Eigen::Vector3d(0.25, 0, 0.75);
  block.analysis.solvability->certificate_value = -2.0;
  const Finding finding = findings_of(block)["Solvable"];
  EXPECT_EQ(finding.tone, Finding::Tone::kBad);
  expect_parts(finding.text, {"A1 and A3", "A1 0.25, A3 0.75", "-2", "impact"});
}

TEST(AnalysisFindings, UndecidedTellsTheMargin) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.solvability->verdict = {Answer::kUndecided, -1e-11};
  const Finding finding = findings_of(block)["Solvable"];
  EXPECT_EQ(finding.answer, "undecided");
  expect_parts(finding.text, {"-1e-11"});
}

TEST(AnalysisFindings, TheParadoxAndWhatNoFrictionHolds) {
  auto found = findings_of(test::sliding_rod());
  EXPECT_EQ(found["Painleve"].answer, "indeterminate");
  expect_parts(found["Painleve"].text, {"2 different motions", "tip (critical mu 1.33333)"});
  expect_parts(found["Sticking"].text, {"No coefficient of friction suffices", "tips", "q3 1"});
}

TEST(AnalysisFindings, MotionsOfOneModeHaveAllBetweenThem) {
  test::AnalysedInstant rod = test::sliding_rod();
  const std::string between = "all between those in one mode";
  EXPECT_EQ(findings_of(rod)["Painleve"].text.find(between), std::string::npos);
  rod.analysis.painleve->solutions[1].contacts = rod.analysis.painleve->solutions[0].contacts;
  expect_parts(findings_of(rod)["Painleve"].text, {between});
}

TEST(AnalysisFindings, FrictionThatIsTooSmallByAFactor) {
  test::AnalysedInstant rod = test::sliding_rod();
  Sticking& sticking = *rod.analysis.sticking;
  sticking = {};
  sticking.feasible = {Answer::kNo, -0.1};
  sticking.mu_min = 0.75;
  sticking.mu_factor = 2.5;
  expect_parts(findings_of(rod)["Sticking"].text, {"2.5 times larger", "0.75"});
  sticking.feasible = {Answer::kYes, 0.1};
  sticking.mu_min = 0.15;
  sticking.mu_factor = 0.5;
  expect_parts(findings_of(rod)["Sticking"].text, {"2 times smaller", "0.15"});
}

void expect_none(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_EQ(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
}

TEST(AnalysisFindings, SeveralMotionsOfSlidingContactsHaveForcesOfTheirOwn) {
  test::AnalysedInstant rod = test::sliding_rod();
  rod.analysis.solvability.emplace().kind = InstantKind::kSliding;
  rod.analysis.motion.emplace().unique = {Answer::kNo, {}};
  ForceSet& forces = rod.analysis.forces.emplace();
  forces.unique = {Answer::kNo, {}};
  forces.representative = Eigen::Vector2d(4, -6);
  const std::string text = findings_of(rod)["Forces"].text;
  expect_none(text, {"does not depend", "they share"});
  expect_parts(text, {"forces of its own"});
}

TEST(AnalysisFindings, FrictionThatIsTooSmallMakesAnotherMotion) {
  auto found = findings_of(test::slipping_block());
  expect_parts(found["Solvable"].text, {"friction limits of contacts at rest left aside", "exceeded"});
  EXPECT_EQ(found["Motion"].answer, "unique if all stick");
  expect_parts(found["Motion"].text, {"They cannot"});
  expect_parts(found["Painleve"].text, {"slope slides"});
  // Within the limits nothing of this is said.
  test::AnalysedInstant block = test::slipping_block();
  block.analysis.sticking->feasible = {Answer::kYes, 0.1};
  block.analysis.limits_kept = block.analysis.sticking->feasible;
  EXPECT_EQ(findings_of(block)["Motion"].text, "The motion is unique.");
}

TEST(AnalysisFindings, NotAllCanStickButThereIsAMotion) {
  test::AnalysedInstant block = test::slipping_block();
  Solvability& solvability = *block.analysis.solvability;
  solvability.verdict = {Answer::kNo, -1.0};
  solvability.ground = Solvability::Ground::kContradiction;
  solvability.certificate = Eigen::VectorXd::Ones(1);
  solvability.certificate_value = -1.0;
  const Finding finding = findings_of(block)["Solvable"];
  EXPECT_NE(finding.tone, Finding::Tone::kBad);
  expect_parts(finding.text, {"go on sticking", "slope", "-1 m/s^2", "there is a motion"});
  expect_none(finding.text, {"impact", "satisfies all laws"});
  block.analysis.painleve->solutions.clear();
  expect_parts(findings_of(block)["Solvable"].text, {"an impact has to be processed"});
}

/// The load is 29.43 N: sums and coefficients of 1e-15 are nothing.
TEST(AnalysisFindings, RoundOffIsZero) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces->representative.setConstant(1e-16);
  block.analysis.forces->group_sums = {-1.2e-15};
  expect_parts(findings_of(block)["Forces"].text, {"their sum, 0 N"});
  test::AnalysedInstant slope = test::slipping_block();
  Sticking& sticking = *slope.analysis.sticking;
  sticking.feasible = {Answer::kYes, 0.3};
  sticking.mu_min = 6.5e-18;
  sticking.mu_factor = 1e-17;
  expect_parts(findings_of(slope)["Sticking"].text, {"Even without friction"});
  expect_none(findings_of(slope)["Sticking"].text, {"times smaller", "e-18"});
}

/// M = diag(4, 1): a load of 16 N along x is as much as 8 N along the direction (2, 0), and has the energy 16^2/4 = 8^2/1 of 8 N along (0, 1).
TEST(AnalysisFindings, SizesOfForcesDoNotDependOnTheLengthOfDirections) {
  Instant instant = test::slipping_block().instant;
  AccelerationProblem& problem = *instant.acceleration;
  problem.M = Eigen::Vector2d(4, 1).asDiagonal();
  problem.F = Eigen::Vector2d(16, 0);
  problem.unilateral[0].tangents = Eigen::Vector2d(2, 0);
  EXPECT_LT((force_sizes(instant, Eigen::Vector2d::Zero()) - Eigen::Vector2d(8, 8)).norm(), 1e-14);
  // A larger force makes the others larger: 100 N along (0, 1) is as much as 100 N along (2, 0).
  EXPECT_LT((force_sizes(instant, Eigen::Vector2d(-100, 0)) - Eigen::Vector2d(100, 100)).norm(), 1e-12);
  problem.M.setZero();
  EXPECT_EQ(force_sizes(instant, Eigen::Vector2d::Zero()), Eigen::Vector2d::Zero());
}

/// M = diag(4, 1): a load of 8 N along x gives 2 m/s^2 there, and its energy 8^2/4 = 16 is that of 4 m/s^2 along y.
TEST(AnalysisFindings, SizesOfAccelerationsDoNotDependOnUnits) {
  test::AnalysedInstant block = test::slipping_block();
  block.instant.acceleration->M = Eigen::Vector2d(4, 1).asDiagonal();
  block.instant.acceleration->F = Eigen::Vector2d(8, 0);
  EXPECT_LT((acceleration_sizes(block.instant, Eigen::Vector2d(0, 1)) - Eigen::Vector2d(2, 4)).norm(), 1e-14);
  EXPECT_LT((acceleration_sizes(block.instant, Eigen::Vector2d(0, 10)) - Eigen::Vector2d(5, 10)).norm(), 1e-14);
}

TEST(AnalysisFindings, ALeastFrictionThatIsNotReachedIsCalledSo) {
  test::AnalysedInstant block = test::slipping_block();
  Sticking& sticking = *block.analysis.sticking;
  sticking.mu_min_attained = false;
  sticking.mu_min = 0.0;
  sticking.feasible = {Answer::kYes, 0.3};
  expect_parts(findings_of(block)["Sticking"].text, {"Any coefficient above 0", "pressed"});
  sticking.mu_known = false;
  sticking.feasible = {};
  sticking.mu_min = 0.25;
  expect_parts(findings_of(block)["Sticking"].text, {"Not all coefficients", "above 0.25", "pressed"});
  expect_none(findings_of(block)["Sticking"].text, {"with less not"});
  sticking.mu_min_attained = true;
  expect_parts(findings_of(block)["Sticking"].text, {"With 0.25", "with less not"});
}

/// A mass that a force of 10 N presses onto a wall beside a pad of 4 N, and one that 20 N pull through it.
Instant padded(double push, double limit, bool wall) {
  Instant instant;
  AccelerationProblem& problem = instant.acceleration.emplace();
  problem.M = Eigen::MatrixXd::Ones(1, 1);
  problem.F = Eigen::VectorXd::Constant(1, push);
  problem.coordinates = {"x"};
  if (wall)
    problem.unilateral.push_back(
        {"wall", Eigen::VectorXd::Ones(1), 0.0, 0.0, Eigen::MatrixXd(1, 0), Eigen::VectorXd(), {}, {}});
  instant.dry = {{"a.pad", Eigen::VectorXd::Ones(1), 0.0, limit, 0.0}};
  return instant;
}

TEST(AnalysisFindings, DryFrictionHasItsNameAndItsLimits) {
  test::AnalysedInstant held{padded(10.0, 4.0, true), {}};
  held.analysis = analyze(held.instant);
  auto found = findings_of(held);
  expect_none(found["Solvable"].text, {"wedged", "left aside"});
  expect_parts(found["Forces"].text, {"wall.n lies between 6 and 14 N", "a.pad lies between -4 and 4 N"});
  EXPECT_EQ(found["Grasp"].answer, "open");
  expect_parts(found["Sticking"].text, {"All dry frictions", "limits"});
  expect_none(found["Sticking"].text, {"contact", "coefficient"});
  EXPECT_EQ(found["Motion"].text, "The motion is unique.");

  test::AnalysedInstant slides{padded(20.0, 4.0, false), {}};
  slides.analysis = analyze(slides.instant);
  found = findings_of(slides);
  EXPECT_EQ(found["Motion"].answer, "unique");
  EXPECT_EQ(found["Motion"].text, "The motion is unique. a.pad begins to slide.");
  expect_parts(found["Sticking"].text, {"limits of friction would have to be 5 times larger."});
  expect_none(found["Sticking"].text, {"contact", "coefficient"});
}

TEST(AnalysisFindings, AGraspOfUnknownFrictionIsNotOnABoundary) {
  test::AnalysedInstant block = test::slipping_block();
  Closure& closure = block.analysis.closure.emplace();
  closure.form = {Answer::kNo, {}};
  closure.unresisted = Eigen::Vector2d(0, 1);
  block.instant.acceleration->unilateral[0].mu.reset();
  const Finding finding = findings_of(block)["Grasp"];
  EXPECT_EQ(finding.answer, "mu not known");
  expect_none(finding.text, {"boundary", "resists"});
  closure.force = {Answer::kNo, {}};
  expect_parts(findings_of(block)["Grasp"].text, {"Nothing resists", "off 1"});
}

/// A point between a slope and a rail whose gradient is twice as long: 1 N of the slope is answered by 1/2 of the rail.
TEST(AnalysisFindings, AWedgeNamesWhatItPressesAgainst) {
  test::AnalysedInstant block = test::slipping_block();
  AccelerationProblem& problem = *block.instant.acceleration;
  problem.bilateral = {{"rail", Eigen::Vector2d(0, 2), 0.0, 0.0, Eigen::MatrixXd(2, 0), Eigen::VectorXd(), {}, {}}};
  Solvability& solvability = *block.analysis.solvability;
  solvability.ground = Solvability::Ground::kWedged;
  solvability.certificate = Eigen::VectorXd::Ones(1);
  expect_parts(findings_of(block)["Solvable"].text, {"slope is wedged", "slope.n 1, rail.n -0.5"});
}

TEST(AnalysisFindings, OneForceIsInTheSingular) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces->groups = {{1}};
  expect_parts(findings_of(block)["Forces"].text,
               {"The normal force of A2 is not determined; it lies between 0 and 29.43 N"});
}

TEST(AnalysisFindings, CouplingsOfContactsAndConstraints) {
  test::AnalysedInstant block = test::three_point_block();
  std::string text = findings_of(block)["Couplings"].text;
  expect_parts(text, {"(A1 1, A2 -1)", "A1 with A2 (180 degrees)", "order"});
  block.analysis.delassus->null_space.resize(3, 0);
  block.analysis.angles->unilateral_constrained.setConstant(90.0);
  EXPECT_FALSE(findings_of(block).contains("Couplings"));
  block.instant.acceleration->bilateral = {block.instant.acceleration->unilateral[0]};
  block.instant.acceleration->bilateral[0].name = "rail";
  block.analysis.angles->unilateral_bilateral = Eigen::Vector3d(90, 150, 60);
  expect_parts(findings_of(block)["Couplings"].text, {"rail by A2 (150 degrees) and rail by A3 (60 degrees)"});
}

TEST(AnalysisFindings, ListsAndNumbers) {
  EXPECT_EQ(word_list({}), "none");
  EXPECT_EQ(word_list({"a"}), "a");
  EXPECT_EQ(word_list({"a", "b"}), "a and b");
  EXPECT_EQ(word_list({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}), "1, 2, 3, 4, 5, 6, 7 and 3 more");
  EXPECT_EQ(brief(-1e-16, 1.0), "0");
  EXPECT_EQ(brief(-0.0), "0");
  EXPECT_EQ(brief(std::nan("")), "not known");
  EXPECT_EQ(brief(-kInfinity, kInfinity), "-inf");
  EXPECT_EQ(combination({"x", "y"}, Eigen::Vector2d(0, -0.5)), "y -0.5");
  EXPECT_EQ(combination({"x", "y"}, Eigen::Vector2d(1, 1e-10)), "x 1");
  EXPECT_EQ(combination(std::vector<std::string>(100, "q"), Eigen::VectorXd::Ones(100)),
            "q 1, q 1, q 1, q 1, q 1, q 1, q 1 and 93 more");
}

}  // namespace tippe::report_analysis_findings_test
