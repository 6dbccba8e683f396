// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/newton_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <numeric>

#include "tippe/core/sparse_ldlt.h"

namespace tippe {
namespace {

constexpr int kMostDenseRows = 300;

using RowMajorMap = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

}  // namespace

/// By the fill of the symmetric elimination of whole blocks (explicit form) or whole runs (factored form).
double NewtonSystem::work(const NormalForm& form) {
  const double n = form.rows();
  if (form.rows() <= kMostDenseRows) return n * n * n / 3.0;
  constexpr int kMostNodes = 100000;
  constexpr double kMostEntries = 1e8;
  std::vector<LowerEntry> pattern;
  std::vector<int> node_of;
  int nodes = form.block_count();
  if (form.factored) {
    // A node is a range of kinetic rows that no run cuts.
    node_of.assign(static_cast<size_t>(form.kinetic_rows) + 1, 0);
    for (const NormalForm::Run& run : form.run) node_of[run.row] = node_of[run.row + run.length] = 1;
    std::partial_sum(node_of.begin(), node_of.end(), node_of.begin());
    nodes = node_of.back() + 1;
  }
  if (nodes > kMostNodes) return std::numeric_limits<double>::infinity();
  const auto couple = [&](int a, int b) {
    if (a != b) pattern.push_back({std::max(a, b), std::min(a, b)});
  };
  for (int i = 0; i < form.block_count(); ++i) {
    if (!form.factored) {
      for (int e = form.coupling_start[i]; e < form.coupling_start[i + 1]; ++e) couple(i, form.coupling[e].column);
      continue;
    }
    for (int s = form.run_start[i]; s < form.run_start[i + 1]; ++s) {
      for (int t = form.run_start[i]; t <= s; ++t) {
        for (int a = node_of[form.run[s].row]; a < node_of[form.run[s].row + form.run[s].length]; ++a) {
          for (int b = node_of[form.run[t].row]; b < node_of[form.run[t].row + form.run[t].length]; ++b) couple(a, b);
        }
      }
    }
  }
  const auto before = [](const LowerEntry& x, const LowerEntry& y) {
    return x.column != y.column ? x.column < y.column : x.row < y.row;
  };
  std::sort(pattern.begin(), pattern.end(), before);
  const auto same = [](const LowerEntry& x, const LowerEntry& y) { return x.row == y.row && x.column == y.column; };
  pattern.erase(std::unique(pattern.begin(), pattern.end(), same), pattern.end());
  const double size = (form.factored ? form.kinetic_rows : n) / nodes;  // mean, of a node
  const double per_column = static_cast<double>(SparseLDLT(nodes, pattern).factor_entries()) / nodes + 1.0;
  if (2.0 * per_column * nodes * size * size > kMostEntries) return std::numeric_limits<double>::infinity();
  constexpr double kPerRow = 1000.0;  // what sparse storage costs beside the arithmetic
  return 2.0 * nodes * per_column * per_column * size * size * size + kPerRow * nodes * size;
}

void NewtonSystem::prepare(const NormalForm& form) {
  form_ = &form;
  A.resize(form.blocks.size());
  B.resize(form.blocks.size());
  if (form.rows() <= kMostDenseRows) {
    prepare_dense();
  } else if (form.factored) {
    prepare_body_space();
  } else {
    prepare_sparse();
  }
}

void NewtonSystem::prepare_dense() {
  way_ = Way::kDense;
  const int n = form_->rows();
  W_.setZero(n, n);
  if (form_->factored) {
    Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(form_->kinetic_rows, n);
    for (int i = 0; i < form_->block_count(); ++i) {
      const NormalForm::Block& block = form_->blocks[i];
      for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
        const NormalForm::Run& run = form_->run[s];
        Y.block(run.row, block.row, run.length, block.size) =
            RowMajorMap(form_->run_value.data() + run.offset, block.size, run.length).transpose();
      }
    }
    W_.noalias() = Y.transpose() * Y;
  } else {
    for (int i = 0; i < form_->block_count(); ++i) {
      const NormalForm::Block& block = form_->blocks[i];
      W_.block(block.row, block.row, block.size, block.size) = RowMajorMap(form_->diagonal(i), block.size, block.size);
      for (int e = form_->coupling_start[i]; e < form_->coupling_start[i + 1]; ++e) {
        const NormalForm::Block& other = form_->blocks[form_->coupling[e].column];
        W_.block(block.row, other.row, block.size, other.size) =
            RowMajorMap(form_->coupling_value.data() + form_->coupling[e].offset, block.size, other.size);
      }
    }
  }
}

