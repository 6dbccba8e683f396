// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tippe/integrate/integrator.h"

namespace tippe::test {

/// The scene bouncing_ball in closed form, as an integrator that finds events: flights end where the ball touches, impacts are steps
/// without length, and from a given speed on the rest of the impacts is one step to their limit, after which the ball rests.
class ExactBall final : public AdaptiveIntegrator {
 public:
  struct Options {
    double epsilon = 0.5;
    double slowest = 0.1;   // m/s  after an impact with less the others accumulate; 0: they never do
    bool mark_top = false;  // an event within each flight, as if the ball touched something at its top
    bool at_end = false;    // impacts at the ends of flights instead of in steps without length
    bool stuck = false;     // impacts follow each other without end
  };
  static constexpr double kMass = 1.0, kGravity = 9.81;  // kg, m/s^2

  ExactBall(const System& system, const Options& options) : AdaptiveIntegrator(system), options_(options), part_(laws_) {}

  StepReport step(State& state, double dt) override {
    StepReport report;
    laws_.clear();
    events_.clear();
    laws_.speed_scale[0] = std::sqrt(2.0 / kMass);
    begin_ = state;
    phase_at_begin_ = phase_;
    if (!std::exchange(started_, true)) add_event(EventKind::kStart, state.t, {}, ContactMode::kOpen);
    if (phase_ == kImpact) {
      hit(state, report);
    } else if (phase_ == kRest) {
      state.t += dt;
      laws_.impulse[0] = kMass * kGravity * dt;
    } else if (phase_ == kAccumulation && dt >= time_to_rest(state)) {
      come_to_rest(state, report);
    } else {
      fly(state, dt);
      if (options_.at_end && phase_ == kImpact) hit(state, report);
    }
    return report;
  }

  [[nodiscard]] double proposed_step() const override { return started_ ? 10.0 : 0.0; }

  StepReport interpolate(double t, State& state) override {
    StepReport report;
    double rest = t - begin_.t;
    state = begin_;
    state.t = t;
    part_.clear();
    if (phase_at_begin_ == kRest) {
      part_.impulse[0] = kMass * kGravity * rest;
      return report;
    }
    // Within an accumulation the ball bounces as ever.
    for (double flight = flight_time(state); phase_at_begin_ == kAccumulation && rest > flight && flight > 0.0;
         flight = flight_time(state)) {
      rest -= flight;
      state.q[0] = 0.0;
      const double closing = kGravity * flight - state.u[0];
      state.u[0] = options_.epsilon * closing;
      part_.impulse[0] += kMass * (1.0 + options_.epsilon) * closing;
      report.lost_in_contacts += lost(closing);
    }
    state.q[0] += rest * (state.u[0] - 0.5 * kGravity * rest);
    state.u[0] -= kGravity * rest;
    return report;
  }
  [[nodiscard]] const LawStep* interpolated_laws() const override { return &part_; }

  void save_memory(NamedArrays& memory) const override {
    memory.begin_array("ball").assign({static_cast<double>(phase_), started_ ? 1.0 : 0.0});
  }
  void restore_memory(const NamedArrays& memory) override {
    const std::span<const double> ball = memory.at("ball", 2);
    phase_ = static_cast<Phase>(ball[0]);
    started_ = ball[1] != 0.0;
  }

 private:
  enum Phase { kFlight, kImpact, kAccumulation, kRest };

  Event& add_event(EventKind kind, double t, std::vector<int> laws, ContactMode after) {
    Event event;
    event.t = t;
    event.kind = kind;
    event.laws = std::move(laws);
    event.before = {ContactMode::kOpen};
    event.after = {after};
    return events_.emplace_back(std::move(event));
  }

  [[nodiscard]] static double flight_time(const State& state) {
    return (state.u[0] + std::sqrt(state.u[0] * state.u[0] + 2.0 * kGravity * state.q[0])) / kGravity;
  }
  [[nodiscard]] double lost(double closing) const {
    return 0.5 * kMass * closing * closing * (1.0 - options_.epsilon * options_.epsilon);
  }

  void fly(State& state, double dt) {
    const double fall = flight_time(state), top = state.t + state.u[0] / kGravity;
    const bool lands = fall <= dt;
    const double duration = lands ? fall : dt;
    if (options_.mark_top && top > state.t && top < state.t + duration)
      add_event(EventKind::kTouch, top, {0}, ContactMode::kOpen).note = "at the top";
    state.q[0] = lands ? 0.0 : state.q[0] + dt * (state.u[0] - 0.5 * kGravity * dt);
    state.u[0] -= kGravity * duration;
    state.t += duration;
    if (lands) phase_ = kImpact;
  }

  void hit(State& state, StepReport& report) {
    const double closing = -state.u[0], epsilon = options_.epsilon;
    laws_.closing_speed[0] = closing;
    laws_.impulse[0] = kMass * (1.0 + epsilon) * closing;
    laws_.lost[0] = report.lost_in_contacts = lost(closing);
    if (options_.stuck) return;
    Event& event = add_event(EventKind::kImpact, state.t, {0}, ContactMode::kOpen);
    event.impulse = laws_.impulse;
    event.lost = laws_.lost[0];
    event.alternatives = 0;
    state.u[0] = epsilon * closing;
    phase_ = state.u[0] < options_.slowest ? kAccumulation : kFlight;
  }

  /// The flights take 2 u/g, epsilon 2 u/g, ...
  [[nodiscard]] double time_to_rest(const State& state) const {
    return 2.0 * state.u[0] / kGravity / (1.0 - options_.epsilon);
  }

  void come_to_rest(State& state, StepReport& report) {
    const double duration = time_to_rest(state), speed = state.u[0];
    laws_.impulse[0] = kMass * (kGravity * duration - speed);
    laws_.lost[0] = report.lost_in_contacts = 0.5 * kMass * speed * speed;
    state.t += duration;
    state.u[0] = state.q[0] = 0.0;
    phase_ = kRest;
    Event& event = add_event(EventKind::kAccumulation, state.t, {0}, ContactMode::kClosed);
    event.impulse = laws_.impulse;
    event.lost = laws_.lost[0];
    event.note = "infinitely many impacts";
  }

  Options options_;
  LawStep part_;
  Phase phase_ = kFlight, phase_at_begin_ = kFlight;
  bool started_ = false;
  State begin_;
};

}  // namespace tippe::test
