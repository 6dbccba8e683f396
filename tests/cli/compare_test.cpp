// SPDX-License-Identifier: Apache-2.0
// Several runs of a scene: each is the run that `tippe run` makes, and their difference is known in closed form.
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/packed_page.h"
#include "support/page.h"
#include "support/program.h"
#include "support/scenes.h"
#include "support/terminal.h"

namespace tippe::cli_compare_test {

using test::decode;
using test::run_program;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Mass 1, stiffness 1, amplitude 1.
constexpr const char* kOscillator =
    "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"0.5*x^2\"\n"
    "[initial]\nx = 1\n[run]\nintegrator = \"rk4\"\ndt = 0.2\nuntil = 8\n";

/// On x'' = -x a step of the classical scheme of Runge and Kutta multiplies x - i x' by the Taylor polynomial of exp(i dt).
double rk4_position(double dt, int steps) {
  const std::complex<double> z(0.0, dt);
  return std::pow(1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0, steps).real();
}

Json compare_json(Words arguments, const std::filesystem::path& folder, int exit_code = 0) {
  arguments.insert(arguments.begin(), "compare");
  arguments.push_back("--json");
  const auto result = run_program(arguments, folder);
  EXPECT_EQ(result.exit_code, exit_code) << result.output << result.errors;
  EXPECT_EQ(result.errors, "");
  return Json::parse(result.output);
}

/// What the program put into its page.
Json page_data(const std::filesystem::path& page) {
  std::ostringstream text;
  text << std::ifstream(page).rdbuf();
  return test::data_of_page(text.str());
}

const Json& panel(const Json& data, const std::string& id) {
  for (const Json& candidate : data["panels"]) {
    if (candidate["id"] == id) return candidate;
  }
  throw std::runtime_error("no panel " + id);
}

TEST(Compare, EveryRunIsTheOneThatRunMakes) {
  const test::TemporaryFolder folder;
  const auto expect_same = [&](const std::string& name, const Words& integrators, const Words& steps) {
    std::string all_integrators, all_steps;
    for (const std::string& integrator : integrators) all_integrators += (all_integrators.empty() ? "" : ",") + integrator;
    for (const std::string& dt : steps) all_steps += (all_steps.empty() ? "" : ",") + dt;
    const Json together =
        compare_json({test::scene_path(name), "--integrators", all_integrators, "--dt", all_steps}, folder.path());
    EXPECT_EQ(together["status"], "ok");
    ASSERT_EQ(together["runs"].size(), integrators.size() * steps.size());
    size_t k = 0;
    for (const std::string& integrator : integrators) {
      for (const std::string& dt : steps) {
        const Json alone = Json::parse(
            run_program({"run", test::scene_path(name), "--integrator", integrator, "--dt", dt, "--no-report", "--json"},
                        folder.path())
                .output);
        for (const auto& [key, value] : together["runs"][k].items()) {
          if (key != "wall_time_s" && alone.contains(key)) {
            EXPECT_EQ(value, alone[key]) << integrator << " " << dt << " " << key;
          }
        }
        ++k;
      }
    }
  };
  expect_same("bouncing_ball", {"moreau", "moreau-jean"}, {"0.01", "0.001"});
  expect_same("pendulum_cartesian", {"rk4", "conserving", "conserving-ggl"}, {"0.02", "0.01"});
}

TEST(Compare, DeviationIsTheDifferenceOfTheTwoSchemesAtCommonTimes) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "oscillator.toml") << kOscillator;
  const Json json = compare_json({"oscillator.toml", "--integrators", "rk4", "--dt", "0.2,0.05"}, folder.path());
  EXPECT_EQ(json["reference"], (Json{{"integrator", "rk4"}, {"dt", 0.05}}));
  EXPECT_EQ(json["common_times"]["count"], 41);
  double largest = 0.0, time = 0.0;
  for (int n = 0; n <= 40; ++n) {
    const double difference = std::abs(rk4_position(0.2, n) - rk4_position(0.05, 4 * n));
    if (difference > largest) time = 0.2 * n;
    largest = std::max(largest, difference);
  }
  EXPECT_NEAR(json["runs"][0]["deviation"]["value"].get<double>(), largest, 1e-13);
  EXPECT_NEAR(json["runs"][0]["deviation"]["time"].get<double>(), time, 1e-12);
  EXPECT_EQ(json["runs"][0]["deviation"]["coordinate"], "x");
  EXPECT_TRUE(json["runs"][1]["deviation"].is_null());
}

