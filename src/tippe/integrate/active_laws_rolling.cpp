// SPDX-License-Identifier: Apache-2.0
// Rolling resistance, in the inclusion problem of a step: dry friction against the relative angular velocity whose limit follows the normal impulse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/contact/contact_rows.h"
#include "tippe/integrate/active_laws.h"

namespace tippe {

/// The contact of the k-th law of the list, rolling resistance, among those that act: those come before it. -1: it does not act.
int ActiveLaws::find_rolling_contact(const LawList& list, int k) const {
  const LawId& id = list.id[static_cast<size_t>(k)];
  const LawId contact =
      id.rolls() ? id.contact()
                 : LawId::fixed(system_.laws()[static_cast<size_t>(list.law[static_cast<size_t>(k)])].rolling->contact);
  const auto a = std::lower_bound(active_.begin(), active_.end(), contact, [&](int other, const LawId& sought) {
    return list.id[static_cast<size_t>(other)] < sought;
  });
  return a != active_.end() && list.id[static_cast<size_t>(*a)] == contact ? static_cast<int>(a - active_.begin()) : -1;
}

/// Of each law that acts.
void ActiveLaws::note_rolling(const LawList& list, int k, int first_row, int contact) {
  Rolling& added = rolls_.emplace_back(Rolling{.first_row = first_row});
  const ForceLaw& law = system_.laws()[static_cast<size_t>(list.law[static_cast<size_t>(k)])];
  if (!law.rolling) return;
  if (contact >= 0) added.contact_row = rolls_[static_cast<size_t>(contact)].first_row;
  added.limited = rolled_count_++;
  if (static_cast<size_t>(rolled_count_) > rolled_.size())
    rolled_.push_back(law);
  else
    rolled_[static_cast<size_t>(added.limited)] = law;
}

/// By the normal impulses of solution_. The largest change of a limit, as a part of the largest limit.
double ActiveLaws::set_rolling_limits(double dt) {
  double change = 0.0, largest = 0.0;
  for (int a = 0; a < size(); ++a) {
    const Rolling& rolling = rolls_[static_cast<size_t>(a)];
    if (rolling.limited < 0) continue;
    ForceLaw& law = rolled_[static_cast<size_t>(rolling.limited)];
    const double normal = rolling.contact_row >= 0 ? std::max(0.0, solution_.Lambda[rolling.contact_row]) : 0.0;
    const double limit = law.rolling->arm * normal / dt;
    change = std::max(change, std::abs(limit - law.limits[0]));
    largest = std::max(largest, limit);
    law.limits = {limit, limit};
    problem_.laws[static_cast<size_t>(a)] = impulse_set(law, dt);
  }
  return largest > 0.0 ? change / largest : 0.0;
}

/// Solves problem_ until the limits are those of its own normal impulses: at once where moments do not press, else the arm over the size of the body is the
/// rate at which they come.
void ActiveLaws::solve_with_rolling(double dt, StepReport& report) {
  constexpr int kMostTrials = 100;
  constexpr double kSame = 1e-11;
  set_rolling_limits(dt);
  for (int trial = 0;; ++trial) {
    if (any_falls_) {
      solve_with_falling_friction(dt, report);
    } else {
      solve_inclusion_problem(report);
    }
    // What is solved less exactly than that does not settle to it either.
    const double same = std::max({kSame, aim() > options_.tolerance ? aim() : 0.0, report.inexact ? report.residual : 0.0});
    if (!report.ok() || set_rolling_limits(dt) <= same) return;
    if (trial == kMostTrials) {
      report.status = StepReport::Status::kNotSolved;
      report.culprit = fmt::format("rolling resistance does not settle with the forces that press, after {} trials", trial);
      return;
    }
  }
}

}  // namespace tippe
