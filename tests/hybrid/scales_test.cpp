// SPDX-License-Identifier: Apache-2.0
// Units and clocks are a matter of convention: a motion in nanometres and years, or one that begins at t = 1e9 s, has the events of the same motion in
// metres and seconds.
#include "support/events.h"
#include "tippe/core/error.h"
#include "tippe/core/infinity.h"

namespace tippe::hybrid_scales_test {

using enum EventKind;

/// Exponents of mass, length and time.
struct Dimension {
  int mass = 0, length = 0, time = 0;
};

/// Units by which all numbers of a scene are multiplied.
struct Units {
  double mass = 1.0, length = 1.0, time = 1.0;
  [[nodiscard]] double of(const Dimension& d) const {
    return std::pow(mass, d.mass) * std::pow(length, d.length) * std::pow(time, d.time);
  }
};

constexpr Dimension kMass{1, 0, 0}, kLength{0, 1, 0}, kTime{0, 0, 1}, kSpeed{0, 1, -1}, kGravity{0, 1, -2}, kForce{1, 1, -2};

struct ScalableScene {
  std::string name;
  double until;
  std::vector<std::tuple<std::string, double, Dimension>> parameters;
  std::vector<int> coordinates;  // exponents of length
  std::vector<std::string> more;
};

std::vector<ScalableScene> scalable_scenes() {
  return {
      {"bouncing_ball", 2.0, {{"m", 1.0, kMass}, {"g", 9.81, kGravity}, {"h", 1.0, kLength}}, {1}, {}},
      {"bouncing_ball", 10.0, {{"m", 1.0, kMass}, {"g", 9.81, kGravity}, {"h", 1.0, kLength}}, {1}, {"epsilon=0.9"}},
      {"belt",
       3.0,
       {{"m", 1.0, kMass},
        {"k", 100.0, {1, 0, -2}},
        {"g", 9.81, kGravity},
        {"v", 0.2, kSpeed},
        {"c", 2.0, {1, 0, -1}},
        {"x0", 0.0, kLength}},
       {1, 1},
       {}},
      {"shaken_block",
       2.0,
       {{"m", 2.0, kMass}, {"g", 9.81, kGravity}, {"A", 0.05, kLength}, {"w", 10.0, {0, 0, -1}}},
       {1, 1},
       {}},
      {"painleve_rod",
       2.0,
       {{"m", 3.0, kMass}, {"l", std::sqrt(5.0), kLength}, {"g", 9.81, kGravity}, {"v", 4.0, kSpeed}},
       {1, 1, 0},
       {}},
      {"rocking_block",
       5.0,
       {{"m", 3.0, kMass},
        {"L", 0.4, kLength},
        {"l", 1.2, kLength},
        {"g", 9.81, kGravity},
        {"P", 16.0, kForce},
        {"T", 0.5, kTime}},
       {1, 1, 0},
       {}},
      {"double_pendulum", 3.0, {{"m", 0.2, kMass}, {"l", 0.5, kLength}, {"g", 9.81, kGravity}}, {0, 0}, {}},
  };
}

struct Course {
  std::vector<Event> events;
  RunSummary summary;

