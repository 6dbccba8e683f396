// SPDX-License-Identifier: Apache-2.0
// The seeds of the fuzz targets, read by the ordinary build: each is a scene, an expression or a problem, or refused as one.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/problem_seeds.h"
#include "support/recording_seeds.h"
#include "support/temporary_folder.h"
#include "tippe/core/error.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/expr/parser.h"
#include "tippe/scene/scene.h"
#include "tippe/study/resumed_scene.h"

namespace tippe::fuzz_corpus_test {

/// Calls read(text) for every seed and counts those that throw Refusal.
template <class Refusal, class Read>
int count_refused(const std::string& folder, int& seeds, Read&& read) {
  int refused = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/tests/fuzz/corpus/" + folder)) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    ++seeds;
    try {
      read(text.str());
    } catch (const Refusal&) {
      ++refused;
    }
  }
  return refused;
}

TEST(FuzzCorpus, HoldsGoodAndBadScenes) {
  int seeds = 0;
  const int refused =
      count_refused<InputError>("scene", seeds, [](const std::string& text) { (void)read_scene(text, "seed"); });
  EXPECT_GT(refused, 2);
  EXPECT_GT(seeds - refused, 1);
}

TEST(FuzzCorpus, HoldsGoodAndBadInstants) {
  int seeds = 0;
  const int refused =
      count_refused<InputError>("instant", seeds, [](const std::string& text) { (void)read_instant(text, "seed"); });
  EXPECT_EQ(refused, 5);  // those called bad_...
  EXPECT_EQ(seeds, 7);
}

TEST(FuzzCorpus, HoldsGoodAndBadExpressions) {
  int seeds = 0;
  const int refused = count_refused<ExpressionError>("expression", seeds, [](const std::string& text) {
    ExprGraph graph;
    const auto resolve = [&](std::string_view) { return std::optional(graph.input(0)); };
    (void)parse_expression(text, graph, resolve, {});
  });
  EXPECT_GT(refused, 2);
  EXPECT_GT(seeds - refused, 2);
}

TEST(FuzzCorpus, HoldsGoodAndBadProblems) {
  const test::TemporaryFolder folder;
  test::write_problem_seeds(folder.path());
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string image = bytes.str();
    bool refused = false;
    try {
      (void)read_problem(Hdf5File::open_image(image, "seed"));
    } catch (const InputError&) {
      refused = true;
    } catch (const FileError&) {
      refused = true;
    }
    EXPECT_EQ(refused, entry.path().filename().string().starts_with("bad_")) << entry.path();
  }
}

TEST(FuzzCorpus, HoldsRecordingsThatGoOn) {
  const test::TemporaryFolder folder;
  for (const std::string& name : test::write_recording_seeds(folder.path())) {
    const ResumedScene resumed = resume_scene(folder.path() / name, "0.07");
    const Scene& scene = resumed.scene;
    Recording recording(folder.path() / name, *scene.system, scene.run, resumed.recorded.checkpoint);
    const RunSummary summary =
        simulate(*scene.system, scene.start, scene.run, {.recorder = &recording, .from = &resumed.recorded.checkpoint});
    EXPECT_EQ(summary.status, RunStatus::kOk) << name;
    EXPECT_EQ(summary.final_state.t, 0.07) << name;
  }
}

}  // namespace tippe::fuzz_corpus_test
