// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace tippe::bench {

/// Spheres of many sizes above a box that is open at the top, columns x columns a layer: what every engine pours.
struct Heap {
  double friction = 0.3, density = 1000.0, gravity = 9.81;  // 1, kg/m3, m/s2
  double mean_radius = 0.02;                                // m
  double half_width = 0.0;                                  // m  of the box, which stands at z = 0 around the axis
  std::vector<Eigen::Vector3d> places;                      // m
  std::vector<double> radii;                                // m

  Heap(int layers, int columns);
  [[nodiscard]] double mass(size_t sphere) const;
};

/// Overlaps of spheres with each other and with the box, of those that touch.
struct Overlaps {
  double worst = 0.0, mean = 0.0;  // m
  int contacts = 0;
};
[[nodiscard]] Overlaps overlaps(const Heap& heap, const std::vector<Eigen::Vector3d>& places);

/// An engine with a heap in it.
class HeapEngine {
 public:
  virtual ~HeapEngine() = default;
  virtual void step() = 0;
  [[nodiscard]] virtual std::vector<Eigen::Vector3d> places() const = 0;
  [[nodiscard]] virtual double fastest() const = 0;            // m/s  of all centres
  [[nodiscard]] virtual std::string achieved() { return {}; }  // what it says of its last steps
};

}  // namespace tippe::bench
