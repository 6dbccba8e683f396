// SPDX-License-Identifier: Apache-2.0
// What a scene says about how it looks: the drawing document and its columns, docs/recording.md#drawing.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "support/scenes.h"

namespace tippe::scene_draw_test {

using Json = nlohmann::json;

const std::string kRun = "[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 0.1\n";
const std::string kPendulum =
    "[parameters]\nl = 2\n[lagrangian]\ncoordinates = [\"x\", \"phi\"]\nkinetic = \"x'^2 + phi'^2\"\n"
    "[initial]\nphi = 0.3\nx = 0.5\n\"phi'\" = 1\n";

Json document_of(const Scene& scene) {
  return Json::parse(scene.run.drawing.document);
}

/// Reads the numbers of a drawing at a state.
class Reader {
 public:
  Reader(const Scene& scene, const State& state) : state_(state), document(document_of(scene)) {
    ObservablesEvaluator(scene.run.drawing.columns).evaluate_quantities(state, columns_);
  }
  [[nodiscard]] double operator()(const Json& value) const {
    if (value.is_number()) return value;
    return value.contains("q") ? state_.q[value["q"].get<int>()] : columns_[value["c"].get<int>()];
  }
  [[nodiscard]] Eigen::Vector3d point(const Json& p) const { return {(*this)(p[0]), (*this)(p[1]), (*this)(p[2])}; }

 private:
  const State& state_;
  Eigen::VectorXd columns_;

 public:
  const Json document;
};

TEST(Draw, NothingIsDrawnOfASystemWithoutBodiesThatSaysNothing) {
  EXPECT_EQ(test::scene_from(kPendulum + kRun).run.drawing.document, "");
}

TEST(Draw, NumbersAreConstantsCoordinatesOrColumnsAndEqualExpressionsShareOne) {
  const Scene scene =
      test::scene_from(kPendulum + kRun +
                       "[[draw]]\nline = [\"x\", 0, \"x + l*sin(phi)\", \"-l*cos(phi)\"]\n"
                       "[[draw]]\ncircle = [\"x + l*sin(phi)\", \"-l*cos(phi)\", \"l/10\"]\nangle = \"phi\"\n"
                       "part = \"bob\"\n");
  const Json document = document_of(scene);
  EXPECT_EQ(document["version"], 1);
  EXPECT_EQ(document["space"], "plane");
  EXPECT_EQ(document["primitives"], Json::parse(R"([
    {"kind": "line", "name": "", "part": null, "points": [[{"q": 0}, 0, 0], [{"c": 0}, {"c": 1}, 0]], "closed": false},
    {"kind": "circle", "name": "bob", "part": 0, "center": [{"c": 0}, {"c": 1}, 0], "radius": 0.2, "angle": {"q": 1}}])"));
  const Reader read(scene, scene.start);
  const Eigen::Vector3d bob = read.point(document["primitives"][1]["center"]);
  EXPECT_DOUBLE_EQ(bob[0], 0.5 + 2 * std::sin(0.3));
  EXPECT_DOUBLE_EQ(bob[1], -2 * std::cos(0.3));
}

TEST(Draw, AllKindsInPlaneAndSpace) {
  const Scene plane = test::scene_from(kPendulum + kRun +
                                       "[[draw]]\npolyline = [[0, 0], [1, 0], [\"x\", 1]]\nclosed = true\npart = \"block\"\n"
                                       "[[draw]]\nspring = [0, 0, \"x\", 0]\n[[draw]]\ntext = \"hinge\"\nat = [0, 1]\n"
                                       "[[draw]]\nfor = { i = \"1..3\" }\ncircle = [\"{i}\", 0, 1]\npart = \"wheel {i}\"\n");
  const Json drawn = document_of(plane)["primitives"];
  ASSERT_EQ(drawn.size(), 6u);
  EXPECT_EQ(drawn[0]["closed"], true);
  EXPECT_EQ(drawn[0]["points"].size(), 3u);
  EXPECT_EQ(drawn[1],
            Json::parse(R"({"kind": "spring", "name": "", "part": null, "points": [[0, 0, 0], [{"q": 0}, 0, 0]]})"));
  EXPECT_EQ(drawn[2], Json::parse(R"({"kind": "text", "at": [0, 1, 0], "text": "hinge"})"));
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(drawn[2 + i]["center"], Json({i, 0, 0}));
    EXPECT_EQ(drawn[2 + i]["name"], "wheel " + std::to_string(i));
    EXPECT_EQ(drawn[2 + i]["part"], i);  // 0 is the block
  }

