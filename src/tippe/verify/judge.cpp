// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tippe/core/error.h"
#include "tippe/verify/tolerances.h"

namespace tippe::verify {

using Eigen::Index;

namespace {

const LagrangianDescription& expressions_of(const System& system) {
  if (system.lagrangian() == nullptr) throw ModelError("", "only a motion made of expressions can be verified");
  return *system.lagrangian();
}

}  // namespace

Moment moment_of(const Sample& sample, const System& system) {
  Moment moment;
  moment.t = sample.state.t;
  moment.q = sample.state.q;
  moment.u = sample.state.u;
  std::vector<double> gaps;
  for (size_t k = 0; k < system.laws().size(); ++k) {
    if (system.laws()[k].kind == ForceLaw::Kind::kContact) gaps.push_back(sample.gaps[static_cast<Index>(k)]);
  }
  moment.gap = Eigen::Map<const Eigen::VectorXd>(gaps.data(), static_cast<Index>(gaps.size()));
  moment.impulse = sample.impulses;
  const EnergyLedger& ledger = sample.ledger;
  moment.energy = {sample.energies.kinetic, sample.energies.potential, ledger.final,      ledger.lost_in_contacts,
                   ledger.lost_in_damping,  ledger.work_done,          ledger.pushed_out, ledger.unexplained()};
  const StepSums& since = sample.since;
  moment.steps = since.steps;
  moment.cut_steps = since.cut_steps;
  moment.impacts = since.impacts;
  moment.residual = since.residual;
  moment.impact = since.impact;
  moment.acted = since.acted;
  moment.u_start = since.u_start;
  moment.moved_q = since.moved_q;
  moment.moved_u = since.moved_u;
  for (const ContactSample& contact : sample.contacts.contacts())
    moment.found.push_back(
        {contact.id, contact.law, contact.place.at, contact.place.normal, contact.impulse, contact.gap, contact.moment});
  return moment;
}

Judge::Judge(const System& system, const RunOptions& options, double start)
    : system_(system), options_(options), mechanics_(expressions_of(system)), start_(start) {
  const std::string& name = options.integrator;
  scheme_ = name == "moreau"                                         ? Scheme::kMoreau
            : name == "moreau-jean"                                  ? Scheme::kMoreauJean
            : name == "quaternion-1" || name == "consistent-elastic" ? Scheme::kOneStep
            : name.starts_with("conserving") || name.starts_with("consistent-") || name.starts_with("quaternion-")
                ? Scheme::kConsistent
            : name == "event-driven"            ? Scheme::kEvents
            : name == "rk4" || name == "dopri5" ? Scheme::kSmooth
                                                : Scheme::kUnknown;
  verdict_.integrator = name;
  for (const ForceLaw& law : system.laws()) {
    first_row_.push_back(rows_);
    rows_ += law.rows;
  }
  if (!system.has_fixed_laws()) found_bodies_.emplace(system);
  largest_gap_terms_.setZero(static_cast<Index>(mechanics_.laws().size()));
  rests_.resize(mechanics_.laws().size());
  read_own_events();
  for (const ForceLaw& law : system.laws()) {
    if (law.rolling) rolled_ = system.laws();
  }
}

void Judge::check(Kind kind, Real value, Real allowed, double t, const std::string& law, const Sentence& sentence) {
  // What is smaller than the smallest normal number has no digits where it is recorded.
  const Real share = value <= 0.0L ? 0.0L : value / std::max<Real>(allowed, std::numeric_limits<double>::min());
  Finding& finding = verdict_.findings[static_cast<size_t>(kind)];
  ++finding.checks;
  const bool violated = !(share <= 1.0L);  // what is not a number too
  if (violated && finding.violations++ == 0) finding.first_violation = t;
  const double worst = std::isnan(share) ? HUGE_VAL : static_cast<double>(share);
  if (worst <= finding.worst) return;
  finding.worst = worst;
  finding.value = static_cast<double>(value);
  finding.allowed = static_cast<double>(allowed);
  finding.time = t;
  finding.law = law;
  if (violated) finding.what = sentence();
}

/// Where the misfit is known as a share of `off`, that what it is of may be off.
void Judge::check_share(Kind kind, Real share, Real off, double t, const std::string& law, const Sentence& sentence) {
  check(kind, share * off, off, t, law, sentence);
}

void Judge::begin(const State& start) {
  Moment moment;
  moment.t = start.t;
  moment.q = start.q;
  moment.u = start.u;
  const Place place{start.t, start.q.cast<Real>(), start.u.cast<Real>()};
  const auto T = static_cast<double>(mechanics_.kinetic(place)), V = static_cast<double>(mechanics_.potential(place));
  moment.energy = {T, V, T + V, 0.0, 0.0, 0.0, 0.0, 0.0};
  look(moment);
}

void Judge::look(const Moment& moment) {
  check_columns(moment);
  sample_times_.push_back(moment.t);
  reached_.push_back({moment.t, moment.steps, moment.residual, moment.energy});
  if (!before_) {
    initial_energy_ = moment.energy.total;
    check(Kind::kTimes, std::abs(moment.t - start_), 0.0L, moment.t, "",
          [&] { return fmt::format("the first sample is at t = {:.9g}, the start at {:.9g}", moment.t, start_); });
    check_books(moment);
    redundant_ = !mechanics_.constraints().empty() &&
                 mechanics_.dependence({moment.t, moment.q.cast<Real>(), moment.u.cast<Real>()}).redundant;
    before_ = moment;
    return;
  }
  check_books(moment);
  const auto place = [](const Moment& m) { return Place{m.t, m.q.cast<Real>(), m.u.cast<Real>()}; };
  Interval interval{*before_, moment, place(*before_), place(moment), 0.0L, 0.0L};
  // Times are rounded; whole steps are dt long.
  interval.dt = static_cast<Real>(moment.t) - static_cast<Real>(before_->t);
  const Real rounded = 1e-6L * options_.dt + clock_of(interval);
  if (std::abs(interval.dt - options_.dt) < rounded && !options_.adaptive()) interval.dt = options_.dt;
  interval.rho = std::max<Real>(moment.residual, 1e-10L);
  ++verdict_.intervals;
  check_times(interval);
  check_records(interval);
  if (!own_events_.empty()) check_missed_events(interval);
  largest_residual_ = std::max<Real>(largest_residual_, moment.residual);
  steps_ += moment.steps;
  cut_steps_ += moment.cut_steps;
  const bool judged_by_itself = is_single_step(interval) && (scheme_ == Scheme::kMoreau || scheme_ == Scheme::kMoreauJean);
  impulse_off_.setZero(rows_);
  law_lost_.assign(mechanics_.laws().size(), std::nullopt);
  set_rolling_limits(interval);
  if (judge_inputs(interval) || judge_reset(interval)) {
    before_ = moment;
    return;
  }
  if (is_single_step(interval)) {
    ++verdict_.single_steps;
    if (scheme_ == Scheme::kMoreau) judge_moreau(interval);
    if (scheme_ == Scheme::kMoreauJean) judge_moreau_jean(interval);
    if (scheme_ == Scheme::kConsistent || scheme_ == Scheme::kOneStep) judge_consistent(interval);
  } else if (scheme_ == Scheme::kSmooth || scheme_ == Scheme::kEvents) {
    if (interval.dt > 0.0L) {
      judge_smooth(interval);
    } else {
      judge_jump(interval);
    }
    if (scheme_ == Scheme::kEvents) judge_modes(interval);
  }
  if (rows_ > 0 && !judged_by_itself) check_cones(interval);
  check_impacts(interval);
  before_ = moment;
}

/// Impulses of normals over an interval, times the arm, bound those of moments, also where they are sums.
void Judge::set_rolling_limits(const Interval& interval) {
  for (ForceLaw& law : rolled_) {
    if (!law.rolling || !(interval.dt > 0.0L)) continue;
    const double normal = std::max(0.0, interval.end.impulse[first_row_[static_cast<size_t>(law.rolling->contact)]]);
    law.limits[0] = law.limits[1] = static_cast<double>(law.rolling->arm * normal / interval.dt);
  }
}

bool Judge::is_single_step(const Interval& interval) const {
  const bool fixed = scheme_ != Scheme::kSmooth && scheme_ != Scheme::kEvents && scheme_ != Scheme::kUnknown;
  return fixed && interval.end.steps == 1.0 && interval.end.cut_steps == 0.0 && interval.dt > 0.0L &&
         interval.end.u_start.size() > 0;
}

void Judge::check_times(const Interval& interval) {
  const double t = interval.E.t;
  const Real lasted = static_cast<Real>(interval.end.t) - interval.begin.t;
  const Real clock = 4.0L * std::numeric_limits<double>::epsilon() * std::max<Real>(std::abs(interval.E.t), options_.until);
  if (options_.adaptive()) {
    check(Kind::kTimes, -lasted, clock, t, "", [&] { return "the time goes back"; });
    return;
  }
  const Real steps = interval.end.steps;
  const bool last = std::abs(interval.end.t - options_.until) <= clock;
  // A step that an event of the scene cuts ends at it, and the next one begins there.
  const bool begins_cut = has_own_event(interval.begin.t, interval.begin.t, ""),
             ends_cut = has_own_event(interval.end.t, interval.end.t, "");
  if (steps == 0.0L && begins_cut && ends_cut && lasted == 0.0L) return;
  if (sets_inputs(interval)) return;
  const Real cut = (begins_cut ? 1.0L : 0.0L) + (last || ends_cut ? 1.0L : 0.0L);
  const Real least = (steps - cut) * options_.dt;
  const Real allowed = clock + 1e-6L * options_.dt;  // a rest below that is none
  const Real missing = std::max(least - lasted, lasted - steps * options_.dt);
  check(Kind::kTimes, lasted > 0.0L ? missing : std::max<Real>(missing, options_.dt), allowed, t, "", [&] {
    return fmt::format("{:g} steps of {:g} s took {:.9g} s", static_cast<double>(steps), options_.dt,
                       static_cast<double>(lasted));
  });
}

void Judge::check_columns(const Moment& moment) {
  const Place place{moment.t, moment.q.cast<Real>(), moment.u.cast<Real>()};
  const Real q_size = moment.q.cwiseAbs().maxCoeff();
  const auto compare = [&](const char* what, const std::string& name, Real told, Real own, Real size) {
    check(Kind::kColumns, std::abs(told - own), kRoundOff * size, moment.t, name, [&] {
      return fmt::format("{} is {:.9g}, and {:.9g} at that state", what, static_cast<double>(told),
                         static_cast<double>(own));
    });
  };
  const Real T = mechanics_.kinetic(place), V = mechanics_.potential(place);
  const Real energy_size = std::abs(T) + std::abs(V) + std::abs(initial_energy_);
  const Real steep = 10.0L;  // terms of an energy that cancel
  compare("the kinetic energy", "kinetic", moment.energy.kinetic, T, steep * energy_size);
  compare("the potential energy", "potential", moment.energy.potential, V, steep * energy_size);
  compare("T + V", "total", moment.energy.total, T + V, steep * energy_size);
  Index column = 0;
  for (size_t k = 0; k < mechanics_.laws().size(); ++k) {
    if (mechanics_.laws()[k].law.kind != ForceLaw::Kind::kContact) continue;
    const Real own = mechanics_.gap(k, place);
    Real& terms = largest_gap_terms_[static_cast<Index>(k)];
    terms = std::max(terms, mechanics_.gap_size(k, place));
    if (moment.gap.size() > 0)
      compare("the gap", law_name(k), moment.gap[column++], own, largest_gap_terms_[static_cast<Index>(k)]);
    if (-own > deepest_) {
      deepest_ = -own;
      deepest_at_ = law_name(k);
      deepest_time_ = moment.t;
    }
  }
  for (size_t k = mechanics_.laws().size(); moment.gap.size() > 0 && k < system_.laws().size(); ++k) {
    if (system_.laws()[k].kind != ForceLaw::Kind::kContact) continue;  // rolling resistance has no gap
    const Real depth = -static_cast<Real>(moment.gap[column++]);
    if (depth <= deepest_) continue;
    deepest_ = depth;
    deepest_at_ = law_name(k);
    deepest_time_ = moment.t;
  }
  check_constraint_forces(moment, place);
  const Vector g = mechanics_.constraint_positions(place);
  const Rows rows = mechanics_.constraint_rows(place);
  const Vector gamma = rows.gamma(place.u);
  Index holonomic = 0;
  for (Index k = 0; k < g.size(); ++k) {
    const Constraint& constraint = mechanics_.constraints()[static_cast<size_t>(k)].constraint;
    const Real speeds = rows.W.col(k).cwiseAbs().dot(place.u.cwiseAbs()) + std::abs(rows.chi[k]);
    const Real size = 1.0L + q_size * (1.0L + q_size) + largest_of(rows.W, k) * q_size;
    if (constraint.holonomic && moment.constraint_position.size() > 0)
      compare("the violation of the constraint", constraint.name, moment.constraint_position[holonomic++], g[k], size);
    if (moment.constraint_velocity.size() > 0)
      compare("gamma of the constraint", constraint.name, moment.constraint_velocity[k], gamma[k], speeds + size);
  }
}

void Judge::check_books(const Moment& moment) {
  const Moment::Energy& e = moment.energy;
  const Real left =
      (static_cast<Real>(e.total) - initial_energy_) - e.work_done - e.pushed_out + e.lost_in_contacts + e.lost_in_damping;
  const Real size = e.kinetic + std::abs(e.potential) + std::abs(initial_energy_) + std::abs(e.work_done) +
                    std::abs(e.pushed_out) + std::abs(e.lost_in_contacts) + std::abs(e.lost_in_damping);
  check(Kind::kEnergy, std::abs(left - e.unexplained), kRoundOff * size, moment.t, "unexplained", [&] {
    return fmt::format("the books leave {:.9g} unexplained, and say {:.9g}", static_cast<double>(left), e.unexplained);
  });
  largest_energy_ = std::max(largest_energy_, size);
  if (std::abs(e.unexplained) > largest_unexplained_) {
    largest_unexplained_ = std::abs(e.unexplained);
    unexplained_at_ = moment.t;
  }
  const bool conserves = scheme_ == Scheme::kConsistent || scheme_ == Scheme::kOneStep;
  if (!conserves || !before_) return;
  // Their energy identity is exact: all that is left is what the equations of a step are solved to.
  const Real rest = std::abs(e.unexplained - before_->energy.unexplained);
  const Real allowed = (1e-10L + 100.0L * moment.residual) * size * std::max(1.0, moment.steps);
  check(Kind::kEnergy, rest, allowed, moment.t, "unexplained", [&] {
    return fmt::format("{:.3g} of the energy is unexplained, and this scheme loses none", static_cast<double>(rest));
  });
}

Vector Judge::impulses_of(const Eigen::VectorXd& all, size_t law) const {
  return all.segment(first_row_[law], law_of(law).rows).cast<Real>();
}

bool Judge::acted(const Moment& moment, size_t law) const {
  return moment.acted[static_cast<Index>(law)] > 0.0;
}

/// Of the summed impulses, whatever lies between the two moments; of contacts that were found over all that obey one law.
void Judge::check_cones(const Interval& interval) {
  const Moment& end = interval.end;
  const double t = end.t;
  const Real largest = end.impulse.cwiseAbs().maxCoeff();
  const Real unresolved = options_.adaptive() ? clock_of(interval) : 0.0L;
  for (size_t k = 0; k < system_.laws().size(); ++k) {
    const ForceLaw& law = law_of(k);
    const Vector Lambda = impulses_of(end.impulse, k);
    // Rows of a contact share a scale; of laws with other units nothing is known here.
    const Real off = 1e4L * interval.rho * std::max(Lambda.cwiseAbs().maxCoeff(), 1e-3L * largest) + kTiny;
    const Vector offs = impulse_off_.segment(first_row_[k], Lambda.size()).cwiseMax(off);
    const LawImpulse at{law, Lambda, Lambda, offs, offs, std::max(0.0L, interval.dt) + unresolved};
    const LawMisfit misfit = cone_misfit_of(at);
    const RestitutionMatrix* matrix = system_.restitution_matrix();
    const bool may_pull =
        matrix != nullptr && std::find(matrix->laws.begin(), matrix->laws.end(), static_cast<int>(k)) != matrix->laws.end();
    if (law.kind != ForceLaw::Kind::kDryFriction && !may_pull) {
      check_share(Kind::kPull, misfit.pull, offs[0], t, law.name,
                  [&] { return fmt::format("the normal impulse is {:.6g}: it pulls", static_cast<double>(Lambda[0])); });
    }
    if (law.kind == ForceLaw::Kind::kDryFriction || Lambda.size() > 1) {
      check_share(Kind::kFrictionSet, misfit.friction_set, offs[Lambda.size() - 1], t, law.name, [&] {
        return law.kind == ForceLaw::Kind::kDryFriction
                   ? fmt::format("the impulse {:.6g} lies outside its set of size {:.6g}",
                                 static_cast<double>(Lambda.norm()),
                                 static_cast<double>(std::max(law.limits[0], law.limits[1]) * interval.dt))
                   : fmt::format("the friction {:.6g} lies outside its set of the normal impulse {:.6g}",
                                 static_cast<double>(Lambda.tail(Lambda.size() - 1).norm()), static_cast<double>(Lambda[0]));
      });
    }
  }
}

Verdict Judge::finish(const RunSummary& end) {
  if (!before_) {
    check(Kind::kTimes, 1.0L, 0.0L, start_, "", [] { return "there is no sample"; });
    return verdict_;
  }
  if (end.status == RunStatus::kOk && !end.stopped.has_value()) {
    const Real clock = 4.0L * std::numeric_limits<double>::epsilon() * std::abs(options_.until) +
                       1e-9L * std::abs(static_cast<Real>(options_.until) - start_);
    check(Kind::kTimes, std::abs(static_cast<Real>(before_->t) - options_.until), clock, before_->t, "", [&] {
      return fmt::format("the last sample is at t = {:.9g}, and the run went until {:.9g}", before_->t, options_.until);
    });
  }
  check_waiting_events();
  if (end.status == RunStatus::kOk) {
    check_summary(end);
    check_counts(end);
  }
  if (!system_.laws().empty()) {
    const Real gap_terms = largest_gap_terms_.size() > 0 ? largest_gap_terms_.maxCoeff() : 0.0L;
    const Real allowed = end.worst_penetration + kRoundOff * gap_terms;
    check(Kind::kPenetration, deepest_, allowed, deepest_time_, deepest_at_, [&] {
      return fmt::format("it is {:.6g} deep, and the summary says at most {:.6g}", static_cast<double>(deepest_),
                         end.worst_penetration);
    });
  }
  if (scheme_ == Scheme::kEvents) {
    check_events();
    check(Kind::kEnergy, largest_unexplained_, 1e3L * options_.integrator_options.tolerance * largest_energy_,
          unexplained_at_, "unexplained", [&] {  // it is as exact as its tolerance
            return fmt::format("{:.3g} of the energy is unexplained", static_cast<double>(largest_unexplained_));
          });
  }
  if (unresolved_ > 0)
    verdict_.not_checked.push_back(
        fmt::format("{} smooth intervals are so long that of momentum and positions only the sizes of their changes were "
                    "checked; record more samples (every)",
                    unresolved_));
  if (found_bodies_)
    verdict_.not_checked.push_back(
        "that contacts were found where shapes touch, and nowhere else: places and normals are taken as they are told");
  if (scheme_ == Scheme::kUnknown)
    verdict_.not_checked.push_back(fmt::format("no definitions of a step of {} are known here", verdict_.integrator));
  const std::int64_t known = verdict_.single_steps + verdict_.smooth + verdict_.jumps;
  if (known < verdict_.intervals)
    verdict_.not_checked.push_back(
        fmt::format("of {} intervals of several steps or of a step in parts only cones, columns and books were checked",
                    verdict_.intervals - known));
  return verdict_;
}

}  // namespace tippe::verify
