// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/contact/contact_state.h"
#include "tippe/core/dense_llt.h"
#include "tippe/core/dense_lu.h"
#include "tippe/core/least_squares.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/model/motion_series.h"
#include "tippe/model/system.h"
#include "tippe/problem/contact_mode.h"

namespace tippe {

/// MotionSeries::Switch::forced of an argument that is zero as long as the mode lasts, as that of abs(slip) while the contact sticks.
constexpr int kStaysZero = 2;

/// A set of directions in which a law or a constraint pushes with a force x >= 0 (or of either sign).
struct ForceColumn {
  enum class Kind {
    kConstraint,  // of either sign
    kNormal,      // x >= 0; without friction, or with that of a sliding contact along with it
    kEdge,        // x >= 0; an edge of the friction cone of a sticking contact: normal + side mu tangent
    kHeld,        // of either sign: a sticking contact in space, its rows one by one; a dry friction that holds
    kLoose,       // of either sign, and zero: along a direction without mass that nothing else holds
  };
  Kind kind = Kind::kConstraint;
  int law = -1;             // or the constraint
  int row = 0;              // kHeld
  double side = 0.0;        // kEdge: 1 or -1
  bool basic = true;        // false: redundant, x stays what it is
  double fixed = 0.0;       // N  that: 0, the limit of a dry friction, or its share
  double fixed_rate = 0.0;  // N/s  with which it changes
};

/// The motion of a system while every law keeps its mode, as a Taylor polynomial about a state:
///
///   M u' = h + sum B_c x_c ,   gamma' = J u' + drift = 0 in all rows that hold ,   q' = F u + beta
///
/// Rows that hold: constraints, normals of closed contacts, tangents of sticking ones. Where rows depend on each other an independent part of them
/// is kept, and as many force columns that can carry the load with x >= 0. M may be singular where the rows hold the massless directions, or where loads do:
/// see massless_motion.cpp.
class ModeFlow {
 public:
  ModeFlow(const System& system, int order);

  [[nodiscard]] int order() const { return order_; }
  [[nodiscard]] const System& system() const { return system_; }
  /// What the motion was like so far; nullptr: nothing is known but the state. Must outlive the flow.
  void set_scales(const MotionScales* scales) { scales_ = scales; }
  /// When they have changed since the expansion.
  void forget_times() {
    times_.reset();
    acceleration_size_.reset();
  }

  enum class Status {
    kOk,
    kNotFinite,
    kMassSingular,   // a massless direction that nothing holds
    kContradiction,  // constraints contradict each other
    kSingular,       // the forces are not determined by the rows: Painleve's singularity
    kNoDirection,    // of a slow contact: never the result of expand()
  };
  /// The modes and the rows that hold. `direction`: of a contact in space that begins to slide or slides slowly, about its unit direction of motion,
  /// else empty.
  void set_modes(std::span<const ContactMode> modes, std::span<const Eigen::VectorXd> directions);
  [[nodiscard]] const std::vector<ContactMode>& modes() const { return modes_; }
  [[nodiscard]] bool has_modes(const std::vector<ContactMode>& modes, const std::vector<Eigen::VectorXd>& directions) const {
    const auto same = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return a.size() == b.size() && a == b; };
    return modes == modes_ && std::equal(directions.begin(), directions.end(), directions_.begin(), directions_.end(), same);
  }
  /// Of each switch of the expressions: MotionSeries::Switch::forced, from the next expansion on.
  void set_branches(std::span<const int> branches) {
    for (size_t s = 0; s < branches.size(); ++s) series_->switches()[s].forced = branches[s];
  }
  /// N  rows of all laws, or empty: with contacts that slide in space, how laws share a load that their rows do not tell them how to share. As many of these forces as can
  /// be chosen stay as they are. Until the next set_modes().
  void set_shares(const Eigen::VectorXd& forces) {
    shares_ = forces;
    share_rates_.resize(0);
  }
  /// N/s  with which they change, where that changes no motion: where all that share stick. After set_shares().
  void set_share_rates(const Eigen::VectorXd& rates) { share_rates_ = rates; }
  /// Whether it changes none.
  [[nodiscard]] bool shares_at_will() const;

