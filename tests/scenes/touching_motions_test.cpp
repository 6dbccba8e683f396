// SPDX-License-Identifier: Apache-2.0
// Motions of bodies that touch by their shapes, against closed forms and invariants.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/scenes.h"

namespace tippe::scenes_touching_motions_test {

constexpr double g = 9.81;

std::string run_for(double dt, double until) {
  return fmt::format("[run]\nintegrator = \"moreau\"\ndt = {}\nuntil = {}\n", dt, until);
}

State state_at_end(const Scene& scene) {
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return summary.final_state;
}

// Gaps far wider than the rest band (5e-6 m): the balls are hit one after the other, by the closed form of two.
TEST(TouchingMotions, VelocitiesPassThroughARowOfBalls) {
  for (const double ratio : {1.0, 0.5, 3.0}) {  // of the masses of neighbours
    std::string text = "[world]\ncontacts = \"found\"\n";
    constexpr int n = 4;
    double mass = 1.0;
    std::vector<double> masses, expected(n, 0.0);
    for (int k = 0; k < n; ++k, mass *= ratio) {
      masses.push_back(mass);
      text += fmt::format(
          "[[body]]\nname = \"ball{0}\"\nmass = {1}\ninertia = [{2}, {2}, {2}]\nposition = [{3}, 0, 0]\nvelocity = [{4}, 0, "
          "0]\n[[body.sphere]]\nradius = 0.05\n",
          k, mass, 1e-3 * mass, 0.102 * k, k == 0 ? 1.0 : 0.0);
    }
    double hits_with = 1.0;
    for (size_t k = 0; k + 1 < n; ++k) {
      const double sum = masses[k] + masses[k + 1];
      expected[k] = (masses[k] - masses[k + 1]) / sum * hits_with;
      hits_with *= 2.0 * masses[k] / sum;
    }
    expected[n - 1] = hits_with;
    const Scene scene =
        test::scene_from(text + "[[contact_law]]\nbetween = [\"*\", \"*\"]\nrestitution = 1\n" + run_for(1e-4, 0.02));
    const State end = state_at_end(scene);
    for (int k = 0; k < n; ++k) EXPECT_NEAR(end.u[6 * k], expected[static_cast<size_t>(k)], 1e-12) << ratio << ' ' << k;
    double momentum = 0.0;
    for (int k = 0; k < n; ++k) momentum += masses[static_cast<size_t>(k)] * end.u[6 * k];
    EXPECT_NEAR(momentum, 1.0, 1e-12);
  }
}

/// A wedge lies on the floor, and a block, led by a smooth wall, weighs on its slope.
struct Wedge {
  double angle, mu = 0.3;
  double light = 200.0, heavy = 1000.0;  // kg/m3

  [[nodiscard]] double tan() const { return std::tan(angle); }
  [[nodiscard]] double wedge_mass() const { return light * 0.3 * 0.5 * tan(); }
  [[nodiscard]] double block_mass() const { return heavy * 0.3 * 0.4 * (1.2 - 0.5 * tan()); }
  /// With both surfaces sliding, the block pushes with M (g - a tan) tan(angle - phi) against mu of both weights.
  /// Negative: it jams.
  [[nodiscard]] double acceleration() const {
    const double over = std::tan(angle - std::atan(mu)) - mu, m = wedge_mass(), M = block_mass();
    return g * (M * over - mu * m) / (m + M * over * tan());
  }
  [[nodiscard]] Scene scene() const {
    return test::load("wedge", {.settings = {fmt::format("angle={}", angle)}, .integrator = {}, .dt = {}, .until = {}});
  }
};

TEST(TouchingMotions, AWedgeJamsBelowItsAngleAndIsSqueezedOutAboveIt) {
  const double least = [] {  // by bisection of its acceleration
    double jams = 0.3, slides = 0.9;
    while (slides - jams > 1e-12) {
      const double middle = 0.5 * (jams + slides);
      (Wedge{middle}.acceleration() > 0.0 ? slides : jams) = middle;
    }
    return slides;
  }();
  EXPECT_GT(least, 2.0 * std::atan(0.3));  // that of a wedge without weight
  const Scene jams = Wedge{least - 0.01}.scene();
  EXPECT_LE((state_at_end(jams).q - jams.start.q).cwiseAbs().maxCoeff(), 1e-7);
  for (const double angle : {least + 0.01, least + 0.1}) {
    const Wedge wedge{angle};
    const Scene slides = wedge.scene();
    const State end = state_at_end(slides);
    const double v = wedge.acceleration() * slides.run.until;
    EXPECT_NEAR(end.u[0], -v, 1e-6 * v) << angle;
    EXPECT_NEAR(end.u[8], -v * wedge.tan(), 1e-6 * v) << angle;
  }
}

// Balls that fall on each other, each touched in few points: their motion is unique.
TEST(TouchingMotions, DoNotDependOnTheOrderOfBodies) {
  constexpr int n = 8;
  const auto end_of = [&](const std::array<int, n>& order) {
    std::string text = fmt::format("[world]\ngravity = [0, 0, {}]\ncontacts = \"found\"\n", -g);
    for (const int k : order) {
      text += fmt::format(
          "[[body]]\nname = \"ball{}\"\nmass = {}\ninertia = [4e-3, 4e-3, 4e-3]\nposition = [{}, {}, {}]\n[[body.sphere]]\n"
          "radius = 0.1\n",
          k, 1.0 + 0.1 * k, 0.03 * std::sin(5.0 * k), 0.03 * std::cos(3.0 * k), 0.12 + 0.23 * k);
    }
    const Scene scene = test::scene_from(text +
                                         "[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n[[contact_law]]\nbetween = "
                                         "[\"*\", \"*\"]\nfriction = 0.3\n" +
                                         run_for(1e-3, 0.25));
    const RunSummary summary = test::run(scene);
    EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
    EXPECT_GT(summary.impacts, 5);
    Eigen::VectorXd q(7 * n);
    for (int i = 0; i < n; ++i) q.segment<7>(7 * order[static_cast<size_t>(i)]) = summary.final_state.q.segment<7>(7 * i);
    return q;
  };
  const Eigen::VectorXd forwards = end_of({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_LE((end_of({7, 6, 5, 4, 3, 2, 1, 0}) - forwards).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((end_of({3, 0, 6, 1, 7, 4, 2, 5}) - forwards).cwiseAbs().maxCoeff(), 1e-8);
}

// Elastic impacts without friction keep T + V, up to what contacts lose that open again within a step.
TEST(TouchingMotions, ACubeOf216ElasticBallsKeepsItsEnergy) {
  const Scene scene = test::load("ball_cube", {.settings = {"e=1"}, .integrator = {}, .dt = {}, .until = "0.2"});
  const RunSummary summary = test::run(scene);
  ASSERT_EQ(summary.status, RunStatus::kOk) << summary.message;
  EXPECT_GT(summary.impacts, 36);
  EXPECT_LE(std::abs(summary.energy.lost_in_contacts), 1e-6 * summary.energy.scale);
}

}  // namespace tippe::scenes_touching_motions_test
