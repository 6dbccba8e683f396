// SPDX-License-Identifier: Apache-2.0
// What stands beside the samples: the tables of steps and impacts, how often laws acted, and what the summary counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/verify/judge.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

void Judge::check_count(Real own, Real told, double t, const char* name, const char* what) {
  check(Kind::kColumns, std::abs(told - own), 0.5L, t, name, [&] {
    return fmt::format("{} {:g}, and there are {:g}", what, static_cast<double>(told), static_cast<double>(own));
  });
}

/// A law acts in whole steps, no oftener than there are any, and what carried acted.
void Judge::check_acted(const Interval& interval) {
  const Moment& end = interval.end;
  if (end.acted.size() == 0) return;
  for (size_t k = 0; k < system_.laws().size(); ++k) {
    const Real acted = end.acted[static_cast<Index>(k)], carried = impulses_of(end.impulse, k).cwiseAbs().maxCoeff();
    Real least = carried > 0.0L ? 1.0L : 0.0L, most = end.steps;
    if (k >= mechanics_.laws().size()) {  // each of its contacts counts
      most = HUGE_VALL;
      least = is_single_step(interval)
                  ? static_cast<Real>(std::ranges::count(end.found, static_cast<int>(k), &FoundContact::law))
                  : least;
    } else if (end.cut_steps > 0.0) {  // their parts count
      most = HUGE_VALL;
    }
    const bool possible = acted == std::floor(acted) && acted >= least && acted <= most;
    check(Kind::kColumns, possible ? 0.0L : 1.0L, 0.5L, end.t, law_name(k), [&] {
      return fmt::format("it acted in {:g} of {:g} steps, and carried {:.6g}", static_cast<double>(acted), end.steps,
                         static_cast<double>(carried));
    });
  }
}

/// Of the impacts that are told at the end of an interval.
void Judge::check_impacts(const Interval& interval) {
  const Moment& end = interval.end;
  check_acted(interval);
  if (!system_.has_fixed_laws()) return;
  if (scheme_ == Scheme::kEvents) {
    speed_off_.resize(told_impacts_.size(), HUGE_VALL);
    const auto [first, last] = std::ranges::equal_range(told_impacts_, end.t, {}, &ToldImpact::t);
    for (auto impact = first; impact != last && interval.dt <= 0.0L; ++impact) {
      const Rows rows = mechanics_.rows(impact->law, interval.B);
      const Real terms = rows.W.col(0).cwiseAbs().dot(interval.B.u.cwiseAbs()) + std::abs(rows.chi[0]);
      Real& off = speed_off_[static_cast<size_t>(impact - told_impacts_.begin())];
      off = std::min(off, std::abs(impact->closing_speed + rows.gamma(interval.B.u)[0]) / (1e-9L * terms + kTiny));
    }
    return;
  }
  for (; next_impact_ < told_impacts_.size() && told_impacts_[next_impact_].t <= end.t; ++next_impact_) {
    const ToldImpact& impact = told_impacts_[next_impact_];
    const bool at_end = impact.t == end.t && end.steps == 1.0;
    check(Kind::kEvents, at_end ? 0.0L : 1.0L, 0.5L, impact.t, law_name(impact.law),
          [] { return "there is no sample of the step with this impact"; });
    if (at_end) check_impact(interval, impact);
  }
}

void Judge::check_impact(const Interval& interval, const ToldImpact& impact) {
  const Vector own = impulses_of(interval.end.impulse, impact.law);
  const Real off = (impact.impulse.cast<Real>() - own).cwiseAbs().maxCoeff();
  check(Kind::kEvents, off, kRoundOff * own.cwiseAbs().maxCoeff(), impact.t, law_name(impact.law), [&] {
    return fmt::format("its impulse in the table of impacts is {:.6g} off that of the step", static_cast<double>(off));
  });
  if (!is_single_step(interval)) return;
  if (const std::optional<Loss>& lost = law_lost_[impact.law]) {
    const Real rounded = 1e-14L * (std::abs(interval.end.energy.lost_in_contacts) + std::abs(interval.end.energy.total));
    check(Kind::kEnergy, std::abs(impact.lost - lost->value), 1e-8L * lost->terms + rounded, impact.t, law_name(impact.law),
          [&] {
            return fmt::format("in the impact it took {:.9g}, and the table of impacts says {:.9g}",
                               static_cast<double>(lost->value), impact.lost);
          });
  }
  // With the velocities at the beginning, by the direction there or in the middle.
  const Place& B = interval.B;
  Place middle = B;
  middle.t += 0.5L * interval.dt;
  middle.q += 0.5L * interval.dt * mechanics_.rate(B);
  mechanics_.normalize(middle.q);
  const Rows at_B = mechanics_.rows(impact.law, B), at_middle = mechanics_.rows(impact.law, middle);
  const Real first = at_B.gamma(B.u)[0], second = at_middle.gamma(B.u)[0];
  const Real terms = at_B.W.col(0).cwiseAbs().dot(B.u.cwiseAbs()) + std::abs(at_B.chi[0]);
  const Real apart = std::min(std::abs(impact.closing_speed + first), std::abs(impact.closing_speed + second));
  check(Kind::kEvents, apart,
        1e-9L * terms + chi_by_clock(interval, {impact.law, at_B, own, {}})[0] +
            (redundant_ ? 1e-2L * std::abs(first - second) : 0.0L),
        impact.t, law_name(impact.law), [&] {
          return fmt::format("it closes with {:.9g}, and the table of impacts says {:.9g}", static_cast<double>(-second),
                             impact.closing_speed);
        });
}

