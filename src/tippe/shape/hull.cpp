// SPDX-License-Identifier: Apache-2.0
// Convex hulls by the quickhull method: from a tetrahedron on, the point furthest above a face replaces the faces that it sees. Points are
// moved by far less than faces must be flat, so that no four of them are in a plane; after that, triangles that are flat together are one
// face, with the coordinates as given.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "tippe/core/error.h"
#include "tippe/shape/polyhedron.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

/// Of the extent along the normal, for points with about the same extent everywhere: by so much a face may miss being flat. Of the
/// diameter: closer points are one.
constexpr double kFlatFace = 1e-8;
/// Likewise: how far points are moved at most, to be in general position.
constexpr double kMoved = 1e-10;

/// Points without their common offset and size.
struct ScaledPoints {
  std::vector<Vector3d> at;
  double scale = 0.0;  // the diameter of a box round them
};

ScaledPoints scaled(std::span<const Vector3d> points) {
  ScaledPoints result;
  if (points.empty()) return result;
  Vector3d low = points.front(), high = low;
  for (const Vector3d& point : points) {
    if (!point.allFinite()) throw ModelError("points", "must be finite numbers");
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  result.scale = (0.5 * high - 0.5 * low).norm() * 2.0;
  if (!std::isfinite(result.scale)) throw ModelError("points", "must be finite numbers");
  const Vector3d middle = 0.5 * low + 0.5 * high;
  for (const Vector3d& point : points) {
    Vector3d at = Vector3d::Zero();
    if (result.scale > 0.0) at = (point - middle) / result.scale;
    result.at.push_back(at);
  }
  return result;
}

/// The numbers of points that differ from those before them.
std::vector<int> different(const std::vector<Vector3d>& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return points[a][0] != points[b][0] ? points[a][0] < points[b][0] : a < b; });
  std::vector<bool> repeated(points.size(), false);
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = i + 1; j < order.size() && points[order[j]][0] - points[order[i]][0] <= kFlatFace; ++j) {
      if ((points[order[j]] - points[order[i]]).norm() <= kFlatFace) repeated[std::max(order[i], order[j])] = true;
    }
  }
  std::vector<int> kept;
  for (size_t k = 0; k < points.size(); ++k) {
    if (!repeated[k]) kept.push_back(static_cast<int>(k));
  }
  return kept;
}

/// A number in [-1, 1] that looks random.
double noise(std::uint64_t seed) {
  seed = (seed + 1) * 0x9e3779b97f4a7c15ULL;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>(static_cast<std::int64_t>(seed ^ (seed >> 31))) / 9223372036854775808.0;
}

