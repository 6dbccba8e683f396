// SPDX-License-Identifier: Apache-2.0
// Errors and observed orders against the run of event-driven, on trajectories that are made up.
#include "tippe/report/comparison.h"

#include <cmath>
#include <map>

#include "support/page.h"
#include "support/scenes.h"

namespace tippe::report_comparison_test {

/// Three common times of the bouncing ball: energies, gap, y and y'.
class ExactReference : public testing::Test {
 protected:
  ExactReference()
      : scene_(test::load("bouncing_ball")),
        comparison_(*scene_.system, scene_.origin, scene_.run, CommonTimes(0, 1, 0.5)) {}

  /// `error`: of y and y' at the second time.
  void add(const std::string& integrator, double dt, double position_error, double velocity_error,
           RunStatus status = RunStatus::kOk) {
    ComparedRun run;
    RunOptions options = scene_.run;
    options.integrator = integrator;
    options.dt = dt;
    run.head = describe_head(*scene_.system, scene_.origin, options);
    run.adaptive = integrator == "event-driven";
    run.summary.status = status;
    run.values.assign(comparison_.quantities().size(), std::vector<double>(3, 0.0));
    run.values[4] = {1.0, 0.5 + position_error, 0.25};
    run.values[5] = {0.0, -2.0 - velocity_error, 1.0};
    comparison_.add(std::move(run));
  }

  Scene scene_;
  Comparison comparison_;
};

TEST_F(ExactReference, IsTheEventDrivenRunWhateverTheOrder) {
  add("moreau", 1e-3, 0.1, 0.2);
  add("event-driven", 1e-2, 0.0, 0.0);
  EXPECT_EQ(comparison_.reference(), 1u);
  EXPECT_TRUE(comparison_.has_exact_reference());
  EXPECT_EQ(comparison_.deviation(0, Compared::kVelocities)->coordinate, "y'");
  EXPECT_NEAR(comparison_.deviation(0, Compared::kVelocities)->value, 0.2, 1e-15);
  EXPECT_EQ(comparison_.deviation(0)->coordinate, "y");
  EXPECT_EQ(comparison_.deviation(0)->time, 0.5);
}

TEST_F(ExactReference, IsNotOneThatFailed) {
  add("event-driven", 1e-2, 0.0, 0.0, RunStatus::kFailed);
  add("moreau", 1e-3, 0.1, 0.2);
  add("moreau", 1e-2, 0.3, 0.2);
  EXPECT_EQ(comparison_.reference(), 1u);
  EXPECT_FALSE(comparison_.has_exact_reference());
  EXPECT_FALSE(comparison_.order(2, Compared::kPositions).has_value());
  EXPECT_TRUE(comparison_.orders().empty());
  const TextTable table = tabulate(comparison_);
  EXPECT_EQ(table.headings[table.headings.size() - 2], "largest deviation");
  EXPECT_EQ(table.notes.size(), 1u);
}

// Errors 0.04, 0.01, 0.005 of steps that halve: orders 2 and 1, and by least squares (2 + 1)/2. Velocities have the same error at every
// step: order 0.
TEST_F(ExactReference, TellsTheOrdersOfTheOthers) {
  add("moreau", 0.05, 0.01, 1.0);
  add("moreau", 0.1, 0.04, 1.0);
  add("moreau-jean", 0.1, 0.04, 0.5);
  add("moreau", 0.025, 0.005, 1.0);
  add("moreau", 0.2, 7.0, 1.0, RunStatus::kFailed);
  add("event-driven", 0.01, 0.0, 0.0);
  EXPECT_NEAR(comparison_.order(0, Compared::kPositions).value(), 2.0, 1e-12);
  EXPECT_NEAR(comparison_.order(3, Compared::kPositions).value(), 1.0, 1e-12);
  EXPECT_NEAR(comparison_.order(3, Compared::kVelocities).value(), 0.0, 1e-12);
  EXPECT_FALSE(comparison_.order(1, Compared::kPositions).has_value());  // the largest step that came to its end
  EXPECT_FALSE(comparison_.order(4, Compared::kPositions).has_value());
  EXPECT_FALSE(comparison_.order(5, Compared::kPositions).has_value());
  const std::vector<IntegratorOrder> orders = comparison_.orders();
  ASSERT_EQ(orders.size(), 1u);  // moreau-jean has one step only
  EXPECT_EQ(orders[0].integrator, "moreau");
  EXPECT_EQ(orders[0].steps, (std::vector<double>{0.05, 0.1, 0.025}));
  EXPECT_NEAR(orders[0].positions.value(), 1.5, 1e-12);
  EXPECT_NEAR(orders[0].velocities.value(), 0.0, 1e-12);

  const TextTable table = tabulate(comparison_);
  const size_t last = table.headings.size() - 1;
  EXPECT_EQ(table.headings[last - 4], "error positions");
  EXPECT_EQ(table.rows[0][last - 4], "0.01");
  EXPECT_EQ(table.rows[0][last - 3], "2.00");
  EXPECT_EQ(table.rows[0][last - 2], "1");
  EXPECT_EQ(table.rows[1][last - 3], "");
  EXPECT_EQ(table.rows[5][last - 4], "reference");
  ASSERT_EQ(table.notes.size(), 3u);
  EXPECT_NE(table.notes[2].find("moreau 1.50 in positions and 0.00 in velocities over 3 steps"), std::string::npos)
      << table.notes[2];
}

// Runs are replayed over each other: each with its own coordinates and columns, at the common times.
TEST(ComparisonPage, ReplaysEachRun) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n[initial]\nx = 1\n"
      "[[contact]]\nname = \"wall\"\ngap = \"x + 2\"\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 1\n"
      "[[draw]]\ncircle = [\"x\", \"x^2\", 1]\n");
  Comparison comparison(*scene.system, scene.origin, scene.run, CommonTimes(0.0, 1.0, 0.5));
  RunOptions options = scene.run;
  options.every = 0.5;
  (void)comparison.run(*scene.system, scene.start, options);
  options.dt = 0.05;
  (void)comparison.run(*scene.system, scene.start, options);
  const nlohmann::json data = test::data_of_page(make_comparison_page(comparison, tabulate(comparison)));
  ASSERT_EQ(data["replays"].size(), 2u);
  const nlohmann::json& second = data["replays"][1];
  EXPECT_EQ(second["run"], 1);
  EXPECT_EQ(second["q"][0], nlohmann::json({{"panel", "q x"}, {"series", 1}}));
  EXPECT_EQ(second["gap"][0], nlohmann::json({{"panel", "gap wall"}, {"series", 1}}));
  EXPECT_TRUE(second["force"].empty());
  std::map<std::string, nlohmann::json> panels;
  for (const auto& panel : data["panels"]) panels[panel["id"]] = panel;
  const std::vector<double> x = test::decode(panels["q x"]["series"][1]["values"]), y = test::decode(second["columns"][0]);
  ASSERT_EQ(x.size(), 3u);
  ASSERT_EQ(y.size(), 3u);
  for (size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(y[k], x[k] * x[k]);
}

}  // namespace tippe::report_comparison_test
