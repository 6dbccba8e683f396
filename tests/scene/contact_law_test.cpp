// SPDX-License-Identifier: Apache-2.0
// Which contacts the [[contact_law]] entries of a scene make.
#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "support/scenes.h"

namespace tippe::scene_contact_law_test {

std::string ball(const std::string& name, double x, const std::string& more = "") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [" + std::to_string(x) +
         ", 0, 2]\n[[body.sphere]]\nradius = 1\n" + more;
}
const std::string kFloor = "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 3]\npoint = [7, 8, 0.5]\n";

/// name -> law.
std::map<std::string, ForceLaw> laws_of(const std::string& text, std::vector<std::string>* notes = nullptr) {
  const Scene scene = test::scene_from(text + "[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
  std::map<std::string, ForceLaw> laws;
  for (const ForceLaw& law : scene.system->laws()) laws[law.name] = law;
  if (notes) *notes = scene.run.notes;
  return laws;
}
std::vector<std::string> names_of(const std::map<std::string, ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const auto& [name, law] : laws) names.push_back(name);
  return names;
}
using Names = std::vector<std::string>;

TEST(ContactLaw, PairsWithoutALawDoNotTouch) {
  const std::string bodies = ball("a", 0) + ball("b", 3) + kFloor;
  EXPECT_TRUE(laws_of(bodies).empty());
  EXPECT_EQ(names_of(laws_of(bodies + "[[contact_law]]\nbetween = [\"floor\", \"b\"]\n")), Names{"b-floor"});
}

TEST(ContactLaw, TheStarStandsForAllThatCanTouchAndTheLastLawOfAPairCounts) {
  const auto laws = laws_of(ball("a", 0) + ball("b", 3) + ball("c", 6) + kFloor +
                            "[[contact_law]]\nbetween = [\"b\", \"*\"]\nrestitution = 0.1\n"
                            "[[contact_law]]\nbetween = [\"*\", \"*\"]\nrestitution = 0.2\nfriction = 0.5\n"
                            "[[contact_law]]\nbetween = [\"floor\", \"*\"]\nrestitution = 0.3\n"
                            "[[contact_law]]\nbetween = [\"c\", \"a\"]\nrestitution = 0.4\n");
  EXPECT_EQ(names_of(laws), (Names{"a-b", "a-c", "a-floor", "b-c", "b-floor", "c-floor"}));
  EXPECT_EQ(laws.at("a-b").epsilon[0], 0.2);
  EXPECT_EQ(laws.at("a-b").rows, 3);
  EXPECT_EQ(laws.at("a-b").mu1, 0.5);
  EXPECT_EQ(laws.at("a-b").mu2, 0.5);
  EXPECT_EQ(laws.at("a-c").epsilon[0], 0.4);
  EXPECT_EQ(laws.at("a-c").rows, 1);
  for (const char* name : {"a-floor", "b-floor", "c-floor"}) EXPECT_EQ(laws.at(name).epsilon[0], 0.3) << name;
}

TEST(ContactLaw, JoinedBodiesTouchOnlyIfBothAreNamed) {
  const std::string joined = ball("a", 0) + ball("b", 3) + kFloor + "[[joint]]\ntype = \"rod\"\nbetween = [\"b\", \"a\"]\n";
  EXPECT_EQ(names_of(laws_of(joined + "[[contact_law]]\nbetween = [\"*\", \"*\"]\n")), (Names{"a-floor", "b-floor"}));
  EXPECT_EQ(names_of(laws_of(joined + "[[contact_law]]\nbetween = [\"a\", \"*\"]\n")), Names{"a-floor"});
  EXPECT_EQ(names_of(laws_of(joined + "[[contact_law]]\nbetween = [\"a\", \"b\"]\n")), Names{"a-b"});
}

TEST(ContactLaw, RepeatsBodiesShapesPlanesAndLaws) {
  const auto laws = laws_of(
      "[[body]]\nfor = { i = \"1..3\" }\nname = \"b{i}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [\"5*{i}\", 0, 9]\n"
      "[[body.sphere]]\nfor = { k = \"1..2\" }\nname = \"s{k}\"\ncenter = [0, 0, \"{k}\"]\nradius = \"0.1*{i}\"\n"
      "[[plane]]\nfor = { j = \"0..1\" }\nname = \"wall{j}\"\nnormal = [0, 0, 1]\npoint = [0, 0, \"{j}\"]\n"
      "[[contact_law]]\nfor = { i = \"2..3\" }\nbetween = [\"b{i}\", \"wall{i-2}\"]\nrestitution = \"0.1*{i}\"\n");
  EXPECT_EQ(names_of(laws), (Names{"b2.s1-wall0", "b2.s2-wall0", "b3.s1-wall1", "b3.s2-wall1"}));
  EXPECT_DOUBLE_EQ(laws.at("b3.s1-wall1").epsilon[0], 0.3);
}

TEST(ContactLaw, ReadsDrillingAndTangentialRestitution) {
  const auto laws =
      laws_of(ball("a", 0) + kFloor +
              "[[contact_law]]\nbetween = [\"a\", \"floor\"]\nrestitution = 0.5\nrestitution_tangential = 0.25\n"
              "friction = { mu = 0.3, contact_radius = 5e-4, set = \"cylinder\" }\n");
  const ForceLaw& law = laws.at("a-floor");
  EXPECT_EQ(law.rows, 4);
  EXPECT_EQ(law.mu1, 0.3);
  EXPECT_EQ(law.epsilon, (std::array{0.5, 0.25, 0.25, 0.25}));
  ASSERT_TRUE(law.drilling.has_value());
  EXPECT_NEAR(law.drilling->Rbar, 3 * std::numbers::pi / 16 * 5e-4, 1e-18);
  EXPECT_EQ(law.drilling->set, DrillingSet::kCylinder);
}

// The plane z = 0.5 with normals of other lengths, the ball of radius 1 at z = 2.
TEST(ContactLaw, APlaneGoesThroughItsPointAndItsNormalMayHaveAnyLength) {
  for (const char* length : {"3", "1e-200", "1e200"}) {
    const Scene scene = test::scene_from(ball("a", 0) + "[[plane]]\nname = \"floor\"\nnormal = [0, 0, " + length +
                                         "]\npoint = [7, 8, 0.5]\n[[contact_law]]\nbetween = [\"a\", \"floor\"]\n"
                                         "[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n");
    const auto evaluator = scene.system->make_evaluator();
    evaluator->set_state(0.0, scene.start.q, scene.start.u);
    EXPECT_NEAR(gaps_of(*evaluator)[0], 0.5, 1e-15) << length;
  }
}

TEST(ContactLaw, ShapesThatPassThroughEachOtherByAStarAreNoted) {
  std::vector<std::string> notes;
  const std::string box = "[[body.box]]\ncenter = [0, 0, 2]\nsize = [0.1, 0.1, 0.1]\n";
  const auto laws = laws_of("[world]\ncontacts = \"expressions\"\n" + ball("a", 0, box) + ball("b", 3) + kFloor +
                                "[[contact_law]]\nbetween = [\"*\", \"*\"]\n",
                            &notes);
  EXPECT_EQ(laws.size(), 1u + 9u + 1u);  // a-b, sphere and eight corners on the floor, b-floor
  EXPECT_EQ(notes, Names{"shapes of a-b pass through each other: as expressions only spheres touch bodies"});
}

}  // namespace tippe::scene_contact_law_test
