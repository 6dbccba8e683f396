// SPDX-License-Identifier: Apache-2.0
// [inputs] and tables of them: closed forms, books, resumed runs and what `verify` says, with every integrator that fits.
#include <cmath>

#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/run/input_table.h"
#include "tippe/verify/verify.h"

namespace tippe::run_input_test {

std::string mass_before_a_stop(const std::string& push) {
  return "tippe = 1\n[parameters]\nm = 2\n[inputs]\nF = 0\nG = \"m/4\"\n[define]\npush = \"F + 0*t\"\n"
         "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"m*x'^2/2\"\n" +
         push +
         "[[contact]]\nname = \"stop\"\ngap = \"1 - x\"\nrestitution = 0\n"
         "[initial]\nx = 0\n[run]\ndt = 2e-3\nuntil = 3\n";
}
const std::string kByForce = "[[force]]\non = \"x\"\nforce = \"push\"\n", kByPotential = "potential = \"-push*x\"\n";

/// Pushed to the stop with 40 N from 0.25 s on, which it reaches at sqrt(0.1) s later, and pulled back with 10 N from 1.5 s on, for a second.
constexpr const char* kTable = "t, F\n0.25, 40\n1.5, -10\n2.5, 0\n";

Scene read(const std::string& text, const std::string& integrator, const std::string& table = kTable) {
  Scene scene = read_scene(text, "push.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
  if (!table.empty()) give_inputs(scene, table, "push.csv");
  return scene;
}

struct Recorded {
  RunSummary summary;
  RecordedRun recorded;
};

Recorded record(const Scene& scene, const std::filesystem::path& path, std::int64_t stop_at = -1,
                const Checkpoint* from = nullptr) {
  std::optional<Recording> recording;
  if (from != nullptr) {
    recording.emplace(path, *scene.system, scene.run, *from);
  } else {
    recording.emplace(path, *scene.system, scene.origin, scene.run, scene.start.t);
  }
  std::atomic<bool> stop = false;
  RunSummary summary =
      simulate(*scene.system, scene.start, scene.run,
               {.recorder = &*recording, .stop = &stop, .from = from, .after_step = [&](const StepView& made) {
                  if (made.number == stop_at) stop = true;
                }});
  return {std::move(summary), read_recording(path)};
}

double tolerance_of(const Scene& scene) {
  if (scene.run.adaptive()) return 1e-9;
  return 30.0 *
         scene.run.dt;  // inputs and the impact are up to a step late, at 6.3 m/s; schemes of one step take two for it
}

TEST(Inputs, PushAMassToAStopAndBackWithEveryIntegrator) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  for (const std::string& push : {kByForce, kByPotential}) {
    const std::string text = mass_before_a_stop(push);
    for (const std::string& integrator : fitting_integrators(*read(text, "moreau").system)) {
      SCOPED_TRACE(integrator + push);
      if (integrator == "consistent-elastic") continue;
      const Scene scene = read(text, integrator);
      const Recorded run = record(scene, path);
      ASSERT_EQ(run.summary.status, RunStatus::kOk) << run.summary.message;
      // a = -5 m/s^2 from the stop, for a second, then at 5 m/s.
      const double x = 1.0 - 2.5 - 5.0 * 0.5, off = tolerance_of(scene);
      EXPECT_NEAR(run.summary.final_state.q[0], x, off);
      EXPECT_NEAR(run.summary.final_state.u[0], -5.0, off);
      // 40 J into the stop, 25 J back; a potential is there only while the input is.
      EXPECT_NEAR(run.summary.energy.lost_in_contacts, 40.0, 30.0 * off);
      EXPECT_NEAR(run.summary.energy.final, 25.0, 30.0 * off);
      EXPECT_NEAR(run.summary.energy.work_done, 65.0, 40.0 * off);
      EXPECT_LT(std::abs(run.summary.energy.unexplained()), 1e-9);
      const verify::Verdict verdict = verify::verify_run(run.recorded, run.summary);
      EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
      EXPECT_GE(verdict.jumps, 3);
    }
  }
}

TEST(Inputs, AreWatchedWhileARunGoesOn) {
  for (const char* integrator : {"moreau", "event-driven"}) {
    const Scene scene = read(mass_before_a_stop(kByPotential), integrator);
    verify::RunWatch watch(scene);
    RunHooks hooks;
    watch.take_part(hooks);
    const verify::Verdict verdict = watch.finish(simulate(*scene.system, scene.start, scene.run, hooks));
    EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  }
}

// Two samples at each change, with the same time; steps of dt take a row at their beginning, others end there.
TEST(Inputs, AreRecordedAtEveryChange) {
  const test::TemporaryFolder folder;
  const std::string table = "t, F, G\n-1, 1, 7\n0.2505, 40, 7\n1.5, -10, 7\n";
  for (const char* integrator : {"moreau", "dopri5"}) {
    const std::string text = mass_before_a_stop(kByForce);
    Scene scene = read(std::string(integrator) == "moreau"
                           ? text
                           : text.substr(0, text.find("[[contact]]")) + text.substr(text.find("[initial]")),
                       integrator, table);
    scene.run.every = 0.5;
    const RecordedRun run = record(scene, folder.path() / "run.h5").recorded;
    ASSERT_EQ(run.q.names, (std::vector<std::string>{"x", "F", "G"}));
    const std::vector<double> F = run.q.column(1);
    std::vector<std::pair<double, double>> changes;
    for (size_t k = 1; k < F.size(); ++k) {
      if (F[k] == F[k - 1]) continue;
      EXPECT_EQ(run.time[k], run.time[k - 1]);
      changes.emplace_back(run.time[k], F[k]);
    }
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(F.front(), 1.0);
    EXPECT_DOUBLE_EQ(changes[0].first, std::string(integrator) == "moreau" ? 0.252 : 0.2505);
    EXPECT_EQ(changes[0].second, 40.0);
    EXPECT_DOUBLE_EQ(changes[1].first, 1.5);
    EXPECT_EQ(run.q.column(2).back(), 7.0);
  }
}

TEST(Inputs, GoOnAsIfTheRunHadNotBeenInterrupted) {
  for (const char* integrator : {"event-driven", "moreau", "consistent-2"}) {
    SCOPED_TRACE(integrator);
    Scene scene = read(mass_before_a_stop(kByPotential), integrator);
    scene.run.every = 0.1;
    if (!scene.run.adaptive()) scene.run.dt = 0.05;
    const test::TemporaryFolder folder;
    const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
    const RunSummary all = record(scene, whole).summary;
    for (const std::int64_t step : {1, 2, 5, 6, 30}) {
      if (step >= all.steps) continue;
      EXPECT_EQ(record(scene, parts, step).summary.status, RunStatus::kInterrupted);
      const RecordedCheckpoint recorded = read_checkpoint(parts);
      EXPECT_EQ(record(scene, parts, -1, &recorded.checkpoint).summary.status, RunStatus::kOk);
      test::expect_same_run(whole, parts);
    }
  }
}

TEST(Inputs, HaveDefaultsThatSettingsReplace) {
  const std::string text = mass_before_a_stop(kByForce);
  const Scene scene =
      read_scene(text, "push.toml", {.settings = {"F=4", "m=8"}, .integrator = {}, .dt = {}, .until = "0.5"});
  EXPECT_EQ(input_names(*scene.system), (std::vector<std::string>{"F", "G"}));
  EXPECT_EQ(scene.start.q, Eigen::Vector3d(0.0, 4.0, 2.0));
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run);
  EXPECT_NEAR(summary.final_state.q[0], 0.5 * 0.5 * 0.25, 1e-12);  // a = 4 N/8 kg; exact for the midpoint rule
}

