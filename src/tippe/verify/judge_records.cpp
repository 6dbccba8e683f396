// SPDX-License-Identifier: Apache-2.0
// What columns of a recording say of each other: sums, books of what is not there, events, the summary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

/// What nothing can change stays as it was.
void Judge::check_records(const Interval& interval) {
  const Moment &begin = interval.begin, &end = interval.end;
  const auto is_same = [&](Kind kind, double change, double size, const char* name, const char* sentence) {
    check(kind, std::abs(static_cast<Real>(change)), kRoundOff * static_cast<Real>(size), end.t, name,
          [&] { return fmt::format("it changes by {:.6g}, and {}", change, sentence); });
  };
  const Moment::Energy &before = begin.energy, &after = end.energy;
  const double size = after.kinetic + std::abs(after.potential) + std::abs(initial_energy_);
  if (rows_ == 0)
    is_same(Kind::kEnergy, after.lost_in_contacts - before.lost_in_contacts, size, "lost_in_contacts", "there are no laws");
  if (!mechanics_.is_damped())
    is_same(Kind::kEnergy, after.lost_in_damping - before.lost_in_damping, size, "lost_in_damping", "nothing damps");
  const bool moved = end.moved_q.size() > 0 && !(end.moved_q.isZero(0.0) && end.moved_u.isZero(0.0));
  if (!moved) is_same(Kind::kEnergy, after.pushed_out - before.pushed_out, size, "pushed_out", "nothing was pushed out");
  if (end.impact.size() > 0 && end.impacts == 0.0)
    check(Kind::kMomentum, end.impact.cwiseAbs().maxCoeff(), kTiny, end.t, "",
          [] { return "an impact has an impulse, and there was none"; });
  if (is_single_step(interval)) check_records_of_step(interval, moved);
}

void Judge::check_records_of_step(const Interval& interval, bool moved) {
  const Moment &begin = interval.begin, &end = interval.end;
  const bool consistent = scheme_ == Scheme::kConsistent || scheme_ == Scheme::kOneStep;
  if (consistent && !options_.integrator_options.project.value_or(false))
    check(Kind::kPositions, moved ? 1.0L : 0.0L, 0.5L, end.t, "",
          [] { return "this scheme moves nothing after its steps"; });
  const bool starts_with_u_B = (consistent || scheme_ == Scheme::kMoreau) && end.impacts == 0.0;
  if (starts_with_u_B && mechanics_.constraints().empty()) {
    const Real off = (end.u_start - begin.u).cwiseAbs().maxCoeff();
    check(Kind::kMomentum, off, 1e-12L * begin.u.cwiseAbs().maxCoeff(), end.t, "", [&] {
      return fmt::format("the motion begins with velocities that are {:.6g} off, and there was no impact",
                         static_cast<double>(off));
    });
  }
  check_found_sums(interval, moved);
}

/// Without laws they are those of the sample: M a - h, and W lambda. Where rows depend on each other, they are those of the nearest state that keeps
/// the constraints: beside it the rows contradict each other.
void Judge::check_constraint_forces(const Moment& moment, const Place& sample) {
  if (rows_ > 0 || moment.control_force.size() == 0 || !moment.control_force.allFinite()) return;
  Place place = sample;
  const Real uncertain = put_on_constraints(place);
  if (uncertain == kUndecided) return;
  if (redundant_) {
    const Rows rows = mechanics_.constraint_rows(place);
    place.u += smallest_change(mechanics_.mass(place), rows.W, -rows.gamma(place.u));
  }
  const SparseMatrix M = mechanics_.mass(place);
  const Vector h = mechanics_.forces(place), a = acceleration(place, Vector(), 1.0L, nullptr), control = M * a - h;
  const Vector told = moment.control_force.cast<Real>(),
               own = mechanics_.constraint_rows(place).W * moment.constraint_force.cast<Real>();
  const Real size = h.cwiseAbs().maxCoeff() + (M * a).cwiseAbs().maxCoeff();
  for (const auto& [what, off] :
       {std::pair{"the forces of the constraints are not M a - h", (told - control).eval()},
        std::pair{"the forces of the rows do not add up to those on the velocities", (told - own).eval()}}) {
    Index worst = 0;
    const Real largest = off.cwiseAbs().maxCoeff(&worst);
    check(Kind::kColumns, largest, (1e-6L + uncertain) * size, moment.t,
          system_.velocity_names()[static_cast<size_t>(worst)],
          [&, what = what] { return fmt::format("{}: {:.6g} is left", what, static_cast<double>(largest)); });
  }
}

