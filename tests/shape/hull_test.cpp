// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "tippe/core/error.h"
#include "tippe/shape/polyhedron.h"

namespace tippe::hull_test {

using Eigen::Vector3d;

/// Euler's formula, all points inside, every face flat with an outline that turns left, every edge with two faces.
void expect_sound(const ConvexPolyhedron& hull, std::span<const Vector3d> points, double size) {
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  for (const ConvexPolyhedron::Face& face : hull.faces) {
    for (const Vector3d& point : points) EXPECT_LE(face.normal.dot(point) - face.offset, 3e-8 * size);
    for (int k = 0; k < face.count; ++k) {
      const Vector3d& corner = hull.vertices[hull.loop[face.first + k]];
      EXPECT_NEAR(face.normal.dot(corner), face.offset, 3e-8 * size);
      const Vector3d& next = hull.vertices[hull.loop[face.first + (k + 1) % face.count]];
      const Vector3d& after = hull.vertices[hull.loop[face.first + (k + 2) % face.count]];
      EXPECT_GT((next - corner).cross(after - next).dot(face.normal), 0.0);
    }
  }
  for (const ConvexPolyhedron::Edge& edge : hull.edges) EXPECT_NE(edge.face_1, edge.face_2);
}

std::string message_of(const std::vector<Vector3d>& points, bool planar = false) {
  try {
    if (planar) {
      (void)make_polygon(points);
    } else {
      (void)make_hull(points);
    }
  } catch (const ModelError& error) {
    return error.subject() + " " + error.what();
  }
  return "";
}

TEST(Hull, OfAGridOfPointsIsACube) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    std::vector<Vector3d> points;
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 5; ++j) {
        for (int k = 0; k < 5; ++k) points.push_back(size * Vector3d(i, j, k));
      }
    }
    points.insert(points.end(), points.begin(), points.begin() + 40);  // repeated
    const ConvexPolyhedron hull = make_hull(points);
    EXPECT_EQ(hull.vertices.size(), 8u);
    EXPECT_EQ(hull.faces.size(), 6u);
    EXPECT_EQ(hull.edges.size(), 12u);
    expect_sound(hull, points, 4.0 * size);
    EXPECT_NEAR(hull.half_size, 2.0 * size, 1e-12 * size);
  }
}

TEST(Hull, OfADodecahedronHasTwelveFaces) {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Vector3d> points;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) {
      for (const double c : {-1.0, 1.0}) points.emplace_back(a, b, c);
      points.emplace_back(0.0, a / golden, b * golden);
      points.emplace_back(a / golden, b * golden, 0.0);
      points.emplace_back(a * golden, 0.0, b / golden);
    }
  }
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.0, Vector3d(3.0, 1.0, 2.0).normalized()).toRotationMatrix();
  for (Vector3d& point : points) point = turn * point + Vector3d(10.0, 20.0, -30.0);
  const ConvexPolyhedron hull = make_hull(points);
  EXPECT_EQ(hull.vertices.size(), 20u);
  EXPECT_EQ(hull.faces.size(), 12u);
  for (const ConvexPolyhedron::Face& face : hull.faces) EXPECT_EQ(face.count, 5);
  expect_sound(hull, points, 4.0);
}

TEST(Hull, OfRandomPointsHoldsThemAll) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Vector3d> points;
    const Vector3d size(1.0, trial % 3 == 0 ? 1e-4 : 1.0, trial % 5 == 0 ? 30.0 : 1.0);
    const bool on_sphere = trial % 2 == 0, coarse = trial % 4 == 1;
    for (int k = 0; k < 4 + 5 * trial; ++k) {
      Vector3d point(normal(random), normal(random), normal(random));
      if (on_sphere) point.normalize();
      if (coarse) point = (3.0 * point).array().round();
      points.push_back(size.cwiseProduct(point));
    }
    if (coarse && trial < 8) continue;
    const ConvexPolyhedron hull = make_hull(points);
    expect_sound(hull, points, 10.0 * size.maxCoeff());
    if (on_sphere && trial % 3 != 0 && trial % 5 != 0) {
      EXPECT_EQ(hull.vertices.size(), points.size());
    }
  }
}

TEST(Hull, OfAPrismKeepsItsTwoLargeFaces) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 48; ++k) {
    const double angle = 2.0 * M_PI * k / 48.0;
    points.emplace_back(std::cos(angle), std::sin(angle), 0.1);
    points.emplace_back(std::cos(angle), std::sin(angle), -0.1);
  }
  const ConvexPolyhedron hull = make_hull(points);
  EXPECT_EQ(hull.faces.size(), 50u);
  EXPECT_EQ(hull.vertices.size(), 96u);
  expect_sound(hull, points, 2.0);
}

TEST(Hull, ThatIsDegenerateIsRefusedWithTheReason) {
  EXPECT_EQ(message_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
            "points are too few: a hull needs at least four that are not in a plane");
  EXPECT_EQ(message_of({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}),
            "points are all the same: a hull needs at least four that are not in a plane");
  EXPECT_EQ(message_of({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}),
            "points are on a line: a hull needs at least four that are not in a plane");
  EXPECT_EQ(message_of({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {5, 5, 1}}),
            "points are in a plane: a hull needs at least four that are not");
  EXPECT_EQ(message_of({{0, 0, 1}, {1, 0, 1}, {0, 1, NAN}, {5, 5, 1}}), "points must be finite numbers");
  EXPECT_EQ(message_of({{0, 0, 0}, {1, 0, 0}}, true),
            "points are too few: a polygon needs at least three that are not on a line");
  EXPECT_EQ(message_of({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, true),
            "points are on a line: a polygon needs at least three that are not");
  EXPECT_EQ(message_of({{0, 0, 0}, {1, 1, 0}, {2, 1, 1}}, true), "points of a planar body must be in the x-y plane");
}

TEST(Polygon, IsAnticlockwiseFromTheFirstCorner) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    std::vector<Vector3d> points = {{0.5, 0.0, 0}, {1, 1, 0},     {0, 0, 0}, {0, 1, 0},
                                    {1, 0, 0},     {0.4, 0.4, 0}, {1, 1, 0}, {1, 0.5, 0}};
    for (Vector3d& point : points) point *= size;
    const auto corners = make_polygon(points);
    ASSERT_EQ(corners.size(), 4u);
    EXPECT_EQ(corners[0], points[1]);
    EXPECT_EQ(corners[1], points[3]);
    EXPECT_EQ(corners[2], points[2]);
    EXPECT_EQ(corners[3], points[4]);
  }
}

}  // namespace tippe::hull_test
