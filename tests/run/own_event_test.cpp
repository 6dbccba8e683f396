// SPDX-License-Identifier: Apache-2.0
// [[event]]: where they are, what they do, and that a run can be resumed over them.
#include <cmath>

#include "support/same_run.h"
#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/model/lagrangian_builder.h"
#include "tippe/run/crossing.h"
#include "tippe/verify/verify.h"

namespace tippe::run_own_event_test {

std::vector<double> crossings(const std::function<double(double)>& value, double begin, double end, int side, bool rising,
                              bool falling) {
  std::vector<double> found;
  while (const auto next = find_crossing(value, {begin, end, side, 0.0, rising, falling, 1e-14})) {
    found.push_back(next->late);
    begin = next->late;
    side = value(begin) > 0.0 ? 1 : -1;
  }
  return found;
}

TEST(Crossing, FindsAllZerosOfASine) {
  const auto sine = [](double t) { return std::sin(30.0 * t); };
  const std::vector<double> all = crossings(sine, 0.05, 2.0, 1, true, true);
  ASSERT_EQ(all.size(), 19u);
  for (size_t k = 0; k < all.size(); ++k) EXPECT_NEAR(all[k], (static_cast<double>(k) + 1.0) * M_PI / 30.0, 1e-14);
  EXPECT_EQ(crossings(sine, 0.05, 2.0, 1, true, false).size(), 9u);
  EXPECT_EQ(crossings(sine, 0.05, 2.0, 1, false, true).size(), 10u);
}

// Two zeros 2e-4 apart in an interval of length 1, a touch that is no crossing, a jump, and a kink.
TEST(Crossing, FindsWhatSignsAtTheEndsDoNotShow) {
  const auto dip = [](double t) { return (t - 0.37) * (t - 0.37) - 1e-8; };
  EXPECT_EQ(crossings(dip, 0.0, 1.0, 1, true, true).size(), 2u);
  EXPECT_TRUE(crossings([](double t) { return (t - 0.37) * (t - 0.37); }, 0.0, 1.0, 1, true, true).empty());
  const std::vector<double> jump = crossings([](double t) { return t < 0.61 ? -1.0 : 1.0; }, 0.0, 1.0, -1, true, false);
  ASSERT_EQ(jump.size(), 1u);
  EXPECT_NEAR(jump[0], 0.61, 1e-14);
  EXPECT_EQ(crossings([](double t) { return std::abs(t - 0.5) - 0.1; }, 0.0, 1.0, 1, true, true).size(), 2u);
}

/// A particle of mass 1 in one or two coordinates.
struct Particle {
  std::vector<std::string> coordinates;
  std::string potential;
  std::string tables;   // events and contacts
  std::string initial;  // lines of [initial]
  std::string run;      // lines of [run]

