// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/constrained_motion.h"
#include "tippe/integrate/integrator.h"
#include "tippe/problem/delassus_builder.h"
#include "tippe/problem/inclusion_problem.h"
#include "tippe/solve/contact_solver.h"

namespace tippe {

/// Schemes that keep contacts by velocities let them sink: by a step's way in an impact, and by the curvature of the gap in every
/// step. This brings positions back, slowly: every few steps it removes a fixed share of a depth, by the smallest displacement in the
/// metric of the step's matrix that deepens no other contact that acts and keeps the bilateral constraints. Velocities stay, but for bilateral
/// constraints that are kept on the position level. Lifting
/// costs energy, and a compressed spring much of it: pushing out gives back at most what impulses along normals have taken before, so
/// that it never raises T + V above what a run without impacts would have.
class PushOut {
 public:
  explicit PushOut(const System& system) : system_(system) {}

  /// A step that is done: where it looked for its laws, and how it went on from there.
  struct Step {
    Evaluator& evaluator;           // there or at the end; is moved
    ConstrainedMass& M;             // there
    const ActiveLaws& laws;         // found and assembled there
    const Eigen::VectorXd& q;       // that place,
    const Eigen::VectorXd& onward;  // the way from there to the end of the step as velocities times a time,
    double time;                    // s  and how long it took
    double dt;
    double part;               // 1  of a whole step, which may be cut in halves
    ConstrainedMotion* keeps;  // the bilateral constraints on the position level; nullptr: nothing does
  };
  /// Whether the next apply() may move something; in the others it only counts.
  [[nodiscard]] bool is_due() const;
  /// Of the contacts that acted in the step which has led to `state`. report.lost_along_normals is what the step took; what this does to
  /// T + V is in report.pushed_out.
  void apply(const Step& step, State& state, StepReport& report);

  /// What the next step depends on.
  void save(NamedArrays& memory) const;
  /// Throws std::invalid_argument if save() did not write it.
  void restore(const NamedArrays& memory);

 private:
  bool find_depths(const Step& step, const Eigen::VectorXd& u);
  bool solve(const Step& step);

  const System& system_;
  Eigen::VectorXd displacement_, dq_, q_before_, u_before_;
  double budget_ = 0.0;  // J  that pushing out may give
  double phase_ = 0.0;   // 0 before the first step, then steps since the last one that pushed, itself included
  struct Normal {
    int block, row;  // of the step's laws
  };
  std::vector<Normal> normals_;  // of the contacts that acted,
  std::vector<double> ways_;     // and how far each must move
  std::vector<int> sizes_;
  DelassusBuilder delassus_builder_;
  InclusionProblem problem_;
  ContactSolver solver_;
  Solution solution_;
};

}  // namespace tippe