TEST(Compare, ThePageHoldsAllRunsAtTheSameTimes) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "oscillator.toml") << kOscillator;
  const Json json =
      compare_json({"oscillator.toml", "--integrators", "rk4,dopri5,moreau", "--dt", "0.2,0.05"}, folder.path());
  EXPECT_EQ(json["files"], Json{"oscillator-compare.html"});
  const Json data = page_data(folder.path() / "oscillator-compare.html");
  ASSERT_EQ(data["runs"].size(), 5u);  // dopri5 chooses its steps: once
  EXPECT_EQ(data["runs"][0]["label"], "rk4, dt = 0.2");
  EXPECT_EQ(data["runs"][2]["label"], "dopri5");
  EXPECT_TRUE(data["runs"][2]["dt"].is_null());
  EXPECT_EQ(data["table"]["rows"].size(), 5u);
  const auto times = decode(data["axes"]["samples"]);
  ASSERT_EQ(times.size(), 41u);
  const Json& x = panel(data, "q x");
  for (const Json& candidate : data["panels"]) EXPECT_EQ(candidate["series"].size(), 5u) << candidate["id"];
  const auto coarse = decode(x["series"][0]["values"]), fine = decode(x["series"][1]["values"]);
  const auto adaptive = decode(x["series"][2]["values"]), energy = decode(panel(data, "energy")["series"][1]["values"]);
  const auto change = decode(panel(data, "energy_change")["series"][1]["values"]);
  for (int n = 0; n <= 40; ++n) {
    const auto k = static_cast<size_t>(n);
    EXPECT_NEAR(times[k], 0.2 * n, 1e-14);
    EXPECT_NEAR(coarse[k], rk4_position(0.2, n), 1e-13);
    EXPECT_NEAR(fine[k], rk4_position(0.05, 4 * n), 1e-13);
    EXPECT_NEAR(adaptive[k], std::cos(times[k]), 1e-7);
    EXPECT_NEAR(change[k], energy[k] - 0.5, 1e-15);
  }
  const auto deviation = decode(panel(data, "deviation")["series"][0]["values"]);
  EXPECT_NEAR(deviation[40], std::abs(coarse[40] - fine[40]), 1e-16);
}

/// The height of the scene bouncing_ball: parabolas, each impact halves the speed.
double exact_height(double t) {
  constexpr double g = 9.81;
  double impact = std::sqrt(2.0 / g), speed = 0.5 * g * impact;
  if (t < impact) return 1.0 - 0.5 * g * t * t;
  for (; speed > 1e-12; speed *= 0.5) {
    const double s = t - impact;
    if (s < 2.0 * speed / g) return speed * s - 0.5 * g * s * s;
    impact += 2.0 * speed / g;
  }
  return 0.0;
}

/// The largest error of its height at multiples of 0.01 s by Moreau's scheme: half a step of the way, the impact
/// where that is at the floor, the other half.
double moreau_error(double dt) {
  const auto every = std::lround(0.01 / dt);
  double y = 1.0, v = 0.0, largest = 0.0;
  for (long n = 1; n <= std::lround(2.0 / dt); ++n) {
    y += 0.5 * dt * v;
    const double free = v - 9.81 * dt;
    v = y <= 0.0 ? std::max(free, -0.5 * v) : free;
    y += 0.5 * dt * v;
    if (n % every == 0) largest = std::max(largest, std::abs(y - exact_height(static_cast<double>(n) * dt)));
  }
  return largest;
}

