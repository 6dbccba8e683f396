// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "tippe/core/verdict.h"
#include "tippe/problem/acceleration_problem.h"

namespace tippe {

struct StackedProblem;

/// Which problem was judged.
enum class InstantKind { kFrictionless, kDry, kSticking, kSliding };
[[nodiscard]] constexpr const char* name_of(InstantKind kind) {
  return kind == InstantKind::kFrictionless ? "frictionless"
         : kind == InstantKind::kDry        ? "dry friction within its limits"
         : kind == InstantKind::kSticking   ? "sticking without friction limits"
                                            : "with sliding";
}

/// Whether there are accelerations and forces at all.
struct Solvability {
  /// What the answer rests on.
  enum class Ground {
    kEveryDrift,      // a direction opens all contacts at once: solvable whatever the drifts, contact forces bounded
    kBounded,         // every self-stress contains a contact that opens: contact forces bounded
    kWedged,          // a self-stress z can be added to the forces at will
    kContradiction,   // z: contacts that would have to separate and stay closed at once
    kEqualities,      // joints or sticking tangents contradict each other
    kMasslessLoaded,  // a massless direction is loaded and nothing holds it
    kMonotone,        // sliding: the matrix is positive semidefinite, a linear program decides
    kPMatrix,         // sliding: all principal minors are positive
    kEnumeration,     // sliding: all cases were tried
    kLemke,           // sliding: a solution was found by Lemke's method; nothing is said of others
    kOpen,            // nothing was proved
  };
  InstantKind kind = InstantKind::kFrictionless;
  Ground ground = Ground::kOpen;
  std::string reason;  // kOpen: what was not tried, if that is why
  Verdict verdict;
  Eigen::VectorXd certificate;           // z >= 0, sum 1, per unilateral contact; empty if there is none
  double certificate_value = 0.0;        // m/s^2  gamma_N'z - gamma_C'y of it: the optimum of (C)
  Eigen::VectorXd separating_direction;  // kEveryDrift: normals'd >= 1, equalities'd = 0
  Eigen::VectorXd massless_direction;    // kMasslessLoaded
  std::vector<std::string> culprits;     // kEqualities: rows that contradict each other, "rail.n"
};

/// Without sliding (stacked.sliding is false); M positive semidefinite, everything redundant or not.
[[nodiscard]] Solvability judge_solvability(const AccelerationProblem& problem, const StackedProblem& stacked);

}  // namespace tippe