struct Triangle {
  std::array<int, 3> vertex{};
  std::array<int, 3> next{};  // the triangle behind the side from vertex k to k + 1
  Vector3d normal = Vector3d::Zero();
  double offset = 0.0;
  std::vector<int> above;  // points, each of them above no other triangle in whose list it is
  int group = -1;
  bool alive = true, seen = false;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vector3d>& points) : points_(points) {}

  /// All triangles of the hull, `alive`; the first four points are a tetrahedron that is not flat.
  std::vector<Triangle> triangles(const std::array<int, 4>& start) {
    std::array<int, 4> corner = start;
    const Vector3d& base = points_[corner[0]];
    if ((points_[corner[1]] - base).cross(points_[corner[2]] - base).dot(points_[corner[3]] - base) > 0.0)
      std::swap(corner[1], corner[2]);
    // Outwards anticlockwise; the triangle opposite to corner k has number k.
    const int sides[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    for (const auto& side : sides) add({corner[side[0]], corner[side[1]], corner[side[2]]});
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 3; ++i) {  // behind the side i, i + 1 is the triangle opposite to the third of its corners
        const int third = sides[k][(i + 2) % 3];
        triangles_[k].next[i] = third;
      }
    }
    std::vector<int> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    distribute(all, 0);
    for (size_t t = 0; t < triangles_.size(); ++t) {
      if (triangles_[t].alive && !triangles_[t].above.empty()) raise(static_cast<int>(t));
    }
    return std::move(triangles_);
  }

 private:
  int add(const std::array<int, 3>& vertex) {
    Triangle triangle;
    triangle.vertex = vertex;
    const Vector3d& base = points_[vertex[0]];
    triangle.normal = (points_[vertex[1]] - base).cross(points_[vertex[2]] - base).normalized();
    triangle.offset = triangle.normal.dot(base);
    triangles_.push_back(std::move(triangle));
    return static_cast<int>(triangles_.size()) - 1;
  }
  [[nodiscard]] double height(const Triangle& triangle, int point) const {
    return triangle.normal.dot(points_[point]) - triangle.offset;
  }
  void distribute(const std::vector<int>& points, size_t first_triangle) {
    for (const int point : points) {
      for (size_t t = first_triangle; t < triangles_.size(); ++t) {
        Triangle& triangle = triangles_[t];
        const auto& own = triangle.vertex;
        if (point == own[0] || point == own[1] || point == own[2] || height(triangle, point) <= 0.0) continue;
        triangle.above.push_back(point);
        break;
      }
    }
  }

  /// Takes the point that is highest above a triangle into the hull.
  void raise(int triangle) {
    const std::vector<int>& above = triangles_[triangle].above;
    const int apex = *std::max_element(above.begin(), above.end(), [&](int a, int b) {
      return height(triangles_[triangle], a) < height(triangles_[triangle], b);
    });
    std::vector<int> visible = {triangle}, orphans;
    triangles_[triangle].seen = true;
    struct Side {
      int from, to, outside;
    };
    std::vector<Side> horizon;
    for (size_t k = 0; k < visible.size(); ++k) {
      for (int i = 0; i < 3; ++i) {
        const int t = visible[k], other = triangles_[t].next[i];
        if (triangles_[other].seen) continue;
        if (height(triangles_[other], apex) > 0.0) {
          triangles_[other].seen = true;
          visible.push_back(other);
        } else {
          horizon.push_back({triangles_[t].vertex[i], triangles_[t].vertex[(i + 1) % 3], other});
        }
      }
    }
    for (const int t : visible) {
      triangles_[t].alive = false;
      orphans.insert(orphans.end(), triangles_[t].above.begin(), triangles_[t].above.end());
      triangles_[t].above.clear();
    }
    const size_t first = triangles_.size();
    for (const Side& side : horizon) {
      const int made = add({side.from, side.to, apex});
      triangles_[made].next[0] = side.outside;
      Triangle& outside = triangles_[side.outside];
      for (int i = 0; i < 3; ++i) {
        if (outside.vertex[i] == side.to && outside.vertex[(i + 1) % 3] == side.from) outside.next[i] = made;
      }
    }
    for (size_t one = first; one < triangles_.size(); ++one) {
      for (size_t other = first; other < triangles_.size(); ++other) {
        if (triangles_[one].vertex[1] != triangles_[other].vertex[0]) continue;
        triangles_[one].next[1] = static_cast<int>(other);
        triangles_[other].next[2] = static_cast<int>(one);
      }
    }
    std::erase(orphans, apex);
    distribute(orphans, first);
  }

  const std::vector<Vector3d>& points_;
  std::vector<Triangle> triangles_;
};

/// Four points that are far from being in a plane; and axes along which the points reach about as far as `extent` says.
struct FirstTetrahedron {
  std::array<int, 4> corner{};
  Eigen::Matrix3d axes;
  Vector3d extent;
};
FirstTetrahedron first_tetrahedron(const std::vector<Vector3d>& points) {
  const auto furthest = [&](auto&& measure) {
    int best = 0;
    double most = -1.0;
    for (size_t k = 0; k < points.size(); ++k) {
      const double value = measure(points[k]);
      if (value > most) most = value, best = static_cast<int>(k);
    }
    return std::pair{best, most};
  };
  std::array<int, 4> corner{};
  corner[0] = furthest([&](const Vector3d& p) { return p.norm(); }).first;
  const Vector3d base = points[corner[0]];
  const auto [second, distance] = furthest([&](const Vector3d& p) { return (p - base).norm(); });
  if (!(distance > kFlatFace))
    throw ModelError("points", "are all the same: a hull needs at least four that are not in a plane");
  const Vector3d along = (points[second] - base).normalized();
  const auto [third, width] = furthest([&](const Vector3d& p) { return (p - base).cross(along).norm(); });
  if (!(width > kFlatFace)) throw ModelError("points", "are on a line: a hull needs at least four that are not in a plane");
  const Vector3d normal = along.cross(points[third] - base).normalized();
  const auto [fourth, thickness] = furthest([&](const Vector3d& p) { return std::abs((p - base).dot(normal)); });
  if (!(thickness > kFlatFace)) throw ModelError("points", "are in a plane: a hull needs at least four that are not");
  corner[1] = second, corner[2] = third, corner[3] = fourth;
  FirstTetrahedron first{corner, {}, {distance, width, thickness}};
  first.axes << along, normal.cross(along), normal;
  return first;
}

