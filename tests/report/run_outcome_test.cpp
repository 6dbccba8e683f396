// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/run_outcome.h"

#include <gtest/gtest.h>

#include "tippe/report/report.h"

namespace tippe::report_run_outcome_test {

RunSummary bounce() {
  RunSummary summary;
  summary.status = RunStatus::kOk;
  summary.steps = 50'000;
  summary.final_state.t = 0.5;
  summary.wall_time = 0.0668;
  summary.impacts = 15;
  summary.worst_penetration = 1.56e-6;
  summary.worst_penetration_at = "beak";
  summary.worst_residual = 7e-16;
  summary.energy.initial = 3.54e-4;
  summary.energy.final = -2.84e-3;
  summary.energy.lost_in_contacts = 3.194e-3 + 1.42e-11;
  summary.energy.scale = 1e-3;
  return summary;
}

TEST(RunOutcome, SaysWhatMattersInThreeSentencesWithUnits) {
  RecordedRun run;
  run.integrator = "moreau";
  run.laws = {"beak"};
  run.gap = {{"beak"}, {}, {"m"}};
  const RunOutcome outcome = outcome_of(run, bounce(), true);
  EXPECT_EQ(outcome.tone, RunOutcome::Tone::kGood);
  ASSERT_EQ(outcome.sentences.size(), 3u);
  EXPECT_EQ(outcome.sentences[0], "Reached t = 0.5 s after 50,000 steps of moreau and 0.0668 s of computing.");
  EXPECT_EQ(
      outcome.sentences[1],
      "Energy booked to 5e-9 of its largest: 354 \u00b5J at the start, -2.84 mJ at the end, 3.19 mJ lost in contacts.");
  EXPECT_EQ(outcome.sentences[2],
            "15 impacts, deepest penetration 1.56 \u00b5m (beak), worst residual 7e-16, verified: no law violated.");
}

TEST(RunOutcome, HasAToneThatFollowsFromTheNumbers) {
  const RecordedRun run;
  RunSummary summary = bounce();
  summary.warnings = {"odd"};
  EXPECT_EQ(outcome_of(run, summary).tone, RunOutcome::Tone::kLook);
  summary.warnings.clear();
  summary.energy.final += 1e-5;  // a hundredth of the scale
  EXPECT_EQ(outcome_of(run, summary).tone, RunOutcome::Tone::kLook);
  EXPECT_EQ(outcome_of(run, bounce(), false).tone, RunOutcome::Tone::kBad);
  summary.status = RunStatus::kFailed;
  EXPECT_EQ(outcome_of(run, summary).tone, RunOutcome::Tone::kBad);
  EXPECT_EQ(outcome_of(run, summary).sentences[0].substr(0, 17), "Failed at t = 0.5");
}

TEST(RunOutcome, PrefixesKeepThreeDigits) {
  EXPECT_EQ(with_prefix(0.0, "J"), "0 J");
  EXPECT_EQ(with_prefix(999.6, "m"), "1e+03 m");
  EXPECT_EQ(with_prefix(1000.0, "J"), "1 kJ");
  EXPECT_EQ(with_prefix(-0.00125, "m"), "-1.25 mm");
  EXPECT_EQ(with_prefix(1e-20, "m"), "1e-20 m");
  EXPECT_EQ(with_prefix(0.02, "rad"), "0.02 rad");
}

}  // namespace tippe::report_run_outcome_test
