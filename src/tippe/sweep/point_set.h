// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/core/error.h"
#include "tippe/sweep/axis.h"

namespace tippe {

/// How samples are taken in the ranges.
enum class Sampling { kRandom, kSobol };

/// In which order a sweep goes along its last axis, each point starting where the one before it ended; kNone: each from the scene's own start.
enum class Follow { kNone, kUp, kDown, kBoth };

/// The points of a sweep, numbered from 0: what varies, and its values at each. Points are made when asked for, so that a million cost nothing.
class PointSet {
 public:
  /// All combinations; the last axis runs first. Throws ArgumentError.
  static PointSet grid(std::vector<Axis> axes);
  /// So many points in the ranges. Sobol's points are shifted by the seed, unless that is 0.
  static PointSet samples(std::vector<Axis> axes, std::int64_t count, Sampling sampling, std::uint64_t seed);
  /// The same points along the last axis of a grid: up, down, or up and then down again. Throws InputError if it is none.
  [[nodiscard]] PointSet followed(Follow follow) const;
  /// One for each line of a text: the names, with commas between, then their values. `file` is its name in messages.
  static PointSet table(const std::string& text, const std::string& file);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Where each name stands in the text of a table. Empty for others.
  [[nodiscard]] const std::vector<SourcePosition>& places() const { return places_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// The values of point k, one for each name.
  void get(std::int64_t k, std::span<double> values) const;
  /// Of a grid: how many values each axis has, first to last. Empty for samples and tables.
  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return shape_; }
  /// How many points, one after another, are computed by one thread: 1, or a whole line that is followed.
  [[nodiscard]] std::int64_t line() const { return line_; }
  /// Whether point k is on the way down.
  [[nodiscard]] bool down(std::int64_t k) const;

 private:
  static PointSet named(std::vector<Axis> axes);

  std::vector<std::string> names_;
  std::vector<SourcePosition> places_;
  std::int64_t size_ = 0;
  std::vector<Axis> axes_;
  std::vector<std::int64_t> shape_;
  std::optional<Sampling> sampling_;
  Follow follow_ = Follow::kNone;
  std::int64_t line_ = 1;
  std::uint64_t seed_ = 0;
  std::vector<double> rows_;  // of a table
};

}  // namespace tippe
