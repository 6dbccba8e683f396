// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/conserving_equations.h"
#include "tippe/integrate/integrator.h"
#include "tippe/integrate/step_matrix.h"

namespace tippe {

/// Why a scheme cannot integrate a system, or "".
[[nodiscard]] std::string find_conserving_misfit(const System& system, ConservingScheme scheme);

/// Schemes that keep T + V and the constraints to round-off for smooth Lagrangian systems, see ConservingEquations. Damping never
/// feeds energy in; what forces, explicit times and moving constraints do is booked exactly.
///
/// The equations are solved by Newton's method with line search, whose factorization is kept within a step while the residual
/// falls at least tenfold per iteration, until the residual no longer falls: to round-off. A step whose residual does not come
/// below `tolerance` is cut in two halves, these again, down to dt/1024.
class Conserving final : public Integrator {
 public:
  /// `tolerance`: 1, of |row| relative to ConservingEquations::sizes(): what a solved step must at least reach. Throws
  /// std::invalid_argument if the scheme does not fit.
  Conserving(const System& system, ConservingScheme scheme, double tolerance);
  StepReport step(State& state, double dt) override;
  /// A step depends on nothing before it.
  void save_memory(std::vector<double>& memory) const override { memory.clear(); }
  void restore_memory(std::span<const double> memory) override {
    if (!memory.empty()) throw std::invalid_argument("it has no memory");
  }

 private:
  bool advance(State& state, double dt, int halvings_left, StepReport& report);
  bool take_step(State& state, double dt, StepReport& report);
  void find_redundancy(const State& state);
  bool solve_or_report(const State& state, double dt, StepReport& report);
  [[nodiscard]] bool dropped_rows_hold(double dt);
  void start_newton(const State& state, double dt);
  bool solve(double dt, StepReport& report);
  void evaluate_residual(const Eigen::VectorXd& x, Eigen::VectorXd& r);
  /// |r| of a row relative to its size.
  [[nodiscard]] double scaled_size(const Eigen::VectorXd& r, Eigen::Index row) const;
  [[nodiscard]] double scaled_norm(const Eigen::VectorXd& r) const;
  void grow_sizes(double dt);
  void finish_step(State& state, double dt, StepReport& report);
  void describe_worst_row(double dt, StepReport& report) const;

  const System& system_;
  double tolerance_;
  ConservingEquations equations_;
  StepMatrix matrix_;
  std::vector<double> memory_, jacobian_;
  Eigen::VectorXd x_, r_, trial_, trial_r_, correction_, size_, trial_size_, free_size_, speed_;
  double rho_ = 0.0;  // scaled norm of r_

  std::unique_ptr<Evaluator> evaluator_;
  Dynamics dynamics_;
  SparseColumns W_;
  Eigen::VectorXd chi_;
  ConstrainedMass mass_;             // where the step begins
  std::vector<char> first_;          // rows with a position, which are rather kept
  std::vector<char> dropped_;        // rows that depend on others: they hold by themselves, and carry no impulse
  std::vector<int> redundant_rows_;  // that take part in a dependency
};

}  // namespace tippe
