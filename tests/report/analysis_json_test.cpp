// SPDX-License-Identifier: Apache-2.0
// The JSON of an analysis: the keys that users rely on.
#include "tippe/report/analysis_json.h"

#include <nlohmann/json.hpp>
#include <set>

#include "support/analyses.h"

namespace tippe::report_analysis_json_test {

using Json = nlohmann::json;

Json json_of(const test::AnalysedInstant& analysed) {
  return Json::parse(analysis_json(analysed.instant, analysed.analysis, {"p.json", std::nullopt}));
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(AnalysisJson, HasEveryPartAlsoWhereThereIsNothingToSay) {
  const Json json = json_of({});
  for (const char* key : {"delassus", "kinetic_angles_deg", "solvable", "acceleration", "forces", "sticking", "closure",
                          "painleve", "impact", "generalized_inverse"}) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_TRUE(json[key].is_null()) << key;
  }
  EXPECT_EQ(json["criteria"], Json::array());
  EXPECT_EQ(json["notes"], Json::array());
  EXPECT_EQ(json["file"], "p.json");
}

TEST(AnalysisJson, SaysWhatIsKnownOfTheBlockOnThreePoints) {
  const Json json = json_of(test::three_point_block());
  EXPECT_EQ(json["delassus"]["matrix"][2][1], 1.0 / 3.0);
  EXPECT_EQ(json["delassus"]["constrained"].size(), 3u);
  EXPECT_EQ(json["delassus"]["rank"], 1);
  EXPECT_EQ(json["delassus"]["eigenvalues"], (Json{0.0, 0.0, 1.0}));
  EXPECT_EQ(json["delassus"]["definite"], (Json{{"verdict", "no"}, {"margin", 0.0}}));
  EXPECT_EQ(json["kinetic_angles_deg"]["unilateral"][0][1], 180.0);
  EXPECT_EQ(json["kinetic_angles_deg"]["unilateral_bilateral"], Json::parse("[[], [], []]"));
  EXPECT_EQ(json["criteria"][0]["kind"], "necessary");
  EXPECT_EQ(json["criteria"][0]["holds"], false);
  EXPECT_EQ(json["criteria"][1]["applies"], false);
  EXPECT_TRUE(json["criteria"][1]["holds"].is_null());
  EXPECT_EQ(json["solvable"]["verdict"], "yes");
  EXPECT_TRUE(json["solvable"]["margin"].is_null());
  EXPECT_EQ(json["solvable"]["problem"], "frictionless");
  EXPECT_TRUE(json["solvable"]["certificate"].is_null());
  EXPECT_EQ(json["acceleration"]["unique"]["verdict"], "yes");
  EXPECT_EQ(json["acceleration"]["value"], Json{0.0});
  EXPECT_EQ(json["acceleration"]["free_directions"], Json::array());
  EXPECT_EQ(json["forces"]["representative"], (Json{{"A1.n", 9.81}, {"A2.n", 9.81}, {"A3.n", 9.81}}));
  EXPECT_EQ(json["forces"]["bounds"]["A2.n"], (Json{0.0, 29.43}));
  EXPECT_EQ(json["forces"]["bounds_kind"], "exact");
  EXPECT_EQ(json["forces"]["free_directions"][0], (Json{{"A1.n", 1.0}, {"A2.n", -1.0}}));
  EXPECT_EQ(json["forces"]["groups"], (Json{{"A1.n", "A2.n", "A3.n"}}));
  EXPECT_EQ(json["notes"].size(), 1u);
}

TEST(AnalysisJson, InfinitiesAreTextsAndWhatIsNoNumberIsNull) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces->lower[0] = -kInfinity;
  block.analysis.forces->upper[0] = kInfinity;
  block.analysis.angles->unilateral(0, 0) = std::nan("");
  const Json json = json_of(block);
  EXPECT_EQ(json["forces"]["bounds"]["A1.n"], (Json{"-inf", "inf"}));
  EXPECT_TRUE(json["kinetic_angles_deg"]["unilateral"][0][0].is_null());
  // A singular M has no free Delassus matrix.
  block.analysis.delassus->matrix.resize(0, 0);
  EXPECT_TRUE(json_of(block)["delassus"]["matrix"].is_null());
}

