// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/point_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/hybrid/lyapunov.h"

namespace tippe {
namespace {

/// Sees the steps of a run and keeps what a sweep wants of them.
class PointWatch {
 public:
  PointWatch(const Scene& scene, const SweepLook& look, Integrator& integrator, const std::atomic<bool>* interrupt)
      : scene_(scene),
        look_(look),
        section_(look.section),
        integrator_(integrator),
        interrupt_(interrupt),
        values_(scene.run.observables),
        reducers_(look.reductions.begin(), look.reductions.end()) {
    for (const Reduction& reduction : look.reductions)
      evaluates_ = evaluates_ || reduction.value.kind == StateValue::Kind::kQuantity;
    before_ = scene.start;
    slow_since_ = scene.start.t;
    if (section_.kind == RunSection::Kind::kRising) before_value_ = section_value(before_);
    if (!samples()) reduce(scene.start);
  }

  void take_part(RunHooks& hooks) {
    hooks.stop = interrupt_;
    if (section_.kind == RunSection::Kind::kImpact)
      hooks.on_impact = [this](const Impact& impact) { hit_ = hit_ || impact.law == section_.law; };
    if (samples() && !reducers_.empty()) hooks.on_sample = [this](const Sample& sample) { reduce(sample.state); };
    if (!watches() && (samples() || reducers_.empty())) return;
    hooks.stop = &stop_;
    hooks.on_step = [this](const Sample& sample, std::span<const Event> events) { look_at(sample.state, events); };
  }

  SweepResult finish(RunSummary summary) {
    SweepResult result;
    result.end = end_of(summary);
    if (result.end == SweepEnd::kFailed) result.message = summary.message;
    for (const Reducer& reducer : reducers_) result.reduced.push_back(reducer.result());
    if (section_.exists() && result.end == SweepEnd::kSection) result.period = find_period(kept_, look_.period);
    result.section = std::move(kept_);
    result.summary = std::move(summary);
    return result;
  }

 private:
  /// Of an integrator with long steps values are taken at samples, of others after every step.
  [[nodiscard]] bool samples() const { return scene_.run.adaptive(); }

  [[nodiscard]] bool watches() const { return section_.exists() || look_.rest; }

  [[nodiscard]] SweepEnd end_of(const RunSummary& summary) const {
    if (summary.status == RunStatus::kFailed) return SweepEnd::kFailed;
    if (complete()) return SweepEnd::kSection;
    if (accumulated_) return SweepEnd::kAccumulation;
    if (rests_) return SweepEnd::kRest;
    if (summary.status == RunStatus::kInterrupted) return SweepEnd::kInterrupted;
    return summary.stopped ? SweepEnd::kStopWhen : SweepEnd::kUntil;
  }

  [[nodiscard]] bool complete() const { return section_.exists() && found_ >= section_.points(); }

  double section_value(const State& state) {
    values_.look_at(state, section_.value.kind == StateValue::Kind::kQuantity);
    return values_[section_.value];
  }

  /// Once there are points of the section to keep, quantities are those of the motion that it settled on.
  void reduce(const State& state) {
    if (section_.exists() && found_ < section_.transient) return;
    values_.look_at(state, evaluates_);
    for (Reducer& reducer : reducers_) reducer.add(state.t, values_[reducer.value()]);
  }

  void look_at(const State& state, std::span<const Event> events) {
    if (!samples()) reduce(state);
    switch (section_.kind) {
      case RunSection::Kind::kNone:
        break;
      case RunSection::Kind::kImpact:
        if (hit_) add_point(state);
        hit_ = false;
        break;
      case RunSection::Kind::kEvent:
        for (const Event& event : events) {
          if (section_.event.holds(event)) add_point(state);
        }
        break;
      case RunSection::Kind::kStroboscopic:
        look_at_phases(state);
        break;
      case RunSection::Kind::kRising:
        look_at_rise(state);
        break;
    }
    if (watches()) {
      look_at_events(events);
      look_for_rest(state);
      before_ = state;
    }
    if (complete() || accumulated_ || rests_ || (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)))
      stop_ = true;
  }

  void add_point(const State& state) {
    if (found_ >= section_.transient && found_ < section_.points()) kept_.push_back({found_, state});
    ++found_;
  }

  void look_at_phases(const State& state) {
    constexpr double kSamePhase = 1e-9;
    const double period = scene_.run.forcing_period;
    for (;;) {
      const double t = scene_.start.t + static_cast<double>(found_ + 1) * period;
      if (complete() || t > state.t + kSamePhase * period) return;
      t >= state.t - kSamePhase* period ? add_point(state) : add_point(state_at(t, state));
    }
  }

  void look_at_rise(const State& state) {
    const double value = section_value(state);
    if (before_value_ < 0.0 && value >= 0.0) add_point(value == 0.0 ? state : state_at_rise(state, value));
    before_value_ = value;
  }

  /// Regula falsi with halved weights (Illinois), on the dense output or the chord of the step.
  State state_at_rise(const State& after, double after_value) {
    constexpr int kMost = 60;
    double low = before_.t, high = after.t, f_low = before_value_, f_high = after_value;
    State middle = after;
    for (int k = 0; k < kMost && high - low > 1e-15 * std::abs(high) + 1e-13 * (after.t - before_.t); ++k) {
      const double t = high - f_high * (high - low) / (f_high - f_low);
      middle = state_at(std::clamp(t, low, high), after);
      const double value = section_value(middle);
      if (value == 0.0) break;
      if (value < 0.0) {
        low = middle.t, f_low = value;
        f_high *= 0.5;
      } else {
        high = middle.t, f_high = value;
        f_low *= 0.5;
      }
    }
    return middle;
  }

