// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/newton_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tippe/core/infinity.h"

namespace tippe {
namespace {

constexpr int kMostDenseRows = 300;
constexpr int kMostNodes = 100000;
constexpr double kMostEntries = 1e8;  // of the factors
// Multiply-adds that take as long as what is done beside the arithmetic: for each row of the matrix, and to fill in a block of the problem.
constexpr double kPerRow = 300.0, kPerBlock = 1000.0;

using RowMajorMap = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

}  // namespace

void NewtonSystem::prepare(const NormalForm& form) {
  form_ = &form;
  has_W_ = false;
  A.resize(form.blocks.size());
  B.resize(form.blocks.size());
  D_inverse_.resize(form.blocks.size());
  const double n = form.rows();
  if (n <= kMostDenseRows) {
    way_ = Way::kDense;
    work_ = n * n * n / 3.0;
    return;
  }
  way_ = form.factored ? Way::kBodySpace : Way::kBlocks;
  find_nodes();
  work_ = kInfinity;
  if (node_size_.size() > kMostNodes) return;
  analyze();
  if (lu_.fronts().entries() > kMostEntries) return;
  work_ = lu_.fronts().work() + kPerRow * lu_.fronts().rows() + kPerBlock * form.block_count();
}

/// Rows of the matrix that are eliminated together: blocks of the problem, or in body space ranges of kinetic rows that no run cuts.
void NewtonSystem::find_nodes() {
  node_size_.clear();
  node_row_.clear();
  if (way_ == Way::kBlocks) {
    for (const NormalForm::Block& block : form_->blocks) node_size_.push_back(block.size);
    return;
  }
  node_of_.assign(static_cast<size_t>(form_->kinetic_rows) + 1, 0);
  for (const NormalForm::Run& run : form_->run) node_of_[run.row] = node_of_[run.row + run.length] = 1;
  node_of_[0] = 1;
  std::partial_sum(node_of_.begin(), node_of_.end(), node_of_.begin());
  for (int k = 0; k < form_->kinetic_rows; ++k) {
    if (--node_of_[k] == static_cast<int>(node_row_.size())) {
      node_row_.push_back(k);
      node_size_.push_back(0);
    }
    ++node_size_.back();
  }
}

template <class Visit>
void NewtonSystem::for_each_node(const NormalForm::Run& run, Visit&& visit) const {
  for (int node = node_of_[run.row], row = run.row; row < run.row + run.length; row += node_size_[node++])
    visit(node, row - run.row);
}

void NewtonSystem::analyze() {
  couplings_.clear();
  for (int i = 0; i < form_->block_count(); ++i) {
    if (way_ == Way::kBlocks) {
      for (int e = form_->coupling_start[i]; e < form_->coupling_start[i + 1]; ++e)
        couplings_.push_back({i, form_->coupling[e].column});
      continue;
    }
    for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
      for (int t = form_->run_start[i]; t <= s; ++t) {
        for_each_node(form_->run[s], [&](int a, int) {
          for_each_node(form_->run[t], [&](int b, int) {
            if (a != b) couplings_.push_back({a, b});
          });
        });
      }
    }
  }
  lu_.analyze(node_size_, couplings_);
}

void NewtonSystem::make_dense() {
  if (has_W_) return;
  has_W_ = true;
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

bool NewtonSystem::factorize(double e) {
  if (!std::isfinite(work_)) return false;
  switch (way_) {
    case Way::kDense:
      fill_dense(e);
      dense_.factorize(matrix_);
      return true;  // a singular matrix shows in the solution
    case Way::kBlocks:
      fill_blocks(e);
      break;
    case Way::kBodySpace:
      if (!fill_body_space(e)) return false;
      break;
  }
  return lu_.factorize();
}

void NewtonSystem::fill_dense(double e) {
  make_dense();
  const int n = form_->rows();
  matrix_.resize(n, n);
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    matrix_.middleRows(block.row, block.size).noalias() = A[i] * W_.middleRows(block.row, block.size);
    matrix_.block(block.row, block.row, block.size, block.size) += e * A[i] + B[i];
  }
}

