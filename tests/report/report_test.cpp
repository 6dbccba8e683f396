// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/report.h"

#include "support/page.h"
#include "tippe/report/page.h"

namespace tippe::report_report_test {

using test::decode;

RecordedRun small_run() {
  RecordedRun run;
  run.origin = {.title = "A <b>title</b>",
                .source = "nowhere",
                .scene_file = "a.toml",
                .scene_text = "x = \"</script>\"",
                .settings = {"m=2"},
                .parameters = {},
                .inputs_file = {},
                .inputs_text = {}};
  run.program = "tippe";
  run.integrator = "moreau";
  run.status = RunStatus::kOk;
  run.dt = 0.5;
  run.time = {0.0, 0.5, 1.0};
  run.q = {{"x", "y"}, {1, 10, 2, 20, 3, 30}};
  run.u = {{"x'", "y'"}, {4, 40, 5, 50, 6, 60}};
  run.energy = {{"kinetic"}, {7, 8, 9}};
  run.quantity = {{"height"}, {11, 12, 13}};
  run.step_time = {0.5, 1.0};
  run.step_residual = {1e-12, 0.0};
  run.impact_time = {0.5};
  run.impact_law = {0};
  run.laws = {"floor"};
  return run;
}

TEST(Report, EmbedsEveryNumberOfTheRun) {
  const nlohmann::json data = test::data_of_page(make_report(small_run(), {{"steps", "2"}}));
  EXPECT_EQ(data["title"], "A <b>title</b>");
  EXPECT_EQ(data["scene_text"], "x = \"</script>\"");
  EXPECT_EQ(decode(data["axes"]["samples"]), (std::vector<double>{0, 0.5, 1}));
  std::map<std::string, nlohmann::json> panels;
  for (const auto& panel : data["panels"]) panels[panel["id"]] = panel;
  EXPECT_EQ(decode(panels["q"]["series"][1]["values"]), (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(decode(panels["u"]["series"][0]["values"]), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(decode(panels["residual"]["series"][0]["values"]), (std::vector<double>{1e-12, 0}));
  EXPECT_EQ(panels["phase"]["pairs"].size(), 2u);
  EXPECT_EQ(panels["quantity"]["title"], "Quantities");
  EXPECT_EQ(decode(panels["quantity"]["series"][0]["values"]), (std::vector<double>{11, 12, 13}));
  EXPECT_EQ(panels.count("gap"), 0u);  // no contacts, no panel
  EXPECT_EQ(panels.count("constraint_force"), 0u);
  EXPECT_EQ(data["laws"][0]["name"], "floor");
  EXPECT_EQ(decode(data["impacts"]["time"]), (std::vector<double>{0.5}));
  EXPECT_EQ(decode(data["impacts"]["law"]), (std::vector<double>{0}));
  EXPECT_EQ(data["summary"][0]["value"], "2");
}

// The drawing goes to the page with its columns and with references to what the panels have already.
TEST(Report, EmbedsTheDrawingWithItsNumbers) {
  EXPECT_TRUE(test::data_of_page(make_report(small_run(), {}))["replays"].empty());
  RecordedRun run = small_run();
  run.gap = {{"floor"}, {1, 1, 1}};
  run.impulse = {{"floor.n"}, {0, 2, 4}};
  run.drawing = R"({"version": 1, "space": "plane", "primitives": []})";
  run.drawing_columns = {{"line 0[0].x", "line 0[0].y"}, {1, 2, 3, 4, 5, 6}};
  const nlohmann::json replays = test::data_of_page(make_report(run, {}))["replays"];
  ASSERT_EQ(replays.size(), 1u);
  EXPECT_EQ(replays[0]["drawing"]["space"], "plane");
  EXPECT_EQ(replays[0]["axis"], "samples");
  EXPECT_EQ(decode(replays[0]["columns"][1]), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(replays[0]["q"][1], nlohmann::json({{"panel", "q"}, {"series", 1}}));
  EXPECT_EQ(replays[0]["gap"][0], nlohmann::json({{"panel", "gap"}, {"series", 0}}));
  EXPECT_EQ(replays[0]["force"][0], nlohmann::json({{"panel", "force"}, {"series", 0}}));
}

// Violations are drawn by their size on a logarithmic axis; a panel says where forces are not unique.
TEST(Report, ShowsConstraintsAndWhereTheirForcesAreNotUnique) {
  RecordedRun run = small_run();
  run.laws.clear();
  run.impact_time.clear();
  run.constraint_force = {{"rod", "blade"}, {1, 2, 3, 4, 5, 6}};
  run.control_force = {{"x", "y"}, {7, 8, 9, 10, 11, 12}};
  run.constraint_position = {{"rod"}, {-1e-9, 0, 2e-9}};
  run.constraint_velocity = {{"rod", "blade"}, {0, -1, 0, 1, -2, 0}};
  run.redundant = {0, 1, 0};
  std::map<std::string, nlohmann::json> panels;
  const auto make = [&] {
    const nlohmann::json data = test::data_of_page(make_report(run, {}));
    for (const auto& panel : data["panels"]) panels[panel["id"]] = panel;
  };
  make();
  EXPECT_EQ(panels["constraint_force"]["note"],
            "not unique at 1 of 3 samples, where rows are redundant: of least norm there");
  EXPECT_EQ(decode(panels["constraint_force"]["series"][1]["values"]), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(decode(panels["control_force"]["series"][0]["values"]), (std::vector<double>{7, 9, 11}));
  EXPECT_EQ(panels["constraint_position"]["log"], true);
  EXPECT_EQ(decode(panels["constraint_position"]["series"][0]["values"]), (std::vector<double>{1e-9, 0, 2e-9}));
  EXPECT_EQ(decode(panels["constraint_velocity"]["series"][1]["values"]), (std::vector<double>{1, 1, 0}));
  run.redundant = {0, 0, 0};
  run.laws = {"floor"};
  make();
  EXPECT_EQ(panels["constraint_force"]["note"], "mean since the sample before");
}

TEST(Report, ThePageNeedsNoNetwork) {
  const std::string page(page_template());
  EXPECT_NE(page.find(kPageDataMark), std::string::npos);
  for (const char* loading : {" src=", "<link", "@import", "import(", "XMLHttpRequest", "WebSocket", "EventSource"})
    EXPECT_EQ(page.find(loading), std::string::npos) << loading;
  // It asks once, for the data where it is served without them (`tippe view`); tests in a browser see that a report does not.
  const size_t request = page.find("fetch(");
  ASSERT_NE(request, std::string::npos);
  EXPECT_EQ(page.find("fetch(", request + 1), std::string::npos);
}

TEST(Report, LongRunsKeepTheWorstResidualOfEachGroup) {
  RecordedRun run = small_run();
  run.step_time.assign(2'500'000, 1.0);
  run.step_residual.assign(2'500'000, 1e-14);
  run.step_residual[1'234'567] = 1e-3;
  const nlohmann::json data = nlohmann::json::parse(report_document(run, {}));
  const auto residual = decode(data["panels"].back()["series"][0]["values"]);
  EXPECT_LE(residual.size(), 1'000'000u);
  EXPECT_EQ(*std::max_element(residual.begin(), residual.end()), 1e-3);
}

}  // namespace tippe::report_report_test
