// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tippe/collide/partner.h"
#include "tippe/model/body.h"
#include "tippe/model/joint.h"
#include "tippe/model/lagrangian.h"
#include "tippe/model/spring.h"
#include "tippe/multibody/touching_system.h"
#include "tippe/scene/detail/parameters.h"
#include "tippe/scene/detail/repetition.h"
#include "tippe/scene/detail/toml_reader.h"
#include "tippe/scene/scene.h"

namespace tippe {

/// Reads one scene, top to bottom (scene.cpp; its parts in lagrangian_reader.cpp, body_reader.cpp, shape_reader.cpp,
/// actuator_reader.cpp, attachment_reader.cpp, law_reader.cpp, contact_law_reader.cpp, damping_reader.cpp, impact_reader.cpp and draw_reader.cpp), and remembers where each expression was written.
class SceneReader {
 public:
  SceneReader(const SourceText& source, const toml::table& root, const SceneOverrides& overrides)
      : source_(source),
        overrides_(overrides),
        root_(source, root, "the scene",
              {"tippe",      "title",    "source",       "parameters", "define", "world",   "body",        "lagrangian",
               "velocities", "force",    "motor",        "spring",     "joint",  "plane",   "contact_law", "bilateral",
               "contact",    "one_way",  "dry_friction", "damping",    "impact", "initial", "run",         "output",
               "draw",       "actuator", "sweep",        "event",      "units",  "inputs"}),
        parameters_(source, root_.table("parameters"), overrides.settings, overrides.varied) {}

  Scene read();

 private:
  void read_version();
  void read_name_list(const toml::node& list, const std::string& what, std::vector<std::string>& names);
  /// All coordinates and velocities have to be known before the first expression is read: input numbers depend on their count.
  void declare_lagrangian();
  void read_bodies();
  void declare_inputs();
  // input_reader.cpp
  void read_inputs();
  void start_inputs(State& start);
  void refuse_inputs_that_jump() const;
  void refuse_inputs_in(Expr y, const std::string& subject, const std::string& what) const;
  void declare_names();
  void add_bodies();
  // name_reader.cpp
  void declare_definitions();
  void refuse_cycle_of_definitions(const std::string& first) const;
  void read_definitions();
  Expr definition(const std::string& name);
  /// What a name in an expression stands for.
  [[nodiscard]] std::optional<Expr> meaning(std::string_view name);
  /// "top.angular_velocity_world.x".
  [[nodiscard]] std::optional<Expr> component_of_turning(std::string_view name);
  /// "elbow.angle" or "slide.position", and their rates.
  [[nodiscard]] std::optional<Expr> coordinate_of_joint(std::string_view name);
  /// The rate of a coordinate that a name stands for.
  [[nodiscard]] std::optional<Expr> rate_of_coordinate(const std::string& name);
  /// All names that rate_of_coordinate takes.
  [[nodiscard]] std::vector<std::string> names_of_coordinates();
  /// A number that --set gives for one of the names of a start.
  void take_setting(const std::string& name, double& value);
  // force_reader.cpp
  void read_forces();
  std::array<Expr, 3> components(const toml::node& node, const std::string& subject, const std::string& what, size_t count);
  void push_along(const Vector3& velocity, const Vector3& force);
  void read_motors();
  Expr rate_of_motor(const TableReader& reader, std::string& name);
  void read_rates();
  void read_lagrangian();
  void read_springs();
  void declare_joints();
  void read_joints();
  void read_bilaterals();
  void read_contacts();
  void read_partners();
  PlaneMotion read_motion(const toml::node& node, const std::string& key);
  void read_contact_laws();
  void read_one_ways();
  void read_dry_frictions();
  void read_dampings();
  void read_actuators(Scene& scene);
  void check_actuators(const Scene& scene) const;
  void check_dampings(const Scene& scene) const;
  void read_impact();
  void read_start(Scene& scene);
  void read_initial(const toml::table& table, std::vector<std::string> keys, std::vector<double*> targets);
  void set_start_of_body(const Body& body, BodyStart& start);
  void read_accuracy(const TableReader& reader, RunOptions& run);
  void read_tolerance(const TableReader& reader, RunOptions& run);
  void read_contact_keeping(const TableReader& reader, RunOptions& run);
  void read_variants(const TableReader& reader, RunOptions& run);
  template <class Choice>
  Choice read_choice(const TableReader& reader, const RunOptions& run, bool IntegratorInfo::*taken, const std::string& key,
                     const std::map<std::string, Choice>& choices, Choice otherwise) const;
  void read_uniqueness(const TableReader& reader, RunOptions& run) const;
  void make_system(Scene& scene);
  [[nodiscard]] TouchingDescription describe_touching();
  [[nodiscard]] TableReader run_reader(const toml::table& run) const;
  void read_run(Scene& scene);
  void limit_samples(const Scene& scene, RunOptions& run) const;
  void read_observables(Scene& scene);
  // switch_reader.cpp
  void declare_switches();
  void read_switch(const TableReader& reader, const std::string& key, LawDescription& contact);
  void start_switches(State& start);
  [[nodiscard]] std::set<std::string> names_of_switch_events() const;
  void add_switch_events(std::vector<OwnEvent>& events) const;
  // event_reader.cpp
  void read_stop_after(Scene& scene) const;
  void read_own_events(Scene& scene);
  void read_resets(const TableReader& reader, const toml::node& node, const std::string& key, const System& system,
                   OwnEvent& event);
  void check_own_events(const Scene& scene) const;
  void read_drawing(Scene& scene);
  [[nodiscard]] std::vector<Vector3> joints_of(size_t body) const;
  void read_sweep(Scene& scene);
  // unit_reader.cpp
  void read_units(Scene& scene);
  [[nodiscard]] std::map<std::string, std::string, std::less<>> read_own_units(const Scene& scene);
  [[nodiscard]] std::vector<std::string> guess_units_of_coordinates() const;
  void project_start(Scene& scene) const;
  void check_accelerations(const Scene& scene) const;
  void check_stop_at_start(const Scene& scene) const;
  void check_options(const Scene& scene);

