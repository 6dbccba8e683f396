// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <sstream>

#include "support/program.h"
#include "support/scenes.h"
#include "support/signals.h"
#include "support/sweeps.h"
#include "tippe/report/page.h"
#include "tippe/sweep/sweep_file.h"

namespace tippe::cli_sweep_test {

using test::after_rows;
using test::expect_same_sweep;
using test::run_program;

/// A column of a table of a sweep.
std::vector<double> column(const SweepTable& table, const std::string& name) {
  const auto place = static_cast<size_t>(std::find(table.names.begin(), table.names.end(), name) - table.names.begin());
  EXPECT_LT(place, table.names.size()) << name;
  std::vector<double> values;
  for (size_t k = place; k < table.values.size(); k += table.names.size()) values.push_back(table.values[k]);
  return values;
}

std::vector<std::string> pendulum_sweep(const std::string& jobs, const std::string& out) {
  return {"sweep",       test::scene_path("impacting_pendulum"),
          "--vary",      "epsilon=0.5:1:5",
          "--vary",      "phi=0.2:0.4:40",
          "--until",     "2",
          "--dt",        "1e-3",
          "--quantity",  "phi:max",
          "--quantity",  "phi':rms",
          "--section",   "phi'",
          "--transient", "1",
          "--keep",      "2",
          "--jobs",      jobs,
          "--out",       out,
          "--flush",     "0.002"};
}

TEST(Sweep, EveryRunHasItsValuesAndLosesTheEnergyOfItsImpacts) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"sweep", test::scene_path("bouncing_ball"), "--vary", "epsilon=0.6,0.7,0.9", "--vary",
                                   "y=0.5:1.5:3", "--integrator", "event-driven", "--until", "1", "--quantity", "y:max"},
                                  folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(result.output.ends_with("0 of 9 runs failed\n")) << result.output;
  const SweepTable runs = read_sweep_runs(folder.path() / "bouncing_ball.sweep.h5");
  const auto epsilon = column(runs, "epsilon"), y = column(runs, "y"), impacts = column(runs, "impacts"),
             initial = column(runs, "energy_initial"), final = column(runs, "energy_final"), top = column(runs, "y:max");
  ASSERT_EQ(y.size(), 9u);
  const double e[] = {0.6, 0.7, 0.9}, heights[] = {0.5, 1.0, 1.5};
  for (size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(epsilon[k], e[k / 3]);
    EXPECT_EQ(y[k], heights[k % 3]);
    EXPECT_GT(impacts[k], 0.0);
    // A fall from y leaves epsilon^2 of the energy at every impact.
    EXPECT_NEAR(final[k] / initial[k], std::pow(epsilon[k], 2.0 * impacts[k]), 1e-12);
    EXPECT_NEAR(top[k], heights[k % 3], 1e-12);
  }
}

// x'' + d x' + x = 0 forgets at the rates (d +- sqrt(d^2 - 4))/2, of which the smaller is left after a while.
TEST(Sweep, AQuantityIsTheLargestLyapunovExponent) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "damped.toml")
      << "tippe = 1\n[parameters]\nd = 3\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\n"
         "potential = \"0.5*x^2\"\ndamping = \"0.5*d*x'^2\"\n[initial]\nx = 1\n[run]\ndt = 0.1\nuntil = 20\n";
  const auto sweep = [&](const std::string& integrator) {
    return run_program({"sweep", "damped.toml", "--vary", "d=3,4", "--integrator", integrator, "--quantity", "lyapunov"},
                       folder.path());
  };
  const auto result = sweep("event-driven");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const SweepTable runs = read_sweep_runs(folder.path() / "damped.sweep.h5");
  const auto d = column(runs, "d"), exponent = column(runs, "lyapunov");
  for (size_t k = 0; k < 2; ++k) EXPECT_NEAR(exponent[k], -0.5 * (d[k] - std::sqrt(d[k] * d[k] - 4.0)), 1e-8);
  const auto refused = sweep("rk4");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("Lyapunov exponents need the integrator event-driven"), std::string::npos) << refused.errors;
}