  [[nodiscard]] std::string list() const {
    std::string text = summary.message + "\n";
    for (const Event& event : events)
      text += fmt::format("{:.15g} {} {} -> {}\n", event.t, name_of(event.kind), test::letters(event.before),
                          test::letters(event.after));
    return text;
  }
};

Course run_course(const Scene& scene) {
  Course course;
  course.summary = simulate(*scene.system, scene.start, scene.run, {.after_step = [&](const StepView& step) {
    for (const Event& event : step.integrator.last_events()) course.events.push_back(event);
  }});
  EXPECT_EQ(course.summary.status, RunStatus::kOk) << course.list();
  return course;
}

Course run_in(const ScalableScene& given, const Units& units) {
  SceneOverrides overrides;
  overrides.settings = given.more;
  for (const auto& [name, value, dimension] : given.parameters)
    overrides.settings.push_back(fmt::format("{}={:.17g}", name, value * units.of(dimension)));
  overrides.until = fmt::format("{:.17g}", given.until * units.time);
  overrides.integrator = "event-driven";
  overrides.every = fmt::format("{:.17g}", given.until * units.time / 100.0);
  Scene scene = test::load(given.name, overrides);
  const Scene plain = test::load(given.name, {.settings = given.more, .integrator = {}, .dt = {}, .until = {}});
  for (Eigen::Index i = 0; i < scene.start.u.size(); ++i)
    scene.start.u[i] = plain.start.u[i] * std::pow(units.length, given.coordinates[static_cast<size_t>(i)]) / units.time;
  scene.run.integrator_options.tolerance = 1e-12;
  return run_course(scene);
}

// Powers of two change no digit; what is left are roots and logarithms in the choice of steps.
TEST(EventDrivenScales, UnitsChangeNothing) {
  const std::vector<Units> others = {
      {1.0, 1024.0, 1.0},                                                 // mm
      {1.0, 1.0, 1024.0},                                                 // ms
      {std::ldexp(1.0, -30), std::ldexp(1.0, 30), 1.0},                   // nm and 1e9 kg
      {std::ldexp(1.0, 30), std::ldexp(1.0, -40), 1.0},                   // what is 1 m here is 1e-12 there
      {1.0, std::ldexp(1.0, -10), std::ldexp(1.0, -25)},                  // km and years
      {std::ldexp(1.0, -20), std::ldexp(1.0, -20), std::ldexp(1.0, 30)},  // ns
  };
  for (const ScalableScene& scene : scalable_scenes()) {
    const Course expected = run_in(scene, {});
    const State& end = expected.summary.final_state;
    for (const Units& units : others) {
      SCOPED_TRACE(fmt::format("{} in {:.3g} kg, {:.3g} m, {:.3g} s", scene.name, units.mass, units.length, units.time));
      const Course found = run_in(scene, units);
      ASSERT_EQ(found.events.size(), expected.events.size()) << expected.list() << found.list();
      for (size_t k = 0; k < found.events.size(); ++k) {
        EXPECT_NEAR(found.events[k].t / units.time, expected.events[k].t, 1e-11) << k;
        EXPECT_EQ(found.events[k].kind, expected.events[k].kind) << k;
        EXPECT_EQ(found.events[k].after, expected.events[k].after) << k;
      }
      for (size_t i = 0; i < scene.coordinates.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const double length = std::pow(units.length, scene.coordinates[i]);
        EXPECT_NEAR(found.summary.final_state.q[row] / length, end.q[row], 1e-10) << i;
        EXPECT_NEAR(found.summary.final_state.u[row] / length * units.time, end.u[row], 1e-9) << i;
      }
      EXPECT_LE(found.summary.worst_penetration, 1e-12 * units.length);
    }
  }
}

/// The ball of closed form, from the height h at the time t0 on.
Scene ball(double epsilon, double t0, double until) {
  return test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n"
                  "[[contact]]\nname = \"floor\"\ngap = \"y\"\nrestitution = {}\n"
                  "[initial]\ny = 1\nt = {:.17g}\n[run]\nintegrator = \"event-driven\"\nuntil = {:.17g}\n",
                  epsilon, t0, until));
}

// Impacts at t0 (1 + 2 sum_{k<n} epsilon^k); t0 (1 + epsilon)/(1 - epsilon) is the limit. Each step rounds the clock by half a unit in its last place.
TEST(EventDrivenScales, TheClockMayBeginAnywhere) {
  const double fall = std::sqrt(2.0 / 9.81), limit = fall * 1.9 / 0.1;
  for (const double start : {-1e9, 1e6, 2e7, 1e9}) {
    SCOPED_TRACE(start);
    const double ulp = std::nextafter(std::abs(start), kInfinity) - std::abs(start);
    const Course course = run_course(ball(0.9, start, start + 8.0));
    EXPECT_EQ(course.summary.final_state.t, start + 8.0);
    EXPECT_EQ(course.summary.impacts, 26);
    double t = fall;
    int impacts = 0;
    for (const Event& event : course.events) {
      if (event.kind != kImpact) continue;
      EXPECT_NEAR(event.t - start, t, 1e-12 + 0.5 * ulp * (2.0 * impacts + 1.0));
      t += 2.0 * fall * std::pow(0.9, ++impacts);
    }
    Course longer = run_course(ball(0.9, start, start + 20.0));  // through the limit, to rest
    ASSERT_EQ(longer.events.back().kind, kAccumulation);
    EXPECT_EQ(longer.summary.events[kAccumulation], 1);
    EXPECT_NEAR(longer.events.back().t - start, limit, 1e-11 + 0.5 * ulp * static_cast<double>(longer.summary.steps));
    EXPECT_NEAR(longer.summary.energy.lost_in_contacts, 9.81, 1e-8);
    EXPECT_NEAR(longer.summary.final_state.q[0], 0.0, 1e-12);
  }
}

