// SPDX-License-Identifier: Apache-2.0
#include "tippe/multibody/touching_system.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <ranges>
#include <string>
#include <utility>

#include "tippe/core/error.h"
#include "tippe/core/infinity.h"
#include "tippe/multibody/body_motion.h"
#include "tippe/shape/contact_finder.h"
#include "tippe/shape/feature.h"

namespace tippe {
namespace {

using Eigen::Vector3d;

class TouchingSystem final : public System {
 public:
  explicit TouchingSystem(TouchingDescription description);
  [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override;
  [[nodiscard]] const LagrangianDescription* lagrangian() const override { return motion_->lagrangian(); }
  [[nodiscard]] bool has_constant_forces() const override { return motion_->has_constant_forces(); }
  [[nodiscard]] std::string law_name(const LawId& id) const override;
  [[nodiscard]] std::vector<std::string> shape_names() const override {
    std::vector<std::string> names;
    for (std::uint32_t shape = 1; shape <= partner_of_.size(); ++shape) names.push_back(label(shape));
    return names;
  }
  [[nodiscard]] double largest_half_size() const override { return largest_half_size_; }
  [[nodiscard]] std::span<const Thickness> thicknesses() const override { return thicknesses_; }

  [[nodiscard]] const System& motion() const { return *motion_; }
  [[nodiscard]] const std::vector<BodyMotion>& bodies() const { return bodies_; }
  [[nodiscard]] size_t partners() const { return partners_.size(); }
  /// Of a shape, which are counted from 1.
  [[nodiscard]] size_t partner_of(std::uint32_t shape) const { return partner_of_[shape - 1]; }
  /// The law of contacts of two partners, or -1 if they do not touch.
  [[nodiscard]] int law_of(size_t first, size_t second) const;
  /// The law of the rolling resistance of contacts, or -1.
  [[nodiscard]] int rolling_of(int law) const { return rolling_of_law_[static_cast<size_t>(law)]; }
  [[nodiscard]] bool turns(size_t partner) const {
    return partner < bodies_.size() && bodies_[partner].kind != BodyKind::kPoint;
  }
  /// Of a law: nothing where the first tangent of its contacts is any.
  [[nodiscard]] const FrictionDirection* direction_of(int law) const {
    const auto found = direction_of_law_.find(law);
    return found == direction_of_law_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] ContactFinder make_finder() const {
    return ContactFinder(solids_,
                         [this](std::uint32_t a, std::uint32_t b) { return law_of(partner_of_[a], partner_of_[b]) >= 0; });
  }

 private:
  void add_shapes();
  void add_laws(const TouchingDescription& description);
  [[nodiscard]] std::string label(std::uint32_t shape) const;

  std::unique_ptr<const System> motion_;
  std::vector<TouchingPartner> partners_;
  PairRules rules_;
  std::vector<BodyMotion> bodies_;  // the partners that are bodies, which come first
  std::vector<PlacedSolid> solids_;
  std::vector<size_t> partner_of_, number_in_partner_;  // of each shape
  double largest_half_size_ = 0.0;
  std::vector<Thickness> thicknesses_;
  struct LawsOfRule {
    int in_space = -1, in_plane = -1;
  };
  std::vector<LawsOfRule> laws_of_rule_;
  std::map<int, FrictionDirection> direction_of_law_;
  std::vector<int> rolling_of_law_;
};

/// Numbers are counted from 1; nothing of a shape that touches as a whole.
std::string words_of(std::uint32_t name) {
  const std::uint32_t number = name & 0x0fffffffU;
  const auto counted = [](const char* what, std::uint32_t k) { return what + std::to_string(k + 1); };
  switch (feature::kind_of(name)) {
    case FeatureKind::kWhole:
      return {};
    case FeatureKind::kVertex:
      return counted("corner ", number);
    case FeatureKind::kEdge:
      return counted("edge ", number);
    case FeatureKind::kFace:
      return counted("face ", number);
    case FeatureKind::kCut:
      return counted("face ", number >> 14) + counted(" side ", (number >> 1) & 0x1fffU) +
             ((number & 1U) != 0 ? " out" : " in");
    case FeatureKind::kEnd:
      return counted("end ", number);
    case FeatureKind::kRim:
      return counted("rim ", number >> 16) + counted(" place ", number & 0xffffU);
    case FeatureKind::kLowest:
      return counted("lowest of rim ", number);
  }
  return {};
}

/// Which axis of space a tangent is made from, as expressions choose it (collide/contact_geometry.cpp): the tangents jump where n_x^2 passes
/// 0.4, which no angle that is usual in scenes has.
bool takes_y(const Vector3d& n) {
  return n[0] * n[0] >= 0.4;
}

/// Perpendicular to n: in the plane n turned by -90 degrees, else an axis less its part along n.
Vector3d tangent_of(const Vector3d& n, bool planar, bool with_y) {
  if (planar) return {n[1], -n[0], 0.0};
  const double n_e = with_y ? n[1] : n[0];
  const double length = std::sqrt(1.0 - n_e * n_e);
  const Vector3d e = with_y ? Vector3d::UnitY() : Vector3d::UnitX();
  return (e - n_e * n) / length;
}

class TouchingEvaluator final : public Evaluator {
 public:
  explicit TouchingEvaluator(const TouchingSystem& system)
      : system_(system),
        motion_(system.motion().make_evaluator()),
        finder_(system.make_finder()),
        of_motion_(list_of_fixed_laws(system.motion().laws())),
        poses_(system.bodies().size()) {}

