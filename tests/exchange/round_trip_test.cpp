// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "support/problems.h"
#include "support/same_problem.h"
#include "support/temporary_folder.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/problem/delassus_builder.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::exchange_round_trip_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::expect_same_problem;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Contacts that act on their neighbours only, not symmetric, with zeros and a -0 inside the blocks.
InclusionProblem friction_problem(int contacts, int size, test::Random& random) {
  const int n = contacts * size;
  MatrixXd G = MatrixXd::Zero(n, n);
  for (int i = 0; i < contacts; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(contacts - 1, i + 1); ++j) {
      for (int r = 0; r < size; ++r) G.block(i * size + r, j * size, 1, size) = random.vector(size).transpose();
    }
    G(i * size, i * size) = random.magnitude(-300, 300);
    G(i * size + 1, i * size) = i % 2 == 0 ? 0.0 : -0.0;
  }
  std::vector<LawSet> laws;
  for (int i = 0; i < contacts; ++i) {
    const double mu = i == 0 ? 0.0 : random.uniform(0, 2);
    laws.push_back(CoulombContact{mu, mu});
  }
  return test::make_problem(G, random.vector(n), laws, std::vector<int>(static_cast<size_t>(contacts), size));
}

/// One law of every kind, coupled in two parts.
InclusionProblem every_law(test::Random& random) {
  const std::vector<LawSet> laws = {HalfLine{},
                                    Interval{-0.25, 0.5},
                                    Interval{-kInfinity, kInfinity},
                                    Interval{-kInfinity, 3.0},
                                    CoulombContact{0.3, 0.3, 0.125},
                                    CoulombContact{0.3, 0.7},
                                    DrillingContact{0.4, 0.01, DrillingSet::kExact, 0.5},
                                    DrillingContact{0.4, 0.02, DrillingSet::kCylinder},
                                    PlaneFriction{0.5, 0.25},
                                    DrillingFriction{0.75, 0.03, DrillingSet::kEllipsoid}};
  const std::vector<int> sizes = {1, 1, 1, 1, 2, 3, 4, 4, 2, 3};
  MatrixXd G = MatrixXd::Zero(22, 22);
  for (int r = 0; r < 22; ++r) G.row(r) = random.vector(22).transpose();
  G.topRightCorner(4, 18).setZero();
  G.bottomLeftCorner(18, 4).setZero();
  InclusionProblem problem = test::make_problem(G, random.vector(22), laws, sizes);
  problem.part = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  return problem;
}

TEST(ProblemFile, FclibLocalComesBackToTheBit) {
  const test::TemporaryFolder folder;
  test::Random random(1);
  for (const int size : {2, 3}) {
    for (const int contacts : {1, 2, 7}) {
      const InclusionProblem problem = friction_problem(contacts, size, random);
      const auto path = folder.path() / "problem.hdf5";
      const ProblemKind kind = write_problem(path, problem, "a title");
      EXPECT_EQ(kind, size == 2 ? ProblemKind::kFc2d : ProblemKind::kFc3d);
      const StoredProblem back = read_problem(path);
      EXPECT_EQ(back.kind, kind);
      expect_same_problem(problem, std::get<InclusionProblem>(back.problem));
      EXPECT_FALSE(std::filesystem::exists(path.string() + ".next"));
    }
  }
}

TEST(ProblemFile, OurGroupHoldsEveryLawToTheBit) {
  const test::TemporaryFolder folder;
  test::Random random(2);
  const InclusionProblem problem = every_law(random);
  const auto path = folder.path() / "problem.hdf5";
  EXPECT_EQ(write_problem(path, problem), ProblemKind::kInclusion);
  const StoredProblem back = read_problem(path);
  const auto& read = std::get<InclusionProblem>(back.problem);
  expect_same_problem(problem, read);
  EXPECT_EQ(read.part, problem.part);
  EXPECT_FALSE(read.G.factored);
}

/// Many contacts on one coordinate: the builder keeps Y, and G would be full.
TEST(ProblemFile, OurGroupHoldsAFactoredMatrixToTheBit) {
  const test::TemporaryFolder folder;
  test::Random random(3);
  InclusionProblem problem;
  std::vector<int> sizes;
  for (int k = 0; k < 60; ++k) {
    problem.G.Y.push(k % 2, random.uniform(0.5, 2));
    problem.G.Y.finish_column();
    sizes.push_back(1);
    problem.laws.push_back(HalfLine{});
  }
  DelassusBuilder().build(sizes, 5, problem.G);
  ASSERT_TRUE(problem.G.factored);
  problem.c = random.vector(60);
  const auto path = folder.path() / "problem.hdf5";
  EXPECT_EQ(write_problem(path, problem), ProblemKind::kInclusion);
  const StoredProblem back = read_problem(path);
  const auto& read = std::get<InclusionProblem>(back.problem);
  expect_same_problem(problem, read);
  EXPECT_TRUE(read.G.factored);
  EXPECT_EQ(read.G.kinetic_rows, 5);
  EXPECT_EQ(read.G.Y.start, problem.G.Y.start);
  EXPECT_EQ(read.G.Y.row, problem.G.Y.row);
  EXPECT_TRUE(test::same_bits(read.G.Y.value, problem.G.Y.value));
}

