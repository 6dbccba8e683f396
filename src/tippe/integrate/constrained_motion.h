// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/constraint_names.h"
#include "tippe/integrate/integrator.h"
#include "tippe/model/kinetic_weights.h"

namespace tippe {

/// A system under its bilateral constraints at one instant: accelerations by Gauss' principle, the forces that enforce them, and
/// the nearest positions and velocities that keep them. Holds all memory; allocates in the first calls only.
class ConstrainedMotion {
 public:
  explicit ConstrainedMotion(const System& system);

  /// du/dt minimizes (M a - h)'M^-1 (M a - h) over W'a + drift = 0, for M positive semidefinite and W of any rank. Force laws do
  /// not act. False, with status and culprit in the report, if something is not finite, a massless direction is free, or the
  /// constraints contradict each other. Constraints that were redundant at the beginning of a run are judged on the constraints:
  /// see judge_redundancy().
  bool evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, StepReport& report);
  [[nodiscard]] const Eigen::VectorXd& position_rate() const { return q_rate_; }
  [[nodiscard]] const Eigen::VectorXd& acceleration() const { return u_rate_; }
  [[nodiscard]] const Dynamics& dynamics() const { return dynamics_; }
  /// W  at the state evaluated last, with its velocities: what damping takes, and what given forces, moving constraints and
  /// prescribed motions feed in.
  [[nodiscard]] double damping_loss(const Eigen::VectorXd& u) const {
    return -(dynamics_.damping.dot(u) + dynamics_.damping_on_drift);
  }
  [[nodiscard]] double driving_power(const Eigen::VectorXd& u);
  /// The kinetic size of the accelerations that the forces would give without constraints: largest |h_j| / sqrt(M_jj).
  [[nodiscard]] double free_acceleration_size() const;
  /// At the state evaluated last.
  [[nodiscard]] StateWeights weights();
  /// The forces of the constraints at the state evaluated last: lambda of each row, of least norm where it is not unique, and
  /// W lambda on each velocity, Kalaba-Udwadia (33).
  void constraint_forces(Eigen::VectorXd& lambda, Eigen::VectorXd& on_velocities);
  [[nodiscard]] const RankDecision& rank() const { return mass_.rank(); }
  [[nodiscard]] ConstrainedMass& mass() { return mass_; }

  /// Positions near by that keep the holonomic constraints at time t, by Newton's method to round-off with the smallest kinetic
  /// corrections: the nearest ones up to the curvature of the constraints. False, with status and culprit, if there are none within
  /// reach.
  bool project_positions(double t, Eigen::VectorXd& q, StepReport& report);
  /// The nearest positions also from afar, in the kinetic metric of the place where they end; where that search does not converge,
  /// and with velocities of one's own choice, those of project_positions(). Allocates.
  bool find_nearest_positions(double t, Eigen::VectorXd& q, StepReport& report);
  /// The nearest velocities that keep all constraints at t, q.
  bool project_velocities(double t, const Eigen::VectorXd& q, Eigen::VectorXd& u, StepReport& report);

  /// Rows that depend on each other do so only where the constraints are kept: a little beside, their directions are independent
  /// and no motion is left. So when rows are redundant at the beginning of a run, positions beside the constraints are projected
  /// before directions are taken there. True if they are redundant at t, q.
  bool judge_redundancy(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u);
  [[nodiscard]] bool redundant() const { return redundant_; }
  void set_redundant(bool redundant) { redundant_ = redundant; }

  /// g, gamma of every row at a state, the largest of each in size, and the largest distance |g| / |W|: how far positions would
  /// have to move.
  struct Violation {
    double position = 0.0, velocity = 0.0, distance = 0.0;
  };
  Violation violation(const State& state, Eigen::VectorXd& g, Eigen::VectorXd& gamma);

 private:
  bool factorize(StepReport& report);
  bool require_finite_rows(const Eigen::VectorXd& other, StepReport& report) const;
  void select_holonomic();
  void correct_velocities(Eigen::VectorXd& u);
  bool find_correction(double cutoff, StepReport& report);
  void find_ways(const Eigen::VectorXd& q);
  [[nodiscard]] bool is_tiny_change() const;
  bool correct_positions(double t, Eigen::VectorXd& q, double cutoff, StepReport& report);

  const System& system_;
  std::unique_ptr<Evaluator> evaluator_;
  Dynamics dynamics_;
  SparseColumns W_, W_holonomic_;
  std::vector<int> holonomic_;
  ConstrainedMass mass_, holonomic_mass_;
  bool redundant_ = false;
  bool corrected_all_rows_ = false;  // in the last correction: the holonomic rows alone do not hold what has no mass
  ContradictionTest velocities_, accelerations_;
  Eigen::VectorXd q_rate_, u_rate_, chi_, drift_, g_, gamma_, right_side_, change_, misfit_, size_, drift_size_, q_near_,
      u_near_, u_zero_, dq_, mass_diagonal_, ways_, best_q_, lambda_, force_;
};

/// Judges redundancy in the first step of a run and remembers it in a checkpoint.
class RedundancyMemory {
 public:
  void judge_once(ConstrainedMotion& motion, const State& state) {
    if (!judged_) motion.judge_redundancy(state.t, state.q, state.u);
    judged_ = true;
    redundant_ = motion.redundant();
  }
  [[nodiscard]] bool redundant() const { return redundant_; }
  void save(NamedArrays& memory) const {
    std::vector<double>& judgement = memory.begin_array("constraints.redundant");  // empty: before the first step
    if (judged_) judgement.push_back(redundant_ ? 1.0 : 0.0);
  }
  void restore(const NamedArrays& memory, ConstrainedMotion& motion) {
    const std::vector<double>& judgement = memory.at("constraints.redundant");
    if (judgement.size() > 1) throw std::invalid_argument("it remembers one number, whether constraints are redundant");
    judged_ = !judgement.empty();
    redundant_ = judged_ && judgement[0] != 0.0;
    motion.set_redundant(redundant_);
  }

 private:
  bool judged_ = false, redundant_ = false;
};

}  // namespace tippe
