// SPDX-License-Identifier: Apache-2.0
#include "tippe/shape/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tippe {
namespace {

using Eigen::Vector3d;
using Kind = CompiledShape::Kind;

/// Of the ball round a shape: how far it may move until the list is made anew. Larger ones make longer lists, smaller ones more of them.
constexpr double kSkin = 0.1;

/// The place of a coordinate in cells of this length; what is further away than integers reach is in the last cell.
int cell_of(double coordinate, double length) {
  const double cell = std::floor(coordinate / length);
  constexpr double kLast = 1 << 30;
  if (!(cell > -kLast)) return -(1 << 30);
  return cell < kLast ? static_cast<int>(cell) : 1 << 30;
}

}  // namespace

BroadPhase::Bounds BroadPhase::bounds_of(const PlacedShape& placed) {
  const CompiledShape& shape = *placed.shape;
  Vector3d half;
  switch (shape.kind) {
    case Kind::kSphere:
      half = shape.half;
      break;
    case Kind::kCapsule:
      half = (shape.half_length * placed.axis()).cwiseAbs().array() + shape.radius;
      break;
    case Kind::kCylinder:
      for (int k = 0; k < 3; ++k) {
        const double along = placed.axis()[k];
        half[k] = shape.half_length * std::abs(along) + shape.radius * std::sqrt(std::max(0.0, 1.0 - along * along));
      }
      break;
    default:
      half = placed.axes.cwiseAbs() * shape.half;
  }
  return {placed.center - half, placed.center + half};
}

const std::vector<BroadPhase::Pair>& BroadPhase::find(std::span<const PlacedShape> shapes, double reach,
                                                      const MayTouch& may_touch) {
  if (!still_good(shapes, reach)) rebuild(shapes, reach, may_touch);
  return pairs_;
}

bool BroadPhase::still_good(std::span<const PlacedShape> shapes, double reach) const {
  if (bounds_.size() != shapes.size() || !(reach <= reach_)) return false;
  for (size_t k = 0; k < shapes.size(); ++k) {
    const Bounds& allowed = bounds_[k];
    if (shapes[k].shape->kind == Kind::kPlane) {  // the bounds of a plane are where it was
      if (shapes[k].center != allowed.low || shapes[k].axis() != allowed.high) return false;
      continue;
    }
    const Bounds bounds = bounds_of(shapes[k]);
    if (!((bounds.low.array() - 0.5 * reach >= allowed.low.array()).all() &&
          (bounds.high.array() + 0.5 * reach <= allowed.high.array()).all()))
      return false;
  }
  return true;
}

void BroadPhase::rebuild(std::span<const PlacedShape> shapes, double reach, const MayTouch& may_touch) {
  ++rebuilds_;
  // A little more than what was asked for, so that a reach that follows the speed does not make the list anew in every step.
  reach_ = 1.25 * reach;
  const int count = static_cast<int>(shapes.size());
  bounds_.resize(shapes.size());
  planes_.clear();
  cells_.clear();
  extents_.clear();
  pairs_.clear();
  level_of_.assign(shapes.size(), 0);
  for (int k = 0; k < count; ++k) {
    if (shapes[k].shape->kind == Kind::kPlane) {
      planes_.push_back(k);
      bounds_[k] = {shapes[k].center, shapes[k].axis()};
      continue;
    }
    bounds_[k] = bounds_of(shapes[k]);
    const double grown = 0.5 * reach_ + kSkin * shapes[k].shape->bound;
    bounds_[k].low.array() -= grown;
    bounds_[k].high.array() += grown;
    extents_.push_back((bounds_[k].high - bounds_[k].low).maxCoeff());
  }
  choose_unit();
  for (int k = 0; k < count; ++k) {
    if (shapes[k].shape->kind == Kind::kPlane) continue;
    const double extent = (bounds_[k].high - bounds_[k].low).maxCoeff() / unit_;
    const int level = std::isfinite(extent) && extent > 0.0 ? std::ilogb(extent) + 1 : 0;  // extent < 2^level
    const double length = length_of(level);
    const Vector3d middle = 0.5 * (bounds_[k].low + bounds_[k].high);
    level_of_[k] = level;
    cells_.push_back({level, cell_of(middle[0], length), cell_of(middle[1], length), cell_of(middle[2], length), k});
  }
  sort_into_cells();
  for (const Cell& cell : cells_) add_near(cell, may_touch);
  for (const int plane : planes_) {
    for (int k = 0; k < count; ++k) {
      const CompiledShape& shape = *shapes[k].shape;
      if (shape.kind == Kind::kPlane) continue;
      const Vector3d normal = shapes[plane].axis();
      const Vector3d middle = 0.5 * (bounds_[k].low + bounds_[k].high), half = 0.5 * (bounds_[k].high - bounds_[k].low);
      const double lowest = normal.dot(middle - shapes[plane].center) - normal.cwiseAbs().dot(half);
      if (lowest > 0.5 * reach_) continue;
      const auto [a, b] = std::minmax(plane, k);
      if (may_touch(a, b)) pairs_.push_back({a, b});
    }
  }
  sort_pairs(shapes.size());
}