TEST(Sweep, TheNumberOfJobsChangesNoBit) {
  const test::TemporaryFolder folder;
  for (const char* jobs : {"1", "2", "5"}) EXPECT_EQ(run_program(pendulum_sweep(jobs, jobs), folder.path()).exit_code, 0);
  for (const char* jobs : {"2", "5"})
    expect_same_sweep(folder.path() / "1/impacting_pendulum.sweep.h5", folder.path() / jobs / "impacting_pendulum.sweep.h5");
}

TEST(Sweep, IsWholeAfterAKillAndGoesOnToTheSameBits) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(run_program(pendulum_sweep("2", "whole"), folder.path()).exit_code, 0);
  const std::filesystem::path whole = folder.path() / "whole/impacting_pendulum.sweep.h5",
                              file = folder.path() / "part/impacting_pendulum.sweep.h5";
  int partly = 0;
  for (const double delay : {0.0, 0.001, 0.003, 0.01, 0.03}) {
    const auto killed = run_program(pendulum_sweep("2", "part"), folder.path(), after_rows(file, SIGKILL, delay));
    ASSERT_TRUE(killed.exit_code == 128 + SIGKILL || killed.exit_code == 0);
    if (const std::int64_t rows = read_sweep(file).rows; rows > 0 && rows < 200) ++partly;
    const auto resumed = run_program({"sweep", "--resume", file.string(), "--jobs", "1"}, folder.path());
    EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
    expect_same_sweep(whole, file);
    std::filesystem::remove(file);
  }
  EXPECT_GT(partly, 0);
}

TEST(Sweep, AnInterruptKeepsWhatIsDone) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "impacting_pendulum.sweep.h5";
  const auto result = run_program({"sweep", test::scene_path("impacting_pendulum"), "--vary", "phi=0.2:0.4:100000"},
                                  folder.path(), test::signal_after(file, SIGINT, 0.05));
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.output.find("go on with: tippe sweep --resume"), std::string::npos) << result.output;
  EXPECT_EQ(Hdf5File::open(file).text_attribute("/", "status"), "interrupted");
}

TEST(Sweep, ARunThatCannotStartIsARowWithItsReasonAndTheOthersGoOn) {
  const test::TemporaryFolder folder;
  const auto result =
      run_program({"sweep", test::scene_path("bouncing_ball"), "--vary", "y=1,-1,0.5", "--until", "0.1"}, folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(result.output.ends_with("1 of 3 runs failed\n")) << result.output;
  const auto events = run_program({"export", "bouncing_ball.sweep.h5", "--events"}, folder.path());
  EXPECT_EQ(events.exit_code, 2);
  EXPECT_NE(events.errors.find("keeps no events"), std::string::npos) << events.errors;
  const auto csv = run_program({"export", "bouncing_ball.sweep.h5", "--columns", "y,end,reason,steps"}, folder.path());
  std::istringstream lines(csv.output);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "y,end,reason,steps");
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("1,until,,")) << line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("-1,refused,") && line.find("penetrat") != std::string::npos && line.ends_with(",nan"))
      << line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("0.5,until,,")) << line;
}

