// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tippe/core/constrained_mass.h"
#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/integrator.h"
#include "tippe/problem/inclusion_problem.h"
#include "tippe/solve/contact_solver.h"

namespace tippe {

/// Schemes that keep contacts by velocities let them sink: by a step's way in an impact, and by the curvature of the gap in every
/// step. This brings positions back, slowly: a step removes at most a fixed share of a depth, by the smallest displacement in the
/// metric of the step's matrix that deepens no other contact that acts and keeps the bilateral constraints. Velocities stay. Lifting costs energy, and a
/// compressed spring much of it: pushing out gives back at most what impulses along normals have taken before, so that it never raises
/// T + V above what a run without impacts would have.
class PushOut {
 public:
  explicit PushOut(const System& system);

  /// Of the contacts that acted in the step which has led to `state`, with M under the constraints near by. What it does to T + V is in
  /// report.pushed_out.
  /// report.lost_along_normals is what the step took. `may_be_deep`: else nothing is looked at.
  void apply(ConstrainedMass& M, const ActiveLaws& laws, bool may_be_deep, double dt, State& state, StepReport& report);

  /// What the next step depends on.
  static constexpr size_t kMemorySize = 2;
  void save(std::vector<double>& memory) const;
  void restore(std::span<const double> memory);

 private:
  bool find_depths(const ActiveLaws& laws, double dt, const State& state);
  bool solve(ConstrainedMass& M);
  [[nodiscard]] double energy(const State& state);

  const System& system_;
  std::unique_ptr<Evaluator> evaluator_;
  Eigen::VectorXd gaps_, displacement_, dq_, q_before_;
  double budget_ = 0.0;             // J  that pushing out may give
  bool has_begun_ = false;          // after the first step
  SparseColumns W_;                 // normals of the contacts that acted
  std::vector<double> chi_, ways_;  // ways: how far each must move
  std::vector<int> sizes_;
  DelassusBuilder delassus_builder_;
  InclusionProblem problem_;
  ContactSolver solver_;
  Solution solution_;
};

/// Takes what PushOut::save() appended to a memory, and returns the rest. Throws std::invalid_argument if there is too little.
[[nodiscard]] std::span<const double> restore_push_out(std::span<const double> memory, std::optional<PushOut>& push_out);

}  // namespace tippe
