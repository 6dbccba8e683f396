// SPDX-License-Identifier: Apache-2.0
#include "heap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>

namespace tippe::bench {

Heap::Heap(int layers, int columns) {
  const double distance = 2.7 * mean_radius;
  half_width = (0.5 * columns + 0.25) * distance;
  const double middle = 0.5 * (columns - 1);
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < columns; ++i) {
        places.emplace_back(distance * (i - middle) + 0.1 * mean_radius * std::sin(13 * j + 29 * k),
                            distance * (j - middle) + 0.1 * mean_radius * std::sin(17 * i + 31 * k),
                            1.5 * mean_radius + distance * k);
        radii.push_back(mean_radius * (1.0 + 0.25 * std::sin(78 * k + 37 * j + 101 * i)));
      }
    }
  }
}

double Heap::mass(size_t sphere) const {
  return density * 4.0 / 3.0 * std::numbers::pi * std::pow(radii[sphere], 3);
}

Overlaps overlaps(const Heap& heap, const std::vector<Eigen::Vector3d>& places) {
  const double cell = 2.0 * *std::max_element(heap.radii.begin(), heap.radii.end());
  const auto key = [](int x, int y, int z) { return (static_cast<std::int64_t>(x) * 1'000'003 + y) * 1'000'003 + z; };
  const auto index = [&](double x) { return static_cast<int>(std::floor(x / cell)); };
  std::unordered_map<std::int64_t, std::vector<size_t>> cells;
  Overlaps result;
  double sum = 0.0;
  const auto add = [&](double overlap) {
    if (!(overlap > 0.0)) return;
    result.worst = std::max(result.worst, overlap);
    sum += overlap;
    ++result.contacts;
  };
  for (size_t a = 0; a < places.size(); ++a) {
    const Eigen::Vector3d& at = places[a];
    const int x = index(at.x()), y = index(at.y()), z = index(at.z());
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dz = -1; dz <= 1; ++dz) {
          const auto found = cells.find(key(x + dx, y + dy, z + dz));
          if (found == cells.end()) continue;
          for (const size_t b : found->second) add(heap.radii[a] + heap.radii[b] - (places[b] - at).norm());
        }
      }
    }
    cells[key(x, y, z)].push_back(a);
    add(heap.radii[a] - at.z());
    add(heap.radii[a] - (heap.half_width - std::abs(at.x())));
    add(heap.radii[a] - (heap.half_width - std::abs(at.y())));
  }
  result.mean = result.contacts > 0 ? sum / result.contacts : 0.0;
  return result;
}

}  // namespace tippe::bench
