// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include "tippe/core/infinity.h"
#include "tippe/core/tolerances.h"
#include "tippe/model/hidden_pulses.h"
#include "tippe/run/adaptive_step.h"
#include "tippe/run/checkpoint.h"
#include "tippe/run/constraint_watch.h"
#include "tippe/run/energy_watch.h"
#include "tippe/run/event_watch.h"
#include "tippe/run/impact_counter.h"
#include "tippe/run/penetration_watch.h"
#include "tippe/run/residual_spread.h"
#include "tippe/run/sample_schedule.h"
#include "tippe/run/stop_watch.h"
#include "tippe/run/tolerances.h"
#include "tippe/run/tunnel_watch.h"

namespace tippe {
namespace simulation {

using Clock = std::chrono::steady_clock;

/// One run: the integrator, what is known of the run so far, and where it is written.
class Run {
 public:
  /// `stepped`: by its caller, without an end.
  Run(std::unique_ptr<Integrator> integrator, const System& system, const State& start, const RunOptions& options,
      const RunHooks& hooks, bool stepped = false)
      : system_(system),
        options_(options),
        hooks_(hooks),
        recorder_(hooks.recorder),
        t0_(start.t),
        fingerprint_(hooks.recorder != nullptr || hooks.from != nullptr || stepped ? options.fingerprint(start.t) : 0.0),
        steps_(options.adaptive() || stepped ? 0 : options.steps_from(start.t)),
        stepped_(stepped),
        integrator_(std::move(integrator)),
        adaptive_(integrator_->adaptive()),
        unseen_(adaptive_ == nullptr && !stepped && hooks.recorder == nullptr && !hooks.on_sample && !hooks.on_step &&
                system.constraints().empty()),
        evaluator_(system.make_evaluator()),
        impacts_(system),
        penetration_(system),
        tunnel_(system),
        constraints_(system),
        schedule_(options, start.t),
        sample_times_(options, start.t),
        observer_(options.observables),
        drawer_(options.drawing.columns),
        stop_watch_(options.observables),
        event_watch_(options.events, start),
        laws_(&integrator_->last_laws()),
        constraint_step_(&integrator_->last_constraints()) {
    assert((adaptive_ != nullptr) == options.adaptive());
    if (adaptive_ != nullptr) {
      pulses_.emplace(
          system, options.integrator == "event-driven" ? HiddenPulses::Looks::kAtBeginning : HiddenPulses::Looks::kAtStages);
    }
    const auto laws = static_cast<Eigen::Index>(system.laws().size());
    now_.state = start;
    now_.gaps.setZero(laws);
    for (const ForceLaw& law : system.laws()) {
      first_row_.push_back(rows_);
      rows_ += law.rows;
    }
    now_.impulses.setZero(rows_);
    if (adaptive_ == nullptr) now_.since.resize(rows_, laws, start.q.size(), start.u.size());
    if (adaptive_ == nullptr) now_.since.u_start = start.u;
    summary_.lost_by_law.setZero(laws);
    summary_.impacts_by_law.assign(system.laws().size(), 0);
    evaluate_state();
    now_.ledger.start(now_.energies);
    largest_kinetic_ = now_.energies.kinetic;
    penetration_.start(now_.gaps, now_.state.q);
    impacts_.start(*evaluator_, start, list_, options.integrator_options.closed_tolerance, *integrator_);
    constraints_.start(start, now_.constraints);
    if (stepped) fresh_memory_ = integrator_->memory();
    if (hooks.from != nullptr) {
      restore(*hooks.from);
    } else if (sample_is_due()) {
      record_sample();
    }
  }

  RunSummary go() {
    auto next_look = begin_ = Clock::now();
    Clock::duration look_interval = std::chrono::milliseconds(50);
    if (recorder_ != nullptr)
      look_interval = std::min(look_interval, std::chrono::duration_cast<Clock::duration>(recorder_->flush_interval()));
    std::int64_t look_at = 0, stride = 1;
    save();
    while (!at_end() && !summary_.stopped) {
      if (hooks_.stop != nullptr && hooks_.stop->load(std::memory_order_relaxed)) {
        summary_.status = RunStatus::kInterrupted;
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
        next_look = now + look_interval;
        if (hooks_.progress) hooks_.progress({now_.state.t, fraction_done(), summary_.steps});
        if (recorder_ != nullptr && recorder_->flush_is_due()) save();
      }
      look_at = summary_.steps + stride;
    }
    if (summary_.status == RunStatus::kRunning) summary_.status = RunStatus::kOk;
    // The checkpoint does not know of the sample at the end, which an uninterrupted run would not have. After a failed step
    // the integrator's memory is worth nothing: the checkpoint of the last flush stays.
    if (recorder_ != nullptr && summary_.status != RunStatus::kFailed && recorder_->keeps_checkpoints())
      recorder_->set_checkpoint(checkpoint());
    if (!sampled_) record_sample();
    sum_up();
    warn();
    if (recorder_ != nullptr) recorder_->finish(summary_);
    return summary_;
  }

