// SPDX-License-Identifier: Apache-2.0
// What is known of a chain of masses: momentum, energy, normal modes; and that long ones are read quickly.
#include <chrono>
#include <cmath>

#include "support/scenes.h"

namespace tippe::scenes_chain_test {

double momentum(const State& state) {
  return 0.1 * state.u.sum();
}

TEST(Chain, KeepsItsMomentumExceptForTheWall) {
  const Scene scene = test::load("chain");
  EXPECT_EQ(scene.system->nq(), 20);
  EXPECT_EQ(scene.system->laws().size(), 20u);
  double pushed = 0.0;
  test::watch(scene, [&](const State& state, const Integrator& integrator, const StepReport&) {
    pushed += integrator.last_laws().impulse[0];
    EXPECT_TRUE(state.t > 0.0099 || pushed == 0.0);  // the wall is 10 mm away
    EXPECT_NEAR(momentum(state), -20 * 0.1 * 1.0 + pushed, 1e-12);
  });
  EXPECT_GT(pushed, 2.0);  // it leaves the wall
}

TEST(Chain, ItsFirstImpactCostsTheFirstBlockOnly) {
  const RunSummary summary = test::run(test::load("chain", {.settings = {}, .integrator = {}, .dt = {}, .until = "0.0102"}));
  EXPECT_EQ(summary.impacts, 1);
  EXPECT_NEAR(summary.energy.lost_in_contacts, 0.5 * 0.1 * (1.0 - 0.25), 1e-3 * 0.0375);
}

TEST(Chain, AccountsForItsEnergy) {
  const RunSummary summary = test::run(test::load("chain", {.settings = {}, .integrator = {}, .dt = "1e-5", .until = {}}));
  EXPECT_EQ(summary.status, RunStatus::kOk);
  EXPECT_GT(summary.energy.lost_in_contacts, 0.01);
  EXPECT_LT(std::abs(summary.energy.unexplained()), 1e-4 * summary.energy.initial);
}

// Displaced along mode k it passes its rest position after a quarter of the period.
TEST(Chain, NormalModesHaveTheirFrequencies) {
  for (const int k : {1, 2, 7, 19}) {
    std::string text = test::load("chain").origin.scene_text;
    const std::string start = "\"d + ({i} - 1)*l\"";
    text.replace(text.find(start), start.size(), "\"1 + ({i} - 1)*l + 1e-4*cos(k*pi*({i} - 0.5)/n)\"");
    text.insert(text.find("[run]\n") + 6,
                "stop_when = \"-sum(i, 1, n, (x{i} - x1)*cos(k*pi*({i} - 0.5)/n)) + "
                "sum(i, 1, n, ({i} - 1)*l*cos(k*pi*({i} - 0.5)/n))\"\n");
    text.insert(text.find("[parameters]\n") + 13, "k = " + std::to_string(k) + "\n");
    const Scene scene = read_scene(text, "chain.toml", {.settings = {"v=0"}, .integrator = {}, .dt = "1e-5", .until = {}});
    const RunSummary summary = test::run(scene);
    ASSERT_TRUE(summary.stopped.has_value()) << k;
    const double omega = 2.0 * std::sqrt(1000.0 / 0.1) * std::sin(k * M_PI / 40.0);
    EXPECT_NEAR(summary.stopped->time, M_PI / 2.0 / omega, 1e-6 * M_PI / omega) << k;
  }
}

TEST(Chain, AThousandMassesAreReadQuicklyAndStaySparse) {
  const auto begin = std::chrono::steady_clock::now();
  const Scene scene = test::load("chain", {.settings = {"n=1000"}, .integrator = {}, .dt = {}, .until = {}});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 3.0);
  EXPECT_EQ(scene.system->nq(), 1000);
  EXPECT_EQ(scene.system->laws().size(), 1000u);
  EXPECT_EQ(scene.system->mass_pattern().size(), 1000u);  // the diagonal
  EXPECT_TRUE(scene.system->constant_mass());
  SparseColumns W;
  std::vector<double> chi;
  const auto evaluator = scene.system->make_evaluator();
  evaluator->set_state(0.0, scene.start.q, scene.start.u);
  evaluator->append_directions(list_of_fixed_laws(scene.system->laws()), 500, W, chi);
  EXPECT_EQ(W.row, (std::vector<int>{499, 500}));
}

}  // namespace tippe::scenes_chain_test
