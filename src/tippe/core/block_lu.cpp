// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/block_lu.h"

#include <algorithm>
#include <cmath>

namespace tippe {
namespace {

using Map = Eigen::Map<Eigen::MatrixXd>;
using ConstMap = Eigen::Map<const Eigen::MatrixXd>;
using Front = EliminationFronts::Front;

constexpr int kPanel = 32;  // columns that are eliminated before the others hear of them

/// L U = P A of the first `columns` columns of A, in place, rows exchanged among the first `candidates`.
bool factorize_panel(Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>> A, Eigen::Index columns, Eigen::Index candidates,
                     int* exchanged) {
  for (Eigen::Index k = 0; k < columns; ++k) {
    Eigen::Index pivot = k;
    A.col(k).segment(k, candidates - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    exchanged[k] = static_cast<int>(pivot);
    const double value = A(pivot, k);
    if (value == 0.0 || !std::isfinite(value)) return false;
    if (pivot != k) A.row(k).head(columns).swap(A.row(pivot).head(columns));
    A.col(k).tail(A.rows() - k - 1) /= value;
    for (Eigen::Index j = k + 1; j < columns; ++j)
      A.col(j).tail(A.rows() - k - 1) -= A(k, j) * A.col(k).tail(A.rows() - k - 1);
  }
  return true;
}

/// The pivots of a front: A = (pivot columns; border below), U = pivot rows right of them.
bool eliminate(Map& A, Map& U, int* exchanged) {
  const Eigen::Index pivots = A.cols();
  for (Eigen::Index k = 0; k < pivots; k += kPanel) {
    const Eigen::Index width = std::min<Eigen::Index>(kPanel, pivots - k), rest = pivots - k - width, below = A.rows() - k;
    if (!factorize_panel(A.block(k, k, below, width), width, pivots - k, exchanged + k)) return false;
    for (Eigen::Index j = 0; j < width; ++j) {
      const Eigen::Index a = k + j, b = k + exchanged[k + j];
      exchanged[a] = static_cast<int>(b);
      if (a == b) continue;
      A.row(a).head(k).swap(A.row(b).head(k));
      A.row(a).tail(rest).swap(A.row(b).tail(rest));
      U.row(a).swap(U.row(b));
    }
    const auto L = A.block(k, k, width, width).triangularView<Eigen::UnitLower>();
    if (rest > 0) {
      auto right = A.block(k, k + width, width, rest);
      L.solveInPlace(right);
      A.block(k + width, k + width, below - width, rest).noalias() -= A.block(k + width, k, below - width, width) * right;
    }
    if (U.cols() > 0) {
      auto right = U.middleRows(k, width);
      L.solveInPlace(right);
      U.bottomRows(rest).noalias() -= A.block(k + width, k, rest, width) * right;
    }
  }
  return true;
}

}  // namespace

void BlockLU::analyze(std::span<const int> sizes, std::vector<LowerEntry>& couplings) {
  for (LowerEntry& coupling : couplings) {
    if (coupling.row < coupling.column) std::swap(coupling.row, coupling.column);
  }
  std::sort(couplings.begin(), couplings.end(), [](const LowerEntry& x, const LowerEntry& y) {
    return x.column != y.column ? x.column < y.column : x.row < y.row;
  });
  const auto same = [](const LowerEntry& x, const LowerEntry& y) { return x.row == y.row && x.column == y.column; };
  couplings.erase(std::unique(couplings.begin(), couplings.end(), same), couplings.end());
  if (std::ranges::equal(sizes, sizes_) && std::ranges::equal(couplings, couplings_, same)) return;
  sizes_.assign(sizes.begin(), sizes.end());
  std::swap(couplings_, couplings);
  fronts_.analyze(sizes_, couplings_);
  lower_.clear();
  upper_.clear();
  size_t next = 0;
  for (const Front& front : fronts_.fronts) {
    lower_.push_back(next);
    next += static_cast<size_t>(front.pivots) * (front.pivots + front.borders);
    upper_.push_back(next);
    next += static_cast<size_t>(front.pivots) * front.borders;
  }
  upper_.push_back(next);
  size_t top = 0, highest = 0;
  std::vector<int> waiting;
  Eigen::Index widest = 0;
  for (size_t f = 0; f < fronts_.fronts.size(); ++f) {
    const Front& front = fronts_.fronts[f];
    const size_t left = static_cast<size_t>(front.borders) * front.borders;
    highest = std::max(highest, top + left);
    widest = std::max<Eigen::Index>(widest, front.borders);
    for (int child = 0; child < front.children; ++child, waiting.pop_back())
      top -= static_cast<size_t>(fronts_.fronts[waiting.back()].borders) * fronts_.fronts[waiting.back()].borders;
    top += left;
    if (left > 0) waiting.push_back(static_cast<int>(f));
  }
  stack_.resize(highest);
  exchanged_.resize(static_cast<size_t>(fronts_.rows()));
  ordered_.resize(fronts_.rows());
  border_.resize(widest);
}

void BlockLU::clear() {
  value_.assign(upper_.empty() ? 0 : upper_.back(), 0.0);
}

BlockLU::Block BlockLU::block(int row_node, int column_node) {
  const int owner = std::min(fronts_.front[row_node], fronts_.front[column_node]);  // whose pivots come first
  const Front& front = fronts_.fronts[static_cast<size_t>(owner)];
  const Eigen::Index row = fronts_.start_in(owner, row_node), column = fronts_.start_in(owner, column_node);
  if (column < front.pivots) {
    const Eigen::Index stride = front.pivots + front.borders;
    return {value_.data() + lower_[owner] + column * stride + row, stride};
  }
  return {value_.data() + upper_[owner] + (column - front.pivots) * front.pivots + row, front.pivots};
}

/// Adds what a child of front f left to f, whose own border block is the top of the stack.
void BlockLU::take_from_child(const Front& child, const double* left, size_t f) {
  const Front& front = fronts_.fronts[f];
  target_.clear();
  for (int b = child.first_border; b < child.last_border; ++b) {
    for (int k = 0; k < fronts_.size[fronts_.border[b]]; ++k) target_.push_back(fronts_.in_parent[b] + k);
  }
  const auto among_pivots = static_cast<int>(std::ranges::lower_bound(target_, front.pivots) - target_.begin());
  for (int j = 0; j < child.borders; ++j, left += child.borders) {
    if (j < among_pivots) {
      double* const column = value_.data() + lower_[f] + static_cast<size_t>(target_[j]) * (front.pivots + front.borders);
      for (int i = 0; i < child.borders; ++i) column[target_[i]] += left[i];
      continue;
    }
    const auto k = static_cast<size_t>(target_[j] - front.pivots);
    double* const column = value_.data() + upper_[f] + k * front.pivots;
    double* const own = own_left_ + k * front.borders;
    for (int i = 0; i < among_pivots; ++i) column[target_[i]] += left[i];
    for (int i = among_pivots; i < child.borders; ++i) own[target_[i] - front.pivots] += left[i];
  }
}

bool BlockLU::factorize() {
  waiting_.clear();
  size_t top = 0;
  for (size_t f = 0; f < fronts_.fronts.size(); ++f) {
    const Front& front = fronts_.fronts[f];
    const size_t size = static_cast<size_t>(front.borders) * front.borders;
    own_left_ = stack_.data() + top;
    std::fill_n(own_left_, size, 0.0);
    for (int child = 0; child < front.children; ++child, waiting_.pop_back()) {
      const Front& from = fronts_.fronts[static_cast<size_t>(waiting_.back())];
      top -= static_cast<size_t>(from.borders) * from.borders;
      take_from_child(from, stack_.data() + top, f);
    }
    Map A(value_.data() + lower_[f], front.pivots + front.borders, front.pivots);
    Map U(value_.data() + upper_[f], front.pivots, front.borders);
    if (!eliminate(A, U, exchanged_.data() + front.first_row)) return false;
    if (size == 0) continue;
    Map(own_left_, front.borders, front.borders).noalias() -= A.bottomRows(front.borders) * U;
    std::copy_n(own_left_, size, stack_.data() + top);
    top += size;
    waiting_.push_back(static_cast<int>(f));
  }
  return true;
}

void BlockLU::solve_in_place(Eigen::VectorXd& x) {
  const auto for_each_node = [&](auto&& visit) {
    for (size_t k = 0; k < fronts_.order.size(); ++k) {
      const int node = fronts_.order[k];
      visit(fronts_.fronts[static_cast<size_t>(fronts_.front[node])].first_row + fronts_.start[node], fronts_.row[node],
            fronts_.size[node]);
    }
  };
  for_each_node([&](int ordered, int given, int size) { ordered_.segment(ordered, size) = x.segment(given, size); });
  for (size_t f = 0; f < fronts_.fronts.size(); ++f) {
    const Front& front = fronts_.fronts[f];
    const ConstMap A(value_.data() + lower_[f], front.pivots + front.borders, front.pivots);
    auto y = ordered_.segment(front.first_row, front.pivots);
    for (int k = 0; k < front.pivots; ++k) std::swap(y[k], y[exchanged_[front.first_row + k]]);
    A.topRows(front.pivots).triangularView<Eigen::UnitLower>().solveInPlace(y);
    if (front.borders == 0) continue;
    border_.head(front.borders).noalias() = A.bottomRows(front.borders) * y;
    for (int b = front.first_border; b < front.last_border; ++b) {
      const int size = fronts_.size[fronts_.border[b]];
      ordered_.segment(fronts_.border_row[b], size) -= border_.segment(fronts_.border_start[b], size);
    }
  }
  for (size_t f = fronts_.fronts.size(); f-- > 0;) {
    const Front& front = fronts_.fronts[f];
    const ConstMap A(value_.data() + lower_[f], front.pivots + front.borders, front.pivots);
    auto y = ordered_.segment(front.first_row, front.pivots);
    if (front.borders > 0) {
      for (int b = front.first_border; b < front.last_border; ++b) {
        const int size = fronts_.size[fronts_.border[b]];
        border_.segment(fronts_.border_start[b], size) = ordered_.segment(fronts_.border_row[b], size);
      }
      y.noalias() -= ConstMap(value_.data() + upper_[f], front.pivots, front.borders) * border_.head(front.borders);
    }
    A.topRows(front.pivots).triangularView<Eigen::Upper>().solveInPlace(y);
  }
  for_each_node([&](int ordered, int given, int size) { x.segment(given, size) = ordered_.segment(ordered, size); });
}

}  // namespace tippe
