// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/periodic_orbit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::hybrid_periodic_orbit_test {

using Stability = PeriodicOrbit::Stability;
using std::numbers::pi;

PeriodicOrbit orbit_of(const Scene& scene, const std::string& section = {}, int returns = 0) {
  return find_periodic_orbit(
      *scene.system, scene.start,
      {.until = scene.run.until, .section = section, .returns = returns, .forcing_period = scene.run.forcing_period});
}

Scene load_with(const std::string& name, std::vector<std::string> settings) {
  SceneOverrides overrides;
  overrides.settings = std::move(settings);
  return test::load(name, overrides);
}

void expect_found(const PeriodicOrbit& orbit) {
  EXPECT_EQ(orbit.status, PeriodicOrbit::Status::kConverged) << orbit.message;
  EXPECT_GE(orbit.residual, 0.0);
  EXPECT_LE(orbit.residual, 1e-11);
}

// Moeller, section 6.4: 0.145976065 s, -0.83916. The further digits are from a simulation of the linear modes by exact series with 34 digits, roots
// by bisection, and from differences of it.
TEST(PeriodicOrbit, TheWoodpeckerHasItsPeriodAndMultiplierOnEverySection) {
  for (const char* section : {"", "impact:beak", "impact:sleeve top", "impact:sleeve bottom", "slip to stick:sleeve top"}) {
    const Scene scene = test::load("woodpecker");
    const PeriodicOrbit orbit = orbit_of(scene, section);
    expect_found(orbit);
    EXPECT_NEAR(orbit.period, 0.1459760651437518274, 1e-13) << section;
    ASSERT_EQ(orbit.multipliers.size(), 1u) << section;
    EXPECT_NEAR(orbit.multipliers[0].real(), -0.8391556530475846513, 2e-9) << section;
    EXPECT_EQ(orbit.multipliers[0].imag(), 0.0);
    EXPECT_LT(orbit.multiplier_error, 1e-8);
    EXPECT_EQ(orbit.zero_multipliers, 4);  // alpha, phi and three velocities, less one
    EXPECT_EQ(orbit.stability, Stability::kStable);
    // It falls, on which nothing depends; what it loses is the weight of sleeve and bird times the fall.
    ASSERT_EQ(orbit.drift.size(), 1u);
    EXPECT_EQ(scene.system->coordinate_names()[static_cast<size_t>(orbit.drift[0].coordinate)], "y");
    EXPECT_NEAR(orbit.drift[0].per_period, -0.01944537928471653582, 1e-13);
    EXPECT_NEAR(orbit.lost, 0.0048 * 9.81 * 0.01944537928471653582, 1e-13);
    EXPECT_EQ(orbit.events.size(), 9u);
    EXPECT_NEAR(orbit.events.back().t, orbit.period, 1e-15);
  }
}

// The ball flies one period T of the table: it leaves with V = g T/2 and hits with -V at the same height. Newton's law V - U = e (V + U) at the speed U
// of the table gives the phase. With dt' = dt + T dV/(V + U) and dV' = (1 + e) a dt' - e (dV - g (dt' - dt)), a = -A w^2 sin(phase), the derivative of
// the map has the determinant e^2 and the trace 1 + e^2 + (1 + e)^2 a/g. Guckenheimer and Holmes, section 2.4, have it for high flights.
struct TableOrbit {
  double e = 0.8, w = 62.83185307179586, g = 9.81, A;
  [[nodiscard]] double phase() const { return std::acos(pi * g * (1 - e) / (A * w * w * (1 + e))); }
  [[nodiscard]] double trace() const { return 1 + e * e - (1 + e) * (1 + e) * A * w * w * std::sin(phase()) / g; }
  /// Where a multiplier is -1.
  [[nodiscard]] double doubling() const {
    return std::hypot(pi * (1 - e) / (1 + e), 2 * (1 + e * e) / ((1 + e) * (1 + e))) * g / (w * w);
  }
};

