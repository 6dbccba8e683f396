// SPDX-License-Identifier: Apache-2.0
// Contact problems at an instant from text: every key, and every mistake with its place.
#include "tippe/exchange/instant_file.h"

#include <fstream>

#include "support/temporary_folder.h"
#include "tippe/core/error.h"

namespace tippe::exchange_instant_file_test {

constexpr const char* kBlock = R"({ // a block on two points
  "title": "Block", "coordinates": ["x", "y", "phi"],
  "M": [[3, 0, 0], [0, 3, 0], [0, 0, 0.5]], "F": [0, 29.43, -1e-3],  /* weight
                                                                        and a moment */
  "unilateral": [
    {"name": "heel", "normal": [0, 1, -1], "drift": 0.25, "rate": 0.5, "tangents": [[1, 0, 2]], "tangent_drift": [-0.5], "mu": 0.5, "slip": [0.1]},
    {"normal": [0, 1, 1], "tangents": [1, 0, 3], "tangent_drift": 4, "slip": 0, "mu": null}
  ],
  "bilateral": [ {"normal": [1, 0, 0]} ],
  "velocity": [0, -1, 0.5], "restitution": 0.25
}
)";

/// "line:column: message" of a refusal; "nothing" if there is none.
std::string refusal(const std::string& text, const std::string& file = "p.json") {
  try {
    (void)read_instant(text, file);
  } catch (const InputError& error) {
    EXPECT_EQ(error.position().file, file);
    return std::to_string(error.position().line) + ":" + std::to_string(error.position().column) + ": " + error.what();
  }
  return "nothing";
}

/// The same for {"M": [[2]], "F": [1], ...} with something in place of the dots.
std::string refusal_with(const std::string& rest) {
  return refusal("{\"M\": [[2]], \"F\": [1],\n" + rest + "}");
}

TEST(InstantFile, ReadsEveryKeyOfJson) {
  const Instant instant = read_instant(kBlock, "block.json");
  EXPECT_EQ(instant.title, "Block");
  const AccelerationProblem& problem = *instant.acceleration;
  EXPECT_EQ(problem.M, (Eigen::Vector3d(3, 3, 0.5).asDiagonal().toDenseMatrix()));
  EXPECT_EQ(problem.F, Eigen::Vector3d(0, 29.43, -1e-3));
  EXPECT_EQ(problem.coordinates, (std::vector<std::string>{"x", "y", "phi"}));
  ASSERT_EQ(problem.unilateral.size(), 2u);
  const ContactRows& heel = problem.unilateral[0];
  EXPECT_EQ(heel.name, "heel");
  EXPECT_EQ(heel.normal, Eigen::Vector3d(0, 1, -1));
  EXPECT_EQ(heel.drift, 0.25);
  EXPECT_EQ(heel.rate, 0.5);
  EXPECT_EQ(heel.tangents, Eigen::Vector3d(1, 0, 2));
  EXPECT_EQ(heel.tangent_drift[0], -0.5);
  EXPECT_EQ(heel.mu, 0.5);
  EXPECT_TRUE(heel.slides());
  const ContactRows& toe = problem.unilateral[1];  // one tangent without brackets
  EXPECT_EQ(toe.name, "A2");
  EXPECT_EQ(toe.tangents, Eigen::Vector3d(1, 0, 3));
  EXPECT_EQ(toe.tangent_drift[0], 4.0);
  EXPECT_FALSE(toe.mu.has_value());
  EXPECT_FALSE(toe.slides());
  EXPECT_EQ(problem.bilateral[0].name, "B1");
  EXPECT_EQ(problem.bilateral[0].tangent_count(), 0);
  ASSERT_TRUE(instant.impact);
  EXPECT_EQ(instant.impact->velocity, Eigen::Vector3d(0, -1, 0.5));
  EXPECT_EQ(instant.impact->restitution, 0.25 * Eigen::Matrix2d::Identity());
  EXPECT_EQ(instant.impact->bilateral.size(), 1u);
  EXPECT_TRUE(instant.notes.empty());
}

