// SPDX-License-Identifier: Apache-2.0
// The bodies of a scene: [world] and [[body]], with their points.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tippe/core/suggest.h"
#include "tippe/core/tolerances.h"
#include "tippe/model/body.h"
#include "tippe/scene/detail/repeated_tables.h"
#include "tippe/shape/mass_properties.h"

namespace tippe {
namespace {

void move(SphereShape& sphere, const Eigen::Vector3d& way) {
  sphere.center += way;
}
void move(BoxShape& box, const Eigen::Vector3d& way) {
  box.center += way;
}
void move(HullShape& hull, const Eigen::Vector3d& way) {
  for (Eigen::Vector3d& point : hull.points) point += way;
}
template <class FromTo>
void move(FromTo& shape, const Eigen::Vector3d& way) {
  shape.from += way;
  shape.to += way;
}
void move_shape(Shape& shape, const Eigen::Vector3d& way) {
  std::visit([&](auto& kind) { move(kind, way); }, shape);
}

}  // namespace

std::vector<double> SceneReader::numbers(const toml::node& node, const std::string& what, size_t count) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->size() != count) {
    fail_at(source_, node,
            fmt::format("{} must be an array of {} numbers, not {}", what, count,
                        list ? fmt::format("of {}", list->size()) : type_name(node)));
  }
  std::vector<double> values;
  for (const toml::node& entry : *list) values.push_back(number(entry, what));
  return values;
}

Eigen::Vector3d SceneReader::vector(const toml::node& node, const std::string& what) {
  const std::vector<double> values = numbers(node, what, 3);
  return {values[0], values[1], values[2]};
}

Eigen::Vector3d SceneReader::vector(const toml::node& node, const std::string& what, bool in_plane) {
  if (!in_plane) return vector(node, what);
  const std::vector<double> values = numbers(node, what, 2);
  return {values[0], values[1], 0.0};
}

std::string SceneReader::filled_text(const toml::node& node, const std::string& what) {
  if (!node.is_string()) fail_at(source_, node, fmt::format("{} must be a name in quotes, not {}", what, type_name(node)));
  const std::string& text = **node.as_string();
  if (indices_.empty()) return text;
  try {
    return fill_braces(text, parameters_.resolver(), indices_);
  } catch (const ExpressionError& error) {
    fail_inside(source_, node, error.offset(), error.what());
  }
}

bool SceneReader::planar() const {
  return std::all_of(bodies_.begin(), bodies_.end(),
                     [](const SceneBody& body) { return body.body.kind == BodyKind::kPlanar; });
}

void SceneReader::read_bodies() {
  const std::vector<std::string> keys = {"name",
                                         "kind",
                                         "formulation",
                                         "mass",
                                         "inertia",
                                         "position",
                                         "orientation",
                                         "angle",
                                         "velocity",
                                         "angular_velocity",
                                         "angular_velocity_world",
                                         "point",
                                         "sphere",
                                         "box",
                                         "capsule",
                                         "cylinder",
                                         "hull",
                                         "group",
                                         "density"};
  read_entries("body", keys, [&](const TableReader& reader, const std::string& key) { read_body(reader, key); });
  if (bodies_.empty() && root_.find("lagrangian") == nullptr)
    fail_at(source_, *root_.find("body"), "there is no body: the ranges are empty");
}

void SceneReader::read_body(const TableReader& reader, const std::string& key) {
  SceneBody entry{.body = {}, .start = {}, .frame = {}, .shapes = {}, .table = &reader.node(), .indices = indices_};
  Body& body = entry.body;
  const toml::node& name = reader.require("name", "how expressions and results call it");
  body.name = filled_text(name, "the name of a body");
  declare_name(name, body.name, "body");
  if (body.name == "world" || body.name == "momentum" || body.name == "angular_momentum")
    fail_at(source_, name, fmt::format("the name '{}' means something else here; take another", body.name));
  body.key = key;
  written_[key + ".position"] = {&reader.node(), indices_};
  read_body_kind(reader, body);
  const toml::node* density = reader.find("density");
  if (density == nullptr) {
    const toml::node& mass = reader.require("mass", "its mass, > 0, or 'density'");
    body.mass = number(mass, "the mass");
    if (!(body.mass > 0.0)) fail_at(source_, mass, fmt::format("the mass must be positive, got {}", body.mass));
    read_inertia(reader, body);
  }
  read_body_start(reader, body, entry.start);

  int coordinates = static_cast<int>(coordinates_.size()), velocities = static_cast<int>(velocities_.size());
  if (!bodies_.empty()) {
    const Body& last = bodies_.back().body;
    coordinates = last.first_coordinate + static_cast<int>(last.coordinate_names().size());
    velocities = last.first_velocity + static_cast<int>(last.velocity_names().size());
  }
  body.first_coordinate = coordinates;
  body.first_velocity = velocities;
  points_[body.name] = {bodies_.size(), {0.0, 0.0, 0.0}};
  read_points(reader, body);
  entry.shapes = read_shapes(reader, body);
  if (density != nullptr) take_density(reader, *density, entry);
  set_start_of_body(body, entry.start);
  if (const toml::node* group = reader.find("group")) read_group(*group);
  bodies_.push_back(std::move(entry));
}

