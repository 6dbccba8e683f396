// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/matrix_report.h"

namespace tippe::problem_matrix_report_test {

using Eigen::MatrixXd;

TEST(MatrixReport, KnowsEigenvaluesAndRankOfASymmetricMatrix) {
  // (1 1; 1 1) has the eigenvalues 0 and 2.
  const MatrixReport report = report_matrix(MatrixXd::Ones(2, 2));
  ASSERT_TRUE(report.spectrum);
  EXPECT_TRUE(report.spectrum->eigenvalues);
  EXPECT_EQ(report.spectrum->rank, 1);
  EXPECT_NEAR(report.spectrum->smallest, 0.0, 1e-15);
  EXPECT_NEAR(report.spectrum->largest, 2.0, 1e-15);
  EXPECT_EQ(report.asymmetry, 0.0);
  EXPECT_EQ(report_matrix(-MatrixXd::Identity(3, 3)).spectrum->smallest, -1.0);  // indefinite is said
  EXPECT_EQ(report_matrix(MatrixXd(0, 0)).spectrum->rank, 0);
  EXPECT_EQ(report_matrix(MatrixXd::Zero(2, 2)).spectrum->rank, 0);
}

TEST(MatrixReport, KnowsSingularValuesOfAnyOther) {
  // (3 4; 0 0): the singular values are 5 and 0.
  const MatrixReport report = report_matrix((MatrixXd(2, 2) << 3, 4, 0, 0).finished());
  EXPECT_FALSE(report.spectrum->eigenvalues);
  EXPECT_NEAR(report.spectrum->largest, 5.0, 1e-14);
  EXPECT_EQ(report.spectrum->rank, 1);
  EXPECT_EQ(report.asymmetry, 1.0);
  EXPECT_EQ(report.smallest_diagonal, 0.0);
  EXPECT_EQ(report.largest_diagonal, 3.0);
}

/// Large ones block by block: the same without a spectrum.
TEST(MatrixReport, DoesNotFormALargeMatrix) {
  constexpr int kBlocks = kMostSpectrumRows + 1;
  Delassus G;
  for (int i = 0; i < kBlocks; ++i) G.blocks.declare_row(1);
  for (int i = 0; i < kBlocks; ++i) {
    *G.blocks.add_block(i) = 2.0 + i % 3;
    if (i + 1 < kBlocks) *G.blocks.add_block(i + 1) = i == 7 ? 0.75 : 0.5;  // above the diagonal
    G.blocks.finish_row();
  }
  const MatrixReport report = report_matrix(G);
  EXPECT_FALSE(report.spectrum);
  EXPECT_EQ(report.rows, kBlocks);
  EXPECT_EQ(report.smallest_diagonal, 2.0);
  EXPECT_EQ(report.largest_diagonal, 4.0);
  EXPECT_EQ(report.asymmetry, 0.75 / 4.0);
  G.factored = true;  // Y'Y, of which these would be the diagonal blocks
  EXPECT_EQ(report_matrix(G).asymmetry, 0.0);
}

}  // namespace tippe::problem_matrix_report_test