/// With events, each impact that is told is one that its event has.
void Judge::check_impacts_of_events() {
  for (size_t k = 0; k < speed_off_.size(); ++k)
    check(Kind::kEvents, speed_off_[k], 1.0L, told_impacts_[k].t, law_name(told_impacts_[k].law),
          [] { return "no jump at its time begins with the closing speed of the table of impacts"; });
  for (const ToldImpact& impact : told_impacts_) {
    Real off = HUGE_VALL;
    Real size = 0.0L;
    for (const Event& event : events_) {
      const bool of_event = event.t == impact.t && event.kind == EventKind::kImpact &&
                            std::ranges::find(event.laws, static_cast<int>(impact.law)) != event.laws.end();
      if (!of_event) continue;
      const Vector own = impulses_of(event.impulse, impact.law);
      const Real apart = (impact.impulse.cast<Real>() - own).cwiseAbs().maxCoeff();
      if (apart < off) off = apart, size = own.cwiseAbs().maxCoeff();
    }
    check(Kind::kEvents, off, kRoundOff * size, impact.t, law_name(impact.law),
          [] { return "no event has this impact, with this impulse"; });
  }
  // Where all contacts that an event hits are told, their losses are that of the event.
  for (const Event& event : events_) {
    if (event.kind != EventKind::kImpact) continue;
    Real sum = 0.0L, terms = 0.0L;
    std::vector<size_t> told;
    for (const ToldImpact& impact : told_impacts_) {
      if (impact.t != event.t) continue;
      sum += impact.lost;
      terms += std::abs(impact.lost);
      told.push_back(impact.law);
    }
    const bool all = told.size() == event.laws.size() && std::ranges::all_of(told, [&](size_t law) {
                       return std::ranges::find(event.laws, static_cast<int>(law)) != event.laws.end();
                     });
    if (!all || event.impulse.size() == 0) continue;
    bool others = false;  // at the same time, or laws that carry without being hit
    for (const Event& other : events_)
      others = others || (&other != &event && other.t == event.t && other.kind == event.kind);
    for (size_t k = 0; k < system_.laws().size(); ++k)
      others = others || (std::ranges::find(told, k) == told.end() && !impulses_of(event.impulse, k).isZero(0.0L));
    if (others) continue;
    check(Kind::kEnergy, std::abs(sum - event.lost), kRoundOff * (terms + largest_energy_), event.t, "lost_in_contacts",
          [&] {
            return fmt::format("the impacts took {:.9g}, and their event {:.9g}", static_cast<double>(sum), event.lost);
          });
  }
}