  void set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) override {
    motion_->set_state(t, q, u);
    for (size_t k = 0; k < poses_.size(); ++k) poses_[k] = system_.bodies()[k].pose(q);
    u_ = u;
  }
  void evaluate_dynamics(Dynamics& dynamics) override { motion_->evaluate_dynamics(dynamics); }
  void evaluate_position_rate(Eigen::VectorXd& rate) override { motion_->evaluate_position_rate(rate); }
  void map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) override { motion_->map_velocities(s, dq); }
  void evaluate_constraint_positions(Eigen::VectorXd& g) override { motion_->evaluate_constraint_positions(g); }
  void evaluate_constraint_directions(SparseColumns& W, Eigen::VectorXd& chi) override {
    motion_->evaluate_constraint_directions(W, chi);
  }
  void evaluate_constraint_drift(Eigen::VectorXd& drift) override { motion_->evaluate_constraint_drift(drift); }
  void evaluate_constraint_sizes(Eigen::VectorXd& position, Eigen::VectorXd& drift) override {
    motion_->evaluate_constraint_sizes(position, drift);
  }
  Energies evaluate_energies() override { return motion_->evaluate_energies(); }

  void find_laws(double reach, LawList& laws) override {
    motion_->find_laws(reach, of_motion_);
    finder_.find(poses_, reach, found_);
    laws.clear();
    const auto fixed = static_cast<size_t>(of_motion_.size());
    const auto rolling = std::ranges::count_if(found_, [this](const FoundContact& c) { return rolling_of(c) >= 0; });
    laws.gap.setZero(static_cast<Eigen::Index>(fixed + found_.size()) + rolling);
    for (size_t k = 0; k < fixed; ++k) {
      laws.gap[laws.size()] = of_motion_.gap[static_cast<Eigen::Index>(k)];
      laws.push(of_motion_.id[k], of_motion_.law[k]);
    }
    laws.place.resize(fixed);
    for (const FoundContact& contact : found_) {
      laws.gap[laws.size()] = contact.gap;
      const LawId id = id_of(contact);
      laws.push(id, system_.law_of(system_.partner_of(id.shape_a), system_.partner_of(id.shape_b)));
      const bool with_y = takes_y(contact.normal);
      const Vector3d tangent = tangent_at(id, contact.normal, with_y, [this](size_t partner) { return pose_of(partner); });
      laws.place.push_back({place_of(id, contact.point_a, contact.point_b), contact.normal, tangent, contact.half_size});
    }
    if (rolling == 0) return;
    for (size_t k = 0; k < found_.size(); ++k) {
      const int law = rolling_of(found_[k]);
      if (law < 0) continue;
      laws.push(laws.id[fixed + k].rolling(), law);
      laws.place.push_back(laws.place[fixed + k]);
    }
  }

