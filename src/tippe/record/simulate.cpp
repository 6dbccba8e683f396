// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

namespace tippe {
namespace {

using Clock = std::chrono::steady_clock;

/// Decides which contacts had an impact in a step.
class ImpactCounter {
 public:
  explicit ImpactCounter(const System& system)
      : system_(system), carried_(system.laws().size(), 0), largest_(system.laws().size(), 0.0) {}

  /// Calls found(law) for each impact. `kinetic_energy`: the largest so far.
  template <class Found>
  void count(const LawStep& step, double kinetic_energy, Found&& found) {
    constexpr double kRoundOff = 1e-12;  // of the speed that all kinetic energy could give to the contact
    const double speed = std::sqrt(kinetic_energy);
    for (size_t i = 0; i < carried_.size(); ++i) {
      if (system_.laws()[i].kind != ForceLaw::Kind::kContact) continue;
      const auto law = static_cast<Eigen::Index>(i);
      const bool carries = step.impulse[step.first_row[i]] > 0.0;
      const double closing = step.closing_speed[law];
      if (carries) largest_[i] = std::max(largest_[i], closing);
      const bool fast =
          closing > std::max(kImpactThreshold * largest_[i], kRoundOff * speed * step.speed_scale[law]);
      if (carries && !carried_[i] && fast) found(static_cast<int>(i));
      carried_[i] = carries;
    }
  }

 private:
  const System& system_;
  std::vector<char> carried_;
  std::vector<double> largest_;
};

/// Step numbers of the samples: those nearest to multiples of `every`.
class SampleSchedule {
 public:
  SampleSchedule(const RunOptions& options, std::int64_t steps) {
    constexpr double kDefaultSamples = 5000.0;
    ratio_ = options.every > 0.0 ? options.every / options.dt : static_cast<double>(steps) / kDefaultSamples;
    ratio_ = std::max(1.0, ratio_);
  }
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
        schedule_(options, steps_),
        state_(start) {
    gaps_.setZero(static_cast<Eigen::Index>(system.laws().size()));
    impulses_.setZero(integrator_->last_laws().impulse.size());
    evaluate_state();
    summary_.energy.start(energies_);
    summary_.final_state = start;
    largest_kinetic_ = energies_.kinetic;
    note_penetration();
    if (schedule_.due(0)) record_sample();
  }

  RunSummary go(const ProgressCallback& progress, const std::atomic<bool>* stop) {
    const auto begin = Clock::now();
    auto next_look = begin;
    std::int64_t look_at = 0, stride = 1;
    summary_.status = "ok";
    while (summary_.steps < steps_) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
        summary_.status = "interrupted";
        summary_.message = fmt::format("interrupted at t = {:.9g}", summary_.final_state.t);
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
        if (progress)
          progress({summary_.final_state.t, static_cast<double>(summary_.steps) / static_cast<double>(steps_),
                    summary_.steps});
        if (recording_ != nullptr) recording_->flush_if_due();
      }
      look_at = summary_.steps + stride;
    }
    if (!sampled_) record_sample();
    summary_.wall_time = std::chrono::duration<double>(Clock::now() - begin).count();
    if (recording_ != nullptr) recording_->finish(summary_);
    return summary_;
  }

 private:
  [[nodiscard]] double time_after(std::int64_t steps) const {
    return steps == steps_ ? options_.until : t0_ + static_cast<double>(steps) * options_.dt;
  }

  /// One step; false if it failed.
  bool advance() {
    const std::int64_t number = summary_.steps + 1;
    const bool last = number == steps_;
    const double rest = options_.until - state_.t;
    // A whole last step keeps dt to the bit; only a real rest shortens it.
    const double dt = last && std::abs(rest - options_.dt) > 1e-6 * options_.dt ? rest : options_.dt;
    const StepReport report = integrator_->step(state_, dt);
    summary_.iterations += report.iterations;
    summary_.worst_residual = std::max(summary_.worst_residual, report.residual);
    if (!report.ok()) {
      fail(number, report);
      return false;
    }
    state_.t = time_after(number);
    evaluate_state();
    if (!std::isfinite(energies_.kinetic + energies_.potential) || !gaps_.allFinite()) {
      StepReport not_finite = report;
      not_finite.status = StepReport::Status::kNotFinite;
      fail(number, not_finite);
      return false;
    }
    summary_.steps = number;
    summary_.final_state = state_;
    summary_.energy.book(report, energies_);
    largest_kinetic_ = std::max(largest_kinetic_, energies_.kinetic);
    note_penetration();
    impulses_ += integrator_->last_laws().impulse;
    sampled_ = false;
    if (recording_ != nullptr) recording_->add_step(state_.t, report);
    bool impact = false;
    impacts_.count(integrator_->last_laws(), largest_kinetic_, [&](int law) {
      impact = true;
      record_impact(law);
    });
    if (schedule_.due(number) || impact || last) record_sample();
    return true;
  }

  void evaluate_state() {
    evaluator_->set_state(state_.t, state_.q, state_.u);
    energies_ = evaluator_->evaluate_energies();
    evaluator_->evaluate_gaps(gaps_);
  }

  void note_penetration() {
    for (Eigen::Index i = 0; i < gaps_.size(); ++i) {
      if (-gaps_[i] <= summary_.worst_penetration) continue;
      summary_.worst_penetration = -gaps_[i];
      summary_.worst_penetration_at = system_.laws()[static_cast<size_t>(i)].name;
    }
  }

  void fail(std::int64_t number, const StepReport& report) {
    summary_.status = "failed";
    ++summary_.failed_steps;
    summary_.message = fmt::format("step {} from t = {:.9g} failed: {}", number, summary_.final_state.t,
                                   describe_failure(system_, report, state_));
    state_ = summary_.final_state;
    evaluate_state();
  }

  void record_sample() {
    sampled_ = true;
    if (recording_ != nullptr) recording_->add_sample({state_, energies_, summary_.energy, gaps_, impulses_});
    impulses_.setZero();
  }

  void record_impact(int law) {
    ++summary_.impacts;
    if (recording_ == nullptr) return;
    const LawStep& step = integrator_->last_laws();
    recording_->add_impact(
        {state_.t, law, step.closing_speed[law], step.lost[law]},
        {step.impulse.data() + step.first_row[law], static_cast<size_t>(system_.laws()[law].rows)});
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
  State state_;
  RunSummary summary_;
  Energies energies_;
  Eigen::VectorXd gaps_, impulses_;
  double largest_kinetic_ = 0.0;
  bool sampled_ = false;
};

}  // namespace

RunSummary simulate(const System& system, const State& start, const RunOptions& options, Recording* recording,
                    const ProgressCallback& progress, const std::atomic<bool>* stop) {
  assert(options.invalid(start.t).key.empty());
  return Run(system, start, options, recording).go(progress, stop);
}

}  // namespace tippe