TEST(ProblemFile, AFactoredMatrixOfFrictionContactsBecomesExplicitInFclib) {
  const test::TemporaryFolder folder;
  test::Random random(4);
  InclusionProblem problem;
  for (int k = 0; k < 60; ++k) {
    problem.G.Y.push(0, random.uniform(0.5, 2));
    problem.G.Y.finish_column();
  }
  for (int i = 0; i < 20; ++i) problem.laws.push_back(CoulombContact{0.5, 0.5});
  DelassusBuilder().build(std::vector<int>(20, 3), 1, problem.G);
  ASSERT_TRUE(problem.G.factored);
  problem.c = random.vector(60);
  const auto path = folder.path() / "problem.hdf5";
  EXPECT_EQ(write_problem(path, problem), ProblemKind::kFc3d);
  const StoredProblem back = read_problem(path);
  const VectorXd y = Eigen::Map<const VectorXd>(problem.G.Y.value.data(), 60);
  EXPECT_LE((test::dense(std::get<InclusionProblem>(back.problem).G) - y * y.transpose()).cwiseAbs().maxCoeff(), 1e-15);
}

/// What FCLIB cannot hold goes into our group, whatever it is.
TEST(ProblemFile, FclibIsRefusedWhatItCannotHold) {
  test::Random random(5);
  InclusionProblem problem = friction_problem(2, 3, random);
  EXPECT_TRUE(fits_fclib_local(problem));
  problem.laws[1] = CoulombContact{0.5, 0.6};
  EXPECT_FALSE(fits_fclib_local(problem));
  problem.laws[1] = CoulombContact{0.5, 0.5, 0.1};
  EXPECT_FALSE(fits_fclib_local(problem));
  EXPECT_FALSE(fits_fclib_local(InclusionProblem{}));
  InclusionProblem planar = friction_problem(2, 2, random);
  planar.laws[0] = CoulombContact{0.5, 0.6};  // mu2 is not used with one tangent
  EXPECT_TRUE(fits_fclib_local(planar));
  const InclusionProblem mixed = test::make_problem(MatrixXd::Identity(5, 5), random.vector(5),
                                                    {CoulombContact{0.1, 0.1}, CoulombContact{0.1, 0.1}}, {2, 3});
  EXPECT_FALSE(fits_fclib_local(mixed));
}

TEST(ProblemFile, AnEmptyProblemIsAProblem) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "problem.hdf5";
  EXPECT_EQ(write_problem(path, InclusionProblem{}), ProblemKind::kInclusion);
  EXPECT_EQ(std::get<InclusionProblem>(read_problem(path).problem).rows(), 0);
  write_lcp(path, {MatrixXd(0, 0), VectorXd(0)});
  EXPECT_EQ(std::get<LcpProblem>(read_problem(path).problem).q.size(), 0);
  GlobalFrictionProblem global;
  write_fclib_global(path, global);
  EXPECT_EQ(std::get<InclusionProblem>(read_problem(path).problem).rows(), 0);
}

TEST(ProblemFile, ComplementarityProblemsComeBackToTheBit) {
  const test::TemporaryFolder folder;
  test::Random random(6);
  const auto path = folder.path() / "problem.hdf5";
  const auto matrix = [&](int rows, int columns) -> MatrixXd {
    return Eigen::Map<MatrixXd>(random.vector(rows * columns).data(), rows, columns);
  };
  const LcpProblem lcp{matrix(4, 4), random.vector(4)};
  write_lcp(path, lcp);
  StoredProblem back = read_problem(path);
  EXPECT_EQ(back.kind, ProblemKind::kLcp);
  EXPECT_TRUE(test::same_bits(std::get<LcpProblem>(back.problem).M, lcp.M));
  EXPECT_TRUE(test::same_bits(std::get<LcpProblem>(back.problem).q, lcp.q));

  for (const int n : {0, 3}) {
    const MlcpProblem mlcp{matrix(n, n), matrix(2, 2), matrix(n, 2), matrix(2, n), random.vector(n), random.vector(2)};
    write_mlcp(path, mlcp);
    back = read_problem(path);
    EXPECT_EQ(back.kind, ProblemKind::kMlcp);
    const auto& read = std::get<MlcpProblem>(back.problem);
    for (const auto& [a, b] : {std::pair{&read.A, &mlcp.A}, {&read.B, &mlcp.B}, {&read.C, &mlcp.C}, {&read.D, &mlcp.D}}) {
      EXPECT_EQ(a->rows(), b->rows());
      EXPECT_EQ(a->cols(), b->cols());
      EXPECT_TRUE(test::same_bits(*a, *b));
    }
    EXPECT_TRUE(test::same_bits(read.a, mlcp.a));
    EXPECT_TRUE(test::same_bits(read.b, mlcp.b));
  }
}

/// The row-major order of the file, seen by another reader.
TEST(ProblemFile, MatricesAreStoredRowByRow) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "problem.hdf5";
  write_lcp(path, {(MatrixXd(2, 2) << 1, 2, 3, 4).finished(), VectorXd::Zero(2)});
  EXPECT_EQ(Hdf5File::open(path).read_table("M"), (std::vector<double>{1, 2, 3, 4}));
}

}  // namespace tippe::exchange_round_trip_test
