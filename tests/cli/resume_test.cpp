// SPDX-License-Identifier: Apache-2.0
// A run that was interrupted or killed and resumed is, to the bit, the run that was not.
#include <nlohmann/json.hpp>

#include "support/same_run.h"
#include "support/scenes.h"
#include "support/signals.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::cli_resume_test {

using test::run_program;
using test::signal_after;

// For integrators of smooth motion. Those that choose their steps take longer ones: they get a longer time.
constexpr const char* kSmoothScene = R"scene(tippe = 1
[parameters]
T = 40
[lagrangian]
coordinates = ["a", "b"]
kinetic = "0.5*a'^2 + 0.5*(1 + 0.5*sin(a))*b'^2 + 0.2*cos(a - b)*a'*b'"
potential = "-3*cos(a) - 2*cos(b)"
[lagrangian.forces]
b = "0.3*sin(2*t)"
[initial]
a = 2
[run]
integrator = "moreau"
dt = 2e-4
until = "T"
stop_when = "t - T + 0.99995"
[output.quantities]
reach = "sin(a) + sin(b)"
)scene";

// For those of them that need a constant mass matrix.
constexpr const char* kConstantMassScene = R"scene(tippe = 1
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
potential = "10*y + x^4"
[[bilateral]]
name = "rod"
position = "x^2 + y^2 - 1"
[initial]
x = 1
[run]
integrator = "moreau"
dt = 2e-4
until = 40
)scene";

/// Arguments of a run of about half a second with that integrator; scenes of its own lie in `folder`.
std::vector<std::string> arguments_of(const IntegratorInfo& info, const std::filesystem::path& folder) {
  std::ofstream(folder / "smooth.toml") << kSmoothScene;
  std::ofstream(folder / "constant_mass.toml") << kConstantMassScene;
  const Scene contacts = test::load("woodpecker"), smooth = read_scene(kSmoothScene, "smooth.toml");
  const bool fits = info.misfit(*contacts.system).empty();
  const std::string other = info.misfit(*smooth.system).empty() ? "smooth.toml" : "constant_mass.toml";
  const std::string scene = fits ? test::scene_path("woodpecker") : (folder / other).string();
  std::vector<std::string> arguments = {"run",         scene,     "--integrator", info.name,
                                        "--no-report", "--quiet", "--flush",      "0.02"};
  if (fits) arguments.insert(arguments.end(), {"--until", info.adaptive ? "6.00001" : "2.00001"});
  if (info.adaptive && !fits) arguments.insert(arguments.end(), {"--set", "T=4000"});
  return arguments;
}

class ResumeWith : public testing::TestWithParam<std::string> {};

TEST_P(ResumeWith, ContinuesBitForBit) {
  const test::TemporaryFolder scenes, whole_folder, folder;
  const std::vector<std::string> arguments = arguments_of(*find_integrator(GetParam()), scenes.path());
  ASSERT_EQ(run_program(arguments, whole_folder.path()).exit_code, 0);
  const std::string name = std::filesystem::path(arguments[1]).stem().string() + ".h5";
  const std::vector<std::string> resume = {"run", "--resume", name, "--no-report", "--quiet", "--flush", "0.02"};
  bool begun = false;
  for (const auto& [signal, delay] : {std::pair{SIGINT, 0.02}, {SIGKILL, 0.05}, {SIGINT, 0.05}, {SIGKILL, 0.03}}) {
    // A resumed run has its first flush when its file in the making appears.
    const auto sign = folder.path() / (begun ? name + ".next" : name);
    const auto result = run_program(begun ? resume : arguments, folder.path(), signal_after(sign, signal, delay));
    ASSERT_EQ(result.exit_code, signal == SIGINT ? 130 : 128 + SIGKILL) << result.errors;
    begun = true;
  }
  const auto result = run_program(resume, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  test::expect_same_run(whole_folder.path() / name, folder.path() / name);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / (name + ".next")));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / (name + ".last")));
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryIntegrator, ResumeWith, testing::ValuesIn(integrator_names()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// A kill between two system calls of a flush leaves two names of one file, or an old file under one of the names.
TEST(Resume, WhateverStandsBesideTheRecording) {
  const std::vector<std::string> arguments = {
      "run", test::scene_path("woodpecker"), "--no-report", "--quiet", "--dt", "1e-4", "--until", "0.1"};
  const std::vector<std::string> resume = {"run", "--resume", "woodpecker.h5", "--no-report", "--quiet", "--until", "0.2"};
  const test::TemporaryFolder whole;
  ASSERT_EQ(run_program(arguments, whole.path()).exit_code, 0);
  ASSERT_EQ(run_program(resume, whole.path()).exit_code, 0);
  const auto put = [](const std::filesystem::path& run, const std::string& suffix, const std::string& what) {
    const std::filesystem::path beside = run.string() + suffix;
    if (what == "link") std::filesystem::create_hard_link(run, beside);
    if (what == "copy") std::filesystem::copy_file(run, beside);
    if (what == "junk") std::ofstream(beside) << "no recording";
  };
  for (const std::string next : {"nothing", "link", "copy", "junk"}) {
    for (const std::string last : {"nothing", "link", "copy", "junk"}) {
      SCOPED_TRACE(next + " as .next, " + last + " as .last");
      const test::TemporaryFolder folder;
      const std::filesystem::path run = folder.path() / "woodpecker.h5";
      ASSERT_EQ(run_program(arguments, folder.path()).exit_code, 0);
      put(run, ".next", next);
      put(run, ".last", last);
      const auto resumed = run_program(resume, folder.path());
      ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
      test::expect_same_run(whole.path() / "woodpecker.h5", run);
      put(run, ".next", next);
      put(run, ".last", last);
      ASSERT_EQ(run_program(arguments, folder.path()).exit_code, 0);  // a new run takes the name
      EXPECT_FALSE(std::filesystem::exists(run.string() + ".next"));
      EXPECT_FALSE(std::filesystem::exists(run.string() + ".last"));
    }
  }
}

TEST(Resume, AFinishedRunGoesOnToALaterEnd) {
  const test::TemporaryFolder folder, whole;
  std::ofstream(folder.path() / "ball.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\n"
         "potential = \"9.81*y\"\n[[contact]]\nname = \"floor\"\ngap = \"y\"\n"
         "restitution = 0.8\n[initial]\ny = 1\n[run]\nintegrator = \"moreau\"\ndt = 0.0009765625\nuntil = 1\n"
         "[output]\nevery = 0.01\n";
  ASSERT_EQ(run_program({"run", "ball.toml", "--quiet"}, folder.path()).exit_code, 0);
  const auto finished = run_program({"run", "--resume", "ball.h5"}, folder.path());
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.errors.find("has reached t = 1 already"), std::string::npos) << finished.errors;
  ASSERT_EQ(run_program({"run", "ball.toml", "--resume", "ball.h5", "--until", "2", "--quiet"}, folder.path()).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "ball.html"));
  std::filesystem::copy(folder.path() / "ball.toml", whole.path() / "ball.toml");
  ASSERT_EQ(run_program({"run", "ball.toml", "--until", "2", "--quiet"}, whole.path()).exit_code, 0);
  test::expect_same_run(whole.path() / "ball.h5", folder.path() / "ball.h5");
}

