// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace tippe::bench {

/// Seeded, the same on every machine: the distributions of the standard library are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  double normal() {  // Box and Muller
    const double size = std::sqrt(-2.0 * std::log(1.0 - uniform(0.0, 1.0)));
    return size * std::cos(2.0 * std::numbers::pi * uniform(0.0, 1.0));
  }
  Eigen::Vector3d vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tippe::bench
