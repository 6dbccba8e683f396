// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "support/constrained_scenes.h"
#include "support/program.h"
#include "support/scenes.h"

namespace tippe::cli_export_test {

using test::run_program;

std::vector<std::vector<std::string>> split(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

TEST(Export, HasTheNamesOfTheSceneAndTheBitsOfTheRecording) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", test::scene_path("woodpecker"), "--quiet", "--no-report"}, folder.path()).exit_code, 0);
  const RecordedRun run = read_recording(folder.path() / "woodpecker.h5");
  const auto all = run_program({"export", "woodpecker.h5"}, folder.path());
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_EQ(
      all.output.substr(0, all.output.find('\n')),
      "time,y,alpha,phi,y',alpha',phi',gap beak,gap sleeve top,gap sleeve bottom,beak.n,beak.t,sleeve top.n,sleeve top.t,"
      "sleeve bottom.n,sleeve "
      "bottom.t,kinetic,potential,total,lost_in_contacts,lost_in_damping,work_done,pushed_out,unexplained");
  const auto rows = split(all.output);
  ASSERT_EQ(rows.size(), run.time.size() + 1);
  for (size_t k = 0; k < run.time.size(); ++k) {
    const std::vector<std::string>& row = rows[k + 1];
    ASSERT_EQ(row.size(), 24u);
    EXPECT_EQ(std::strtod(row[0].c_str(), nullptr), run.time[k]);
    EXPECT_EQ(std::strtod(row[3].c_str(), nullptr), run.q.values[k * 3 + 2]);
    EXPECT_EQ(std::strtod(row[8].c_str(), nullptr), run.gap.values[k * 3 + 1]);
    EXPECT_EQ(std::strtod(row[10].c_str(), nullptr), run.impulse.values[k * 6]);
    EXPECT_EQ(std::strtod(row[23].c_str(), nullptr), run.energy.values[k * 8 + 7]);
  }
  const auto chosen =
      run_program({"export", "woodpecker.h5", "--csv", "--columns", "beak.n,time,phi'", "--out", "few.csv"}, folder.path());
  EXPECT_EQ(chosen.output + chosen.errors, "");
  std::ostringstream few;
  few << std::ifstream(folder.path() / "few.csv").rdbuf();
  const auto few_rows = split(few.str());
  EXPECT_EQ(few_rows[0], (std::vector<std::string>{"beak.n", "time", "phi'"}));
  EXPECT_EQ(few_rows.back(), (std::vector<std::string>{rows.back()[10], rows.back()[0], rows.back()[6]}));
}

TEST(Export, AnUnknownColumnGetsASuggestionAndTheList) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", test::scene_path("woodpecker"), "--quiet", "--no-report"}, folder.path()).exit_code, 0);
  const auto result = run_program({"export", "woodpecker.h5", "--columns", "time,beek.n"}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("there is no 'beek.n'; did you mean 'beak.n'? (there are: time, y, "), std::string::npos)
      << result.errors;
  EXPECT_EQ(run_program({"export", "woodpecker.h5", "--out", "woodpecker.h5"}, folder.path()).exit_code, 2);
  EXPECT_EQ(run_program({"export", "woodpecker.h5", "--out", "no/such/folder.csv"}, folder.path()).exit_code, 4);
  EXPECT_EQ(run_program({"export", "missing.h5"}, folder.path()).exit_code, 4);
}

TEST(Export, QuotesNamesWhereTheyNeedIt) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "odd.toml") << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\n"
                                               "[[contact]]\nname = \"floor, \\\"hard\\\"\"\ngap = \"y\"\n"
                                               "[initial]\ny = 1\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 0.3\n";
  ASSERT_EQ(run_program({"run", "odd.toml", "--quiet", "--no-report"}, folder.path()).exit_code, 0);
  const auto all = run_program({"export", "odd.h5"}, folder.path());
  const std::string header = "time,y,y',\"gap floor, \"\"hard\"\"\",\"floor, \"\"hard\"\".n\",";
  EXPECT_EQ(all.output.substr(0, header.size()), header);
  const auto chosen = run_program({"export", "odd.h5", "--columns", "\"gap floor, \"\"hard\"\"\",time"}, folder.path());
  EXPECT_EQ(chosen.output, "\"gap floor, \"\"hard\"\"\",time\n1,0\n1,0.1\n1,0.2\n1,0.3\n");
}

