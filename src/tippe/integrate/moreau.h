// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "tippe/integrate/integrator.h"
#include "tippe/problem/inclusion_problem.h"
#include "tippe/solve/contact_solver.h"

namespace tippe {

struct MoreauOptions {
  double closed_tolerance = 0.0;  // m  a contact acts while its gap at the midpoint is at most this
  double tolerance = 1e-10;       // 1  of the residual of a step
};

/// Moreau's midpoint rule with Newton's impact law per law and direction, Moeller (5.3)-(5.8).
/// A contact acts while its gap at the midpoint is closed; one that carried an impulse in the step before is not opened by
/// round-off (resting_gap). Event capturing, first order; classical forces are explicit, so a stiff spring limits the step to
/// 2 / omega.
class MoreauMidpoint final : public Integrator {
 public:
  MoreauMidpoint(const System& system, const MoreauOptions& options);
  StepReport step(State& state, double dt) override;
  [[nodiscard]] const InclusionProblem* last_problem() const override { return &problem_; }
  void save_memory(std::vector<double>& memory) const override;
  void restore_memory(std::span<const double> memory) override;

 private:
  bool evaluate_midpoint(State& state, double dt, StepReport& report);
  void find_active_laws(const Eigen::VectorXd& q_M, double dt);
  [[nodiscard]] double resting_gap(int law, int normal_column, const Eigen::VectorXd& q_M, double dt) const;
  void assemble_laws();
  void process_impact(StepReport& report);
  void solve_motion(double dt, StepReport& report);
  void solve_inclusion_problem(StepReport& report);
  void add_impulses();
  void book_laws(const Eigen::VectorXd& before, const Eigen::VectorXd& after, StepReport& report);
  void book_energy(const Eigen::VectorXd& u_E, double dt, StepReport& report);
  void warn_of_energy_gain(double t, const StepReport& report);

  const System& system_;
  MoreauOptions options_;
  std::unique_ptr<Evaluator> evaluator_;
  SparseLDLT M_;
  Dynamics dynamics_;
  DelassusBuilder delassus_builder_;
  InclusionProblem problem_;
  ContactSolver solver_;
  Solution solution_;

  std::vector<int> active_;  // laws that act in this step
  std::vector<int> sizes_;   // their rows
  SparseColumns W_;          // their directions, one column per row
  std::vector<double> chi_;
  KeptVector gamma_B_, impact_, shift_, kinetic_;
  Eigen::VectorXd warm_start_;       // impulses of the last step, rows of all laws
  Eigen::VectorXd prevented_speed_;  // G_NN Lambda_N of the last step in which a law was active, per law
  Eigen::VectorXd gaps_, rate_, u_B_, u_start_, change_of_u_;
  bool same_restitution_ = true;
  std::set<std::vector<int>> warned_;  // sets of laws whose energy gain was said
};

}  // namespace tippe
