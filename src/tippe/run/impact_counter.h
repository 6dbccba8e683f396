// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tippe/contact/contact_state.h"
#include "tippe/integrate/integrator.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// Decides which contacts had an impact in a step. What it remembers of a contact beyond the integrator's own memory is kept for what the
/// contact obeys: several that were found share one law of System::laws().
class ImpactCounter {
 public:
  explicit ImpactCounter(const System& system) : system_(system), largest_(system.laws().size(), 0.0) {}

  /// A contact that starts closed has not been open before, unless it starts with an impact. The evaluator is at the start.
  void start(Evaluator& evaluator, const State& start, const LawList& laws, double closed_tolerance,
             Integrator& integrator) const {
    const ContactTolerances tolerances = ContactTolerances::of_counts(closed_tolerance);
    SparseColumns W;
    std::vector<double> chi;
    for (int k = 0; k < laws.size(); ++k) {
      if (kind_of(laws.law[static_cast<size_t>(k)]) != ForceLaw::Kind::kContact) continue;
      if (!is_closed({.gap = laws.gap[k]}, tolerances)) continue;
      W.clear();
      chi.clear();
      evaluator.append_directions(laws, k, W, chi);
      double size = std::abs(chi[0]);
      for (int p = W.start[0]; p < W.start[1]; ++p) size += std::abs(W.value[p] * start.u[W.row[p]]);
      const double velocity = W.dot(0, start.u.data()) + chi[0];
      if (state_along_normal({.velocity = velocity, .terms = size}, tolerances) != ContactState::kClosing)
        integrator.hold(laws.id[static_cast<size_t>(k)]);
    }
  }

  /// Calls found(k) for each law of the step that had an impact. `kinetic_energy`: the largest so far.
  template <class Found>
  void count(const LawStep& step, double kinetic_energy, Found&& found) {
    for (int k = 0; k < step.size(); ++k) {
      const auto at = static_cast<size_t>(k);
      if (step.anew[at] == 0 || !(step.impulse[step.first_row[at]] > 0.0)) continue;
      if (kind_of(step.law[at]) != ForceLaw::Kind::kContact) continue;
      // A contact that was open for fewer steps was let go by the discretisation (a pivoting corner follows a curve), not by the motion:
      // it falls back with the speed of a step or two, and carries nothing anew.
      const double closing = step.closing_speed[k];
      double& largest = largest_[static_cast<size_t>(step.law[at])];
      largest = std::max(largest, closing);
      if (closing > kImpactThreshold * largest && closes(step, k, kinetic_energy)) found(k);
    }
  }

  /// Calls found(law) for each contact of an impact event that closed, and did not rest on another that did.
  template <class Found>
  void count(const Event& impact, const LawStep& step, double kinetic_energy, Found&& found) const {
    const VelocityView fastest{.terms = step.closing_speed.maxCoeff()};
    for (const int law : impact.laws) {
      if (step.closing_speed[law] > rest_speed(fastest, kCounted) && closes(step, law, kinetic_energy)) found(law);
    }
  }

  /// Names all members, for a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    archive("impact.largest", largest_);
  }

 private:
  static constexpr ContactTolerances kCounted = ContactTolerances::of_counts(0.0);
  [[nodiscard]] ForceLaw::Kind kind_of(int law) const { return system_.laws()[static_cast<size_t>(law)].kind; }
  /// Whether a contact closed at the beginning of the step, faster than round-off.
  [[nodiscard]] bool closes(const LawStep& step, int k, double kinetic_energy) const {
    // Of the speed that all kinetic energy could give to the contact.
    const VelocityView closing{.velocity = -step.closing_speed[k], .terms = std::sqrt(kinetic_energy) * step.speed_scale[k]};
    return kind_of(step.law[static_cast<size_t>(k)]) == ForceLaw::Kind::kContact &&
           state_along_normal(closing, kCounted) == ContactState::kClosing;
  }

  const System& system_;
  std::vector<double> largest_;  // m/s  closing speed so far, of each law of the system
};

}  // namespace tippe