/// A mass that a constraint moves draws another one along, by springs and a coordinate without mass that rubs: the touch of the foot is an event between two ticks of a late clock.
Scene driven_masses(double t0) {
  return test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"x0\", \"x1\", \"x2\"]\nkinetic = \"0.5*x0'^2 + 0.5*0.8*x1'^2\"\n"
                  "potential = \"2*x1 + 50*(x1 - x2)^2 + 45*(x2 - x0)^2\"\ndamping = \"0.3*(x1' - x2')^2\"\n"
                  "[[bilateral]]\nname = \"drive\"\nposition = \"x0 + 0.04*(1 - cos(5*(t - {0:.17g})))\"\n"
                  "[[contact]]\nname = \"foot\"\ngap = \"x2 + 0.025\"\n"
                  "[[dry_friction]]\nname = \"pad\"\nvelocity = \"x1'\"\nlimit = 0.2\n"
                  "[initial]\nt = {0:.17g}\n[run]\nintegrator = \"event-driven\"\nuntil = {1:.17g}\n",
                  t0, t0 + 0.5));
}

// Pieces end at times that the clock shows, where supports and forces are that depend on t; the way of a support from an event to the time that is shown for it is work.
TEST(EventDrivenScales, ADriveGivesItsEnergyAtAnyTime) {
  const Course early = run_course(driven_masses(0.0));
  ASSERT_GE(early.events.size(), 3);
  for (const double start : {3e4, -2e7, 1e9}) {
    SCOPED_TRACE(start);
    const double ulp = std::nextafter(std::abs(start), kInfinity) - std::abs(start);
    const Course course = run_course(driven_masses(start));
    EXPECT_LE(std::abs(course.summary.energy.unexplained()), 1e-9 * course.summary.energy.scale);
    EXPECT_NEAR(course.summary.energy.work_done, early.summary.energy.work_done, 1e-8 + 10.0 * ulp);
    ASSERT_EQ(course.events.size(), early.events.size());
    for (size_t k = 0; k < early.events.size(); ++k)
      EXPECT_NEAR(course.events[k].t - start, early.events[k].t, 1e-8 + 2.0 * ulp) << k;
    EXPECT_LE(course.summary.steps, early.summary.steps + 20);
  }
}

// A belt has a velocity and no place: when friction that stops a block at once ends between two ticks of the clock, the belt does no work on the way to the next.
TEST(EventDrivenScales, ABeltDoesNoWorkBetweenTicks) {
  constexpr double kStart = -4e5;
  const Course course = run_course(test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"x\", \"z\"]\nkinetic = \"0.5*(x'^2 + z'^2)\"\npotential = \"10*z\"\n"
                  "[[contact]]\nname = \"belt\"\ngap = \"z\"\nslip = \"x' - 0.3\"\nfriction = 6e5\n"
                  "[initial]\n\"x'\" = -0.6\nt = {:.17g}\n[run]\nintegrator = \"event-driven\"\nuntil = {:.17g}\n",
                  kStart, kStart + 0.1)));
  // Half of 0.9 m/s squared is lost, and 0.9 N s at 0.3 m/s are the work of the belt.
  EXPECT_NEAR(course.summary.energy.lost_in_contacts, 0.405, 1e-9);
  EXPECT_NEAR(course.summary.energy.work_done, 0.27, 1e-9);
}

