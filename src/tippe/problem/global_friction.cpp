// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/global_friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "tippe/core/error.h"
#include "tippe/core/sparse_lu.h"
#include "tippe/core/tolerances.h"
#include "tippe/problem/delassus_builder.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

[[noreturn]] void refuse_singular() {
  throw InputError({}, "M: the matrix is singular, so the problem has no form without velocities");
}

double largest_entry(const SparseMatrix& matrix) {
  double largest = 0.0;
  for (int k = 0; k < matrix.outerSize(); ++k) {
    for (SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
  }
  return largest;
}

/// L D L' of M, or nothing if M is not symmetric positive definite.
std::optional<SparseLDLT> factorize_symmetric(const SparseMatrix& M) {
  const SparseMatrix difference = M - SparseMatrix(M.transpose());
  if (!(largest_entry(difference) <= kAsymmetry * largest_entry(M))) return {};
  std::vector<LowerEntry> pattern;
  std::vector<double> values;
  for (int column = 0; column < M.cols(); ++column) {
    for (SparseMatrix::InnerIterator entry(M, column); entry; ++entry) {
      if (entry.row() < column) continue;
      pattern.push_back({static_cast<int>(entry.row()), column});
      values.push_back(entry.value());
    }
  }
  SparseLDLT factor(static_cast<int>(M.rows()), pattern);
  if (!factor.factorize(values)) return {};
  return factor;
}

/// L U of any other M.
class GeneralFactor {
 public:
  explicit GeneralFactor(const SparseMatrix& M) {
    VectorXd row_scale = VectorXd::Zero(M.rows()), column_scale = VectorXd::Zero(M.cols());
    const auto for_each_entry = [&](auto&& visit) {
      for (int column = 0; column < M.cols(); ++column) {
        for (SparseMatrix::InnerIterator entry(M, column); entry; ++entry)
          visit(entry.row(), column, std::abs(entry.value()));
      }
    };
    for_each_entry([&](auto row, int, double size) { row_scale[row] = std::max(row_scale[row], size); });
    if (row_scale.size() > 0 && row_scale.minCoeff() == 0.0) refuse_singular();
    for_each_entry([&](auto row, int column, double size) {
      column_scale[column] = std::max(column_scale[column], size / row_scale[row]);
    });
    if (column_scale.size() > 0 && column_scale.minCoeff() == 0.0) refuse_singular();
    SparseMatrix compressed = M;
    compressed.makeCompressed();
    lu_.analyze(compressed);
    if (!lu_.factorize(compressed)) refuse_singular();

    // A pivot of rounding size shows in the solution for a right-hand side without structure, whatever the units of M.
    constexpr double kSingular = 1e14;
    VectorXd probe(M.rows());
    for (Eigen::Index i = 0; i < probe.size(); ++i) probe[i] = row_scale[i] * std::cos(static_cast<double>(i * i));
    if (!(column_scale.cwiseProduct(solve(probe)).lpNorm<Eigen::Infinity>() <= kSingular)) refuse_singular();
  }

  [[nodiscard]] VectorXd solve(const VectorXd& b) const {
    VectorXd x;
    lu_.solve(b, x);
    if (!x.allFinite()) refuse_singular();
    return x;
  }

 private:
  SparseLU lu_;
};

Delassus build_factored(const GlobalFrictionProblem& problem, const std::vector<int>& sizes, SparseLDLT& factor) {
  Delassus G;
  std::vector<int> rows;
  std::vector<double> values;
  for (int column = 0; column < problem.H.cols(); ++column) {
    rows.clear();
    values.clear();
    for (SparseMatrix::InnerIterator entry(problem.H, column); entry; ++entry) {
      rows.push_back(static_cast<int>(entry.row()));
      values.push_back(entry.value());
    }
    factor.append_kinetic_column(rows, values, G.Y);
  }
  DelassusBuilder().build(sizes, static_cast<int>(problem.M.rows()), G);
  return G;
}

Delassus build_explicit(const GlobalFrictionProblem& problem, const std::vector<int>& sizes, const GeneralFactor& factor) {
  constexpr Eigen::Index kMostRows = 10000;
  const Eigen::Index rows = problem.H.cols();
  if (rows > kMostRows) {
    throw InputError(
        {}, fmt::format("M: the matrix is not symmetric positive definite; then at most {} rows of contacts are possible, "
                        "there are {}",
                        kMostRows, rows));
  }
  MatrixXd G(rows, rows);
  for (Eigen::Index k = 0; k < rows; ++k) G.col(k) = problem.H.transpose() * factor.solve(VectorXd(problem.H.col(k)));
  return delassus_from_dense(G, sizes);
}

}  // namespace

InclusionProblem condense(const GlobalFrictionProblem& problem) {
  assert(problem.M.rows() == problem.M.cols() && problem.M.rows() == problem.H.rows() &&
         problem.f.size() == problem.M.rows());
  assert(problem.w.size() == problem.H.cols() && problem.mu.size() * problem.spacedim == problem.w.size());
  InclusionProblem result;
  const std::vector<int> sizes(static_cast<size_t>(problem.mu.size()), problem.spacedim);
  for (const double mu : problem.mu) result.laws.push_back(CoulombContact{mu, mu});
  VectorXd v = problem.f;
  if (std::optional<SparseLDLT> factor = factorize_symmetric(problem.M)) {
    result.G = build_factored(problem, sizes, *factor);
    factor->solve_in_place(v);
  } else {
    const GeneralFactor general(problem.M);
    result.G = build_explicit(problem, sizes, general);
    v = general.solve(v);
  }
  result.c = problem.H.transpose() * v + problem.w;
  return result;
}

VectorXd recover_velocities(const GlobalFrictionProblem& problem, const VectorXd& r) {
  VectorXd v = problem.H * r + problem.f;
  if (const std::optional<SparseLDLT> factor = factorize_symmetric(problem.M)) {
    factor->solve_in_place(v);
    return v;
  }
  return GeneralFactor(problem.M).solve(v);
}

}  // namespace tippe