TEST(PeriodicOrbit, ABallOnAVibratingTableBouncesOnceAPeriod) {
  const TableOrbit exact{.A = 0.002};
  const PeriodicOrbit orbit = orbit_of(test::load("vibrating_table"));
  expect_found(orbit);
  EXPECT_EQ(orbit.returns, 1);
  EXPECT_NEAR(orbit.period, 0.1, 1e-13);
  EXPECT_NEAR(std::remainder(exact.w * orbit.state.t - exact.phase(), 2 * pi), 0.0, 1e-10);
  EXPECT_NEAR(orbit.state.u[0], exact.g * 0.05, 1e-12);
  ASSERT_EQ(orbit.multipliers.size(), 2u);
  EXPECT_NEAR((orbit.multipliers[0] + orbit.multipliers[1]).real(), exact.trace(), 1e-8);
  EXPECT_NEAR(std::abs(orbit.multipliers[0]), exact.e, 1e-8);  // a complex pair
  EXPECT_GT(orbit.multipliers[0].imag(), 0.0);
  EXPECT_EQ(orbit.stability, Stability::kStable);
  EXPECT_NEAR(orbit.work, orbit.lost, 1e-12);  // of a whole period
}

// Where the ball has just left the table the gap is round-off, and no measure of whether it is the same a period later.
TEST(PeriodicOrbit, AStartAtTheTableHasThePeriodOfTheTable) {
  const TableOrbit exact{.A = 0.002};
  Scene scene = test::load("vibrating_table");
  scene.start.t = exact.phase() / exact.w;
  scene.start.q[0] = exact.A * std::sin(exact.phase()) + 1e-12;
  scene.start.u[0] = exact.g * 0.05 + 1e-4;
  const PeriodicOrbit orbit = orbit_of(scene);
  expect_found(orbit);
  EXPECT_NEAR(orbit.period, 0.1, 1e-13);
}

TEST(PeriodicOrbit, NewtonFindsUnstableOrbitsToo) {
  const TableOrbit exact{.A = 0.003};
  const PeriodicOrbit orbit = orbit_of(load_with("vibrating_table", {"A=0.003"}), {}, 1);
  expect_found(orbit);
  EXPECT_NEAR(std::remainder(exact.w * orbit.state.t - exact.phase(), 2 * pi), 0.0, 1e-10);
  ASSERT_EQ(orbit.multipliers.size(), 2u);
  const double half = 0.5 * exact.trace(), root = std::sqrt(half * half - exact.e * exact.e);
  EXPECT_NEAR(orbit.multipliers[0].real(), half - root, 1e-8);
  EXPECT_NEAR(orbit.multipliers[1].real(), half + root, 1e-8);
  EXPECT_LT(orbit.multipliers[0].real(), -1.0);
  EXPECT_EQ(orbit.stability, Stability::kUnstable);
}

TEST(PeriodicOrbit, StabilityChangesWhereThePeriodDoubles) {
  const double limit = TableOrbit{.A = 0.0}.doubling();
  for (const double factor : {0.999, 1.001}) {
    const PeriodicOrbit orbit =
        orbit_of(load_with("vibrating_table", {"A=" + std::to_string(1e6 * limit * factor) + "*1e-6"}), {}, 1);
    expect_found(orbit);
    EXPECT_EQ(orbit.stability, factor < 1.0 ? Stability::kStable : Stability::kUnstable);
  }
}

// Beyond, the motion repeats every second bounce. From bounce to bounce areas in (t, V) shrink by e^2 (V - U)/(V' - U'), which over a period is e^2 a bounce.
TEST(PeriodicOrbit, BeyondTheDoublingAnOrbitOfTwoBouncesIsStable) {
  const PeriodicOrbit orbit = orbit_of(load_with("vibrating_table", {"A=0.0028"}));
  expect_found(orbit);
  EXPECT_EQ(orbit.returns, 2);
  EXPECT_NEAR(orbit.period, 0.2, 1e-12);
  ASSERT_EQ(orbit.multipliers.size(), 2u);
  EXPECT_NEAR((orbit.multipliers[0] * orbit.multipliers[1]).real(), std::pow(0.8, 4), 1e-8);
  EXPECT_EQ(orbit.stability, Stability::kStable);
}

// Two returns are asked for where one is a period: that one is reported.
TEST(PeriodicOrbit, ThePeriodIsTheLeast) {
  const PeriodicOrbit orbit = orbit_of(test::load("vibrating_table"), "impact:table", 2);
  expect_found(orbit);
  EXPECT_EQ(orbit.returns, 1);
  EXPECT_NEAR(orbit.period, 0.1, 1e-13);
}

