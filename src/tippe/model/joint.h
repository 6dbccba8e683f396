// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>

#include "tippe/model/body.h"

namespace tippe {

/// What a joint between two bodies, or a body and the world, holds:
///
///   kBall    the two points together                                     3 rows  "x", "y", "z"
///   kHinge   the points together, and the axis in both bodies parallel   5 rows  and "axis 1", "axis 2"
///   kSlider  the second point on the axis through the first one, and     5 rows  "across 1", "across 2",
///            the bodies parallel as they are at the start                        "turn 1", "turn 2", "turn 3"
///   kFixed   the points together, and the bodies parallel                6 rows  "x", "y", "z", "turn 1", "turn 2", "turn 3"
///   kRod     the distance of the points                                  1 row, whose multiplier is the force in the rod
///
/// Rows that no motion could break, as those out of the plane of planar bodies, are left out.
enum class JointType { kBall, kHinge, kSlider, kFixed, kRod };

struct Joint {
  JointType type = JointType::kBall;
  std::string name;                                 // rows are called "<name> axis 1"
  std::string key;                                  // in a scene: "joint[0]"
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  // hinge, slider: in space, at the start; a unit vector
  double length = 0.0;                              // m  rod: positive

  [[nodiscard]] bool has_axis() const { return type == JointType::kHinge || type == JointType::kSlider; }
};

/// Where a joint is fastened to a body or to the world.
struct JointEnd {
  BodyFrame frame;
  std::array<double, 3> at;       // m  in the frame
  Eigen::Matrix3d axes_at_start;  // the columns of R
  Expr angle = {};                // rad  by which a planar body, or the plane, has turned since the start; else absent
};

/// The coordinate that a joint leaves free, and its rate. Of a hinge the angle by which the second body has turned against the first about the
/// axis since the start, from -pi to pi in space, counted on between planar bodies; of a slider the way of the second point along the axis
/// from the first one.
struct JointCoordinate {
  Expr value, rate;  // absent where a joint has none, or more than one
};
[[nodiscard]] JointCoordinate coordinate_of(const Joint& joint, const JointEnd& a, const JointEnd& b,
                                            LagrangianDescription& description);

/// Adds the rows. Throws ModelError with the joint's key as subject if a row that no motion can change is violated.
void add_joint(const Joint& joint, const JointEnd& a, const JointEnd& b, LagrangianDescription& description);

}  // namespace tippe