  /// One step, of this length if it is given. If it fails, says why: all is as before, but that the integrator forgets the steps before.
  std::string step(std::optional<double> length, StepReport& report) {
    wanted_length_ = length;
    if (advance()) {
      report = last_report_;
      if (length && adaptive_ == nullptr) restart_grid();
      return {};
    }
    report = last_report_;
    forget_steps();
    summary_.status = RunStatus::kRunning;
    return std::exchange(failure_, {});
  }
  /// Another state, as somebody gives it; what is remembered of the steps before is kept if `remembers`. False if it cannot be.
  bool move_to(const State& state, bool remembers) {
    if (!remembers) forget_steps();
    if (state.t != now_.state.t) {
      now_.state.t = state.t;
      restart_grid();
    }
    const bool possible = jump_to(state);
    if (!possible) summary_.status = RunStatus::kRunning;
    return possible;
  }
  [[nodiscard]] const State& state() const { return now_.state; }
  [[nodiscard]] const Energies& energies() const { return now_.energies; }
  [[nodiscard]] const Eigen::VectorXd& gaps() const { return now_.gaps; }
  [[nodiscard]] const Integrator& integrator() const { return *integrator_; }
  /// What is known now, and to `recorder` the last sample if it is not there.
  RunSummary summary_so_far(RunRecorder* recorder) {
    if (recorder != nullptr && !sampled_) {
      Sample last = now_;
      constraints_.complete(last);
      observer_.evaluate_quantities(last.state, last.quantities);
      drawer_.evaluate_quantities(last.state, last.drawing);
      recorder->add_sample(last);
    }
    sum_up();
    warn();
    RunSummary summary = summary_;
    summary.status = RunStatus::kOk;
    return summary;
  }
  Checkpoint checkpoint_of_steps() { return checkpoint(); }
  void restore_steps(const Checkpoint& checkpoint) {
    CheckpointReader reader(checkpoint);
    visit(reader);
    integrator_->restore_memory(checkpoint.integrator_memory);
    integrator_->restore_warnings(checkpoint.warnings);
    const Energies stored = now_.energies;
    evaluate_state();
    now_.energies = stored;
  }

 private:
  void forget_steps() { integrator_->restore_memory(fresh_memory_); }
  /// Steps are counted from here.
  void restart_grid() {
    t0_ = now_.state.t;
    grid_start_ = grid_;
  }
  [[nodiscard]] double time_on_grid(std::int64_t steps) const {
    return t0_ + static_cast<double>(steps - grid_start_) * options_.dt;
  }
  [[nodiscard]] double time_after(std::int64_t steps) const {
    return steps == steps_ && !stepped_ ? options_.until : time_on_grid(steps);
  }

  [[nodiscard]] bool at_end() const { return adaptive_ != nullptr ? now_.state.t >= options_.until : grid_ >= steps_; }
  [[nodiscard]] double fraction_done() const {
    if (adaptive_ != nullptr) return (now_.state.t - t0_) / (options_.until - t0_);
    return static_cast<double>(grid_) / static_cast<double>(steps_);
  }

  /// Of the next step, or for adaptive schemes of the first trial.
  [[nodiscard]] double step_length() {
    if (wanted_length_) return *wanted_length_;
    if (adaptive_ != nullptr) {
      const double trial = trial_step(*adaptive_, now_.state.t, options_.dt, end_of_inputs(now_.state.t));
      return pulses_->resolved_step(now_.state.t, trial);
    }
    if (within_grid_) return time_after(grid_ + 1) - now_.state.t;
    if (stepped_) return options_.dt;
    const double rest = options_.until - now_.state.t;
    // A whole last step keeps dt to the bit; only a real rest shortens it, more than what the clock resolves.
    const double same = kSameTime * options_.dt + 4.0 * kMachineEpsilon * std::max(std::abs(t0_), std::abs(options_.until));
    return grid_ + 1 == steps_ && std::abs(rest - options_.dt) > same ? rest : options_.dt;
  }

  /// The end of a step without the round-off of its sum.
  [[nodiscard]] double exact_time(double dt) const {
    if (adaptive_ == nullptr) return wanted_length_ ? now_.state.t : time_after(grid_ + 1);
    return exact_end(before_.state.t, dt, now_.state.t, end_of_inputs(before_.state.t));
  }
  /// Until when the inputs at t stay as they are.
  [[nodiscard]] double end_of_inputs(double t) const { return std::min(options_.until, options_.inputs.next_after(t)); }