/// The pattern of W with its diagonal, by columns.
void NewtonSystem::prepare_sparse() {
  way_ = Way::kSparse;
  const int n = form_->rows(), blocks = form_->block_count();
  // Block rows in each block column, ascending because rows are visited in order.
  std::vector<std::vector<std::pair<int, int>>> column(static_cast<size_t>(blocks));  // (block row, coupling or -1)
  for (int i = 0; i < blocks; ++i) {
    column[i].emplace_back(i, -1);
    for (int e = form_->coupling_start[i]; e < form_->coupling_start[i + 1]; ++e)
      column[form_->coupling[e].column].emplace_back(i, e);
  }
  position_.assign(form_->coupling.size() + blocks, 0);  // couplings, then diagonals
  sparse_.resize(n, n);
  std::vector<int> outer{0}, inner;
  for (int j = 0; j < blocks; ++j) {
    for (int c = 0; c < form_->blocks[j].size; ++c) {
      for (const auto& [i, e] : column[j]) {
        if (c == 0) position_[e < 0 ? form_->coupling.size() + j : e] = static_cast<int>(inner.size());
        for (int r = 0; r < form_->blocks[i].size; ++r) inner.push_back(form_->blocks[i].row + r);
      }
      outer.push_back(static_cast<int>(inner.size()));
    }
  }
  sparse_ = Eigen::Map<const Sparse>(n, n, static_cast<Eigen::Index>(inner.size()), outer.data(), inner.data(),
                                     std::vector<double>(inner.size(), 1.0).data());
  sparse_lu_.analyze(sparse_);
}

/// The pattern of 1 + Y D^-1 A Y': kinetic rows that share a block.
void NewtonSystem::prepare_body_space() {
  way_ = Way::kBodySpace;
  const int n = form_->kinetic_rows;
  std::vector<std::vector<int>> column(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) column[k].push_back(k);
  for (int i = 0; i < form_->block_count(); ++i) {
    for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
      for (int t = form_->run_start[i]; t < form_->run_start[i + 1]; ++t) {
        for (int a = 0; a < form_->run[s].length; ++a) {
          for (int b = 0; b < form_->run[t].length; ++b) column[form_->run[s].row + a].push_back(form_->run[t].row + b);
        }
      }
    }
  }
  std::vector<int> outer{0}, inner;
  for (std::vector<int>& rows : column) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    inner.insert(inner.end(), rows.begin(), rows.end());
    outer.push_back(static_cast<int>(inner.size()));
  }
  sparse_ = Eigen::Map<const Sparse>(n, n, static_cast<Eigen::Index>(inner.size()), outer.data(), inner.data(),
                                     std::vector<double>(inner.size(), 1.0).data());
  sparse_lu_.analyze(sparse_);
  D_inverse_.resize(form_->blocks.size());
}

bool NewtonSystem::factorize(double e) {
  switch (way_) {
    case Way::kDense:
      fill_dense(e);
      dense_.factorize(matrix_);
      return true;  // a singular matrix shows in the solution
    case Way::kSparse:
      fill_sparse(e);
      break;
    case Way::kBodySpace:
      if (!fill_body_space(e)) return false;
      break;
  }
  return sparse_lu_.factorize(sparse_);
}

void NewtonSystem::fill_dense(double e) {
  const int n = form_->rows();
  matrix_.resize(n, n);
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    matrix_.middleRows(block.row, block.size).noalias() = A[i] * W_.middleRows(block.row, block.size);
    matrix_.block(block.row, block.row, block.size, block.size) += e * A[i] + B[i];
  }
}