  /// Velocities without mass: see loose_velocities().
  [[nodiscard]] const std::vector<int>& loose() const { return loose_; }
  /// Whether a row of a law moves with them.
  [[nodiscard]] bool is_loose(int law, int row) const;
  /// Velocities without mass are those with which all rows that hold them in these modes hold: they are no state of their own. False if there are none.
  bool settle_loose(State& state);
  /// N  after settle_loose(): the largest force on them that nothing balances; 0 where it is round-off of the loads.
  [[nodiscard]] double unbalanced_load() const { return unbalanced_load_; }

  /// Coefficients 0 .. order about the state.
  Status expand(const State& state, int order);
  /// A draft has the directions of slow contacts only about, by fewer passes: enough to see how long a step would become.
  void set_draft(bool draft) { draft_ = draft; }
  [[nodiscard]] const std::string& culprit() const { return culprit_; }
  [[nodiscard]] int expanded() const { return expanded_; }

  // Valid after expand(), coefficient k in column k.
  [[nodiscard]] const Eigen::MatrixXd& q() const { return q_; }
  [[nodiscard]] const Eigen::MatrixXd& u() const { return u_; }
  [[nodiscard]] const Eigen::MatrixXd& acceleration() const { return a_; }
  /// Forces of the columns, row-major: coefficients of one column are contiguous.
  [[nodiscard]] const double* force(int column) const { return x_.row(column).data(); }
  [[nodiscard]] const std::vector<ForceColumn>& columns() const { return columns_; }
  /// Whether a law has a share in the load that its rows determine.
  [[nodiscard]] bool carries(int law) const;
  /// N  rows of all laws, as in LawStep; coefficients contiguous.
  [[nodiscard]] const double* law_force(int law, int row) const {
    return lambda_.row(first_row_[static_cast<size_t>(law)] + row).data();
  }
  /// Coefficients of what friction has in reserve where it sticks in a plane: lambda_N^2 - (lambda_1 / mu_1)^2 - (lambda_2 / mu_2)^2, with drilling its part too.
  /// Of a dry friction with its limits, and 1 in place of lambda_N.
  void find_cone_reserve(int law, std::vector<double>& reserve) const;
  [[nodiscard]] const double* constraint_force(int constraint) const { return constraint_lambda_.row(constraint).data(); }
  /// How a contact that slides in space comes by its direction e, the unit vector of (mu_1 gamma_1, mu_2 gamma_2).
  enum class Turning {
    kByVelocity,  // it is that of its velocity
    kSlow,        // it is the one along which the motion goes on without a velocity across it: see turning.cpp
    kFixed,       // that of set_modes(), as no other could be found
  };
  [[nodiscard]] bool is_slow(int law) const {
    return modes_[static_cast<size_t>(law)] == ContactMode::kSlide && turning(law) == Turning::kSlow;
  }
  [[nodiscard]] Turning turning(int law) const { return sliding_[static_cast<size_t>(law)].turning; }
  /// |(mu_1 gamma_1, mu_2 gamma_2)|, with drilling its part too, of a contact whose direction is not fixed.
  [[nodiscard]] const double* sliding_speed(int law) const { return sliding_[static_cast<size_t>(law)].speed.data(); }
  /// e_d of a contact whose direction is not fixed, d = 0, 1, with drilling 2.
  [[nodiscard]] const double* sliding_unit(int law, int d) const {
    return sliding_[static_cast<size_t>(law)].unit[static_cast<size_t>(d)].data();
  }
  /// Its unit direction of motion, t after the start of the polynomial, and how fast it turns there [rad/s]; of a slow contact.
  [[nodiscard]] Eigen::VectorXd sliding_direction(int law, double t) const;
  using TurnRate =
      std::array<double, 3>;  // rad/s  in a plane the rate alone, with drilling that of each component of the direction
  [[nodiscard]] TurnRate turn_rate(int law, double t) const;
  /// For expansions of order 0 about states within a motion: how fast a slow contact turns there.
  void set_turn_rate(int law, const TurnRate& rate) { sliding_[static_cast<size_t>(law)].given_rate = rate; }
  /// s  in which friction turns the velocity of a sliding contact into the direction of a slow one; infinite if it does not.
  [[nodiscard]] double turning_time(int law) const;
  /// m/s  times mu: the size of the velocity across the direction of a slow contact at the state.
  [[nodiscard]] double cross_velocity(int law) const;
  /// W  what a law takes, what damping takes, and what given forces, moving supports and prescribed motions feed in.
  [[nodiscard]] const double* law_loss(int law) const { return law_loss_.row(law).data(); }
  [[nodiscard]] const double* damping_loss() const { return power_.row(0).data(); }
  [[nodiscard]] const double* driving_power() const { return power_.row(1).data(); }
  /// Of that, what goes into positions and energies that the time alone tells: of moving places and of energies that depend on t, not of velocities that laws are given.
  [[nodiscard]] const double* place_power() const { return power_.row(2).data(); }
  /// N  the forces of all constraints on the velocities: W lambda, coefficient k in column k.
  [[nodiscard]] const Eigen::MatrixXd& constraint_push() const { return push_; }
  [[nodiscard]] MotionSeries& series() { return *series_; }
  [[nodiscard]] const MotionSeries& series() const { return *series_; }
  [[nodiscard]] int first_row(int law) const { return first_row_[static_cast<size_t>(law)]; }
  [[nodiscard]] int held_rows() const { return static_cast<int>(held_.size()); }
  [[nodiscard]] int rank() const { return static_cast<int>(independent_.size()); }
  /// 1  what the last of the independent rows has left beside the others, of unit length; 1 without rows; and which that is.
  [[nodiscard]] double least_independence() const { return least_independence_; }
  [[nodiscard]] std::string least_independent_row() const;

