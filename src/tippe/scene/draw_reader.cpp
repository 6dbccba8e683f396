// SPDX-License-Identifier: Apache-2.0
// How a scene looks: its bodies and what belongs to them, and [[draw]].
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "tippe/draw/drawing_builder.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {
namespace {

/// What an entry draws, and which keys it may have beside that.
struct DrawnKind {
  const char* key;
  std::vector<std::string> companions;
};
const std::vector<DrawnKind>& drawn_kinds() {
  static const std::vector<DrawnKind> kinds = {
      {"line", {"part"}}, {"polyline", {"part", "closed"}},       {"circle", {"part", "angle"}}, {"spring", {"part"}},
      {"text", {"at"}},   {"force", {"at", "normal", "tangents"}}};
  return kinds;
}

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names;
  for (const DrawnKind& kind : drawn_kinds()) names.emplace_back(kind.key);
  return names;
}

}  // namespace

/// Reads the expressions of one [[draw]].
class SceneReader::DrawReader {
 public:
  DrawReader(SceneReader& scene, const TableReader& reader, std::string key, DrawingBuilder& drawing,
             const std::map<std::string, size_t>& law_numbers)
      : scene_(scene), reader_(reader), key_(std::move(key)), drawing_(drawing), law_numbers_(law_numbers) {}

  void read() {
    const DrawnKind& kind = find_kind();
    const toml::node& node = *reader_.find(kind.key);
    const std::string name = kind.key;
    if (name == "line") {
      const std::array<Vector3, 2> ends = two_points(node, name);
      drawing_.add_line(part(), ends, false);
    } else if (name == "polyline") {
      const toml::node* closed = reader_.find("closed");
      drawing_.add_line(part(), points(node, name), closed != nullptr && true_or_false(source(), *closed, "closed"));
    } else if (name == "circle") {
      add_circle(node);
    } else if (name == "spring") {
      const auto [from, to] = two_points(node, name);
      drawing_.add_spring(part(), from, to);
    } else if (name == "text") {
      drawing_.add_text(point(reader_.require("at", "where it stands, [x, y]"), "at"), scene_.filled_text(node, "'text'"));
    } else {
      add_force(node);
    }
  }

 private:
  [[nodiscard]] const SourceText& source() const { return scene_.source_; }

  /// The one thing that the entry draws; all its keys must belong to that.
  [[nodiscard]] const DrawnKind& find_kind() const {
    const DrawnKind* found = nullptr;
    for (const DrawnKind& kind : drawn_kinds()) {
      const toml::node* node = reader_.find(kind.key);
      if (node == nullptr) continue;
      if (found != nullptr)
        fail_at(source(), *node, fmt::format("an entry draws one thing, and this one has '{}' already", found->key));
      found = &kind;
    }
    if (found == nullptr)
      fail_at(source(), reader_.node(), fmt::format("[[draw]] needs one of {}", comma_list(names_of_kinds())));
    for (const auto& [key, value] : in_file_order(reader_.node())) {
      const std::string name(key->str());
      const bool belongs = std::find(found->companions.begin(), found->companions.end(), name) != found->companions.end();
      if (name == "for" || name == found->key || belongs) continue;
      fail_at(source(), *key,
              fmt::format("'{}' is no key of a {}{}", name, found->key,
                          found->companions.empty() ? "" : "; it may have " + comma_list(found->companions)));
    }
    return *found;
  }

  std::string part() {
    const toml::node* node = reader_.find("part");
    return node ? scene_.filled_text(*node, "'part'") : std::string();
  }

  Expr value(const toml::node& node, const std::string& what) {
    const Expr expression = scene_.expression(node, fmt::format("{}.{}", key_, what), fmt::format("'{}'", what));
    if (expression.is_constant() && !std::isfinite(expression.constant_value()))
      fail_at(source(), node, fmt::format("'{}' must be finite, got {}", what, expression.constant_value()));
    return expression;
  }