  void append_directions(const LawList& laws, int k, SparseColumns& W, std::vector<double>& chi) override {
    const auto at = static_cast<size_t>(k);
    const LawId& id = laws.id[at];
    if (id.is_fixed()) {
      motion_->append_directions(of_motion_, static_cast<int>(id.shape_b), W, chi);
      return;
    }
    const ForceLaw& law = system_.laws()[static_cast<size_t>(laws.law[at])];
    const ContactPlace& place = laws.place[at];
    const std::array<Vector3d, 3> directions = {place.normal, place.tangent, place.normal.cross(place.tangent)};
    const size_t first = system_.partner_of(id.contact().shape_a), second = system_.partner_of(id.shape_b);
    if (id.rolls()) {
      for (int row = 0; row < law.rows; ++row) {
        const Vector3d moment = law.rows == 1 ? Vector3d(Vector3d::UnitZ()) : directions[static_cast<size_t>(row) + 1];
        push(first, place.at, Vector3d::Zero(), moment, W);
        push(second, place.at, Vector3d::Zero(), -moment, W);
        W.finish_column();
        chi.push_back(0.0);
      }
      return;
    }
    for (int row = 0; row < law.rows; ++row) {
      const bool spins = row == 3;
      const Vector3d f = spins ? Vector3d(Vector3d::Zero()) : directions[static_cast<size_t>(row)];
      const Vector3d moment = spins ? place.normal : Vector3d(Vector3d::Zero());
      push(first, place.at, f, moment, W);
      push(second, place.at, -f, -moment, W);
      W.finish_column();
      chi.push_back(0.0);
    }
  }

  void append_drift(const LawList& laws, int k, std::vector<double>& drift) override {
    const auto at = static_cast<size_t>(k);
    if (laws.id[at].is_fixed()) {
      motion_->append_drift(of_motion_, static_cast<int>(laws.id[at].shape_b), drift);
      return;
    }
    assert(!laws.id[at].rolls());  // instants have no rolling resistance
    // Constant velocities carry each body along a screw. The rows as functions of time on that way, features frozen, are differentiated by
    // differences of fourth order: their error is the fourth power of what a body turns in `h`, and round-off divided by that.
    const FoundContact contact = contact_of(laws.id[at], laws.gap[k]);
    const size_t first = system_.partner_of(laws.id[at].shape_a), second = system_.partner_of(laws.id[at].shape_b);
    const double fastest = rate_of(first, contact) + rate_of(second, contact);
    const int rows = system_.laws()[static_cast<size_t>(laws.law[at])].rows;
    if (fastest == 0.0) {
      drift.insert(drift.end(), static_cast<size_t>(rows), 0.0);
      return;
    }
    constexpr double kTurn = 2e-3;  // rad, or of the half size
    const double h = kTurn / fastest;
    const PairFunction pair(contact, pose_of(first), pose_of(second));
    std::array<std::array<double, ForceLaw::kMostRows>, 4> gamma;
    const std::array<double, 4> times = {-2.0 * h, -h, h, 2.0 * h};
    for (size_t i = 0; i < times.size(); ++i) gamma[i] = rows_after(pair, contact, times[i]);
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
      drift.push_back((8.0 * (gamma[2][row] - gamma[1][row]) - (gamma[3][row] - gamma[0][row])) / (12.0 * h));
  }

