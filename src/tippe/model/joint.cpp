// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/joint.h"

#include <fmt/format.h>

#include <cmath>

#include "tippe/core/error.h"
#include "tippe/model/tolerances.h"

namespace tippe {
namespace {

/// Without components that are round-off: they would make rows out of nothing.
std::array<double, 3> array_of(const Eigen::Vector3d& unit) {
  std::array<double, 3> result{};
  for (int i = 0; i < 3; ++i) result[static_cast<size_t>(i)] = std::abs(unit[i]) <= kNoComponent ? 0.0 : unit[i];
  return result;
}

class JointRows {
 public:
  JointRows(const Joint& joint, const JointEnd& a, const JointEnd& b, LagrangianDescription& description)
      : joint_(joint), a_(a), b_(b), graph_(*description.graph), description_(description) {
    basis_.setIdentity();
    if (joint.has_axis()) {
      basis_.col(2) = joint.axis;
      basis_.col(0) = basis_.col(2).unitOrthogonal();
      basis_.col(1) = basis_.col(2).cross(basis_.col(0));
    }
    d_ = place(b.frame, b.at) - place(a.frame, a.at);
  }

  void hold_points() {
    add("x", d_[0]);
    add("y", d_[1]);
    add("z", d_[2]);
  }
  void hold_axis() {
    add("axis 1", dot(in_a(0), in_b(2)));
    add("axis 2", dot(in_a(1), in_b(2)));
  }
  void hold_on_axis() {
    add("across 1", dot(d_, in_a(0)));
    add("across 2", dot(d_, in_a(1)));
  }
  void hold_orientation() {
    add("turn 1", dot(in_a(1), in_b(2)));
    add("turn 2", dot(in_a(2), in_b(0)));
    add("turn 3", dot(in_a(0), in_b(1)));
  }
  /// (|d|^2 - l^2)/(2 l): of unit gradient.
  void hold_distance() {
    add("", graph_.constant(0.5 / joint_.length) * (dot(d_, d_) - graph_.constant(joint_.length * joint_.length)));
  }

  /// The frames turn about the same axis: the angle of the first vector of b in the frame of a.
  [[nodiscard]] Expr angle() const { return graph_.apply(Op::kAtan2, dot(in_a(1), in_b(0)), dot(in_a(0), in_b(0))); }
  [[nodiscard]] Expr angle_rate() const { return dot(in_a(2), b_.frame.angular_velocity - a_.frame.angular_velocity); }
  [[nodiscard]] Expr way() const { return dot(d_, in_a(2)); }
  [[nodiscard]] Expr way_rate() const {
    const Vector3 v_a = velocity_at(a_.frame, turn(a_.frame, a_.at)), v_b = velocity_at(b_.frame, turn(b_.frame, b_.at));
    return dot(v_b - v_a - cross(a_.frame.angular_velocity, d_), in_a(2));
  }

 private:
  /// The vector k of the basis, fixed to one of the bodies as it is at the start.
  [[nodiscard]] Vector3 in_a(int k) const { return turn(a_.frame, array_of(a_.axes_at_start.transpose() * basis_.col(k))); }
  [[nodiscard]] Vector3 in_b(int k) const { return turn(b_.frame, array_of(b_.axes_at_start.transpose() * basis_.col(k))); }

  void add(const std::string& row, Expr position) {
    const std::string name = row.empty() ? joint_.name : joint_.name + " " + row;
    if (position.is_constant()) {
      const double value = position.constant_value();
      if (std::abs(value) <= kWritten) return;
      throw ModelError(joint_.key + ".position",
                       fmt::format("'{}' is violated by {:.6g}, and no motion of the bodies changes that", name, value));
    }
    description_.constraints.push_back({{.holonomic = true, .name = name, .key = joint_.key}, position, {}});
  }

  const Joint& joint_;
  const JointEnd &a_, &b_;
  ExprGraph& graph_;
  LagrangianDescription& description_;
  Eigen::Matrix3d basis_;  // in space, at the start; the third column is the axis
  Vector3 d_;              // from the first point to the second
};

}  // namespace

JointCoordinate coordinate_of(const Joint& joint, const JointEnd& a, const JointEnd& b, LagrangianDescription& description) {
  const JointRows rows(joint, a, b, description);
  if (joint.type == JointType::kSlider) return {rows.way(), rows.way_rate()};
  if (joint.type != JointType::kHinge) return {};
  if (!a.angle.valid() || !b.angle.valid()) return {rows.angle(), rows.angle_rate()};
  const Expr about_z = description.graph->constant(joint.axis[2]);  // 1 or -1
  return {about_z * (b.angle - a.angle), about_z * (b.frame.angular_velocity[2] - a.frame.angular_velocity[2])};
}

void add_joint(const Joint& joint, const JointEnd& a, const JointEnd& b, LagrangianDescription& description) {
  JointRows rows(joint, a, b, description);
  switch (joint.type) {
    case JointType::kBall:
      rows.hold_points();
      return;
    case JointType::kHinge:
      rows.hold_points();
      rows.hold_axis();
      return;
    case JointType::kSlider:
      rows.hold_on_axis();
      rows.hold_orientation();
      return;
    case JointType::kFixed:
      rows.hold_points();
      rows.hold_orientation();
      return;
    case JointType::kRod:
      rows.hold_distance();
      return;
  }
}

}  // namespace tippe