/// The steps up to each sample add up to what it tells.
void Judge::check_step_sums(const ToldSteps& steps) {
  const bool fixed = !options_.adaptive();
  const Real clock = 4.0L * std::numeric_limits<double>::epsilon() * std::max(std::abs(start_), std::abs(options_.until));
  size_t s = 0;
  std::array<Real, 4> sums{}, terms{};
  Real steps_told = 0.0L, residual_told = 0.0L;
  for (size_t k = 0; k < reached_.size(); ++k) {
    const Reached& at = reached_[k];
    steps_told += at.steps;
    residual_told = std::max<Real>(residual_told, at.residual);
    if (k + 1 < reached_.size() && reached_[k + 1].t == at.t) continue;  // a jump follows
    Real residual = 0.0L;
    const size_t first = s;
    for (; s < steps.time.size() && steps.time[s] <= at.t; ++s) {
      const Real before = s > 0 ? steps.time[s - 1] : start_, lasted = steps.time[s] - before;
      const bool last = s + 1 == steps.time.size() || has_own_event(steps.time[s], steps.time[s], "") ||
                        has_own_event(static_cast<double>(before), static_cast<double>(before), "");  // or cut
      const Real off =
          fixed && !last ? std::abs(lasted - options_.dt) : std::max(-lasted, fixed ? lasted - options_.dt : 0.0L);
      check(Kind::kTimes, off, clock + 1e-6L * (fixed ? options_.dt : 0.0L), steps.time[s], "/steps",
            [&] { return fmt::format("the table of steps has one of {:.9g} s", static_cast<double>(lasted)); });
      residual = std::max<Real>(residual, steps.residual[s]);
      for (size_t c = 0; c < sums.size(); ++c) {
        sums[c] += steps.energy[5 * s + 1 + c];
        terms[c] += std::abs(steps.energy[5 * s + 1 + c]);
      }
    }
    if (fixed) {
      check_count(static_cast<Real>(s - first), steps_told, at.t, "/steps",
                  "since the sample before the number of steps is");
      check(Kind::kColumns, std::abs(residual - residual_told), kRoundOff * residual + kTiny, at.t, "/steps", [&] {
        return fmt::format("the largest residual of the steps since the sample before is {:.3g}, and the sample says {:.3g}",
                           static_cast<double>(residual), static_cast<double>(residual_told));
      });
    }
    steps_told = residual_told = 0.0L;
    if (s == 0 || steps.time[s - 1] != at.t) continue;
    const Moment::Energy& e = at.energy;
    const Real size = e.kinetic + std::abs(e.potential) + std::abs(initial_energy_);
    // Resets are in no step: what they did so far, and after the last one.
    Real resets = 0.0L, now = 0.0L, resets_terms = 0.0L;
    for (size_t n = 0; !own_events_.empty() && n < events_.size(); ++n) {
      const Event& event = events_[n];
      if (event.kind != EventKind::kOwn || event.t > at.t) continue;
      resets -= event.lost;
      resets_terms += std::abs(event.lost);
      if (event.t == at.t) now -= event.lost;
    }
    const SetInputs set = inputs_until(at.t, true);
    resets += set.work;
    resets_terms += set.terms;
    now += set.work - inputs_until(at.t, false).work;
    // A step without duration may have followed them.
    Real total = steps.energy[5 * (s - 1)];
    if (std::abs(total + now - e.total) < std::abs(total - e.total)) total += now;
    for (const auto& [name, own, told, sum] :
         {std::tuple{"total", total, e.total, 0.0L}, std::tuple{"lost_in_contacts", sums[0], e.lost_in_contacts, terms[0]},
          std::tuple{"lost_in_damping", sums[1], e.lost_in_damping, terms[1]},
          std::tuple{"work_done", sums[2] + resets, e.work_done, terms[2] + resets_terms},
          std::tuple{"pushed_out", sums[3], e.pushed_out, terms[3]}}) {
      check(Kind::kEnergy, std::abs(own - told), kRoundOff * (size + sum), at.t, name, [&, own = own, told = told] {
        return fmt::format("the steps until here make it {:.9g}, and the sample says {:.9g}", static_cast<double>(own),
                           told);
      });
    }
  }
}

void Judge::look_at_tables(const ToldSteps& steps, const RunSummary& summary) {
  if (!before_) return;
  check_step_sums(steps);
  if (scheme_ == Scheme::kEvents) check_impacts_of_events();
  if (summary.status != RunStatus::kOk) return;
  const double t = before_->t;
  Real iterations = 0.0L, residual = 0.0L;
  for (const double of_step : steps.iterations) iterations += of_step;
  for (const double of_step : steps.residual) residual = std::max<Real>(residual, of_step);
  check_count(static_cast<Real>(steps.time.size()), static_cast<Real>(summary.steps), t, "steps",
              "the summary says that the steps are");
  check_count(iterations, static_cast<Real>(summary.iterations), t, "iterations",
              "the summary says that the iterations are");
  check(Kind::kColumns, std::abs(residual - summary.worst_residual), kRoundOff * residual, t, "worst residual", [&] {
    return fmt::format("the summary says {:.3g}, and the largest of the steps is {:.3g}", summary.worst_residual,
                       static_cast<double>(residual));
  });
  check_count(static_cast<Real>(told_impacts_.size()), static_cast<Real>(summary.impacts), t, "impacts",
              "the summary says that the impacts are");
  for (size_t k = 0; k < summary.impacts_by_law.size(); ++k)
    check_count(static_cast<Real>(std::ranges::count(told_impacts_, k, &ToldImpact::law)),
                static_cast<Real>(summary.impacts_by_law[k]), t, law_name(k).c_str(),
                "the summary says that its impacts are");
}

/// What the summary counts and adds up without tables.
void Judge::check_counts(const RunSummary& summary) {
  const double t = before_->t;
  if (scheme_ == Scheme::kEvents) {
    for (size_t kind = 0; kind < summary.events.by_kind.size(); ++kind)
      check_count(static_cast<Real>(std::ranges::count(events_, static_cast<EventKind>(kind), &Event::kind)),
                  static_cast<Real>(summary.events.by_kind[kind]), t, name_of(static_cast<EventKind>(kind)),
                  "the summary says that its events are");
  }
  if (!options_.adaptive())
    check_count(cut_steps_, static_cast<Real>(summary.halved_steps), t, "halved steps",
                "the summary says that the steps in parts are");
  Real by_law = 0.0L, terms = largest_energy_;
  for (Index k = 0; k < summary.lost_by_law.size(); ++k) {
    by_law += summary.lost_by_law[k];
    terms += std::abs(summary.lost_by_law[k]);
  }
  if (summary.lost_by_law.size() > 0)
    check(Kind::kEnergy, std::abs(by_law - summary.energy.lost_in_contacts), kRoundOff * terms, t, "lost_in_contacts", [&] {
      return fmt::format("the summary says that laws took {:.9g}, and {:.9g} one by one", summary.energy.lost_in_contacts,
                         static_cast<double>(by_law));
    });
}

}  // namespace tippe::verify
