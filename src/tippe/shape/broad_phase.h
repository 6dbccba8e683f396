// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tippe/shape/placed_shape.h"

namespace tippe {

/// Which shapes may be near each other: a list of pairs that stays good until something has moved by its skin. Shapes are sorted into grids
/// by size, a factor of two apart, so that any mixture of sizes costs in proportion to the number of shapes and pairs.
class BroadPhase {
 public:
  struct Pair {
    int a = 0, b = 0;  // places of shapes, a < b
  };
  using MayTouch = std::function<bool(int shape_a, int shape_b)>;

  /// All pairs whose gap may be `reach` or less, sorted, and some more. `may_touch` is asked when the list is made.
  const std::vector<Pair>& find(std::span<const PlacedShape> shapes, double reach, const MayTouch& may_touch);

  [[nodiscard]] long rebuilds() const { return rebuilds_; }
  [[nodiscard]] long pairs() const { return static_cast<long>(pairs_.size()); }

 private:
  struct Bounds {
    Eigen::Vector3d low, high;
  };
  struct Cell {
    int level = 0, x = 0, y = 0, z = 0;
    int shape = 0;
    [[nodiscard]] bool same_place(const Cell& other) const {
      return level == other.level && x == other.x && y == other.y && z == other.z;
    }
  };

  [[nodiscard]] bool still_good(std::span<const PlacedShape> shapes, double reach) const;
  void rebuild(std::span<const PlacedShape> shapes, double reach, const MayTouch& may_touch);
  void choose_unit();
  [[nodiscard]] double length_of(int level) const;
  void sort_into_cells();
  void sort_pairs(size_t shapes);
  void add_near(const Cell& own, const MayTouch& may_touch);
  void add_if_near(int one, int other, const MayTouch& may_touch);
  [[nodiscard]] int first_in(const Cell& cell) const;

  static Bounds bounds_of(const PlacedShape& shape);
  [[nodiscard]] static std::uint64_t hash(const Cell& cell);

  std::vector<Bounds> bounds_;  // with half the reach and the skin
  std::vector<Cell> cells_;     // of all bounded shapes, in the order of their places
  std::vector<int> level_of_, planes_;
  std::vector<int> levels_;  // that occur, ascending
  std::vector<int> table_;   // open addressing: the first cell of a place
  std::vector<Pair> pairs_, sorted_;
  std::vector<double> extents_;
  std::vector<size_t> first_of_;
  double unit_ = 1.0;  // of lengths of cells
  double reach_ = -1.0;
  long rebuilds_ = 0;
};

}  // namespace tippe
