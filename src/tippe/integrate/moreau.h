// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/bilateral_rows.h"
#include "tippe/integrate/constrained_motion.h"
#include "tippe/integrate/push_out.h"
#include "tippe/integrate/step_halving.h"

namespace tippe {

struct MoreauOptions {
  ActiveLawsOptions laws;
  bool project = false;          // steps end on the bilateral constraints
  bool project_contacts = true;  // closed contacts are pushed out slowly
};

/// Moreau's midpoint rule with Newton's impact law per law and direction, Moeller (5.3)-(5.8).
/// A contact acts while its gap at the midpoint is closed. Bilateral constraints hold for the velocity at the end of the step with
/// the directions of the midpoint; positions drift unless they are projected. Event capturing, first order; classical forces are
/// explicit, so a stiff spring limits the step to 2 / omega.
class MoreauMidpoint final : public Integrator {
 public:
  MoreauMidpoint(const System& system, const MoreauOptions& options);
  StepReport step(State& state, double dt) override;
  [[nodiscard]] const InclusionProblem* last_problem() const override { return &laws_in_step_.problem(); }
  void save_memory(NamedArrays& memory) const override;
  void restore_memory(const NamedArrays& memory) override;

 private:
  /// `part`: of the step that was asked for.
  StepReport advance(State& state, double dt, double part);
  void move(double t, const Eigen::VectorXd& place, const Eigen::VectorXd& u, double time, const Eigen::VectorXd& from,
            Eigen::VectorXd& q);
  bool evaluate_midpoint(const State& state, double dt, StepReport& report);
  void book_energy(const Eigen::VectorXd& u_E, double dt, StepReport& report);

  const System& system_;
  bool project_;
  std::unique_ptr<Evaluator> evaluator_;
  BilateralRows rows_;
  ConstrainedMass M_;
  ConstrainedMotion motion_;  // for projections
  RedundancyMemory redundancy_;
  ActiveLaws laws_in_step_;
  std::optional<PushOut> push_out_;
  StepHalving halving_{StepHalving::Mends::kUnsolvedContacts, 3};
  Dynamics dynamics_;
  LawList list_;            // of the laws at the midpoint
  Eigen::VectorXd q_half_;  // q_M_ before unit quaternions are made as long as 1
  Eigen::VectorXd rate_, q_M_, u_B_, u_start_, impulse_, change_of_u_, constraint_impulse_;
};

}  // namespace tippe
