// SPDX-License-Identifier: Apache-2.0
// FCLIB files as others write them, made here dataset by dataset.
#include <cstdlib>

#include "support/problem_folder.h"
#include "support/random.h"
#include "support/same_problem.h"
#include "support/temporary_folder.h"
#include "tippe/exchange/problem_file.h"
#include "tippe/problem/residual.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::exchange_fclib_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Numbers = std::vector<double>;

struct Storage {
  double nz;
  Numbers p, i, x;
};

void write_matrix(Hdf5File& file, const std::string& group, double m, double n, const Storage& storage) {
  file.make_group(group);
  file.write_numbers(group + "/m", Numbers{m}, true);
  file.write_numbers(group + "/n", Numbers{n}, true);
  file.write_numbers(group + "/nzmax", Numbers{static_cast<double>(storage.x.size())}, true);
  file.write_numbers(group + "/nz", Numbers{storage.nz}, true);
  file.write_numbers(group + "/p", storage.p, true);
  file.write_numbers(group + "/i", storage.i, true);
  file.write_numbers(group + "/x", storage.x);
}

/// One planar contact, W = (2 5; 7 3).
MatrixXd local_W(const std::filesystem::path& path, const Storage& storage) {
  {
    Hdf5File file = Hdf5File::create(path);
    file.make_group("fclib_local");
    file.write_numbers("fclib_local/spacedim", Numbers{2}, true);
    write_matrix(file, "fclib_local/W", 2, 2, storage);
    file.make_group("fclib_local/vectors");
    file.write_numbers("fclib_local/vectors/q", Numbers{-1, 0.5});
    file.write_numbers("fclib_local/vectors/mu", Numbers{0.25});
    file.make_group("fclib_local/guesses");  // FCLIB may add groups that we do not need
    file.write_numbers("fclib_local/guesses/number_of_guesses", Numbers{0}, true);
  }
  return test::dense(std::get<InclusionProblem>(read_problem(path).problem).G);
}

TEST(Fclib, EveryStorageGivesTheSameMatrix) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.hdf5";
  const MatrixXd W = (MatrixXd(2, 2) << 2, 5, 7, 3).finished();
  EXPECT_EQ(local_W(path, {-2, {0, 2, 4}, {0, 1, 0, 1}, {2, 5, 7, 3}}), W);
  EXPECT_EQ(local_W(path, {-2, {0, 2, 4}, {1, 0, 0, 1}, {5, 2, 7, 3}}), W);          // columns not sorted
  EXPECT_EQ(local_W(path, {-2, {0, 3, 4}, {1, 0, 1, 1}, {4, 2, 1, 3}})(0, 1), 5.0);  // entries summed
  EXPECT_EQ(local_W(path, {-2, {0, 2, 4}, {0, 1, 0, 1, 9}, {2, 5, 7, 3, 9}}), W);    // room behind the last entry
  EXPECT_EQ(local_W(path, {-1, {0, 2, 4}, {0, 1, 0, 1}, {2, 7, 5, 3}}), W);          // compressed columns
  EXPECT_EQ(local_W(path, {4, {0, 1, 0, 1}, {0, 0, 1, 1}, {2, 5, 7, 3}}), W);        // p = column, i = row
  EXPECT_EQ(local_W(path, {0, {}, {}, {}}), (MatrixXd::Zero(2, 2)));                 // no entries at all
  EXPECT_EQ(local_W(path, {-2, {0, 0, 1}, {0}, {7}}), (MatrixXd(2, 2) << 0, 0, 7, 0).finished());
}

/// H is 3 x 2 here, with an entry in row 2: if p must be the rows, it is.
TEST(Fclib, TripletsAreReadTheWayThatFits) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.hdf5";
  const MatrixXd expected = (MatrixXd(3, 2) << 0, 4, 5, 0, 6, 0).finished();
  const Numbers rows = {0, 1, 2}, columns = {1, 0, 0}, x = {4, 5, 6};
  for (const bool as_csparse : {true, false}) {
    {
      Hdf5File file = Hdf5File::create(path);
      file.make_group("fclib_global");
      file.write_numbers("fclib_global/spacedim", Numbers{2}, true);
      write_matrix(file, "fclib_global/M", 3, 3, {3, {0, 1, 2}, {0, 1, 2}, {1, 2, 4}});
      write_matrix(file, "fclib_global/H", 3, 2, {3, as_csparse ? columns : rows, as_csparse ? rows : columns, x});
      file.make_group("fclib_global/vectors");
      file.write_numbers("fclib_global/vectors/f", Numbers{1, 1, 1});
      file.write_numbers("fclib_global/vectors/w", Numbers{0, 0});
      file.write_numbers("fclib_global/vectors/mu", Numbers{0.25});
    }
    const StoredProblem problem = read_problem(path);
    EXPECT_EQ(problem.kind, ProblemKind::kGfc2d);
    EXPECT_EQ(MatrixXd(problem.global->H), expected);
    // H'M^-1 H with M = diag(1, 2, 4)
    const MatrixXd G = (MatrixXd(2, 2) << 25.0 / 2 + 36.0 / 4, 0, 0, 16).finished();
    EXPECT_LE((test::dense(std::get<InclusionProblem>(problem.problem).G) - G).norm(), 1e-14);
  }
}

