// SPDX-License-Identifier: Apache-2.0
#include "spheres.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tippe::bench {
namespace {

constexpr int kWalls = 5;  // floor, then x = 0, x = width, y = 0, y = width

Gap wall_gap(const Spheres& spheres, int wall, int sphere) {
  static const std::array<Eigen::Vector3d, kWalls> kNormal = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                                              -Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(),
                                                              -Eigen::Vector3d::UnitY()};
  const bool far = wall == 2 || wall == 4;
  const double distance = (far ? spheres.width : 0.0) + kNormal[wall].dot(spheres.position[sphere]);
  return {distance - spheres.radius[sphere], kNormal[wall]};
}

double largest_radius(const Spheres& spheres) {
  return *std::max_element(spheres.radius.begin(), spheres.radius.end());
}

double mean_radius(const Spheres& spheres) {
  return std::accumulate(spheres.radius.begin(), spheres.radius.end(), 0.0) / spheres.count();
}

/// The spheres of each cell of a regular grid over the box.
class Grid {
 public:
  Grid(const Spheres& spheres, double cell) : cell_(cell) {
    double top = 0.0;
    for (const Eigen::Vector3d& x : spheres.position) top = std::max(top, x.z());
    side_ = std::max(1, static_cast<int>(spheres.width / cell));
    layers_ = static_cast<int>(top / cell) + 1;
    start_.assign(static_cast<size_t>(side_) * side_ * layers_ + 1, 0);
    for (const Eigen::Vector3d& x : spheres.position) ++start_[index(place(x)) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    member_.resize(spheres.position.size());
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (int i = 0; i < spheres.count(); ++i) member_[next[index(place(spheres.position[i]))]++] = i;
  }

  template <class Visit>
  void for_each_near(const Eigen::Vector3d& x, Visit&& visit) const {
    const auto [cx, cy, cz] = place(x);
    for (int z = std::max(0, cz - 1); z <= std::min(layers_ - 1, cz + 1); ++z) {
      for (int y = std::max(0, cy - 1); y <= std::min(side_ - 1, cy + 1); ++y) {
        const size_t first = index({std::max(0, cx - 1), y, z}), last = index({std::min(side_ - 1, cx + 1), y, z});
        for (int m = start_[first]; m < start_[last + 1]; ++m) visit(member_[m]);
      }
    }
  }

 private:
  using Place = std::array<int, 3>;
  [[nodiscard]] Place place(const Eigen::Vector3d& x) const {
    const auto along = [&](double coordinate, int cells) {
      return std::clamp(static_cast<int>(coordinate / cell_), 0, cells - 1);
    };
    return {along(x.x(), side_), along(x.y(), side_), along(x.z(), layers_)};
  }
  [[nodiscard]] size_t index(const Place& at) const { return (static_cast<size_t>(at[2]) * side_ + at[1]) * side_ + at[0]; }

  double cell_;
  int side_ = 1, layers_ = 1;
  std::vector<int> start_, member_;
};

/// One pass over all pairs, from the floor upwards: overlapping ones are moved apart, the upper one by the share
/// 1/2 + lift n_z / 2, so that the load of the layers above does not have to travel down sphere by sphere.
void push_apart(Spheres& spheres, const std::vector<Neighbours>& pairs, double lift) {
  for (const Neighbours& pair : pairs) {
    const auto [gap, normal] = gap_between(spheres, pair);
    if (gap >= 0.0) continue;
    const double share = pair.first < 0 ? 1.0 : 0.5 + 0.5 * lift * normal.z();
    spheres.position[pair.second] -= share * gap * normal;
    if (pair.first >= 0) spheres.position[pair.first] += (1.0 - share) * gap * normal;
  }
}

}  // namespace

Gap gap_between(const Spheres& spheres, const Neighbours& pair) {
  if (pair.first < 0) return wall_gap(spheres, -1 - pair.first, pair.second);
  const Eigen::Vector3d between = spheres.position[pair.second] - spheres.position[pair.first];
  const double distance = between.norm();
  return {distance - spheres.radius[pair.first] - spheres.radius[pair.second],
          distance > 0.0 ? Eigen::Vector3d(between / distance) : Eigen::Vector3d::UnitZ()};
}

std::vector<Neighbours> find_neighbours(const Spheres& spheres, double reach) {
  const Grid grid(spheres, 2.0 * largest_radius(spheres) + reach);
  std::vector<Neighbours> found;
  std::vector<int> others;
  for (int i = 0; i < spheres.count(); ++i) {
    for (int wall = 0; wall < kWalls; ++wall) {
      if (wall_gap(spheres, wall, i).gap < reach) found.push_back({-1 - wall, i});
    }
    others.clear();
    grid.for_each_near(spheres.position[i], [&](int j) {
      const double limit = spheres.radius[i] + spheres.radius[j] + reach;
      if (j > i && (spheres.position[j] - spheres.position[i]).squaredNorm() < limit * limit) others.push_back(j);
    });
    std::sort(others.begin(), others.end());
    for (const int j : others) found.push_back({i, j});
  }
  return found;
}

void sort_in_space(Spheres& spheres) {
  const double size = 2.0 * mean_radius(spheres);
  const auto key = [&](int i) {
    const Eigen::Vector3d& x = spheres.position[i];
    return std::tuple(std::floor(x.z() / size), std::floor(x.y() / size), x.x(), i);
  };
  std::vector<int> order(static_cast<size_t>(spheres.count()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  const Spheres old = spheres;
  for (size_t k = 0; k < order.size(); ++k) {
    spheres.position[k] = old.position[order[k]];
    spheres.radius[k] = old.radius[order[k]];
  }
}

void settle(Spheres& spheres) {
  constexpr int kSteps = 200, kPasses = 2, kFinalPasses = 100;
  const double size = mean_radius(spheres), skin = 0.4 * size;
  std::vector<Neighbours> pairs;
  std::vector<Eigen::Vector3d> listed;  // positions when the pairs were found
  const auto relax = [&](int passes, double lift) {
    double moved = listed.empty() ? skin : 0.0;
    for (size_t i = 0; i < listed.size(); ++i) moved = std::max(moved, (spheres.position[i] - listed[i]).norm());
    if (moved > 0.4 * skin) {
      sort_in_space(spheres);
      pairs = find_neighbours(spheres, skin);
      listed = spheres.position;
    }
    for (int pass = 0; pass < passes; ++pass) push_apart(spheres, pairs, lift);
  };
  // Large steps close the voids, small ones leave small overlaps, and the last passes lift those away.
  for (int step = 0; step < kSteps; ++step) {
    const double sink = size * 0.1 * std::pow(1e-3, static_cast<double>(step) / kSteps);
    for (Eigen::Vector3d& x : spheres.position) x.z() -= sink;
    relax(kPasses, 0.5);
  }
  for (int pass = 0; pass < kFinalPasses; ++pass) relax(1, 1.0);
  sort_in_space(spheres);
}

}  // namespace tippe::bench
