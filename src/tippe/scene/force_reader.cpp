// SPDX-License-Identifier: Apache-2.0
// What pushes: [[force]] on bodies, points and coordinates, and [[motor]] in joints.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tippe/core/suggest.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {

/// A vector of expressions; of two components in a plane, the third is 0.
Vector3 SceneReader::components(const toml::node& node, const std::string& subject, const std::string& what, size_t count) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->size() != count) {
    fail_at(source_, node,
            fmt::format("{} must be a list of {} expressions, not {}", what, count,
                        list ? fmt::format("of {}", list->size()) : type_name(node)));
  }
  Vector3 vector = constant(graph_, Eigen::Vector3d::Zero());
  for (size_t i = 0; i < count; ++i) vector[i] = expression(*list->get(i), fmt::format("{}[{}]", subject, i), what);
  return vector;
}

/// A force f . v, component by component.
void SceneReader::push_along(const Vector3& velocity, const Vector3& force) {
  for (size_t i = 0; i < 3; ++i) {
    if (!force[i].is_constant(0.0) && !velocity[i].is_constant(0.0))
      description_.applied_forces.push_back({velocity[i], force[i]});
  }
}

std::vector<std::string> SceneReader::names_of_coordinates() {
  std::vector<std::string> coordinates;
  for (const std::string& name : names_) {
    if (rate_of_coordinate(name)) coordinates.push_back(name);
  }
  return coordinates;
}

void SceneReader::read_forces() {
  read_entries("force", {"name", "on", "force", "torque", "frame"}, [&](const TableReader& reader, const std::string& key) {
    if (reader.find("name") != nullptr) (void)read_name(reader);
    const toml::node& on = reader.require("on", "a body, a point of a body, \"arm.tip\", or a coordinate");
    const std::string name = filled_text(on, "'on'");
    if (const auto point = points_.find(name); point != points_.end()) return read_force_on_body(reader, point->second, key);
    const std::optional<Expr> rate = rate_of_coordinate(name);
    if (!rate) {
      std::vector<std::string> known;
      for (const auto& [point, place] : points_) known.push_back(point);
      std::ranges::copy(names_of_coordinates(), std::back_inserter(known));
      fail_at(source_, on,
              fmt::format("there is no body, point or coordinate '{}'{}{}", name, did_you_mean(name, known),
                          known.empty() ? "" : " (there are: " + comma_list(known) + ")"));
    }
    for (const char* of_bodies : {"torque", "frame"}) {
      if (const toml::node* node = reader.find(of_bodies))
        fail_at(source_, *node, fmt::format("'{}' is for bodies; on a coordinate give 'force', one expression", of_bodies));
    }
    const toml::node& force = reader.require("force", "the force on the coordinate, one expression");
    description_.applied_forces.push_back({*rate, expression(force, key + ".force", "'force'")});
    written_["lagrangian.forces." + name] = {&force, indices_};
  });
}

void SceneReader::read_force_on_body(const TableReader& reader, const PointOnBody& point, const std::string& key) {
  SceneBody& entry = bodies_[point.body];
  const BodyFrame& frame = frame_of(entry);
  const toml::node *force = reader.find("force"), *torque = reader.find("torque");
  if (force == nullptr && torque == nullptr) fail_at(source_, reader.node(), "give 'force' or 'torque', or both");
  const std::string in = reader.text("frame").value_or("world");
  if (in != "world" && in != "body")
    fail_at(source_, *reader.find("frame"), fmt::format("'frame' must be \"world\" or \"body\", got \"{}\"", in));
  const auto in_space = [&](const Vector3& v) {
    return in == "world" ? v : v[0] * frame.axes[0] + v[1] * frame.axes[1] + v[2] * frame.axes[2];
  };
  const bool in_plane = entry.body.kind == BodyKind::kPlanar;
  const toml::node& written = force != nullptr ? *force : *torque;
  for (const std::vector<std::string>& names : {entry.body.coordinate_names(), entry.body.velocity_names()}) {
    for (const std::string& name : names) written_.try_emplace("lagrangian.forces." + name, Written{&written, indices_});
  }
  if (force != nullptr) {
    const Vector3 f = components(*force, key + ".force", "'force'", in_plane ? 2 : 3);
    push_along(velocity_at(frame, turn(frame, point.at)), in_space(f));
  }
  if (torque == nullptr) return;
  if (!entry.body.turns())
    fail_at(source_, *torque, fmt::format("the point '{}' does not turn: give 'force' alone", entry.body.name));
  if (in_plane) {
    const Expr zero = graph_.constant(0.0);
    return push_along(frame.angular_velocity, {zero, zero, expression(*torque, key + ".torque", "'torque'")});
  }
  push_along(frame.angular_velocity, in_space(components(*torque, key + ".torque", "'torque'", 3)));
}