TEST(Fclib, NoContactsAreAProblemToo) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.hdf5";
  {
    Hdf5File file = Hdf5File::create(path);
    file.make_group("fclib_local");
    file.write_numbers("fclib_local/spacedim", Numbers{3}, true);
    write_matrix(file, "fclib_local/W", 0, 0, {-2, {0}, {}, {}});
    file.make_group("fclib_local/vectors");
    file.write_numbers("fclib_local/vectors/q", Numbers{});
    file.write_numbers("fclib_local/vectors/mu", Numbers{});
  }
  EXPECT_EQ(std::get<InclusionProblem>(read_problem(path).problem).rows(), 0);
}

TEST(Fclib, GlobalProblemsComeBackToTheBit) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.hdf5";
  test::Random random(1);
  GlobalFrictionProblem problem;
  problem.M = (MatrixXd(3, 3) << 4, 1, 0, 1, 5, 0.5, 0, 0.5, 6).finished().sparseView();
  problem.H = Eigen::Map<MatrixXd>(random.vector(9).data(), 3, 3).sparseView();
  problem.f = random.vector(3);
  problem.w = random.vector(3);
  problem.mu = VectorXd::Constant(1, 0.7);
  write_fclib_global(path, problem, "three coordinates");
  const StoredProblem back = read_problem(path);
  EXPECT_EQ(back.kind, ProblemKind::kGfc3d);
  ASSERT_TRUE(back.global);
  EXPECT_EQ(MatrixXd(back.global->M), MatrixXd(problem.M));
  EXPECT_EQ(MatrixXd(back.global->H), MatrixXd(problem.H));
  EXPECT_TRUE(test::same_bits(back.global->f, problem.f));
  EXPECT_TRUE(test::same_bits(back.global->w, problem.w));
  EXPECT_TRUE(test::same_bits(back.global->mu, problem.mu));
}

TEST(Fclib, CollectedProblemsAreRead) {
  if (!std::filesystem::exists(test::problem_folder())) GTEST_SKIP() << "the collection is not there";
  for (const auto& [part, size] : {std::pair{"fc3d", 3}, {"fc2d", 2}, {"gfc3d", 3}, {"gfc2d", 2}}) {
    const auto files = test::collected_problems(part);
    EXPECT_FALSE(files.empty()) << part;
    for (const auto& file : files) {
      const StoredProblem stored = read_problem(file);
      EXPECT_EQ(name_of(stored.kind), std::string(part)) << file;
      const auto& problem = std::get<InclusionProblem>(stored.problem);
      // The sizes by another way into the file.
      const Hdf5File raw = Hdf5File::open(file);
      const bool global = std::string(part)[0] == 'g';
      const std::string group = global ? "fclib_global" : "fclib_local";
      const size_t contacts = raw.read_table(group + "/vectors/mu").size();
      EXPECT_EQ(problem.laws.size(), contacts) << file;
      EXPECT_EQ(problem.rows(), static_cast<int>(contacts) * size) << file;
      EXPECT_EQ(raw.read_table(group + (global ? "/H/n" : "/W/m"))[0], problem.rows()) << file;
    }
  }
}

/// condensed_X was made from X elsewhere: the residual of the same impulses agrees.
TEST(Fclib, CollectedGlobalProblemsAgreeWithTheirCondensedForms) {
  int pairs = 0;
  for (const auto& [global_part, local_part] : {std::pair{"gfc3d", "fc3d"}, {"gfc2d", "fc2d"}}) {
    for (const auto& file : test::collected_problems(global_part)) {
      const auto twin = test::problem_folder() / local_part / ("condensed_" + file.filename().string());
      if (!std::filesystem::exists(twin)) continue;
      ++pairs;
      const StoredProblem global = read_problem(file), local = read_problem(twin);
      const auto& a = std::get<InclusionProblem>(global.problem);
      const auto& b = std::get<InclusionProblem>(local.problem);
      ASSERT_EQ(a.rows(), b.rows()) << file;
      ResidualWork work;
      test::Random random(7);
      const double size = a.c.norm() * smallest_rho(a);
      for (int trial = 0; trial < 3; ++trial) {
        const VectorXd r = random.vector(a.rows(), size);
        const double eta_a = evaluate_residual(a, r, work).relative, eta_b = evaluate_residual(b, r, work).relative;
        EXPECT_NEAR(eta_a, eta_b, 1e-7 * eta_b) << file;
      }
    }
  }
  if (pairs == 0) GTEST_SKIP() << "the collection is not there";
  EXPECT_GE(pairs, 9);
}

TEST(Fclib, CollectedComplementarityProblemsAreRead) {
  const auto lcp = test::collected_problems("lcp"), mlcp = test::collected_problems("mlcp");
  if (lcp.empty()) GTEST_SKIP() << "the collection is not there";
  for (const auto& file : lcp) {
    const StoredProblem stored = read_problem(file);
    EXPECT_EQ(stored.kind, ProblemKind::kLcp) << file;
    EXPECT_EQ(static_cast<size_t>(std::get<LcpProblem>(stored.problem).q.size()),
              Hdf5File::open(file).read_table("q").size());
  }
  for (const auto& file : mlcp) {
    const StoredProblem stored = read_problem(file);
    EXPECT_EQ(stored.kind, ProblemKind::kMlcp) << file;
    EXPECT_EQ(static_cast<size_t>(std::get<MlcpProblem>(stored.problem).B.size()),
              Hdf5File::open(file).read_table("B").size());
  }
}

}  // namespace tippe::exchange_fclib_test