TEST(AnalysisJson, ListsTheMotionsOfTheParadox) {
  const Json json = json_of(test::sliding_rod());
  EXPECT_EQ(json["painleve"]["classification"], "indeterminate");
  EXPECT_NEAR(json["painleve"]["mu_critical"]["tip"].get<double>(), 1.333333, 1e-6);
  EXPECT_EQ(json["painleve"]["solutions"][1]["contacts"], (Json{{"tip", "slide"}}));
  EXPECT_EQ(json["painleve"]["solutions"][1]["forces"], (Json{{"tip.n", 4.0}, {"tip.t", -6.0}}));
  EXPECT_EQ(json["painleve"]["solutions"][0]["acceleration"], (Json{0.0, -9.81, 0.0}));
  EXPECT_EQ(json["sticking"]["feasible"], (Json{{"verdict", "undecided"}, {"margin", nullptr}}));  // mu is not known
  EXPECT_NE(json["notes"].dump().find("sticking: not all coefficients"), std::string::npos);
  EXPECT_EQ(json["sticking"]["mu_min_attained"], true);
  EXPECT_EQ(json["sticking"]["mu_min"], "inf");
  EXPECT_TRUE(json["sticking"]["forces"].is_null());
  EXPECT_EQ(json["sticking"]["blocking_direction"], (Json{0.0, 0.0, 1.0}));
}

TEST(AnalysisJson, BoundsThatAreNotExactAreOuter) {
  test::AnalysedInstant block = test::three_point_block();
  block.analysis.forces->bounds = ForceSet::Bounds::kOuter;
  EXPECT_EQ(json_of(block)["forces"]["bounds_kind"], "outer");
  block.analysis.solvability->culprits = {"rail.n", "A1.t"};
  EXPECT_EQ(json_of(block)["solvable"]["culprits"], (Json{"rail.n", "A1.t"}));
}

TEST(AnalysisJson, AnOpenQuestionHasNoDirection) {
  test::AnalysedInstant block = test::slipping_block();
  Closure& closure = block.analysis.closure.emplace();
  closure.unresisted = Eigen::Vector2d(0, 1);
  EXPECT_TRUE(json_of(block)["closure"]["unresisted"].is_null());
  closure.force = {Answer::kNo, {}};
  EXPECT_EQ(json_of(block)["closure"]["unresisted"], (Json{0.0, 1.0}));
}

TEST(AnalysisJson, TellsAllImpactLawsAndTheMotionUnderJoints) {
  test::AnalysedInstant rod = test::sliding_rod();
  rod.instant.impact = ImpactProblem{rod.instant.acceleration->M,          Eigen::Vector3d(0, -1, 0),
                                     rod.instant.acceleration->unilateral, {},
                                     Eigen::MatrixXd::Constant(1, 1, 0.5), {}};
  ImpactReport& impact = rod.analysis.impact.emplace();
  impact.kinematic.admissible = {Answer::kNo, -0.5};
  impact.kinematic.exists = false;
  impact.kinematic.reasons = {"no impulse gives these velocities"};
  impact.friction = {"tip.t"};
  impact.moreau.emplace().friction = Eigen::VectorXd::Constant(1, -0.5);
  rod.analysis.generalized_inverse.emplace().acceleration = Eigen::Vector3d(0, -9.81, 0);
  const Json json = json_of(rod);
  EXPECT_EQ(keys_of(json["impact"]["kinematic"]),
            (std::set<std::string>{"impulses", "bilateral_impulses", "velocity_after", "energy_change", "surface_work",
                                   "kinetic_energy_change", "residual", "admissible", "reasons", "exists", "unique"}));
  EXPECT_TRUE(json["impact"]["kinematic"]["impulses"].is_null());
  EXPECT_EQ(json["impact"]["law"], "newton");
  for (const char* law : {"newton", "poisson"}) EXPECT_TRUE(json["impact"][law].is_null()) << law;
  EXPECT_EQ(json["impact"]["moreau"]["friction"], (Json{{"tip.t", -0.5}}));
  EXPECT_TRUE(json["impact"]["moreau"]["alternatives"].is_null());
  EXPECT_EQ(json["generalized_inverse"]["acceleration"], (Json{0.0, -9.81, 0.0}));
  EXPECT_TRUE(json["generalized_inverse"]["gaussian"].is_null());
  EXPECT_EQ(json["generalized_inverse"]["consistent"]["verdict"], "undecided");
}

}  // namespace tippe::report_analysis_json_test
