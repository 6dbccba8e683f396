// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tippe/contact/contact_state.h"
#include "tippe/integrate/integrator.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// Decides which contacts had an impact in a step.
class ImpactCounter {
 public:
  explicit ImpactCounter(const System& system)
      : system_(system), open_for_(system.laws().size(), kReopened), largest_(system.laws().size(), 0.0) {}

  /// A contact that starts closed has not been open before, unless it starts with an impact. The evaluator is at the start.
  void start(Evaluator& evaluator, const State& start, const Eigen::VectorXd& gaps, double closed_tolerance) {
    const ContactTolerances tolerances = ContactTolerances::of_counts(closed_tolerance);
    SparseColumns W;
    std::vector<double> chi;
    for (size_t i = 0; i < open_for_.size(); ++i) {
      const auto law = static_cast<int>(i);
      if (system_.laws()[i].kind != ForceLaw::Kind::kContact || !is_closed({.gap = gaps[law]}, tolerances)) continue;
      W.clear();
      chi.clear();
      evaluator.append_directions(law, W, chi);
      double size = std::abs(chi[0]);
      for (int p = W.start[0]; p < W.start[1]; ++p) size += std::abs(W.value[p] * start.u[W.row[p]]);
      const double velocity = W.dot(0, start.u.data()) + chi[0];
      if (state_along_normal({.velocity = velocity, .terms = size}, tolerances) != ContactState::kClosing) open_for_[i] = 0;
    }
  }

  /// Calls found(law) for each impact. `kinetic_energy`: the largest so far.
  template <class Found>
  void count(const LawStep& step, double kinetic_energy, Found&& found) {
    for (size_t i = 0; i < open_for_.size(); ++i) {
      if (system_.laws()[i].kind != ForceLaw::Kind::kContact) continue;
      const auto law = static_cast<Eigen::Index>(i);
      if (!(step.impulse[step.first_row[i]] > 0.0)) {
        ++open_for_[i];
        continue;
      }
      const double closing = step.closing_speed[law];
      if (open_for_[i] >= kReopened) {
        largest_[i] = std::max(largest_[i], closing);
        if (closing > kImpactThreshold * largest_[i] && closes(step, static_cast<int>(i), kinetic_energy))
          found(static_cast<int>(i));
      }
      open_for_[i] = 0;
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
    archive("impact.open_for", open_for_);
    archive("impact.largest", largest_);
  }

 private:
  static constexpr ContactTolerances kCounted = ContactTolerances::of_counts(0.0);
  /// Whether a contact closed at the beginning of the step, faster than round-off.
  [[nodiscard]] bool closes(const LawStep& step, int law, double kinetic_energy) const {
    // Of the speed that all kinetic energy could give to the contact.
    const VelocityView closing{.velocity = -step.closing_speed[law],
                               .terms = std::sqrt(kinetic_energy) * step.speed_scale[law]};
    return system_.laws()[static_cast<size_t>(law)].kind == ForceLaw::Kind::kContact &&
           state_along_normal(closing, kCounted) == ContactState::kClosing;
  }

  // A contact that was open for fewer steps was let go by the discretisation (a pivoting corner follows a
  // curve), not by the motion: it falls back with the speed of a step or two.
  static constexpr std::int64_t kReopened = 3;

  const System& system_;
  std::vector<std::int64_t> open_for_;  // steps since a contact carried an impulse
  std::vector<double> largest_;
};

}  // namespace tippe