// Across impacts Moreau's scheme is of first order in positions. Between two steps the order depends on where impacts fall in them: from 0.01 to
// 0.001 s it is 0.63.
TEST(Compare, ObservesTheOrderOfMoreausSchemeAgainstTheEvents) {
  const test::TemporaryFolder folder;
  const std::vector<double> steps = {1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4};
  const Json json = compare_json({test::scene_path("bouncing_ball"), "--integrators", "event-driven,moreau", "--dt",
                                  "1e-2,5e-3,2e-3,1e-3,5e-4,2e-4,1e-4"},
                                 folder.path());
  EXPECT_EQ(json["reference"]["integrator"], "event-driven");
  ASSERT_EQ(json["runs"].size(), 1u + steps.size());  // event-driven chooses its steps: once
  EXPECT_TRUE(json["runs"][0]["error_against_reference"].is_null());
  for (size_t k = 0; k < steps.size(); ++k) {
    const Json& run = json["runs"][1 + k];
    EXPECT_NEAR(run["error_against_reference"]["positions"]["value"].get<double>(), moreau_error(steps[k]), 1e-9) << k;
    if (k == 0) continue;
    const double order = std::log(moreau_error(steps[k - 1]) / moreau_error(steps[k])) / std::log(steps[k - 1] / steps[k]);
    EXPECT_NEAR(run["observed_order"]["positions"].get<double>(), order, 1e-4) << k;
  }
  ASSERT_EQ(json["orders"].size(), 1u);
  EXPECT_EQ(json["orders"][0]["integrator"], "moreau");
  EXPECT_GE(json["orders"][0]["positions"].get<double>(), 0.8);
  EXPECT_LE(json["orders"][0]["positions"].get<double>(), 1.3);
}

TEST(Compare, TheTableNamesTheReferenceAndEveryRun) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"compare", test::scene_path("bouncing_ball"), "--integrators", "moreau-jean,moreau",
                                   "--dt", "0.01,0.001", "-o", "new/ball.html"},
                                  folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* part : {"Bouncing ball: 4 runs", "penetration", "impacts", "reference, moreau-jean, dt = 0.001,",
                           "at 201 common times", "wrote new/ball.html"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part << "\n" << result.output;
  EXPECT_EQ(result.output.find("violation"), std::string::npos);  // no constraints, no column
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "new" / "ball.html"));
  int runs = 0;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) runs += line.ends_with("  ok") ? 1 : 0;
  EXPECT_EQ(runs, 4);
  const auto constrained =
      run_program({"compare", test::scene_path("pendulum_cartesian"), "--integrators", "rk4", "--quiet"}, folder.path());
  EXPECT_EQ(constrained.output, "");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "pendulum_cartesian-compare.html"));
}

TEST(Compare, TakesAllThatFitsAndTheStepOfTheSceneByDefault) {
  const test::TemporaryFolder folder;
  const Json json = compare_json({test::scene_path("pendulum_cartesian"), "--until", "0.5"}, folder.path());
  const Json check =
      Json::parse(run_program({"check", test::scene_path("pendulum_cartesian"), "--json"}, folder.path()).output);
  std::set<std::string> fitting, compared;
  for (const Json& integrator : check["integrators"]) {
    if (integrator["fits"]) fitting.insert(integrator["name"]);
  }
  for (const Json& run : json["runs"]) {
    compared.insert(run["integrator"]);
    EXPECT_EQ(run["dt"], 0.01);
  }
  EXPECT_EQ(compared, fitting);
  EXPECT_EQ(json["runs"].size(), fitting.size());
  EXPECT_EQ(json["runs"][0]["integrator"],
            "conserving-ggl");  // the scene's own comes first, and is the reference but for event-driven
  EXPECT_EQ(json["reference"]["integrator"], fitting.contains("event-driven") ? "event-driven" : "conserving-ggl");
}

TEST(Compare, StepsMayBeExpressionsWithCommas) {
  const test::TemporaryFolder folder;
  const Json json = compare_json({test::scene_path("bouncing_ball"), "--integrators", "moreau", "--dt",
                                  "min(h, g)/50, 0.5*epsilon/25", "--set", "epsilon=0.25"},
                                 folder.path());
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_DOUBLE_EQ(json["runs"][0]["dt"].get<double>(), 0.02);
  EXPECT_DOUBLE_EQ(json["runs"][1]["dt"].get<double>(), 0.005);
}

