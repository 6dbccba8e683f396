// SPDX-License-Identifier: Apache-2.0
// tippe run --dump-problem, and what tippe solve makes of the file.
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/scenes.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/record/recorded_run.h"

namespace tippe::cli_dump_problem_test {

using test::run_program;
using Json = nlohmann::json;

std::vector<double> without_zeros(const std::vector<double>& values) {
  std::vector<double> kept;
  for (const double value : values) {
    if (value != 0.0) kept.push_back(value);
  }
  return kept;
}

class DumpProblem : public testing::Test {
 protected:
  test::ProgramResult run(const std::string& scene, const std::string& wanted, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"run", scene, "--no-report", "--dump-problem", wanted};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }
  std::string problems(const std::string& name) { return std::string(TIPPE_SOURCE_DIR) + "/problems/" + name + ".toml"; }

  /// Solves the dumped problem tightly and compares with the impulses that the run recorded at the end of that step. Laws that do
  /// not act, or act without an impulse, are zeros in one or the other.
  void expect_recorded_impulses(const std::string& name, const std::string& kind, int step) {
    const RecordedRun recorded = read_recording(folder_.path() / (name + ".h5"));
    const size_t rows = recorded.impulse.names.size();
    const auto begin = recorded.impulse.values.begin() + static_cast<std::ptrdiff_t>(step * static_cast<int>(rows));
    const std::vector<double> expected = without_zeros({begin, begin + static_cast<std::ptrdiff_t>(rows)});
    ASSERT_FALSE(expected.empty());
    const auto result =
        run_program({"solve", name + ".problem.hdf5", "--tol", "1e-12", "--json", "--impulses"}, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.output;
    const Json json = Json::parse(result.output);
    EXPECT_EQ(json["kind"], kind);
    const std::vector<double> found = without_zeros(json["impulses"].get<std::vector<double>>());
    ASSERT_EQ(found.size(), expected.size());
    double largest = 0.0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-8 * largest) << k;
  }

  /// The first step of a recording with one sample per step in which a law had an impulse.
  int first_impulse(const std::string& name) {
    const RecordedRun recorded = read_recording(folder_.path() / (name + ".h5"));
    const size_t rows = recorded.impulse.names.size();
    for (size_t k = 0; k < recorded.impulse.values.size(); ++k) {
      if (recorded.impulse.values[k] != 0.0) return static_cast<int>(k / rows);
    }
    return -1;
  }

  test::TemporaryFolder folder_;
};

TEST_F(DumpProblem, TheWoodpeckersImpactGivesItsImpulsesAgain) {
  const std::string scene = test::scene_path("woodpecker");
  const std::vector<std::string> few = {"--dt", "1e-4", "--until", "0.2"};
  ASSERT_EQ(run(scene, "worst", few).exit_code, 0);
  const int step = first_impulse("woodpecker");
  ASSERT_GT(step, 0);
  const auto result = run(scene, "step:" + std::to_string(step), few);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("woodpecker.problem.hdf5"), std::string::npos) << result.output;
  expect_recorded_impulses("woodpecker", "fc2d", step);
}