TEST(InstantFile, ReadsTheSameFromToml) {
  const Instant instant = read_instant(R"(
title = "Block"
M = [[1, 0], [0, 2.5]]
F = [0, 9.81]
velocity = [0, -1]
restitution = [[0.5, 0.1], [0, 0.5]]
[[unilateral]]
normal = [0, 1]
tangents = [[1, 0]]
mu = 1
[[unilateral]]
name = "wall"
normal = [1, 0]
)",
                                       "block.toml");
  EXPECT_EQ(instant.acceleration->M(1, 1), 2.5);
  EXPECT_EQ(instant.acceleration->unilateral[0].name, "A1");
  EXPECT_EQ(instant.acceleration->unilateral[0].tangent_drift, Eigen::VectorXd::Zero(1));
  EXPECT_EQ(instant.acceleration->unilateral[1].name, "wall");
  EXPECT_EQ(instant.impact->restitution, (Eigen::Matrix2d() << 0.5, 0.1, 0, 0.5).finished());
}

TEST(InstantFile, ReadsDryFriction) {
  const Instant instant = read_instant(
      "M = [[2, 0], [0, 1]]\nF = [1, 2]\n"
      "[[dry_friction]]\ndirection = [1, -1]\nlimit = 3\n"
      "[[dry_friction]]\nname = \"pad\"\ndirection = [0, 1]\nlimit = 0.5\ndrift = 0.25\nslip = -0.1\n",
      "a.toml");
  ASSERT_EQ(instant.dry.size(), 2U);
  EXPECT_EQ(instant.dry[0].name, "D1");
  EXPECT_EQ(instant.dry[0].direction, Eigen::Vector2d(1, -1));
  EXPECT_EQ(instant.dry[0].limit, 3.0);
  EXPECT_EQ(instant.dry[0].slip, 0.0);
  EXPECT_EQ(instant.dry[1].name, "pad");
  EXPECT_EQ(instant.dry[1].drift, 0.25);
  EXPECT_EQ(instant.dry[1].slip, -0.1);
  EXPECT_EQ(force_names(instant), (std::vector<std::string>{"D1", "pad"}));
}

TEST(InstantFile, RestitutionPerContactAndWithoutAPartner) {
  const std::string two = R"({"M": [[1]], "F": [0], "unilateral": [{"normal": [1]}, {"normal": [-1]}], )";
  EXPECT_EQ(read_instant(two + R"("velocity": [1], "restitution": [0.5, 1]})", "p").impact->restitution,
            (Eigen::Matrix2d() << 0.5, 0, 0, 1).finished());
  for (const char* rest : {R"("velocity": [1]})", R"("restitution": 0.5})"}) {
    const Instant instant = read_instant(two + rest, "p");
    EXPECT_FALSE(instant.impact);
    EXPECT_EQ(instant.notes.size(), 1u);
  }
}