TEST(Compare, AFailedRunIsShownAndTheOthersGoOn) {
  const test::TemporaryFolder folder;
  const Words arguments = {test::scene_path("oscillator"), "--integrators", "moreau", "--dt", "1e-3,1e-5"};
  const Json json = compare_json(arguments, folder.path(), 3);
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["runs"][0]["status"], "failed");
  EXPECT_NE(json["runs"][0]["error"]["message"].get<std::string>().find("from t = 0.0"), std::string::npos);
  EXPECT_NE(json["error"]["message"].get<std::string>().find("1 of 2 runs failed: moreau, dt = 0.001: step"),
            std::string::npos);
  EXPECT_EQ(json["runs"][1]["status"], "ok");
  EXPECT_EQ(json["runs"][1]["t_end"], 1.0);
  EXPECT_EQ(json["reference"]["dt"], 1e-5);
  const Json data = page_data(folder.path() / "oscillator-compare.html");
  EXPECT_EQ(data["status"], "failed");
  EXPECT_EQ(data["runs"][0]["shown"], false);  // its energy of 1e306 J would hide all else
  EXPECT_EQ(data["runs"][1]["shown"], true);
  const auto energy = test::numbers_of(data, panel(data, "energy")["series"][0]["values"]);
  EXPECT_TRUE(std::isfinite(energy[0]));
  EXPECT_TRUE(std::isnan(energy.back()));  // it never came there

  Words plain = arguments;
  plain.insert(plain.begin(), "compare");
  const auto told = run_program(plain, folder.path());
  EXPECT_EQ(told.exit_code, 3);
  EXPECT_NE(told.output.find("step 62 from t = 0.061 failed: an energy or a gap is not finite"), std::string::npos)
      << told.output;
  EXPECT_NE(told.errors.find("error: 1 of 2 runs failed"), std::string::npos);
}

// A run that could not finish is no reference, even with the smallest step.
TEST(Compare, TheReferenceIsARunThatFinished) {
  const test::TemporaryFolder folder;
  const Json json = compare_json({test::scene_path("oscillator"), "--integrators", "moreau,moreau-jean", "--dt", "1e-3"},
                                 folder.path(), 3);
  EXPECT_EQ(json["runs"][0]["status"], "failed");
  EXPECT_EQ(json["reference"]["integrator"], "moreau-jean");
}

TEST(Compare, RunsThatStopAtOtherTimesAreComparedUntilThen) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "drop.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"2*y\"\n"
         "[run]\nintegrator = \"moreau\"\ndt = 0.3\nuntil = 9\nstop_when = \"-1 - y\"\n";
  const Json json = compare_json({"drop.toml", "--integrators", "rk4", "--dt", "0.3,0.1"}, folder.path());
  EXPECT_NEAR(json["runs"][0]["stopped"]["time"].get<double>(), 1.0, 1e-12);  // y = -t^2, to round-off with rk4
  EXPECT_NEAR(json["runs"][0]["deviation"]["value"].get<double>(), 0.0, 1e-14);
  const Json data = page_data(folder.path() / "drop-compare.html");
  const auto y = decode(panel(data, "q y")["series"][0]["values"]);
  ASSERT_EQ(y.size(), 31u);
  EXPECT_NEAR(y[3], -0.81, 1e-14);
  EXPECT_TRUE(std::isnan(y[4]));
  EXPECT_EQ(data["table"]["rows"][0].back(), "stop_when at t = 1");
}

