// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tippe/core/kept_vector.h"
#include "tippe/core/union_find.h"
#include "tippe/integrate/integrator.h"
#include "tippe/integrate/law_check.h"
#include "tippe/integrate/step_equations.h"
#include "tippe/integrate/step_matrix.h"
#include "tippe/problem/residual.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/projected.h"

namespace tippe {

/// The force laws in the motion of a step: xi_i in N_{C_i}(-Lambda_i), where xi depends on the unknowns x of the step and these,
/// through the equations r(x, Lambda) = 0, on the impulses. Linearised about an iterate,
///
///   x+ = x - J^-1 r + X (Lambda+ - Lambda),   xi+ = xi + dxi/dx (x+ - x) = G Lambda+ + c,   X = J^-1 W,  G = dxi/dx X,
///
/// which is an inclusion problem. G is symmetric up to the gyroscopic forces.
class MotionLaws {
 public:
  /// `with_restitution`: xi gets (1 - epsilon)/(1 + epsilon)/2 W'M^-1 sum W_j Lambda_j, Moeller (5.141), for constant M.
  MotionLaws(const System& system, const StepEquations& equations, bool with_restitution);

  /// The laws that act, with impulses that they start from; rows of all laws.
  void begin(std::span<const int> active, const std::vector<int>& first_row, const Eigen::VectorXd& impulses, double dt);
  [[nodiscard]] int rows() const { return static_cast<int>(Lambda_.size()); }
  /// On what the friction of the a-th active law acts from now on: begin() sets it to what StepEquations::laws() have.
  void let_friction_act(size_t a, bool on_end_velocity) { on_end_velocity_[a] = on_end_velocity ? 1 : 0; }
  [[nodiscard]] bool friction_acts_on_end_velocity(size_t a) const { return on_end_velocity_[a] != 0; }

  /// W and xi at the unknowns in memory; r -= W Lambda.
  void evaluate(std::span<double> memory, Eigen::VectorXd& r);
  /// size += |W| |Lambda|.
  void add_sizes(Eigen::VectorXd& size) const;
  /// Adds -d(W Lambda)/dx to the Jacobian, at the same unknowns.
  void add_slopes(std::span<double> memory, std::span<double> jacobian);
  /// X and G, with the factorization of that Jacobian.
  void make_delassus(StepMatrix& matrix);

  /// Lambda+ for Newton's correction J^-1 r: by the contact solver, or one prox step from Lambda + the correction, Moeller (2.72).
  /// x := x+. The present Lambda is kept until swap_impulses().
  void solve(const Eigen::VectorXd& correction, double tolerance, SolveEffort effort, Eigen::VectorXd& x,
             StepReport& report);
  void project(const Eigen::VectorXd& correction, double alpha, Eigen::VectorXd& x);
  /// Takes Lambda+ as the present impulses, or the one before again.
  void swap_impulses() { Lambda_.swap(trial_); }

  /// The residual of the inclusions at the present xi and Lambda, measured by G.
  [[nodiscard]] Residual residual();
  /// Whether the present impulses and xi obey the laws by their definitions, as well as `residual` claims.
  void check(std::span<const double> memory, double dt, double residual, StepReport& report);
  /// From now on in this step residual() is relative to `part` of the speeds that xi is the sum of, too: in short steps round-off of
  /// the speeds at the present unknowns exceeds what the step changes in them.
  void allow_for_round_off(std::span<const double> memory, double part);
  /// What the laws took, path by path, and what moving supports gave. `path`: s.
  void book(const Eigen::VectorXd& path, double dt, const std::vector<int>& first_row, LawStep& step,
            StepReport& report) const;
  /// J  what the friction of the a-th active law takes on its way, and the sum of the sizes of its terms.
  struct Loss {
    double value = 0.0, size = 0.0;
  };
  [[nodiscard]] Loss loss_in_friction(size_t a, const Eigen::VectorXd& path, double dt) const;
  /// (m/s)^2  the square of the slip that the present impulses give to the a-th active law.
  [[nodiscard]] double squared_slip_change(size_t a) const;
  /// G_NN Lambda_N of the a-th active law: the speed that its impulse prevented.
  [[nodiscard]] double prevented_speed(int a) const;
  [[nodiscard]] const InclusionProblem& problem() const { return problem_; }

 private:
  [[nodiscard]] const StepEquations::Law& law(size_t a) const {
    const std::vector<StepEquations::Law>& laws =
        on_end_velocity_[a] != 0 ? equations_.laws_on_end_velocity() : equations_.laws();
    return laws[static_cast<size_t>(active_[a])];
  }
  [[nodiscard]] int first_friction_row(size_t a) const;
  void find_speeds(std::span<const double> memory);
  void evaluate_restitution();
  void find_parts();
  void shift_problem();

  const System& system_;
  const StepEquations& equations_;
  bool with_restitution_;
  LawList fixed_;    // the laws, which are the same at every state
  SparseLDLT mass_;  // for the restitution
  std::vector<int> active_, sizes_, first_row_;
  std::vector<char> on_end_velocity_;  // what the friction of an active law acts on
  SparseColumns W_;
  struct Slope {
    int row, unknown;
    double value;
  };
  std::vector<Slope> path_slopes_;
  std::vector<double> values_;
  std::vector<double> X_;          // column by column
  std::vector<double> inverse_W_;  // M^-1 W, likewise; for the restitution
  std::vector<double> Lambda_, trial_;
  KeptVector xi_, chi_;
  LawCheck check_;
  std::vector<double> speeds_;   // m/s  sum of the sizes of the terms of xi, each row
  std::vector<double> allowed_;  // m/s  of each row, see allow_for_round_off(); empty: nothing
  Eigen::VectorXd column_, solved_, momentum_;
  InclusionProblem problem_;
  UnionFind components_;
  ResidualWork residual_work_;
  ContactSolver solver_;
  ProjectedSolver projected_;
  Solution solution_;
};

}  // namespace tippe
