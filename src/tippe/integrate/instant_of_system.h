// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/integrate/integrator.h"
#include "tippe/problem/instant.h"

namespace tippe {

struct InstantOptions {
  double closed_tolerance = 0.0;  // m  of gaps, beside round-off
  /// What the laws did in the step that led to the state, or nullptr. A contact that carried an impulse in it is closed, whatever its gap:
  /// time-stepping schemes hold contacts beside it.
  const LawStep* last = nullptr;
  /// s  length of that step. Schemes hold velocities somewhere within a step, where the directions differ from those at its end: a contact
  /// that carried an impulse is at rest up to what it may gain in the step, 2 step |drift|.
  double step = 0.0;
};

/// A contact is at rest in a direction when its velocity is at most this plus 1e-8 of the terms that it is the sum of (and what a step adds).
constexpr double kRestVelocity = 1e-9;  // m/s

/// A contact is closed when its gap is at most the tolerance, this, and 1e-9 of the largest coordinate seen through the contact.
constexpr double kClosedGap = 1e-12;  // m

/// The contact problem of a system at a state. If no closed contact is closing: the accelerations of now, with the closed contacts
/// that are not opening. Otherwise an impact, with the coefficients of restitution of the laws. Contacts that are left out and what the
/// problem cannot express (drilling friction, limits of dry friction that holds) are in the notes. Velocities are those of the system:
/// accelerations are du/dt.
[[nodiscard]] Instant instant_of(const System& system, const State& state, const InstantOptions& options);

}  // namespace tippe
