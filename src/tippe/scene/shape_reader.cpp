// SPDX-License-Identifier: Apache-2.0
// Shapes of a body: [[body.sphere]], [[body.box]], [[body.capsule]], [[body.cylinder]], [[body.hull]].
#include "tippe/scene/detail/repeated_tables.h"
#include "tippe/shape/polyhedron.h"

namespace tippe {

double SceneReader::positive_number(const TableReader& reader, const std::string& key) {
  const toml::node& node = reader.require(key, "in m");
  const double value = number(node, "'" + key + "'");
  if (!(value > 0.0)) fail_at(source_, node, fmt::format("'{}' must be positive, got {}", key, value));
  return value;
}

Shape SceneReader::read_sphere(const TableReader& reader, const Body& body) {
  SphereShape sphere;
  if (const toml::node* center = reader.find("center")) {
    if (!body.turns())
      fail_at(source_, *center, "a point has no orientation: its sphere is about the point itself, without 'center'");
    sphere.center = vector(*center, "'center'", body.kind == BodyKind::kPlanar);
  }
  sphere.radius = positive_number(reader, "radius");
  return sphere;
}

Shape SceneReader::read_box(const TableReader& reader, const Body& body) {
  const bool in_plane = body.kind == BodyKind::kPlanar;
  BoxShape box;
  if (const toml::node* center = reader.find("center")) box.center = vector(*center, "'center'", in_plane);
  const toml::node& size =
      reader.require("size", in_plane ? "the lengths of its sides, [a, b]" : "the lengths of its edges, [a, b, c]");
  box.size = vector(size, "'size'", in_plane);
  for (int axis = 0; axis < (in_plane ? 2 : 3); ++axis) {
    if (!(box.size[axis] > 0.0))
      fail_at(source_, *size.as_array()->get(static_cast<size_t>(axis)),
              fmt::format("the lengths of a box must be positive, got {}", box.size[axis]));
  }
  const toml::node *turned = reader.find("orientation"), *angle = reader.find("angle");
  if (turned && in_plane)
    fail_at(source_, *turned, "a box in the plane has no 'orientation'; its 'angle' is counted about z");
  if (angle && !in_plane) fail_at(source_, *angle, "a box in space has no 'angle'; write 'orientation'");
  if (turned) box.axes = orientation(*turned).toRotationMatrix();
  if (angle) box.axes = Eigen::AngleAxisd(number(*angle, "the angle"), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return box;
}

Shape SceneReader::read_capsule(const TableReader& reader, const Body& body) {
  const bool in_plane = body.kind == BodyKind::kPlanar;
  CapsuleShape capsule;
  capsule.from = vector(reader.require("from", "the centre of one end, in the body frame"), "'from'", in_plane);
  const toml::node& to = reader.require("to", "the centre of the other end");
  capsule.to = vector(to, "'to'", in_plane);
  if (capsule.from == capsule.to) fail_at(source_, to, "the ends of a capsule coincide: that is a [[body.sphere]]");
  capsule.radius = positive_number(reader, "radius");
  return capsule;
}

Shape SceneReader::read_cylinder(const TableReader& reader, const Body& body) {
  if (body.kind == BodyKind::kPlanar)
    fail_at(source_, reader.node(), "a cylinder in the plane is a disc, [[body.sphere]], or a rectangle, [[body.box]]");
  CylinderShape cylinder;
  cylinder.from = vector(reader.require("from", "the centre of one flat end, in the body frame"), "'from'");
  const toml::node& to = reader.require("to", "the centre of the other end");
  cylinder.to = vector(to, "'to'");
  if (cylinder.from == cylinder.to) fail_at(source_, to, "the ends of a cylinder must not coincide");
  cylinder.radius = positive_number(reader, "radius");
  return cylinder;
}

Shape SceneReader::read_hull(const TableReader& reader, const Body& body) {
  const bool in_plane = body.kind == BodyKind::kPlanar;
  const toml::node& points =
      reader.require("points", in_plane ? "the corners, [[x, y], ...]" : "the corners, [[x, y, z], ...]");
  const toml::array* list = points.as_array();
  const size_t fewest = in_plane ? 3 : 4;
  if (list == nullptr || list->size() < fewest)
    fail_at(source_, points, fmt::format("'points' must be an array of {} points or more", fewest));
  HullShape hull;
  for (const toml::node& point : *list) hull.points.push_back(vector(point, "a point of a hull", in_plane));
  try {
    if (in_plane)
      static_cast<void>(make_polygon(hull.points));
    else
      static_cast<void>(make_hull(hull.points));
  } catch (const ModelError& error) {
    fail_at(source_, points, fmt::format("the points {}", error.what()));
  }
  return hull;
}

/// Of the body that is being read.
std::vector<NamedShape> SceneReader::read_shapes(const TableReader& body_reader, const Body& body) {
  std::vector<NamedShape> shapes;
  std::set<std::string> taken;
  const Indices of_body = indices_;
  const auto read_kind = [&](const std::string& kind, std::vector<std::string> keys, auto read_shape) {
    keys.insert(keys.begin(), {"for", "name"});
    for (const toml::table* table : body_reader.tables(kind)) {
      const TableReader reader(source_, *table, fmt::format("[[body.{}]]", kind), keys);
      if (!body.turns() && kind != "sphere")
        fail_at(source_, *table, fmt::format("a point has no orientation, so no {}; give it a [[body.sphere]]", kind));
      const toml::node *repeat = reader.find("for"), *name = reader.find("name");
      const Repetition repetition = repeat ? Repetition::of_entry(source_, *repeat) : Repetition(source_);
      repetition.for_each(parameters_.resolver(), [&](const Indices& indices) {
        indices_ = of_body;
        indices_.insert(indices_.end(), indices.begin(), indices.end());
        NamedShape shape;
        if (name) {
          shape.name = filled_text(*name, "the name of a shape");
          require_usable_name(source_, *name, shape.name, "shape");
          if (!taken.insert(shape.name).second)
            fail_at(source_, *name, fmt::format("the shape '{}' of '{}' is named twice", shape.name, body.name));
        }
        shape.shape = (this->*read_shape)(reader, body);
        shapes.push_back(std::move(shape));
      });
      indices_ = of_body;
    }
  };
  read_kind("sphere", {"center", "radius"}, &SceneReader::read_sphere);
  read_kind("box", {"center", "size", "orientation", "angle"}, &SceneReader::read_box);
  read_kind("capsule", {"from", "to", "radius"}, &SceneReader::read_capsule);
  read_kind("cylinder", {"from", "to", "radius"}, &SceneReader::read_cylinder);
  read_kind("hull", {"points"}, &SceneReader::read_hull);
  return shapes;
}

}  // namespace tippe
