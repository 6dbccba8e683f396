// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tippe/hybrid/accumulation.h"
#include "tippe/hybrid/mode_selection.h"
#include "tippe/hybrid/smooth_motion.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// A step to the limit of infinitely many impacts, in which their contacts close.
struct AccumulationClosing {
  State end;                       // at the limit
  std::vector<ContactMode> modes;  // of each law until then
  std::vector<int> sides;          // of each switch then, as in CurrentModes
  LawStep laws;
  ConstraintStep constraints;
  StepReport report;      // energies: of the motion until the limit
  double absorbed = 0.0;  // J  that the contacts take beside those, with what is left of their velocities
};

/// Closes the contacts of an accumulation. Expands the motion anew.
class AccumulationCloser {
 public:
  /// All of them must outlive it.
  AccumulationCloser(const System& system, Evaluator& evaluator, ModeSelector& selector, MotionProbe& probe,
                     SmoothMotion& motion);

  /// Nothing if they do not close, or not with admissible impulses. `constraints`: of a step that has done nothing yet.
  [[nodiscard]] std::optional<AccumulationClosing> close(const State& state, const AccumulationWatch::Limit& limit,
                                                         const CurrentModes& modes, const ConstraintStep& constraints);

 private:
  bool close_by_modes(const State& state, const AccumulationWatch::Limit& limit, CurrentModes modes,
                      AccumulationClosing& closing);
  bool close_by_rule(const State& state, const AccumulationWatch::Limit& limit, const CurrentModes& modes,
                     AccumulationClosing& closing);
  [[nodiscard]] ScopeTolerances tolerances_of(const State& state, const AccumulationWatch::Limit& limit);
  void close_laws(const State& state, const AccumulationWatch::Limit& limit, CurrentModes& modes);
  [[nodiscard]] bool impulses_are_admissible(const AccumulationWatch::Limit& limit, const Eigen::VectorXd& absorbed,
                                             const Eigen::VectorXd& impulse);

  const System& system_;
  Evaluator& evaluator_;
  ModeSelector& selector_;
  MotionProbe& probe_;
  SmoothMotion& motion_;
};

}  // namespace tippe