// The midpoint rule is exact for a force that grows linearly with time, so that a wrong time would show.
TEST(Resume, StepsAreCountedFromAShortenedLastStep) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "push.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n"
         "[lagrangian.forces]\nx = \"t\"\n[run]\nintegrator = \"moreau\"\ndt = 0.1\nuntil = 0.35\n";
  ASSERT_EQ(run_program({"run", "push.toml", "--quiet"}, folder.path()).exit_code, 0);
  for (const char* until : {"0.55", "0.77"})
    ASSERT_EQ(run_program({"run", "--resume", "push.h5", "--quiet", "--until", until}, folder.path()).exit_code, 0);
  const RecordedRun run = read_recording(folder.path() / "push.h5");
  const std::vector<double> expected = {0.1, 0.2, 0.3, 0.35, 0.45, 0.55, 0.65, 0.75, 0.77};
  ASSERT_EQ(run.step_time.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(run.step_time[k], expected[k], 1e-12);
  EXPECT_NEAR(run.u.values.back(), 0.5 * 0.77 * 0.77, 1e-12);
}

// The failed step is not part of the checkpoint: the run goes on from the last flush and fails again in the same way.
TEST(Resume, ARunThatStopWhenEndedHasNothingToGoOnWith) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "smooth.toml") << kSmoothScene;
  ASSERT_EQ(
      run_program({"run", "smooth.toml", "--integrator", "rk4", "--dt", "0.01", "--no-report"}, folder.path()).exit_code, 0);
  const auto result = run_program({"run", "--resume", "smooth.h5", "--until", "60"}, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("ended by stop_when at t = 39.00005"), std::string::npos) << result.errors;
}

TEST(Resume, RemembersWarnings) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "clutch.toml") << R"scene(tippe = 1
[lagrangian]
coordinates = ["x1", "x2"]
kinetic = "0.5*x1'^2 + 0.5*x2'^2"
[[one_way]]
name = "clutch"
velocity = "x1'"
[[contact]]
name = "contact"
gap = "x2 - x1"
restitution = 1
[initial]
"x1'" = 2
"x2'" = -3
[run]
integrator = "moreau"
dt = 1e-3
until = 0.01
)scene";
  ASSERT_EQ(run_program({"run", "clutch.toml", "--quiet"}, folder.path()).exit_code, 0);
  const auto result = run_program({"run", "--resume", "clutch.h5", "--until", "0.02", "--json"}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const auto json = nlohmann::json::parse(result.output);
  ASSERT_GE(json["warnings"].size(), 1u) << result.output;
  EXPECT_NE(json["warnings"][0].get<std::string>().find("6 were gained at t = 0.001"), std::string::npos) << result.output;
}