  const Scene space = test::scene_from(kPendulum + kRun + "[[draw]]\nline = [0, 0, 0, \"x\", 1, 2]\n");
  EXPECT_EQ(document_of(space)["space"], "space");
  EXPECT_EQ(document_of(space)["up"], Json({0, 0, 1}));
  EXPECT_EQ(document_of(space)["primitives"][0]["points"][1], Json::parse(R"([{"q": 0}, 1, 2])"));
}

TEST(Draw, BodiesAreDrawnWithShapesSpringsJointsAndPlanes) {
  const Scene scene = test::scene_from(
      "[world]\ngravity = [0, -3, 0]\n"
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 2, 3]\n[[body.sphere]]\nradius = 0.5\n"
      "[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nposition = [4, 2, 3]\n"
      "[[body]]\nname = \"c\"\nformulation = \"affine\"\nmass = 12\ninertia = [2, 2, 2]\nposition = [9, 2, 3]\n"
      "[[spring]]\nbetween = [\"a\", [1, 5, 3]]\nstiffness = 1\n[[joint]]\ntype = \"rod\"\nbetween = [\"a\", \"b\"]\n"
      "[[joint]]\nname = \"pin\"\ntype = \"ball\"\nbetween = [\"c\", \"world\"]\n"
      "[[plane]]\nname = \"wall\"\nnormal = [0, 2, 0]\npoint = [0, -1, 0]\n" +
      kRun);
  const Json document = document_of(scene);
  EXPECT_EQ(document["space"], "space");
  EXPECT_EQ(document["up"], Json({0, 1, 0}));
  const Json& drawn = document["primitives"];
  ASSERT_EQ(drawn.size(), 7u);
  EXPECT_EQ(drawn[0], Json::parse(R"({"kind": "plane", "name": "wall", "normal": [0, 1, 0], "offset": -1})"));
  EXPECT_EQ(drawn[1], Json::parse(R"({"kind": "body", "name": "a", "part": 0, "at": [{"q": 0}, {"q": 1}, {"q": 2}],
    "turn": {"quaternion": [{"q": 3}, {"q": 4}, {"q": 5}, {"q": 6}]},
    "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": 0.5}]})"));
  EXPECT_EQ(drawn[2]["turn"], nullptr);
  EXPECT_EQ(drawn[2]["shapes"], Json::parse(R"([{"kind": "mass"}])"));
  EXPECT_EQ(drawn[3]["turn"]["axes"][8], Json::parse(R"({"q": 21})"));  // 7 + 3 coordinates before; d3z is its twelfth
  EXPECT_EQ(drawn[3]["shapes"][0]["kind"], "inertia");
  EXPECT_EQ(drawn[3]["shapes"][0]["size"], Json({1, 1, 1}));  // 12/12 (1 + 1) = 2
  EXPECT_EQ(drawn[4]["kind"], "spring");
  EXPECT_EQ(drawn[4]["points"][1], Json({1, 5, 3}));
  EXPECT_EQ(drawn[5]["kind"], "line");  // the rod
  EXPECT_EQ(drawn[6]["kind"], "joint");
  EXPECT_EQ(drawn[6]["name"], "pin");
}

TEST(Draw, ABodyThatTheSceneDrawsItselfHasNoStandIn) {
  const Scene scene =
      test::scene_from("[[body]]\nname = \"a1\"\nkind = \"planar\"\nmass = 1\ninertia = 1\n" + kRun +
                       "[[draw]]\nfor = { i = \"1..1\" }\npart = \"a{i}\"\nline = [0, 0, \"a1.x\", \"a1.y\"]\n");
  const Json drawn = document_of(scene)["primitives"];
  EXPECT_TRUE(drawn[0]["shapes"].empty());
  EXPECT_EQ(drawn[1]["part"], drawn[0]["part"]);
}