  /// A body with all that hangs on it.
  struct SceneBody {
    Body body;
    BodyStart start;
    std::optional<BodyFrame> frame;  // made when somebody needs it, once all inputs are declared
    std::vector<NamedShape> shapes;
    const toml::table* table;
    Indices indices;
  };
  struct PointOnBody {
    size_t body;
    std::array<double, 3> at;  // m  in its frame
  };
  /// One of the two ends of a spring or a joint.
  struct End {
    std::string name;
    std::optional<PointOnBody> point;  // none: in space
    Eigen::Vector3d place;             // m  at the start, in space
    bool anywhere = false;             // "world": where the other end is
  };
  /// A [[joint]] as it was read, before its rows are made.
  struct SceneJoint {
    Joint joint;
    std::array<End, 2> ends;
    const toml::table* table;
    Indices indices;
    std::optional<JointCoordinate> coordinate;  // made when somebody needs it
  };
  JointCoordinate& coordinate_of(SceneJoint& joint);
  void read_force_on_body(const TableReader& reader, const PointOnBody& point, const std::string& key);
  void read_body(const TableReader& reader, const std::string& key);
  void read_group(const toml::node& node);
  void take_density(const TableReader& reader, const toml::node& node, SceneBody& entry);
  void read_body_kind(const TableReader& reader, Body& body);
  void read_inertia(const TableReader& reader, Body& body);
  Eigen::Matrix3d inertia_matrix(const toml::node& node);
  void read_body_start(const TableReader& reader, const Body& body, BodyStart& start);
  Eigen::Quaterniond orientation(const toml::node& node);
  void read_points(const TableReader& reader, const Body& body);
  void declare_name(const toml::node& node, const std::string& name, const std::string& what);
  void read_world();
  const BodyFrame& frame_of(SceneBody& body);
  /// Nothing but bodies, whose motion needs no expressions if their contacts are found.
  [[nodiscard]] bool is_bodies_alone() const;
  [[nodiscard]] bool records_momenta() const;
  void add_momenta(std::vector<std::string>& names, std::vector<Expr>& quantities);
  [[nodiscard]] bool planar() const;  // the bodies are all planar
  /// "top.tip.x" or, its velocity, "top.tip.x'".
  [[nodiscard]] std::optional<Expr> component_of_point(std::string_view name);
  [[nodiscard]] Eigen::Vector3d place_at_start(const PointOnBody& point) const;
  std::array<End, 2> read_ends(const TableReader& reader);
  End read_end(const toml::node& node);
  [[nodiscard]] MovingPoint moving_point(const End& end);
  [[nodiscard]] JointEnd joint_end(const End& end);
  JointType joint_type(const TableReader& reader);
  std::string joint_name(const TableReader& reader, const std::array<End, 2>& ends);
  void read_joint_geometry(const TableReader& reader, const std::array<End, 2>& ends, Joint& joint);
  void require_orientations(const TableReader& reader, const std::array<End, 2>& ends, const Joint& joint);
  std::vector<NamedShape> read_shapes(const TableReader& body_reader, const Body& body);
  Shape read_sphere(const TableReader& reader, const Body& body);
  Shape read_box(const TableReader& reader, const Body& body);
  Shape read_capsule(const TableReader& reader, const Body& body);
  Shape read_cylinder(const TableReader& reader, const Body& body);
  Shape read_hull(const TableReader& reader, const Body& body);
  double positive_number(const TableReader& reader, const std::string& key);
  /// One [[contact_law]].
  struct ContactLaw {
    ForceLaw law;  // without name and rows
    const toml::node* between = nullptr;
    const toml::node* friction = nullptr;            // may be absent
    const toml::node* rolling = nullptr;             // may be absent
    double rolling_arm = 0.0;                        // m
    std::optional<std::array<double, 3>> direction;  // of the first of two coefficients
    const BodyFrame* direction_frame = nullptr;      // of the body to which it is fixed; else space
    std::optional<size_t> direction_partner = {};    // that body
    Indices indices;
    bool touch = true;
    bool by_name = false;  // of one pair
    std::string name;      // of the law that contacts of its pairs share: "bricks-floor"
  };
  struct Chosen {
    std::vector<size_t> partners;
    bool by_name = false;
  };
  Chosen chosen_partners(const toml::node& node);
  void choose_pairs(ContactLaw& law);
  void read_friction(const toml::node& friction, ForceLaw& law);
  void read_contact_law(const TableReader& reader, const std::string& key, ContactLaw& contact);
  [[nodiscard]] bool decide_contacts() const;
  [[nodiscard]] static std::string unfindable(const Partner& first, const Partner& second);
  void refuse_unfindable() const;
  void refuse_missing(const ContactLaw& law, const Partner& first, const Partner& second, const Contacts& found) const;
  void read_direction(const TableReader& reader, ContactLaw& contact);
  void turn_slips(const ContactLaw& law, const std::string& name, ContactGeometry& geometry);
  void add_contacts(Scene& scene);
  void add_contact(const ContactLaw& law, NamedContact contact);
  void refuse_rolling_points() const;
  void add_rolling(const ContactLaw& law, const std::string& contact, const std::vector<Expr>& rolls);
  /// New names of constraints must differ from all others.
  void claim_row_names(size_t first_constraint, const toml::node& node);
  /// An array of so many numbers.
  std::vector<double> numbers(const toml::node& node, const std::string& what, size_t count);
  Eigen::Vector3d vector(const toml::node& node, const std::string& what);
  /// Three numbers, or two in a plane: the third is 0.
  Eigen::Vector3d vector(const toml::node& node, const std::string& what, bool in_plane);
  /// A text with the indices of the entry filled in.
  std::string filled_text(const toml::node& node, const std::string& what);

