// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/analyze/closure.h"
#include "tippe/analyze/criteria.h"
#include "tippe/analyze/delassus_report.h"
#include "tippe/analyze/force_set.h"
#include "tippe/analyze/generalized_inverse.h"
#include "tippe/analyze/impact_laws.h"
#include "tippe/analyze/kinetic_angles.h"
#include "tippe/analyze/painleve.h"
#include "tippe/analyze/solvability.h"
#include "tippe/analyze/sticking.h"
#include "tippe/modes/motion.h"
#include "tippe/problem/instant.h"

namespace tippe {

// What goes with a motion: the contacts that it opens, its place in Gauss' principle, how its forces follow the load.

/// Which of the closed contacts a motion opens.
struct LiftOff {
  Eigen::VectorXd gap_acceleration;  // m/s^2  per unilateral contact, in the motion that is given; 0 for round-off
  Eigen::VectorXd lower, upper;      // m/s^2  in all motions; 0 and inf where there may be others
  std::vector<int> opening;          // contacts that open in the motion that is given
  std::vector<int> may_open;         // that open in another one, or may
  /// Some motion keeps all contacts closed: Brogliato B (61) (a) and (b). margin: 1e-9 minus the largest gap
  /// acceleration of that motion,
  /// relative to its size.
  Verdict persistent;
};

/// The motion with contacts as the solution of quadratic programs, Gauss' principle: all values but `primal` are one
/// number in theory, and primal + dual = 0. With
/// a_b the acceleration under the equalities (constraints and sticking tangents) alone, A_c and H4 through them,
/// lambda the contact forces and h'' the gap accelerations:
struct GaussValues {
  std::optional<double>
      gaussian;           // (M a + F)'M^-1 (M a + F), Kalaba-Udwadia (16): all forces together; absent if M is singular
  double primal = 0.0;    // lambda'A_c lambda / 2 + H4'lambda, Brogliato A (42), (53)
  double dual = 0.0;      // lambda'A_c lambda / 2, (49), (54)
  double distance = 0.0;  // (a - a_b)'M (a - a_b) / 2, (48), (56)
  std::optional<double>
      gap_distance;  // (h'' - H4)'A_c^-1 (h'' - H4) / 2, (45), (50), (55) corrected; absent if A_c is singular
  double gap = 0.0;  // |primal + dual|, relative to their terms: how well they prove each other
};

/// How forces and accelerations follow small changes of the load: the linear map of Brogliato B (20)-(24), also for
/// unilateral contacts, as long as the same
/// contacts stay closed. Per unit of an external force along each coordinate, on the right side of M a = ... .
struct LoadResponse {
  Eigen::MatrixXd
      forces;  // one row for each force component, one column per coordinate; a row of no numbers where it is not determined
  Eigen::MatrixXd acceleration;  // one row for each coordinate
  std::vector<bool> determined;  // of each force component
  /// False: some closed contact carries nothing, and opens or is loaded by the smallest change. The map is that of
  /// contacts that stay
  /// closed.
  bool strict = true;
};

/// Forces of actuators that keep all contacts closed, and those at rest and dry frictions at rest from sliding.
struct LeastActuation {
  Answer possible = Answer::kUndecided;
  std::vector<std::string> names;  // of the actuators
  Eigen::VectorXd forces;          // of the actuators, on the side of the contact forces; zero if none are needed
  Eigen::VectorXd contact_forces;  // all components, with these: on the edge of friction where they are not zero
};

/// All that is known of an instant. A part that does not apply is absent, and a note says why.
struct Analysis {
  std::optional<DelassusReport> delassus;
  std::optional<KineticAngles> angles;
  std::vector<Criterion> criteria;
  std::optional<Solvability> solvability;
  std::optional<Motion> motion;
  std::optional<LiftOff> lift_off;  // in `motion`
  std::optional<ForceSet> forces;
  std::optional<GaussValues> gauss;      // of `motion`, where nothing slides and no dry friction is at rest
  std::optional<LoadResponse> response;  // of `motion` and `forces`, where the motion is unique
  std::optional<Sticking> sticking;
  std::optional<LeastActuation> actuation;  // where contacts with known friction, or dry frictions, are at rest
  std::optional<Closure> closure;
  std::optional<Painleve> painleve;
  std::optional<ImpactReport> impact;
  std::optional<GeneralizedInverse> generalized_inverse;
  /// Dry frictions at rest that begin to slide in `motion`, by their place in Instant::dry.
  std::vector<int> yielding;
  /// Whether the contacts at rest stick within their friction in `motion`, which knows no limits of theirs. Absent: none with friction is at rest.
  std::optional<Verdict> limits_kept;
  std::vector<std::string> notes;
};

/// Forces are those of the ForceLayout, then of all dry frictions (force_names()); couplings, closure and the generalized inverse are those of contacts and constraints
/// alone, which dry friction that slides loads. Throws InputError if the problems are not valid.
[[nodiscard]] Analysis analyze(const Instant& instant);

}  // namespace tippe