  /// Within the last step, which ended with `after`.
  State state_at(double t, const State& after) {
    State state = after;
    if (AdaptiveIntegrator* adaptive = integrator_.adaptive(); adaptive != nullptr && t < after.t && t > before_.t) {
      if (adaptive->interpolate(t, state).ok()) return state;
    }
    const double share = after.t > before_.t ? (t - before_.t) / (after.t - before_.t) : 1.0;
    state.t = t;
    state.q = before_.q + share * (after.q - before_.q);
    state.u = before_.u + share * (after.u - before_.u);
    return state;
  }

  void look_at_events(std::span<const Event> events) {
    for (const Event& event : events) {
      if (event.kind != EventKind::kAccumulation || section_.law < 0 || section_.event.kind != EventKind::kImpact) continue;
      accumulated_ = accumulated_ || std::find(event.laws.begin(), event.laws.end(), section_.law) != event.laws.end();
    }
  }

  void look_for_rest(const State& state) {
    const double speed = state.u.size() > 0 ? state.u.cwiseAbs().maxCoeff() : 0.0;
    fastest_ = std::max(fastest_, speed);
    if (state.t == before_.t) return;  // a jump
    if (!(speed <= kAtRest * fastest_)) {
      slow_ = 0;
      slow_since_ = state.t;
      return;
    }
    ++slow_;
    // What is driven may stand still for a while.
    if (state.t - slow_since_ < kPeriodsAtRest * scene_.run.forcing_period) return;
    const bool long_step =
        samples() && state.t >= scene_.run.until;  // as of an integrator for which nothing happens any more
    rests_ = slow_ >= kStepsAtRest || (slow_ > 1 && long_step);
  }

  const Scene& scene_;
  const SweepLook& look_;
  const RunSection& section_;
  Integrator& integrator_;
  const std::atomic<bool>* interrupt_;
  StateValues values_;
  std::vector<Reducer> reducers_;
  bool evaluates_ = false;
  std::atomic<bool> stop_ = false;
  State before_;
  double before_value_ = 0.0;
  std::int64_t found_ = 0;
  std::vector<SweepPoint> kept_;
  bool hit_ = false, accumulated_ = false, rests_ = false;
  double fastest_ = 0.0;  // of any velocity so far
  int slow_ = 0;          // steps, one after another, in which nothing moved,
  double slow_since_;     // s  and since when
};

/// Of the second half of the run; not a number where it has none.
double largest_exponent(const Scene& scene, double end, const std::atomic<bool>* interrupt) {
  const double t0 = scene.start.t;
  if (!(end > t0)) return std::numeric_limits<double>::quiet_NaN();
  const LyapunovSpectrum spectrum = find_lyapunov_exponents(
      *scene.system, scene.start, {.transient = 0.5 * (t0 + end), .until = end, .most = 1, .interrupt = interrupt});
  const bool measured = spectrum.status == LyapunovSpectrum::Status::kMeasured && !spectrum.exponents.empty();
  return measured ? spectrum.exponents.front() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

const char* name_of(SweepEnd end) {
  constexpr const char* kNames[kSweepEnds] = {"until",        "stop_when", "section", "rest",
                                              "accumulation", "failed",    "refused", "interrupted"};
  return kNames[static_cast<int>(end)];
}

void prepare_for_sweep(Scene& scene, const SweepLook& look, bool until_given) {
  RunOptions& run = scene.run;
  run.drawing = {};
  run.notes.clear();
  const double t0 = scene.start.t, own = run.until - t0;
  if (look.reductions.empty() && run.adaptive()) {
    run.every = own;  // nobody looks at samples
  } else {
    run.every = run.sample_interval(t0);
  }
  if (!look.section.exists()) return;
  if (look.section.kind == RunSection::Kind::kStroboscopic) {
    const double needed = static_cast<double>(look.section.points()) * run.forcing_period;
    run.until = until_given ? std::min(run.until, t0 + needed) : t0 + needed;
  } else if (!until_given) {
    run.until = t0 + kLongestSearch * own;
  }
}

SweepResult run_point(const Scene& scene, const SweepLook& look, const std::atomic<bool>* interrupt) {
  std::unique_ptr<Integrator> integrator =
      find_integrator(scene.run.integrator)->make(*scene.system, scene.run.integrator_options);
  PointWatch watch(scene, look, *integrator, interrupt);
  RunHooks hooks;
  watch.take_part(hooks);
  SweepResult result = watch.finish(simulate_with(std::move(integrator), *scene.system, scene.start, scene.run, hooks));
  for (size_t k = 0; k < look.reductions.size(); ++k) {
    if (look.reductions[k].kind != Reduction::Kind::kLyapunov) continue;
    result.reduced[k] = largest_exponent(scene, result.summary.final_state.t, interrupt);
    if (interrupt != nullptr && *interrupt) result.end = SweepEnd::kInterrupted;  // it is not known
  }
  return result;
}

}  // namespace tippe
