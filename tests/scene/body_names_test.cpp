// SPDX-License-Identifier: Apache-2.0
// What the names of bodies and their points stand for in expressions, and that numbers stay numbers.
#include "support/bodies.h"
#include "tippe/core/error.h"

namespace tippe::scene_body_names_test {

// R of a quarter turn about z takes (1, 0, 0) to (0, 1, 0); with Omega = 2 e_z the tip at distance 3 moves with v + 2 e_z x (0, 3, 0).
const std::string kBody =
    "[[body]]\nname = \"link1\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [5, 6, 7]\nvelocity = [1, 2, 3]\n"
    "orientation = { axis = [0, 0, 2], angle = \"pi/2\" }\nangular_velocity = [0, 0, 2]\n"
    "[[body.point]]\nname = \"end\"\nat = [3, 0, 1]\n";

double value(const std::string& expression, const std::string& more = "") {
  const Scene scene =
      test::scene_from(kBody + more + "[output.quantities]\nq = '''" + expression + "'''\n" + test::accurate_run(1.0));
  return test::quantity(scene, scene.start, "q");
}

TEST(BodyNames, StandForCoordinatesVelocitiesAndPoints) {
  EXPECT_NEAR(value("link1.x"), 5, 1e-15);
  EXPECT_NEAR(value("link1.qw"), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(value("link1.vy"), 2, 1e-15);
  EXPECT_NEAR(value("link1.y'"), 2, 1e-15);
  EXPECT_NEAR(value("link1.wz"), 2, 1e-15);
  EXPECT_NEAR(value("link1.qz'"), std::sqrt(0.5), 1e-15);  // cos(pi/4) * 2/2
  EXPECT_NEAR(value("link1.end.x"), 5, 1e-14);
  EXPECT_NEAR(value("link1.end.y"), 9, 1e-14);
  EXPECT_NEAR(value("link1.end.z"), 8, 1e-14);
  EXPECT_NEAR(value("link1.end.x'"), 1 - 6, 1e-14);
  EXPECT_NEAR(value("link1.end.y'"), 2, 1e-14);
  EXPECT_NEAR(value("link1.end.z'"), 3, 1e-14);
}

TEST(BodyNames, MixWithNumbersFunctionsAndBraces) {
  EXPECT_NEAR(value("2.5*link1.x"), 12.5, 1e-14);
  EXPECT_NEAR(value(".5*link1.x^2.0"), 12.5, 1e-14);
  EXPECT_NEAR(value("sum(i, 1, 1, link{i}.end.y*{i})"), 9, 1e-14);
  EXPECT_NEAR(value("sqrt(link1.end.x^2 + 11)"), 6, 1e-14);
  EXPECT_NEAR(value("-link1.x'-link1.x"), -6, 1e-14);
  EXPECT_THROW((void)value("3.link1.x"), InputError);  // the number 3. and a name, with no operator between
  EXPECT_THROW((void)value("link1 .x"), InputError);
  EXPECT_THROW((void)value("link1.2"), InputError);
}

// A name means the same in every formulation.
TEST(BodyNames, MeanTheSameInEveryFormulation) {
  for (const char* formulation : {"scalable", "affine"}) {
    std::string text = kBody;
    text.insert(text.find("mass"), std::string("formulation = \"") + formulation + "\"\n");
    const Scene scene = test::scene_from(
        text + "[output.quantities]\nv = \"link1.end.x'\"\nw = \"link1.wz\"\ny = \"link1.y'\"\n" + test::accurate_run(1.0));
    EXPECT_NEAR(test::quantity(scene, scene.start, "v"), -5, 1e-14);
    EXPECT_NEAR(test::quantity(scene, scene.start, "w"), 2, 1e-14);
    EXPECT_NEAR(test::quantity(scene, scene.start, "y"), 2, 1e-14);
  }
}

TEST(BodyNames, AreUsableInLawsAndStopConditions) {
  const Scene scene = test::scene_from(
      "[world]\ngravity = [0, 0, -10]\n" + kBody +
      "[[contact]]\nname = \"floor\"\ngap = \"link1.end.z\"\nslip = [\"link1.end.x'\", \"link1.end.y'\"]\nfriction = 0.1\n"
      "[[one_way]]\nname = \"ratchet\"\nvelocity = \"link1.wz\"\n[[dry_friction]]\nname = \"pad\"\nvelocity = \"link1.wx\"\n"
      "limit = 0.1\n[[bilateral]]\nname = \"rail\"\nposition = \"link1.y - 2*link1.x + 4\"\n"
      "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 5\nstop_when = \"6 - link1.end.z\"\n");
  EXPECT_EQ(scene.system->laws().size(), 3u);
  EXPECT_NEAR(test::end_of(scene).t, 1.0, 5e-3);  // 8 + 3 t - 5 t^2 = 6
}

// Bodies beside a [lagrangian] with velocities of its own: each keeps its own motion.
TEST(BodyNames, BodiesStandBesideVelocitiesOfOnesOwnChoice) {
  const Scene scene = test::scene_from(
      kBody +
      "[lagrangian]\ncoordinates = [\"x\", \"y\", \"th\"]\nkinetic = \"0.5*(x'^2 + y'^2 + th'^2)\"\n"
      "[velocities]\nnames = [\"v\", \"w\"]\n[velocities.rates]\nx = \"v*cos(th)\"\ny = \"v*sin(th)\"\nth = \"w\"\n"
      "[initial]\nv = 2\nw = 1\n" +
      test::accurate_run(1.0));
  const State end = test::end_of(scene);
  EXPECT_NEAR(end.q[0], 2 * std::sin(1.0), 1e-9);  // a circle of radius 2
  EXPECT_NEAR(end.q[1], 2 * (1 - std::cos(1.0)), 1e-9);
  EXPECT_NEAR(test::coordinate(scene, end, "link1.x"), 6, 1e-9);
  EXPECT_NEAR(test::velocity(scene, end, "link1.wz"), 2, 1e-9);
}

// A chain of many is read in time in proportion to their number.
TEST(BodyNames, AreFoundInLongChains) {
  const Scene scene = test::load("body_chain", {.settings = {"n=200"}, .integrator = {}, .dt = {}, .until = {}});
  EXPECT_EQ(scene.system->nq(), 1400);
  EXPECT_EQ(scene.system->constraints().size(), 600u);
  EXPECT_NEAR(test::quantity(scene, scene.start, "tip_z"), -std::sqrt(0.5), 1e-12);
}

}  // namespace tippe::scene_body_names_test
