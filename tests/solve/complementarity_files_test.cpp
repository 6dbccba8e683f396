// SPDX-License-Identifier: Apache-2.0
// The collected LCP and MLCP problems, where they are at hand.
#include <cstdlib>
#include <cstring>

#include "support/hdf5_content.h"
#include "tippe/solve/lcp.h"
#include "tippe/solve/mlcp.h"

namespace tippe::solve_complementarity_files_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::filesystem::path problems() {
  const char* given = std::getenv("TIPPE_PROBLEMS");
  return given != nullptr ? std::filesystem::path(given) : std::filesystem::path(TIPPE_SOURCE_DIR) / "../shared/problems";
}

MatrixXd matrix(const test::Hdf5Contents& file, const std::string& name) {
  const test::Hdf5Content& content = file.at(name);
  const auto rows = static_cast<Eigen::Index>(content.shape[0]);
  const auto columns = content.shape.size() > 1 ? static_cast<Eigen::Index>(content.shape[1]) : 1;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, columns);
  std::memcpy(values.data(), content.bytes.data(), content.bytes.size());
  return values;
}

ComplementaritySolution solve(const std::filesystem::path& path) {
  const auto file = test::read_contents(path);
  EXPECT_TRUE(file.has_value()) << path;
  ComplementaritySolution solution;
  if (file->contains("M")) {
    solve_lcp({matrix(*file, "M"), matrix(*file, "q")}, {.tolerance = 1e-12}, solution);
  } else {
    solve_mlcp({matrix(*file, "A"), matrix(*file, "B"), matrix(*file, "C"), matrix(*file, "D"), matrix(*file, "a"),
                matrix(*file, "b")},
               {.tolerance = 1e-12}, solution);
  }
  return solution;
}

TEST(ComplementarityFiles, AllAreDecided) {
  int solved = 0;
  for (const char* folder : {"lcp", "mlcp"}) {
    if (!std::filesystem::exists(problems() / folder)) GTEST_SKIP() << problems() << " is not here";
    for (const auto& entry : std::filesystem::directory_iterator(problems() / folder)) {
      const std::string name = entry.path().stem().string();
      const ComplementaritySolution solution = solve(entry.path());
      if (name == "lcp_Pang_isolated_sol_perturbed") {  // w1 = -z2 - z3 - 1e-4 is negative for all z >= 0
        EXPECT_EQ(solution.status, ComplementarityStatus::kNoSolution);
        continue;
      }
      EXPECT_TRUE(solution.converged()) << name << ' ' << solution.residual;
      ++solved;
    }
  }
  EXPECT_EQ(solved, 29);
}

}  // namespace tippe::solve_complementarity_files_test