  /// The expressions of an array whose length is one of two: in the plane, or in space.
  std::vector<Expr> values(const toml::node& node, const std::string& what, size_t in_plane, size_t in_space,
                           const std::string& example) {
    const toml::array* list = node.as_array();
    if (list == nullptr || (list->size() != in_plane && list->size() != in_space)) {
      fail_at(source(), node,
              fmt::format("'{}' must be an array of {} expressions, {}, or of {} in space{}", what, in_plane, example,
                          in_space, list == nullptr ? "" : fmt::format("; here are {}", list->size())));
    }
    std::vector<Expr> expressions;
    for (size_t k = 0; k < list->size(); ++k) expressions.push_back(value(*list->get(k), fmt::format("{}[{}]", what, k)));
    if (list->size() == in_space) drawing_.set_spatial();
    return expressions;
  }

  /// Two or three expressions from the k-th on.
  [[nodiscard]] Vector3 vector_at(const std::vector<Expr>& values, size_t k, size_t dimension) const {
    return {values[k], values[k + 1], dimension == 3 ? values[k + 2] : scene_.graph_.constant(0.0)};
  }

  Vector3 point(const toml::node& node, const std::string& what) {
    const std::vector<Expr> p = values(node, what, 2, 3, "[\"x\", \"y\"]");
    return vector_at(p, 0, p.size());
  }

  std::array<Vector3, 2> two_points(const toml::node& node, const std::string& what) {
    const std::vector<Expr> p = values(node, what, 4, 6, "[\"x1\", \"y1\", \"x2\", \"y2\"]");
    return {vector_at(p, 0, p.size() / 2), vector_at(p, p.size() / 2, p.size() / 2)};
  }

  std::vector<Vector3> points(const toml::node& node, const std::string& what) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() < 2)
      fail_at(source(), node, fmt::format("'{}' must be an array of two or more points, [[\"x1\", \"y1\"], ...]", what));
    std::vector<Vector3> result;
    for (size_t k = 0; k < list->size(); ++k) result.push_back(point(*list->get(k), fmt::format("{}[{}]", what, k)));
    return result;
  }

  void add_circle(const toml::node& node) {
    const std::vector<Expr> c = values(node, "circle", 3, 4, "[\"x\", \"y\", \"radius\"]");
    const toml::node* angle = reader_.find("angle");
    if (angle != nullptr && c.size() == 4) fail_at(source(), *angle, "a sphere in space has no 'angle'");
    if (c.back().is_constant() && !(c.back().constant_value() > 0.0))
      fail_at(source(), *node.as_array()->get(c.size() - 1),
              fmt::format("the radius must be positive, got {}", c.back().constant_value()));
    drawing_.add_circle(part(), vector_at(c, 0, c.size() - 1), c.back(), angle ? value(*angle, "angle") : Expr());
  }

  Vector3 direction(const toml::node& node, const std::string& what) {
    const Vector3 d = point(node, what);
    if (dot(d, d).is_constant(0.0)) fail_at(source(), node, fmt::format("'{}' must not be zero", what));
    return d;
  }

  void add_force(const toml::node& node) {
    const std::string name = scene_.filled_text(node, "'force'");
    const auto found = law_numbers_.find(name);
    if (found == law_numbers_.end()) {
      std::vector<std::string> names;
      for (const auto& [law, number] : law_numbers_) names.push_back(law);
      fail_at(source(), node,
              fmt::format("there is no law '{}'{}{}", name, did_you_mean(name, names),
                          names.empty() ? "" : " (there are: " + comma_list(names) + ")"));
    }
    const size_t number = found->second;
    const ForceLaw& law = scene_.description_.laws[number].law;
    const size_t slips = static_cast<size_t>(std::max(0, law.first_slip() + law.slips() - 1));  // beside the first row
    ContactFrame frame{point(reader_.require("at", "where the force acts, [\"x\", \"y\"]"), "at"), {}, {}};
    const toml::node& normal = reader_.require("normal", "which way a positive force acts, [\"0\", \"1\"]");
    frame.normal = direction(normal, "normal");
    const std::string wanted = slips == 1 ? "[[\"1\", \"0\"]]" : "[[\"1\", \"0\", \"0\"], [\"0\", \"1\", \"0\"]]";
    const toml::node* tangents = reader_.find("tangents");
    if (tangents == nullptr && slips > 0) {
      fail_at(source(), reader_.node(),
              fmt::format("'{}' has friction: give the direction{}, tangents = {}", name,
                          slips == 1 ? " of its slip" : "s of its slips", wanted));
    }
    if (tangents != nullptr) {
      const toml::array* list = tangents->as_array();
      if (list == nullptr || list->size() != slips) {
        fail_at(source(), *tangents,
                slips == 0 ? fmt::format("'{}' has no friction, hence no 'tangents'", name)
                           : fmt::format("'tangents' must have a direction for each slip of '{}': {}", name, wanted));
      }
      for (size_t k = 0; k < slips; ++k) frame.tangents.push_back(direction(*list->get(k), fmt::format("tangents[{}]", k)));
    }
    drawing_.add_force(number, frame);
  }

  SceneReader& scene_;
  const TableReader& reader_;
  std::string key_;
  DrawingBuilder& drawing_;
  const std::map<std::string, size_t>& law_numbers_;
};

