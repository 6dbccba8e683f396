// SPDX-License-Identifier: Apache-2.0
// A run that is killed at any moment leaves a recording that opens and holds everything up to its last flush.
#include <cstring>

#include "support/hdf5_content.h"
#include "support/random.h"
#include "support/scenes.h"
#include "support/signals.h"
#include "tippe/record/recorded_checkpoint.h"
#include "tippe/record/recorded_run.h"

namespace tippe::cli_kill_test {

/// Flushes are so close to each other that many kills fall into one.
std::vector<std::string> arguments() {
  return {"run", test::scene_path("woodpecker"), "--until", "5", "--no-report", "--quiet", "--flush", "0.004"};
}

/// All rows of `killed` are the first ones of `whole`, and the tables of one group have the same number of them.
void expect_first_rows(const test::Hdf5Contents& killed, const test::Hdf5Contents& whole, const std::string& group,
                       hsize_t rows) {
  int tables = 0;
  for (const auto& [name, content] : killed) {
    if (!name.starts_with(group + "/") || name.find("names") != std::string::npos || name.ends_with("_units") ||
        name.find('@') != std::string::npos)
      continue;
    ++tables;
    ASSERT_EQ(content.shape.at(0), rows) << name;
    const test::Hdf5Content& full = whole.at(name);
    ASSERT_LE(content.bytes.size(), full.bytes.size()) << name;
    ASSERT_EQ(content.bytes.size(), rows * (full.bytes.size() / full.shape[0])) << name;
    EXPECT_EQ(std::memcmp(content.bytes.data(), full.bytes.data(), content.bytes.size()), 0) << name;
  }
  EXPECT_GE(tables, 4);
}

TEST(Kill, LeavesARecordingThatOpensWithTheFirstPartOfTheRun) {
  const char* asked = std::getenv("TIPPE_KILLS");  // more of them by hand
  const int kills = asked != nullptr ? std::atoi(asked) : 12;
  const test::TemporaryFolder whole_folder;
  ASSERT_EQ(test::run_program(arguments(), whole_folder.path()).exit_code, 0);
  const auto whole = test::read_contents(whole_folder.path() / "woodpecker.h5");
  ASSERT_TRUE(whole);
  test::Random random(20);
  int with_steps = 0, broken = 0;
  for (int k = 0; k < kills; ++k) {
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "woodpecker.h5";
    const double delay = random.uniform(0.0, 0.3);
    const auto result = test::run_program(arguments(), folder.path(), test::signal_after(file, SIGKILL, delay));
    ASSERT_EQ(result.exit_code, 128 + SIGKILL);
    const auto killed = test::read_contents(file);
    ASSERT_TRUE(killed) << "kill " << k << " after " << delay << " s";
    // Whatever the time, the file is one that was flushed as a whole.
    const RecordedCheckpoint recorded = read_checkpoint(file);
    const Checkpoint& checkpoint = recorded.checkpoint;
    expect_first_rows(*killed, *whole, "samples", static_cast<hsize_t>(checkpoint.samples));
    expect_first_rows(*killed, *whole, "steps", static_cast<hsize_t>(checkpoint.steps));
    expect_first_rows(*killed, *whole, "impacts", static_cast<hsize_t>(checkpoint.impacts));
    EXPECT_EQ(read_summary(file).summary.steps, checkpoint.steps);
    EXPECT_EQ(read_summary(file).summary.status, RunStatus::kRunning);
    if (checkpoint.steps > 0) ++with_steps;
    // Where a kill fell into a flush the file in the making may be broken: why there are two files.
    const auto next = test::read_contents(file.string() + ".next");
    if (!next || !next->contains("steps/time") || next->at("steps/time").shape != next->at("steps/residual").shape) ++broken;
    if (HasFailure()) FAIL() << "kill " << k << " after " << delay << " s";
  }
  EXPECT_GT(with_steps, kills / 2);
  if (asked != nullptr) std::printf("%d kills, %d with steps, %d broken files in the making\n", kills, with_steps, broken);
}

}  // namespace tippe::cli_kill_test
