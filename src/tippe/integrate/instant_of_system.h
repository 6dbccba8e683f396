// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/integrate/integrator.h"
#include "tippe/problem/instant.h"

namespace tippe {

struct PastSizes;

struct InstantOptions {
  double closed_tolerance = 0.0;  // m  of gaps, beside round-off
  /// What the steps that led to the state did, or nullptr. A contact that they held is closed, whatever its gap, and at rest up to what loads
  /// and curvature can give it in a few steps: schemes hold contacts beside gap zero, and their velocities somewhere within a step.
  const LawMemory* held = nullptr;
  double step = 0.0;                // s  length of the last step
  const PastSizes* past = nullptr;  // what is known of the way there
  /// Where contacts are found: of a body, a plane or a shape. The problem is then that of the bodies that lean on each other with it, directly or
  /// through others; where these have more than kMostContacts contacts, that of its own contacts, with the forces of all others on what it touches
  /// as they were in the last step.
  std::string around = {};
  static constexpr int kMostContacts = 200;  // the questions that are asked of an instant are dense
};

/// The contact problem of a system at a state. If no closed contact is closing: the accelerations of now, with the closed contacts
/// that are not opening, and the dry frictions. Otherwise an impact of all closed contacts, with the coefficients of restitution of the laws, or their
/// matrix if it governs the impact; dry friction takes no part in it, since its force is bounded. Contacts that are left out and what the
/// problem cannot express (drilling friction) are in the notes. Throws InputError if nothing is called as InstantOptions::around says, or if
/// there are more than kMostContacts contacts and it says nothing. Velocities are those of the system: accelerations are du/dt.
[[nodiscard]] Instant instant_of(const System& system, const State& state, const InstantOptions& options);

/// Puts the system's restitution matrix in the place of the restitutions of its contacts; `laws`: of the unilateral contacts of the
/// problem, among them all of the matrix.
void set_restitution_matrix(const System& system, const std::vector<int>& laws, ImpactProblem& problem);

/// The impact of the contacts and clutches in `scope`, as they are, without rounding to rest, each with its own restitution. Accelerations of rows are left out. The
/// evaluator, of the system, is at the state afterwards.
[[nodiscard]] ImpactProblem impact_of(const System& system, const State& state, const std::vector<int>& scope,
                                      Evaluator& evaluator);

}  // namespace tippe
