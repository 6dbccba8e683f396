// SPDX-License-Identifier: Apache-2.0
#include "tippe/draw/drawing_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "tippe/draw/equivalent_box.h"
#include "tippe/shape/polyhedron.h"

namespace tippe {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const Eigen::Vector3d& v) {
  return {v[0], v[1], v[2]};
}

/// Column after column.
Json numbers(const Eigen::Matrix3d& axes) {
  return std::vector<double>(axes.data(), axes.data() + axes.size());
}

Json describe(const SphereShape& sphere) {
  return {{"kind", "sphere"}, {"center", numbers(sphere.center)}, {"radius", sphere.radius}};
}
Json describe(const BoxShape& box) {
  return {{"kind", "box"}, {"center", numbers(box.center)}, {"size", numbers(box.size)}, {"axes", numbers(box.axes)}};
}
Json describe(const CapsuleShape& capsule) {
  return {{"kind", "capsule"}, {"from", numbers(capsule.from)}, {"to", numbers(capsule.to)}, {"radius", capsule.radius}};
}

Json describe(const CylinderShape& cylinder) {
  return {{"kind", "cylinder"}, {"from", numbers(cylinder.from)}, {"to", numbers(cylinder.to)}, {"radius", cylinder.radius}};
}
Json describe(const HullShape& hull) {
  const bool planar =
      std::all_of(hull.points.begin(), hull.points.end(), [](const Eigen::Vector3d& point) { return point[2] == 0.0; });
  Json points = Json::array(), faces = Json::array();
  if (planar) {
    for (const Eigen::Vector3d& corner : make_polygon(hull.points)) points.push_back(numbers(corner));
  } else {
    const ConvexPolyhedron polyhedron = make_hull(hull.points);
    for (const Eigen::Vector3d& vertex : polyhedron.vertices) points.push_back(numbers(vertex));
    for (const ConvexPolyhedron::Face& face : polyhedron.faces) {
      const auto first = polyhedron.loop.begin() + face.first;
      faces.push_back(std::vector<int>(first, first + face.count));
    }
  }
  return {{"kind", "hull"}, {"points", points}, {"faces", faces}};
}

}  // namespace

struct DrawingBuilder::Parts {
  const LagrangianDescription& description;
  Json primitives = Json::array();
  bool spatial = false;
  std::map<std::string, int> part_numbers;
  std::unordered_map<int, size_t> column_of;  // of expressions
  std::vector<Expr> columns;
  std::vector<std::string> column_names;

  /// A number, a coordinate, or a column; `name`: of the column.
  Json value(Expr expression, const std::string& name) {
    if (expression.is_constant()) return expression.constant_value();
    const ExprGraph::Node& node = expression.graph().node(expression.id());
    if (node.op == Op::kInput && node.a < description.inputs().n) return {{"q", node.a}};
    const auto [found, is_new] = column_of.emplace(expression.id(), columns.size());
    if (is_new) {
      columns.push_back(expression);
      column_names.push_back(name);
    }
    return {{"c", found->second}};
  }

  Json point(const Vector3& p, const std::string& name) {
    return {value(p[0], name + ".x"), value(p[1], name + ".y"), value(p[2], name + ".z")};
  }

  Json part(const std::string& name) {
    if (name.empty()) return nullptr;
    return part_numbers.emplace(name, static_cast<int>(part_numbers.size())).first->second;
  }

  /// How columns of a primitive are called: "line 3", or by its own name.
  [[nodiscard]] std::string column_name(const char* kind, const std::string& name) const {
    return name.empty() ? fmt::format("{} {}", kind, primitives.size()) : fmt::format("{} {}", kind, name);
  }

  /// Its centre of mass.
  static Json position(const Body& body) {
    const auto coordinate = [&](int i) { return Json{{"q", body.first_coordinate + i}}; };
    return {coordinate(0), coordinate(1), body.kind == BodyKind::kPlanar ? Json(0.0) : coordinate(2)};
  }

  Json turn(const Body& body) {
    const auto coordinates = [&](int first, int count) {
      Json list = Json::array();
      for (int k = first; k < first + count; ++k) list.push_back({{"q", body.first_coordinate + k}});
      return list;
    };
    switch (body.kind) {
      case BodyKind::kNewtonEuler:
      case BodyKind::kScalable:
        return {{"quaternion", coordinates(3, 4)}};
      case BodyKind::kAffine:
        return {{"axes", coordinates(3, 9)}};
      case BodyKind::kPlanar:
        return {{"angle", {{"q", body.first_coordinate + 2}}}};
      case BodyKind::kPoint:
        break;
    }
    return nullptr;
  }
};

DrawingBuilder::DrawingBuilder(const LagrangianDescription& description)
    : parts_(new Parts{description, Json::array(), false, {}, {}, {}, {}}) {}
DrawingBuilder::~DrawingBuilder() = default;

