// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/elimination_fronts.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "tippe/core/elimination_order.h"

namespace tippe {
namespace {

/// The elimination tree, and what each column fills, by the places of an order.
struct Columns {
  std::vector<int> parent;
  std::vector<std::vector<int>> fill;  // places behind the column, ascending

  Columns(int n, std::span<const LowerEntry> couplings, const std::vector<int>& place)
      : parent(static_cast<size_t>(n), -1), fill(static_cast<size_t>(n)) {
    for (const LowerEntry& coupling : couplings) {
      const int a = place[coupling.row], b = place[coupling.column];
      fill[std::min(a, b)].push_back(std::max(a, b));
    }
    std::vector<int> seen(static_cast<size_t>(n), -1);
    std::vector<int> first_child(static_cast<size_t>(n), -1), next_child(static_cast<size_t>(n), -1);
    for (int j = 0; j < n; ++j) {
      std::vector<int>& own = fill[j];
      seen[j] = j;
      for (const int i : own) seen[i] = j;
      for (int child = first_child[j]; child >= 0; child = next_child[child]) {
        for (const int i : fill[child]) {
          if (seen[i] == j) continue;
          seen[i] = j;
          own.push_back(i);
        }
      }
      std::sort(own.begin(), own.end());
      if (own.empty()) continue;
      parent[j] = own.front();
      next_child[j] = first_child[own.front()];
      first_child[own.front()] = j;
    }
  }
};

/// Depth first, so that the descendants of a column stand right before it. Of children the one with the largest border last: it may share its parent's
/// front.
std::vector<int> postorder(const Columns& columns) {
  const int n = static_cast<int>(columns.parent.size());
  std::vector<std::vector<int>> children(static_cast<size_t>(n) + 1);
  for (int j = 0; j < n; ++j) children[columns.parent[j] < 0 ? n : columns.parent[j]].push_back(j);
  for (std::vector<int>& of : children)
    std::stable_sort(of.begin(), of.end(), [&](int a, int b) { return columns.fill[a].size() < columns.fill[b].size(); });
  std::vector<int> result, stack = {n};
  std::vector<size_t> next(static_cast<size_t>(n) + 1, 0);
  result.reserve(static_cast<size_t>(n));
  while (!stack.empty()) {
    const int j = stack.back();
    if (next[j] < children[j].size()) {
      stack.push_back(children[j][next[j]++]);
      continue;
    }
    if (j < n) result.push_back(j);
    stack.pop_back();
  }
  return result;
}

/// The same columns in another order.
void reorder(const std::vector<int>& order, Columns& columns) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  Columns result = columns;
  for (size_t k = 0; k < order.size(); ++k) {
    const int parent = columns.parent[order[k]];
    result.parent[k] = parent < 0 ? -1 : place[parent];
    result.fill[k] = std::move(columns.fill[order[k]]);
    for (int& i : result.fill[k]) i = place[i];
    std::sort(result.fill[k].begin(), result.fill[k].end());
  }
  columns = std::move(result);
}

/// Columns that are eliminated together.
struct Piece {
  int first, last, pivots;
  double zeros;    // that come in by that
  double borders;  // scalar rows
};

constexpr int kSmallFront = 32;           // pivots: fewer are merged where that costs little
constexpr double kMostZeros = 0.25;       // of a small front
constexpr double kMostZerosLarge = 0.05;  // of others

/// From left to right: a column joins the piece before it if it is its parent and few zeros come in. `size`: scalar rows of each.
std::vector<Piece> find_pieces(const Columns& columns, const std::vector<int>& size) {
  std::vector<Piece> pieces;
  for (int k = 0; k < static_cast<int>(size.size()); ++k) {
    int borders = 0;
    for (const int i : columns.fill[k]) borders += size[i];
    Piece piece{k, k + 1, size[k], 0.0, static_cast<double>(borders)};
    while (!pieces.empty() && columns.parent[pieces.back().last - 1] == piece.first) {
      const Piece& before = pieces.back();
      const double added = before.pivots * (piece.pivots + piece.borders - before.borders);
      const double zeros = before.zeros + piece.zeros + added;
      const int pivots = before.pivots + piece.pivots;
      const double most = pivots <= kSmallFront ? kMostZeros : kMostZerosLarge;
      if (zeros > most * pivots * (pivots + piece.borders)) break;
      piece = {before.first, piece.last, pivots, zeros, piece.borders};
      pieces.pop_back();
    }
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

void EliminationFronts::analyze(std::span<const int> sizes, std::span<const LowerEntry> couplings) {
  const int n = static_cast<int>(sizes.size());
  size.assign(sizes.begin(), sizes.end());
  row.assign(1, 0);
  for (const int s : size) row.push_back(row.back() + s);

  const std::vector<int> degree = elimination_order(n, couplings);
  place.resize(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) place[degree[k]] = k;
  Columns columns(n, couplings, place);
  const std::vector<int> post = postorder(columns);
  reorder(post, columns);
  order.resize(static_cast<size_t>(n));
  std::vector<int> size_of_column(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) {
    order[k] = degree[post[k]];
    place[order[k]] = k;
    size_of_column[k] = size[order[k]];
  }
  fronts.clear();
  border.clear();
  front.assign(static_cast<size_t>(n), -1);
  start.assign(static_cast<size_t>(n), 0);
  int first_row = 0;
  for (const Piece& piece : find_pieces(columns, size_of_column)) {
    add_front(piece.first, piece.last, first_row, columns.fill[piece.last - 1]);
    first_row += piece.pivots;
  }
  link_fronts();
}

/// With the nodes at the places first .. last - 1 as pivots.
void EliminationFronts::add_front(int first, int last, int first_row, const std::vector<int>& border_places) {
  Front made{first, last, static_cast<int>(border.size()), 0, 0, 0, first_row};
  for (int k = first; k < last; ++k) {
    front[order[k]] = static_cast<int>(fronts.size());
    start[order[k]] = made.pivots;
    made.pivots += size[order[k]];
  }
  for (const int k : border_places) {
    border.push_back(order[k]);
    made.borders += size[order[k]];
  }
  made.last_border = static_cast<int>(border.size());
  fronts.push_back(made);
}

/// Where each border lies, by itself, among all rows and in the parent.
void EliminationFronts::link_fronts() {
  border_start.resize(border.size());
  border_row.resize(border.size());
  in_parent.resize(border.size());
  for (Front& of : fronts) {
    int next = 0;
    for (int b = of.first_border; b < of.last_border; ++b) {
      border_start[b] = next;
      next += size[border[b]];
      border_row[b] = fronts[static_cast<size_t>(front[border[b]])].first_row + start[border[b]];
    }
    if (of.first_border == of.last_border) continue;
    of.parent = front[border[of.first_border]];
    ++fronts[static_cast<size_t>(of.parent)].children;
  }
  for (const Front& of : fronts) {
    for (int b = of.first_border; b < of.last_border; ++b) in_parent[b] = start_in(of.parent, border[b]);
  }
}

double EliminationFronts::work() const {
  double sum = 0.0;
  for (const Front& f : fronts) {
    const double p = f.pivots, b = f.borders;
    sum += p * p * p / 3.0 + p * p * b + p * b * b;
  }
  return sum;
}

double EliminationFronts::entries() const {
  double sum = 0.0;
  for (const Front& f : fronts) sum += static_cast<double>(f.pivots) * (f.pivots + 2.0 * f.borders);
  return sum;
}

int EliminationFronts::start_in(int of, int node) const {
  if (front[node] == of) return start[node];
  const Front& f = fronts[static_cast<size_t>(of)];
  const auto begin = border.begin() + f.first_border, end = border.begin() + f.last_border;
  const auto at = std::lower_bound(begin, end, node, [&](int a, int b) { return place[a] < place[b]; });
  assert(at != end && *at == node);
  return f.pivots + border_start[static_cast<size_t>(at - border.begin())];
}

}  // namespace tippe