TEST(InstantFile, WhatIsJsonAndWhatIsNot) {
  EXPECT_EQ(refusal("\xEF\xBB\xBF{\"M\": [[1]], \"F\": [0]}"), "nothing");
  EXPECT_EQ(refusal(""), "1:1: there is nothing in this file but blanks and comments; a problem begins with {");
  EXPECT_EQ(refusal("// M\n"), "2:1: there is nothing in this file but blanks and comments; a problem begins with {");
  EXPECT_EQ(refusal("[1]"), "1:1: a list where a table { \"M\": ..., \"F\": ... } is expected");
  EXPECT_EQ(refusal("{\"M\": [[1]],\n \"F\": [0],}"), "2:11: a comma before the closing }; remove it");
  EXPECT_EQ(refusal("{\"M\": [[1]\n \"F\": [0]}"), "2:2: '\"' where a comma, or the closing ] of line 1, is expected");
  EXPECT_EQ(refusal("{\"M\" [[1]]}"), "1:6: '[' where a : is expected behind the key 'M'");
  EXPECT_EQ(refusal("{M: [[1]]}"), "1:2: 'M' where a key in double quotes, or the closing } of line 1, is expected");
  EXPECT_EQ(refusal("{\"M"), "1:2: this text has no closing quote on its line");
  EXPECT_EQ(refusal("{\"M\": /* [[1]]"), "1:7: this comment has no end; write */ behind it");
  EXPECT_EQ(refusal("{\"M\": [[1]], \"F\": [0]} x"), "1:24: 'x' after the end of the problem");
  EXPECT_EQ(refusal("{\"M\": [[1e999]]}"), "1:9: 1e999 is beyond double precision");
  EXPECT_EQ(refusal("{\"M\": [[1..2]]}"), "1:9: '1..2' is no number");
  EXPECT_EQ(refusal("{\"M\": [[NaN]]}"), "1:9: NaN cannot be used here; numbers must be finite");
  EXPECT_EQ(refusal("{\"M\": [[-Infinity]]}"), "1:9: a - without a number; infinite numbers cannot be used");
  EXPECT_EQ(refusal("{\"M\": yes}"), "1:7: 'yes' is no value; texts need double quotes");
  EXPECT_EQ(refusal("{\"title\": \"\\x\"}"), "1:13: 'x' behind a \\ in a text; a backslash itself is \\\\");
  EXPECT_EQ(refusal("{\"M\": 1, \"M\": 2}"), "1:10: the key 'M' stands twice in this table");
  EXPECT_EQ(refusal(std::string(100000, '[')), "1:102: more than 100 lists and tables inside each other");
  // A character is one column, however many bytes it has.
  EXPECT_EQ(refusal("{\"title\": \"\u00e4\u4e16\", \"Q\": 1}").substr(0, 6), "1:17: ");
}

TEST(InstantFile, TextsWithEscapes) {
  const Instant instant = read_instant(R"({"title": "\u00e4 \ud83d\ude00 \"\\\/\n", "M": [[1]], "F": [0]})", "p");
  EXPECT_EQ(instant.title, "\u00e4 \U0001F600 \"\\/\n");
  EXPECT_EQ(refusal(R"({"title": "\ud83d"})"), "1:18: half of a surrogate pair in a text");
  EXPECT_EQ(refusal(R"({"title": "\u12"})"), "1:14: \\u needs four hexadecimal digits");
}

TEST(InstantFile, NamesHaveNoControlCharactersAndTextsAreUtf8) {
  EXPECT_EQ(refusal_with(R"("unilateral": [{"name": "a\u001b[2J", "normal": [1]}])"),
            "2:25: unilateral[0].name has the control character U+001B; names may not have any");
  EXPECT_EQ(refusal_with(R"("coordinates": ["a\u009b"])"),
            "2:17: a coordinate has the control character U+009B; names may not have any");
  EXPECT_EQ(refusal_with("\"coordinates\": [\"\u00e4\u4e16\U0001F600\"]"), "nothing");
  // A stray byte, a cut sequence, an overlong slash, a surrogate, beyond U+10FFFF.
  for (const char* bytes : {"\xff", "\xe4", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"})
    EXPECT_EQ(refusal_with("\"title\": \"" + std::string(bytes) + "\""),
              "2:10: this text is not UTF-8; save the file in that encoding");
}

TEST(InstantFile, NotesWhatIsRarelyMeant) {
  const Instant instant = read_instant(R"({"M": [[1]], "F": [0], "unilateral": [
    {"name": "flat", "normal": [0], "mu": 0.5}, {"name": "foot", "normal": [1], "tangents": [[0]], "mu": 0.5}]})",
                                       "p");
  ASSERT_EQ(instant.notes.size(), 3u);
  EXPECT_NE(instant.notes[0].find("normal of 'flat' is zero"), std::string::npos);
  EXPECT_NE(instant.notes[1].find("mu of 'flat' is not used"), std::string::npos);
  EXPECT_NE(instant.notes[2].find("tangent of 'foot' is zero"), std::string::npos);
}

