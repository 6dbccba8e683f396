// SPDX-License-Identifier: Apache-2.0
#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::scene_repetition_test {

const std::string kRun = "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.5\n";

// The same system written out and with repetitions: the same bits.
TEST(Repetition, IsTheSameAsWritingItOut) {
  const Scene repeated = test::scene_from(R"toml(
[parameters]
n = 3
"h{i} for i in 1..n" = "0.1*{i}"
top = "sum(k, 1, n, h{k})"
[lagrangian]
coordinates = ["phi", "x{i} for i in 1..n", "y{i} for i in 1..n"]
kinetic = "0.5*phi'^2 + sum(i, 1, n, 0.5*(x{i}'^2 + y{i}'^2))"
potential = "9.81*sum(i, 1, n, y{i}) + top*phi^2"
[lagrangian.forces]
"x{i} for i in 2..n" = "{i}*phi - h{i}*x{i-1}'"
[[contact]]
for = { i = "1..n" }
name = "floor {i}"
gap = "y{i}"
slip = "x{i}'"
friction = "h{i}"
restitution = "{i}/10"
[[dry_friction]]
for = { i = "1..n-1", j = "{i+1}..n" }
name = "pad {i}-{j}"
velocity = "x{j}' - x{i}'"
limit = "0.1*{i}"
[initial]
"y{i} for i in 1..n" = "h{i}"
"x{i}' for i in 1..n" = "2*{i}"
phi = 0.1
[run]
integrator = "moreau"
dt = 1e-3
until = 0.5
)toml");
  std::string text = R"toml(
[lagrangian]
coordinates = ["phi", "x1", "x2", "x3", "y1", "y2", "y3"]
kinetic = "0.5*phi'^2 + (0.5*(x1'^2 + y1'^2) + 0.5*(x2'^2 + y2'^2) + 0.5*(x3'^2 + y3'^2))"
potential = "9.81*(y1 + y2 + y3) + (0.1*1 + 0.1*2 + 0.1*3)*phi^2"
[lagrangian.forces]
x2 = "2*phi - 0.1*2*x1'"
x3 = "3*phi - 0.1*3*x2'"
)toml";
  for (const std::string i : {"1", "2", "3"})
    text += "[[contact]]\nname = \"floor " + i + "\"\ngap = \"y" + i + "\"\nslip = \"x" + i + "'\"\nfriction = \"0.1*" + i +
            "\"\nrestitution = \"" + i + "/10\"\n";
  for (const auto& [i, j] : std::vector<std::pair<std::string, std::string>>{{"1", "2"}, {"1", "3"}, {"2", "3"}})
    text += "[[dry_friction]]\nname = \"pad " + i + "-" + j + "\"\nvelocity = \"x" + j + "' - x" + i +
            "'\"\nlimit = \"0.1*" + i + "\"\n";
  text +=
      "[initial]\nphi = 0.1\ny1 = \"0.1*1\"\ny2 = \"0.1*2\"\ny3 = \"0.1*3\"\n\"x1'\" = 2\n\"x2'\" = 4\n\"x3'\" = 6\n" + kRun;
  const Scene written = test::scene_from(text);
  EXPECT_EQ(repeated.system->coordinate_names(), written.system->coordinate_names());
  ASSERT_EQ(repeated.system->laws().size(), 6u);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(repeated.system->laws()[i].name, written.system->laws()[i].name);
  const RunSummary first = test::run(repeated), second = test::run(written);
  EXPECT_EQ(first.final_state.q, second.final_state.q);
  EXPECT_EQ(first.final_state.u, second.final_state.u);
}

TEST(Repetition, ParametersMayNeedEachOtherInAnyOrder) {
  const Scene scene = test::scene_from(R"toml(
[parameters]
all = "sum(i, 1, n, a{i})"
"a{i} for i in 2..n" = "2*a{i-1}"
a1 = 1
n = "2*half"
half = 3
none = "sum(i, 5, 4, unknown{i})"
[lagrangian]
coordinates = ["x"]
kinetic = "x'^2"
[run]
integrator = "moreau"
dt = 1
until = 2
)toml");
  EXPECT_EQ(scene.origin.parameters.at("a6"), 32.0);
  EXPECT_EQ(scene.origin.parameters.at("all"), 63.0);
  EXPECT_EQ(scene.origin.parameters.at("none"), 0.0);
}