  void sum_up() {
    summary_.final_state = now_.state;
    summary_.energy = now_.ledger;
    summary_.notes = options_.notes;
    summary_.own_events.clear();
    for (size_t k = 0; k < options_.events.list().size(); ++k)
      summary_.own_events.push_back({options_.events.list()[k].name, event_watch_.counts()[k]});
    summary_.worst_penetration = penetration_.worst();
    summary_.median_residual = residuals_.quantile(0.5);
    summary_.residual_90_percent = residuals_.quantile(0.9);
    summary_.worst_penetration_at = penetration_.worst_at();
    constraints_.sum_up(summary_);
    summary_.wall_time = wall_time_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  /// Brings the recording to disk, with a checkpoint.
  void save() {
    if (recorder_ == nullptr || !recorder_->keeps_checkpoints()) return;
    sum_up();
    recorder_->set_checkpoint(checkpoint());
    recorder_->flush(summary_);
  }

  Checkpoint checkpoint() {
    Checkpoint result;
    CheckpointWriter writer(result);
    sum_up();
    visit(writer);
    result.integrator_memory = integrator_->memory();
    result.warnings = integrator_->warnings();
    return result;
  }

  void restore(const Checkpoint& checkpoint) {
    CheckpointReader reader(checkpoint);
    const double fingerprint = fingerprint_, start = t0_;
    visit(reader);
    if (fingerprint_ != fingerprint)
      throw FileError("the checkpoint is that of a run with another integrator, step, tolerance or time between samples");
    check_restored(start);
    wall_time_before_ = summary_.wall_time;
    // After a run whose last step was shortened, steps are counted from there.
    if (options_.events.empty()) grid_ = adaptive_ == nullptr ? summary_.steps : 0;
    if (adaptive_ == nullptr) {
      if (!within_grid_ && std::abs(now_.state.t - time_on_grid(grid_)) > kSameTime * options_.dt)
        t0_ = now_.state.t - static_cast<double>(grid_) * options_.dt;
      steps_ = options_.steps_from(t0_);
    }
    try {
      integrator_->restore_memory(checkpoint.integrator_memory);
      integrator_->restore_warnings(checkpoint.warnings);
    } catch (const std::invalid_argument& error) {
      throw FileError(fmt::format("the checkpoint does not fit the integrator: {}", error.what()));
    }
    if (integrator_->memory() != checkpoint.integrator_memory)
      throw FileError("the checkpoint is damaged: its integrator never remembered these numbers");
  }

  /// Throws FileError unless what was read is a moment of this run.
  void check_restored(double start) {
    const auto require = [](bool holds, const char* what) {
      if (!holds) throw FileError(fmt::format("the checkpoint is damaged: {}", what));
    };
    const double t = now_.state.t;
    if (options_.events.empty()) grid_ = summary_.steps;
    require(std::isfinite(t) && std::isfinite(t0_) && now_.state.q.allFinite() && now_.state.u.allFinite(),
            "its state is not finite");
    require(summary_.steps >= 0 && grid_ >= 0 && grid_ <= summary_.steps && t >= start,
            "it lies before the start of the run");
    require(adaptive_ != nullptr || std::abs(t - time_on_grid(grid_)) <= (1.0 + kSameTime) * options_.dt,
            "its steps do not lead to its time");
    require(adaptive_ != nullptr ? sample_times_.fits(t) : schedule_.fits(grid_), "its samples do not fit its time");
    require(constraints_.valid() && penetration_.valid() && tunnel_.valid(), "it names a law that does not exist");
    const Energies stored = now_.energies;
    evaluate_state();
    const double size = std::abs(stored.kinetic) + std::abs(stored.potential) + now_.ledger.scale;
    require(std::abs(stored.kinetic - now_.energies.kinetic) + std::abs(stored.potential - now_.energies.potential) <=
                kEnergyOfOtherBuild * size,
            "its energy is not that of its state");
    now_.energies = stored;
  }

  /// Names everything that the rest of the run depends on, beside the integrator's memory.
  template <class Archive>
  void visit(Archive& archive) {
    archive("fingerprint", fingerprint_);
    archive("steps", summary_.steps);
    archive("steps_from", t0_);
    if (stepped_) {
      archive("grid_start", grid_start_);
      if (options_.events.empty()) archive("grid", grid_);
    }
    if (!options_.events.empty()) {
      archive("grid", grid_);
      archive("within_grid", within_grid_);
      event_watch_.visit(archive);
    }
    archive("t", now_.state.t);
    archive("q", now_.state.q);
    archive("u", now_.state.u);
    archive("kinetic", now_.energies.kinetic);
    archive("potential", now_.energies.potential);
    archive("drive", now_.energies.drive);
    archive("gap", now_.gaps);
    archive("impulse", now_.impulses);
    if (!system_.has_fixed_laws()) now_.contacts.visit(archive);
    now_.since.visit(archive);
    now_.ledger.visit(archive);
    archive("sampled", sampled_);
    archive("lost_by_law", summary_.lost_by_law);
    archive("impacts", summary_.impacts);
    archive("impacts_by_law", summary_.impacts_by_law);
    archive("events", summary_.events.by_kind);
    archive("worst_residual", summary_.worst_residual);
    residuals_.visit(archive);
    archive("failed_steps", summary_.failed_steps);
    archive("rejected_steps", summary_.rejected_steps);
    archive("iterations", summary_.iterations);
    archive("halved_steps", summary_.halved_steps);
    archive("inexact_steps", summary_.inexact_steps);
    archive("ambiguous_steps", summary_.ambiguous_steps);
    penetration_.visit(archive);
    tunnel_.visit(archive);
    archive("largest_kinetic", largest_kinetic_);
    energy_.visit(archive);
    archive("standing", standing_);
    impacts_.visit(archive);
    constraints_.visit(archive, now_.constraints);
    schedule_.visit(archive);
    sample_times_.visit(archive);
    archive("wall_time", summary_.wall_time);
  }

  /// before_ := now_, without what record() fills in.
  void remember() {
    before_.state = now_.state;
    before_.energies = now_.energies;
    before_.ledger = now_.ledger;
    before_.gaps = now_.gaps;
    if (unseen_) return;
    before_.impulses = now_.impulses;
    before_.since = now_.since;
    before_.constraints.since = now_.constraints.since;
    if (!system_.constraints().empty()) before_.constraints.sum = now_.constraints.sum;
  }

  /// The inputs of the step to come: those of a row whose time has come, but for round-off.
  bool set_inputs() {
    if (options_.inputs.empty()) return true;
    const double t = now_.state.t;
    const double same = adaptive_ != nullptr ? 0.0 : kSameTime * options_.dt + 4.0 * kMachineEpsilon * std::abs(t);
    State changed = now_.state;
    return !options_.inputs.hold(t + same, changed.q) || jump_to(changed);
  }

  /// Another state at the same time, which somebody gives. What that does to the energy is work. False if it cannot be.
  bool jump_to(const State& state) {
    if (!sampled_) record_sample();
    remember();
    now_.state = state;
    evaluate_state();
    if (!std::isfinite(now_.energies.kinetic + now_.energies.potential)) {
      fail(summary_.steps + 1, "the energy is not finite with the inputs that were set");
      return false;
    }
    StepReport report;
    report.work_done = now_.energies.kinetic + now_.energies.potential - now_.ledger.final;
    now_.ledger.book(report, now_.energies);
    largest_kinetic_ = std::max(largest_kinetic_, now_.energies.kinetic);
    penetration_.look(now_.gaps, now_.state.q);
    integrator_->follow_jump();
    if (hooks_.on_step) {
      begin_shown_step();
      hooks_.on_step(step_, {});
    }
    record_sample();
    if (options_.events.empty()) return true;
    event_watch_.look_after_jumps(now_.state);
    return take_own_events(summary_.steps);
  }

  /// One step; false if it failed.
  bool advance() {
    if (!set_inputs()) return false;
    if (summary_.stopped) return true;  // by an event of the new inputs
    remember();
    const double begin = now_.state.t;
    stop_watch_.remember(*integrator_);
    event_watch_.remember(*integrator_);
    const std::int64_t number = summary_.steps + 1;
    const double dt = step_length();
    StepReport report = integrator_->step(now_.state, dt);
    if (report.ok()) {
      now_.state.t = exact_time(dt);
      const double length = end_at_event(dt, report);
      events_ = integrator_->last_events();
      if (report.ok() && !stepped_) stop_within_step(length, report);
    }
    summary_.iterations += report.iterations;
    summary_.rejected_steps += report.rejected;
    summary_.worst_residual = std::max(summary_.worst_residual, report.residual);
    residuals_.add(report.residual);
    if (report.ok()) record_within_step(report);
    if (report.ok()) {
      evaluate_state();
      penetration_.look(now_.gaps, now_.state.q);
      const bool finite = std::isfinite(now_.energies.kinetic + now_.energies.potential) && list_.gap.allFinite();
      if (!finite) report.status = StepReport::Status::kNotFinite;
    }
    if (stepped_) last_report_ = report;
    if (hooks_.after_step)
      hooks_.after_step({number, before_.state.t, report.ok() ? now_.state.t : before_.state.t + dt, report, *integrator_});
    if (!report.ok()) {
      fail(number, describe_failure(system_, report, now_.state));
      return false;
    }
    summary_.steps = number;
    if (!within_grid_) ++grid_;
    book(report);
    bool wanted = book_events() || !event_watch_.found().empty();
    if (adaptive_ == nullptr && count_impacts() && system_.has_fixed_laws()) {  // in a heap every step has impacts
      wanted = true;
      if (!sampled_ && !unseen_) {  // the state just before a jump too
        record(before_);
        now_.impulses.setZero();
        now_.since.restart();
        add_step(report, now_);
        constraints_.restart(before_.state.t, constraint_step_, now_.constraints);
      }
    }
    if (hooks_.on_step) show_step(report);
    sampled_ = false;
    if (sample_is_due() || wanted) record_sample();
    if (!take_own_events(number)) return false;
    stop_after_counts();
    return time_goes_on(begin, number);
  }

  void stop_after_counts() {
    if (stepped_) return;
    for (const RunOptions::StopAfter& stop : options_.stop_after) {
      std::int64_t count = summary_.impacts;
      for (size_t k = 0; k < options_.events.list().size(); ++k) {
        if (options_.events.list()[k].name == stop.name) count = event_watch_.counts()[k];
      }
      if (!summary_.stopped && count >= stop.count) summary_.stopped = EarlyStop{now_.state.t, "stop_after " + stop.name};
    }
  }

  /// Leaves the part of a step that leads to the first event of the scene in it, and tells how long that is.
  double end_at_event(double dt, StepReport& report) {
    within_grid_ = false;
    if (options_.events.empty()) return dt;
    if (adaptive_ != nullptr) {
      const double end = now_.state.t;
      event_watch_.find(*adaptive_, before_.state, now_.state, report);
      return now_.state.t < end ? now_.state.t - before_.state.t : dt;
    }
    const double length = event_watch_.find(*integrator_, before_.state, dt, now_.state, report);
    within_grid_ = length != dt;
    if (!within_grid_ && report.ok() && !wanted_length_) now_.state.t = time_after(grid_ + 1);
    return length;
  }

  /// Those that the step has led to, and those that their jumps lead to. False if a jump is impossible.
  bool take_own_events(std::int64_t number) {
    for (bool late = false; !event_watch_.found().empty() && !summary_.stopped; late = true) {
      const std::vector<int> found = event_watch_.found();
      event_watch_.forget_found();
      for (const int k : found) {
        if (!take_own_event(k, late, number)) return false;
      }
      event_watch_.look_after_jumps(now_.state);
    }
    return true;
  }

  [[nodiscard]] Event describe_own_event(int k) const {
    Event event{.t = now_.state.t, .kind = EventKind::kOwn};
    event.before = integrator_->modes();
    if (event.before.empty()) event.before.assign(system_.laws().size(), ContactMode::kOpen);
    event.after = event.before;
    event.note = options_.events.list()[static_cast<size_t>(k)].name;
    return event;
  }

  /// `late`: another one led to it, and the step did not show it.
  bool take_own_event(int k, bool late, std::int64_t number) {
    const OwnEvent& own = options_.events.list()[static_cast<size_t>(k)];
    Event event = describe_own_event(k);
    remember();
    const bool jumps = event_watch_.take(k, now_.state);
    if (jumps) {
      now_.gaps = before_.gaps;
      evaluate_state();
      const std::string refused = describe_refused_jump(own.name);
      if (!refused.empty()) {
        fail(number, refused);
        return false;
      }
      StepReport report;
      report.work_done = now_.energies.kinetic + now_.energies.potential - now_.ledger.final;
      event.lost = -report.work_done;
      now_.ledger.book(report, now_.energies);
      largest_kinetic_ = std::max(largest_kinetic_, now_.energies.kinetic);
      penetration_.look(now_.gaps, now_.state.q);
      integrator_->follow_jump();
    }
    if (recorder_ != nullptr) recorder_->add_event(event);
    if (hooks_.on_step && (jumps || late)) show_jump(event, late);
    if (jumps) record_sample();
    if (own.stop && !stepped_) summary_.stopped = EarlyStop{now_.state.t, "event " + own.name};
    return true;
  }

  /// A state that no motion of the system can have, in words; else empty.
  std::string describe_refused_jump(const std::string& name) {
    const auto refused = [&](const std::string& what) { return fmt::format("the reset of the event '{}' {}", name, what); };
    if (!(std::isfinite(now_.energies.kinetic + now_.energies.potential) && now_.state.q.allFinite() &&
          now_.state.u.allFinite() && list_.gap.allFinite()))
      return refused("leads to a state that is not finite");
    if (!has_unit_quaternions(now_.state.q)) return refused("leads to an orientation that is no quaternion of length 1");
    const std::string broken = constraints_.broken_by_jump(before_.state, now_.state);
    if (!broken.empty()) return refused(broken);
    const double allowed = std::max(options_.initial_penetration, kGapRoundOff * now_.state.q.cwiseAbs().maxCoeff());
    for (Eigen::Index law = 0; law < now_.gaps.size(); ++law) {
      if (now_.gaps[law] >= std::min(before_.gaps[law], 0.0) - allowed) continue;
      return refused(fmt::format("lets the contact '{}' penetrate by {:.3g}", system_.laws()[static_cast<size_t>(law)].name,
                                 -now_.gaps[law]));
    }
    return "";
  }

  [[nodiscard]] bool has_unit_quaternions(const Eigen::VectorXd& q) const {
    constexpr double kNear = 1e-9, kSmall = 1e-3;
    Eigen::VectorXd unit = q, moved = q.array() + kSmall;
    system_.normalize(unit);
    system_.normalize(moved);  // shows those that are zero, which stay so
    return (unit - q).cwiseAbs().maxCoeff() <= kNear && (moved - q).cwiseAbs().maxCoeff() <= 0.1;
  }

  /// A step without duration, whose sums are empty.
  void show_jump(const Event& event, bool late) {
    begin_shown_step();
    hooks_.on_step(step_, {&event, late ? 1u : 0u});
  }

  /// If the run ends in this step, leaves the part of it that leads there.
  void stop_within_step(double dt, StepReport& report) {
    if (adaptive_ != nullptr) {
      const double end = now_.state.t;
      if (!stop_watch_.shorten(*adaptive_, before_.state.t, now_.state, report)) return;
      if (now_.state.t < end) keep_first_part();
      if (now_.state.t < end) event_watch_.forget_found();
    } else {
      if (!stop_watch_.reached(now_.state)) return;
      const double shortened = stop_watch_.shorten(*integrator_, before_.state, dt, now_.state, report);
      if (shortened == dt && !within_grid_) now_.state.t = time_after(grid_ + 1);
      if (shortened < dt) event_watch_.forget_found();
    }
    summary_.stopped = EarlyStop{now_.state.t, "stop_when"};
  }

  /// What laws and constraints did until the state that was interpolated last, and the events until then.
  void keep_first_part() {
    if (const LawStep* laws = adaptive_->interpolated_laws()) laws_ = &part_laws_.emplace(*laws);
    if (const ConstraintStep* step = adaptive_->interpolated_constraints())
      constraint_step_ = &part_constraints_.emplace(*step);
    size_t kept = 0;
    while (kept < events_.size() && events_[kept].t <= now_.state.t) ++kept;
    events_ = events_.first(kept);
  }

  /// Of adaptive schemes: the state before a jump, and what lies between the ends of the step, by dense output: samples that are due,
  /// and events.
  void record_within_step(StepReport& report) {
    if (adaptive_ == nullptr) return;
    taken_.setZero(now_.impulses.size());
    const auto jump = [](const Event& event) { return event.impulse.size() > 0; };
    const bool jumps = std::any_of(events_.begin(), events_.end(), jump);
    if (jumps && !sampled_) {
      record(before_);
      sampled_ = true;
      now_.impulses.setZero();
      now_.since.restart();
      constraints_.restart(before_.state.t, nullptr, now_.constraints);
    }
    double t = next_within(before_.state.t, now_.state.t);
    // The limit of impacts that accumulate is none: it comes without a jump.
    const auto jump_at_end = [&](const Event& event) {
      return jump(event) && event.kind == EventKind::kImpact && event.t >= now_.state.t;
    };
    const bool jumps_at_end = before_.state.t < now_.state.t && std::any_of(events_.begin(), events_.end(), jump_at_end);
    if (!(t < now_.state.t) && !jumps_at_end) return;
    end_ = now_.state;
    for (; t < end_.t && report.ok(); t = next_within(t, end_.t)) record_within_step(t, report);
    if (jumps_at_end && report.ok()) record_within_step(end_.t, report);
    now_.ledger = before_.ledger;
    now_.state = end_;
  }

  /// One of them; at the end of the step the state before a jump there.
  void record_within_step(double t, StepReport& report) {
    if (t >= sample_times_.next()) sample_times_.advance();
    const StepReport part = adaptive_->interpolate(t, now_.state);
    if (!part.ok()) {
      report.status = part.status;
      report.culprit = part.culprit;
      return;
    }
    evaluate_state();
    penetration_.look(now_.gaps, now_.state.q);
    now_.ledger = before_.ledger;
    now_.ledger.book(part, now_.energies);
    add_first_part();
    record_sample();
  }

  /// The first time after t that needs a sample, or `end`.
  [[nodiscard]] double next_within(double t, double end) const {
    double next = std::min(end, sample_times_.next());
    for (const Event& event : events_) {
      if (event.t > t) next = std::min(next, event.t);
    }
    return next;
  }

  /// Adds the impulses of this step until the state that was interpolated last, as far as they are in no sample yet.
  void add_first_part() {
    if (const LawStep* laws = adaptive_->interpolated_laws()) {
      now_.impulses += laws->impulse - taken_;
      taken_ = laws->impulse;
    }
    if (const ConstraintStep* step = adaptive_->interpolated_constraints())
      constraints_.book_first_part(*step, now_.constraints);
  }

  /// At the end of the last step, or at the start.
  [[nodiscard]] bool sample_is_due() {
    if (adaptive_ == nullptr) return schedule_.due(grid_);
    if (sample_times_.next() > now_.state.t) return false;
    sample_times_.advance();
    return true;
  }

  void book(const StepReport& report) {
    const LawStep& laws = *laws_;
    const double work_before = now_.ledger.work_done;
    now_.ledger.book(report, now_.energies);
    if (!unseen_) add_step(report, now_);
    if (adaptive_ != nullptr) now_.impulses -= taken_;
    for (int k = 0; k < laws.size(); ++k) summary_.lost_by_law[laws.law[static_cast<size_t>(k)]] += laws.lost[k];
    summary_.halved_steps += report.halvings > 0 ? 1 : 0;
    summary_.inexact_steps += report.inexact ? 1 : 0;
    summary_.ambiguous_steps += report.ambiguous > 0 ? 1 : 0;
    constraints_.book(now_.state, *constraint_step_, now_.constraints);
    tunnel_.look(now_.state.t, now_.state.t - before_.state.t, now_.state.u);
    energy_.book(report, laws, now_.ledger.work_done - work_before);
    largest_kinetic_ = std::max(largest_kinetic_, now_.energies.kinetic);
    if (recorder_ != nullptr)
      recorder_->add_step(now_.state.t, report, now_.ledger.final, now_.ledger.work_done - work_before);
  }

  /// To what the sample to come sums up, for each law of the system over all that obey it.
  void add_step(const StepReport& report, Sample& sample) {
    const LawStep& laws = *laws_;
    sample.since.add(report, integrator_->last_trace(), before_.state.u);
    for (int k = 0; k < laws.size(); ++k) {
      const auto at = static_cast<size_t>(k);
      const int rows = laws.rows(k), to = first_row_[static_cast<size_t>(laws.law[at])];
      for (int row = 0; row < rows; ++row) sample.impulses[to + row] += laws.impulse[laws.first_row[at] + row];
      if (adaptive_ != nullptr) continue;
      for (int row = 0; row < rows; ++row) sample.since.impact[to + row] += laws.impact[laws.first_row[at] + row];
      sample.since.acted[laws.law[at]] += laws.acted[k];
    }
    sample.since.impacts += laws.impacts;
    sample.contacts.add(laws, system_.laws());
  }

  /// The step alone, as a sample of it would be.
  void show_step(const StepReport& report) {
    begin_shown_step();
    add_step(report, step_);
    if (event_watch_.found().empty()) {
      hooks_.on_step(step_, events_);
      return;
    }
    std::vector<Event> events(events_.begin(), events_.end());
    for (const int k : event_watch_.found()) events.push_back(describe_own_event(k));
    hooks_.on_step(step_, events);
  }

  void begin_shown_step() {
    step_.state = now_.state;
    step_.energies = now_.energies;
    step_.ledger = now_.ledger;
    step_.gaps = now_.gaps;
    step_.impulses.setZero(rows_);
    if (step_.since.u_start.size() != now_.since.u_start.size()) step_.since = now_.since;
    step_.since.restart();
    step_.contacts.clear();
  }

  bool count_impacts() {
    bool any = false;
    impacts_.count(*laws_, largest_kinetic_, [&](int k) {
      any = true;
      add_impact(k, now_.state.t);
    });
    return any;
  }

  /// Of the k-th law of the last step, at a time in it.
  void add_impact(int k, double t) {
    const int law = laws_->law[static_cast<size_t>(k)];
    ++summary_.impacts;
    ++summary_.impacts_by_law[static_cast<size_t>(law)];
    const Impact impact{t, law, laws_->closing_speed[k], laws_->lost[k]};
    if (hooks_.on_impact) hooks_.on_impact(impact);
    if (recorder_ == nullptr) return;
    recorder_->add_impact(
        impact, {laws_->impulse.data() + laws_->first_row[static_cast<size_t>(k)], static_cast<size_t>(laws_->rows(k))});
  }

  /// Counts and records the events of the step; true if there is one at its end.
  bool book_events() {
    bool at_end = false;
    for (const Event& event : events_) {
      ++summary_.events[event.kind];
      if (recorder_ != nullptr) recorder_->add_event(event);
      at_end = at_end || event.t >= now_.state.t;
      if (event.kind == EventKind::kImpact)
        impacts_.count(event, *laws_, largest_kinetic_, [&](int law) { add_impact(law, event.t); });
    }
    return at_end;
  }

  /// Jumps take no time. One that follows another without end is a failure of the integrator.
  bool time_goes_on(double begin, std::int64_t number) {
    constexpr int kMostAtOnce = 10'000;
    standing_ = now_.state.t == begin ? standing_ + 1 : 0;
    if (standing_ < kMostAtOnce) return true;
    fail(number, fmt::format("{} steps did not advance the time", kMostAtOnce));
    return false;
  }

  void evaluate_state() {
    evaluator_->set_state(now_.state.t, now_.state.q, now_.state.u);
    now_.energies = evaluator_->evaluate_energies();
    evaluator_->find_laws(options_.integrator_options.closed_tolerance, list_);
    now_.gaps.setConstant(kInfinity);
    for (int k = 0; k < list_.size(); ++k) {
      double& smallest = now_.gaps[list_.law[static_cast<size_t>(k)]];
      smallest = std::min(smallest, list_.gap[k]);
    }
  }

  void fail(std::int64_t number, const std::string& reason) {
    summary_.status = RunStatus::kFailed;
    ++summary_.failed_steps;
    summary_.message = fmt::format("step {} from t = {:.9g} failed: {}", number, before_.state.t, reason);
    failure_ = reason;
    std::swap(before_.contacts, now_.contacts);  // to which nothing was added
    now_ = before_;
  }

  [[nodiscard]] bool keeps_contacts_by_velocities() const {
    const IntegratorInfo* info = find_integrator(options_.integrator);
    return info != nullptr && info->keeps_contacts_by_velocities;
  }

  void warn() {
    summary_.warnings = integrator_->warnings();
    energy_.warn(summary_.energy, options_, static_cast<double>(summary_.steps), summary_.warnings);
    constexpr double kStepsOfPushOut = 9.0;  // half a depth goes every four steps: eight steps' sinking stays
    const bool pushes = keeps_contacts_by_velocities() && options_.integrator_options.project_contacts;
    const bool bare = keeps_contacts_by_velocities() && !pushes;
    penetration_.warn(pushes ? kStepsOfPushOut : 1.0,
                      adaptive_ != nullptr ? "take a smaller tolerance"
                      : bare               ? "project_contacts = true in [run] pushes it out"
                                           : "take a smaller dt",
                      summary_.warnings);
    tunnel_.warn(summary_.warnings);
    constraints_.warn(summary_.warnings);
    event_watch_.warn(summary_.warnings);
  }

  void record_sample() {
    sampled_ = true;
    if (unseen_) return;
    record(now_);
    now_.impulses.setZero();
    now_.since.restart();
    now_.contacts.clear();
    constraints_.restart(now_.state.t, nullptr, now_.constraints);
  }

  void record(Sample& sample) {
    constraints_.complete(sample);
    if (recorder_ == nullptr && !hooks_.on_sample) return;
    observer_.evaluate_quantities(sample.state, sample.quantities);
    drawer_.evaluate_quantities(sample.state, sample.drawing);
    if (recorder_ != nullptr) recorder_->add_sample(sample);
    if (hooks_.on_sample) hooks_.on_sample(sample);
  }

  const System& system_;
  const RunOptions& options_;
  const RunHooks& hooks_;
  RunRecorder* recorder_;
  double t0_;           // s   steps are at t0 + n dt
  double fingerprint_;  // of the options, for checkpoints
  std::int64_t steps_;  // in all; adaptive schemes do not know, nor runs that are stepped
  bool stepped_;
  std::unique_ptr<Integrator> integrator_;
  AdaptiveIntegrator* adaptive_;  // the same, or nullptr
  bool unseen_;                   // nobody looks at samples or steps: what only they need is left out
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<HiddenPulses> pulses_;  // of adaptive schemes
  ImpactCounter impacts_;
  EnergyWatch energy_;
  ResidualSpread residuals_;
  PenetrationWatch penetration_;
  TunnelWatch tunnel_;
  ConstraintWatch constraints_;
  SampleSchedule schedule_;
  SampleTimes sample_times_;  // of adaptive schemes
  ObservablesEvaluator observer_, drawer_;
  StopWatch stop_watch_;
  EventWatch event_watch_;
  LawList list_;                // of the laws at `now_`
  std::vector<int> first_row_;  // of each law of the system, and
  int rows_ = 0;                // the number of them
  Sample now_, before_;         // at the end of the last step, and of the one before
  Sample step_;                 // the last step alone, for those who want to see it
  State end_;                   // of a step, while samples within it are taken
  // Of the last step, or of the part of it that leads to the end of the run.
  const LawStep* laws_;
  const ConstraintStep* constraint_step_;
  std::span<const Event> events_;
  std::optional<LawStep> part_laws_;
  std::optional<ConstraintStep> part_constraints_;
  Eigen::VectorXd taken_;                // N s  impulses of the step that are in samples within it
  std::int64_t grid_ = 0;                // steps of dt, of schemes that take such
  std::int64_t grid_start_ = 0;          // of them those at the time t0_
  std::optional<double> wanted_length_;  // s   of the next step, where somebody asks for one
  StepReport last_report_;               // of a run that is stepped
  std::string failure_;                  // of the last step
  NamedArrays fresh_memory_;             // of the integrator before the first step, likewise
  bool within_grid_ = false;             // the last step ended at an event, within one of them
  int standing_ = 0;                     // steps without length, one after another
  bool sampled_ = false;                 // whether `now_` is recorded
  RunSummary summary_;
  double largest_kinetic_ = 0.0;
  double wall_time_before_ = 0.0;  // s  before the run was resumed
  Clock::time_point begin_ = Clock::now();
};

}  // namespace simulation

RunSummary simulate(const System& system, const State& start, const RunOptions& options, const RunHooks& hooks) {
  assert(find_integrator(options.integrator) != nullptr);
  return simulate_with(find_integrator(options.integrator)->make(system, options.integrator_options), system, start, options,
                       hooks);
}

RunSummary simulate_with(std::unique_ptr<Integrator> integrator, const System& system, const State& start,
                         const RunOptions& options, const RunHooks& hooks) {
  assert(options.invalid(start.t).key.empty());
  return simulation::Run(std::move(integrator), system, start, options, hooks).go();
}

struct SteppedRun::Body {
  Body(const System& system, const State& start, RunOptions given, RunRecorder* recorder)
      : options(std::move(given)),
        span(options.until - start.t),
        hooks{.recorder = recorder},
        run(find_integrator(options.integrator)->make(system, options.integrator_options), system, start, options, hooks,
            true) {}
  /// Adaptive schemes end a step at the end of the run; then it goes on as long again.
  void go_on() {
    if (run.state().t >= options.until) options.until = run.state().t + span;
  }