void DrawingBuilder::add_body(const Body& body, std::span<const NamedShape> shapes, WithoutShapes without_shapes) {
  Json drawn = Json::array();
  for (const NamedShape& shape : shapes)
    drawn.push_back(std::visit([](const auto& kind) { return describe(kind); }, shape.shape));
  const bool stands_in = shapes.empty() && without_shapes == WithoutShapes::kStandIn;
  if (stands_in && body.kind == BodyKind::kPoint) drawn.push_back({{"kind", "mass"}});
  if (stands_in && body.turns()) {
    const EquivalentBox box = equivalent_box(body);
    drawn.push_back({{"kind", "inertia"}, {"size", numbers(box.size)}, {"axes", numbers(box.axes)}});
  }
  if (body.kind != BodyKind::kPlanar) parts_->spatial = true;
  parts_->primitives.push_back({{"kind", "body"},
                                {"name", body.name},
                                {"part", parts_->part(body.name)},
                                {"at", parts_->position(body)},
                                {"turn", parts_->turn(body)},
                                {"shapes", drawn}});
}

void DrawingBuilder::add_plane(const std::string& name, const Plane& plane) {
  if (plane.normal[2] != 0.0) parts_->spatial = true;
  parts_->primitives.push_back(
      {{"kind", "plane"}, {"name", name}, {"normal", numbers(plane.normal)}, {"offset", plane.offset}});
}

void DrawingBuilder::add_line(const std::string& part, std::span<const Vector3> points, bool closed) {
  const std::string name = parts_->column_name("line", part);
  Json list = Json::array();
  for (size_t k = 0; k < points.size(); ++k) list.push_back(parts_->point(points[k], fmt::format("{}[{}]", name, k)));
  parts_->primitives.push_back(
      {{"kind", "line"}, {"name", part}, {"part", parts_->part(part)}, {"points", list}, {"closed", closed}});
}

void DrawingBuilder::add_circle(const std::string& part, const Vector3& center, Expr radius, Expr angle) {
  const std::string name = parts_->column_name("circle", part);
  parts_->primitives.push_back({{"kind", "circle"},
                                {"name", part},
                                {"part", parts_->part(part)},
                                {"center", parts_->point(center, name)},
                                {"radius", parts_->value(radius, name + ".radius")},
                                {"angle", angle.valid() ? parts_->value(angle, name + ".angle") : Json()}});
}

void DrawingBuilder::add_spring(const std::string& part, const Vector3& from, const Vector3& to) {
  const std::string name = parts_->column_name("spring", part);
  parts_->primitives.push_back({{"kind", "spring"},
                                {"name", part},
                                {"part", parts_->part(part)},
                                {"points", {parts_->point(from, name + "[0]"), parts_->point(to, name + "[1]")}}});
}

void DrawingBuilder::add_text(const Vector3& at, const std::string& text) {
  const std::string name = parts_->column_name("text", "");
  parts_->primitives.push_back({{"kind", "text"}, {"at", parts_->point(at, name)}, {"text", text}});
}

void DrawingBuilder::add_joint(const std::string& name, const Vector3& at) {
  parts_->primitives.push_back({{"kind", "joint"}, {"name", name}, {"at", parts_->point(at, name)}});
}

void DrawingBuilder::add_force(size_t number, const ContactFrame& frame) {
  const std::vector<LawDescription>& laws = parts_->description.laws;
  const ForceLaw& law = laws[number].law;
  size_t first_row = 0, gap = 0;
  for (size_t k = 0; k < number; ++k) {
    first_row += static_cast<size_t>(laws[k].law.rows);
    gap += laws[k].law.kind == ForceLaw::Kind::kContact;
  }
  Json rows = {first_row}, tangents = Json::array(), friction = Json::array();
  const std::array<double, 2> mu = {law.mu1, law.mu2};
  const size_t directions = std::min({frame.tangents.size(), mu.size(), static_cast<size_t>(law.rows - 1)});
  for (size_t k = 0; k < directions; ++k) {
    rows.push_back(first_row + 1 + k);
    tangents.push_back(parts_->point(frame.tangents[k], fmt::format("{} t{}", law.name, k + 1)));
    friction.push_back(mu[k]);
  }
  parts_->primitives.push_back({{"kind", "contact"},
                                {"name", law.name},
                                {"law", number},
                                {"at", parts_->point(frame.at, law.name)},
                                {"normal", parts_->point(frame.normal, law.name + " n")},
                                {"tangents", tangents},
                                {"gap", law.kind == ForceLaw::Kind::kContact ? Json(gap) : Json()},
                                {"rows", rows},
                                {"friction", friction}});
}

void DrawingBuilder::set_spatial() {
  parts_->spatial = true;
}

Drawing DrawingBuilder::finish(const Eigen::Vector3d& up) {
  if (parts_->primitives.empty()) return {};
  Json document = {{"version", 1}, {"space", parts_->spatial ? "space" : "plane"}};
  if (parts_->spatial) document["up"] = numbers(up.isZero() ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : up.normalized());
  document["primitives"] = std::move(parts_->primitives);
  return {document.dump(-1, ' ', true, Json::error_handler_t::replace),
          Observables(parts_->description, std::move(parts_->column_names), parts_->columns, Expr())};
}

}  // namespace tippe