 private:
  [[nodiscard]] static LawId id_of(const FoundContact& contact) {
    return {contact.a + 1, contact.b + 1, contact.feature_a, contact.feature_b};
  }
  [[nodiscard]] bool is_body(size_t partner) const { return partner < system_.bodies().size(); }
  /// The law of its rolling resistance, or -1.
  [[nodiscard]] int rolling_of(const FoundContact& contact) const {
    const size_t first = system_.partner_of(contact.a + 1), second = system_.partner_of(contact.b + 1);
    return system_.turns(first) || system_.turns(second) ? system_.rolling_of(system_.law_of(first, second)) : -1;
  }
  [[nodiscard]] Pose pose_of(size_t partner) const { return is_body(partner) ? poses_[partner] : Pose(); }
  /// Where the forces act: on a body on a plane at its own surface, as with expressions; between two bodies in the middle of the gap, which is the
  /// same place for both and keeps their angular momentum.
  [[nodiscard]] Vector3d place_of(const LawId& id, const Vector3d& point_a, const Vector3d& point_b) const {
    return is_body(system_.partner_of(id.shape_b)) ? Vector3d(0.5 * (point_a + point_b)) : point_a;
  }
  /// The first tangent: along the direction of the friction of its law, if it has one that is not along the normal.
  template <class PoseOf>
  [[nodiscard]] Vector3d tangent_at(const LawId& id, const Vector3d& n, bool with_y, const PoseOf& pose) const {
    const int law = system_.law_of(system_.partner_of(id.shape_a), system_.partner_of(id.shape_b));
    const FrictionDirection* direction = system_.direction_of(law);
    constexpr double kAlongNormal = 1e-6;
    if (direction != nullptr) {
      const Vector3d d =
          direction->partner ? Vector3d(pose(*direction->partner).axes * direction->direction) : direction->direction;
      const Vector3d along = d - n.dot(d) * n;
      if (along.norm() > kAlongNormal * d.norm()) return along.normalized();
    }
    return tangent_of(n, is_planar(id), with_y);
  }
  [[nodiscard]] bool is_planar(const LawId& id) const {
    const size_t first = system_.partner_of(id.shape_a);
    return is_body(first) && system_.bodies()[first].kind == BodyKind::kPlanar;
  }
  void push(size_t partner, const Vector3d& at, const Vector3d& f, const Vector3d& moment, SparseColumns& W) const {
    if (!is_body(partner)) return;
    const Pose& pose = poses_[partner];
    system_.bodies()[partner].push_force(pose, f, at - pose.position, moment, W);
  }

  /// The contact of a law that find_laws() has found at this state.
  [[nodiscard]] FoundContact contact_of(const LawId& id, double gap) {
    const auto find = [&] {
      return std::find_if(found_.begin(), found_.end(), [&](const FoundContact& contact) { return id_of(contact) == id; });
    };
    if (find() == found_.end()) finder_.find(poses_, std::max(gap, 0.0), found_);
    const auto contact = find();
    assert(contact != found_.end());
    return *contact;
  }
  /// 1/s  how fast a body turns, or moves compared with the size of what touches.
  [[nodiscard]] double rate_of(size_t partner, const FoundContact& contact) const {
    if (!is_body(partner)) return 0.0;
    const BodyMotion& body = system_.bodies()[partner];
    return body.angular_velocity(poses_[partner], u_).norm() + body.velocity(u_).norm() / contact.half_size;
  }
  /// gamma of the rows after a time with constant velocities.
  [[nodiscard]] std::array<double, ForceLaw::kMostRows> rows_after(const PairFunction& pair, const FoundContact& contact,
                                                                   double time) const {
    const LawId id = id_of(contact);
    const size_t first = system_.partner_of(id.shape_a), second = system_.partner_of(id.shape_b);
    const auto moved = [&](size_t partner) {
      return is_body(partner) ? system_.bodies()[partner].after(poses_[partner], u_, time) : Pose();
    };
    const Pose a = moved(first), b = moved(second);
    const PairFunction::Value value = pair.at(a, b);
    const Vector3d at = place_of(id, value.point_a, value.point_b);
    Vector3d v = Vector3d::Zero(), Omega = Vector3d::Zero();
    const auto add = [&](size_t partner, const Pose& pose, double sign) {
      if (!is_body(partner)) return;
      const BodyMotion& body = system_.bodies()[partner];
      const Vector3d turn = body.angular_velocity(poses_[partner], u_);
      v += sign * (body.velocity(u_) + turn.cross(at - pose.position));
      Omega += sign * turn;
    };
    add(first, a, 1.0);
    add(second, b, -1.0);
    const Vector3d n = value.normal, t = tangent_at(id, n, takes_y(contact.normal), moved);
    return {n.dot(v), t.dot(v), n.cross(t).dot(v), n.dot(Omega)};
  }