  RunOptions options;
  double span;  // s
  RunHooks hooks;
  simulation::Run run;
  Eigen::VectorXd impulses;  // of the last step
};

SteppedRun::SteppedRun(const System& system, const State& start, RunOptions options, RunRecorder* recorder)
    : body_(std::make_unique<Body>(system, start, std::move(options), recorder)) {
  body_->impulses = body_->run.integrator().last_laws().impulse;
}
SteppedRun::~SteppedRun() = default;

SteppedRun::Made SteppedRun::step(std::optional<double> dt) {
  Made made;
  made.failure = body_->run.step(dt, made.report);
  body_->impulses = body_->run.integrator().last_laws().impulse;
  body_->go_on();
  return made;
}

bool SteppedRun::move_to(const State& state, bool remembers) {
  const bool possible = body_->run.move_to(state, remembers);
  body_->go_on();
  return possible;
}

const State& SteppedRun::state() const {
  return body_->run.state();
}
const Energies& SteppedRun::energies() const {
  return body_->run.energies();
}
const Eigen::VectorXd& SteppedRun::gaps() const {
  return body_->run.gaps();
}
const Eigen::VectorXd& SteppedRun::impulses() const {
  return body_->impulses;
}
const std::vector<std::string>& SteppedRun::warnings() const {
  return body_->run.integrator().warnings();
}
RunSummary SteppedRun::summary(RunRecorder* recorder) {
  return body_->run.summary_so_far(recorder);
}

Checkpoint SteppedRun::checkpoint() {
  Checkpoint checkpoint = body_->run.checkpoint_of_steps();
  checkpoint.arrays.add("stepped.impulses", {body_->impulses.begin(), body_->impulses.end()});
  checkpoint.arrays.add("stepped.until", {body_->options.until});
  return checkpoint;
}

void SteppedRun::restore(const Checkpoint& checkpoint) {
  body_->run.restore_steps(checkpoint);
  const std::vector<double>& impulses = checkpoint.arrays.at("stepped.impulses");
  body_->impulses = Eigen::Map<const Eigen::VectorXd>(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
  body_->options.until = checkpoint.arrays.at("stepped.until").at(0);
}

}  // namespace tippe