TEST(Sweep, WrongRequestsAreRefusedBeforeAnythingIsWritten) {
  const test::TemporaryFolder folder;
  const std::string scene = test::scene_path("bouncing_ball");
  const test::TemporaryFolder tables;
  int count = 0;
  const auto table = [&](const char* text) {
    const std::filesystem::path own = tables.path() / std::to_string(count++);
    std::filesystem::create_directory(own);
    std::ofstream(own / "points.csv") << text;
    return (own / "points.csv").string();
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--vary", "epsilom=0:1:3"}, "--vary epsilom: the scene has no parameter 'epsilom'"},
      {{"--vary", "epsilon=0:1"}, "--vary: the range of 'epsilon' needs the number of its values"},
      {{"--vary", "epsilon=0:x:3"}, "--vary epsilon=0:x:3: 'x' is no number"},
      {{}, "--vary: nothing varies"},
      {{"--vary", "epsilon=0:1:3", "--quantity", "z:max"}, "--quantity: there is no quantity, coordinate or velocity 'z'"},
      {{"--vary", "epsilon=0:1:3", "--quantity", "y:maximum"}, "'maximum' is no reduction"},
      {{"--vary", "epsilon=0:1:3", "--section", "impact:flor"}, "--section: there is no law 'flor'"},
      {{"--vary", "epsilon=0:1:3", "--section", "stroboscopic"}, "'stroboscopic' needs the 'forcing_period'"},
      {{"--vary", "epsilon=0:1:3", "--section", "y\""}, "--section: there is no section"},
      {{"--vary", "epsilon=0:1:3", "--jobs", "0"}, "--jobs: Value 0 not in range 1 to 100000"},
      {{"--vary", "epsilon=0:1:3", "--keep", "0"}, "--keep: Value 0 not in range 1 to 1000000000"},
      {{"--vary", "epsilon=0:1:3", "--flush", "nan"}, "--flush: nan is no number of seconds from 0 to 1e+06"},
      {{"--vary", "epsilon=0:1:3", "--set", "epsilon=1"}, "--set epsilon=1: 'epsilon' varies, and cannot be set too"},
      {{"--table", table("epsilon\n1\n"), "--sample", "3"}, "--table: a table has all its points"},
      {{"--table", table("epsilon,epsilom\n1,1\n")}, "points.csv:1:9: error: the scene has no parameter 'epsilom'"},
      {{"--table", table("epsilon,epsilon\n1,1\n")}, "points.csv:1:9: error: 'epsilon' varies twice"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments = {"sweep", scene};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto result = run_program(arguments, folder.path());
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors << "\nwanted\n" << message;
  }
  EXPECT_TRUE(folder.empty());
}

// Stable while (A w^2/g) sin p < 2 (1 + e^2)/(1 + e)^2 with cos p = pi g (1 - e)/(A w^2 (1 + e)): the head of the scene.
TEST(Sweep, TheVibratingTableDoublesItsPeriodWhereTheClosedFormSays) {
  const double e = 0.8, w = 62.83185307179586, g = 9.81;
  const double at_doubling =
      g / (w * w) * std::hypot(std::numbers::pi * (1 - e) / (1 + e), 2 * (1 + e * e) / ((1 + e) * (1 + e)));
  const test::TemporaryFolder folder;
  const auto result = run_program({"sweep", test::scene_path("vibrating_table"), "--vary", "A=0.0026,0.00270,0.00275,0.0028",
                                   "--section", "impact:table", "--transient", "150", "--keep", "4"},
                                  folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::filesystem::path file = folder.path() / "vibrating_table.sweep.h5";
  EXPECT_EQ(column(read_sweep_runs(file), "period"), (std::vector<double>{1, 2, 2, 2}));
  const std::vector<double> u = column(read_sweep_section(file), "y'");
  ASSERT_EQ(u.size(), 16u);
  EXPECT_NEAR(u[0], std::numbers::pi * g / w, 1e-6);  // the orbit of period one leaves with this speed
  // Beyond, the difference of both speeds grows like a root: its square is a parabola of A, whose zero is the doubling.
  double a[3], squared[3];
  for (size_t k = 0; k < 3; ++k) {
    a[k] = 0.0027 + 0.00005 * static_cast<double>(k);
    squared[k] = std::pow(u[4 * k + 4] - u[4 * k + 5], 2);
  }
  const double slope = (squared[1] - squared[0]) / (a[1] - a[0]),
               bend = ((squared[2] - squared[1]) / (a[2] - a[1]) - slope) / (a[2] - a[0]);
  double zero = a[0];
  for (int k = 0; k < 50; ++k) {
    const double value = squared[0] + (zero - a[0]) * (slope + bend * (zero - a[1]));
    zero -= value / (slope + bend * (2 * zero - a[0] - a[1]));
  }
  EXPECT_NEAR(zero, at_doubling, 2e-3 * at_doubling) << at_doubling;
}

// Without the stop the mass settles on F/sqrt((c - m w^2)^2 + (d w)^2), and grazes where that is the distance of the stop: the head of the scene.
TEST(Sweep, TheImpactOscillatorGrazesWhereTheClosedFormSaysAndComesBackElsewhere) {
  const double grazing = std::hypot(1.0 - 0.64, 0.1 * 0.8);
  const test::TemporaryFolder folder;
  const auto result = run_program(
      {"sweep", test::scene_path("impact_oscillator"), "--vary", "F=0.356:0.372:9", "--transient", "60", "--keep", "20"},
      folder.path());  // the rest is what [sweep] says: followed up and down
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const SweepTable runs = read_sweep_runs(folder.path() / "impact_oscillator.sweep.h5");
  const auto F = column(runs, "F"), down = column(runs, "down"), top = column(runs, "x:max"),
             period = column(runs, "period");
  ASSERT_EQ(F.size(), 18u);
  for (size_t k = 0; k < 18; ++k) {
    EXPECT_EQ(F[k], F[17 - k]);
    EXPECT_EQ(down[k], k < 9 ? 0.0 : 1.0);
    const bool touches =
        k < 9 ? F[k] > grazing - 1e-3 : F[k] > 0.365;  // on the way up F = 0.368 is left by the step that leads there
    EXPECT_NEAR(top[k], touches ? 1.0 : F[k] / grazing, 1e-5) << F[k] << " " << down[k];
    EXPECT_TRUE(touches || period[k] == 1.0) << F[k];
  }
  EXPECT_EQ(period[8], 2.0);  // F = 0.372
}

std::string two_wells() {
  return "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"x^4/4 - x^2/2\"\ndamping = "
         "\"x'^2/4\"\n"
         "[initial]\nx = 1\n[run]\nintegrator = \"dopri5\"\ndt = 1e-2\nuntil = 400\n[sweep]\n"
         "vary = [\"x=-2:2:10\", \"x'=-2:2:10\"]\nbasin = true\n";
}

TEST(Sweep, ABasinHasTheSymmetryOfItsSystem) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "wells.toml") << two_wells();
  const auto result = run_program({"sweep", "wells.toml"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("attractor 0   50.0 %  rest\n  attractor 1   50.0 %  rest\n"), std::string::npos)
      << result.output;
  const std::filesystem::path file = folder.path() / "wells.sweep.h5";
  const SweepTable runs = read_sweep_runs(file);
  const auto x = column(runs, "x"), attractor = column(runs, "attractor"), end = column(runs, "final x");
  ASSERT_EQ(x.size(), 100u);
  for (size_t k = 0; k < 100; ++k) {
    EXPECT_EQ(attractor[k], 1.0 - attractor[99 - k]) << k;  // (x, x') -> (-x, -x')
    EXPECT_NEAR(std::abs(end[k]), 1.0, 1e-6);               // the bottoms of the wells
    EXPECT_EQ(end[k] > 0, attractor[k] == (end[0] > 0 ? attractor[0] : 1.0 - attractor[0])) << k;
  }
  const std::vector<double> points = Hdf5File::open(file).read_table("attractors/point");
  ASSERT_EQ(points.size(), 8u);  // attractor, t, x, x'
  EXPECT_NEAR(points[2], -points[6], 1e-6);
}

TEST(Sweep, WhatIsFollowedAndABasinGoOnToTheSameBits) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "wells.toml") << two_wells();
  const std::vector<std::string> follow = {"sweep",    test::scene_path("impact_oscillator"),
                                           "--vary",   "s=0.9,1",
                                           "--vary",   "F=0.356:0.372:9",
                                           "--follow", "both",
                                           "--keep",   "20",
                                           "--flush",  "0.001"},
                                 basin = {"sweep", "wells.toml", "--flush", "0.001"};
  for (const auto& [arguments, name] : {std::pair{follow, "impact_oscillator"}, std::pair{basin, "wells"}}) {
    const std::string file = std::string(name) + ".sweep.h5";
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), arguments.begin(), arguments.end());
      return more;
    };
    ASSERT_EQ(run_program(with({"--out", "whole", "--jobs", "2"}), folder.path()).exit_code, 0);
    const std::filesystem::path begun = folder.path() / "part" / file;
    const auto part = run_program(with({"--out", "part", "--jobs", "1"}), folder.path(), after_rows(begun, SIGINT, 0.0));
    EXPECT_TRUE(part.exit_code == 130 || part.exit_code == 0) << part.errors;
    EXPECT_GT(read_sweep(begun).rows, 0);
    EXPECT_EQ(run_program({"sweep", "--resume", "part/" + file}, folder.path()).exit_code, 0);
    expect_same_sweep(folder.path() / "whole" / file, begun);
  }
}