void NewtonSystem::fill_blocks(double e) {
  lu_.clear();
  const auto add = [&](int i, int j, const BlockMatrix& values) {
    const BlockLU::Block to = lu_.block(i, j);
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      for (Eigen::Index r = 0; r < values.rows(); ++r) to.data[c * to.stride + r] += values(r, c);
    }
  };
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    BlockMatrix product = A[i] * RowMajorMap(form_->diagonal(i), block.size, block.size);
    product += e * A[i] + B[i];
    add(i, i, product);
    for (int c = form_->coupling_start[i]; c < form_->coupling_start[i + 1]; ++c) {
      const NormalForm::Coupling& coupling = form_->coupling[c];
      product.noalias() = A[i] * RowMajorMap(form_->coupling_value.data() + coupling.offset, block.size,
                                             form_->blocks[coupling.column].size);
      add(i, coupling.column, product);
    }
  }
}

bool NewtonSystem::fill_body_space(double e) {
  lu_.clear();
  for (int node = 0; node < static_cast<int>(node_size_.size()); ++node) {
    const BlockLU::Block diagonal = lu_.block(node, node);
    for (int k = 0; k < node_size_[node]; ++k) diagonal.data[k * (diagonal.stride + 1)] = 1.0;
  }
  for (int i = 0; i < form_->block_count(); ++i) {
    const BlockMatrix D = e * A[i] + B[i];
    const int size = form_->blocks[i].size;
    D_inverse_[i] = D.inverse();
    if (!D_inverse_[i].allFinite()) return false;
    if (A[i].isZero(0.0)) continue;
    const BlockMatrix weight = D_inverse_[i] * A[i];
    for (int t = form_->run_start[i]; t < form_->run_start[i + 1]; ++t) {
      for_each_node(form_->run[t], [&](int column_node, int column) {
        for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
          for_each_node(form_->run[s], [&](int row_node, int row) {
            add_product(form_->run[s], row, node_size_[row_node], weight, form_->run[t], column, node_size_[column_node],
                        size, lu_.block(row_node, column_node));
          });
        }
      });
    }
  }
  return true;
}

/// Adds Y_left' weight Y_right of parts of two runs of a block.
void NewtonSystem::add_product(const NormalForm::Run& left, int row, int rows, const BlockMatrix& weight,
                               const NormalForm::Run& right, int column, int columns, int size,
                               const BlockLU::Block& to) const {
  const double* const Y_left = form_->run_value.data() + left.offset + row;
  const double* const Y_right = form_->run_value.data() + right.offset + column;
  for (int c = 0; c < columns; ++c) {
    double* const value = to.data + c * to.stride;
    for (int k = 0; k < size; ++k) {
      double factor = 0.0;
      for (int l = 0; l < size; ++l) factor += weight(k, l) * Y_right[l * right.length + c];
      const double* const y = Y_left + static_cast<ptrdiff_t>(k) * left.length;
      for (int r = 0; r < rows; ++r) value[r] += y[r] * factor;
    }
  }
}

void NewtonSystem::solve(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::VectorXd& x) {
  if (way_ == Way::kDense) {
    dense_.solve(f, x);
    return;
  }
  if (way_ == Way::kBlocks) {
    x = f;
    lu_.solve_in_place(x);
    return;
  }
  body_.setZero(form_->kinetic_rows);
  const auto for_each_run = [&](auto&& visit) {
    for (int i = 0; i < form_->block_count(); ++i) {
      for (int s = form_->run_start[i]; s < form_->run_start[i + 1]; ++s) {
        const NormalForm::Run& run = form_->run[s];
        visit(i, run, RowMajorMap(form_->run_value.data() + run.offset, form_->blocks[i].size, run.length));
      }
    }
  };
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;
  for_each_run([&](int i, const NormalForm::Run& run, const RowMajorMap& Y) {
    const Small y = D_inverse_[i] * f.segment(form_->blocks[i].row, form_->blocks[i].size);
    body_.segment(run.row, run.length).noalias() += Y.transpose() * y;
  });
  lu_.solve_in_place(body_);
  x = f;
  for_each_run([&](int i, const NormalForm::Run& run, const RowMajorMap& Y) {
    const Small y = Y * body_.segment(run.row, run.length);
    x.segment(form_->blocks[i].row, form_->blocks[i].size).noalias() -= A[i] * y;
  });
  for (int i = 0; i < form_->block_count(); ++i) {
    const NormalForm::Block& block = form_->blocks[i];
    const Small y = x.segment(block.row, block.size);
    x.segment(block.row, block.size).noalias() = D_inverse_[i] * y;
  }
}

}  // namespace tippe
