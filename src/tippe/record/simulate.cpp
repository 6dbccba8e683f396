// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include "tippe/record/stop_watch.h"

namespace tippe {
namespace {

using Clock = std::chrono::steady_clock;

/// Decides which contacts had an impact in a step.
class ImpactCounter {
 public:
  explicit ImpactCounter(const System& system)
      : system_(system), open_for_(system.laws().size(), kReopened), largest_(system.laws().size(), 0.0) {}

  /// A contact that starts closed has not been open before.
  void start(const Eigen::VectorXd& gaps, double closed_tolerance) {
    for (size_t i = 0; i < open_for_.size(); ++i) {
      if (gaps[static_cast<Eigen::Index>(i)] <= closed_tolerance) open_for_[i] = 0;
    }
  }

  /// Calls found(law) for each impact. `kinetic_energy`: the largest so far.
  template <class Found>
  void count(const LawStep& step, double kinetic_energy, Found&& found) {
    constexpr double kRoundOff = 1e-12;  // of the speed that all kinetic energy could give to the contact
    const double speed = std::sqrt(kinetic_energy);
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
        const double threshold = std::max(kImpactThreshold * largest_[i], kRoundOff * speed * step.speed_scale[law]);
        if (closing > threshold) found(static_cast<int>(i));
      }
      open_for_[i] = 0;
    }
  }

 private:
  // A contact that was open for fewer steps was let go by the discretisation (a pivoting corner follows a
  // curve), not by the motion: it falls back with the speed of a step or two.
  static constexpr std::int64_t kReopened = 3;

  const System& system_;
  std::vector<std::int64_t> open_for_;  // steps since a contact carried an impulse
  std::vector<double> largest_;
};

/// Step numbers of the samples: those nearest to multiples of `every`.
class SampleSchedule {
 public:
  SampleSchedule(const RunOptions& options, double t0) : ratio_(std::max(1.0, options.sample_interval(t0) / options.dt)) {}

  [[nodiscard]] bool due(std::int64_t step) {
    if (static_cast<double>(step) < next_) return false;
    while (next_ <= static_cast<double>(step)) next_ = std::round(static_cast<double>(++samples_) * ratio_);
    return true;
  }

 private:
  double ratio_;
  std::int64_t samples_ = 0;
  double next_ = 0.0;
};

/// One run: the integrator, what is known of the run so far, and where it is written.
class Run {
 public:
  Run(const System& system, const State& start, const RunOptions& options, Recording* recording)
      : system_(system),
        options_(options),
        recording_(recording),
        t0_(start.t),
        steps_(options.steps_from(start.t)),
        integrator_(find_integrator(options.integrator)->make(system, options.integrator_options)),
        evaluator_(system.make_evaluator()),
        impacts_(system),
        schedule_(options, start.t),
        observer_(options.observables),
        stop_watch_(options.observables) {
    const auto laws = static_cast<Eigen::Index>(system.laws().size());
    now_.state = start;
    now_.gaps.setZero(laws);
    now_.impulses.setZero(integrator_->last_laws().impulse.size());
    summary_.lost_by_law.setZero(laws);
    summary_.impacts_by_law.assign(system.laws().size(), 0);
    evaluate_state();
    now_.ledger.start(now_.energies);
    largest_kinetic_ = now_.energies.kinetic;
    note_penetration();
    impacts_.start(now_.gaps, options.integrator_options.closed_tolerance);
    if (schedule_.due(0)) record_sample();
  }