// At the start the pendulum is horizontal and at rest: the rod carries nothing.
// A spreadsheet would run what begins in one of these ways as a formula; numbers stay as they are.
TEST(Export, TextsThatLookLikeFormulasAreHarmless) {
  const test::TemporaryFolder folder;
  for (const std::string first : {"=", "+", "-", "@"}) {
    std::ofstream(folder.path() / "ball.toml")
        << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n[[contact]]\n"
        << "name = \"" << first << "A1\"\ngap = \"y\"\nrestitution = 0.5\n[initial]\ny = 0.1\n[run]\n"
        << "integrator = \"event-driven\"\nuntil = 0.2\n";
    ASSERT_EQ(run_program({"run", "ball.toml", "--quiet", "--no-report"}, folder.path()).exit_code, 0);
    const auto events = split(run_program({"export", "ball.h5", "--events"}, folder.path()).output);
    ASSERT_GT(events.size(), 2u);
    EXPECT_EQ(events[0],
              (std::vector<std::string>{"time", "kind", "laws", "'" + first + "A1.before", "'" + first + "A1.after",
                                        "'" + first + "A1.n", "energy_lost", "alternatives", "note"}));
    EXPECT_EQ(events[2][2], "'" + first + "A1");
    for (const std::string quote : {"", "'"}) {
      const auto column =
          run_program({"export", "ball.h5", "--columns", "time," + quote + first + "A1.n,y'"}, folder.path());
      ASSERT_EQ(column.exit_code, 0) << column.errors;
      EXPECT_EQ(split(column.output)[0], (std::vector<std::string>{"time", "'" + first + "A1.n", "y'"}));
      EXPECT_NE(column.output.find(",-"), std::string::npos);  // it falls
    }
  }
}

TEST(Export, KnowsBilateralConstraints) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "twice.toml") << "tippe = 1\n" + test::twice(test::kPendulum);
  ASSERT_EQ(run_program({"run", "twice.toml", "--until", "0.1", "--no-report", "--quiet"}, folder.path()).exit_code, 0);
  const auto all = run_program({"export", "twice.h5"}, folder.path());
  const std::string header = all.output.substr(0, all.output.find('\n'));
  EXPECT_TRUE(header.ends_with(
      ",unexplained,rod.force,rod again.force,rod.position,rod again.position,rod.velocity,rod again.velocity,"
      "x.control_force,y.control_force,redundant"))
      << header;
  const auto rows =
      split(run_program({"export", "twice.h5", "--columns", "rod.force,y,redundant,y.control_force"}, folder.path()).output);
  EXPECT_EQ(rows[1], (std::vector<std::string>{"0", "0", "1", "0"}));
  const double force = std::strtod(rows.back()[0].c_str(), nullptr), y = std::strtod(rows.back()[1].c_str(), nullptr);
  EXPECT_NEAR(force, 1.5 * 2 * 9.81 * y / 2.25, 1e-9);  // half of 3 m g y / l^2
  EXPECT_NEAR(std::strtod(rows.back()[3].c_str(), nullptr), 2 * force * y, 1e-9);
}

TEST(Export, KnowsTheQuantitiesOfAScene) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(
      run_program({"run", test::scene_path("chain"), "--until", "0.01", "--no-report", "--quiet"}, folder.path()).exit_code,
      0);
  const auto result = run_program({"export", "chain.h5", "--columns", "time,momentum"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  double time = -1.0, momentum = 0.0;
  EXPECT_EQ(std::sscanf(result.output.c_str(), "time,momentum %lf,%lf", &time, &momentum), 2) << result.output.substr(0, 80);
  EXPECT_EQ(time, 0.0);
  EXPECT_NEAR(momentum, -2.0, 1e-14);  // 20 masses of 0.1 kg at -1 m/s
}

}  // namespace tippe::cli_export_test
