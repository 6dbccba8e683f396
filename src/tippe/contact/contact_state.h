// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tippe/core/infinity.h"
#include "tippe/model/force_law.h"

namespace tippe {

/// What counts as zero when somebody asks what a contact does. Everything that is asked for is in ContactView.
struct ContactTolerances {
  double gap = 0.0;                // m    a gap up to this is closed,
  double gap_of_terms = 0.0;       // 1    and this share of the terms of the gap beside it
  double held_gap_of_terms = 0.0;  // 1    the same, added where a contact is held
  double held_gap_of_way =
      0.0;  // 1    of the way that the force on a held contact has prevented; infinity: it is closed, whatever its gap
  double speed_of_terms = 0.0;   // 1    a velocity up to this share of its terms is none,
  double speed_of_change = 0.0;  // 1    and of the change of velocity that has just been or is to come beside it

  /// A start: gaps up to a tolerance, velocities as they are.
  [[nodiscard]] static constexpr ContactTolerances as_given(double closed_tolerance) { return {.gap = closed_tolerance}; }
  /// A start in a count of impacts: what is round-off of its terms is no velocity.
  [[nodiscard]] static constexpr ContactTolerances of_counts(double closed_tolerance) {
    return {.gap = closed_tolerance, .speed_of_terms = 1e-12};
  }
  /// A step: a contact that carried an impulse in the one before is not opened by round-off, nor by a millionth of the way that its
  /// impulse prevented; and that share of the speed that forces or its impulse stand for is no impact, nor is round-off of the velocities.
  [[nodiscard]] static constexpr ContactTolerances of_steps(double closed_tolerance, double round_off) {
    return {.gap = closed_tolerance,
            .gap_of_terms = round_off,
            .held_gap_of_terms = 16.0 * 2.220446049250313e-16,
            .held_gap_of_way = 1e-6,
            .speed_of_terms = 1e-12,
            .speed_of_change = 1e-6};
  }
  /// An impact: a law that it throws back closes faster than round-off of the velocity with which it opened, and than what a solver with this
  /// tolerance leaves of the velocities.
  [[nodiscard]] static constexpr ContactTolerances of_impacts(double tolerance) {
    return {.speed_of_terms = tolerance, .speed_of_change = 1e-9};
  }
  /// An instant that somebody gave or a run has reached. Terms: by StateSizes.
  [[nodiscard]] static constexpr ContactTolerances of_instants(double closed_tolerance) {
    return {.gap = closed_tolerance, .gap_of_terms = 1e-9, .held_gap_of_way = kInfinity, .speed_of_terms = 1e-8};
  }
  /// A motion that is known to round-off. Terms: at their largest so far.
  [[nodiscard]] static constexpr ContactTolerances of_motions() {
    return {.gap_of_terms = 1e-12, .held_gap_of_way = kInfinity, .speed_of_terms = 1e-11, .speed_of_change = 1e-9};
  }
  /// The start of such a motion: numbers that somebody wrote have a few digits.
  [[nodiscard]] static constexpr ContactTolerances as_written() {
    return {.gap_of_terms = 1e-9, .held_gap_of_way = kInfinity, .speed_of_terms = 1e-8, .speed_of_change = 1e-9};
  }
};

/// A gap at a state, and what is remembered of its contact.
struct GapView {
  double gap = 0.0;            // m
  double terms = 0.0;          // m    the size of what it is the sum of, to which its round-off is relative
  bool held = false;           // the contact carried a force just before
  double prevented_way = 0.0;  // m    that this force prevented
};

/// A relative velocity at a state.
struct VelocityView {
  double velocity = 0.0;  // m/s
  double terms = 0.0;     // m/s  the size of what it is the sum of
  double change = 0.0;    // m/s  that has just been or is to come
  double allowed = 0.0;   // m/s  that the one who asks allows beside the tolerances, as what loads can add within a step
};

/// What a contact or a clutch does along its normal. All but open ones touch; a clutch always does.
enum class ContactState {
  kOpen,     // it does not touch
  kOpening,  // it touches, and opens
  kResting,  // it touches, without a normal velocity
  kClosing,  // it touches, and closes: an impact comes first
};

/// The largest gap that is closed.
[[nodiscard]] inline double closed_gap(const GapView& view, const ContactTolerances& tolerances) {
  double allowed = tolerances.gap + tolerances.gap_of_terms * view.terms;
  if (!view.held) return allowed;
  if (tolerances.held_gap_of_way == kInfinity) return kInfinity;
  return allowed + tolerances.held_gap_of_way * view.prevented_way + tolerances.held_gap_of_terms * view.terms;
}
[[nodiscard]] inline bool is_closed(const GapView& view, const ContactTolerances& tolerances) {
  return view.gap <= closed_gap(view, tolerances);
}

/// The largest velocity that is none.
[[nodiscard]] inline double rest_speed(const VelocityView& view, const ContactTolerances& tolerances) {
  return tolerances.speed_of_terms * view.terms + tolerances.speed_of_change * view.change + view.allowed;
}
[[nodiscard]] inline bool is_moving(const VelocityView& view, const ContactTolerances& tolerances) {
  const double speed = view.velocity < 0.0 ? -view.velocity : view.velocity;
  return speed > rest_speed(view, tolerances);
}

/// Of what touches: which way it goes along its normal.
[[nodiscard]] inline ContactState state_along_normal(const VelocityView& view, const ContactTolerances& tolerances) {
  if (!is_moving(view, tolerances)) return ContactState::kResting;
  return view.velocity < 0.0 ? ContactState::kClosing : ContactState::kOpening;
}

/// How many rows of friction there are from first_slip() on: with drilling, which is the last.
[[nodiscard]] inline int friction_rows(const ForceLaw& law) {
  return law.kind == ForceLaw::Kind::kOneWay ? 0 : law.rows - law.first_slip();
}
/// Whether friction has a direction that may turn.
[[nodiscard]] inline bool rubs_in_plane(const ForceLaw& law) {
  return friction_rows(law) > 1;
}

/// The friction coefficient of a row of a contact, or the limit of that of a dry friction in a plane, in the units that the
/// row asks for. Where it is zero the law slides freely.
[[nodiscard]] inline double friction_along(const ForceLaw& law, int row) {
  const int direction = row - law.first_slip();
  const bool dry = law.kind == ForceLaw::Kind::kDryFriction;
  if (direction == 2) return law.drilling ? law.drilling->Rbar * (dry ? law.limits[0] : law.mu1) : 0.0;
  if (dry) return law.limits[static_cast<size_t>(direction)];
  return direction == 0 ? law.mu1 : law.mu2;
}

/// The weight of a slip in the direction of friction: what a tangent with less friction does counts less, in proportion, so that the slip of an
/// anisotropic contact is that of an isotropic one.
[[nodiscard]] inline double slip_weight(const ForceLaw& law, int row) {
  return law.is_line_friction() ? 1.0 : friction_along(law, row);
}

/// Whether a contact or a dry friction slides: along one direction with friction at least. `rows`: all of the law.
[[nodiscard]] bool is_sliding(const ForceLaw& law, std::span<const VelocityView> rows, const ContactTolerances& tolerances);

}  // namespace tippe
