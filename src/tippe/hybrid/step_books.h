// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// Adds what laws, constraints and damping took and drives gave until t after the beginning of an expansion. `shift`: by which the clock then rounds the time: supports
/// stand where they are at the time that it shows.
void book_motion(const System& system, const ModeFlow& flow, double t, double shift, LawStep& laws,
                 ConstraintStep& constraints, StepReport& report);

/// The last step, for what is asked of it later: states within it, and what was done until then.
class StepBooks {
 public:
  explicit StepBooks(const System& system);

  /// A step begins: a jump, unless keep() says that it moves.
  void begin(const State& state);
  /// It moves by the polynomials of an expansion, which a transition may overwrite later. `end`: before such a transition.
  void keep(const ModeFlow& flow, const State& end);
  /// It jumps over a time without a motion to look at. `end`: before a transition.
  void jump(const State& end) { end_ = end; }

  /// As AdaptiveIntegrator::interpolate(). `redundant`: whether the impulses of constraints are not unique.
  [[nodiscard]] StepReport interpolate(double t, bool redundant, State& state);
  [[nodiscard]] const LawStep& laws() const { return part_laws_; }
  [[nodiscard]] const ConstraintStep& constraints() const { return part_constraints_; }

 private:
  const System& system_;
  double t_B_ = 0.0;
  State end_;

  struct Polynomials {
    Eigen::MatrixXd q, u;
    Eigen::MatrixXd lost;  // one column each: in contacts, in damping, work done
    // One column for each law, each row of all laws, each constraint.
    Eigen::MatrixXd law_lost, law_forces, constraint_forces;
    Eigen::MatrixXd constraint_push;  // nu x (order + 1)
    int order = -1;                   // -1: no motion, but a jump
  };
  Polynomials piece_;
  LawStep part_laws_;  // what they did until the last interpolation
  ConstraintStep part_constraints_;
};

}  // namespace tippe
