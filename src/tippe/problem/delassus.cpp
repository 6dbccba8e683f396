// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/delassus_builder.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tippe {

void BlockSparseMatrix::clear() {
  row.resize(1);
  entry_start.resize(1);
  entry.clear();
  diagonal.clear();
  value.clear();
}

void BlockSparseMatrix::declare_row(int size) {
  row.push_back(row.back() + size);
  diagonal.push_back(-1);
}

double* BlockSparseMatrix::add_block(int column) {
  const int current = static_cast<int>(entry_start.size()) - 1;
  const int offset = static_cast<int>(value.size());
  entry.push_back({column, offset});
  if (column == current) diagonal[current] = offset;
  value.resize(value.size() + static_cast<size_t>(block_size(current)) * block_size(column));
  return value.data() + offset;
}

void Delassus::multiply(const Eigen::Ref<const Eigen::VectorXd>& x, KeptVector& result, KeptVector& kinetic) const {
  const int n = rows();
  assert(x.size() == n);
  result.resize(n);
  if (factored) {
    kinetic.setZero(kinetic_rows);
    for (int k = 0; k < n; ++k) Y.add_to(k, x[k], kinetic.data());
    for (int k = 0; k < n; ++k) result[k] = Y.dot(k, kinetic.data());
    return;
  }
  result.setZero();
  for (int i = 0; i < blocks.blocks(); ++i) {
    const int size = blocks.block_size(i);
    for (int e = blocks.entry_start[i]; e < blocks.entry_start[i + 1]; ++e) {
      const auto& [column, offset] = blocks.entry[e];
      const int width = blocks.block_size(column);
      const double* block = blocks.value.data() + offset;
      const double* y = x.data() + blocks.row[column];
      double* sum = result.data() + blocks.row[i];
      if (size == 3 && width == 3) {  // nearly all, in large problems
        sum[0] += block[0] * y[0] + block[1] * y[1] + block[2] * y[2];
        sum[1] += block[3] * y[0] + block[4] * y[1] + block[5] * y[2];
        sum[2] += block[6] * y[0] + block[7] * y[1] + block[8] * y[2];
        continue;
      }
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < width; ++c) sum[r] += block[r * width + c] * y[c];
      }
    }
  }
}

void Delassus::multiply_add_exactly(const Eigen::Ref<const Eigen::VectorXd>& x, const KeptVector& c, KeptVector& result,
                                    std::vector<long double>& kinetic) const {
  const int n = rows();
  assert(x.size() == n && c.size() == n);
  result.resize(n);
  if (factored) {
    kinetic.assign(static_cast<size_t>(kinetic_rows), 0.0L);
    for (int k = 0; k < n; ++k) {
      for (int p = Y.start[k]; p < Y.start[k + 1]; ++p) kinetic[Y.row[p]] += static_cast<long double>(Y.value[p]) * x[k];
    }
    for (int k = 0; k < n; ++k) {
      long double sum = c[k];
      for (int p = Y.start[k]; p < Y.start[k + 1]; ++p) sum += Y.value[p] * kinetic[Y.row[p]];
      result[k] = static_cast<double>(sum);
    }
    return;
  }
  for (int i = 0; i < blocks.blocks(); ++i) {
    for (int r = 0; r < blocks.block_size(i); ++r) {
      long double sum = c[blocks.row[i] + r];
      for (int e = blocks.entry_start[i]; e < blocks.entry_start[i + 1]; ++e) {
        const auto& [column, offset] = blocks.entry[e];
        const int width = blocks.block_size(column);
        const double* values = blocks.value.data() + offset + static_cast<ptrdiff_t>(r) * width;
        for (int k = 0; k < width; ++k) sum += static_cast<long double>(values[k]) * x[blocks.row[column] + k];
      }
      result[blocks.row[i] + r] = static_cast<double>(sum);
    }
  }
}

void DelassusBuilder::find_members(const std::vector<int>& sizes, int kinetic_rows, const SparseColumns& Y) {
  const int n = static_cast<int>(sizes.size());
  const auto for_each_kinetic_row = [&](auto&& visit) {
    int column = 0;
    for (int i = 0; i < n; ++i) {
      for (int p = Y.start[column]; p < Y.start[column + sizes[i]]; ++p) visit(i, Y.row[p]);
      column += sizes[i];
    }
  };
  member_start_.assign(kinetic_rows + 1, 0);
  for_each_kinetic_row([&](int, int k) { ++member_start_[k + 1]; });
  std::partial_sum(member_start_.begin(), member_start_.end(), member_start_.begin());
  members_.resize(member_start_[kinetic_rows]);
  fill_.assign(kinetic_rows, 0);
  for_each_kinetic_row([&](int i, int k) { members_[member_start_[k] + fill_[k]++] = i; });
}

/// False, and not to the end, if the blocks of the explicit form hold more than so many numbers.
bool DelassusBuilder::find_coupled_blocks(const std::vector<int>& sizes, const SparseColumns& Y, size_t most_numbers) {
  const int n = static_cast<int>(sizes.size());
  coupled_start_.assign(1, 0);
  coupled_.clear();
  seen_.assign(n, -1);
  visited_.assign(member_start_.size(), -1);
  size_t numbers = 0;
  int column = 0;
  for (int i = 0; i < n; ++i) {
    const auto couple = [&](int j) {
      seen_[j] = i;
      coupled_.push_back(j);
      numbers += static_cast<size_t>(sizes[i]) * sizes[j];
    };
    couple(i);
    for (int p = Y.start[column]; p < Y.start[column + sizes[i]]; ++p) {
      const int k = Y.row[p];
      if (visited_[k] == i) continue;
      visited_[k] = i;
      for (int m = member_start_[k]; m < member_start_[k + 1]; ++m) {
        if (seen_[members_[m]] != i) couple(members_[m]);
      }
    }
    if (numbers > most_numbers) return false;
    std::sort(coupled_.begin() + coupled_start_[i], coupled_.end());
    coupled_start_.push_back(static_cast<int>(coupled_.size()));
    column += sizes[i];
  }
  return true;
}

