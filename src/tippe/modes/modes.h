// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tippe/problem/acceleration_problem.h"
#include "tippe/problem/contact_mode.h"

namespace tippe {

/// Where a quantity goes from zero: its first derivative that is not zero, Johnson (18), (19) with the index from 0.
struct Trend {
  int order = 0;  // of that derivative
  int sign = 0;   // of that derivative; 0: not decided, all up to this order are zero
  enum class Of { kNothing, kGap, kForce, kReserve, kSlip } of = Of::kNothing;  // reserve: of friction below its limit
  double after = 0.0;  // s  not 0: all are zero, and the sign was seen this long after in a short simulation, Johnson (20)
};

/// One way to go on that satisfies all laws.
struct ConsistentMode {
  std::vector<ContactMode> contacts;  // unilateral contacts, then bilateral ones with friction, then dry frictions
  Eigen::VectorXd motion;             // accelerations, or velocities after an impact; one of them where not unique
  bool motion_unique = true;
  Eigen::VectorXd motion_lower, motion_upper;  // bounds of each entry within this mode; equal where it is determined
  Eigen::VectorXd forces;  // or impulses, in the order of ForceLayout, then dry frictions; the smallest where not unique
  bool forces_unique = true;
  Eigen::VectorXd lower, upper;  // bounds of each force within this mode, +-inf where there is none
  /// The part of the load along directions without mass that nothing balances, one entry per coordinate; empty if
  /// there is none.
  Eigen::VectorXd unbalanced;
  double energy_change = 0.0;  // J  impacts only: of the relative velocities, so without the work of surfaces that move
  double surface_work = 0.0;   // J  that work: the kinetic energy changes by the sum of both
  double residual = -1.0;      // largest error of equations and signs, relative to the size of their terms
  /// Contacts that could as well do something else with the same motion: closed without a force, at the limit of friction without sliding.
  /// Derivatives decide.
  std::vector<int> ties;
  /// Of each contact: open ones of their gap, closed ones of their normal force, or of their reserve of friction or their
  /// slip where that is decided later; dry frictions of their reserve. Order 0 (closed, with a force) or 2 (open, opening)
  /// from the problem; of ties sign 0 until derivatives are known.
  std::vector<Trend> trending;
};

/// A mode that contradicts itself, and why: "the impulse of 'ground' would be -0.5 N s", "'hill' would close with 0.2 m/s",
/// "'ground' would need friction 1.2 times its limit", "sliding of 'ground' would be backward, with 0.3 m/s", "no forces hold it". A mode
/// with the motion of another one says "'hill' would stay closed" or "'ground' would not slide".
struct RejectedMode {
  std::vector<ContactMode> contacts;
  std::vector<std::string> reasons;
};

struct ModeList {
  std::vector<std::string> contacts;  // names, in the order of ConsistentMode::contacts
  std::vector<ConsistentMode> modes;  // modes are disjoint: open ones open, sliding ones slide, by their motion
  std::vector<RejectedMode> rejected;
  /// True: these are all modes. False: one solution of a complementarity solver, or a search that may have missed some; `note` says so.
  bool complete = true;
  std::string note;
  std::string unchecked;  // where one solution was found and nobody knows of others: why
  int cases = 0;          // modes that were tried

  /// Whether there is one mode with one motion; nothing if other modes may exist.
  [[nodiscard]] std::optional<bool> unique() const {
    for (const ConsistentMode& mode : modes) {
      if (modes.size() > 1 || !mode.motion_unique) return false;
    }
    return complete ? std::optional(modes.size() == 1) : std::nullopt;
  }
};

struct ModeOptions {
  bool rejected = false;  // whether to say why the others fail (up to 256 of them)
};

/// Which contact modes can follow at an instant, force-acceleration complementarity, Johnson (32): every mode up to 6 contacts in the plane
/// that may stick (12 that slide), at most 20000 in all, else one solution by a complementarity solver. Without friction: the motion of
/// Gauss' principle, for any number of contacts. Dependent contacts share their load in a set. A contact whose opening is not defined, as
/// that of a massless link, is open if it would pull were it closed, Johnson (33). `problem` is valid, see require_valid().
[[nodiscard]] ModeList list_motion_modes(const AccelerationProblem& problem, std::span<const DryFrictionRow> dry = {},
                                         const ModeOptions& options = {});

/// Which contact modes can follow an impact, impulse-velocity complementarity, Johnson (12), with Coulomb friction between impulses and
/// velocities and Newton's restitution, Moeller (3.133): xi = v+ + e v- in place of v+, so that a contact that rebounds is closed, or
/// sticks or slides. Velocities that break the constraints are first projected onto them in the kinetic metric. Throws InputError if the restitution
/// of `problem` is not diagonal. Else as list_motion_modes().
[[nodiscard]] ModeList list_impact_modes(const ImpactProblem& problem, const ModeOptions& options = {});

}  // namespace tippe
