// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/beginning_mass.h"
#include "tippe/integrate/integrator.h"
#include "tippe/integrate/motion_laws.h"
#include "tippe/integrate/slip_reversal.h"
#include "tippe/integrate/step_equations.h"
#include "tippe/integrate/step_evaluation.h"
#include "tippe/integrate/step_halving.h"
#include "tippe/integrate/step_newton.h"
#include "tippe/integrate/step_refinement.h"

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
  StepVariants variants;
  double projected_newton =
      0.0;  // 1  alpha of Moeller's projected Newton iteration (2.72), (2.73), the reference, alone; 0: not used
  std::optional<double> step_tolerance;  // 1  a step is cut while its error, relative to the motion, is above this
};

/// Why a scheme cannot integrate a system, or "".
[[nodiscard]] std::string find_misfit(const System& system, const ConsistentScheme& scheme);

/// Schemes that keep T + V to round-off in smooth motion, never raise it where impacts do not, and keep constraints: see
/// StepEquations. Damping and friction never feed energy in; what forces, explicit times and moving constraints do is booked exactly.
///
/// An impact, where the scheme has one before the motion, then the motion by Newton's method (StepNewton), again where friction must stop a slip
/// (SlipReversal). A step whose residual does not come below `tolerance` is cut in two halves, these again, down to dt/1024; with a
/// `step_tolerance` also one whose error is too large (StepRefinement): each part keeps what a step keeps.
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
  void save_memory(NamedArrays& memory) const override;
  void restore_memory(const NamedArrays& memory) override;

 private:
  StepReport advance(State& state, double dt);
  bool solve_step(const State& state, double dt, StepReport& report);
  bool find_laws(const State& state, double dt, StepReport& report);
  void apply_impact(const State& state, StepReport& report);
  void begin_motion(double dt) { motion_laws_.begin(laws_in_step_.active(), laws_.first_row, motion_impulse_, dt); }
  bool solve_motion(const State& state, double dt, StepReport& report);
  bool solve_or_report(const State& state, double dt, StepReport& report);
  bool stop_reversed_slips(const State& state, double dt, StepReport& report);
  void find_end(const State& state, double dt);
  void finish_step(State& state, double dt, StepReport& report);
  void book_laws(double t, double dt, StepReport& report);
  void book_constraints(StepReport& report);
  void describe_worst_row(double dt, StepReport& report) const;

  const System& system_;
  ConsistentScheme scheme_;
  ConsistentOptions options_;
  StepEquations equations_;
  StepEvaluation evaluation_;
  std::unique_ptr<Evaluator> evaluator_;
  BeginningMass mass_;
  ActiveLaws laws_in_step_;
  MotionLaws motion_laws_;
  StepNewton newton_;
  SlipReversal reversal_;
  StepHalving halving_{StepHalving::Mends::kAllFailures, 10};
  std::optional<StepRefinement> refinement_;

  LawList list_;                                       // of the laws where the step begins
  Eigen::VectorXd motion_impulse_;                     // of the laws in the last motion, where the next begins its search
  Eigen::VectorXd u_C_;                                // after the impact
  Eigen::VectorXd change_;                             // of the velocities in it
  Eigen::VectorXd constraint_impulse_, motion_share_;  // on the velocities: in the impact, and in the motion after it
  Eigen::VectorXd multipliers_;
  State end_;             // of the solution
  Eigen::VectorXd path_;  // its s
  bool impact_failed_ = false;
};

}  // namespace tippe