// A crank and a rod without shapes: lines between their joints instead of boxes.
TEST(Draw, LinksWithoutShapesAreDrawnBetweenTheirJoints) {
  const Scene scene = test::scene_from(R"toml([[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[body.point]]
name = "foot"
at = [-1, 0, 0]
[[body.point]]
name = "pin"
at = [1, 0, 0]
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [3, 0, 0]
[[body.point]]
name = "pin"
at = [-2, 0, 0]
[[joint]]
between = [[-1, 0, 0], "crank.foot"]
type = "ball"
[[joint]]
between = ["crank.pin", "rod.pin"]
type = "ball"
)toml" + kRun);
  const Json document = document_of(scene);
  std::map<std::string, std::vector<Json>> kinds;
  for (const Json& primitive : document["primitives"]) kinds[primitive["kind"]].push_back(primitive);
  ASSERT_EQ(kinds["line"].size(), 1u);  // the rod has one joint alone
  EXPECT_EQ(kinds["line"][0]["name"], "crank");
  const Reader read(scene, scene.start);
  EXPECT_TRUE(read.point(kinds["line"][0]["points"][0]).isApprox(Eigen::Vector3d(-1, 0, 0)));
  EXPECT_TRUE(read.point(kinds["line"][0]["points"][1]).isApprox(Eigen::Vector3d(1, 0, 0)));
  EXPECT_TRUE(kinds["body"][0]["shapes"].empty());
  EXPECT_EQ(kinds["body"][1]["shapes"].size(), 1u);
}

TEST(Draw, PlanarBodiesAreDrawnInThePlane) {
  const Json document = document_of(test::scene_from(
      "[[body]]\nname = \"a\"\nkind = \"planar\"\nmass = 1\ninertia = 1\n[[body.box]]\nsize = [2, 1]\n" + kRun));
  EXPECT_EQ(document["space"], "plane");
  EXPECT_EQ(document["primitives"][0]["at"], Json::parse(R"([{"q": 0}, {"q": 1}, 0])"));
  EXPECT_EQ(document["primitives"][0]["turn"], Json::parse(R"({"angle": {"q": 2}})"));
}

/// The resultant of all contact forces on the first partners, in the mean of the first step.
Eigen::Vector3d total_force(const Scene& scene) {
  Eigen::VectorXd impulses;
  State end = scene.start;
  const auto keep = [&](const Sample& sample) {
    impulses = sample.impulses;
    end = sample.state;
  };
  RunOptions options = scene.run;
  options.until = scene.start.t + options.dt;
  const RunSummary summary = simulate(*scene.system, scene.start, options, {.on_sample = keep});
  EXPECT_EQ(summary.status, RunStatus::kOk);
  const Reader read(scene, end);
  Eigen::Vector3d total = Eigen::Vector3d::Zero();
  for (const Json& primitive : read.document["primitives"]) {
    if (primitive["kind"] != "contact") continue;
    const Json& rows = primitive["rows"];
    total += impulses[rows[0].get<int>()] * read.point(primitive["normal"]);
    for (size_t k = 0; k < primitive["tangents"].size(); ++k)
      total += impulses[rows[k + 1].get<int>()] * read.point(primitive["tangents"][k]);
  }
  return total / options.dt;
}

// A body at rest: the forces of its contacts, put together in space, carry its weight. Friction carries its share on a slope, whichever
// way the tangents point.
TEST(Draw, ContactForcesInSpaceCarryTheWeight) {
  const std::string weight = "[world]\ngravity = [0.3, -0.4, -9.81]\n";
  const std::string box =
      "[[body]]\nname = \"box\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, 0.5]\n[[body.box]]\nsize = [1, 1, 1]\n";
  const std::string law =
      "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = [\"box\", \"floor\"]\nfriction = 0.5\n";
  const Eigen::Vector3d force = total_force(test::scene_from(weight + box + law + kRun));
  EXPECT_LT((force - Eigen::Vector3d(-0.6, 0.8, 19.62)).norm(), 1e-9) << force.transpose();
}

TEST(Draw, ContactForcesInThePlaneCarryTheWeight) {
  // A rectangle on a slope that rises with 0.2 rad; its lower side is at y = 0 along the slope.
  const std::string slope =
      "[parameters]\na = 0.2\n[world]\ngravity = [0, -10]\n"
      "[[body]]\nname = \"box\"\nkind = \"planar\"\nmass = 3\ninertia = 1\nangle = \"a\"\nposition = [\"-0.5*sin(a)\", "
      "\"0.5*cos(a)\"]\n"
      "[[body.box]]\nsize = [2, 1]\n[[plane]]\nname = \"slope\"\nnormal = [\"-sin(a)\", \"cos(a)\"]\n"
      "[[contact_law]]\nbetween = [\"box\", \"slope\"]\nfriction = 0.5\n";
  const Eigen::Vector3d force = total_force(test::scene_from(slope + kRun));
  EXPECT_LT((force - Eigen::Vector3d(0, 30, 0)).norm(), 1e-9) << force.transpose();
}