  /// Whether contacts that stick in space share their load in more than one way: then the forces here are one choice of many, which may lie outside the friction
  /// cones though others lie inside.
  [[nodiscard]] bool shares_in_space() const;
  /// Of each law: whether its forces are one choice of many, because its columns and others depend on each other.
  [[nodiscard]] std::vector<bool> laws_that_share() const;

  /// The kinetic size of what loads and curvature do at the state: a contact with the row w would get accelerations of size
  /// load * sqrt(w'M^-1 w).
  [[nodiscard]] double load() const { return load_; }
  /// The same for the accelerations of the motion too, and the speed over the time in which it changes.
  [[nodiscard]] double acceleration_size() const;
  /// |M^-1 h| at the state, entry by entry: what the loads alone would do.
  [[nodiscard]] const Eigen::VectorXd& free_acceleration() const { return free_; }
  /// M^-1 (h_motion - h) at the state: what the loads of another polynomial are off there, t after its start.
  [[nodiscard]] Eigen::VectorXd load_misfit(const ModeFlow& motion, double t) const;
  /// sqrt(w'M^-1 w) of a row of a law at the state, of M with the rows that hold if it is singular.
  [[nodiscard]] double kinetic_length(int law, int row) const;
  /// m/s^2  d gamma/dt of a row of a law at the state.
  [[nodiscard]] double row_acceleration(int law, int row) const;
  /// sqrt(b'M^-1 b) of a force column, likewise.
  [[nodiscard]] double column_length(int column) const;
  /// s  over which the loads change; motion_time() if they do not.
  [[nodiscard]] double load_time_scale() const;
  /// s  over which the motion changes; motion_time() if it does not.
  [[nodiscard]] double time_scale() const { return times().change; }
  /// s  over which coordinates change by their size, by their velocity or acceleration, the shortest; of coordinates at zero, over which velocities do; where
  /// all are zero, that of the run.
  [[nodiscard]] double motion_time() const { return times().motion; }
  /// s  to which instants are known: events within it are one.
  [[nodiscard]] double instant() const { return 1e-12 * motion_time(); }

