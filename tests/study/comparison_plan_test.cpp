// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/comparison_plan.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace tippe::study_comparison_plan_test {

ComparisonPlan plan(const ComparisonRequest& request) {
  return plan_comparison([](const SceneOverrides& overrides) { return test::load("bouncing_ball", overrides); }, request);
}

TEST(ComparisonPlan, EveryIntegratorHasEveryStepAndThoseThatChooseTheirsOneRun) {
  const ComparisonPlan planned = plan({{}, {"moreau", "event-driven", "moreau-jean"}, {"1e-2", "5e-3"}});
  std::vector<std::string> labels;
  for (const RunOptions& run : planned.runs) labels.push_back(run_label(run.integrator, run.dt));
  EXPECT_EQ(labels, (std::vector<std::string>{"moreau, dt = 0.01", "moreau, dt = 0.005", "event-driven",
                                              "moreau-jean, dt = 0.01", "moreau-jean, dt = 0.005"}));
}

// Until the first impact at sqrt(2 h/g) = 0.45 s all of them fall alike.
TEST(ComparisonPlan, FreeFallHasNoErrors) {
  ComparisonRequest request{{}, {"moreau", "event-driven"}, {"1e-2", "5e-3"}};
  request.overrides.until = "0.4";
  const ComparisonOutcome outcome = run_comparison(plan(request));
  EXPECT_EQ(outcome.status, RunStatus::kOk);
  EXPECT_EQ(outcome.message, "");
  ASSERT_EQ(outcome.comparison.runs().size(), 3u);
  EXPECT_EQ(outcome.comparison.reference(), 2u);
  for (const size_t run : {0u, 1u}) EXPECT_LE(outcome.comparison.deviation(run)->value, 1e-13);
}

TEST(ComparisonPlan, AnInterruptLeavesRunsOut) {
  const std::atomic<bool> stop{true};
  const ComparisonOutcome outcome = run_comparison(plan({{}, {"moreau"}, {"1e-2", "5e-3"}}), {}, &stop);
  EXPECT_EQ(outcome.status, RunStatus::kInterrupted);
  EXPECT_EQ(outcome.not_run, (std::vector<std::string>{"moreau, dt = 0.01", "moreau, dt = 0.005"}));
}

}  // namespace tippe::study_comparison_plan_test