/// So that most cells are little larger than what is in them, if most shapes are about as large.
void BroadPhase::choose_unit() {
  unit_ = 1.0;
  if (extents_.empty()) return;
  const auto middle = extents_.begin() + static_cast<std::ptrdiff_t>(extents_.size() / 2);
  std::nth_element(extents_.begin(), middle, extents_.end());
  constexpr double kRoom = 1.2;
  if (std::isfinite(*middle) && *middle > 0.0) unit_ = kRoom * *middle;
}

double BroadPhase::length_of(int level) const {
  return std::ldexp(unit_, level);
}

/// By the first shape, then in each of the short lists by the second.
void BroadPhase::sort_pairs(size_t shapes) {
  first_of_.assign(shapes + 1, 0);
  for (const Pair& pair : pairs_) ++first_of_[pair.a + 1];
  for (size_t k = 0; k < shapes; ++k) first_of_[k + 1] += first_of_[k];
  sorted_.resize(pairs_.size());
  for (const Pair& pair : pairs_) sorted_[first_of_[pair.a]++] = pair;
  size_t begin = 0;
  for (size_t k = 0; k < shapes; ++k) {
    const size_t end = first_of_[k];
    std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(begin), sorted_.begin() + static_cast<std::ptrdiff_t>(end),
              [](const Pair& one, const Pair& other) { return one.b < other.b; });
    begin = end;
  }
  std::swap(pairs_, sorted_);
}

std::uint64_t BroadPhase::hash(const Cell& cell) {
  std::uint64_t h = static_cast<std::uint32_t>(cell.x) * 0x9e3779b97f4a7c15ULL;
  h ^= static_cast<std::uint32_t>(cell.y) * 0xc2b2ae3d27d4eb4fULL;
  h ^= static_cast<std::uint32_t>(cell.z) * 0x165667b19e3779f9ULL;
  h ^= static_cast<std::uint32_t>(cell.level) * 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 29);
}

void BroadPhase::sort_into_cells() {
  std::sort(cells_.begin(), cells_.end(), [](const Cell& one, const Cell& other) {
    return std::tie(one.level, one.z, one.y, one.x, one.shape) <
           std::tie(other.level, other.z, other.y, other.x, other.shape);
  });
  size_t size = 16;
  while (size < 2 * cells_.size()) size *= 2;
  table_.assign(size, -1);
  levels_.clear();
  for (size_t k = 0; k < cells_.size(); ++k) {
    if (k > 0 && cells_[k].same_place(cells_[k - 1])) continue;
    if (levels_.empty() || levels_.back() != cells_[k].level) levels_.push_back(cells_[k].level);
    size_t place = hash(cells_[k]) & (size - 1);
    while (table_[place] >= 0) place = (place + 1) & (size - 1);
    table_[place] = static_cast<int>(k);
  }
}

int BroadPhase::first_in(const Cell& cell) const {
  const size_t mask = table_.size() - 1;
  for (size_t place = hash(cell) & mask; table_[place] >= 0; place = (place + 1) & mask) {
    if (cells_[static_cast<size_t>(table_[place])].same_place(cell)) return table_[place];
  }
  return -1;
}

/// All pairs of a shape with larger ones, and with those of its own size in its cell and in later cells.
void BroadPhase::add_near(const Cell& own, const MayTouch& may_touch) {
  const Bounds& bounds = bounds_[own.shape];
  for (const int level : levels_) {
    if (level < own.level) continue;
    const double length = length_of(level);
    int low[3], high[3];
    for (int k = 0; k < 3; ++k) {  // the middle of another is at most half a cell outside of these bounds
      low[k] = cell_of(bounds.low[k] - 0.5 * length, length);
      high[k] = cell_of(bounds.high[k] + 0.5 * length, length);
    }
    const bool same = level == own.level;
    if (same) low[2] = own.z;
    Cell cell;
    cell.level = level;
    for (cell.z = low[2]; cell.z <= high[2]; ++cell.z) {
      for (cell.y = same && cell.z == own.z ? own.y : low[1]; cell.y <= high[1]; ++cell.y) {
        for (cell.x = same && cell.z == own.z && cell.y == own.y ? own.x : low[0]; cell.x <= high[0]; ++cell.x) {
          const int first = first_in(cell);
          if (first < 0) continue;
          const bool same_cell = same && cell.same_place(own);
          for (size_t k = static_cast<size_t>(first); k < cells_.size() && cells_[k].same_place(cell); ++k) {
            if (!same_cell || cells_[k].shape > own.shape) add_if_near(own.shape, cells_[k].shape, may_touch);
          }
        }
      }
    }
  }
}

void BroadPhase::add_if_near(int one, int other, const MayTouch& may_touch) {
  const Bounds &first = bounds_[one], &second = bounds_[other];
  if (!((first.low.array() <= second.high.array()).all() && (second.low.array() <= first.high.array()).all())) return;
  const auto [a, b] = std::minmax(one, other);
  if (may_touch(a, b)) pairs_.push_back({a, b});
}

}  // namespace tippe