/// Drilling, a friction ellipse and dry friction do not fit into FCLIB.
TEST_F(DumpProblem, DrillingAndEllipticContactsGoIntoOurGroup) {
  ASSERT_EQ(run(problems("spinner"), "0.005").exit_code, 0);
  expect_recorded_impulses("spinner", "inclusion", 5);
  std::ofstream(folder_.path() / "ellipse.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"x'^2 + y'^2 + z'^2 + 0.3*x'*z'\"\n"
         "potential = \"20*z\"\n[[contact]]\nname = \"floor\"\ngap = \"z\"\nslip = [\"x'\", \"y'\"]\nfriction = [0.2, 0.5]\n"
         "[initial]\n\"x'\" = 1\n\"y'\" = 0.5\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.01\n";
  ASSERT_EQ(run("ellipse.toml", "step:3").exit_code, 0);
  expect_recorded_impulses("ellipse", "inclusion", 3);
}

TEST_F(DumpProblem, ATimeIsTheStepThatReachesIt) {
  ASSERT_EQ(run(problems("spinner"), "step:3").exit_code, 0);
  const auto file = folder_.path() / "spinner.problem.hdf5";
  const auto c_of = [&] { return std::get<InclusionProblem>(read_problem(file).problem).c; };
  const KeptVector third = c_of();
  for (const char* time : {"0.003", "0.0025", "0.00201"}) {
    ASSERT_EQ(run(problems("spinner"), time).exit_code, 0);
    EXPECT_EQ(c_of(), third) << time;
  }
  ASSERT_EQ(run(problems("spinner"), "0.002").exit_code, 0);
  EXPECT_NE(c_of(), third);
  ASSERT_EQ(run(problems("spinner"), "0").exit_code, 0);  // the first step
  ASSERT_EQ(run(problems("spinner"), "0.01").exit_code, 0);
}

TEST_F(DumpProblem, JsonNamesTheFile) {
  const Json json = Json::parse(run(problems("stack"), "worst", {"--json"}).output);
  EXPECT_EQ(json["files"], (Json{"stack.h5", "stack.problem.hdf5"}));
}

TEST_F(DumpProblem, BadRequestsAreRefusedBeforeTheRun) {
  const auto refused = [&](const std::string& scene, const std::string& wanted, const char* part) {
    const auto result = run(scene, wanted);
    EXPECT_EQ(result.exit_code, 2) << wanted;
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
    EXPECT_TRUE(folder_.empty());
  };
  const std::string stack = problems("stack");
  refused(stack, "-0.1", "lies outside of the run from t = 0 to 0.01");
  refused(stack, "0.02", "lies outside of the run");
  refused(stack, "nan", "must be a time in s, step:N or worst");
  refused(stack, "", "must be a time in s, step:N or worst");
  refused(stack, "best", "must be a time in s, step:N or worst");
  refused(stack, "step:0", "a number from 1");
  refused(stack, "step:x", "a number from 1");
  refused(stack, "step:11", "there is no step 11; the run has 10 steps");
}

TEST_F(DumpProblem, NeedsLaws) {
  std::ofstream(folder_.path() / "free.toml") << "tippe = 1\n[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n"
                                                 "[run]\nintegrator = \"rk4\"\ndt = 0.1\nuntil = 1\n";
  const auto result = run("free.toml", "worst");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("the scene has no laws"), std::string::npos) << result.errors;
}

TEST_F(DumpProblem, AStepWithoutActiveLawsIsSaid) {
  const auto result = run(test::scene_path("bouncing_ball"), "step:1");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.errors.find("no law was active in step 1"), std::string::npos) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "bouncing_ball.problem.hdf5"));
}

/// A wall closes in on a body that, at x = 0, cannot move away from it: G = 0 and c = -1, and no impulse helps.
TEST_F(DumpProblem, AFailedStepIsTheWorst) {
  std::ofstream(folder_.path() / "jam.toml")
      << "tippe = 1\n[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x'^2 + y'^2\"\npotential = \"10*y\"\n"
         "[[contact]]\nname = \"wall\"\ngap = \"0.0045 - t + x^3\"\n[[contact]]\nname = \"floor\"\ngap = \"y\"\n"
         "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.01\n";
  const auto result = run("jam.toml", "worst", {"--json"});
  EXPECT_EQ(result.exit_code, 3);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["files"], (Json{"jam.h5", "jam.problem.hdf5"}));
  const auto problem = std::get<InclusionProblem>(read_problem(folder_.path() / "jam.problem.hdf5").problem);
  ASSERT_EQ(problem.rows(), 2);
  EXPECT_EQ(problem.c[0], -1.0);
  EXPECT_EQ(problem.G.blocks.diagonal_block(0)[0], 0.0);
  EXPECT_EQ(run_program({"solve", "jam.problem.hdf5"}, folder_.path()).exit_code, 3);
  // A later step was never made.
  const auto later = run("jam.toml", "step:9");
  EXPECT_EQ(later.exit_code, 3);
  EXPECT_NE(later.errors.find("the run ended before the step that was wanted"), std::string::npos) << later.errors;
}

TEST_F(DumpProblem, GoesOnWithAResumedRun) {
  const auto resume = [&](const std::string& wanted, const std::string& until) {
    return run_program({"run", "--resume", "stack.h5", "--until", until, "--no-report", "--dump-problem", wanted},
                       folder_.path());
  };
  ASSERT_EQ(run(problems("stack"), "worst").exit_code, 0);
  auto result = resume("step:10", "0.02");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("step 10 was made already; the run goes on with step 11"), std::string::npos)
      << result.errors;
  result = resume("0.005", "0.02");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("was passed already"), std::string::npos) << result.errors;
  EXPECT_EQ(resume("step:12", "0.02").exit_code, 0);
  const auto resumed = std::get<InclusionProblem>(read_problem(folder_.path() / "stack.problem.hdf5").problem);
  ASSERT_EQ(run(problems("stack"), "step:12", {"--until", "0.02"}).exit_code, 0);
  EXPECT_EQ(std::get<InclusionProblem>(read_problem(folder_.path() / "stack.problem.hdf5").problem).c, resumed.c);
}

}  // namespace tippe::cli_dump_problem_test
