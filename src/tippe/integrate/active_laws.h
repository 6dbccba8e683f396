// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tippe/contact/contact_state.h"
#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/constrained_motion.h"
#include "tippe/integrate/integrator.h"
#include "tippe/integrate/law_check.h"
#include "tippe/problem/inclusion_problem.h"
#include "tippe/solve/contact_solver.h"

namespace tippe {

struct ActiveLawsOptions {
  double closed_tolerance = 0.0;  // m  a contact acts while its gap is at most this
  double tolerance = 1e-10;       // 1  of the residual of a step
  double closed_round_off = 0.0;  // 1  of the terms of a gap: it is also closed when its gap is at most this
  double enough =
      0.0;  // 1  where no method reaches `tolerance`: an error that will do, of c or of the speeds that contacts at
            //    rest prevent; impacts that are as slow are none
  double restitution = 1.0;  // 1  scales all coefficients
  double accepted = 0.0;     // 1  where no method reaches `tolerance`: a residual with which the step counts as inexact
};

/// The force laws that act in a step, and their inclusion problem  xi = G Lambda + c,  G = W'M_c^-1 W: bilateral constraints are
/// eliminated from it through the constrained mass.
class ActiveLaws {
 public:
  ActiveLaws(const System& system, const ActiveLawsOptions& options);

  /// Which laws act: a contact while its gap is closed; one that carried an impulse in the step before (`last`) is not opened by
  /// round-off. The evaluator is at the place q whose gaps are given.
  void find(Evaluator& evaluator, const Eigen::VectorXd& gaps, const Eigen::VectorXd& q, double dt, const LawStep& last);
  /// After a step in vain: all that the next one depends on becomes what it was when find() began.
  void recall(LawStep& step) {
    step.impulse = warm_start_;
    prevented_speed_ = speeds_before_;
  }
  [[nodiscard]] int size() const { return static_cast<int>(active_.size()); }
  [[nodiscard]] const std::vector<int>& active() const { return active_; }
  /// gamma of a row of the active laws where find() looked, at velocities u.
  [[nodiscard]] double relative_velocity(int row, const Eigen::VectorXd& u) const {
    return W_.dot(row, u.data()) + chi_[static_cast<size_t>(row)];
  }

  [[nodiscard]] int rows_of(int a) const { return sizes_[static_cast<size_t>(a)]; }
  /// How far a row moves along a way (velocities times a time) that takes `time`.
  [[nodiscard]] double moved(int row, const Eigen::VectorXd& way, double time) const {
    return W_.dot(row, way.data()) + time * chi_[static_cast<size_t>(row)];
  }
  /// forces += force times the direction of a row.
  void add_direction(int row, double force, Eigen::VectorXd& forces) const { W_.add_to(row, force, forces.data()); }

