// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace tippe {

/// Memory for contacts of polyhedra, so that finding them again allocates nothing.
struct PolyhedronScratch {
  struct Corner {
    Eigen::Vector3d at;
    std::uint32_t own = 0;    // the vertex it is, or kCutHere
    std::uint32_t other = 0;  // of a cut: the feature of the face it was cut with
  };
  static constexpr std::uint32_t kCutHere = ~0u;

  std::vector<Corner> outline, cut_outline;
  std::vector<double> heights;
  std::vector<int> edges_a, edges_b;
};

}  // namespace tippe
