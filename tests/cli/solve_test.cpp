// SPDX-License-Identifier: Apache-2.0
// tippe solve as a user meets it.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "support/problem_folder.h"
#include "support/problem_seeds.h"
#include "support/program.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/problem/delassus.h"
#include "tippe/problem/residual.h"
#include "tippe/solve/contact_solver.h"

namespace tippe::cli_solve_test {

using test::run_program;
using Json = nlohmann::json;

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

const std::set<std::string> kKeys = {"kind",          "contacts", "status", "residual",   "residual_worst_contact",
                                     "worst_contact", "solver",   "stages", "iterations", "wall_time_s"};

class SolveCommand : public testing::Test {
 protected:
  void SetUp() override { test::write_problem_seeds(folder_.path()); }
  test::ProgramResult solve(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "solve");
    return run_program(arguments, folder_.path());
  }
  Json solve_json(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    return Json::parse(solve(arguments).output);
  }
  test::TemporaryFolder folder_;
};

TEST_F(SolveCommand, TellsWhatItSolvedAndHow) {
  const auto result = solve({"fc3d"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  for (const char* part : {"fc3d: friction in space, FCLIB local (fc3d)\n", "contacts                2\n",
                           "solver                  portfolio\n", "stage ", "result                  converged, by ",
                           "residual ", "(tolerance 1e-08)", "worst contact ", "iterations ", "wall time "}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " in\n" << result.output;
  }
}

/// The residual is that of the impulses, by the library's judge on the file.
TEST_F(SolveCommand, JsonHasTheKeysAndTheResidualOfTheImpulses) {
  for (const char* file : {"fc2d", "fc3d", "global", "global_not_symmetric", "global_triplets", "inclusion", "factored"}) {
    const Json json = solve_json({file, "--impulses"});
    std::set<std::string> keys = kKeys;
    keys.insert("impulses");
    EXPECT_EQ(keys_of(json), keys);
    EXPECT_EQ(json["status"], "converged") << file;
    const StoredProblem stored = read_problem(folder_.path() / file);
    EXPECT_EQ(json["kind"], name_of(stored.kind));
    const auto& problem = std::get<InclusionProblem>(stored.problem);
    EXPECT_EQ(json["contacts"], problem.laws.size());
    const auto impulses = json["impulses"].get<std::vector<double>>();
    ResidualWork work;
    const Eigen::Map<const Eigen::VectorXd> Lambda(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
    const Residual residual = certify_residual(problem, Lambda, work);
    EXPECT_EQ(json["residual"].get<double>(), residual.relative) << file;
    EXPECT_EQ(json["residual_worst_contact"].get<double>(), residual.worst) << file;
    EXPECT_EQ(json["worst_contact"], residual.worst_block) << file;
    EXPECT_LE(residual.relative, 1e-8);
    for (const Json& stage : json["stages"])
      EXPECT_EQ(keys_of(stage), (std::set<std::string>{"name", "iterations", "seconds", "residual"}));
  }
}

/// By hand: M = 2 I, q = (-1, 1) gives z = (1/2, 0).
TEST_F(SolveCommand, ComplementarityProblems) {
  Json json = solve_json({"lcp", "--impulses"});
  EXPECT_EQ(json["kind"], "lcp");
  EXPECT_EQ(json["contacts"], 2);
  EXPECT_EQ(json["status"], "converged");
  EXPECT_NEAR(json["impulses"][0].get<double>(), 0.5, 1e-8);
  EXPECT_NEAR(json["impulses"][1].get<double>(), 0.0, 1e-8);
  // u + v1 + v2 + 1 = 0; 0 <= v _|_ u + v + 1 >= 0: v = 0, u = -1.
  json = solve_json({"mlcp", "--impulses"});
  EXPECT_EQ(json["kind"], "mlcp");
  EXPECT_EQ(json["contacts"], 2);
  EXPECT_EQ(json["status"], "converged");
  EXPECT_NEAR(json["impulses"][0].get<double>(), -1.0, 1e-8);
}

/// 0 <= z _|_ 0 z - 1 >= 0 has none.
TEST_F(SolveCommand, NoSolutionIsSaidWithItsCertificate) {
  write_lcp(folder_.path() / "none", {Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Constant(1, -1.0)});
  const auto result = solve({"none"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.output.find("no solution: "), std::string::npos) << result.output;
  const Json json = solve_json({"none"});
  EXPECT_EQ(json["status"], "no_solution");
  EXPECT_FALSE(json["certificate"].get<std::string>().empty());
}

/// w_1 = -z_0 - z_1 - 1 is never >= 0, whatever the other row says: y = (0, 1) up to a factor.
TEST_F(SolveCommand, JsonHasTheFarkasVectorOfAnLcp) {
  const Eigen::Matrix2d M = (Eigen::Matrix2d() << 2, 1, -1, -1).finished();
  const Eigen::Vector2d q(3, -1);
  write_lcp(folder_.path() / "none", {M, q});
  const Json json = solve_json({"none"});
  ASSERT_EQ(json["status"], "no_solution");
  const auto y = json["farkas"].get<std::vector<double>>();
  ASSERT_EQ(y.size(), 2u);
  EXPECT_NEAR(y[0], 0.0, 1e-14 * y[1]);
  EXPECT_GT(y[1], 0.0);
  EXPECT_FALSE(solve_json({"lcp"}).contains("farkas"));
}

/// v + 1 = 0 and v >= 0 contradict each other, u is free: y = (-1, 0) up to a factor.
TEST_F(SolveCommand, JsonHasTheFarkasVectorOfAnMlcp) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(1, 1), one = Eigen::MatrixXd::Ones(1, 1);
  write_mlcp(folder_.path() / "none", {zero, one, one, zero, Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1)});
  const Json json = solve_json({"none"});
  ASSERT_EQ(json["status"], "no_solution") << json;
  const auto y = json["farkas"].get<std::vector<double>>();
  ASSERT_EQ(y.size(), 2u);
  EXPECT_LT(y[0], 0.0);
  EXPECT_NEAR(y[1], 0.0, -1e-14 * y[0]);
}

/// W = 1, q = (1e12, 0, -1, 0.5): the first contact opens fast and has nothing to do with the second, which is hit. By hand its impulses are 1 and -0.5,
/// within the cone of mu = 0.5, whatever the first one does.
TEST_F(SolveCommand, AContactIsNotHiddenByLargerNumbersOfAnother) {
  InclusionProblem problem = test::small_friction_problem(2);
  problem.laws = {CoulombContact{0.5, 0.5}, CoulombContact{0.5, 0.5}};
  problem.G = delassus_from_dense(Eigen::Matrix4d::Identity(), {2, 2});
  problem.c = Eigen::Vector4d(1e12, 0, -1, 0.5);
  // Apart, or hardly coupled: the residual has one scale for both. A method that leaves the second one unsolved has to say so.
  for (const double coupling : {0.0, 1e-15}) {
    Eigen::Matrix4d G = Eigen::Matrix4d::Identity();
    G(0, 2) = G(2, 0) = coupling;
    problem.G = delassus_from_dense(G, {2, 2});
    write_fclib_local(folder_.path() / "large_and_small", problem);
    for (const char* solver : {"portfolio", "interior-point", "proximal", "admm"}) {
      const auto result = solve({"large_and_small", "--solver", solver, "--impulses", "--json"});
      const Json json = Json::parse(result.output);
      const bool solved = std::abs(json["impulses"][2].get<double>() - 1.0) <= 1e-2;
      EXPECT_EQ(json["status"] == "converged", solved) << solver << result.output;
      EXPECT_EQ(result.exit_code, solved ? 0 : 3) << solver;
    }
    EXPECT_EQ(solve_json({"large_and_small"})["status"], "converged");
  }
}

/// The first contact opens and has nothing to solve; one short step does not solve the second, which is hit.
TEST_F(SolveCommand, JsonHasTheNumberOfTheWorstContact) {
  InclusionProblem problem = test::small_friction_problem(2);
  problem.c = Eigen::Vector4d(10, 0, -1, 0.5);
  write_problem(folder_.path() / "hit", problem);
  EXPECT_EQ(solve_json({"hit", "--solver", "projected-jacobi", "--max-iterations", "1"})["worst_contact"], 1);
  // Row 1 of w = (z_0 + 1, -1) is wrong for every z.
  write_lcp(folder_.path() / "none", {Eigen::Vector2d(1, 0).asDiagonal().toDenseMatrix(), Eigen::Vector2d(1, -1)});
  EXPECT_EQ(solve_json({"none"})["worst_contact"], 1);
  write_problem(folder_.path() / "nothing", {});
  EXPECT_TRUE(solve_json({"nothing"})["worst_contact"].is_null());
}

TEST_F(SolveCommand, WhatIsNotSolvedIsExitCode3WithTheBestIterate) {
  const std::vector<std::string> arguments = {"fc3d",  "--solver", "projected-jacobi", "--max-iterations", "1",
                                              "--tol", "1e-14"};
  const auto result = solve(arguments);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.output.find("the best iterate is given"), std::string::npos) << result.output;
  std::vector<std::string> more = arguments;
  more.insert(more.end(), {"--impulses"});
  const Json json = solve_json(more);
  EXPECT_EQ(json["status"], "not_converged");
  EXPECT_GT(json["residual"].get<double>(), 1e-14);
  EXPECT_EQ(json["impulses"].size(), 6u);
  EXPECT_EQ(json["solver"], "projected-jacobi");
}

TEST_F(SolveCommand, EverySolverIsKnownByItsName) {
  for (const ContactMethodInfo& info : contact_methods()) {
    const Json json = solve_json({"fc3d", "--solver", info.name});
    EXPECT_EQ(json["solver"], info.name);
    EXPECT_NE(json["status"], "bad_input");
  }
  const auto result = solve({"fc3d", "--solver", "gaus-seidel"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("did you mean 'gauss-seidel'?"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("projected-jacobi"), std::string::npos) << result.errors;
  EXPECT_EQ(solve({"lcp", "--solver", "gauss-seidel"}).exit_code, 2);  // one of contact problems
  EXPECT_EQ(solve({"lcp", "--solver", "lemke"}).exit_code, 0);
}

// Moeller (2.57): G = diag(1e4, 1), c = (1, 1), the set far away: 1 iteration with recovering at alpha = 1, and without it the second row needs
// 1e4 per digit. Ellipses: transformed or not, the solution is the same.
TEST_F(SolveCommand, ProjectedIterationsTakeAlphaRecoveringAndTransformation) {
  InclusionProblem problem;
  problem.G.blocks.declare_row(2);
  std::copy_n(std::vector<double>{1e4, 0.0, 0.0, 1.0}.begin(), 4, problem.G.blocks.add_block(0));
  problem.G.blocks.finish_row();
  problem.c.resize(2);
  problem.c << 1.0, 1.0;
  problem.laws = {PlaneFriction{10.0, 10.0}};
  write_problem(folder_.path() / "disc", problem, "");
  problem.laws = {PlaneFriction{1e-5, 0.5}};
  write_problem(folder_.path() / "ellipse", problem, "");
  const Json recovered = solve_json({"disc", "--solver", "projected-jacobi", "--alpha", "1", "--impulses"});
  EXPECT_EQ(recovered["status"], "converged");
  EXPECT_LE(recovered["iterations"].get<int>(), 2);  // the second one sees that nothing changes
  EXPECT_NEAR(recovered["impulses"][0].get<double>(), -1e-4, 1e-15);
  EXPECT_NEAR(recovered["impulses"][1].get<double>(), -1.0, 1e-12);
  const Json plain = solve_json({"disc", "--solver", "projected-jacobi", "--alpha", "1", "--no-recover"});
  EXPECT_EQ(plain["status"], "not_converged");
  EXPECT_EQ(plain["iterations"], 20000);
  const Json long_run =
      solve_json({"disc", "--solver", "projected-jacobi", "--alpha", "1", "--no-recover", "--max-iterations", "400000"});
  EXPECT_EQ(long_run["status"], "converged");
  EXPECT_GT(long_run["iterations"].get<int>(), 50000);
  const Json disc = solve_json({"ellipse", "--solver", "projected-gauss-seidel", "--tol", "1e-10", "--impulses"}),
             other = solve_json({"ellipse", "--solver", "projected-gauss-seidel", "--tol", "1e-10", "--no-transform",
                                 "--max-iterations", "1000000", "--impulses"});
  EXPECT_EQ(disc["status"], "converged");
  EXPECT_EQ(other["status"], "converged");
  EXPECT_NE(disc["iterations"], other["iterations"]);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(disc["impulses"][k].get<double>(), other["impulses"][k].get<double>(), 1e-8);

  for (const auto& [arguments, part] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"disc", "--alpha", "0.5"}, "--alpha: is for projected-jacobi and projected-gauss-seidel, not for 'portfolio'"},
           {{"disc", "--solver", "newton", "--no-recover"}, "--no-recover: is for"},
           {{"disc", "--solver", "projected-jacobi", "--alpha", "3"}, "--alpha: 3 must lie in (0, 2]"},
           {{"lcp", "--solver", "projected-gauss-seidel", "--no-transform"}, "--no-transform: is for contact problems"}}) {
    const auto result = solve(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
  }
}

TEST_F(SolveCommand, BadInputIsExitCode2WithTheFileAndThePlace) {
  const auto result = solve({"bad_mu"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "bad_mu: error: fclib_local/vectors/mu: entry 0 is -1; a coefficient of friction must not be negative\n");
  EXPECT_EQ(result.output, "");
  std::ofstream(folder_.path() / "ball.toml") << "tippe = 1\n";
  EXPECT_EQ(solve({"ball.toml"}).errors,
            "ball.toml: error: is text, not HDF5; it looks like a scene: tippe run ball.toml\n");
  std::set<std::string> keys = kKeys;
  keys.insert("message");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"bad_mu"},
                                                                                         {"bad_size"},
                                                                                         {"bad_column"},
                                                                                         {"bad_singular"},
                                                                                         {"fc3d", "--tol", "0"},
                                                                                         {"fc3d", "--tol", "nan"},
                                                                                         {"fc3d", "--tol", "inf"},
                                                                                         {"fc3d", "--tol", "x"},
                                                                                         {"fc3d", "--threads", "0"},
                                                                                         {"lcp", "--threads", "3"},
                                                                                         {"fc3d", "--max-iterations", "-1"},
                                                                                         {"fc3d", "fc2d"},
                                                                                         {}}) {
    EXPECT_EQ(solve(arguments).exit_code, 2) << testing::PrintToString(arguments);
    const Json json = solve_json(arguments);
    EXPECT_EQ(json["status"], "bad_input") << testing::PrintToString(arguments);
    EXPECT_EQ(keys_of(json), keys);
    EXPECT_FALSE(json["message"].get<std::string>().empty());
    EXPECT_EQ(json["message"].get<std::string>().find("HDF5-DIAG"), std::string::npos);
  }
}

