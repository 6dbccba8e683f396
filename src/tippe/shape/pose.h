// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tippe {

/// Where a frame is: places in it are at `position` + `axes` times their coordinates.
struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns, of length 1 and perpendicular to round-off
};

}  // namespace tippe