  const TouchingSystem& system_;
  std::unique_ptr<Evaluator> motion_;
  ContactFinder finder_;
  LawList of_motion_;
  std::vector<Pose> poses_;  // of the bodies
  Eigen::VectorXd u_;
  std::vector<FoundContact> found_;
};

TouchingSystem::TouchingSystem(TouchingDescription description)
    : motion_(std::move(description.motion)),
      partners_(std::move(description.partners)),
      rules_(std::move(description.rules)) {
  constraints_ = motion_->constraints();
  laws_ = motion_->laws();
  has_fixed_laws_ = false;
  impact_law_ = description.impact_law;
  mass_pattern_ = motion_->mass_pattern();
  constant_mass_ = motion_->constant_mass();
  copy_coordinates_of(*motion_);
  add_shapes();
  add_laws(description);
  const ContactFinder finder = make_finder();
  std::vector<double> thinnest(bodies_.size(), kInfinity);
  for (std::uint32_t solid = 0; solid < solids_.size(); ++solid) {
    const double half_size = finder.half_size(solid);
    if (!std::isfinite(half_size)) continue;
    largest_half_size_ = std::max(largest_half_size_, half_size);
    double& of_body = thinnest[partner_of_[solid]];
    of_body = std::min(of_body, half_size);
  }
  for (size_t body = 0; body < bodies_.size(); ++body) {
    const auto touches = [&](size_t other) { return other != body && law_of(body, other) >= 0; };
    if (thinnest[body] < kInfinity && std::ranges::any_of(std::views::iota(size_t{0}, bodies_.size()), touches))
      thicknesses_.push_back({partners_[body].name, bodies_[body].first_velocity,
                              bodies_[body].kind == BodyKind::kPlanar ? 2 : 3, thinnest[body]});
  }
}

void TouchingSystem::add_shapes() {
  const auto add = [&](const Solid& solid, size_t partner, size_t number) -> PlacedSolid& {
    partner_of_.push_back(partner);
    number_in_partner_.push_back(number);
    PlacedSolid& placed = solids_.emplace_back();
    placed.solid = solid;
    return placed;
  };
  for (size_t p = 0; p < partners_.size(); ++p) {
    const TouchingPartner& partner = partners_[p];
    if (partner.plane) {
      const Solid plane = *partner.plane;
      add(plane, p, 0);
      continue;
    }
    assert(bodies_.size() == p);
    bodies_.push_back({partner.kind, partner.first_coordinate, partner.first_velocity});
    for (size_t k = 0; k < partner.shapes.size(); ++k) {
      PlacedSolid& placed = add(partner.shapes[k].shape, p, k);
      placed.frame = static_cast<int>(p);
      placed.planar = partner.kind == BodyKind::kPlanar;
    }
  }
}

/// One for each rule; another with one slip for its pairs of planar bodies, if there are such bodies.
void TouchingSystem::add_laws(const TouchingDescription& description) {
  bool any_planar = false, any_spatial = false;
  for (const BodyMotion& body : bodies_) (body.kind == BodyKind::kPlanar ? any_planar : any_spatial) = true;
  std::map<std::string, int> given;
  for (const ForceLaw& law : laws_) ++given[law.name];
  for (size_t rule = 0; rule < description.laws.size(); ++rule) {
    const std::optional<ForceLaw>& law = description.laws[rule];
    LawsOfRule& of_rule = laws_of_rule_.emplace_back();
    if (!law) continue;
    const double arm = rule < description.rolling_arms.size() ? description.rolling_arms[rule] : 0.0;
    const auto push_law = [&](ForceLaw added) {
      if (const int count = ++given[added.name]; count > 1) added.name += " " + std::to_string(count);
      laws_.push_back(std::move(added));
      rolling_of_law_.resize(laws_.size(), -1);
      return static_cast<int>(laws_.size()) - 1;
    };
    const auto add = [&](const char* suffix, int most_rows) {
      ForceLaw added = *law;
      added.name += suffix;
      added.rows = std::min(added.rows, most_rows);
      if (most_rows < ForceLaw::kMostRows) added.drilling.reset();
      const int number = push_law(std::move(added));
      if (!(arm > 0.0)) return number;
      ForceLaw rolling;
      rolling.kind = ForceLaw::Kind::kDryFriction;
      rolling.name = laws_.back().name + " rolling";
      rolling.key = law->key;
      rolling.rows = most_rows < ForceLaw::kMostRows ? 1 : 2;
      rolling.rolling = ForceLaw::Rolling{number, arm};
      const int resistance = push_law(std::move(rolling));
      rolling_of_law_[static_cast<size_t>(number)] = resistance;
      return number;
    };
    if (any_spatial) of_rule.in_space = add("", ForceLaw::kMostRows);
    if (any_spatial && rule < description.directions.size() && description.directions[rule])
      direction_of_law_.emplace(of_rule.in_space, *description.directions[rule]);
    if (any_planar) of_rule.in_plane = add(any_spatial ? " in the plane" : "", 2);
  }
}

int TouchingSystem::law_of(size_t i, size_t j) const {
  const TouchingPartner &first = partners_[i], &second = partners_[j];
  if (first.plane) return -1;
  const bool planar = first.kind == BodyKind::kPlanar;
  const bool apart = second.plane ? planar && second.plane->normal[2] != 0.0 : planar != (second.kind == BodyKind::kPlanar);
  if (apart) return -1;
  const int rule = rules_.rule(i, j);
  if (rule == PairRules::kNone) return -1;
  const LawsOfRule& laws = laws_of_rule_[static_cast<size_t>(rule)];
  return planar ? laws.in_plane : laws.in_space;
}

std::unique_ptr<Evaluator> TouchingSystem::make_evaluator() const {
  return std::make_unique<TouchingEvaluator>(*this);
}

std::string TouchingSystem::label(std::uint32_t shape_number) const {
  const TouchingPartner& partner = partners_[partner_of(shape_number)];
  if (partner.plane) return partner.name;
  const size_t number = number_in_partner_[shape_number - 1];
  const std::string& shape = partner.shapes[number].name;
  if (!shape.empty()) return partner.name + "." + shape;
  return partner.shapes.size() == 1 ? partner.name : partner.name + "." + std::to_string(number + 1);
}

std::string TouchingSystem::law_name(const LawId& id) const {
  if (id.rolls()) return law_name(id.contact()) + " rolling";
  if (id.is_fixed() || id.shape_a > partner_of_.size() || id.shape_b > partner_of_.size()) return System::law_name(id);
  std::string name = label(id.shape_a) + "-" + label(id.shape_b);
  const std::string a = words_of(id.feature_a), b = words_of(id.feature_b);
  if (!a.empty() || !b.empty()) name += " (" + a + (a.empty() || b.empty() ? "" : ", ") + b + ")";
  return name;
}

}  // namespace

std::unique_ptr<const System> make_touching_system(TouchingDescription description) {
  return std::make_unique<TouchingSystem>(std::move(description));
}

}  // namespace tippe