double area_of(const Triangle& triangle, const std::vector<Vector3d>& points) {
  const Vector3d& base = points[triangle.vertex[0]];
  return (points[triangle.vertex[1]] - base).cross(points[triangle.vertex[2]] - base).norm();
}

/// Gives triangles that are flat together a common group, beginning with the largest. Returns the number of groups.
int group_flat(std::vector<Triangle>& triangles, const std::vector<Vector3d>& points) {
  std::vector<std::pair<double, int>> order;
  for (size_t t = 0; t < triangles.size(); ++t) {
    if (triangles[t].alive) order.emplace_back(-area_of(triangles[t], points), static_cast<int>(t));
  }
  std::sort(order.begin(), order.end());
  int groups = 0;
  for (const auto& [negative_area, seed] : order) {
    if (triangles[seed].group >= 0) continue;
    const Vector3d& base = points[triangles[seed].vertex[0]];
    const Vector3d normal =
        (points[triangles[seed].vertex[1]] - base).cross(points[triangles[seed].vertex[2]] - base).normalized();
    const auto is_flat = [&](const Triangle& triangle) {
      return std::all_of(triangle.vertex.begin(), triangle.vertex.end(),
                         [&](int v) { return std::abs(normal.dot(points[v] - base)) <= kFlatFace; });
    };
    std::vector<int> waiting = {seed};
    triangles[seed].group = groups;
    while (!waiting.empty()) {
      const int t = waiting.back();
      waiting.pop_back();
      for (const int other : triangles[t].next) {
        if (triangles[other].group >= 0 || !is_flat(triangles[other])) continue;
        triangles[other].group = groups;
        waiting.push_back(other);
      }
    }
    ++groups;
  }
  return groups;
}

/// The outlines of the groups, without points that only two of them share: those are on edges.
std::vector<std::vector<int>> outlines_of(const std::vector<Triangle>& triangles, int groups, size_t points) {
  std::vector<std::vector<int>> groups_at(points);
  std::vector<std::vector<std::pair<int, int>>> sides(groups);
  for (const Triangle& triangle : triangles) {
    if (!triangle.alive) continue;
    for (int i = 0; i < 3; ++i) {
      auto& here = groups_at[triangle.vertex[i]];
      if (std::find(here.begin(), here.end(), triangle.group) == here.end()) here.push_back(triangle.group);
      if (triangles[triangle.next[i]].group != triangle.group)
        sides[triangle.group].emplace_back(triangle.vertex[i], triangle.vertex[(i + 1) % 3]);
    }
  }
  std::vector<std::vector<int>> outlines;
  for (const auto& own : sides) {
    std::vector<int> outline;
    int at = own.empty() ? -1 : std::min_element(own.begin(), own.end())->first;
    for (size_t k = 0; k < own.size(); ++k) {
      if (groups_at[at].size() >= 3) outline.push_back(at);
      at = std::find_if(own.begin(), own.end(), [at](const auto& side) { return side.first == at; })->second;
    }
    if (outline.size() >= 3) outlines.push_back(std::move(outline));
  }
  return outlines;
}

}  // namespace