  [[nodiscard]] std::string text() const {
    std::string names, squares;
    for (const std::string& x : coordinates) {
      names += (names.empty() ? "\"" : ", \"") + x + "\"";
      squares += (squares.empty() ? "" : " + ") + x + "'^2";
    }
    return "tippe = 1\n[lagrangian]\ncoordinates = [" + names + "]\nkinetic = \"0.5*(" + squares + ")\"\n" +
           (potential.empty() ? "" : "potential = \"" + potential + "\"\n") + tables +
           (initial.empty() ? "" : "[initial]\n" + initial + "\n") + "[run]\n" + run + "\n";
  }
};

std::string event(const std::string& name, const std::string& when, const std::string& more = "") {
  return "[[event]]\nname = \"" + name + "\"\nwhen = \"" + when + "\"\n" + more + (more.empty() ? "" : "\n");
}

/// A floor that acts only at times, below a ball in g = 10 whose bounces halve its speed.
std::string ball_over_floor(const std::string& active_when, const std::string& initial, const std::string& run) {
  const std::string active = active_when.empty() ? "" : "active_when = \"" + active_when + "\"\n";
  return Particle{{"y"}, "10*y", "[[contact]]\nname = \"floor\"\ngap = \"y\"\nrestitution = 0.5\n" + active, initial, run}
      .text();
}

const std::string kBall =
    Particle{{"y"},
             "10*y",
             event("floor", "y", "reset = { \"y'\" = \"-0.8*y'\" }") + event("top", "y'", "direction = \"falling\""),
             "y = 1",
             "dt = 0.01\nuntil = 3"}
        .text();

Scene read(const std::string& text, const std::string& integrator) {
  return read_scene(text, "event.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
}

struct Recorded {
  RunSummary summary;
  RecordedRun recorded;
};

Recorded record(const Scene& scene) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.h5";
  Recording recording(path, *scene.system, scene.origin, scene.run, scene.start.t);
  RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  return {std::move(summary), read_recording(path)};
}

std::vector<double> times_of(const RecordedRun& run, const std::string& name) {
  std::vector<double> times;
  for (const Event& event : run.events) {
    if (event.kind == EventKind::kOwn && event.note == name) times.push_back(event.t);
  }
  return times;
}

/// When a ball that falls from 1 m in g = 10 touches the floor; it keeps 0.8 of its speed.
std::vector<double> bounces(double until) {
  std::vector<double> times;
  double v = std::sqrt(20.0);
  for (double t = v / 10.0; t < until; v *= 0.8, t += 2.0 * v / 10.0) times.push_back(t);
  return times;
}

void expect_obeys(const Scene& scene, const Recorded& run) {
  const verify::Verdict verdict = verify::verify_run(run.recorded, run.summary);
  EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  verify::RunWatch watch(scene);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  const verify::Verdict watched = watch.finish(summary);
  EXPECT_TRUE(watched.obeys()) << verdict_text(watched);
}

class OwnEvents : public testing::TestWithParam<const char*> {};

// Free fall is a parabola: schemes of second order have it exactly, dopri5 within its tolerance, and moreau sums its positions.
TEST_P(OwnEvents, ABallThatIsResetOnTheFloorBouncesWhenItShould) {
  const Scene scene = read(kBall, GetParam());
  const Recorded run = record(scene);
  const std::vector<double> expected = bounces(3.0), found = times_of(run.recorded, "floor");
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9) << k;
  ASSERT_EQ(run.summary.own_events.size(), 2u);
  EXPECT_EQ(run.summary.own_events[0].name, "floor");
  EXPECT_EQ(run.summary.own_events[0].count, 6);
  EXPECT_EQ(run.summary.own_events[1].count, 6);  // one after each bounce until 3 s, where the last flight is past its top
  // m g h is left of it: all else was taken by the resets.
  double work = 0.0;
  for (size_t k = 0; k < found.size(); ++k) work -= 10.0 * std::pow(0.64, static_cast<double>(k)) * 0.36;
  EXPECT_NEAR(run.summary.energy.work_done, work, 1e-7);
  EXPECT_LT(std::abs(run.summary.energy.unexplained()), 1e-7);
  expect_obeys(scene, run);
}