TEST(Resume, AFailedRunFailsAgain) {
  const test::TemporaryFolder folder, whole;
  for (const auto* place : {&folder, &whole})
    ASSERT_EQ(run_program({"run", test::scene_path("oscillator"), "--dt", "1e-3", "--quiet"}, place->path()).exit_code, 3);
  EXPECT_EQ(run_program({"run", "--resume", "oscillator.h5", "--quiet"}, folder.path()).exit_code, 3);
  test::expect_same_run(whole.path() / "oscillator.h5", folder.path() / "oscillator.h5");
}

TEST(Resume, RefusesWhatWouldBeAnotherRun) {
  const test::TemporaryFolder folder;
  const std::string scene = test::scene_path("bouncing_ball");
  ASSERT_EQ(run_program({"run", scene, "--dt", "1e-3", "--quiet"}, folder.path()).exit_code, 0);
  const auto before = test::read_contents(folder.path() / "bouncing_ball.h5");
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{"--dt", "1e-4"},
                                                                                    {"--integrator", "moreau"},
                                                                                    {"--set", "epsilon=0.1"},
                                                                                    {"--out", "results"},
                                                                                    {"--until", "0.5"},
                                                                                    {test::scene_path("incline")}}) {
    std::vector<std::string> arguments = {"run", "--resume", "bouncing_ball.h5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = run_program(arguments, folder.path());
    EXPECT_EQ(result.exit_code, 2) << more[0];
    EXPECT_NE(result.errors, "") << more[0];
  }
  EXPECT_EQ(before, test::read_contents(folder.path() / "bouncing_ball.h5"));
}

TEST(Resume, RefusesOtherVersionsAndDamagedFiles) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", test::scene_path("bouncing_ball"), "--dt", "1e-3", "--quiet"}, folder.path()).exit_code, 0);
  const auto good = folder.path() / "bouncing_ball.h5", bad = folder.path() / "bad.h5";
  const auto resume_changed = [&](const auto& change) {
    std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
    change();
    return run_program({"run", "--resume", "bad.h5", "--until", "3"}, folder.path());
  };
  const auto open = [&] { return Hdf5File::open_for_writing(bad, bad); };
  EXPECT_EQ(resume_changed([] {}).exit_code, 0);
  const auto program = resume_changed([&] { open().set("/", "program", std::string("tippe 0.0.1")); });
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_NE(program.errors.find("bad.h5: error: recorded by tippe 0.0.1"), std::string::npos) << program.errors;
  const auto format = resume_changed([&] { open().set("/", "format_version", std::int64_t{99}); });
  EXPECT_EQ(format.exit_code, 2);
  EXPECT_NE(format.errors.find("format version 99"), std::string::npos) << format.errors;
  EXPECT_EQ(resume_changed([&] { std::filesystem::resize_file(bad, std::filesystem::file_size(bad) / 2); }).exit_code, 4);
  EXPECT_EQ(resume_changed([&] { open().set("checkpoint", "samples", std::int64_t{1000000}); }).exit_code, 4);
  EXPECT_EQ(resume_changed([&] { open().write_numbers("checkpoint/values", std::vector<double>{1, 2}); }).exit_code, 4);
  EXPECT_EQ(resume_changed([&] {
              open().write_numbers("checkpoint/memory/push_out.phase_and_budget", std::vector<double>{1});
            }).exit_code,
            4);
  EXPECT_EQ(resume_changed([&] {
              open().write_numbers("checkpoint/memory/law.age", std::vector<double>{1, 2});
            }).exit_code,
            4);
  EXPECT_EQ(resume_changed([&] { open().write_numbers("checkpoint/arrays/q", std::vector<double>{1, 2}); }).exit_code, 4);
  const auto form = resume_changed([&] { open().set("checkpoint", "form", std::int64_t{1}); });
  EXPECT_EQ(form.exit_code, 2);
  EXPECT_NE(form.errors.find("bad.h5: error: its checkpoint has form 1"), std::string::npos) << form.errors;
  EXPECT_EQ(resume_changed([&] { std::ofstream(bad) << "text"; }).exit_code, 4);
  EXPECT_EQ(resume_changed([&] { std::filesystem::remove(bad); }).exit_code, 4);
}

TEST(Resume, TwoRunsDoNotWriteTheSameFile) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> arguments = {"run",        test::scene_path("woodpecker"), "--until", "1e4", "--quiet",
                                              "--no-report"};
  const auto result = run_program(arguments, folder.path(), [&](pid_t child) {
    signal_after(folder.path() / "woodpecker.h5", 0, 0.05)(child);
    const auto second = run_program(arguments, folder.path());
    EXPECT_EQ(second.exit_code, 4);
    EXPECT_NE(second.errors.find("another run is writing this file"), std::string::npos) << second.errors;
    kill(child, SIGINT);
  });
  EXPECT_EQ(result.exit_code, 130);
}

}  // namespace tippe::cli_resume_test