/// What a motor turns or pushes, and what messages call it.
Expr SceneReader::rate_of_motor(const TableReader& reader, std::string& name) {
  const toml::node *joint = reader.find("joint"), *on = reader.find("on");
  if ((joint == nullptr) == (on == nullptr))
    fail_at(source_, reader.node(), "a motor needs 'joint', the name of a hinge or slider, or 'on', a coordinate");
  const toml::node& node = joint != nullptr ? *joint : *on;
  name = filled_text(node, joint != nullptr ? "'joint'" : "'on'");
  if (on != nullptr) {
    if (const std::optional<Expr> rate = rate_of_coordinate(name)) return *rate;
    const std::vector<std::string> known = names_of_coordinates();
    fail_at(source_, node,
            fmt::format("there is no coordinate '{}'{}{}", name, did_you_mean(name, known),
                        known.empty() ? "" : " (there are: " + comma_list(known) + ")"));
  }
  const auto found = joint_numbers_.find(name);
  if (found == joint_numbers_.end()) {
    std::vector<std::string> known;
    for (const auto& [other, number] : joint_numbers_) known.push_back(other);
    fail_at(source_, node,
            fmt::format("there is no joint '{}'{}{}", name, did_you_mean(name, known),
                        known.empty() ? "" : " (there are: " + comma_list(known) + ")"));
  }
  SceneJoint& moved = scene_joints_[found->second];
  if (!moved.joint.has_axis())
    fail_at(source_, node, fmt::format("a motor turns a hinge or pushes a slider, and '{}' is neither", name));
  return coordinate_of(moved).rate;
}

void SceneReader::read_motors() {
  read_entries(
      "motor", {"name", "joint", "on", "torque", "force", "speed", "limit"},
      [&](const TableReader& reader, const std::string& key) {
        std::string name;
        const Expr rate = rate_of_motor(reader, name);
        name = "motor " + name;
        const toml::node *torque = reader.find("torque"), *force = reader.find("force"), *speed = reader.find("speed"),
                         *limit = reader.find("limit");
        if ((torque != nullptr) + (force != nullptr) + (speed != nullptr) != 1)
          fail_at(source_, reader.node(),
                  "give one of 'torque', 'force' (the same, of a slider) and 'speed' (with 'limit', its largest "
                  "torque or force)");
        if (limit != nullptr && speed == nullptr)
          fail_at(source_, *limit, "'limit' is that of a motor which holds a 'speed'");
        if (reader.find("name") != nullptr) {
          name = read_name(reader);
        } else if (!law_names_.insert(name).second) {
          fail_at(source_, reader.node(), fmt::format("there is a '{}' already; give this one a 'name'", name));
        }
        if (speed == nullptr) {
          const toml::node& given = torque != nullptr ? *torque : *force;
          description_.applied_forces.push_back({rate, expression(given, key + ".torque", "the torque of a motor")});
          return;
        }
        const Expr slip = rate - expression(*speed, key + ".velocity", "'speed'");
        if (limit == nullptr) {
          description_.constraints.push_back({{.holonomic = false, .name = name, .key = key}, {}, slip});
          return;
        }
        LawDescription law{.law = {}, .gap = {}, .velocities = {slip}};
        law.law.kind = ForceLaw::Kind::kDryFriction;
        law.law.name = name;
        law.law.key = key;
        read_limit(*limit, nullptr, law);
        description_.laws.push_back(std::move(law));
      });
}

}  // namespace tippe