INSTANTIATE_TEST_SUITE_P(Schemes, OwnEvents,
                         testing::Values("event-driven", "dopri5", "rk4", "moreau", "moreau-jean", "conserving",
                                         "consistent-2"),
                         [](const auto& scheme) {
                           std::string name = scheme.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// x'' = -x, and half of the speed is taken whenever x passes zero: the order of the scheme is kept, as the step is cut at the zero.
TEST(OwnEventOrder, IsThatOfTheScheme) {
  const std::string text =
      Particle{{"x"}, "0.5*x^2", event("brake", "x", "reset = { \"x'\" = \"0.5*x'\" }"), "x = 1", "dt = 0.1\nuntil = 6"}
          .text();
  const double exact = 0.25 * std::sin(6.0 - 1.5 * M_PI);
  const auto error = [&](const std::string& integrator, double dt) {
    Scene scene = read(text, integrator);
    scene.run.dt = dt;
    const RunSummary summary = test::run(scene);
    EXPECT_EQ(summary.own_events[0].count, 2);
    return std::abs(summary.final_state.q[0] - exact);
  };
  EXPECT_NEAR(std::log2(error("rk4", 0.1) / error("rk4", 0.05)), 4.0, 0.3);
  EXPECT_NEAR(std::log2(error("moreau", 0.1) / error("moreau", 0.05)), 2.0, 0.3);
  EXPECT_NEAR(std::log2(error("conserving", 0.1) / error("conserving", 0.05)), 2.0, 0.3);
  EXPECT_LT(error("event-driven", 0.1), 1e-11);
  EXPECT_LT(error("dopri5", 0.1), 1e-8);
}

const std::string kKicked =
    Particle{{"x", "y"},
             "10*y",
             "[[contact]]\nname = \"floor\"\ngap = \"y\"\nslip = \"x'\"\nfriction = 0.5\n" +
                 event("kick", "t - 1", "reset = { \"x'\" = \"x' + 2\" }") +
                 event("lift", "x - 0.3", "direction = \"rising\"\nreset = { \"y'\" = 1, \"x'\" = \"x' - 1\" }"),
             "",
             "dt = 0.003\nuntil = 2"}
        .text();

// A block that sticks is kicked with 2 m/s, slows down by mu g = 5 m/s2 to 1 m/s at 0.3 m, where it jumps straight up for 0.2 s.
TEST(OwnEventContact, AKickMakesABlockSlideAndAnotherLiftsIt) {
  for (const char* integrator : {"event-driven", "moreau", "moreau-jean", "consistent-2"}) {
    SCOPED_TRACE(integrator);
    const Scene scene = read(kKicked, integrator);
    const Recorded run = record(scene);
    const bool exact = scene.run.adaptive();
    EXPECT_EQ(run.summary.status, RunStatus::kOk) << run.summary.message;
    ASSERT_EQ(times_of(run.recorded, "kick").size(), 1u);
    EXPECT_NEAR(times_of(run.recorded, "kick")[0], 1.0, 1e-12);
    ASSERT_EQ(times_of(run.recorded, "lift").size(), 1u);
    EXPECT_NEAR(times_of(run.recorded, "lift")[0], 1.2, exact ? 1e-12 : 1e-4);
    EXPECT_NEAR(run.summary.final_state.q[0], 0.3, exact ? 1e-12 : 1e-4);
    EXPECT_NEAR(run.summary.final_state.u[0], 0.0, exact ? 1e-12 : 1e-4);
    EXPECT_EQ(run.summary.impacts, 1);
    EXPECT_NEAR(run.summary.energy.work_done, 2.0 + 0.5 - 0.5, exact ? 1e-12 : 1e-3);
    EXPECT_LT(std::abs(run.summary.energy.unexplained()), exact ? 1e-12 : 2e-2);
    expect_obeys(scene, run);
  }
}

TEST(OwnEventContact, EventDrivenTellsWhatChanges) {
  const Recorded run = record(read(kKicked, "event-driven"));
  std::vector<std::string> kinds;
  for (const Event& event : run.recorded.events) kinds.emplace_back(name_of(event.kind));
  EXPECT_EQ(kinds, (std::vector<std::string>{"start", "event", "stick to slip", "event", "lift-off", "impact"}));
}

TEST(OwnEventStop, EndsTheRunThere) {
  for (const char* integrator : {"event-driven", "rk4"}) {
    std::string text = kBall;
    text.replace(text.find("direction = \"falling\""), 21, "direction = \"falling\"\nstop = true");
    const RunSummary summary = test::run(read(text, integrator));
    ASSERT_TRUE(summary.stopped.has_value());
    EXPECT_EQ(summary.stopped->because, "event top");
    EXPECT_NEAR(summary.stopped->time, std::sqrt(0.2) * 1.8, 1e-10);
    EXPECT_NEAR(summary.final_state.q[0], 0.64, 1e-10);
  }
}

// cos t leaves 1 as a parabola does: it starts there, and comes back at 2 pi.
TEST(OwnEventStart, WhatStartsAtZeroIsNoEvent) {
  const std::string text =
      Particle{{"x"}, "0.5*x^2", event("start", "x - 1") + event("gone", "log(5 - t) - 10"), "x = 1", "dt = 0.01\nuntil = 6"}
          .text();
  for (const char* integrator : {"event-driven", "dopri5", "rk4", "moreau"}) {
    SCOPED_TRACE(integrator);
    const RunSummary summary = test::run(read(text, integrator));
    EXPECT_EQ(summary.own_events[0].count, 0);
    ASSERT_FALSE(summary.warnings.empty());
    EXPECT_TRUE(summary.warnings.back().starts_with("the expression of the event 'gone' is not a number at t = "))
        << summary.warnings.back();
  }
}

// A zero where the run ends has not been passed: a run that goes on from there counts it, once.
TEST(OwnEventEnd, AZeroAtTheEndIsPassedByTheRunThatGoesOn) {
  const std::string text = Particle{{"x"}, "", event("tick", "t - 1"), "\"x'\" = 1", "dt = 0.1\nuntil = 1"}.text();
  for (const char* integrator : {"event-driven", "dopri5", "rk4", "moreau", "conserving", "consistent-2"}) {
    SCOPED_TRACE(integrator);
    Scene scene = read(text, integrator);
    scene.run.every = 0.1;
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "run.h5";
    EXPECT_EQ(test::record(scene, path, 100'000, nullptr).own_events[0].count, 0);
    const RecordedCheckpoint recorded = read_checkpoint(path);
    scene.run.until = 2.0;
    const RunSummary summary = test::record(scene, path, 100'000, &recorded.checkpoint);
    EXPECT_EQ(summary.own_events[0].count, 1);
    const std::vector<double> times = times_of(read_recording(path), "tick");
    ASSERT_EQ(times.size(), 1u);
    EXPECT_NEAR(times[0], 1.0, scene.run.adaptive() ? 1e-12 : 3.1e-6 * scene.run.dt);  // no part of a step is shorter
  }
}

TEST(OwnEventCount, ManyInStepsThatFollowEachOtherAreNoStandstill) {
  const std::string text = Particle{{"x"}, "", event("tick", "sin(pi*t)"), "", "until = 10050.5"}.text();
  const RunSummary summary = test::run(read(text, "dopri5"));
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.own_events[0].count, 10000);
}

// The first reset throws x past the second event, which throws it on.
TEST(OwnEventChain, AJumpMayLeadToAnotherEvent) {
  const std::string text = Particle{{"x"},
                                    "",
                                    event("first", "x - 1", "reset = { \"x\" = \"x + 2\" }") +
                                        event("second", "x - 2", "reset = { \"x\" = \"x + 10\", \"x'\" = \"2*x'\" }"),
                                    "\"x'\" = 1",
                                    "dt = 0.3\nuntil = 2"}
                               .text();
  for (const char* integrator : {"event-driven", "rk4", "moreau"}) {
    const Scene scene = read(text, integrator);
    const Recorded run = record(scene);
    EXPECT_NEAR(run.summary.final_state.q[0], 15.0, 1e-10);
    EXPECT_EQ(run.summary.own_events[0].count, 1);
    EXPECT_EQ(run.summary.own_events[1].count, 1);
    expect_obeys(scene, run);
  }
}

TEST(OwnEventRefused, AJumpThatBreaksAConstraintOrPenetrates) {
  const auto message = [&](const std::string& middle) {
    const std::string start = "y = 1\n\"x'\" = 1", run = "dt = 0.01\nuntil = 1";
    const RunSummary summary = test::run(read(Particle{{"x", "y"}, "10*y", middle, start, run}.text(), "moreau"));
    EXPECT_EQ(summary.status, RunStatus::kFailed);
    return summary.message;
  };
  const std::string level = message("[[bilateral]]\nname = \"level\"\nposition = \"y - 1\"\n" +
                                    event("hop", "x - 0.105", "reset = { \"y'\" = 1 }"));
  EXPECT_NE(level.find("the reset of the event 'hop' breaks the constraint 'level': its velocity is 1"), std::string::npos)
      << level;
  EXPECT_NE(level.find("t = 0.1"), std::string::npos) << level;
  const std::string deep =
      message("[[contact]]\nname = \"floor\"\ngap = \"y\"\n" + event("hop", "x - 0.105", "reset = { y = -0.25 }"));
  EXPECT_NE(deep.find("the reset of the event 'hop' lets the contact 'floor' penetrate by 0.25"), std::string::npos) << deep;
  const std::string turned = message("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n" +
                                     event("turn", "x - 0.105", "reset = { \"b.qw\" = 2 }"));
  EXPECT_NE(turned.find("the reset of the event 'turn' leads to an orientation that is no quaternion of length 1"),
            std::string::npos)
      << turned;
}

// The floor lets go when the ball has bounced off it, and takes hold again when it falls.
TEST(ActiveWhen, AnImpactMayEndIt) {
  const std::string text = ball_over_floor("-y'", "y = 1", "until = 1");
  const RunSummary summary = test::run(read(text, "event-driven"));
  EXPECT_EQ(summary.impacts, 2);
  const double v = 0.25 * std::sqrt(20.0), t = 1.0 - 2.0 * std::sqrt(0.2);
  EXPECT_NEAR(summary.final_state.q[0], v * t - 5.0 * t * t, 1e-12);
}

// It is thrown from below a floor that acts from 0.1 s on, while the ball is still below it: the floor waits until the ball has passed it at 0.2 s, and
// the ball hits it at 0.8 s.
TEST(ActiveWhen, AContactWaitsUntilItsGapWasPositive) {
  const std::string text = ball_over_floor("min(t - 0.1, 0.9 - t)", "y = -0.8\n\"y'\" = 5", "dt = 1e-3\nuntil = 2");
  for (const char* integrator : {"event-driven", "moreau", "moreau-jean", "consistent-2"}) {
    SCOPED_TRACE(integrator);
    const Scene scene = read(text, integrator);
    const Recorded run = record(scene);
    const bool exact = scene.run.adaptive();
    const double dt = exact ? 1e-13 : 2e-3;
    EXPECT_EQ(run.summary.impacts, 1);
    ASSERT_EQ(times_of(run.recorded, "floor acts").size(), 1u);
    EXPECT_NEAR(times_of(run.recorded, "floor acts")[0], 0.2, 1e-4);
    ASSERT_EQ(times_of(run.recorded, "floor acts no more").size(), 1u);
    EXPECT_NEAR(times_of(run.recorded, "floor acts no more")[0], 0.9, exact ? 1e-13 : 1e-8);  // no part of a step is tiny
    // It bounces with 1.5 m/s at 0.8 s, and falls through at 1.1 s, when the floor acts no more.
    EXPECT_NEAR(run.summary.final_state.q[0], 1.5 * 1.2 - 5.0 * 1.44, 10.0 * dt);
    expect_obeys(scene, run);
  }
}

// From rest at 1 m it falls 0.447 s, bounces half as fast, and falls again for as long: the floor acts from the first moment on.
TEST(ActiveWhen, AnExpressionThatStartsAtZeroCountsFromThereOn) {
  const std::string text = ball_over_floor("t", "y = 1", "dt = 1e-3\nuntil = 1");
  for (const char* integrator : {"event-driven", "moreau", "moreau-jean"}) {
    SCOPED_TRACE(integrator);
    const Scene scene = read(text, integrator);
    const Recorded run = record(scene);
    EXPECT_EQ(run.summary.impacts, 2);
    EXPECT_EQ(times_of(run.recorded, "floor acts").size(), 1u);
    EXPECT_EQ(times_of(run.recorded, "floor acts no more").size(), 0u);
    const double v = 0.25 * std::sqrt(20.0), t = 1.0 - 2.0 * std::sqrt(0.2);
    EXPECT_NEAR(run.summary.final_state.q[0], v * t - 5.0 * t * t, scene.run.adaptive() ? 1e-12 : 0.02);
    expect_obeys(scene, run);
  }
}

// It is thrown from 1 mm above the floor, and steps of the schemes end 5 cm below: the depth is no matter of where it starts.
TEST(ActiveWhen, AContactThatStartsNearlyClosedIsAsDeepAsItIs) {
  const auto text = [](const std::string& active_when) {
    return ball_over_floor(active_when, "y = 1e-3\n\"y'\" = 5", "dt = 1e-2\nuntil = 1.5");
  };
  for (const char* integrator : {"event-driven", "moreau", "moreau-jean", "consistent-2"}) {
    SCOPED_TRACE(integrator);
    const RunSummary with = test::run(read(text("1"), integrator));
    EXPECT_EQ(with.impacts, 1);
    EXPECT_NEAR(with.final_state.q[0], test::run(read(text(""), integrator)).final_state.q[0], 1e-12);
  }
}

TEST(StopAfter, EndsTheRunAtTheImpactOrTheEvent) {
  const auto stopped = [](const std::string& counts, const std::string& integrator) {
    std::string text = kKicked;
    text.insert(text.find("[run]\n") + 6, "stop_after = { " + counts + " }\n");
    const RunSummary summary = test::run(read(text, integrator));
    EXPECT_TRUE(summary.stopped.has_value());
    return summary.stopped.value_or(EarlyStop{});
  };
  EXPECT_EQ(stopped("impacts = 1, kick = 2", "event-driven").because, "stop_after impacts");
  EXPECT_NEAR(stopped("impacts = 1", "event-driven").time, 1.4, 1e-12);  // up with 1 m/s in g = 10 from 1.2 s
  EXPECT_NEAR(stopped("impacts = 1", "moreau").time, 1.4, 0.01);
  EXPECT_EQ(stopped("lift = 1", "moreau").because, "stop_after lift");
  EXPECT_NEAR(stopped("lift = 1", "moreau").time, 1.2, 1e-4);
}

// The same system and events from C++ functions have the same bits.
TEST(OwnEventBuilder, EventsOfFunctionsAreThoseOfAScene) {
  LagrangianBuilder builder({"y"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * (v[0] * v[0]); });
  builder.potential([](const auto& q, auto) { return 10.0 * q[0]; });
  OwnEvent floor, top;
  floor.name = "floor";
  floor.when = builder.express([](const auto& q, const auto&, auto) { return q[0]; });
  floor.resets = {{true, 0, builder.express([](const auto&, const auto& v, auto) { return -0.8 * v[0]; })}};
  top.name = "top";
  top.when = builder.express([](const auto&, const auto& v, auto) { return v[0]; });
  top.direction = OwnEvent::Direction::kFalling;
  const std::unique_ptr<const System> system = builder.build();
  for (const char* integrator : {"event-driven", "moreau"}) {
    SCOPED_TRACE(integrator);
    const Scene scene = read(kBall, integrator);
    RunOptions run;
    run.integrator = integrator;
    run.dt = 0.01;
    run.until = 3.0;
    run.events = tippe::OwnEvents(builder.description(), {floor, top});
    const RunSummary built = simulate(*system, scene.start, run), read = test::run(scene);
    EXPECT_EQ(built.own_events[0].count, 6);
    EXPECT_EQ(built.final_state.q[0], read.final_state.q[0]);
    EXPECT_EQ(built.final_state.u[0], read.final_state.u[0]);
    run.stop_after = {{"floor", 3}};
    const RunSummary stopped = simulate(*system, scene.start, run);
    ASSERT_TRUE(stopped.stopped.has_value());
    EXPECT_EQ(stopped.stopped->because, "stop_after floor");
    EXPECT_NEAR(stopped.stopped->time, bounces(3.0)[2], 1e-9);
  }
}

// Bit for bit: interrupted before, at and after events, within a step that one cuts too.
TEST(OwnEventResume, GoesOnAsIfTheRunHadNotBeenInterrupted) {
  for (const char* integrator : {"event-driven", "dopri5", "moreau", "consistent-2"}) {
    SCOPED_TRACE(integrator);
    Scene scene = read(std::string(integrator) == "dopri5" ? kBall : kKicked, integrator);
    scene.run.every = 0.1;
    scene.run.until = 1.5;
    if (!scene.run.adaptive()) scene.run.dt = 0.03;
    const test::TemporaryFolder folder;
    const auto whole = folder.path() / "whole.h5", parts = folder.path() / "parts.h5";
    const RunSummary all = test::record(scene, whole, 100000, nullptr);
    EXPECT_EQ(all.status, RunStatus::kOk) << all.message;
    for (const std::int64_t step : {1, 3, 34, 35, 42}) {
      if (step >= all.steps) continue;
      EXPECT_EQ(test::record(scene, parts, step, nullptr).status, RunStatus::kInterrupted);
      const RecordedCheckpoint recorded = read_checkpoint(parts);
      EXPECT_EQ(test::record(scene, parts, 100000, &recorded.checkpoint).status, RunStatus::kOk);
      test::expect_same_run(whole, parts);
    }
  }
}

// The judge sees a state that is not what the reset asks for, and an event that is not told.
TEST(OwnEventVerify, FindsAWrongResetAndAMissedEvent) {
  for (const char* integrator : {"event-driven", "moreau"}) {
    const Recorded run = record(read(kBall, integrator));
    Recorded wrong = run;
    const double t = times_of(run.recorded, "floor")[1];
    size_t row = 0;
    while (run.recorded.time[row] != t || run.recorded.time[row - 1] != t) ++row;
    wrong.recorded.u.values[row] *= 1.0 + 1e-8;
    const verify::Verdict changed = verify::verify_run(wrong.recorded, wrong.summary);
    EXPECT_GT(changed.of(verify::Kind::kEvents).violations, 0) << verdict_text(changed);
    EXPECT_EQ(changed.of(verify::Kind::kEvents).law, "floor");
    Recorded missed = run;
    std::erase_if(missed.recorded.events,
                  [&](const Event& event) { return event.note == "top" && event.t > 1.0 && event.t < 2.0; });
    const verify::Verdict silent = verify::verify_run(missed.recorded, missed.summary);
    EXPECT_GT(silent.of(verify::Kind::kEvents).violations, 0) << verdict_text(silent);
  }
}

}  // namespace tippe::run_own_event_test
