// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/scenes.h"

namespace tippe::test {

/// One character for each law: o open, c closed, s stick, +, -, ~ slide in a plane.
inline std::string letters(const std::vector<ContactMode>& modes) {
  std::string text;
  for (const ContactMode mode : modes) text += "ocs+-~"[static_cast<int>(mode)];
  return text;
}

/// An instant at which something happened: its events in their order, and the state after them.
struct EventInstant {
  std::vector<Event> events;
  State state;

  [[nodiscard]] double t() const { return events.front().t; }
  [[nodiscard]] EventKind kind() const { return events.front().kind; }
  [[nodiscard]] std::string before() const { return letters(events.front().before); }
  [[nodiscard]] std::string after() const { return letters(events.back().after); }
  [[nodiscard]] double lost() const {
    double sum = 0.0;
    for (const Event& event : events) sum += event.lost;
    return sum;
  }
};

/// An event-driven run, step by step.
struct EventRun {
  std::vector<EventInstant> instants;  // without the first mode
  std::string start;                   // the first mode
  State end;
  EnergyLedger energy;
  double deepest = 0.0;  // m   largest -gap at the end of a step and at nine places within
  double residual = 0.0;
  int steps = 0;

  [[nodiscard]] std::vector<EventInstant> of(EventKind kind) const {
    std::vector<EventInstant> some;
    for (const EventInstant& instant : instants)
      if (instant.kind() == kind) some.push_back(instant);
    return some;
  }
  /// For messages.
  [[nodiscard]] std::string list() const {
    std::string text = "start " + start + "\n";
    for (const EventInstant& instant : instants) {
      for (const Event& event : instant.events) {
        text += fmt::format("{:.15g} {} {} -> {} lost {:.12g} {}\n", event.t, name_of(event.kind), letters(event.before),
                            letters(event.after), event.lost, event.note);
      }
    }
    return text;
  }
};

/// Events closer than this are at one instant: round-off of the time.
inline double one_instant(double t) {
  return 1e-13 * std::max(1.0, std::abs(t));
}

inline EventRun run_events(const Scene& scene, double tolerance = 1e-13) {
  IntegratorOptions options = scene.run.integrator_options;
  options.tolerance = tolerance;
  const auto integrator = find_integrator("event-driven")->make(*scene.system, options);
  const auto evaluator = scene.system->make_evaluator();
  EventRun run;
  State state = scene.start, within;
  Eigen::VectorXd gaps = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(scene.system->laws().size()));
  const auto look_at_gaps = [&](const State& at) {
    evaluator->set_state(at.t, at.q, at.u);
    gaps = gaps_of(*evaluator);
    if (gaps.size() > 0) run.deepest = std::max(run.deepest, -gaps.minCoeff());
  };
  evaluator->set_state(state.t, state.q, state.u);
  run.energy.start(evaluator->evaluate_energies());
  const double end = scene.run.until;
  while (state.t < end && run.steps < 1000000) {
    const double begin = state.t, wish = integrator->adaptive()->proposed_step();
    const double dt = wish > 0.0 ? wish : scene.run.dt;
    const StepReport report = integrator->step(state, std::min(dt, end - state.t));
    ++run.steps;
    EXPECT_TRUE(report.ok()) << describe_failure(*scene.system, report, state) << "\n" << run.list();
    if (!report.ok()) break;
    if (dt >= end - begin && state.t > begin && end - state.t <= one_instant(end)) state.t = end;
    run.residual = std::max(run.residual, report.residual);
    for (int k = 1; state.t > begin && k < 10; ++k) {
      EXPECT_TRUE(integrator->adaptive()->interpolate(begin + 0.1 * k * (state.t - begin), within).ok());
      look_at_gaps(within);
    }
    look_at_gaps(state);
    evaluator->set_state(state.t, state.q, state.u);
    run.energy.book(report, evaluator->evaluate_energies());
    for (const Event& event : integrator->last_events()) {
      if (event.kind == EventKind::kStart) {
        run.start = letters(event.after);
      } else if (!run.instants.empty() && event.t - run.instants.back().t() <= one_instant(event.t)) {
        run.instants.back().events.push_back(event);
        run.instants.back().state = state;
      } else {
        run.instants.push_back({{event}, state});
      }
    }
  }
  run.end = state;
  return run;
}

struct ExpectedEvent {
  double t;
  EventKind kind;
  std::string before, after;
};

/// All of them, in order, and no other.
inline void expect_events(const EventRun& run, const std::vector<ExpectedEvent>& expected, double tolerance) {
  EXPECT_EQ(run.instants.size(), expected.size()) << run.list();
  for (size_t k = 0; k < std::min(run.instants.size(), expected.size()); ++k) {
    const EventInstant& found = run.instants[k];
    EXPECT_NEAR(found.t(), expected[k].t, tolerance * std::max(1.0, expected[k].t)) << k;
    EXPECT_STREQ(name_of(found.kind()), name_of(expected[k].kind)) << expected[k].t;
    EXPECT_EQ(found.before(), expected[k].before) << expected[k].t;
    EXPECT_EQ(found.after(), expected[k].after) << expected[k].t;
  }
}

inline void expect_times(const std::vector<EventInstant>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found[k].t(), expected[k], tolerance * std::max(1.0, expected[k])) << k;
}

/// Nothing is lost, won or pushed in unseen.
inline void expect_exact(const EventRun& run) {
  EXPECT_LE(std::abs(run.energy.unexplained()), 1e-11 * run.energy.scale);
  EXPECT_LE(run.deepest, 1e-12);
}

}  // namespace tippe::test
