// SPDX-License-Identifier: Apache-2.0
// The words of an analysis: that they name the right contacts and carry the right numbers.
#include "tippe/report/analysis_findings.h"

#include <map>

#include "support/analyses.h"
#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

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

TEST(AnalysisFindings, ListsAndNumbers) {
  EXPECT_EQ(word_list({}), "none");
  EXPECT_EQ(word_list({"a"}), "a");
  EXPECT_EQ(word_list({"a", "b"}), "a and b");
  EXPECT_EQ(word_list({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}), "1, 2, 3, 4, 5, 6, 7 and 3 more");
  EXPECT_EQ(brief(-1e-16, 1.0), "0");
  EXPECT_EQ(brief(-0.0), "0");
  EXPECT_EQ(brief(-kInfinity, kInfinity), "-inf");
  EXPECT_EQ(combination({"x", "y"}, Eigen::Vector2d(0, -0.5)), "y -0.5");
}

}  // namespace
}  // namespace tippe
