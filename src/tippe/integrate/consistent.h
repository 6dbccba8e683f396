// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/integrator.h"
#include "tippe/integrate/motion_laws.h"
#include "tippe/integrate/step_equations.h"
#include "tippe/integrate/step_matrix.h"

namespace tippe {

/// How a consistent scheme treats force laws and impacts.
enum class ImpactScheme {
  kNone,     // smooth motion only
  kElastic,  // one step for motion and elastic impacts of contacts without friction, Moeller (5.95)
  kBefore,   // an impact at the beginning of a step, then the motion, (5.106)+(5.107), (5.157)+(5.158)
  kOneStep,  // one step for both with restitution, (5.141)
};

/// A scheme of Moeller's chapter 5.
struct ConsistentScheme {
  MotionScheme motion = MotionScheme::kGgl;
  ImpactScheme impacts = ImpactScheme::kNone;
};

struct ConsistentOptions {
  double tolerance =
      1e-12;  // 1  of |row| relative to the size of its terms (ExprProgram::evaluate_with_sizes) and of the inclusions: what a step must reach
  double closed_tolerance = 0.0;  // m  a contact acts while its gap where the step begins is at most this
  FrictionScheme friction;
  bool projected_newton = false;  // solve inclusions by Moeller's projected Newton iteration (2.72) alone, the reference
};

/// Why a scheme cannot integrate a system, or "".
[[nodiscard]] std::string find_misfit(const System& system, const ConsistentScheme& scheme);

/// Schemes that keep T + V to round-off in smooth motion, never raise it where impacts do not, and keep constraints: see
/// StepEquations. Damping and friction never feed energy in; what forces, explicit times and moving constraints do is booked exactly.
///
/// Equations and inclusions are solved by Newton's method: the equations are linearised, and the inclusion problem that remains is
/// solved by the contact solver, until the residual no longer falls: to round-off. Without laws a line search helps. The
/// factorization is kept within a step while the residual falls at least tenfold per iteration. A step whose residual does not
/// come below `tolerance` is cut in two halves, these again, down to dt/1024.
class Consistent final : public Integrator {
 public:
  /// Throws std::invalid_argument if the scheme does not fit.
  Consistent(const System& system, const ConsistentScheme& scheme, const ConsistentOptions& options);
  StepReport step(State& state, double dt) override;
  [[nodiscard]] const InclusionProblem* last_problem() const override {
    if (scheme_.impacts == ImpactScheme::kNone) return nullptr;
    return impact_failed_ ? &laws_in_step_.problem() : &motion_laws_.problem();
  }
  /// The impulses of the last step, which tell what rests; nothing without laws.
  void save_memory(std::vector<double>& memory) const override;
  void restore_memory(std::span<const double> memory) override;

 private:
  bool advance(State& state, double dt, int halvings_left, StepReport& report);
  bool take_step(State& state, double dt, StepReport& report);
  bool find_laws(const State& state, double dt, StepReport& report);
  bool factorize_mass(StepReport& report);
  void apply_impact(const State& state, StepReport& report);
  bool solve_motion(const State& state, const Eigen::VectorXd& u, double dt, StepReport& report);
  void begin_motion(double dt) { motion_laws_.begin(laws_in_step_.active(), last_.first_row, motion_impulse_, dt); }
  bool stop_reversed_slips(const State& state, double dt, StepReport& report);
  bool find_reversed_slips(const State& state, double dt);
  [[nodiscard]] bool reverses_slip(size_t a, int first_row);
  bool solve_or_report(const State& state, const Eigen::VectorXd& u, double dt, StepReport& report);
  [[nodiscard]] bool dropped_rows_hold();
  void start_newton(const State& state, const Eigen::VectorXd& u, double dt);
  bool solve(double dt, StepReport& report);
  bool solve_with_laws(double dt, StepReport& report);
  bool linearize(double dt);
  void evaluate_residual(const Eigen::VectorXd& x, Eigen::VectorXd& r);
  /// |r| of a row relative to its size.
  [[nodiscard]] double scaled_size(const Eigen::VectorXd& r, Eigen::Index row) const;
  [[nodiscard]] double scaled_norm(const Eigen::VectorXd& r) const;
  void grow_sizes();
  void forget_sizes();
  [[nodiscard]] bool rows_are_small_for_their_solution(double dt);
  void allow_for_balanced_forces(double dt);
  /// Of a size that counts as round-off only, where a step must reach `tolerance`.
  [[nodiscard]] double round_off_part() const;
  void finish_step(State& state, double dt, StepReport& report);
  void book_laws(double t, double dt, StepReport& report);
  void book_constraints(StepReport& report);
  void describe_worst_row(double dt, StepReport& report) const;

  const System& system_;
  ConsistentScheme scheme_;
  ConsistentOptions options_;
  StepEquations equations_;
  StepMatrix matrix_;
  std::vector<double> memory_, sizes_in_memory_, jacobian_;
  Eigen::VectorXd x_, r_, trial_, trial_r_, correction_, size_, trial_size_, free_size_, unused_, speed_, end_, path_;
  double rho_ = 0.0;    // scaled norm of r_ and residual of the inclusions
  Residual inclusion_;  // the latter

  std::unique_ptr<Evaluator> evaluator_;
  Dynamics dynamics_;
  SparseColumns W_;
  Eigen::VectorXd chi_, gaps_, rate_, u_C_, q_E_, u_E_, change_, constraint_impulse_, motion_share_, multipliers_;
  ConstrainedMass mass_;             // where the step begins
  std::vector<char> first_;          // rows with a position, which are rather kept
  std::vector<char> dropped_;        // rows that depend on others: they hold by themselves, and carry no impulse
  std::vector<int> redundant_rows_;  // that take part in a dependency
  ActiveLaws laws_in_step_;
  MotionLaws motion_laws_;
  std::vector<char> judged_;  // active laws whose friction was tried on the end velocity, once in a step
  SparseColumns end_directions_;
  std::vector<double> end_chi_;
  LawStep last_, now_;                    // of the last and the present step, or parts of steps
  Eigen::VectorXd motion_impulse_;        // of the laws in the last motion, where the next begins its search
  Eigen::VectorXd speeds_before_;         // that impulses prevented, before the present step
  Eigen::VectorXd lowest_u_, highest_u_;  // of the iterates that sizes were taken at
  bool impact_failed_ = false;
  bool mass_is_ready_ = false;  // constant and without constraints
};

}  // namespace tippe