/// What --set gives of it: "ball.x=0.3".
void SceneReader::set_start_of_body(const Body& body, BodyStart& start) {
  if (!parameters_.has_other_settings()) return;
  const auto take = [&](const std::string& name, double& value) {
    names_of_start_.push_back(body.name + name);
    take_setting(body.name + name, value);
  };
  const std::array<const char*, 3> axes = {"x", "y", "z"};
  const bool planar = body.kind == BodyKind::kPlanar;
  for (int i = 0; i < (planar ? 2 : 3); ++i) {
    const std::string axis = axes[static_cast<size_t>(i)];
    take("." + axis, start.position[i]);
    take(".v" + axis, start.velocity[i]);
    if (body.turns() && !planar) take(".w" + axis, start.angular_velocity[i]);
  }
  if (!planar) return;
  take(".phi", start.angle);
  take(".w", start.angular_velocity[2]);
  start.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(start.angle, Eigen::Vector3d::UnitZ()));
}

/// Mass and inertia of the shapes. What was written from the origin of the frame is then counted from the centre of mass.
void SceneReader::take_density(const TableReader& reader, const toml::node& node, SceneBody& entry) {
  Body& body = entry.body;
  for (const char* key : {"mass", "inertia"}) {
    if (const toml::node* other = reader.find(key))
      fail_at(source_, *other, fmt::format("give 'density' or '{}', not both", key));
  }
  const double density = number(node, "the density");
  if (!(density > 0.0)) fail_at(source_, node, fmt::format("the density must be positive, got {}", density));
  if (entry.shapes.empty()) fail_at(source_, node, "a body with a density needs a shape that says how much there is of it");
  if (!body.turns()) fail_at(source_, node, "a point has no volume: give it a mass");
  const bool in_plane = body.kind == BodyKind::kPlanar;
  std::vector<MassProperties> parts;
  for (const NamedShape& shape : entry.shapes)
    parts.push_back(mass_properties(std::visit([](const auto& kind) { return Solid(kind); }, shape.shape), in_plane));
  const MassProperties whole = sum_of(parts);
  body.mass = density * whole.volume;
  body.inertia = density * whole.inertia;
  if (!(std::isfinite(body.mass) && body.mass > 0.0))
    fail_at(
        source_, node,
        fmt::format("the shapes have the volume {:.3g}, and with this density the mass {:.3g}", whole.volume, body.mass));
  const Eigen::Vector3d center = whole.center;
  if (center.isZero(0.0)) return;
  for (NamedShape& shape : entry.shapes) move_shape(shape.shape, -center);
  const std::string prefix = body.name + ".";
  for (auto point = points_.lower_bound(prefix); point != points_.end() && point->first.starts_with(prefix); ++point) {
    for (size_t i = 0; i < 3; ++i) point->second.at[i] -= center[static_cast<Eigen::Index>(i)];
  }
  BodyStart& start = entry.start;
  const Eigen::Vector3d offset = start.orientation * center;
  start.position += offset;
  start.velocity += (start.orientation * start.angular_velocity).cross(offset);
}

/// By which [[contact_law]] may call the body that is being read, and others.
void SceneReader::read_group(const toml::node& node) {
  const std::string name = filled_text(node, "the group of a body");
  require_usable_name(source_, node, name, "group");
  const auto [place, is_new] = declared_.emplace(name, "group");
  if (!is_new && place->second != "group")
    fail_at(source_, node, fmt::format("'{}' is both a group and a {}; rename one", name, place->second));
  groups_[name].push_back(bodies_.size());
}