TEST(Sweep, ATableOfPointsMayBeNamedByTheScene) {
  const test::TemporaryFolder folder;
  std::string scene = two_wells();
  scene.replace(scene.find("vary = "), std::string::npos, "table = \"points.csv\"\nquantities = [\"x:max\", \"x:mean\"]\n");
  std::filesystem::create_directory(folder.path() / "there");
  std::ofstream(folder.path() / "there/wells.toml") << scene;
  std::ofstream(folder.path() / "there/points.csv") << "x,x'\n1,0\n-1,0\n1.5,0\n";
  const auto result = run_program({"sweep", "there/wells.toml", "--until", "20"}, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const SweepTable runs = read_sweep_runs(folder.path() / "wells.sweep.h5");
  EXPECT_EQ(column(runs, "x:mean")[0], 1.0);  // at rest
  EXPECT_EQ(column(runs, "x:mean")[1], -1.0);
  EXPECT_EQ(column(runs, "x:max")[2], 1.5);
  std::string wrong = two_wells();
  wrong.replace(wrong.find("x=-2"), 1, "z");
  std::ofstream(folder.path() / "wrong.toml") << wrong;
  const auto blamed = run_program({"sweep", "wrong.toml"}, folder.path());
  EXPECT_EQ(blamed.exit_code, 2);
  EXPECT_NE(blamed.errors.find("wrong.toml:14:8: error: z: the scene has no parameter 'z'"), std::string::npos)
      << blamed.errors;
  std::ofstream(folder.path() / "there/points.csv") << "x,x'\n1,z\n";
  const auto bad = run_program({"sweep", "there/wells.toml"}, folder.path());
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.errors.find("points.csv:2:3: error: 'z' is no number"), std::string::npos) << bad.errors;
}