/// With laws they are means over the step: what the balance of momentum leaves to the constraints. `terms`: in the scale of momentum.
void Judge::check_mean_forces(const Interval& interval, const Rows& constraints, const Vector& rest, const Vector& scale,
                              Real terms) {
  const Moment& end = interval.end;
  if (rows_ == 0 || end.control_force.size() == 0 || !end.control_force.allFinite()) return;
  const Vector control = interval.dt * end.control_force.cast<Real>(),
               own = interval.dt * (constraints.W * end.constraint_force.cast<Real>());
  for (const auto& [what, off] :
       {std::pair{"M (u_E - u_B) - h dt - W Lambda is not what the constraints gave", (rest - control).eval()},
        std::pair{"the forces of the rows do not add up to those on the velocities", (own - control).eval()}}) {
    const Vector scaled = off.cwiseQuotient(scale);
    Index worst = 0;
    scaled.cwiseAbs().maxCoeff(&worst);
    check(Kind::kColumns, scaled.norm(), 1e-7L * terms, end.t, system_.velocity_names()[static_cast<size_t>(worst)],
          [&, off = off, what = what] { return fmt::format("{}: {:.6g} is left", what, static_cast<double>(off[worst])); });
  }
}

/// A jump without duration has the impulses and the loss of the events at its time.
void Judge::check_events_of_jump(const Interval& interval) {
  const Moment& end = interval.end;
  if (rows_ == 0) return;
  // Beside impacts of the same time velocities without mass jump, without an impulse, modes change, and what moves in a time that no clock shows is pushed by forces.
  const Real unresolved = clock_of(interval) * mechanics_.forces(interval.B).cwiseAbs().maxCoeff();
  const Vector momentum = mechanics_.mass(interval.B) * (interval.E.u - interval.B.u);
  const bool has_impulse = std::max<Real>(end.impulse.cwiseAbs().maxCoeff(), momentum.cwiseAbs().maxCoeff()) > unresolved;
  const auto impacts = std::count_if(events_.begin(), events_.end(), [&](const Event& event) {
    return event.t == end.t && event.kind == EventKind::kImpact;
  });
  const bool all_seen = time_of_hits_ == end.t && hits_ >= impacts;
  if (!has_impulse && (all_seen || interval.E.u != interval.B.u)) return;
  const Real lost = static_cast<Real>(end.energy.lost_in_contacts) - interval.begin.energy.lost_in_contacts;
  Real least = -1.0L, least_lost = -1.0L, scale = end.impulse.cwiseAbs().maxCoeff();
  for (const Event& event : events_) {
    if (event.t != end.t || event.kind != EventKind::kImpact || event.impulse.size() != end.impulse.size()) continue;
    const Real off = (event.impulse - end.impulse).cwiseAbs().maxCoeff(), lost_off = std::abs(event.lost - lost);
    if (least < 0.0L || off < least) least = off, least_lost = lost_off;
    scale = std::max<Real>(scale, event.impulse.cwiseAbs().maxCoeff());
  }
  if (least < 0.0L || scale == 0.0L) return;
  check(Kind::kEvents, least, 1e-9L * scale + unresolved, end.t, "", [&] {
    return fmt::format("no event at this time has the impulses of the jump; the nearest is {:.6g} off",
                       static_cast<double>(least));
  });
  const Moment::Energy& e = end.energy;
  const Real size = e.kinetic + std::abs(e.potential) + std::abs(initial_energy_) + std::abs(e.lost_in_contacts);
  const Real fastest = interval.B.u.cwiseAbs().cwiseMax(interval.E.u.cwiseAbs()).maxCoeff();
  check(Kind::kEvents, least_lost, kRoundOff * size + unresolved * fastest, end.t, "",
        [&] { return fmt::format("the energy that its event lost is {:.6g} off", static_cast<double>(least_lost)); });
}

/// The summary of a run that came to its end is that of its last sample.
void Judge::check_summary(const RunSummary& summary) {
  const Moment::Energy& e = before_->energy;
  const EnergyLedger& ledger = summary.energy;
  const double size = e.kinetic + std::abs(e.potential) + std::abs(initial_energy_) + std::abs(e.lost_in_contacts) +
                      std::abs(e.work_done) + std::abs(e.lost_in_damping);
  for (const auto& [name, told, own] :
       {std::tuple{"energy at the start", ledger.initial, initial_energy_},
        std::tuple{"energy at the end", ledger.final, e.total},
        std::tuple{"lost in contacts", ledger.lost_in_contacts, e.lost_in_contacts},
        std::tuple{"lost in damping", ledger.lost_in_damping, e.lost_in_damping},
        std::tuple{"work done", ledger.work_done, e.work_done}, std::tuple{"pushed out", ledger.pushed_out, e.pushed_out}}) {
    check(Kind::kColumns, std::abs(static_cast<Real>(told) - own), kRoundOff * static_cast<Real>(size), before_->t, name,
          [&, told = told, own = own] {
            return fmt::format("the summary says {:.9g}, and the last sample {:.9g}", told, own);
          });
  }
  check(Kind::kColumns, largest_residual_ - summary.worst_residual, kRoundOff * largest_residual_, before_->t,
        "worst residual", [&] {
          return fmt::format("the summary says {:.3g}, and a step has {:.3g}", summary.worst_residual,
                             static_cast<double>(largest_residual_));
        });
  if (options_.adaptive()) return;
  check(Kind::kColumns, std::abs(static_cast<Real>(summary.steps) - steps_), 0.5L, before_->t, "steps", [&] {
    return fmt::format("the summary says {} steps, and the samples {:g}", summary.steps, static_cast<double>(steps_));
  });
}

}  // namespace tippe::verify