void SceneReader::read_body_kind(const TableReader& reader, Body& body) {
  const std::string kind = reader.text("kind").value_or("rigid");
  const std::vector<std::string> kinds = {"rigid", "point", "planar"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    fail_at(source_, *reader.find("kind"),
            fmt::format("unknown kind '{}'{}; there are {}", kind, did_you_mean(kind, kinds), comma_list(kinds)));
  }
  std::vector<std::string> foreign = {"angle"};
  if (kind == "point") {
    body.kind = BodyKind::kPoint;
    foreign = {"formulation", "inertia", "orientation", "angle", "angular_velocity", "angular_velocity_world", "point"};
  } else if (kind == "planar") {
    body.kind = BodyKind::kPlanar;
    foreign = {"formulation", "orientation", "angular_velocity_world"};
  } else if (const std::optional<std::string> formulation = reader.text("formulation")) {
    const std::map<std::string, BodyKind> formulations = {
        {"newton-euler", BodyKind::kNewtonEuler}, {"scalable", BodyKind::kScalable}, {"affine", BodyKind::kAffine}};
    if (!formulations.contains(*formulation)) {
      fail_at(source_, *reader.find("formulation"),
              fmt::format("unknown formulation '{}'; there are newton-euler, scalable and affine", *formulation));
    }
    body.kind = formulations.at(*formulation);
  }
  for (const std::string& key : foreign) {
    const toml::node* node = reader.find(key);
    if (node == nullptr) continue;
    const std::string hint = kind == "planar" && key == "orientation"              ? "; its 'angle' is counted about z"
                             : kind == "planar" && key == "angular_velocity_world" ? "; write 'angular_velocity', about z"
                             : kind == "rigid"                                     ? "; write 'orientation'"
                                                                                   : "";
    fail_at(source_, *node, fmt::format("a body of kind \"{}\" has no '{}'{}", kind, key, hint));
  }
}

void SceneReader::read_inertia(const TableReader& reader, Body& body) {
  if (body.kind == BodyKind::kPoint) return;
  if (body.kind == BodyKind::kPlanar) {
    const toml::node& node = reader.require("inertia", "its moment of inertia about the centre of mass, one number");
    const double J = number(node, "the inertia of a planar body");
    if (!(J > 0.0)) fail_at(source_, node, fmt::format("the inertia must be positive, got {}", J));
    body.inertia(2, 2) = J;
    return;
  }
  const toml::node& node = reader.require("inertia", "three principal moments, or a 3x3 matrix about the centre of mass");
  body.inertia = inertia_matrix(node);
  const Eigen::Matrix3d& Theta = body.inertia;
  const double size = Theta.cwiseAbs().maxCoeff();
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
    if (std::abs(Theta(i, j) - Theta(j, i)) > kAsymmetry * size) {
      fail_at(source_, node,
              fmt::format("the inertia must be symmetric, but its entries {0}{1} and {1}{0} are {2} and {3}", i + 1, j + 1,
                          Theta(i, j), Theta(j, i)));
    }
  }
  body.inertia = (0.5 * (Theta + Theta.transpose())).eval();
  const Eigen::Vector3d J =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(Theta, Eigen::EigenvaluesOnly).eigenvalues();  // ascending
  if (J[0] < -kAsymmetry * size || !(size > 0.0)) {
    fail_at(source_, node,
            fmt::format("the inertia must be positive: its principal moments are {:.6g}, {:.6g} and {:.6g}{}", J[0], J[1],
                        J[2], size > 0.0 ? "" : "; a body without extension is kind = \"point\""));
  }
  if (J[0] + J[1] < J[2] * (1.0 - kAsymmetry)) {
    fail_at(
        source_, node,
        fmt::format("no body has the principal moments of inertia {:.6g}, {:.6g} and {:.6g}: none can be larger than the "
                    "sum of the other two",
                    J[0], J[1], J[2]));
  }
}

Eigen::Matrix3d SceneReader::inertia_matrix(const toml::node& node) {
  const toml::array* rows = node.as_array();
  if (rows == nullptr || rows->size() != 3) {
    fail_at(source_, node,
            fmt::format("the inertia must be three principal moments [J1, J2, J3] or a matrix of three rows, not {}",
                        rows ? fmt::format("{} entries", rows->size()) : type_name(node)));
  }
  Eigen::Matrix3d Theta = Eigen::Matrix3d::Zero();
  const bool matrix = rows->get(0)->is_array();
  for (int i = 0; i < 3; ++i) {
    const toml::node& row = *rows->get(static_cast<size_t>(i));
    if (matrix) {
      Theta.row(i) = vector(row, "a row of the inertia");
    } else {
      Theta(i, i) = number(row, "the inertia");
    }
  }
  return Theta;
}

