// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "tippe/hybrid/current_modes.h"
#include "tippe/hybrid/event_functions.h"
#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/motion_check.h"
#include "tippe/hybrid/motion_probe.h"
#include "tippe/hybrid/motion_scales.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// A smooth piece of motion: its polynomials, how far they are good, the events that end it, and what it looks like to the definitions of the laws.
/// Calls take what they depend on; all but expand() are about the last expansion.
class SmoothMotion {
 public:
  /// `scales` and `probe` must outlive it. `tolerance`: 1, of the error of a piece, relative to the motion.
  SmoothMotion(const System& system, const MotionScales& scales, MotionProbe& probe, double tolerance);

  /// The polynomials of the motion from a state on. False if there are none: the report says why.
  bool expand(const State& state, const CurrentModes& modes, StepReport& report);
  /// After expand(): chooses which contacts that slide in space are slow, those whose velocity friction turns faster than the rest of the motion changes, and
  /// expands again where that is others. False if there are no polynomials: the report says why.
  bool choose_slow(const State& state, CurrentModes& modes, StepReport& report);
  [[nodiscard]] ModeFlow& flow() { return flow_; }
  /// Of each switch: the branch that the polynomials follow.
  [[nodiscard]] const std::vector<int>& branches() const { return branches_; }

  struct Piece {
    State begin, end;  // the end on the rows that hold
    double duration = 0.0;
    std::vector<FoundEvent> reached;  // at its end
    /// s  by which the clock rounds its end
    [[nodiscard]] double rounded() const { return (end.t - begin.t) - duration; }
  };
  /// The piece from the state that was expanded up to its first events, and no longer than `dt` and its error allow. The report fails if there is none.
  [[nodiscard]] Piece find_piece(const State& begin, double dt, const CurrentModes& modes, bool after_transition,
                                 StepReport& report);
  /// Ends the piece after `duration`, without events. False if the polynomials are not good enough that far. `dt`: as in find_piece().
  bool end_piece(double duration, double dt, const CurrentModes& modes, Piece& piece, StepReport& report);
  /// Forces that contacts share at will lead from modes.shares to `forces` at the end of the piece: both are within their cones, and so
  /// are those between. False if there are no polynomials: the report says why.
  bool lead_shares(const Piece& piece, const CurrentModes& modes, const Eigen::VectorXd& forces, StepReport& report);
  /// Whether the laws did what they are defined to do; else the report fails. Where modes end at once there was no motion.
  void check_laws(const Piece& piece, const CurrentModes& modes, StepReport& report);

 private:
  [[nodiscard]] bool goes_along_direction(int law) const;
  /// What the equations say at the end of a piece. A `tick` of the clock later: so much is uncertain there.
  struct AtEnd {
    Eigen::VectorXd acceleration, free, load_misfit;
    std::array<double, 3> powers;  // W  of laws, damping and drives
  };
  [[nodiscard]] AtEnd look_at_end(const ModeFlow& at_end, double duration) const;
  [[nodiscard]] double misfit(const State& end, double duration, const AtEnd& found, const AtEnd& tick) const;
  [[nodiscard]] double misfit_of_motion(const State& end, double duration, const AtEnd& found, const AtEnd& tick) const;
  [[nodiscard]] double misfit_of_powers(const State& end, double duration, const AtEnd& found, const AtEnd& tick) const;
  [[nodiscard]] double misfit_of_cones(double duration) const;
  [[nodiscard]] bool find_branches(const State& state, const std::vector<int>& sides);

  const System& system_;
  const MotionScales& scales_;
  MotionProbe& probe_;
  double tolerance_;
  ModeFlow flow_;
  EventFunctions functions_;
  MotionCheck check_;
  std::vector<int> branches_;
  std::vector<ModeFlow::TurnRate> turn_rates_;  // of each law at the end of a piece
};

}  // namespace tippe