TEST(Draw, TheForceBetweenTwoBodiesIsThatOnTheFirst) {
  // The first ball lies on the second, which a heavy floor cannot move: held by a joint. Off the vertical, so that friction acts.
  const std::string balls =
      "[parameters]\na = 0.1\n[world]\ngravity = [0, 0, -10]\n"
      "[[body]]\nname = \"upper\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [\"2*sin(a)\", 0, "
      "\"2*cos(a)\"]\n[[body.sphere]]\nradius = 1\n"
      "[[body]]\nname = \"lower\"\nmass = 1\ninertia = [1, 1, 1]\n[[body.sphere]]\nradius = 1\n"
      "[[joint]]\ntype = \"fixed\"\nbetween = [\"lower\", \"world\"]\n"
      "[[contact_law]]\nbetween = [\"upper\", \"lower\"]\nfriction = 1\n";
  const Scene scene = test::scene_from(balls + "[run]\nintegrator = \"moreau\"\ndt = 1e-6\nuntil = 1e-3\n");
  // A ball that rolls off a ball: normal force m g cos(a), friction m g sin(a) J/(J + m r^2), up the slope.
  const double N = 10 * std::cos(0.1), F = 10 * std::sin(0.1) / 2;
  const Eigen::Vector3d expected =
      N * Eigen::Vector3d(std::sin(0.1), 0, std::cos(0.1)) + F * Eigen::Vector3d(-std::cos(0.1), 0, std::sin(0.1));
  const Eigen::Vector3d force = total_force(scene);
  EXPECT_LT((force - expected).norm(), 1e-4) << force.transpose();
}

TEST(Draw, AForceOfALawIsDrawnWhereTheSceneSays) {
  // The block of scenes/incline.toml at rest: x downhill, z off the slope.
  const std::string slope =
      "[parameters]\na = 0.2\nm = 3\ng = 10\n[lagrangian]\ncoordinates = [\"x\", \"z\"]\nkinetic = \"0.5*m*(x'^2 + z'^2)\"\n"
      "potential = \"m*g*(z*cos(a) - x*sin(a))\"\n"
      "[[dry_friction]]\nname = \"pad\"\nvelocity = \"x'\"\nlimit = 1\n"
      "[[contact]]\nname = \"slope\"\ngap = \"z\"\nslip = \"x'\"\nfriction = 0.5\n";
  const std::string drawn =
      "[[draw]]\nforce = \"pad\"\nat = [0, 0]\nnormal = [\"cos(a)\", \"-sin(a)\"]\n"
      "[[draw]]\nforce = \"slope\"\nat = [\"x*cos(a)\", \"-x*sin(a)\"]\nnormal = [\"sin(a)\", \"cos(a)\"]\n"
      "tangents = [[\"cos(a)\", \"-sin(a)\"]]\n";
  const Scene scene = test::scene_from(slope + kRun + drawn);
  const Json contact = document_of(scene)["primitives"][1];
  EXPECT_EQ(contact["law"], 0);  // contacts come before dry friction
  EXPECT_EQ(contact["gap"], 0);
  EXPECT_EQ(contact["rows"], Json({0, 1}));
  EXPECT_EQ(contact["friction"], Json({0.5}));
  const Json pad = document_of(scene)["primitives"][0];
  EXPECT_EQ(pad["gap"], nullptr);
  EXPECT_EQ(pad["rows"], Json({2}));
  // Pad and slope share the friction; together they carry the weight 30 upwards.
  const Eigen::Vector3d force = total_force(scene);
  EXPECT_LT((force - Eigen::Vector3d(0, 30, 0)).norm(), 1e-9) << force.transpose();
}

// A gap need not be a distance: the force is the multiplier times the gradient of the gap, whatever its length.
TEST(Draw, TheNormalIsTheGradientOfTheGap) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"1.5*(x'^2 + y'^2)\"\npotential = \"30*y\"\n"
      "[[contact]]\nname = \"floor\"\ngap = \"5*y\"\n" +
      kRun + "[[draw]]\nforce = \"floor\"\nat = [\"x\", \"y\"]\nnormal = [0, 5]\n");
  const Eigen::Vector3d force = total_force(scene);
  EXPECT_LT((force - Eigen::Vector3d(0, 30, 0)).norm(), 1e-9) << force.transpose();
}

}  // namespace tippe::scene_draw_test