// x'' + 0.1 x' + x = F cos(0.8 t) without reaching its stop: x = c cos(0.8 t) + s sin(0.8 t), and deviations shrink as exp(-0.05 T) and turn by sqrt(1 - 0.05^2) T.
TEST(PeriodicOrbit, ADrivenMotionWithoutEventsIsLookedAtOnceAPeriod) {
  const Scene scene = load_with("impact_oscillator", {"F=0.3"});
  const PeriodicOrbit orbit = orbit_of(scene);
  expect_found(orbit);
  EXPECT_EQ(section_text(*scene.system, orbit.section), "stroboscopic");
  const double w = 0.8, below = std::pow(1 - w * w, 2) + std::pow(0.1 * w, 2), period = 2 * pi / w;
  EXPECT_NEAR(orbit.period, period, 1e-12);
  EXPECT_NEAR(orbit.state.q[0], 0.3 * (1 - w * w) / below, 1e-10);
  EXPECT_NEAR(orbit.state.u[0], w * 0.3 * 0.1 * w / below, 1e-10);
  ASSERT_EQ(orbit.multipliers.size(), 2u);
  EXPECT_NEAR(std::abs(orbit.multipliers[0]), std::exp(-0.05 * period), 1e-9);
  EXPECT_NEAR(std::abs(std::arg(orbit.multipliers[0])), std::abs(std::remainder(std::sqrt(1 - 0.0025) * period, 2 * pi)),
              1e-9);
  // With impacts it is the same orbit as on the section of an event; and without a forcing there is no such section.
  const PeriodicOrbit bouncing = orbit_of(test::load("vibrating_table"), "stroboscopic");
  expect_found(bouncing);
  EXPECT_NEAR(std::abs(bouncing.multipliers[0]), 0.8, 1e-8);
  EXPECT_EQ(bouncing.zero_multipliers, 0);
  EXPECT_THROW(static_cast<void>(orbit_of(test::load("woodpecker"), "stroboscopic")), InputError);
}

// Slips for the first root s of exp(d s) (cos(W s) - d/W sin(W s)) = 1, d = c/(2 m), W^2 = k/m - d^2, then rides on the belt back to the same onset of
// slip: a stick forgets all.
TEST(PeriodicOrbit, AStickSlipMotionForgetsEverything) {
  const PeriodicOrbit orbit = orbit_of(test::load("belt"));
  expect_found(orbit);
  EXPECT_NEAR(orbit.period, 0.52667194025784209 + 0.14701177891867141, 1e-12);
  EXPECT_TRUE(orbit.multipliers.empty());
  EXPECT_EQ(orbit.zero_multipliers, 4);
  EXPECT_EQ(orbit.stability, Stability::kStable);
}

// A block that never sticks on its shaken plate reverses at t with A w cos(w t) = mu g pi/(2 w). From one reversal to the next
// A w (cos(w t') - cos(w t)) = -mu g (t' - t), so that dt'/dt = (mu g - A w^2 s)/(mu g + A w^2 s), s = sin(w t), twice a period.
TEST(PeriodicOrbit, ReversalsOfSlipContractAsTheirTimesSay) {
  const PeriodicOrbit orbit = orbit_of(load_with("shaken_block", {"mu=0.1"}));
  expect_found(orbit);
  EXPECT_EQ(orbit.section.kind, EventKind::kSlipReversal);
  EXPECT_NEAR(orbit.period, 2 * pi / 10, 1e-12);
  const double friction = 0.1 * 9.81, plate = 5.0, c = friction * pi / (2 * plate), s = std::sqrt(1 - c * c);
  ASSERT_EQ(orbit.multipliers.size(), 1u);
  EXPECT_NEAR(orbit.multipliers[0].real(), std::pow((plate * s - friction) / (plate * s + friction), 2), 1e-9);
  ASSERT_EQ(orbit.drift.size(), 1u);
  EXPECT_NEAR(orbit.drift[0].per_period, 0.0, 1e-12);  // by symmetry
}

const char* kElasticBall =
    "[lagrangian]\ncoordinates = [\"y\"]\nkinetic = \"0.5*y'^2\"\npotential = \"9.81*y\"\n[[contact]]\nname = \"floor\"\n"
    "gap = \"y\"\nrestitution = 1\n[initial]\ny = 1\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 5\n";

// Without loss every height gives a periodic motion, of the period 2 sqrt(2 h/g): the multiplier is 1.
TEST(PeriodicOrbit, AFamilyOfOrbitsIsNeitherStableNorUnstable) {
  const PeriodicOrbit orbit = orbit_of(test::scene_from(kElasticBall));
  expect_found(orbit);
  EXPECT_NEAR(orbit.period, 2 * std::sqrt(2 / 9.81), 1e-10);
  ASSERT_EQ(orbit.multipliers.size(), 1u);
  EXPECT_NEAR(orbit.multipliers[0].real(), 1.0, 1e-7);
  EXPECT_EQ(orbit.stability, Stability::kNotDecided);
}

