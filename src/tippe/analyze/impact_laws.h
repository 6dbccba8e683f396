// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

struct ConsistentMode;
struct ModeList;

/// The kinematic law, v+ = -E v- at every contact, Brogliato A (76), (77): friction plays no part, and impulses may pull.
struct KinematicImpact {
  bool exists = true;        // false: no impulse gives these velocities, or none could be computed; what follows is empty
  bool unique = true;        // of the impulses
  Eigen::VectorXd impulses;  // N s  per unilateral contact; if not unique: the smallest, >= 0 if that can be
  Eigen::VectorXd bilateral_impulses;  // the smallest
  Eigen::VectorXd velocity_after;      // generalized
  double energy_change = 0.0;          // J  p'(v+ + v-) / 2; for surfaces that move, without their work
  double surface_work = 0.0;           // J  of surfaces that move: the kinetic energy changes by the sum of both
  double residual = -1.0;              // of M (v+ - v-) = N p + G p_b, joints and energy; relative, kinetic units; <= 1e-9
  Verdict admissible;                  // impulses >= 0, v+ >= 0, energy does not rise
  std::vector<std::string> reasons;    // why not, naming the contacts
  std::string wide_angles;  // if impulses pull: a sentence on contacts at kinetic angles above 90 degrees, also a warning
};

/// What an impact law of a scene does, with friction.
struct ImpactOfLaw {
  Eigen::VectorXd impulses;            // N s  normal, per unilateral contact; the smallest if not unique
  Eigen::VectorXd friction;            // N s  one after the other, as ImpactReport::friction names them
  Eigen::VectorXd bilateral_impulses;  // N s  the smallest
  Eigen::VectorXd velocity_after;
  double energy_change = 0.0;  // J  as those of the kinematic law
  double surface_work = 0.0;
  bool energy_rises = false;  // a warning says so
  double residual = -1.0;     // of the law, of momentum, joints and energy; <= 1e-9
  std::optional<int>
      alternatives;  // other velocities that satisfy the law; nothing: not known. Where modes are enumerated, all, and this one loses
                     // least energy; else as many as were found
};

/// What the impact laws make of a collision. Where impulses are not unique the smallest are given: of least norm when each counts with the
/// kinetic length of its direction, sqrt(n'M^-1 n), so that units do not matter.
struct ImpactReport {
  /// Not empty: a direction without mass that no joint holds. The velocity after the impact is then not determined and nothing
  /// else is filled in but a warning.
  Eigen::VectorXd massless_direction;
  Eigen::VectorXd velocity_before;    // as given, or projected onto the joints
  double projected = 0.0;             // how much the projection changed it, relative; 0 if it was consistent
  Eigen::VectorXd gap_velocity;       // m/s  of each contact before
  std::vector<std::string> friction;  // "floor.t", or "floor.t1", "floor.t2": directions with friction
  ImpactLaw law = ImpactLaw::kNewton;
  bool by_matrix = false;  // the kinematic law governs, not `law`: the restitution couples contacts
  /// Absent, with the reason among the warnings: E is not diagonal or not from 0 to 1, or no velocities
  /// satisfy the law, as when surfaces move or restitutions differ and contacts or joints contradict each other. Moreau's also where restitutions differ.
  std::optional<ImpactOfLaw> newton, poisson, moreau;
  KinematicImpact kinematic;
  std::vector<std::string> warnings;

  [[nodiscard]] const std::optional<ImpactOfLaw>& by(ImpactLaw which) const {
    return which == ImpactLaw::kNewton ? newton : which == ImpactLaw::kPoisson ? poisson : moreau;
  }
  [[nodiscard]] std::optional<ImpactOfLaw>& by(ImpactLaw which) {
    return which == ImpactLaw::kNewton ? newton : which == ImpactLaw::kPoisson ? poisson : moreau;
  }
};

/// Velocities that break the joints are first projected onto them in the kinetic metric, with a warning. Newton's law with friction in the
/// plane: all modes by enumeration, among several outcomes the one that loses least energy, as event-driven does.
[[nodiscard]] ImpactReport judge_impact(const ImpactProblem& problem);
/// Other outcomes than `velocity_after` by the law of the problem, where it has friction that no enumeration decides: those that the contact solver finds from other
/// starts. Each satisfies the law; that none is found proves nothing.
[[nodiscard]] int count_other_outcomes(const ImpactProblem& problem, const Eigen::VectorXd& velocity_after);
/// The kinematic law alone.
[[nodiscard]] KinematicImpact judge_kinematic_impact(const ImpactProblem& problem);

/// Whether the modes of Newton's law are enumerated: friction at a few contacts with one tangent each, and no other.
[[nodiscard]] bool enumerates_impact(const ImpactProblem& problem);
/// Which of several outcomes of Newton's law is taken: the one that loses least energy. `modes` is not empty.
struct ChosenImpact {
  const ConsistentMode* mode = nullptr;
  int others = 0;  // with other velocities
};
[[nodiscard]] ChosenImpact choose_impact(const ModeList& list);

}  // namespace tippe