TEST(InstantFile, MistakesHaveTheirPlace) {
  EXPECT_EQ(refusal("{\"F\": [1]}"), "1:1: 'M' is missing: the mass matrix, a list of rows");
  EXPECT_EQ(refusal("{\"M\": [[1]]}"),
            "1:1: 'F' is missing: the terms of M a + F = contact forces, one number for each row of M");
  EXPECT_EQ(refusal("{\"M\": [1], \"F\": [1]}"), "1:8: M[0] is a number and must be a list of numbers");
  EXPECT_EQ(refusal("{\"M\": [[1, 2]], \"F\": [1]}"),
            "1:8: M[0] has 2 numbers and must have 1: M has 1 rows and must be square");
  EXPECT_EQ(refusal("{\"M\": [[1]], \"F\": [1, 2]}"), "1:19: F has 2 numbers and must have 1: one for each row of M");
  EXPECT_EQ(refusal("{\"M\": [[1]], \"F\": [\"1\"]}"), "1:20: F[0] is a text and must be a number");
  EXPECT_EQ(refusal("{\"M\": [], \"F\": []}"), "1:7: M has no rows; a problem needs at least one degree of freedom");
  EXPECT_EQ(refusal("{\"M\": [[1, 2], [2, 1]],\n\"F\": [1, 2]}").substr(0, 72),
            "1:7: the inertia matrix M is not positive semidefinite: its energy is ne");
  EXPECT_EQ(refusal("{\"M\": [[1, 2], [3, 9]], \"F\": [1, 2]}"),
            "1:7: M must be symmetric, but M[1][0] = 3 and M[0][1] = 2");
  EXPECT_EQ(
      refusal_with("\"unilatral\": []"),
      "2:1: unknown key 'unilatral' in a problem; did you mean 'unilateral'? (known: title, description, coordinates, M, F, "
      "unilateral, bilateral, dry_friction, actuator, velocity, restitution)");
  EXPECT_EQ(refusal_with("\"dry_friction\": [{\"direction\": [1]}]"), "2:18: 'limit' is missing: the largest force");
  EXPECT_EQ(refusal_with("\"dry_friction\": [{\"direction\": [1], \"limit\": -2}]"),
            "2:46: dry friction 'D1': limit is -2 and must be a finite number >= 0");
  EXPECT_EQ(refusal_with("\"dry_friction\": [{\"direction\": [1], \"limit\": 2, \"mu\": 1}]"),
            "2:49: unknown key 'mu' in dry_friction[0] (known: name, direction, limit, drift, slip)");
  EXPECT_EQ(refusal_with("\"unilateral\": {}"), "2:15: unilateral is a table and must be a list of tables");
  EXPECT_EQ(refusal_with("\"unilateral\": [3]"), "2:16: unilateral[0] is a number and must be a table with 'normal'");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"name\": \"a\"}]"),
            "2:16: 'normal' is missing: the gradient of the gap, one number for each row of M");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1, 2]}]"),
            "2:27: A1.normal has 2 numbers and must have 1: one for each row of M");
  EXPECT_EQ(refusal_with("\"bilateral\": [{\"normal\": [1], \"drift\": [0]}]"),
            "2:40: B1.drift is a list and must be a number");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1], \"tangents\": [[1], [1], [1]]}]"),
            "2:44: A1.tangents are 3; there may be 1 (in the plane) or 2 (in space)");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1], \"tangents\": [[1], [1, 2]]}]"),
            "2:50: A1.tangents[1] has 2 numbers and must have 1: one for each row of M");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1], \"slip\": [1]}]"),
            "2:40: A1.slip has 1 numbers and must have 0: one for each tangent");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1], \"mu\": -0.5}]"),
            "2:38: unilateral contact 'A1': mu is -0.5 and must be a finite number >= 0");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1], \"tangents\": [1], \"slip\": 1}]"),
            "2:16: unilateral contact 'A1' slides and needs a mu");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1]}, {\"normal\": [1], \"name\": \"A1\"}]"),
            "2:33: two contacts or constraints are called 'A1'; names must differ");
  EXPECT_EQ(refusal_with("\"unilateral\": [{\"normal\": [1], \"name\": \"\"}]"),
            "2:16: a unilateral contact has an empty name");
  EXPECT_EQ(refusal_with("\"coordinates\": [\"x\", \"y\"]"),
            "2:16: coordinates has 2 names and must have 1: one for each row of M");
  EXPECT_EQ(refusal_with("\"velocity\": [1, 2], \"restitution\": 1"),
            "2:13: velocity has 2 numbers and must have 1: one for each row of M");
  EXPECT_EQ(refusal_with("\"velocity\": [1], \"restitution\": [1]"),
            "2:33: restitution has 1 numbers and must have 0: one for each unilateral contact");
  EXPECT_EQ(refusal_with("\"velocity\": [1], \"restitution\": true"),
            "2:33: restitution is true or false and must be a number, a list or a matrix");
}