  std::string filled_name(const TableReader& reader, const std::string& meaning);
  std::string read_name(const TableReader& reader);
  ForceLaw begin_law(const TableReader& reader, ForceLaw::Kind kind, const std::string& key);
  void read_slip(const TableReader& reader, LawDescription& contact);
  double coefficient(const toml::node& node, const std::string& what, double largest);
  double restitution(const TableReader& reader, const std::string& key);
  void read_drilling(const toml::node* spin, const toml::node& friction, LawDescription& contact);
  double read_friction_table(const toml::table& table, const std::string& path, const std::string& size_key,
                             const std::string& size_words, bool drills, ForceLaw& law);
  [[nodiscard]] bool is_falling(const toml::table& table, const std::string& size_key) const;
  double read_falling(const toml::table& table, const std::string& path, const std::string& size_key, ForceLaw& law);
  Expr expression_of_slip(const toml::node& node, const std::string& key, ExprGraph& graph);
  void refuse_returned_slip(const toml::node& restitution, const ForceLaw& law) const;
  void read_limit(const toml::node& limit, const toml::node* spin, LawDescription& pad);
  void read_impact_law(const TableReader& reader);
  void check_impact_law();
  std::vector<double> coefficients(const toml::node& node, const std::string& what, size_t directions, double largest);
  /// Numbers and expressions of the entry that is being read, with its indices.
  [[nodiscard]] double number(const toml::node& node, const std::string& what) const {
    return parameters_.number(node, what, indices_);
  }
  Expr expression(const toml::node& node, const std::string& subject, const std::string& what);
  /// A number in [run] or [output] that the command line may replace.
  void read_number(const TableReader& reader, const std::string& key, const std::optional<std::string>& override,
                   double& value);
  /// Reads all [[key]], repeated ones as often as they say: read(reader, "contact[3]").
  template <class Read>
  void read_entries(const std::string& key, std::vector<std::string> keys, Read&& read);
  /// Reads a table with a value for each of these names: read(number of the name, value).
  template <class Read>
  void read_values(const toml::table& table, const std::string& path, const std::vector<std::string>& names, Read&& read);
  /// Throws the error of a model where its subject was written.
  [[noreturn]] void rethrow(const ModelError& error) const;