void NewtonSystem::fill_sparse(double e) {
  double* values = sparse_.valuePtr();
  const int* outer = sparse_.outerIndexPtr();
  const auto put = [&](int position, const NormalForm::Block& other, const BlockMatrix& block) {
    const int height = outer[other.row + 1] - outer[other.row];  // the same for all columns of a block
    for (int c = 0; c < other.size; ++c) {
      for (int r = 0; r < block.rows(); ++r) values[position + c * height + r] = block(r, c);
    }
  };
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    BlockMatrix product = A[i] * RowMajorMap(form_->diagonal(i), block.size, block.size);
    product += e * A[i] + B[i];
    put(position_[form_->coupling.size() + i], block, product);
    for (int c = form_->coupling_start[i]; c < form_->coupling_start[i + 1]; ++c) {
      const NormalForm::Block& other = form_->blocks[form_->coupling[c].column];
      product.noalias() =
          A[i] * RowMajorMap(form_->coupling_value.data() + form_->coupling[c].offset, block.size, other.size);
      put(position_[c], other, product);
    }
  }
}

bool NewtonSystem::fill_body_space(double e) {
  std::fill(sparse_.valuePtr(), sparse_.valuePtr() + sparse_.nonZeros(), 0.0);
  const int* outer = sparse_.outerIndexPtr();
  const int* inner = sparse_.innerIndexPtr();
  for (int k = 0; k < form_->kinetic_rows; ++k) {
    const int* at = std::lower_bound(inner + outer[k], inner + outer[k + 1], k);
    sparse_.valuePtr()[at - inner] = 1.0;
  }
  for (int i = 0; i < form_->block_count(); ++i) {
    const BlockMatrix D = e * A[i] + B[i];
    const int size = form_->blocks[i].size;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4> inverse = D.inverse();
    if (!inverse.allFinite()) return false;
    D_inverse_[i] = inverse;
    if (A[i].isZero(0.0)) continue;
    const BlockMatrix weight = D_inverse_[i] * A[i];
    for (int t = form_->run_start[i]; t < form_->run_start[i + 1]; ++t) {
      const NormalForm::Run& right = form_->run[t];
      const RowMajorMap Y_right(form_->run_value.data() + right.offset, size, right.length);
      for (int b = 0; b < right.length; ++b) {
        const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1> factor = weight * Y_right.col(b);
        const int column = right.row + b;
        for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
          const NormalForm::Run& left = form_->run[s];
          const int* at = std::lower_bound(inner + outer[column], inner + outer[column + 1], left.row);
          double* value = sparse_.valuePtr() + (at - inner);
          const double* Y_left = form_->run_value.data() + left.offset;
          for (int k = 0; k < size; ++k, Y_left += left.length) {
            for (int a = 0; a < left.length; ++a) value[a] += Y_left[a] * factor[k];
          }
        }
      }
    }
  }
  return true;
}

void NewtonSystem::solve(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::VectorXd& x) {
  if (way_ == Way::kDense) {
    dense_.solve(f, x);
    return;
  }
  if (way_ == Way::kSparse) {
    sparse_lu_.solve(f, x);
    return;
  }
  reduced_.setZero(form_->kinetic_rows);
  const auto for_each_run = [&](auto&& visit) {
    for (int i = 0; i < form_->block_count(); ++i) {
      for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
        const NormalForm::Run& run = form_->run[s];
        visit(i, run, RowMajorMap(form_->run_value.data() + run.offset, form_->blocks[i].size, run.length));
      }
    }
  };
  for_each_run([&](int i, const NormalForm::Run& run, const RowMajorMap& Y) {
    reduced_.segment(run.row, run.length) +=
        Y.transpose() * (D_inverse_[i] * f.segment(form_->blocks[i].row, form_->blocks[i].size));
  });
  sparse_lu_.solve(reduced_, body_);
  x = f;
  for_each_run([&](int i, const NormalForm::Run& run, const RowMajorMap& Y) {
    x.segment(form_->blocks[i].row, form_->blocks[i].size) -= A[i] * (Y * body_.segment(run.row, run.length));
  });
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    x.segment(block.row, block.size) = D_inverse_[i] * x.segment(block.row, block.size).eval();
  }
}

}  // namespace tippe
