// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/core/sparse_ldlt.h"
#include "tippe/model/constraint.h"
#include "tippe/model/force_law.h"
#include "tippe/model/law_list.h"
#include "tippe/model/restitution_matrix.h"
#include "tippe/model/state.h"

namespace tippe {

/// The smooth part of the dynamics at one state.
struct Dynamics {
  std::vector<double> M;          // mass matrix, values in the order of System::mass_pattern()
  Eigen::VectorXd h;              // all classical forces: M du/dt = h + sum W_i lambda_i
  Eigen::VectorXd damping;        // the part of h from the Rayleigh function
  Eigen::VectorXd applied;        // the part of h from given generalized forces
  double damping_on_drift = 0.0;  // W  power of the damping forces on a drift beta of the coordinates, in drive_power too
  double drive_power = 0.0;       // W  dV/dt - dT/dt at fixed q and dq/dt: what an explicit time dependence feeds in
  /// With a drift beta in dq/dt = F u + beta, whoever makes the coordinates drift does work too: with the power drive_power
  /// (included there) + drive_momentum . du/dt. Empty without one.
  Eigen::VectorXd drive_momentum;
};

struct Energies {
  double kinetic = 0.0;    // J  T
  double potential = 0.0;  // J  V
  /// J  2 T - u . dT/du, zero unless T has terms linear or constant in u. With it the work of a prescribed
  /// motion in a step is  dt * drive_power + (its difference):  d(T + V)/dt = f.u + dV/dt - dT/dt + d/dt(2 T
  /// - u . dT/du).
  double drive = 0.0;
};

/// A mechanical system at a state, with the memory that evaluating needs. Not shared between threads; make
/// one per thread.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// All other calls are at this state. Cheap.
  virtual void set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) = 0;

  virtual void evaluate_dynamics(Dynamics& dynamics) = 0;
  /// dq/dt = F(q,t) u + beta(q,t).
  virtual void evaluate_position_rate(Eigen::VectorXd& rate) = 0;
  /// dq := F(q,t) s, the positions' share of velocities: where a small step s of them leads.
  virtual void map_velocities(const Eigen::VectorXd& s, Eigen::VectorXd& dq) = 0;
  /// One number per constraint: g(q, t) of the holonomic ones, 0 for the others.
  virtual void evaluate_constraint_positions(Eigen::VectorXd& g) = 0;
  /// One column and one number per constraint: gamma = W'u + chi. The pattern of W never changes.
  virtual void evaluate_constraint_directions(SparseColumns& W, Eigen::VectorXd& chi) = 0;
  /// One number per constraint: d gamma/dt at du/dt = 0, so that d gamma/dt = W'du/dt + drift.
  virtual void evaluate_constraint_drift(Eigen::VectorXd& drift) = 0;
  /// One number per constraint each: the size of the terms that g and the drift are the sum of, to which their round-off is
  /// relative.
  virtual void evaluate_constraint_sizes(Eigen::VectorXd& position, Eigen::VectorXd& drift) = 0;
  /// The laws of this state with their gaps. Contacts with a gap above `reach` (m) may be missing. A function of the state alone, whatever
  /// the list held before. The list is used with this system only.
  virtual void find_laws(double reach, LawList& laws) = 0;
  /// Appends one column per row of the k-th law of the list to W, and as many numbers to chi: gamma = W'u + chi. The list was found at
  /// this q and t, or is that of a system with fixed laws.
  virtual void append_directions(const LawList& laws, int k, SparseColumns& W, std::vector<double>& chi) = 0;
  /// Appends one number per row of the k-th law: d gamma/dt at du/dt = 0, so that d gamma/dt = W'du/dt + drift. The first call is slow: for
  /// questions at an instant, not for steps.
  virtual void append_drift(const LawList& laws, int k, std::vector<double>& drift) = 0;
  virtual Energies evaluate_energies() = 0;
};

/// The gaps of fixed laws at the state of the evaluator, one per law: 0 for those that are no contacts.
[[nodiscard]] Eigen::VectorXd gaps_of(Evaluator& evaluator);

struct LagrangianDescription;
class MotionSeries;

/// How thick a body is whose contacts are found.
struct Thickness {
  std::string body;
  int first_velocity = 0, dimensions = 3;  // of its centre, along the axes of space
  double half = 0.0;                       // m  half of the shortest way through its thinnest shape
};

/// What integrators know of a mechanical system, and all they know (Moeller (3.31), (5.1)):
///
///   M(q,t) du/dt = h(q,u,t) + sum W_i(q,t) lambda_i ,   dq/dt = F(q,t) u + beta(q,t) ,   gamma_i = W_i'u + chi_i
///
/// with the sum over force laws and bilateral constraints (gamma_i = 0). M may be singular where the constraints hold the
/// massless directions. Immutable.
class System {
 public:
  virtual ~System() = default;