  const SourceText& source_;
  const SceneOverrides& overrides_;
  TableReader root_;
  Parameters parameters_;
  LagrangianDescription description_;
  ExprGraph& graph_ = *description_.graph;
  std::vector<std::string> coordinates_, velocities_;  // of [lagrangian] and [velocities]; those of bodies come after them
  std::vector<SceneBody> bodies_;
  std::map<std::string, PointOnBody, std::less<>> points_;  // "top", its centre of mass, and "top.tip"
  class DrawReader;
  std::vector<std::array<Vector3, 2>> springs_;  // from where to where
  struct DrawnJoint {
    std::string name;
    bool is_rod;
    std::array<Vector3, 2> ends;
  };
  std::vector<DrawnJoint> joints_;
  std::vector<SceneJoint> scene_joints_;
  std::map<std::string, size_t, std::less<>> joint_numbers_;
  /// An entry of [define].
  struct Definition {
    const toml::node* node;
    Indices indices;
    std::optional<Expr> value;
  };
  std::map<std::string, Definition, std::less<>> definitions_;
  /// A [[contact]] that acts only at times. Whether it does is a coordinate of its own, at rest, which events set to 1 and 0.
  struct SwitchedContact {
    std::string name;  // of the contact
    size_t law;
    int coordinate;
    Expr active_when, gap;
    std::string key;  // of the expression
  };
  std::vector<SwitchedContact> switches_;
  /// One of [inputs]: a coordinate that no velocity moves.
  struct SceneInput {
    std::string name;
    double value;
    int coordinate;
  };
  std::vector<SceneInput> scene_inputs_;
  std::vector<std::string> names_of_start_;                      // what --set may also give
  const toml::node* moving_plane_ = nullptr;                     // 'motion' of one
  std::vector<std::pair<size_t, ContactFrame>> contact_frames_;  // of laws between bodies
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();
  std::vector<Partner> partners_;  // bodies, then planes
  std::map<std::string, size_t, std::less<>> partner_numbers_;
  std::set<std::pair<size_t, size_t>> joined_;  // bodies that a joint connects, the smaller number first
  std::vector<ContactLaw> contact_laws_;
  PairRules pair_rules_{0};  // of partners; a rule for each of contact_laws_
  std::vector<size_t> touching_partners_;
  std::map<std::string, std::vector<size_t>, std::less<>> groups_;  // of bodies
  bool contacts_are_found_ = false;
  std::map<std::string, std::string, std::less<>> declared_;  // name -> what it names: "coordinate", "velocity", "body"
  std::vector<std::string> names_;                            // all that may occur in expressions
  std::map<std::string, Expr, std::less<>> inputs_;           // coordinates, their rates, own velocities, t
  struct Written {
    const toml::node* node;
    Indices indices;
  };
  std::map<std::string, Written> written_;  // subject -> its value in the file
  Indices indices_;                         // of the entry that is being read
  std::set<std::string> law_names_;
  std::vector<std::pair<std::string, Expr>> quantities_;
  std::vector<std::string> actuator_keys_;
  bool impact_law_named_ = false;
  bool project_start_ = false, gives_penetration_ = false;
  const toml::node* named_contacts_ = nullptr;  // [world] contacts
};

}  // namespace tippe
