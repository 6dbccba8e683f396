// SPDX-License-Identifier: Apache-2.0
// Recordings with found contacts are judged by the definitions of mechanics, and what is changed in them is seen.
#include <fmt/format.h>

#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/verify/verify.h"

namespace tippe::verify_found_contacts_test {

using verify::Kind;
using verify::Verdict;

RecordedState record(const Scene& scene, const std::filesystem::path& path) {
  Recording recording(path, *scene.system, scene.origin, scene.run, scene.start.t);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return read_state(path);
}

TEST(VerifyFoundContacts, HeapsAndTowersObey) {
  const test::TemporaryFolder folder;
  for (const auto& [name, settings, until, dt] :
       {std::tuple{"ball_cube", std::vector<std::string>{"n=3", "e=0.4"}, "0.3", "0.002"},
        std::tuple{"heavy_stack", std::vector<std::string>{}, "0.1", "0.01"},
        std::tuple{"box_on_box", std::vector<std::string>{}, "0.2", "0.005"}}) {
    SceneOverrides overrides;
    overrides.settings = settings;
    overrides.until = until;
    overrides.every = dt;
    const Scene scene = test::load(name, overrides);
    ASSERT_FALSE(scene.system->has_fixed_laws());
    const RecordedState recorded = record(scene, folder.path() / "run.h5");
    const Verdict verdict = verify::verify_run(recorded.run, recorded.recorded.summary);
    EXPECT_TRUE(verdict.obeys()) << name << "\n" << verify::verdict_text(verdict);
    EXPECT_EQ(verdict.single_steps, verdict.intervals);
    EXPECT_GT(verdict.of(Kind::kComplementarity).checks, 10) << name;
  }
}

// Boxes that turn about all axes; where one corner takes over from another, the first carries round-off while it opens.
TEST(VerifyFoundContacts, TumblingBoxesObey) {
  const test::TemporaryFolder folder;
  for (const char* angle : {"0.3", "3.4", "3.8"}) {
    for (const double start : {0.0, 1e9}) {
      const Scene scene = test::scene_from(fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
contacts = "found"
[[body]]
for = {{ i = "1..2" }}
name = "b{{i}}"
density = 500
position = ["0.1*{{i}}", 0.05, "0.6*{{i}}"]
orientation = {{ axis = [1, 2, "{{i}}"], angle = {} }}
angular_velocity = [1, -2, 3]
velocity = [0.5, 0, 0]
[[body.box]]
size = [0.3, 0.4, 0.5]
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
friction = 0.6
[initial]
t = {}
[run]
integrator = "moreau"
dt = 5e-3
until = {}
)",
                                                       angle, start, start + 1.0));
      const RecordedState recorded = record(scene, folder.path() / "run.h5");
      const Verdict verdict = verify::verify_run(recorded.run, recorded.recorded.summary);
      EXPECT_TRUE(verdict.obeys()) << angle << "\n" << verify::verdict_text(verdict);
      EXPECT_EQ(verdict.single_steps, verdict.intervals);
      EXPECT_GT(verdict.of(Kind::kFrictionDirection).checks, 300);
    }
  }
}

TEST(VerifyFoundContacts, WhatIsChangedIsSeen) {
  const test::TemporaryFolder folder;
  SceneOverrides overrides;
  overrides.until = "0.1";
  overrides.every = "0.005";
  const RecordedState recorded = record(test::load("box_on_box", overrides), folder.path() / "run.h5");
  const auto judge = [&](auto&& change) {
    RecordedRun run = recorded.run;
    change(run);
    return verify::verify_run(run, recorded.recorded.summary);
  };
  EXPECT_TRUE(judge([](RecordedRun&) {}).obeys());
  const size_t last = recorded.run.contacts.id.size() - 1;
  EXPECT_GT(judge([&](RecordedRun& run) { run.contacts.impulse[3 * last + 2] *= 1.001; }).of(Kind::kMomentum).violations, 0);
  EXPECT_GT(judge([&](RecordedRun& run) {
              for (size_t i = 0; i < 3; ++i) run.contacts.impulse[3 * last + i] *= -1.0;
            })
                .of(Kind::kPull)
                .violations,
            0);
  EXPECT_GT(judge([&](RecordedRun& run) { run.contacts.gap[last] = 1e-3; }).of(Kind::kOpenContact).violations, 0);
  EXPECT_GT(
      judge([&](RecordedRun& run) { run.energy.values[run.energy.names.size() + 2] += 1e-3; }).of(Kind::kColumns).violations,
      0);
  EXPECT_GT(judge([&](RecordedRun& run) { run.u.values.back() += 1e-3; }).of(Kind::kMomentum).violations, 0);
}

}  // namespace tippe::verify_found_contacts_test