TEST(Repetition, SettingsReachRangesAndSingleOnes) {
  const std::string text =
      "tippe = 1\n[parameters]\nn = 2\n\"a{i} for i in 1..n\" = \"{i}\"\n[lagrangian]\ncoordinates = "
      "[\"x{i} for i in 1..n\"]\nkinetic = \"sum(i, 1, n, a{i}*x{i}'^2)\"\n[run]\nintegrator = \"moreau\"\ndt = 1\nuntil = "
      "2\n";
  const Scene scene = read_scene(text, "a.toml", {.settings = {"n=4", "a3=7"}, .integrator = {}, .dt = {}, .until = {}});
  EXPECT_EQ(scene.system->nq(), 4);
  EXPECT_EQ(scene.origin.parameters.at("a3"), 7.0);
  EXPECT_EQ(scene.origin.parameters.at("a4"), 4.0);
  EXPECT_THROW((void)read_scene(text, "a.toml", {.settings = {"a3=7"}, .integrator = {}, .dt = {}, .until = {}}),
               InputError);
}

TEST(Repetition, SeveralIndicesMakeAllCombinationsTheLastOneFirst) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x{i}_{j} for i in 1..2 for j in {i}..2\"]\n"
      "kinetic = \"sum(i, 1, 2, sum(j, {i}, 2, x{i}_{j}'^2))\"\n"
      "[[one_way]]\nfor = { j = \"1..2\", i = \"-1..0\" }\nname = \"{j} {i}\"\nvelocity = \"x1_1' + {i}^2*{j}\"\n" +
      kRun + "[output.quantities]\n\"z{i} for i in 1..2\" = \"x{i}_2\"\n");
  EXPECT_EQ(scene.system->coordinate_names(), (std::vector<std::string>{"x1_1", "x1_2", "x2_2"}));
  std::vector<std::string> names;
  for (const ForceLaw& law : scene.system->laws()) names.push_back(law.name);
  EXPECT_EQ(names, (std::vector<std::string>{"1 -1", "1 0", "2 -1", "2 0"}));
  EXPECT_EQ(scene.run.observables.names(), (std::vector<std::string>{"z1", "z2"}));
  // A negative index is one number: its square is positive.
  SparseColumns W;
  std::vector<double> chi;
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(0.0, scene.start.q, scene.start.u);
  evaluator->append_directions(list_of_fixed_laws(scene.system->laws()), 2, W, chi);
  EXPECT_EQ(chi, std::vector<double>{2.0});
}

/// A ball with contacts that are repeated in some way.
std::string ball_with(const std::string& repetition) {
  return "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[[contact]]\nfor = { " + repetition +
         " }\nname = \"a{i}_{j}_{k}\"\ngap = \"x\"\n" + kRun;
}

// Combinations of the first two indices are ten thousand million: whoever walks over them takes minutes.
TEST(Repetition, RangesAreCountedBeforeTheyAreWalked) {
  const std::string many = R"(i = "1..100000", j = "1..100000", )";
  EXPECT_EQ(test::scene_from(ball_with(many + R"(k = "1..0")")).system->laws().size(), 0u);
  EXPECT_THROW((void)test::scene_from(ball_with(many + R"(k = "1..1")")), InputError);
  EXPECT_THROW((void)test::scene_from(ball_with(many + R"(k = "1..{i-i}")")), InputError);
  EXPECT_THROW((void)test::scene_from(ball_with(R"(i = "1..100000", j = "{i}..100000", k = "1..0{i-i}")")), InputError);
  // Few of many combinations are left.
  EXPECT_EQ(test::scene_from(ball_with(R"(i = "1..300", j = "1..300", k = "{i*j}..2")")).system->laws().size(), 4u);
}

}  // namespace tippe::scene_repetition_test
