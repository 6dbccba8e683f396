// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "tippe/shape/pose.h"

namespace tippe {

/// Which smooth function of two poses the gap is while the features stay: of a on b. Points and lines have radii.
enum class PairKind : std::uint8_t {
  kPointPlane,
  kPlanePoint,
  kPointPoint,
  kPointLine,
  kLinePoint,
  kLineLine,  // not parallel
  kRimPlane,  // a circle, where it comes nearest to the plane
  kPlaneRim,
};

/// Two solids that touch or nearly do, at one point.
struct FoundContact {
  std::uint32_t a = 0, b = 0;  // numbers of the solids, a < b
  std::uint32_t feature_a = 0,
                feature_b = 0;  // of each (shape/feature.h): they stay while the contact lasts, and occur once in the pair
  double gap = 0.0;             // m  normal . (point_a - point_b); negative: depth
  Eigen::Vector3d at = Eigen::Vector3d::Zero();       // m  in the middle of the gap
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   // 1  from b to a, of length 1; in the plane without z
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  // m  on the surface of a, in space
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();  // m  on the surface of b
  double half_size = 0.0;                             // m  the smaller of the two smallest half sizes

  // What the pair function needs beside that.
  PairKind kind = PairKind::kPointPoint;
  double radius_a = 0.0, radius_b = 0.0;                  // m  round the points and lines; of the rim
  Eigen::Vector3d direction_a = Eigen::Vector3d::Zero();  // 1  of a line, the axis of a rim; in space
  Eigen::Vector3d direction_b = Eigen::Vector3d::Zero();
};

/// The gap of a contact as a function of two poses, its features frozen in the frames.
class PairFunction {
 public:
  struct Value {
    double gap = 0.0;                                   // m
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();   // 1  from b to a
    Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  // m  on the surfaces, in space
    Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  };

  /// Of a contact that was found at these poses of its frames. There it has the same gap, normal and points, to round-off.
  PairFunction(const FoundContact& contact, const Pose& pose_a, const Pose& pose_b);
  [[nodiscard]] Value at(const Pose& pose_a, const Pose& pose_b) const;

 private:
  struct Side {
    Eigen::Vector3d point;      // of the plane, the line, the point or the centre of the rim, in the frame
    Eigen::Vector3d direction;  // the normal of the plane towards the other, the direction of the line, the axis of the rim
    double radius = 0.0;
  };
  PairKind kind_;
  Side a_, b_;
};

}  // namespace tippe
