// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/lyapunov.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::hybrid_lyapunov_test {

using std::numbers::pi;

constexpr double kDestroyed = -std::numeric_limits<double>::infinity();

LyapunovSpectrum spectrum_of(const Scene& scene, double transient, double until, int most = 0) {
  return find_lyapunov_exponents(*scene.system, scene.start, {.transient = transient, .until = until, .most = most});
}

void expect_measured(const LyapunovSpectrum& spectrum) {
  EXPECT_EQ(spectrum.status, LyapunovSpectrum::Status::kMeasured) << spectrum.message;
}

// Period and multiplier as in PeriodicOrbit, there from a simulation with 34 digits. Six directions: one along the motion, one of the height, which nothing depends on,
// one with the multiplier, and three that sticking destroys.
TEST(Lyapunov, AStableOrbitHasTheLogarithmOfItsMultiplier) {
  const double period = 0.1459760651437518274, multiplier = -0.8391556530475846513;
  const LyapunovSpectrum spectrum = spectrum_of(test::load("woodpecker"), 100 * period, 120 * period);
  expect_measured(spectrum);
  ASSERT_EQ(spectrum.exponents.size(), 6u);
  EXPECT_NEAR(spectrum.exponents[0], 0.0, 1e-6);
  EXPECT_NEAR(spectrum.exponents[1], 0.0, 1e-6);
  EXPECT_NEAR(spectrum.exponents[2], std::log(std::abs(multiplier)) / period, 1e-6);
  for (size_t i = 3; i < 6; ++i) EXPECT_EQ(spectrum.exponents[i], kDestroyed);
}

// The determinant of the derivative of the map from bounce to bounce is e^2: two complex multipliers of modulus e.
TEST(Lyapunov, OfAComplexPairTheSumIsThatOfTheDeterminant) {
  const LyapunovSpectrum spectrum = spectrum_of(test::load("vibrating_table"), 3.0, 5.0);
  expect_measured(spectrum);
  ASSERT_EQ(spectrum.exponents.size(), 2u);
  EXPECT_NEAR(spectrum.exponents[0] + spectrum.exponents[1], 2 * std::log(0.8) / 0.1, 1e-6);
  EXPECT_EQ(spectrum.events, 20);
}

// The same table by its closed form: flight and impact, the root by bisection. Two trajectories whose distance is taken back to 1e-8 at every bounce part as the
// largest exponent says. Areas in (t, V) shrink by e^2 (V - U)/(V' - U') a bounce: the sum of both is 2 log(e) by the mean time between bounces.
struct Table {
  double A = 0.003118, w = 62.83185307179586, g = 9.81, e = 0.8;
  struct Bounce {
    double t, V;
  };
  [[nodiscard]] Bounce next(const Bounce& from) const {
    const double height = A * std::sin(w * from.t);
    const auto gap = [&](double s) { return height + from.V * s - 0.5 * g * s * s - A * std::sin(w * (from.t + s)); };
    double a = 1e-4, b = 2e-4;
    while (gap(b) > 0.0) {
      a = b;
      b += 1e-4;
    }
    for (int k = 0; k < 60; ++k) (gap(0.5 * (a + b)) > 0.0 ? a : b) = 0.5 * (a + b);
    const double s = 0.5 * (a + b), U = A * w * std::cos(w * (from.t + s));
    return {from.t + s, U - e * (from.V - g * s - U)};
  }
};

TEST(Lyapunov, ChaosPartsAsTwoTrajectoriesDo) {
  const Table table;
  const double phase = std::acos(pi * table.g * (1 - table.e) / (table.A * table.w * table.w * (1 + table.e)));
  Table::Bounce bounce{phase / table.w, 0.05 * table.g + 1e-3};  // near the unstable orbit of one bounce a period
  for (int k = 0; k < 200; ++k) bounce = table.next(bounce);
  const double begin = bounce.t, distance = 1e-8, per_speed = 0.1;  // s^2/m
  constexpr int kBounces = 6000;
  double dt = distance, dV = 0.0, sum = 0.0;
  for (int k = 0; k < kBounces; ++k) {
    const Table::Bounce other = table.next({bounce.t + dt, bounce.V + dV});
    bounce = table.next(bounce);
    dt = other.t - bounce.t;
    dV = other.V - bounce.V;
    const double apart = std::hypot(dt, dV * per_speed);
    sum += std::log(apart / distance);
    dt *= distance / apart;
    dV *= distance / apart;
  }
  const double expected = sum / (bounce.t - begin);
  ASSERT_NEAR((bounce.t - begin) / kBounces, 0.1, 1e-3);  // it bounces once a period of the table, high enough
  SceneOverrides overrides;
  overrides.settings = {"A=0.003118"};
  const LyapunovSpectrum spectrum = spectrum_of(test::load("vibrating_table", overrides), 10.0, 410.0);
  expect_measured(spectrum);
  ASSERT_EQ(spectrum.exponents.size(), 2u);
  EXPECT_GT(expected, 1.0);
  EXPECT_NEAR(spectrum.exponents[0], expected, 4.0 * spectrum.errors[0]);
  EXPECT_LT(spectrum.errors[0], 0.03 * expected);
  EXPECT_NEAR(spectrum.exponents[0] + spectrum.exponents[1], 2.0 * std::log(0.8) * spectrum.events / 400.0, 0.02);
}

TEST(Lyapunov, ABouncingBallThatComesToRestForgetsAll) {
  const LyapunovSpectrum spectrum = spectrum_of(test::load("bouncing_ball"), 0.0, 2.0);
  expect_measured(spectrum);
  EXPECT_EQ(spectrum.exponents, std::vector<double>(2, kDestroyed));
}

// A harmonic oscillator with damping: both exponents are -d/(2 m).
TEST(Lyapunov, ADampedOscillatorForgetsAtItsRate) {
  Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*2*x'^2"
potential = "0.5*50*x^2"
damping = "0.5*0.8*x'^2"
[initial]
x = 1
[run]
integrator = "event-driven"
dt = 1
until = 1
)toml");
  const double period = 2 * pi / std::sqrt(25.0 - 0.2 * 0.2);
  const LyapunovSpectrum spectrum = spectrum_of(scene, 0.0, 10 * period);
  expect_measured(spectrum);
  ASSERT_EQ(spectrum.exponents.size(), 2u);
  for (const double exponent : spectrum.exponents) EXPECT_NEAR(exponent, -0.2, 1e-9);
}

// A corner that is hit in both walls at once: nearby motions hit them one after the other, in one order or the other.
TEST(Lyapunov, WhereThereIsNoDerivativeItSaysSo) {
  Scene scene = test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
[[contact]]
name = "wall"
gap = "x"
restitution = 1
[[contact]]
name = "floor"
gap = "y + 0.2*x"
restitution = 1
[initial]
x = 1
y = 1
"x'" = -1
"y'" = -1
[run]
integrator = "event-driven"
dt = 1
until = 3
)toml");
  const LyapunovSpectrum spectrum = spectrum_of(scene, 0.0, 2.0);
  EXPECT_EQ(spectrum.status, LyapunovSpectrum::Status::kNoDerivative);
  EXPECT_NE(spectrum.message.find("at t = 1 two events coincide"), std::string::npos) << spectrum.message;
  EXPECT_THROW(static_cast<void>(spectrum_of(scene, 2.0, 1.0)), InputError);
}

}  // namespace tippe::hybrid_lyapunov_test