ConvexPolyhedron make_hull(std::span<const Vector3d> points) {
  if (points.size() < 4) throw ModelError("points", "are too few: a hull needs at least four that are not in a plane");
  const ScaledPoints all = scaled(points);
  const std::vector<int> kept = different(all.at);
  std::vector<Vector3d> exact, round, moved;
  for (const int k : kept) exact.push_back(all.at[k]);
  const FirstTetrahedron first = first_tetrahedron(exact);
  // What is flat or thin is made round, which moves no point from one side of a plane to the other.
  for (const Vector3d& point : exact) {
    round.push_back((first.axes.transpose() * (point - exact[first.corner[0]])).cwiseQuotient(first.extent));
    const auto seed = static_cast<std::uint64_t>(3 * round.size());
    moved.push_back(round.back() + kMoved * Vector3d(noise(seed), noise(seed + 1), noise(seed + 2)));
  }
  std::vector<Triangle> triangles = Quickhull(moved).triangles(first.corner);
  const int groups = group_flat(triangles, round);

  ConvexPolyhedron hull;
  const auto outlines = outlines_of(triangles, groups, exact.size());
  std::vector<int> number(exact.size(), -1);
  for (const auto& outline : outlines) {
    for (const int v : outline) number[v] = 0;
  }
  for (size_t v = 0; v < exact.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[kept[v]]);
  }
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& vertex : hull.vertices) middle += vertex / static_cast<double>(hull.vertices.size());
  for (const auto& outline : outlines) {
    ConvexPolyhedron::Face face;
    face.first = static_cast<int>(hull.loop.size());
    face.count = static_cast<int>(outline.size());
    Vector3d area = Vector3d::Zero();
    for (size_t k = 0; k < outline.size(); ++k)
      area += (exact[outline[k]] - exact[outline[0]]).cross(exact[outline[(k + 1) % outline.size()]] - exact[outline[0]]);
    face.normal = area.normalized();
    face.offset = -std::numeric_limits<double>::infinity();
    for (const int v : outline) {
      hull.loop.push_back(number[v]);
      face.offset = std::max(face.offset, face.normal.dot(points[kept[v]]));
    }
    hull.faces.push_back(face);
  }
  hull.complete();
  const auto euler =
      static_cast<std::ptrdiff_t>(hull.vertices.size() + hull.faces.size()) - static_cast<std::ptrdiff_t>(hull.edges.size());
  bool inside = euler == 2;
  for (const ConvexPolyhedron::Face& face : hull.faces) {
    for (const Vector3d& point : points)
      inside =
          inside && face.normal.dot(point - middle) <= face.offset - face.normal.dot(middle) + 10.0 * kFlatFace * all.scale;
  }
  if (!inside) throw ModelError("points", "are so nearly in a plane or on lines that they have no clear hull");
  return hull;
}

std::vector<Vector3d> make_polygon(std::span<const Vector3d> points) {
  if (points.size() < 3) throw ModelError("points", "are too few: a polygon needs at least three that are not on a line");
  const ScaledPoints all = scaled(points);
  for (const Vector3d& point : points) {
    if (point[2] != 0.0) throw ModelError("points", "of a planar body must be in the x-y plane");
  }
  std::vector<int> order = different(all.at);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return all.at[a][0] != all.at[b][0] ? all.at[a][0] < all.at[b][0] : all.at[a][1] < all.at[b][1];
  });
  // Andrew's chains: below from left to right, above and back. Corners that stand out by less than kFlatFace are none.
  const auto stands_out = [&](int before, int corner, int after) {
    const Vector3d chord = all.at[after] - all.at[before];
    return chord.cross(all.at[corner] - all.at[before])[2] < -kFlatFace * chord.norm();
  };
  std::vector<int> outline;
  for (const bool back : {false, true}) {
    const size_t begin = outline.size();
    for (const int point : order) {
      while (outline.size() >= begin + 2 && !stands_out(outline[outline.size() - 2], outline.back(), point))
        outline.pop_back();
      outline.push_back(point);
    }
    outline.pop_back();  // the first of the other chain
    if (!back) std::reverse(order.begin(), order.end());
  }
  if (outline.size() < 3) throw ModelError("points", "are on a line: a polygon needs at least three that are not");
  std::rotate(outline.begin(), std::min_element(outline.begin(), outline.end()), outline.end());
  std::vector<Vector3d> corners;
  for (const int point : outline) corners.push_back(points[point]);
  return corners;
}

}  // namespace tippe
