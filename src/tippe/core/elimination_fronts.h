// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/core/sparse_ldlt.h"

namespace tippe {

/// How a matrix of blocks with a symmetric pattern is eliminated: in which order, and in which dense pieces. A *node* is a row of blocks, of
/// `size` scalar rows. Nodes with nearly the same neighbours are eliminated together, as the pivots of a front, whose border are the nodes
/// that this fills in. Children come before their parents, so that what fronts leave to others is a stack.
struct EliminationFronts {
  struct Front {
    int first_pivot, last_pivot;    // places of its nodes in `order`, last one excluded
    int first_border, last_border;  // in `border`
    int pivots, borders;            // scalar rows
    int first_row;                  // of the pivots, where all stand in their order
    int parent = -1;                // -1: none
    int children = 0;               // those that leave something
  };
  std::vector<Front> fronts;
  std::vector<int> order;         // places -> nodes
  std::vector<int> place;         // nodes -> places
  std::vector<int> front;         // of each node
  std::vector<int> size;          // of each node
  std::vector<int> row;           // first scalar row of each node, and the total
  std::vector<int> start;         // of each node among the pivots of its front
  std::vector<int> border;        // nodes, by their places
  std::vector<int> border_start;  // where each of them begins among the scalar rows of the border
  std::vector<int> border_row;    // the same where all pivots stand in their order
  std::vector<int> in_parent;     // the same among those of the parent, pivots first

  /// `couplings`: pairs of nodes that share a block, row > column, each once, ascending by column and row.
  void analyze(std::span<const int> sizes, std::span<const LowerEntry> couplings);

  [[nodiscard]] int rows() const { return row.empty() ? 0 : row.back(); }
  /// Multiply-adds of a factorization without symmetry, and the numbers that it leaves.
  [[nodiscard]] double work() const;
  [[nodiscard]] double entries() const;
  /// Where a node begins among the scalar rows of a front, pivots first; it is one of its pivots or of its border.
  [[nodiscard]] int start_in(int of, int node) const;

 private:
  void add_front(int first, int last, int first_row, const std::vector<int>& border_places);
  void link_fronts();
};

}  // namespace tippe