TEST(Compare, BadInputIsToldBeforeAnythingRuns) {
  const test::TemporaryFolder folder;
  const std::string ball = test::scene_path("bouncing_ball");
  const std::vector<std::pair<Words, std::string>> cases = {
      {{ball, "--integrators", "moreau,rk4"},
       "--integrators: 'rk4' does not fit this scene: it integrates smooth motion only"},
      {{ball, "--integrators", "moreau,mureau-jean"}, "unknown integrator 'mureau-jean'; did you mean 'moreau-jean'?"},
      {{ball, "--integrators", "moreau,moreau"}, "the run with moreau and dt = 0.0001 is asked for twice"},
      {{ball, "--integrators", ""}, "--integrators: an entry is missing"},
      {{ball, "--dt", "0.01,1e-2"}, "the run with moreau and dt = 0.01 is asked for twice"},
      {{ball, "--dt", "0.01,"}, "--dt: an entry is missing in '0.01,'"},
      {{ball, "--dt", "0.01,-1"}, "--dt: the time step must be positive, got -1"},
      {{ball, "--dt", "0.01,0.00997"}, "steps from 0.00997 to 0.01 have less than 20 of them until t = 2"},
      {{ball, "--set", "nonsense=1"}, "nonsense"},
      {{ball, "--speed", "3"}, "--speed"}};
  for (const auto& [arguments, message] : cases) {
    Words words = arguments;
    words.insert(words.begin(), "compare");
    const auto plain = run_program(words, folder.path());
    EXPECT_EQ(plain.exit_code, 2);
    EXPECT_NE(plain.errors.find(message), std::string::npos) << plain.errors;
    EXPECT_EQ(plain.output, "");
    const Json json = compare_json(arguments, folder.path(), 2);
    EXPECT_EQ(json["status"], "bad_input");
    EXPECT_NE(json["error"]["message"].get<std::string>().find(message), std::string::npos) << json["error"];
    EXPECT_EQ(json["runs"], Json::array());
  }
  EXPECT_TRUE(folder.empty());
}

TEST(Compare, TroubleWithThePageIsExitCode4AndKeepsTheTable) {
  const test::TemporaryFolder folder;
  const std::string ball = test::scene_path("bouncing_ball");
  std::ofstream(folder.path() / "file");
  EXPECT_EQ(compare_json({ball, "-o", "file/page.html"}, folder.path(), 4)["status"], "failed");
  std::filesystem::create_directory(folder.path() / "folder");
  EXPECT_EQ(compare_json({ball, "-o", "folder"}, folder.path(), 4)["status"], "failed");
  std::filesystem::create_symlink("/dev/full", folder.path() / "full.html");
  const Json full =
      compare_json({ball, "--integrators", "moreau", "--dt", "0.02,0.01", "-o", "full.html"}, folder.path(), 4);
  EXPECT_EQ(full["runs"].size(), 2u);
  EXPECT_EQ(full["files"], Json::array());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "full.html"));  // only an old page is removed
  std::filesystem::copy(ball, folder.path() / "ball.toml");
  EXPECT_EQ(compare_json({"ball.toml", "-o", "ball.toml"}, folder.path(), 2)["status"], "bad_input");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "ball.toml"));
}

TEST(Compare, AnInterruptKeepsWhatWasComputed) {
  const test::TemporaryFolder folder;
  const auto interrupt = [](pid_t child) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    kill(child, SIGINT);
  };
  // The first run takes a millisecond, the second an hour.
  const auto result = run_program(
      {"compare", test::scene_path("bouncing_ball"), "--integrators", "moreau", "--dt", "1e-2,1e-9,5e-10", "--json"},
      folder.path(), interrupt);
  EXPECT_EQ(result.exit_code, 130) << result.output << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "interrupted");
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][0]["status"], "ok");
  EXPECT_EQ(json["runs"][1]["status"], "interrupted");
  EXPECT_GT(json["runs"][1]["steps"].get<double>(), 0.0);
  EXPECT_EQ(json["not_run"], Json{"moreau, dt = 5e-10"});
  EXPECT_NE(json["error"]["message"].get<std::string>().find("moreau, dt = 1e-09 was interrupted at t = "),
            std::string::npos);
  EXPECT_EQ(json["reference"]["dt"], 0.01);
  const Json data = page_data(folder.path() / "bouncing_ball-compare.html");
  EXPECT_EQ(data["status"], "interrupted");
  EXPECT_EQ(data["runs"].size(), 2u);
}

TEST(Compare, ProgressOnATerminalNamesTheRun) {
  const test::TemporaryFolder folder;
  const std::string shown = test::run_on_terminal(
      {"compare", test::scene_path("bouncing_ball"), "--integrators", "moreau", "--dt", "1e-4,1e-5"}, folder.path());
  for (const char* part : {"1 of 2: moreau, dt = 0.0001 [", "2 of 2: moreau, dt = 1e-05 ["})
    EXPECT_NE(shown.find(part), std::string::npos) << shown;
}

}  // namespace tippe::cli_compare_test