  [[nodiscard]] int nq() const { return static_cast<int>(coordinate_names_.size()); }
  [[nodiscard]] int nu() const { return static_cast<int>(velocity_names_.size()); }
  [[nodiscard]] const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  [[nodiscard]] const std::vector<std::string>& velocity_names() const { return velocity_names_; }
  [[nodiscard]] const std::vector<Constraint>& constraints() const { return constraints_; }
  /// What laws obey. With fixed laws each is one law; otherwise contacts that Evaluator::find_laws() finds may share one.
  [[nodiscard]] const std::vector<ForceLaw>& laws() const { return laws_; }
  /// Whether the same laws are there at every state: Evaluator::find_laws() always returns the list_of_fixed_laws().
  [[nodiscard]] bool has_fixed_laws() const { return has_fixed_laws_; }
  /// How messages call a law: by its name, or for one that was found by what touches.
  [[nodiscard]] virtual std::string law_name(const LawId& id) const;
  /// Where contacts are found: how the shapes are called, in the order in which ids of laws count them from 1.
  [[nodiscard]] virtual std::vector<std::string> shape_names() const { return {}; }
  /// m  where contacts are found: the largest ContactPlace::half_size that there can be.
  [[nodiscard]] virtual double largest_half_size() const { return 0.0; }
  /// Where contacts are found: the bodies that may touch others.
  [[nodiscard]] virtual std::span<const Thickness> thicknesses() const { return {}; }
  [[nodiscard]] ImpactLaw impact_law() const { return impact_law_; }
  /// Beside Newton's law; nullptr if there is none.
  [[nodiscard]] const RestitutionMatrix* restitution_matrix() const {
    return restitution_matrix_ ? &*restitution_matrix_ : nullptr;
  }
  /// Where M can be non-zero, lower triangle.
  [[nodiscard]] const std::vector<LowerEntry>& mass_pattern() const { return mass_pattern_; }
  /// Whether M is the same at every q and t.
  [[nodiscard]] bool constant_mass() const { return constant_mass_; }

  /// Whether all classical forces but those of inertia are the same at every state: none has a slope.
  [[nodiscard]] virtual bool has_constant_forces() const { return false; }

  /// u = dq/dt, with the same numbers.
  [[nodiscard]] bool velocities_are_rates() const { return velocities_are_rates_; }
  /// The largest |q_i| of the coordinates that a velocity moves. A function of them has terms of this size for each unit of its slope along the velocity, and
  /// its round-off is relative to those.
  [[nodiscard]] double reach(const Eigen::VectorXd& q, int velocity) const {
    if (velocities_are_rates_) return std::abs(q[velocity]);
    if (moved_coordinates_.empty()) return q.cwiseAbs().maxCoeff();
    double largest = 0.0;
    for (const int i : moved_coordinates_[static_cast<size_t>(velocity)]) largest = std::max(largest, std::abs(q[i]));
    return largest;
  }
  /// Coordinates that are inputs: no velocity moves them, and they are what somebody sets them to.
  [[nodiscard]] const std::vector<int>& input_coordinates() const { return input_coordinates_; }
  /// Makes unit quaternions among the coordinates as long as 1: for schemes that add to them.
  void normalize(Eigen::VectorXd& q) const {
    for (const int first : unit_quaternions_) q.segment<4>(first).normalize();
  }

  [[nodiscard]] virtual std::unique_ptr<Evaluator> make_evaluator() const = 0;
  /// Taylor polynomials of the equations up to an order >= 1; nullptr if the system is not made of expressions. Derivatives grow the graph
  /// of the description: not from two threads at once.
  [[nodiscard]] virtual std::unique_ptr<MotionSeries> make_series(int order) const;
  /// The expressions of a Lagrangian system, for schemes that discretise energies instead of forces; nullptr if there are none.
  /// Derivatives grow the graph of the description: not from two threads at once.
  [[nodiscard]] virtual const LagrangianDescription* lagrangian() const { return nullptr; }

 protected:
  /// What coordinates and velocities are to each other, as in another system with the same.
  void copy_coordinates_of(const System& other) {
    coordinate_names_ = other.coordinate_names_;
    velocity_names_ = other.velocity_names_;
    velocities_are_rates_ = other.velocities_are_rates_;
    moved_coordinates_ = other.moved_coordinates_;
    unit_quaternions_ = other.unit_quaternions_;
    input_coordinates_ = other.input_coordinates_;
  }

  std::vector<std::string> coordinate_names_;
  std::vector<std::string> velocity_names_;
  std::vector<Constraint> constraints_;
  std::vector<ForceLaw> laws_;
  bool has_fixed_laws_ = true;
  ImpactLaw impact_law_ = ImpactLaw::kNewton;
  std::optional<RestitutionMatrix> restitution_matrix_;
  std::vector<LowerEntry> mass_pattern_;
  bool constant_mass_ = false;
  bool velocities_are_rates_ = true;
  std::vector<std::vector<int>> moved_coordinates_;  // by each velocity; empty: not known
  std::vector<int> unit_quaternions_;                // first coordinate of each
  std::vector<int> input_coordinates_;
};

/// Of its inputs, in the order of System::input_coordinates().
[[nodiscard]] std::vector<std::string> input_names(const System& system);

/// Why a method that needs fixed laws does not take a system, or "".
[[nodiscard]] inline std::string needs_fixed_laws(const System& system) {
  if (system.has_fixed_laws()) return {};
  return "it needs laws that are there at every state, and contacts are found while this system moves; take moreau or "
         "moreau-jean";
}

/// What a generalized force acts on: the coordinate of a velocity, or the velocity itself where it is of one's own choice.
[[nodiscard]] std::string force_target(const System& system, int velocity);
/// "y' = 1, alpha' = -0.5": the entries of a direction of velocities that matter; its largest is 1.
[[nodiscard]] std::string describe_direction(const System& system, const Eigen::VectorXd& direction);

}  // namespace tippe