  /// The state at time t after the start of the polynomial.
  void evaluate(double t, State& state) const;
  /// Moves a state at t after the start of the polynomial onto the rows that hold: positions of constraints (g = 0) and closed contacts (gap = offset),
  /// velocities of all rows and across the directions of slow contacts. Overwrites coefficients 0 of series(). False if that does not succeed.
  bool project(State& state, const Eigen::VectorXd& gap_offsets, double t);
  /// Brings the velocities of the rows that hold to zero by impulses along the force columns (friction of sliding contacts with them), at the state
  /// that was expanded last. `impulse`: rows of all laws, added to.
  bool absorb(State& state, Eigen::Ref<Eigen::VectorXd> impulse);

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct HeldRow {
    int law = -1;  // or -1: a constraint, -2: a direction without mass
    int row = 0;   // of the law, or the constraint or direction
  };
  static constexpr int kLooseRow = -2;
  struct Sliding {  // in space
    std::vector<double> square, speed;
    // mu_i gamma_i, the same per speed, friction per normal force, of a dry friction N: of each row of friction
    std::array<std::vector<double>, 3> scaled, unit, weight;
    Turning turning = Turning::kByVelocity;
    /// Of a slow contact: the angle by which its direction turns towards one across it, by this pass and by the one before.
    struct Turn {
      std::vector<double> angle, angle_before;
      std::array<std::vector<double>, 3> across;
    };
    std::array<Turn, 2> turns = {};  // with drilling two
    TurnRate given_rate = {};
  };
  struct SlowContact {
    int law, column;  // its normal force; -1: a dry friction in a plane
    size_t turn;      // of its Sliding
  };

