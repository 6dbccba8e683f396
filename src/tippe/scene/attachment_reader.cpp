// SPDX-License-Identifier: Apache-2.0
// What connects the bodies of a scene: [[spring]] and [[joint]].
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tippe/core/suggest.h"
#include "tippe/model/spring.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {

Eigen::Vector3d SceneReader::place_at_start(const PointOnBody& point) const {
  const BodyStart& start = bodies_[point.body].start;
  return start.position + start.orientation * Eigen::Vector3d(point.at[0], point.at[1], point.at[2]);
}

/// "top.tip", "top", "world", or a place in space.
SceneReader::End SceneReader::read_end(const toml::node& node) {
  if (node.is_array()) {
    const bool in_plane = planar() && node.as_array()->size() == 2;
    return {.name = "space", .point = {}, .place = vector(node, "a place in space", in_plane)};
  }
  const std::string name = filled_text(node, "an end");
  if (name == "world") return {.name = name, .point = {}, .place = Eigen::Vector3d::Zero(), .anywhere = true};
  const auto found = points_.find(name);
  if (found == points_.end()) {
    std::vector<std::string> known;
    for (const auto& [point_name, point] : points_) known.push_back(point_name);
    fail_at(
        source_, node,
        fmt::format("there is no body or point '{}'{}; a point of a body is written \"top.tip\", a place in space [x, y, z]",
                    name, did_you_mean(name, known)));
  }
  return {.name = name, .point = found->second, .place = place_at_start(found->second)};
}

std::array<SceneReader::End, 2> SceneReader::read_ends(const TableReader& reader) {
  const toml::node& node = reader.require("between", "two points, as in [\"top.tip\", \"world\"]");
  const toml::array* list = node.as_array();
  if (list == nullptr || list->size() != 2) fail_at(source_, node, "'between' must be an array of two points");
  std::array<End, 2> ends = {read_end(*list->get(0)), read_end(*list->get(1))};
  if (!ends[0].point && !ends[1].point) fail_at(source_, node, "one end at least must be on a body");
  if (ends[0].point && ends[1].point && ends[0].point->body == ends[1].point->body)
    fail_at(source_, node, fmt::format("both ends are on '{}'", bodies_[ends[0].point->body].body.name));
  for (const size_t k : {size_t{0}, size_t{1}}) {
    if (ends[k].anywhere) ends[k].place = ends[1 - k].place;
  }
  return ends;
}

MovingPoint SceneReader::moving_point(const End& end) {
  if (!end.point) return {constant(graph_, end.place), constant(graph_, Eigen::Vector3d::Zero())};
  const BodyFrame& frame = frame_of(bodies_[end.point->body]);
  const Vector3 offset = turn(frame, end.point->at);
  return {frame.position + offset, velocity_at(frame, offset)};
}

void SceneReader::read_springs() {
  const double infinity = std::numeric_limits<double>::infinity();
  read_entries("spring", {"between", "stiffness", "damping", "length"}, [&](const TableReader& reader, const std::string&) {
    const std::array<End, 2> ends = read_ends(reader);
    const toml::node& between = *reader.find("between");
    if (ends[0].anywhere || ends[1].anywhere)
      fail_at(source_, between, "\"world\" is no point for a spring; write a place in space, [x, y, z]");
    const toml::node *stiffness = reader.find("stiffness"), *damping = reader.find("damping");
    if (stiffness == nullptr && damping == nullptr)
      fail_at(source_, reader.node(), "a spring needs 'stiffness' or 'damping', or both");
    const double distance = (ends[1].place - ends[0].place).norm();
    Spring spring{.length = distance};
    if (stiffness) spring.stiffness = coefficient(*stiffness, "'stiffness'", infinity);
    if (damping) spring.damping = coefficient(*damping, "'damping'", infinity);
    if (const toml::node* length = reader.find("length")) spring.length = coefficient(*length, "'length'", infinity);
    if (spring.length > 0.0 && distance == 0.0)
      fail_at(source_, between,
              "the two ends are at the same place at the start: the force of this spring has no direction");
    const std::array<MovingPoint, 2> points = {moving_point(ends[0]), moving_point(ends[1])};
    add_spring(spring, points[0], points[1], description_);
    springs_.push_back({points[0].position, points[1].position});
  });
}

JointEnd SceneReader::joint_end(const End& end) {
  if (!end.point) {
    return {
        world_frame(graph_), {end.place[0], end.place[1], end.place[2]}, Eigen::Matrix3d::Identity(), graph_.constant(0.0)};
  }
  SceneBody& body = bodies_[end.point->body];
  Expr angle;
  if (body.body.kind == BodyKind::kPlanar) angle = inputs_.at(body.body.name + ".phi") - graph_.constant(body.start.angle);
  return {frame_of(body), end.point->at, body.start.orientation.toRotationMatrix(), angle};
}

/// Its own, or "hinge top.tip world".
std::string SceneReader::joint_name(const TableReader& reader, const std::array<End, 2>& ends) {
  if (reader.find("name") != nullptr) return read_name(reader);
  const std::string name = fmt::format("{} {} {}", reader.text("type").value_or(""), ends[0].name, ends[1].name);
  if (!law_names_.insert(name).second)
    fail_at(source_, reader.node(), fmt::format("there is a '{}' already; give this joint a 'name'", name));
  return name;
}