TEST(PeriodicOrbit, MotionsThatEndHaveNone) {
  const PeriodicOrbit ball = orbit_of(test::load("bouncing_ball"));  // its bounces die out
  EXPECT_EQ(ball.status, PeriodicOrbit::Status::kNotConverged);
  EXPECT_GT(ball.residual, 1e-11);
  EXPECT_FALSE(ball.message.empty());
  const PeriodicOrbit block = orbit_of(test::load("incline"));  // slides for ever
  EXPECT_EQ(block.status, PeriodicOrbit::Status::kNoReturn);
}

// A pendulum that hits a wall and loses energy each time: only rest repeats itself.
TEST(PeriodicOrbit, RestIsNoOrbit) {
  const PeriodicOrbit orbit = orbit_of(test::load("impacting_pendulum"));
  EXPECT_NE(orbit.status, PeriodicOrbit::Status::kConverged);
  EXPECT_FALSE(orbit.message.empty());
}

// A long search shows what it tries, and an interrupt within it leaves what was found until then.
TEST(PeriodicOrbit, TellsWhatItTriesAndWhereItWasInterrupted) {
  const Scene scene = test::load("woodpecker");
  std::vector<std::string> told;
  OrbitOptions options{.until = scene.run.until, .section = "impact:beak"};
  options.tell = [&](const std::string& doing) { told.push_back(doing); };
  const PeriodicOrbit found = find_periodic_orbit(*scene.system, scene.start, options);
  EXPECT_EQ(found.status, PeriodicOrbit::Status::kConverged);
  EXPECT_EQ(told.front().find("simulating until t = "), 0u) << told.front();
  const auto newton = std::find_if(told.begin(), told.end(), [](const std::string& doing) {
    return doing.starts_with("Newton's method from close return 1 of ") && doing.find("impact:beak") != std::string::npos;
  });
  EXPECT_NE(newton, told.end());
  EXPECT_EQ(told.back(), "multipliers of the orbit");

  std::atomic<bool> interrupt{false};
  options.interrupt = &interrupt;
  options.tell = [&](const std::string& doing) { interrupt = interrupt || doing.find("iteration 1") != std::string::npos; };
  const PeriodicOrbit interrupted = find_periodic_orbit(*scene.system, scene.start, options);
  EXPECT_EQ(interrupted.status, PeriodicOrbit::Status::kInterrupted);
  EXPECT_NE(interrupted.message.find("close returns to 'impact:beak': the best residual is"), std::string::npos)
      << interrupted.message;
  EXPECT_EQ(interrupted.returns, found.returns);
  EXPECT_GT(interrupted.residual, 1e-11);
}

TEST(PeriodicOrbit, AnInterruptEndsTheSearch) {
  const std::atomic<bool> interrupt{true};
  const Scene scene = test::load("woodpecker");
  const PeriodicOrbit orbit =
      find_periodic_orbit(*scene.system, scene.start, {.until = scene.run.until, .interrupt = &interrupt});
  EXPECT_EQ(orbit.status, PeriodicOrbit::Status::kInterrupted);
}

std::string refusal(const Scene& scene, const OrbitOptions& options) {
  try {
    static_cast<void>(find_periodic_orbit(*scene.system, scene.start, options));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(PeriodicOrbit, WrongRequestsAreRefused) {
  const Scene woodpecker = test::load("woodpecker"), table = test::load("vibrating_table");
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(refusal(woodpecker, {.until = 0.5, .section = "impact:beek"}), "did you mean 'beak'?");
  says(refusal(woodpecker, {.until = 0.5, .section = "impact"}), "names no law");
  says(refusal(woodpecker, {.until = 0.5, .section = "lift-off:beak"}), "no kind of event that can be a section");
  says(refusal(woodpecker, {.until = 0.5, .returns = -1}), "must not be negative");
  says(refusal(woodpecker, {.until = 0.0}), "must be later");
  says(refusal(table, {.until = 3.0}), "forcing_period");
  says(refusal(table, {.until = 3.0, .forcing_period = 0.07}), "forcing_period = 0.07 is not the period");
}

}  // namespace tippe::hybrid_periodic_orbit_test