  RunSummary go(const ProgressCallback& progress, const std::atomic<bool>* stop) {
    const auto begin = Clock::now();
    auto next_look = begin;
    std::int64_t look_at = 0, stride = 1;
    summary_.status = "ok";
    while (summary_.steps < steps_ && !summary_.stopped) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
        summary_.status = "interrupted";
        summary_.message = fmt::format("interrupted at t = {:.9g}", now_.state.t);
        break;
      }
      if (!advance()) break;
      if (summary_.steps < look_at) continue;
      // The clock is read seldom: fast steps take less time than reading it.
      const auto now = Clock::now();
      if (now < next_look) {
        stride = std::min<std::int64_t>(stride * 2, 4096);
      } else {
        stride = std::max<std::int64_t>(stride / 2, 1);
        next_look = now + std::chrono::milliseconds(50);
        const double fraction = static_cast<double>(summary_.steps) / static_cast<double>(steps_);
        if (progress) progress({now_.state.t, fraction, summary_.steps});
        if (recording_ != nullptr) recording_->flush_if_due();
      }
      look_at = summary_.steps + stride;
    }
    if (!sampled_) record_sample();
    summary_.final_state = now_.state;
    summary_.energy = now_.ledger;
    summary_.wall_time = std::chrono::duration<double>(Clock::now() - begin).count();
    warn();
    if (recording_ != nullptr) recording_->finish(summary_);
    return summary_;
  }

 private:
  [[nodiscard]] double time_after(std::int64_t steps) const {
    return steps == steps_ ? options_.until : t0_ + static_cast<double>(steps) * options_.dt;
  }

  /// One step; false if it failed.
  bool advance() {
    before_ = now_;
    stop_watch_.remember(*integrator_);
    const std::int64_t number = summary_.steps + 1;
    const bool last = number == steps_;
    const double rest = options_.until - now_.state.t;
    // A whole last step keeps dt to the bit; only a real rest shortens it.
    const double dt = last && std::abs(rest - options_.dt) > 1e-6 * options_.dt ? rest : options_.dt;
    StepReport report = integrator_->step(now_.state, dt);
    summary_.iterations += report.iterations;
    summary_.worst_residual = std::max(summary_.worst_residual, report.residual);
    if (report.ok()) {
      now_.state.t = time_after(number);
      if (stop_watch_.reached(now_.state)) stop_within_step(dt, number, report);
      evaluate_state();
      const bool finite = std::isfinite(now_.energies.kinetic + now_.energies.potential) && now_.gaps.allFinite();
      if (!finite) report.status = StepReport::Status::kNotFinite;
    }
    if (!report.ok()) {
      fail(number, report);
      return false;
    }
    summary_.steps = number;
    book(report);
    const bool impact = count_impacts();
    if (impact && !sampled_) {  // the state just before a jump too
      record(before_);
      now_.impulses = integrator_->last_laws().impulse;
    }
    sampled_ = false;
    if (schedule_.due(number) || impact || last) record_sample();
    return true;
  }

  /// Repeats the step over the part that leads to the end of the run.
  void stop_within_step(double dt, std::int64_t number, StepReport& report) {
    const double shortened = stop_watch_.shorten(*integrator_, before_.state, dt, now_.state, report);
    if (shortened == dt) now_.state.t = time_after(number);
    summary_.stopped = EarlyStop{now_.state.t, "stop_when"};
  }

  void book(const StepReport& report) {
    const LawStep& laws = integrator_->last_laws();
    const double work_before = now_.ledger.work_done;
    now_.ledger.book(report, now_.energies);
    now_.impulses += laws.impulse;
    summary_.lost_by_law += laws.lost;
    largest_kinetic_ = std::max(largest_kinetic_, now_.energies.kinetic);
    note_penetration();
    if (recording_ != nullptr)
      recording_->add_step(now_.state.t, report, now_.ledger.final, now_.ledger.work_done - work_before);
  }

  bool count_impacts() {
    bool any = false;
    impacts_.count(integrator_->last_laws(), largest_kinetic_, [&](int law) {
      any = true;
      ++summary_.impacts;
      ++summary_.impacts_by_law[static_cast<size_t>(law)];
      if (recording_ == nullptr) return;
      const LawStep& step = integrator_->last_laws();
      recording_->add_impact({now_.state.t, law, step.closing_speed[law], step.lost[law]},
                             {step.impulse.data() + step.first_row[static_cast<size_t>(law)],
                              static_cast<size_t>(system_.laws()[static_cast<size_t>(law)].rows)});
    });
    return any;
  }

  void evaluate_state() {
    evaluator_->set_state(now_.state.t, now_.state.q, now_.state.u);
    now_.energies = evaluator_->evaluate_energies();
    evaluator_->evaluate_gaps(now_.gaps);
  }

  void note_penetration() {
    for (Eigen::Index i = 0; i < now_.gaps.size(); ++i) {
      if (-now_.gaps[i] <= summary_.worst_penetration) continue;
      summary_.worst_penetration = -now_.gaps[i];
      summary_.worst_penetration_at = system_.laws()[static_cast<size_t>(i)].name;
    }
  }

  void fail(std::int64_t number, const StepReport& report) {
    summary_.status = "failed";
    ++summary_.failed_steps;
    summary_.message = fmt::format("step {} from t = {:.9g} failed: {}", number, before_.state.t,
                                   describe_failure(system_, report, now_.state));
    now_ = before_;
  }

  void warn() {
    summary_.warnings = integrator_->warnings();
    constexpr double kGrossError = 0.1;
    const EnergyLedger& energy = summary_.energy;
    const double relative = energy.scale > 0.0 ? std::abs(energy.unexplained()) / energy.scale : 0.0;
    if (!(relative <= kGrossError)) {
      summary_.warnings.push_back(
          fmt::format("{:.0f} % of the energy is unexplained: the motion is not resolved; take a smaller "
                      "step than dt = {}",
                      100.0 * relative, options_.dt));
    }
  }

  void record_sample() {
    sampled_ = true;
    record(now_);
    now_.impulses.setZero();
  }

  void record(Sample& sample) {
    if (recording_ == nullptr) return;
    observer_.evaluate_quantities(sample.state, sample.quantities);
    recording_->add_sample(sample);
  }

  const System& system_;
  const RunOptions& options_;
  Recording* recording_;
  double t0_;
  std::int64_t steps_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Evaluator> evaluator_;
  ImpactCounter impacts_;
  SampleSchedule schedule_;
  ObservablesEvaluator observer_;
  StopWatch stop_watch_;
  Sample now_, before_;   // at the end of the last step, and of the one before
  bool sampled_ = false;  // whether `now_` is recorded
  RunSummary summary_;
  double largest_kinetic_ = 0.0;
};

}  // namespace

RunSummary simulate(const System& system, const State& start, const RunOptions& options, Recording* recording,
                    const ProgressCallback& progress, const std::atomic<bool>* stop) {
  assert(options.invalid(start.t).key.empty());
  return Run(system, start, options, recording).go(progress, stop);
}

}  // namespace tippe