TEST(InstantFile, MistakesInToml) {
  EXPECT_EQ(refusal("M = [[1.0]]\nF = [nan]\n", "p.toml"), "2:6: F[0] is nan and must be finite");
  EXPECT_EQ(refusal("M = [[1.0]]\nF = [0]\n[[unilateral]]\nnormal = [1.0]\nMU = 1\n", "p.toml").substr(0, 48),
            "5:1: unknown key 'MU' in unilateral[0]; did you ");
  EXPECT_EQ(refusal("M = [[1.0]]\nF = 2020-01-01\n", "p.toml"), "2:5: F is a date and must be a list of numbers");
  EXPECT_EQ(refusal("M = [[1.0]]\nF = [0\n", "p.toml").substr(0, 2), "2:");
  EXPECT_NE(refusal("M = " + std::string(100000, '['), "p.toml"), "nothing");
  std::string deep = "a";
  for (int k = 0; k < 100000; ++k) deep += ".a";
  EXPECT_EQ(refusal(deep + " = 1", "p.toml"), "1:1: a key of more than 100 parts");
}

/// A list of a million numbers is no matrix of a million rows.
TEST(InstantFile, TakesNoMemoryForWhatIsNotThere) {
  std::string row = "[0", rows = "{\"M\": [";
  for (int k = 1; k < 1000000; ++k) row += ",0";
  rows += row + "]";
  for (int k = 1; k < 1000000; ++k) rows += ",[]";
  EXPECT_EQ(refusal(rows + "]}").substr(0, 10), "1:2000010:");
}

TEST(InstantFile, IsToldFromAScene) {
  const test::TemporaryFolder folder;
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder.path() / name) << text;
    return folder.path() / name;
  };
  EXPECT_TRUE(is_instant_file(folder.path() / "missing.json"));
  EXPECT_FALSE(is_instant_file(folder.path() / "missing.toml"));
  EXPECT_FALSE(is_instant_file(folder.path()));
  EXPECT_TRUE(is_instant_file(write("a.toml", "F = [1]\nM = [[1]]\n")));
  EXPECT_FALSE(is_instant_file(write("b.toml", "tippe = 1\n[parameters]\nM = 1\n")));
  EXPECT_FALSE(is_instant_file(write("c.toml", "M = [[1\n")));
  EXPECT_TRUE(is_instant_file(write("d", " {\"M\": 1}")));
  EXPECT_THROW((void)load_instant(folder.path() / "missing.json"), FileError);
  EXPECT_EQ(load_instant(write("e.json", kBlock)).title, "Block");
}

}  // namespace tippe::exchange_instant_file_test
