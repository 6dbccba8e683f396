// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/point_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/csv.h"
#include "tippe/core/error.h"
#include "tippe/sweep/sobol.h"

namespace tippe {
namespace {

constexpr std::int64_t kMostPoints = 1'000'000'000;

void require_different(const std::vector<std::string>& names) {
  for (size_t k = 0; k < names.size(); ++k) {
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]) !=
        names.begin() + static_cast<std::ptrdiff_t>(k))
      throw ArgumentError(Argument::kVary, fmt::format("'{}' varies twice", names[k]));
  }
}

}  // namespace

PointSet PointSet::named(std::vector<Axis> axes) {
  PointSet points;
  for (const Axis& axis : axes) points.names_.push_back(axis.name());
  require_different(points.names_);
  points.axes_ = std::move(axes);
  return points;
}

PointSet PointSet::grid(std::vector<Axis> axes) {
  PointSet points = named(std::move(axes));
  points.size_ = 1;
  for (const Axis& axis : points.axes_) {
    if (axis.count() == 0) {
      throw ArgumentError(
          Argument::kVary,
          fmt::format("the range of '{}' needs the number of its values, from:to:count, unless samples are taken",
                      axis.name()));
    }
    if (axis.count() > kMostPoints / points.size_)
      throw ArgumentError(Argument::kVary, fmt::format("more than {} points", kMostPoints));
    points.size_ *= axis.count();
    points.shape_.push_back(axis.count());
  }
  return points;
}

PointSet PointSet::samples(std::vector<Axis> axes, std::int64_t count, Sampling sampling, std::uint64_t seed) {
  if (count < 1 || count > kMostPoints)
    throw ArgumentError(Argument::kSample, fmt::format("{} points: it is a whole number from 1 to {}", count, kMostPoints));
  if (axes.empty()) throw ArgumentError(Argument::kSample, "there is no range to take samples in");
  if (sampling == Sampling::kSobol && axes.size() > kSobolDimensions) {
    throw ArgumentError(Argument::kSample, fmt::format("Sobol's points have at most {} coordinates here, not {}",
                                                       kSobolDimensions, axes.size()));
  }
  PointSet points = named(std::move(axes));
  points.size_ = count;
  points.sampling_ = sampling;
  points.seed_ = seed;
  return points;
}

PointSet PointSet::table(const std::string& text, const std::string& file) {
  CsvTable table = read_csv(text, file);
  PointSet points;
  for (size_t k = 0; k < table.names.size(); ++k) {
    if (std::find(points.names_.begin(), points.names_.end(), table.names[k]) != points.names_.end())
      throw InputError(table.places[k], fmt::format("'{}' varies twice", table.names[k]));
    points.names_.push_back(table.names[k]);
  }
  points.places_ = std::move(table.places);
  points.rows_ = std::move(table.values);
  points.size_ = static_cast<std::int64_t>(table.lines.size());
  if (points.size_ == 0) throw InputError({file, 0, 0}, "no points: the first line has names, each other one a point");
  return points;
}

PointSet PointSet::followed(Follow follow) const {
  PointSet points = *this;
  if (follow == Follow::kNone) return points;
  if (shape_.empty()) throw InputError({}, "points are followed along the last of the ranges of a grid, and these are none");
  points.follow_ = follow;
  points.line_ = shape_.back() * (follow == Follow::kBoth ? 2 : 1);
  points.size_ = size_ / shape_.back() * points.line_;
  return points;
}

bool PointSet::down(std::int64_t k) const {
  return follow_ == Follow::kDown || (follow_ == Follow::kBoth && k % line_ >= shape_.back());
}

void PointSet::get(std::int64_t k, std::span<double> values) const {
  if (follow_ != Follow::kNone) {
    const std::int64_t count = shape_.back(), place = k % line_ % count;
    k = k / line_ * count + (down(k) ? count - 1 - place : place);
  }
  if (!rows_.empty()) {
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(k) * static_cast<std::ptrdiff_t>(names_.size()), names_.size(),
                values.begin());
    return;
  }
  const size_t count = axes_.size();
  if (!sampling_) {
    for (size_t a = count; a-- > 0;) {
      values[a] = axes_[a].value(k % shape_[a]);
      k /= shape_[a];
    }
    return;
  }
  for (size_t a = 0; a < count; ++a) {
    if (*sampling_ == Sampling::kRandom) {
      values[a] = axes_[a].at(share_of(random_bits(seed_, static_cast<std::uint64_t>(k) * count + a)));
      continue;
    }
    std::uint32_t bits = sobol_bits(static_cast<std::uint64_t>(k), static_cast<int>(a));
    if (seed_ != 0) bits ^= static_cast<std::uint32_t>(random_bits(seed_, a) >> 32);
    values[a] = axes_[a].at(static_cast<double>(bits) * 0x1p-32);
  }
}

}  // namespace tippe
