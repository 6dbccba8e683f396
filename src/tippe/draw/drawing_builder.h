// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/collide/partner.h"
#include "tippe/draw/drawing.h"

namespace tippe {

/// Collects the primitives of a drawing, in the order of drawing. Expressions are of the inputs of the description.
class DrawingBuilder {
 public:
  /// `description`: has all its coordinates and velocities. It must outlive the builder.
  explicit DrawingBuilder(const LagrangianDescription& description);
  ~DrawingBuilder();

  /// What stands for a body without shapes: the box of the same mass and inertia, or a dot for a point; or nothing, because it is drawn
  /// otherwise.
  enum class WithoutShapes { kStandIn, kNothing };
  /// Each body is a part of its own, with its name.
  void add_body(const Body& body, std::span<const NamedShape> shapes, WithoutShapes without_shapes);
  void add_plane(const std::string& name, const Plane& plane);
  /// What is of one part has one colour, and the part's name. An empty one: no colour of its own.
  void add_line(const std::string& part, std::span<const Vector3> points, bool closed);
  /// A disc of the plane, or a sphere. `angle`: of a spoke that shows how it turns; may be absent.
  void add_circle(const std::string& part, const Vector3& center, Expr radius, Expr angle);
  void add_spring(const std::string& part, const Vector3& from, const Vector3& to);
  void add_text(const Vector3& at, const std::string& text);
  void add_joint(const std::string& name, const Vector3& at);
  /// Of a law of the description, number `law`. Tangents for which the law has no row are left out.
  void add_force(size_t law, const ContactFrame& frame);

  /// What was added reaches out of the x-y plane.
  void set_spatial();
  /// `up`: against gravity, of any length; zero without gravity.
  [[nodiscard]] Drawing finish(const Eigen::Vector3d& up);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tippe