/// { axis = [0, 0, 1], angle = 0.3 } or { quaternion = [w, x, y, z] }.
Eigen::Quaterniond SceneReader::orientation(const toml::node& node) {
  const char* const form = "'orientation' is { axis = [x, y, z], angle = a } or { quaternion = [w, x, y, z] }";
  if (!node.is_table()) fail_at(source_, node, form);
  const TableReader reader(source_, *node.as_table(), "'orientation'", {"axis", "angle", "quaternion"});
  const toml::node *axis = reader.find("axis"), *angle = reader.find("angle"), *quaternion = reader.find("quaternion");
  if (quaternion != nullptr ? axis != nullptr || angle != nullptr : axis == nullptr || angle == nullptr)
    fail_at(source_, node, form);
  if (quaternion != nullptr) {
    const std::vector<double> A = numbers(*quaternion, "the quaternion", 4);
    const Eigen::Vector4d unit = Eigen::Vector4d(A[0], A[1], A[2], A[3]).stableNormalized();
    if (unit.isZero()) fail_at(source_, *quaternion, "the quaternion must not be zero");
    return {unit[0], unit[1], unit[2], unit[3]};
  }
  const Eigen::Vector3d direction = vector(*axis, "the axis").stableNormalized();
  if (direction.isZero()) fail_at(source_, *axis, "the axis must not be zero");
  return Eigen::Quaterniond(Eigen::AngleAxisd(number(*angle, "the angle"), direction));
}

void SceneReader::read_body_start(const TableReader& reader, const Body& body, BodyStart& start) {
  const bool in_plane = body.kind == BodyKind::kPlanar;
  if (const toml::node* position = reader.find("position")) start.position = vector(*position, "the position", in_plane);
  if (const toml::node* velocity = reader.find("velocity")) start.velocity = vector(*velocity, "the velocity", in_plane);
  const toml::node *w = reader.find("angular_velocity"), *w_world = reader.find("angular_velocity_world");
  if (in_plane) {
    if (const toml::node* angle = reader.find("angle")) start.angle = number(*angle, "the angle");
    start.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(start.angle, Eigen::Vector3d::UnitZ()));
    if (w != nullptr) start.angular_velocity[2] = number(*w, "the angular velocity of a planar body");
    return;
  }
  if (const toml::node* given = reader.find("orientation")) start.orientation = orientation(*given);
  if (w != nullptr && w_world != nullptr)
    fail_at(source_, *w_world, "give one of 'angular_velocity' (in the body frame) and 'angular_velocity_world' (in space)");
  if (w != nullptr) start.angular_velocity = vector(*w, "the angular velocity");
  if (w_world != nullptr) start.angular_velocity = start.orientation.conjugate() * vector(*w_world, "the angular velocity");
}

void SceneReader::read_points(const TableReader& reader, const Body& body) {
  const std::vector<std::string> coordinates = body.coordinate_names(), velocities = body.velocity_names();
  for (const toml::table* table : reader.tables("point")) {
    const TableReader point(source_, *table, "[[body.point]]", {"name", "at"});
    const toml::node& name_node =
        point.require("name", "how expressions call it: top.tip.x for the name \"tip\" on \"top\"");
    const std::string short_name = filled_text(name_node, "the name of a point");
    require_usable_name(source_, name_node, short_name, "point");
    const std::string name = body.name + "." + short_name;
    if (points_.contains(name)) fail_at(source_, name_node, fmt::format("the point '{}' is named twice", name));
    for (const std::vector<std::string>* taken : {&coordinates, &velocities}) {
      if (std::find(taken->begin(), taken->end(), name) != taken->end())
        fail_at(source_, name_node, fmt::format("'{}' is a coordinate or velocity of the body; rename the point", name));
    }
    const Eigen::Vector3d at = vector(point.require("at", "where it is in the body frame, from the centre of mass"),
                                      "the place of a point", body.kind == BodyKind::kPlanar);
    points_[name] = {bodies_.size(), {at[0], at[1], at[2]}};
  }
}