// The judge sees an input that changes in a step, and one that is not that of the table.
TEST(Inputs, VerifyFindsWrongOnes) {
  const test::TemporaryFolder folder;
  const Recorded run = record(read(mass_before_a_stop(kByForce), "moreau"), folder.path() / "run.h5");
  Recorded wrong = run;
  const size_t columns = run.recorded.q.names.size(), half = run.recorded.time.size() / 4;
  for (size_t k = half; k < run.recorded.time.size(); ++k) wrong.recorded.q.values[k * columns + 2] += 1.0;
  EXPECT_GT(verify::verify_run(wrong.recorded, wrong.summary).of(verify::Kind::kPositions).violations, 0);
  wrong = run;
  wrong.recorded.origin.inputs_text = "t, F\n0.25, 40\n1.4, -10\n2.5, 0\n";
  EXPECT_GT(verify::verify_run(wrong.recorded, wrong.summary).of(verify::Kind::kEvents).violations, 0);
}

TEST(InputTable, IsRefusedAtItsPlace) {
  const Scene scene = read(mass_before_a_stop(kByForce), "moreau", "");
  struct Bad {
    std::string text;
    int line, column;
    std::string part;
  };
  for (const Bad& bad :
       std::vector<Bad>{{"t, f\n0, 1\n", 1, 4, "'f' is no input of the scene; did you mean 'F'? (there are: F, G; and t)"},
                        {"F\n1\n", 1, 1, "no column t"},
                        {"t\n1\n", 1, 1, "no column of an input"},
                        {"t,F,F\n0,1,1\n", 1, 5, "two columns 'F'"},
                        {"t,F\n0,1\n1\n", 3, 1, "1 number, where the names are 2"},
                        {"t,F\n0,1\n1,one\n", 3, 3, "'one' is no number"},
                        {"t,F\n0,1\n1,nan\n", 3, 3, "'nan' is no number"},
                        {"t,F\n0,1\n\n0,1\n", 4, 1, "times must rise"},
                        {"t,F\n", 0, 0, "no rows"},
                        {"\n", 0, 0, "no table"}}) {
    try {
      (void)read_input_table(bad.text, "bad.csv", *scene.system);
      ADD_FAILURE() << bad.text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.position().file, "bad.csv");
      EXPECT_EQ(error.position().line, bad.line) << bad.text;
      EXPECT_EQ(error.position().column, bad.column) << bad.text;
      EXPECT_NE(std::string(error.what()).find(bad.part), std::string::npos) << error.what();
    }
  }
  const Scene without = test::load("woodpecker");
  EXPECT_THROW((void)read_input_table("t,F\n0,1\n", "bad.csv", *without.system), InputError);
}

}  // namespace tippe::run_input_test
