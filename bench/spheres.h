// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe::bench {

/// Spheres in an open box [0, width]^2 x [0, inf).
struct Spheres {
  double width = 0.0;                     // m
  std::vector<Eigen::Vector3d> position;  // m
  std::vector<double> radius;             // m

  [[nodiscard]] int count() const { return static_cast<int>(radius.size()); }
};

/// A pair of neighbours, first < second, or a sphere at a wall: first = -1 floor, -2 .. -5 walls.
struct Neighbours {
  int first;
  int second;
};

/// Pairs and walls nearer than `reach`, sorted by the lower sphere, then the other.
[[nodiscard]] std::vector<Neighbours> find_neighbours(const Spheres& spheres, double reach);

/// Unit normal from the first (or the wall) to the second, and the gap between them, negative if they overlap.
struct Gap {
  double gap;
  Eigen::Vector3d normal;
};
[[nodiscard]] Gap gap_between(const Spheres& spheres, const Neighbours& pair);

/// Numbers the spheres by layers upwards, within a layer by rows.
void sort_in_space(Spheres& spheres);

/// Lets the spheres sink and pushes overlaps apart until they are jammed. Afterwards overlaps and the gaps of contacts that carry
/// load are well below a hundredth of a radius.
void settle(Spheres& spheres);

}  // namespace tippe::bench