/// The same as below for one block, which has nobody to be coupled with.
void DelassusBuilder::find_one_block(int size, Delassus& G, DelassusForm form) {
  const size_t factored_cost = 2 * G.Y.value.size() * 2, explicit_numbers = static_cast<size_t>(size) * size;
  G.factored = form == DelassusForm::kFactored || (form == DelassusForm::kCheaper && factored_cost < explicit_numbers);
  member_start_.assign(1, 0);
  coupled_start_.resize(2);
  coupled_start_[0] = 0;
  coupled_start_[1] = 1;
  coupled_.assign(1, 0);
}

void DelassusBuilder::find_blocks(const std::vector<int>& sizes, int kinetic_rows, Delassus& G, DelassusForm form) {
  const int n = static_cast<int>(sizes.size());
  find_members(sizes, kinetic_rows, G.Y);

  // A sweep in factored form reads Y twice, once for the velocities and once for the update. Rows that share a kinetic row are all
  // coupled: where that alone is too much for the explicit form, the pairs need not be listed.
  const size_t factored_cost = 2 * G.Y.value.size() * 2;
  size_t widest = 0;
  for (int k = 0; k < kinetic_rows; ++k)
    widest = std::max(widest, static_cast<size_t>(member_start_[k + 1] - member_start_[k]));
  G.factored = form == DelassusForm::kFactored || (form == DelassusForm::kCheaper && factored_cost < widest * widest);
  const size_t most_numbers = form == DelassusForm::kCheaper ? factored_cost : std::numeric_limits<size_t>::max();
  if (!G.factored) G.factored = !find_coupled_blocks(sizes, G.Y, most_numbers);
  if (!G.factored) return;
  coupled_start_.resize(static_cast<size_t>(n) + 1);
  std::iota(coupled_start_.begin(), coupled_start_.end(), 0);
  coupled_.resize(static_cast<size_t>(n));
  std::iota(coupled_.begin(), coupled_.end(), 0);
}

void DelassusBuilder::build(const std::vector<int>& sizes, int kinetic_rows, Delassus& G, DelassusForm form) {
  const int n = static_cast<int>(sizes.size());
  G.kinetic_rows = kinetic_rows;
  if (n == 1) {
    find_one_block(sizes[0], G, form);
  } else {
    find_blocks(sizes, kinetic_rows, G, form);
  }
  G.blocks.clear();
  dense_.assign(static_cast<size_t>(kinetic_rows), 0.0);
  for (const int size : sizes) G.blocks.declare_row(size);
  for (int i = 0; i < n; ++i) {
    for (int e = coupled_start_[i]; e < coupled_start_[i + 1]; ++e) {
      const int j = coupled_[e];
      if (!G.factored || j == i) G.blocks.add_block(j);
    }
    G.blocks.finish_row();
  }
  for (int i = 0; i < n; ++i) {
    for (int r = 0; r < sizes[i]; ++r) {
      const int column = G.blocks.row[i] + r;
      G.Y.add_to(column, 1.0, dense_.data());
      for (int e = G.blocks.entry_start[i]; e < G.blocks.entry_start[i + 1]; ++e) {
        const auto& [j, offset] = G.blocks.entry[e];
        for (int c = 0; c < sizes[j]; ++c) {
          G.blocks.value[offset + r * sizes[j] + c] = G.Y.dot(G.blocks.row[j] + c, dense_.data());
        }
      }
      for (int p = G.Y.start[column]; p < G.Y.start[column + 1]; ++p) dense_[G.Y.row[p]] = 0.0;
    }
  }
}

void DelassusBuilder::find_parts(std::vector<int>& part) {
  components_.reset(static_cast<int>(coupled_start_.size()) - 1);
  for (size_t k = 0; k + 1 < member_start_.size(); ++k) {
    for (int m = member_start_[k] + 1; m < member_start_[k + 1]; ++m) components_.join(members_[m - 1], members_[m]);
  }
  components_.number(part);
}

Eigen::MatrixXd dense(const Delassus& G) {
  Eigen::MatrixXd matrix(G.rows(), G.rows());
  KeptVector column, kinetic;
  for (int k = 0; k < G.rows(); ++k) {
    G.multiply(Eigen::VectorXd::Unit(G.rows(), k), column, kinetic);
    matrix.col(k) = column;
  }
  return matrix;
}

Delassus delassus_from_dense(const Eigen::MatrixXd& G, const std::vector<int>& sizes) {
  Delassus result;
  for (const int size : sizes) result.blocks.declare_row(size);
  const auto& row = result.blocks.row;
  if (G.rows() != row.back() || G.cols() != row.back())
    throw std::invalid_argument("delassus_from_dense: the sizes of the blocks do not add up to those of G");
  for (size_t i = 0; i < sizes.size(); ++i) {
    for (size_t j = 0; j < sizes.size(); ++j) {
      const auto block = G.block(row[i], row[j], sizes[i], sizes[j]);
      if (i != j && block.isZero(0.0)) continue;
      double* values = result.blocks.add_block(static_cast<int>(j));
      for (int r = 0; r < sizes[i]; ++r) {
        for (int c = 0; c < sizes[j]; ++c) *values++ = block(r, c);
      }
    }
    result.blocks.finish_row();
  }
  return result;
}

}  // namespace tippe
