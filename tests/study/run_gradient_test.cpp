// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/run_gradient.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "support/scenes.h"
#include "tippe/core/error.h"

namespace tippe::study_run_gradient_test {

const std::string kBall = R"toml(tippe = 1
[parameters]
g = 9.81
e = 0.8
h = 1.3
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*y'^2"
potential = "g*y"
[[contact]]
name = "floor"
gap = "y"
restitution = "e"
[initial]
y = "h"
[output]
quantities = { energy = "0.5*y'^2 + g*y", height = "h*y" }
[run]
integrator = "event-driven"
dt = 0.1
until = 2
)toml";

RunGradient gradient_of(const std::string& text, const std::vector<std::string>& parameters,
                        std::vector<double> times = {}) {
  return find_run_gradient(text, "test.toml", {}, parameters, {.times = std::move(times)});
}

void expect_done(const RunGradient& gradient) {
  EXPECT_EQ(gradient.status, RunGradient::Status::kDone) << gradient.message;
}

// Impacts at t_1 = sqrt(2 h/g) and t_n+1 = t_n + 2 e^n sqrt(2 h/g); after the n-th, y = V s - g s^2/2 with V = e^n sqrt(2 g h), s = t - t_n. Derivatives by complex
// steps.
TEST(RunGradient, ABouncingBallHasItsClosedForm) {
  using Complex = std::complex<double>;
  const auto times = [](Complex g, Complex e, Complex h) {
    std::vector<Complex> t = {std::sqrt(2.0 * h / g)};
    for (int n = 1; n < 6; ++n) t.push_back(t.back() + 2.0 * std::pow(e, n) * t[0]);
    return t;
  };
  const auto height = [&](Complex g, Complex e, Complex h, double t, int n) {
    const Complex s = t - times(g, e, h)[static_cast<size_t>(n - 1)];
    return std::pow(e, n) * std::sqrt(2.0 * g * h) * s - 0.5 * g * s * s;
  };
  const RunGradient gradient = gradient_of(kBall, {"g", "e", "h"});
  expect_done(gradient);
  const std::vector<Complex> exact = times(9.81, 0.8, 1.3);
  ASSERT_GE(gradient.events.size(), 2u);
  const int impacts = static_cast<int>(gradient.events.size());
  const double tiny = 1e-30;
  for (int p = 0; p < 3; ++p) {
    const Complex i(0.0, tiny), g = 9.81 + (p == 0 ? i : 0.0), e = 0.8 + (p == 1 ? i : 0.0), h = 1.3 + (p == 2 ? i : 0.0);
    for (int n = 0; n < impacts; ++n) {
      const RunGradient::EventTime& event = gradient.events[static_cast<size_t>(n)];
      EXPECT_NEAR(event.event.t, exact[static_cast<size_t>(n)].real(), 1e-9);
      EXPECT_NEAR(event.shift[p], times(g, e, h)[static_cast<size_t>(n)].imag() / tiny, 1e-8) << p << n;
    }
    const Eigen::Index last = gradient.value.rows() - 1;
    EXPECT_EQ(gradient.times[static_cast<size_t>(last)], 2.0);
    const double slope = height(g, e, h, 2.0, impacts).imag() / tiny;
    EXPECT_NEAR(gradient.derived[static_cast<size_t>(p)](last, 0), slope, 1e-7 * std::abs(slope)) << p;
    // energy = g h e^(2 n), height = h y
    const double energy = (g * h * std::pow(e, 2 * impacts)).imag() / tiny;
    EXPECT_NEAR(gradient.derived[static_cast<size_t>(p)](last, 2), energy, 1e-6 * std::abs(energy) + 1e-8);
    const double product = (h * height(g, e, h, 2.0, impacts)).imag() / tiny;
    EXPECT_NEAR(gradient.derived[static_cast<size_t>(p)](last, 3), product, 1e-6 * std::abs(product));
  }
}

// Sticking, slipping, lifting off and impacts: against central differences of whole runs, which are close enough for all to have the same events.
TEST(RunGradient, TheWoodpeckerAgreesWithDifferencesOfRuns) {
  const std::string text = test::load("woodpecker").origin.scene_text;
  SceneOverrides overrides;
  overrides.integrator = "event-driven";
  overrides.until = "0.2";
  const std::vector<std::string> parameters = {"mu", "phi", "phi'"};
  const RunGradient gradient =
      find_run_gradient(text, "woodpecker.toml", overrides, parameters, {.times = {0.05, 0.1, 0.2}});
  expect_done(gradient);
  ASSERT_EQ(gradient.value.rows(), 3);
  for (size_t k = 0; k < parameters.size(); ++k) {
    const double step = 1e-5 * std::max(0.1, std::abs(gradient.at[k]));
    Eigen::MatrixXd ends[2];
    for (const int side : {0, 1}) {
      SceneOverrides changed = overrides;
      changed.settings.push_back(fmt::format("{}={}", parameters[k], gradient.at[k] + (side == 0 ? -step : step)));
      ends[side] = find_run_gradient(text, "woodpecker.toml", changed, {}, {.times = {0.05, 0.1, 0.2}}).value;
    }
    const Eigen::MatrixXd difference = (ends[1] - ends[0]) / (2.0 * step);
    for (Eigen::Index i = 0; i < difference.rows(); ++i) {
      const double size = difference.row(i).cwiseAbs().maxCoeff();
      EXPECT_LE((difference.row(i) - gradient.derived[k].row(i)).cwiseAbs().maxCoeff(), 1e-6 * size + 1e-9)
          << parameters[k] << i;
    }
  }
}

TEST(RunGradient, WhatHasNoDerivativeIsRefusedWithItsReason) {
  SceneOverrides moreau;
  moreau.integrator = "moreau";
  const auto message_of = [](const auto& work) -> std::string {
    try {
      static_cast<void>(work());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message_of([&] {
              return find_run_gradient(kBall, "test.toml", moreau, {"e"});
            }).find("'moreau' has impacts on its grid"),
            std::string::npos);
  EXPECT_NE(message_of([&] { return gradient_of(kBall, {"mu"}); }).find("no parameter 'mu'"), std::string::npos);
  EXPECT_NE(message_of([&] {
              return gradient_of(kBall, {"e"}, {1.0, 3.0});
            }).find("must ascend from 0 to 2"),
            std::string::npos);
  // A ball that lies on the floor: higher it would fall, lower it would be refused.
  std::string at_rest = kBall;
  at_rest.replace(at_rest.find("h = 1.3"), 7, "h = 0.0");
  EXPECT_NE(message_of([&] { return gradient_of(at_rest, {"h"}); }).find("penetrat"), std::string::npos);
}

}  // namespace tippe::study_run_gradient_test