// A run that ends shortly before the limit of its impacts ends there.
TEST(EventDrivenScales, AnAccumulationDoesNotPassTheEndOfTheRun) {
  const double limit = std::sqrt(2.0 / 9.81) * 1.5 / 0.5;
  for (const double before : {1e-3, 1e-8, 1e-9, 1e-10, 1e-12}) {
    Course course = run_course(ball(0.5, 0.0, limit - before));
    EXPECT_EQ(course.summary.final_state.t, limit - before);
    EXPECT_EQ(course.summary.events[kAccumulation], 0) << before;
  }
}

/// A ball of the radius y whose centre is at y (1 - depth).
Scene start_of(double y, double depth) {
  return test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n"
                  "[[contact]]\nname = \"floor\"\ngap = \"y - {0:.17g}\"\n[initial]\ny = {1:.17g}\n"
                  "[run]\nintegrator = \"event-driven\"\nuntil = 1\n",
                  y, y * (1.0 - depth)));
}

TEST(EventDrivenScales, AStartIsRefusedRelativeToItsSize) {
  for (const double size : {1e-12, 1e-9, 1.0, 1e6}) {
    EXPECT_THROW((void)start_of(size, 1e-7), InputError) << size;
    EXPECT_NO_THROW((void)start_of(size, 1e-11)) << size;
  }
}

/// A point that falls on a hill and slides down: its gap in units of 1/k m, its slip in units of 1/s m/s, which is the motion of the same
/// point in metres if the friction coefficient is measured accordingly.
Scene point_on_a_hill(double k, double s, const char* integrator) {
  return test::scene_from(
      fmt::format("[lagrangian]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"0.5*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\n"
                  "[[contact]]\nname = \"hill\"\ngap = \"{0:.17g}*(y - 0.3*sin(2*x))\"\n"
                  "slip = \"{1:.17g}*(x' + 0.6*cos(2*x)*y')\"\nfriction = {2:.17g}\n[initial]\ny = 0.5\n\"x'\" = 1\n"
                  "[run]\nintegrator = \"{3}\"\ndt = 1e-3\nuntil = 1\n",
                  k, s, 0.1 * k / s, integrator));
}

TEST(EventDrivenScales, GapAndSlipHaveUnitsOfTheirOwn) {
  const Course in_metres = run_course(point_on_a_hill(1.0, 1.0, "event-driven"));
  ASSERT_EQ(in_metres.summary.status, RunStatus::kOk) << in_metres.summary.message;
  for (const auto& [k, s] : {std::pair(1e6, 1e-6), {1e-6, 1.0}, {1e-6, 1e6}, {1e5, 1e5}, {1.0, 1e-6}}) {
    const Course course = run_course(point_on_a_hill(k, s, "event-driven"));
    ASSERT_EQ(course.summary.status, RunStatus::kOk) << k << " " << s << ": " << course.summary.message;
    ASSERT_EQ(course.events.size(), in_metres.events.size()) << k << " " << s;
    for (size_t i = 0; i < course.events.size(); ++i) EXPECT_NEAR(course.events[i].t, in_metres.events[i].t, 1e-9);
    EXPECT_NEAR(course.summary.energy.unexplained(), 0.0, 1e-8);
    EXPECT_NEAR((course.summary.final_state.q - in_metres.summary.final_state.q).norm(), 0.0, 1e-8) << k << " " << s;
  }
  for (const char* integrator : {"moreau", "moreau-jean", "consistent-2"}) {
    const RunSummary metres = test::run(point_on_a_hill(1.0, 1.0, integrator));
    for (const auto& [k, s] : {std::pair(1e6, 1e-6), {1e-6, 1.0}, {1e-6, 1e6}}) {
      const RunSummary summary = test::run(point_on_a_hill(k, s, integrator));
      ASSERT_EQ(summary.status, RunStatus::kOk) << integrator << " " << k << " " << s << ": " << summary.message;
      EXPECT_NEAR((summary.final_state.q - metres.final_state.q).norm(), 0.0, 1e-5) << integrator << " " << k << " " << s;
    }
  }
}

}  // namespace tippe::hybrid_scales_test