void SceneReader::read_world() {
  const toml::table* world = root_.table("world");
  if (world == nullptr) return;
  const TableReader reader(source_, *world, "[world]", {"gravity", "contacts"});
  if (const toml::node* gravity = reader.find("gravity")) {
    if (bodies_.empty()) fail_at(source_, *gravity, "'gravity' acts on bodies, [[body]], and there are none");
    gravity_ = vector(*gravity, "'gravity'", planar() && gravity->is_array() && gravity->as_array()->size() == 2);
  }
  const std::optional<std::string> contacts = reader.text("contacts");
  if (!contacts) return;
  named_contacts_ = reader.find("contacts");
  if (*contacts != "found" && *contacts != "expressions")
    fail_at(source_, *named_contacts_,
            fmt::format("'contacts' must be \"found\", by the shapes while the bodies move, or \"expressions\", got \"{}\"",
                        *contacts));
}

const BodyFrame& SceneReader::frame_of(SceneBody& body) {
  if (!body.frame) body.frame = make_frame(body.body, description_);
  return *body.frame;
}

/// Frames, inertia and weight of all bodies, now that the inputs are declared.
void SceneReader::add_bodies() {
  for (SceneBody& entry : bodies_) {
    const BodyFrame& frame = frame_of(entry);
    const size_t first_row = description_.constraints.size();
    add_body(entry.body, frame, description_);
    claim_row_names(first_row, *entry.table);
    const Vector3 weight = constant(graph_, entry.body.mass * gravity_);
    description_.potential = description_.potential - dot(weight, frame.position);
    if (entry.body.kind != BodyKind::kAffine) continue;
    const char* const components[] = {".wx", ".wy", ".wz"};
    for (size_t i = 0; i < 3; ++i) {
      const std::string name = entry.body.name + components[i];
      inputs_[name] = dot(frame.axes[i], frame.angular_velocity);
      names_.push_back(name);
    }
  }
}

void SceneReader::claim_row_names(size_t first_constraint, const toml::node& node) {
  for (size_t k = first_constraint; k < description_.constraints.size(); ++k) {
    const std::string& name = description_.constraints[k].constraint.name;
    if (!law_names_.insert(name).second) fail_at(source_, node, fmt::format("the name '{}' is used twice", name));
  }
}

std::optional<Expr> SceneReader::component_of_point(std::string_view name) {
  const bool is_velocity = name.ends_with('\'');
  if (is_velocity) name.remove_suffix(1);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot + 2 != name.size()) return std::nullopt;
  const size_t component = std::string_view("xyz").find(name.back());
  const auto found = points_.find(name.substr(0, dot));
  if (component == std::string_view::npos || found == points_.end()) return std::nullopt;
  SceneBody& body = bodies_[found->second.body];
  if (component == 2 && body.body.kind == BodyKind::kPlanar) return std::nullopt;
  const BodyFrame& frame = frame_of(body);
  if (is_velocity) return velocity_at(frame, turn(frame, found->second.at))[component];
  return place(frame, found->second.at)[component];
}

bool SceneReader::records_momenta() const {
  constexpr size_t kMostBodies =
      1000;  // whose contacts are found: expressions of all bodies take longer to make than the rest of such a scene
  return !bodies_.empty() && !(contacts_are_found_ && bodies_.size() > kMostBodies);
}

/// Momentum and angular momentum about the origin of all bodies together: recorded without being asked for.
void SceneReader::add_momenta(std::vector<std::string>& names, std::vector<Expr>& quantities) {
  Vector3 P = constant(graph_, Eigen::Vector3d::Zero()), L = P;
  for (SceneBody& entry : bodies_) {
    const BodyFrame& frame = frame_of(entry);
    P = P + momentum(entry.body, frame);
    L = L + angular_momentum(entry.body, frame, description_);
  }
  const char* const components[] = {".x", ".y", ".z"};
  for (size_t i = 0; i < 3; ++i) {
    if (planar() && i == 2) continue;
    names.push_back(std::string("momentum") + components[i]);
    quantities.push_back(P[i]);
  }
  for (size_t i = 0; i < 3; ++i) {
    if (planar() && i < 2) continue;
    names.push_back(std::string("angular_momentum") + components[i]);
    quantities.push_back(L[i]);
  }
}

}  // namespace tippe