  [[nodiscard]] const MotionSeries::Row& series_row(const HeldRow& held) const;
  void add_row(const HeldRow& held, int k, Eigen::Ref<Eigen::VectorXd> column) const;
  [[nodiscard]] double gamma_of(const HeldRow& held) const;
  [[nodiscard]] double drift_of(const HeldRow& held, int k) const;
  [[nodiscard]] double position_of(const HeldRow& held, const Eigen::VectorXd& gap_offsets) const;
  template <class Value>
  [[nodiscard]] double along_loose(int direction, Value&& value) const;
  [[nodiscard]] double loose_load(int direction) const;
  [[nodiscard]] double loose_part(const MotionSeries::Row& row, int direction, int k) const;
  bool choose_loose();
  void resize_loose(Eigen::Index count);
  [[nodiscard]] bool loose_stays(int k);
  void advance_sliding(int k);
  void fill_rows(int k);
  void add_direction(const MotionSeries::Row& row, int k, double weight, Eigen::Ref<Eigen::VectorXd> column) const;
  [[nodiscard]] double kinetic_size(const Eigen::Ref<const Eigen::VectorXd>& v) const;
  [[nodiscard]] double load_size(const Eigen::VectorXd& f) const;
  struct Times {
    double motion = 0.0;  // s  see motion_time()
    double loads = 0.0;   // s  infinite if they do not change but for round-off, 0 if there are none
    double change = 0.0;  // s  see time_scale()
    [[nodiscard]] double of_loads_or_motion() const { return loads > 0.0 && std::isfinite(loads) ? loads : motion; }
  };
  const Times& times() const;
  [[nodiscard]] double find_motion_time() const;
  [[nodiscard]] double find_load_time(double motion_time) const;
  [[nodiscard]] double find_time_scale(const Times& times) const;
  [[nodiscard]] double find_acceleration_size() const;
  Status expand_passes(const State& state, int order);
  Status expand_once(const State& state, int order);
  bool foresee_load();
  void begin_directions(const State& state);
  void give_up_slow();
  void advance_slow(size_t law, int k);
  void fill_cross_rows(int k);
  void cross_row(int law, const double* along, Eigen::Ref<Eigen::VectorXd> row) const;
  [[nodiscard]] double normal_force(const SlowContact& slow) const;
  [[nodiscard]] double slow_remainder(size_t number, int k) const;
  void prepare_turning(int k);
  bool settle_directions();
  void complete_directions(int k, const Eigen::VectorXd& angles);
  void turn_by(int law, size_t turn, double angle);
  double renew_angles();
  void stop_across(State& state, Eigen::MatrixXd& J, double t);
  Status prepare();
  bool choose_independent_rows();
  Status choose_columns();
  bool try_columns(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
  bool choose_columns_by_shares(const Eigen::MatrixXd& A);
  [[nodiscard]] double share_of(const ForceColumn& column, const Eigen::VectorXd& shares) const;
  void add_loads(int k);
  [[nodiscard]] double sliding_force(size_t law) const;
  bool solve_order(int k);
  template <class Size>
  [[nodiscard]] double scale_of(Size&& size, int first) const;
  template <class Size>
  [[nodiscard]] double larger_scale_of(Size&& size) const;
  void collect_forces(int order);
  void collect_powers(int order);

  const System& system_;
  int order_;
  const MotionScales* scales_ = nullptr;
  std::unique_ptr<MotionSeries> series_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<int> first_row_;
  std::vector<ContactMode> modes_;
  std::vector<Eigen::VectorXd> directions_;
  std::vector<Sliding> sliding_;       // of each law; empty unless it slides in space
  std::vector<int> loose_, massless_;  // velocities, and where MotionSeries::massless() has them
  Eigen::MatrixXd loose_directions_;   // of loose_: those that neither laws nor constraints hold, one per column
  size_t held_by_laws_ = 0, columns_by_laws_ = 0;
  double unbalanced_load_ = 0.0;
  std::vector<HeldRow> held_;
  std::vector<ForceColumn> columns_;
  std::vector<int> independent_;  // of held_
  double least_independence_ = 1.0;
  int least_independent_ = -1;            // of held_
  std::vector<int> basic_;                // of columns_
  Eigen::VectorXd shares_, share_rates_;  // see set_shares()
  Eigen::VectorXd foreseen_;              // what the rows will ask of the forces a moment later; empty: what they ask now
  int expanded_ = -1;
  double load_ = 0.0;
  std::vector<double> load_size_;       // kinetic size of coefficient k of h
  mutable std::optional<Times> times_;  // of this expansion, once asked for
  mutable std::optional<double> acceleration_size_;
  std::string culprit_;

  Eigen::MatrixXd M_;               // order 0
  std::vector<Eigen::MatrixXd> J_;  // coefficient k: one column per held row
  std::vector<Eigen::MatrixXd> B_;  // coefficient k: one column per force column
  DenseLLT metric_;
  Eigen::VectorXd weight_;  // of the rows in the metric M + J diag(weight) J', zero where M is definite
  Eigen::MatrixXd PB_, A_, A_basic_;
  DenseLU lu_;
  bool draft_ = false;
  std::vector<SlowContact> slow_;          // each way in which one can turn
  std::vector<Eigen::MatrixXd> N_;         // coefficient k: one column per slow contact, its row across
  Eigen::MatrixXd D_, PD_, E_;             // what turning by 1 rad changes; its effect; forces and angles together
  Eigen::VectorXd E_rows_, E_columns_;     // sizes
  std::unique_ptr<LeastSquares> turning_;  // of E_
  Eigen::VectorXd speed_rate_;             // of each slow contact
  Eigen::MatrixXd q_, u_, a_, h_, push_;
  Rows x_, lambda_, constraint_lambda_, law_loss_, power_;
  Eigen::VectorXd r1_, r2_, x_k_, small_, solution_, q_next_, u_next_, free_;
};

}  // namespace tippe