/// Where a body has joints, different places each: a link without shapes is drawn between them.
std::vector<Vector3> SceneReader::joints_of(size_t body) const {
  std::vector<Vector3> places;
  std::set<std::array<double, 3>> known;
  for (size_t k = 0; k < scene_joints_.size(); ++k) {
    for (size_t end = 0; end < 2; ++end) {
      const std::optional<PointOnBody>& point = scene_joints_[k].ends[end].point;
      if (point && point->body == body && known.insert(point->at).second) places.push_back(joints_[k].ends[end]);
    }
  }
  return places;
}

void SceneReader::read_drawing(Scene& scene) {
  std::vector<std::string> keys = names_of_kinds();
  for (const DrawnKind& kind : drawn_kinds()) {
    for (const std::string& companion : kind.companions) {
      if (std::find(keys.begin(), keys.end(), companion) == keys.end()) keys.push_back(companion);
    }
  }
  std::set<std::string> parts;
  read_entries("draw", keys, [&](const TableReader& reader, const std::string&) {
    if (const toml::node* part = reader.find("part")) parts.insert(filled_text(*part, "'part'"));
  });
  std::map<std::string, size_t> law_numbers;
  for (size_t k = 0; k < description_.laws.size(); ++k) law_numbers[description_.laws[k].law.name] = k;
  DrawingBuilder drawing(description_);
  for (const Partner& partner : partners_) {
    if (partner.plane) drawing.add_plane(partner.name, *partner.plane);
  }
  using WithoutShapes = DrawingBuilder::WithoutShapes;
  for (size_t k = 0; k < bodies_.size(); ++k) {
    const SceneBody& body = bodies_[k];
    const bool is_drawn = parts.contains(body.body.name);
    const std::vector<Vector3> link = is_drawn || !body.shapes.empty() ? std::vector<Vector3>() : joints_of(k);
    drawing.add_body(body.body, body.shapes,
                     is_drawn || link.size() > 1 ? WithoutShapes::kNothing : WithoutShapes::kStandIn);
    if (link.size() > 1) drawing.add_line(body.body.name, link, link.size() > 2);
  }
  for (const auto& [from, to] : springs_) drawing.add_spring("", from, to);
  for (const DrawnJoint& joint : joints_) {
    if (joint.is_rod) {
      drawing.add_line("", joint.ends, false);
    } else {
      drawing.add_joint(joint.name, joint.ends[0]);
    }
  }
  read_entries("draw", keys, [&](const TableReader& reader, const std::string& key) {
    DrawReader(*this, reader, key, drawing, law_numbers).read();
  });
  for (const auto& [law, frame] : contact_frames_) drawing.add_force(law, frame);
  scene.run.drawing = drawing.finish(-gravity_);
}

}  // namespace tippe
