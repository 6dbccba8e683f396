// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "tippe/shape/placed_shape.h"

namespace tippe {

/// v without its part along a unit vector.
[[nodiscard]] inline Eigen::Vector3d across(const Eigen::Vector3d& v, const Eigen::Vector3d& axis) {
  return v - axis.dot(v) * axis;
}

/// A circle round which places are counted by angles.
struct Rim {
  Eigen::Vector3d center, axis, x, y;  // the axis outwards
  double radius = 0.0;
  int end = 0;

  [[nodiscard]] Eigen::Vector3d at(double angle) const {
    return center + radius * (std::cos(angle) * x + std::sin(angle) * y);
  }
  [[nodiscard]] Eigen::Vector3d tangent(double angle) const { return std::cos(angle) * y - std::sin(angle) * x; }
  /// Whether a solid inside the rim has it as its support along this normal.
  [[nodiscard]] bool supports(const Eigen::Vector3d& place, const Eigen::Vector3d& normal) const {
    return normal.dot(axis) >= 0.0 && normal.dot(place - center) >= 0.0;
  }
  [[nodiscard]] Eigen::Vector3d nearest(const Eigen::Vector3d& place) const {
    const Eigen::Vector3d out = across(place - center, axis);
    const double length = out.norm();
    return center + radius * (length > 0.0 ? Eigen::Vector3d(out / length) : x);
  }
};
[[nodiscard]] inline Rim rim_of(const PlacedShape& cylinder, int end) {
  const Eigen::Vector3d axis = end == 0 ? Eigen::Vector3d(-cylinder.axis()) : cylinder.axis();
  return {cylinder.center + cylinder.half_length() * axis,
          axis,
          cylinder.axes.col(0),
          cylinder.axes.col(1),
          cylinder.radius(),
          end};
}

/// What a place on a rim is beside an endless line, as trigonometric polynomials of its angle: across the line, p = p0 + r (c x + s y).
class BesideLine {
 public:
  BesideLine(const Rim& rim, const Eigen::Vector3d& point, const Eigen::Vector3d& direction) {
    const Eigen::Vector3d offset = across(rim.center - point, direction), x = across(rim.x, direction),
                          y = across(rim.y, direction);
    const double r = rim.radius;
    cosine_ = offset.dot(y), sine_ = -offset.dot(x);
    square_ = r * x.dot(y), product_ = r * (y.squaredNorm() - x.squaredNorm());
    length_0_ = offset.squaredNorm(), length_c_ = 2.0 * r * offset.dot(x), length_s_ = 2.0 * r * offset.dot(y);
    length_cc_ = r * r * x.squaredNorm(), length_ss_ = r * r * y.squaredNorm(), length_cs_ = 2.0 * r * r * x.dot(y);
  }
  /// p . tangent
  [[nodiscard]] double slope(double c, double s) const {
    return c * cosine_ + s * sine_ + (c * c - s * s) * square_ + c * s * product_;
  }
  /// |p|
  [[nodiscard]] double length(double c, double s) const {
    return std::sqrt(
        std::max(0.0, length_0_ + c * (length_c_ + c * length_cc_ + s * length_cs_) + s * (length_s_ + s * length_ss_)));
  }

 private:
  double cosine_, sine_, square_, product_;
  double length_0_, length_c_, length_s_, length_cc_, length_ss_, length_cs_;
};

/// Roots are looked for in so many steps round a rim.
inline constexpr int kRimSteps = 24;
inline constexpr double kRimStep = 2.0 * EIGEN_PI / kRimSteps;

/// Calls `use` with each angle at which a function of its cosine and sine changes its sign, unless `is_near` says of the beginning of the
/// step that nothing in it matters.
template <class Function, class Near, class Use>
void for_roots(const Function& function, const Near& is_near, const Use& use) {
  static const auto circle = [] {
    std::array<std::array<double, 2>, kRimSteps + 1> places{};
    for (int k = 0; k <= kRimSteps; ++k)
      places[static_cast<size_t>(k)] = {std::cos(k % kRimSteps * kRimStep), std::sin(k % kRimSteps * kRimStep)};
    return places;
  }();
  double before = function(circle[0][0], circle[0][1]);
  for (int k = 1; k <= kRimSteps; ++k) {
    const double value = function(circle[static_cast<size_t>(k)][0], circle[static_cast<size_t>(k)][1]);
    if ((before < 0.0) != (value < 0.0) &&
        is_near(circle[static_cast<size_t>(k - 1)][0], circle[static_cast<size_t>(k - 1)][1])) {
      // By the rule of Illinois, which keeps the root between its ends.
      double low = (k - 1) * kRimStep, high = k * kRimStep, low_value = before, high_value = value;
      for (int step = 0; step < 60 && high - low > 1e-15; ++step) {
        const double next = (low * high_value - high * low_value) / (high_value - low_value);
        if (!(next > low && next < high)) break;
        const double there = function(std::cos(next), std::sin(next));
        if (there == 0.0) {
          low = high = next;
          break;
        }
        if ((there < 0.0) == (low_value < 0.0)) {
          low = next, low_value = there, high_value *= 0.5;
        } else {
          high = next, high_value = there, low_value *= 0.5;
        }
      }
      use(std::abs(low_value) < std::abs(high_value) ? low : high);
    }
    before = value;
  }
}

}  // namespace tippe
