// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/bilateral_rows.h"
#include "tippe/integrate/constrained_motion.h"
#include "tippe/integrate/force_linearization.h"
#include "tippe/integrate/push_out.h"
#include "tippe/integrate/step_halving.h"

namespace tippe {

struct MoreauJeanOptions {
  ActiveLawsOptions laws;
  double theta = 0.5;    // 1  from 1/2 (second order, keeps the energy of linear springs) to 1 (damps fast oscillations)
  bool project = false;  // steps end on the bilateral constraints
  bool project_contacts = true;  // closed contacts are pushed out slowly
};

/// The theta scheme of Moreau and Jean for stiff classical forces: with W, M, F and the closed contacts at q_B + dt/2 F u_B,
///
///   M (u_E - u_B) = dt [theta h(q_E,u_E,t_E) + (1-theta) h(q_B,u_B,t_B)] + W Lambda,   q_E = q_B + dt F (theta u_E + (1-theta) u_B)
///
/// and Newton's impact law. Solved by Newton's method with M + theta dt C + theta^2 dt^2 K, C and K the symmetric slopes of the
/// classical forces: exact in one iteration for linear springs and dampers; other forces, and those of inertia, take a few more.
class MoreauJean final : public Integrator {
 public:
  /// A system that has expressions (System::lagrangian()) or constant forces, and Newton's impact law.
  MoreauJean(const System& system, const MoreauJeanOptions& options);
  StepReport step(State& state, double dt) override;
  [[nodiscard]] const InclusionProblem* last_problem() const override { return &laws_in_step_.problem(); }
  void save_memory(NamedArrays& memory) const override;
  void restore_memory(const NamedArrays& memory) override;

 private:
  /// `part`: of the step that was asked for.
  StepReport advance(State& state, double dt, double part);
  /// Of implicit_mass_.
  [[nodiscard]] const std::vector<LowerEntry>& pattern() const {
    return slopes_ ? slopes_->pattern() : system_.mass_pattern();
  }
  bool prepare(const State& state, double dt, StepReport& report);
  bool iterate(const State& begin, double dt, StepReport& report);
  [[nodiscard]] double misfit();
  [[nodiscard]] double round_off_of_positions(double dt) const;
  bool factorize(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double dt, StepReport& report);
  bool refresh_slopes(double t_E, double dt, StepReport& report);
  bool evaluate_end(const State& begin, double dt, StepReport& report);
  bool solve(double dt, StepReport& report);
  void book_energy(double dt, StepReport& report);

  const System& system_;
  double theta_;
  bool project_;
  std::unique_ptr<Evaluator> evaluator_;
  BilateralRows rows_;
  std::optional<ForceLinearization> slopes_;  // none where forces have none
  ConstrainedMass M_;                         // with the slopes
  ConstrainedMotion motion_;
  RedundancyMemory redundancy_;
  ActiveLaws laws_in_step_;
  std::optional<PushOut> push_out_;
  StepHalving halving_{StepHalving::Mends::kUnsolvedContacts, 3};
  Dynamics begin_, middle_, end_;
  std::vector<double> implicit_mass_;
  LawList list_;  // of the laws at the predicted midpoint
  Eigen::VectorXd rate_, q_M_, q_E_, u_B_, u_E_, u_start_, smooth_, impulse_, change_, mean_;
};

}  // namespace tippe