TEST_F(SolveCommand, AFileThatCannotBeReadIsExitCode4) {
  std::ofstream(folder_.path() / "text") << "no HDF5";
  for (const char* file : {"bad_end", "text", "missing", "."}) {
    EXPECT_EQ(solve({file}).exit_code, 4) << file;
    const Json json = solve_json({file});
    EXPECT_EQ(json["status"], "failed") << file;
    EXPECT_EQ(json["message"].get<std::string>().find(std::string(file) + ": "), 0u) << json["message"];
    EXPECT_EQ(json["message"].get<std::string>().find("HDF5-DIAG"), std::string::npos);
  }
}

/// G = 2 I with 1/2 between the normals: eigenvalues 1.5, 2, 2.5.
TEST_F(SolveCommand, DescribesTheMatrix) {
  const auto result = solve({"fc2d", "--describe"});
  for (const char* part : {"rows                    4\n", "symmetry                exact\n",
                           "diagonal                from 2 to 2\n", "rank                    4\n",
                           "eigenvalues             from 1.5 to 2.5\n", "mu                      from 0.3 to 0.5\n"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " in\n" << result.output;
  }
  const Json json = solve_json({"fc2d", "--describe"})["describe"];
  EXPECT_EQ(json["rank"], 4);
  EXPECT_EQ(json["asymmetry"], 0.0);
  EXPECT_NEAR(json["spectrum"]["smallest"].get<double>(), 1.5, 1e-14);
  EXPECT_EQ(json["mu"]["largest"], 0.5);
  EXPECT_TRUE(solve_json({"lcp", "--describe"})["describe"]["mu"].is_null());
  // M = (0 1; 0 0): singular values 1 and 0.
  write_lcp(folder_.path() / "shift", {(Eigen::Matrix2d() << 0, 1, 0, 0).finished(), Eigen::Vector2d(1, 1)});
  const Json shift = solve_json({"shift", "--describe"})["describe"];
  EXPECT_EQ(shift["spectrum"]["kind"], "singular_values");
  EXPECT_EQ(shift["rank"], 1);
  EXPECT_EQ(shift["asymmetry"], 1.0);
}

TEST_F(SolveCommand, SolvesTheProblemsOfTheRepository) {
  for (const char* name : {"stack", "spinner"}) {
    const auto file = std::filesystem::path(TIPPE_SOURCE_DIR) / "problems" / (std::string(name) + ".hdf5");
    EXPECT_EQ(solve({file.string()}).exit_code, 0) << name;
  }
}

/// "converged" is never said above the tolerance, and nothing is refused.
TEST_F(SolveCommand, CollectedProblemsGetAnHonestAnswer) {
  constexpr std::uintmax_t kLargest = 500'000;  // bytes; collection_test.cpp solves the larger ones, with the same solver
  int files = 0;
  for (const char* part : {"fc2d", "gfc2d", "gfc3d", "lcp", "mlcp"}) {
    for (const auto& file : test::collected_problems(part)) {
      if (std::filesystem::file_size(file) > kLargest) continue;
      ++files;
      const Json json = solve_json({file.string()});
      EXPECT_EQ(json["kind"], part) << file;
      const bool small = json["residual"].is_number() && json["residual"].get<double>() <= 1e-8;
      EXPECT_EQ(json["status"] == "converged", small) << file;
    }
  }
  if (files == 0) GTEST_SKIP() << "the collection is not there";
}

}  // namespace tippe::cli_solve_test
