// SPDX-License-Identifier: Apache-2.0
// What the program tells of the events in a recording.
#include <nlohmann/json.hpp>

#include "support/exact_ball.h"
#include "support/program.h"
#include "support/scenes.h"

namespace tippe::cli_events_test {

using test::run_program;
using Json = nlohmann::json;

/// The bouncing ball with its exact motion: the start, six impacts at 0.45 s, 0.90 s, 1.13 s, ..., an accumulation at 1.35 s.
void record_ball(const std::filesystem::path& file) {
  Scene scene = test::load("bouncing_ball");
  scene.run.integrator = "dopri5";  // any name of one that chooses its steps
  Recording recording(file, *scene.system, scene.origin, scene.run, 0.0);
  (void)simulate_with(std::make_unique<test::ExactBall>(*scene.system, test::ExactBall::Options{}), *scene.system,
                      scene.start, scene.run, {.recorder = &recording});
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Events, AreShown) {
  const test::TemporaryFolder folder;
  record_ball(folder.path() / "ball.h5");
  const auto list = run_program({"show", "ball.h5", "--events"}, folder.path());
  EXPECT_EQ(list.exit_code, 0) << list.errors;
  EXPECT_EQ(count(list.output, "  impact "), 6u) << list.output;
  EXPECT_NE(list.output.find("  0.451523640986  impact "), std::string::npos) << list.output;  // sqrt(2/9.81)
  EXPECT_NE(list.output.find("floor: open -> closed"), std::string::npos);
  EXPECT_NE(list.output.find("infinitely many impacts"), std::string::npos);
  const auto summary = run_program({"show", "ball.h5"}, folder.path());
  EXPECT_NE(summary.output.find("  events                  8 (start 1, impact 6, accumulation 1)\n"), std::string::npos)
      << summary.output;
  EXPECT_NE(summary.output.find("  impacts                 6 (contacts that closed in an impact)\n"), std::string::npos);
}

TEST(Events, AreInTheJson) {
  const test::TemporaryFolder folder;
  record_ball(folder.path() / "ball.h5");
  const Json json = Json::parse(run_program({"show", "ball.h5", "--json"}, folder.path()).output);
  EXPECT_EQ(json["event_counts"], (Json{{"start", 1}, {"impact", 6}, {"accumulation", 1}}));
  EXPECT_TRUE(json["impact_threshold"].is_null());
  ASSERT_EQ(json["events"].size(), 8u);
  const Json& impact = json["events"][1];
  EXPECT_NEAR(impact["time"], 0.451523640986, 1e-12);
  EXPECT_EQ(impact["kind"], "impact");
  EXPECT_EQ(impact["laws"], Json{"floor"});
  EXPECT_EQ(impact["before"], (Json{{"floor", "open"}}));
  EXPECT_NEAR(impact["impulses"]["floor.n"], 1.5 * 4.4294469180700204, 1e-12);  // 1.5 m sqrt(2 g h)
  EXPECT_NEAR(impact["energy_lost"], 0.75 * 9.81, 1e-12);                       // (1 - 1/4) m g h
  EXPECT_EQ(impact["alternatives"], 0);
  EXPECT_TRUE(impact["note"].is_null());
  const Json& last = json["events"][7];
  EXPECT_EQ(last["after"], (Json{{"floor", "closed"}}));
  EXPECT_TRUE(last["alternatives"].is_null());
  EXPECT_TRUE(json["events"][0]["impulses"].is_null());
}

TEST(Events, AreExported) {
  const test::TemporaryFolder folder;
  record_ball(folder.path() / "ball.h5");
  const auto all = run_program({"export", "ball.h5", "--events"}, folder.path());
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_EQ(all.output.substr(0, all.output.find('\n')),
            "time,kind,laws,floor.before,floor.after,floor.n,energy_lost,alternatives,note");
  EXPECT_EQ(count(all.output, "\n"), 9u);
  const auto few =
      run_program({"export", "ball.h5", "--events", "--columns", "kind,floor.after,alternatives,note"}, folder.path());
  EXPECT_EQ(few.output.substr(0, few.output.find('\n', 40)), "kind,floor.after,alternatives,note\nstart,open,not checked,");
  EXPECT_NE(few.output.find("\naccumulation,closed,not checked,infinitely many impacts\n"), std::string::npos) << few.output;
}

TEST(Events, OfOtherIntegratorsAreNone) {
  const test::TemporaryFolder folder;
  const auto run = run_program({"run", test::scene_path("bouncing_ball"), "--no-report", "--json"}, folder.path());
  const Json json = Json::parse(run.output);
  EXPECT_EQ(json["events"], Json::array());
  EXPECT_EQ(json["event_counts"], Json::object());
  EXPECT_EQ(json["impact_threshold"], 0.001);
  const auto list = run_program({"show", "bouncing_ball.h5", "--events"}, folder.path());
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.output, "no events: moreau does not look for them\n");
  EXPECT_EQ(run_program({"export", "bouncing_ball.h5", "--events", "--columns", "time"}, folder.path()).output, "time\n");
}

}  // namespace tippe::cli_events_test