/// What a page draws.
nlohmann::json data_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string page = text.str(), mark = "id=\"data\">";
  const size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Sweep, ThePageOfABasinNamesItsAttractors) {
  const test::TemporaryFolder folder;
  const auto result = run_program(
      {"sweep", test::scene_path("impact_oscillator"), "--vary", "x=-1,0", "--basin", "--transient", "20", "--keep", "6"},
      folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::vector<std::string> names = read_sweep(folder.path() / "impact_oscillator.sweep.h5").attractors;
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(data_of(folder.path() / "impact_oscillator.sweep.html")["attractors"], nlohmann::json(names));
  for (size_t k = 0; k < names.size(); ++k)
    EXPECT_NE(result.output.find(fmt::format("attractor {}  ", k)), std::string::npos) << result.output;
  for (const std::string& name : names)
    EXPECT_NE(result.output.find("  " + name + "\n"), std::string::npos) << result.output;
}

TEST(Sweep, ThePageHasTheNumbersOfTheFileAndTheCommandThatRepeatsARun) {
  const test::TemporaryFolder folder;
  const auto result = run_program({"sweep", test::scene_path("bouncing_ball"), "--vary", "y=-1:1:3", "--section", "y'",
                                   "--keep", "2", "--transient", "0", "--until", "3", "--set", "m=2"},
                                  folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.output.find("page: bouncing_ball.sweep.html\n"), std::string::npos) << result.output;
  const nlohmann::json data = data_of(folder.path() / "bouncing_ball.sweep.html");
  EXPECT_EQ(data["names"][0], "y");
  EXPECT_EQ(data["runs"][0], base64({-1, 0, 1}));
  EXPECT_EQ(data["ends"][6], "refused");
  EXPECT_EQ(data["runs"][1], base64(column(read_sweep_runs(folder.path() / "bouncing_ball.sweep.h5"), "end")));
  const SweepTable section = read_sweep_section(folder.path() / "bouncing_ball.sweep.h5");
  EXPECT_EQ(data["section"][3], base64(column(section, "y")));
  const std::string command = data["command"];
  EXPECT_TRUE(command.starts_with("tippe run ") && command.ends_with("bouncing_ball.toml --until 3 --set \"m=2\""))
      << command;
  const auto quiet = run_program(
      {"sweep", test::scene_path("bouncing_ball"), "--vary", "y=1", "--until", "0.1", "--no-report", "--out", "other"},
      folder.path());
  EXPECT_EQ(quiet.exit_code, 0) << quiet.errors;
  EXPECT_EQ(quiet.output.find("page"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "other/bouncing_ball.sweep.html"));
}

}  // namespace tippe::cli_sweep_test