  /// G, and gamma_B at the velocities before the step.
  void assemble(ConstrainedMass& M, const Eigen::VectorXd& u_B, LawStep& step);
  /// Impact laws that do not act on velocities (Poisson, Moreau): an impact without forces before the motion, if laws close.
  /// Changes u. `free_change`: what the forces of the step will change, for telling rest from impact.
  void process_impact(ConstrainedMass& M, const Eigen::VectorXd& free_change, Eigen::VectorXd& u, LawStep& step,
                      StepReport& report);
  /// An impact without forces, by any impact law; u becomes the velocities after it. After assemble().
  void impact(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  /// impact(), and those of the laws that it throws back, at the same instant. Fails if they have no end.
  void impacts(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  /// Whether the impact is one of the restitution matrix. After assemble().
  [[nodiscard]] bool matrix_governs() const { return !find_matrix_rows().empty(); }
  /// The impact by Newton's law with given impulses, rows of all laws, which were found to report.residual.
  void apply_impact(ConstrainedMass& M, const Eigen::VectorXd& impulse, Eigen::VectorXd& u, LawStep& step,
                    StepReport& report);
  /// The speeds that impulses prevented: what decides whether a contact rests. After an impact: those of laws without an impulse in
  /// it are forgotten, so that a hard hit does not count for ever.
  void forget_prevented_speeds(const LawStep& step);
  [[nodiscard]] const Eigen::VectorXd& prevented_speeds() const { return prevented_speed_; }
  void restore_prevented_speeds(const Eigen::VectorXd& speeds) { prevented_speed_ = speeds; }
  /// The speed that a law's impulse in the motion after an impact prevented.
  void remember_motion(int law, double prevented_speed) {
    prevented_speed_[law] = std::max(prevented_speed_[law], prevented_speed);
  }
  /// Impulses of the motion from u_start, which changes by `free_change` without them:
  /// c = W'free_change + gamma(u_start) + epsilon gamma_B, with Newton's epsilon.
  void solve_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt, LawStep& step,
                    StepReport& report);
  /// Whether the impulses of solve_motion() and the velocities u_E that they gave obey the laws, by their definitions and as well as the
  /// residual claims. If not, the report says which does not and how.
  void check_motion(const Eigen::VectorXd& u_E, double dt, StepReport& report);
  /// impulse += W Lambda of the last solve.
  void add_impulses(Eigen::VectorXd& impulse) const;
  /// impulse -= W times all impulses of the step, those of an impact included.
  void subtract_impulses(const LawStep& step, Eigen::VectorXd& impulse) const;
  /// What the laws took and moving supports gave while the impulses of the last solve changed velocities from `before` to `after`.
  void book(const Eigen::VectorXd& before, const Eigen::VectorXd& after, LawStep& step, StepReport& report) const;
  /// With different coefficients of restitution Newton's law may create energy: it cannot if Delta G + G Delta is positive
  /// semidefinite, Delta = diag((1 - epsilon) / (1 + epsilon)), Moeller (3.160). Said at the first gain of each set of laws that
  /// hit together (up to 40 rows, 100 sets).
  /// `gained`: what the impulses of the step that are in its books gave.
  void warn_of_energy_gain(double t, double gained, const LawStep& step, std::vector<std::string>& warnings);

  /// How far round-off and the solver's tolerance may lift a contact that rests, by its normal's row of the active laws, found at q.
  [[nodiscard]] double resting_gap(int law, int normal_row, const Eigen::VectorXd& q, double dt) const;
  [[nodiscard]] const InclusionProblem& problem() const { return problem_; }
  /// Appends what the next step depends on: the impulses of the last step, which start the solver, and the prevented speeds, which
  /// decide whether a contact rests.
  void save_memory(const LawStep& step, std::vector<double>& memory) const;
  /// How many numbers that are.
  [[nodiscard]] size_t memory_size(const LawStep& step) const;
  void restore_memory(std::span<const double> memory, LawStep& step);

 private:
  [[nodiscard]] double size_of_gap_terms(int normal_row, const Eigen::VectorXd& q) const;
  [[nodiscard]] GapView view_of_held(int law, int normal_row, const Eigen::VectorXd& q, double dt) const;
  struct MatrixRow {
    int block, row;
  };
  [[nodiscard]] std::vector<MatrixRow> find_matrix_rows() const;
  void impose_matrix(const std::vector<MatrixRow>& rows);
  [[nodiscard]] double size_of_terms(int row, const Eigen::VectorXd& u) const;
  /// What a law acts on: gamma after the impact or the step, and a share of gamma before it.
  enum class Restitution {
    kNone,    // gamma
    kNewton,  // each row with its own epsilon
    kMoreau,  // every row with that of its law: gamma+ + epsilon gamma- is 1 + epsilon times gamma after the compression
  };
  /// What an impulse is checked against.
  struct Checked {
    const double* Lambda;      // impulses, by rows
    const Eigen::VectorXd& u;  // velocities after them
    double dt;                 // of the step; 0 in an impact
    double prevented;          // the speed that impulses have prevented while everything rests
    Restitution restitution;
    const double* compression = nullptr;     // impulses of Poisson's compression; the others are those of the expansion
    std::span<const MatrixRow> matrix = {};  // rows of the restitution matrix, in its order
  };
  void check_laws(const Checked& checked, StepReport& report);
  [[nodiscard]] double returned_by_matrix(std::span<const MatrixRow> matrix, size_t i) const;
  void velocities_after(ConstrainedMass& M, const Eigen::VectorXd& u, Eigen::VectorXd& after) const;
  void build_motion(const Eigen::VectorXd& u_start, const Eigen::VectorXd& free_change, double dt, const LawStep& step);
  [[nodiscard]] bool closes(const Eigen::VectorXd& free_change) const;
  [[nodiscard]] bool is_thrown_back(const Eigen::VectorXd& u);
  void process_one_impact(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  void move_velocities(ConstrainedMass& M, Eigen::VectorXd& u, LawStep& step, StepReport& report);
  void solve_inclusion_problem(StepReport& report);
  [[nodiscard]] double largest_prevented_speed() const;
  void keep_impulses(LawStep& step);

  const System& system_;
  ActiveLawsOptions options_;
  ContactTolerances tolerances_;
  DelassusBuilder delassus_builder_;
  InclusionProblem problem_;
  ContactSolver solver_;
  Solution solution_;
  std::vector<int> active_;  // laws that act in this step
  std::vector<int> sizes_;   // their rows
  SparseColumns W_;          // their directions, one column per row
  std::vector<double> chi_;
  LawCheck check_;
  KeptVector xi_, terms_;  // for the check
  KeptVector gamma_B_, gamma_start_, impact_, compression_, shift_, kinetic_;
  Eigen::VectorXd warm_start_;       // impulses of the last step, rows of all laws
  Eigen::VectorXd speeds_before_;    // prevented, before this step
  Eigen::VectorXd prevented_speed_;  // G_NN Lambda_N of the last step in which a law was active, per law
  Eigen::VectorXd change_;
  bool same_restitution_ = true;
  std::set<std::vector<int>> warned_;  // sets of laws whose energy gain was said
};

/// The memory of a scheme with laws and constraints, as save_memory() of the two wrote it one after the other. Throws
/// std::invalid_argument if it is of another system.
void restore_step_memory(std::span<const double> memory, RedundancyMemory& redundancy, ConstrainedMotion& motion,
                         ActiveLaws& laws, LawStep& step);

}  // namespace tippe
