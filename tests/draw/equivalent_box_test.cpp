// SPDX-License-Identifier: Apache-2.0
// Bodies without shapes are drawn as the homogeneous box that has their mass and inertia.
#include "tippe/draw/equivalent_box.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tippe::draw_equivalent_box_test {

Body body_of(BodyKind kind, double mass) {
  Body body;
  body.kind = kind;
  body.mass = mass;
  return body;
}

/// Inertia of a homogeneous box about its centre: m/12 (a_j^2 + a_k^2) about axis i, turned into the body frame.
Eigen::Matrix3d inertia_of(double mass, const EquivalentBox& box) {
  const Eigen::Vector3d squares = box.size.cwiseAbs2();
  const Eigen::Vector3d moments = mass / 12.0 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
  return box.axes * moments.asDiagonal() * box.axes.transpose();
}

TEST(EquivalentBox, HasTheInertiaOfTheBody) {
  Body body = body_of(BodyKind::kNewtonEuler, 3.0);
  body.inertia.diagonal() << 2.0, 1.5, 1.0;
  const EquivalentBox straight = equivalent_box(body);
  EXPECT_EQ(straight.axes, Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
  EXPECT_LT((inertia_of(body.mass, straight) - body.inertia).cwiseAbs().maxCoeff(), 1e-14);

  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Eigen::Matrix3d turned = R * body.inertia * R.transpose();
  body.inertia = 0.5 * (turned + turned.transpose());
  const EquivalentBox box = equivalent_box(body);
  EXPECT_LT((inertia_of(body.mass, box) - body.inertia).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(box.axes.determinant(), 1.0, 1e-14);
}

TEST(EquivalentBox, ARodHasNoThickness) {
  Body rod = body_of(BodyKind::kNewtonEuler, 1.2);
  rod.inertia.diagonal() << 0.0, 0.4, 0.4;  // m l^2/12 with l = 2
  EXPECT_EQ(equivalent_box(rod).size, Eigen::Vector3d(2.0, 0.0, 0.0));
}

TEST(EquivalentBox, APlanarBodyIsASquare) {
  Body disc = body_of(BodyKind::kPlanar, 2.0);
  disc.inertia(2, 2) = 3.0;  // m/12 (a^2 + a^2) with a = 3
  EXPECT_NEAR(equivalent_box(disc).size[0], 3.0, 1e-15);
  EXPECT_EQ(equivalent_box(disc).size[2], 0.0);
}

}  // namespace tippe::draw_equivalent_box_test