JointType SceneReader::joint_type(const TableReader& reader) {
  const std::map<std::string, JointType> types = {{"ball", JointType::kBall},
                                                  {"hinge", JointType::kHinge},
                                                  {"slider", JointType::kSlider},
                                                  {"fixed", JointType::kFixed},
                                                  {"rod", JointType::kRod}};
  const toml::node& node = reader.require("type", "ball, hinge, slider, fixed or rod");
  const std::string type = reader.text("type").value_or("");
  const auto found = types.find(type);
  if (found == types.end()) {
    std::vector<std::string> known;
    for (const auto& [name, value] : types) known.push_back(name);
    fail_at(source_, node,
            fmt::format("unknown joint '{}'{} (there are: {})", type, did_you_mean(type, known), comma_list(known)));
  }
  return found->second;
}

/// 'axis' and 'length', which belong to some types alone.
void SceneReader::read_joint_geometry(const TableReader& reader, const std::array<End, 2>& ends, Joint& joint) {
  const std::string type = reader.text("type").value_or("");
  const toml::node *axis = reader.find("axis"), *length = reader.find("length");
  if (joint.has_axis()) {
    joint.axis =
        vector(reader.require("axis", "its direction in space at the start, [x, y, z]"), "'axis'").stableNormalized();
    if (joint.axis.isZero()) fail_at(source_, *axis, "the axis must not be zero");
  } else if (axis != nullptr) {
    fail_at(source_, *axis, fmt::format("a joint of type \"{}\" has no 'axis'", type));
  }
  if (length != nullptr) {
    if (joint.type != JointType::kRod)
      fail_at(source_, *length, fmt::format("a joint of type \"{}\" has no 'length'", type));
    joint.length = number(*length, "'length'");
    if (!(joint.length > 0.0)) fail_at(source_, *length, fmt::format("'length' must be positive, got {}", joint.length));
  } else if (joint.type == JointType::kRod) {
    joint.length = (ends[1].place - ends[0].place).norm();
    if (!(joint.length > 0.0)) {
      fail_at(source_, *reader.find("between"),
              "the two ends of the rod are at the same place at the start, and it has no 'length'");
    }
  }
}

/// A joint that holds an orientation needs two ends that have one; the world has.
void SceneReader::require_orientations(const TableReader& reader, const std::array<End, 2>& ends, const Joint& joint) {
  if (!joint.has_axis() && joint.type != JointType::kFixed) return;
  const auto turns = [&](const End& end) { return end.point && bodies_[end.point->body].body.turns(); };
  const auto is_point = [&](const End& end) { return end.point && !turns(end); };
  if ((is_point(ends[0]) && turns(ends[1])) || (is_point(ends[1]) && turns(ends[0]))) {
    fail_at(source_, *reader.find("between"),
            fmt::format("a point has no orientation that a {} could hold; take a ball or a rod",
                        reader.text("type").value_or("")));
  }
}

/// Before names are declared: joints have coordinates that expressions may contain.
void SceneReader::declare_joints() {
  read_entries("joint", {"name", "type", "between", "axis", "length"},
               [&](const TableReader& reader, const std::string& key) {
                 Joint joint{.type = joint_type(reader), .name = {}, .key = key};
                 const std::array<End, 2> ends = read_ends(reader);
                 joint.name = joint_name(reader, ends);
                 read_joint_geometry(reader, ends, joint);
                 require_orientations(reader, ends, joint);
                 if (ends[0].point && ends[1].point) joined_.insert(std::minmax(ends[0].point->body, ends[1].point->body));
                 joint_numbers_[joint.name] = scene_joints_.size();
                 scene_joints_.push_back({joint, ends, &reader.node(), indices_, {}});
               });
}

JointCoordinate& SceneReader::coordinate_of(SceneJoint& joint) {
  if (!joint.coordinate)
    joint.coordinate = tippe::coordinate_of(joint.joint, joint_end(joint.ends[0]), joint_end(joint.ends[1]), description_);
  return *joint.coordinate;
}

void SceneReader::read_joints() {
  for (const auto& [joint, ends, table, indices, coordinate] : scene_joints_) {
    indices_ = indices;
    joints_.push_back(
        {joint.name, joint.type == JointType::kRod, {moving_point(ends[0]).position, moving_point(ends[1]).position}});
    written_[joint.key + ".position"] = {table, indices_};
    const size_t first_row = description_.constraints.size();
    try {
      add_joint(joint, joint_end(ends[0]), joint_end(ends[1]), description_);
    } catch (const ModelError& error) {
      rethrow(error);
    }
    const bool is_claimed = std::any_of(description_.constraints.begin() + static_cast<std::ptrdiff_t>(first_row),
                                        description_.constraints.end(), [&, &name = joint.name](const auto& row) {
                                          return row.constraint.name == name;  // of a rod
                                        });
    if (!is_claimed) claim_row_names(first_row, *table);
  }
  indices_.clear();
}

}  // namespace tippe
