// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "tippe/model/system.h"

namespace tippe {

/// ways := of each velocity what its coordinates may have moved so far, in units of its integral: the largest of those that it moves, but not less than the
/// kinetically largest of all, a coordinate times the root of its mass. What is close to zero beside the others is as uncertain as they are; units do not
/// matter. `mass`: the diagonal of M.
inline void find_coordinate_ways(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& mass,
                                 Eigen::VectorXd& ways) {
  ways.resize(mass.size());
  double largest = 0.0;
  for (Eigen::Index j = 0; j < mass.size(); ++j) {
    ways[j] = system.reach(q, static_cast<int>(j));
    largest = std::max(largest, std::sqrt(std::max(mass[j], 0.0)) * ways[j]);
  }
  for (Eigen::Index j = 0; j < mass.size(); ++j) {
    if (mass[j] > 0.0) ways[j] = std::max(ways[j], largest / std::sqrt(mass[j]));
  }
}

}  // namespace tippe
