// SPDX-License-Identifier: Apache-2.0
// The judge looks at every scene with every integrator that fits.
#include <filesystem>
#include <map>

#include "support/scenes.h"
#include "support/temporary_folder.h"
#include "tippe/verify/verify.h"

namespace tippe::verify_scenes_test {

using verify::Kind;
using verify::RunWatch;
using verify::Verdict;

Verdict judge(const Scene& scene) {
  RunWatch watch(scene);
  RunHooks hooks;
  watch.take_part(hooks);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, hooks);
  EXPECT_EQ(summary.status, RunStatus::kOk) << summary.message;
  return watch.finish(summary);
}

/// How many steps the judge can look at in about a tenth of a second: it solves dense systems.
double affordable_steps(const System& system) {
  const auto size = static_cast<double>(system.nu()) + static_cast<double>(system.constraints().size());
  if (!system.has_fixed_laws())
    return std::clamp(2e5 / (size * size), 3.0, 60.0);  // of bodies that touch it solves one by one
  return std::clamp(1.5e5 / (size * size * size), 12.0, 250.0);
}

/// Scenes of many bodies as they are with fewer.
std::vector<std::string> smaller(const std::string& scene) {
  static const std::map<std::string, std::vector<std::string>> settings = {
      {"ball_cube", {"n=3"}}, {"kapla", {"floors=2"}}, {"planks", {"layers=4"}}, {"pour", {"layers=1"}}};
  const auto found = settings.find(scene);
  return found == settings.end() ? std::vector<std::string>() : found->second;
}

TEST(VerifyScenes, EverySceneObeysWithEveryIntegratorThatFits) {
  int judged = 0;
  std::int64_t single = 0, smooth = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem();
    const std::vector<std::string> settings = smaller(name);
    const Scene plain = load_scene(entry.path(), {.settings = settings, .integrator = {}, .dt = {}, .until = {}});
    for (const std::string& integrator : fitting_integrators(*plain.system)) {
      SCOPED_TRACE(name + " with " + integrator);
      const double steps = affordable_steps(*plain.system);
      Scene scene = load_scene(entry.path(), {.settings = settings, .integrator = integrator, .dt = {}, .until = {}});
      scene.run.until = std::min(scene.run.until, scene.start.t + steps * scene.run.dt);
      scene.run.every = std::max(scene.run.every, scene.run.dt);
      const Verdict verdict = judge(scene);
      EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
      EXPECT_TRUE(verdict.single_steps + verdict.smooth > 0) << verdict_text(verdict);
      ++judged;
      single += verdict.single_steps;
      smooth += verdict.smooth;
    }
  }
  EXPECT_GE(judged, 200);
  EXPECT_GE(single, 20'000);
  EXPECT_GE(smooth, 2'500);
}

// Where things happen: impacts, stops, reversals, accumulations.
TEST(VerifyScenes, LongerRunsWithImpactsObey) {
  for (const auto& [name, dt, until] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"woodpecker", "1e-4", "0.15"},
                                                                      {"bouncing_ball", "1e-3", "1.5"},
                                                                      {"rocking_block", "1e-3", "1.0"},
                                                                      {"tippe_top", "1e-3", "0.6"},
                                                                      {"painleve_rod", "1e-3", "1.2"},
                                                                      {"double_pendulum_wall", "2e-3", "2.0"},
                                                                      {"oscillator", "1e-4", "0.08"},
                                                                      {"vibrating_table", "1e-3", "0.8"},
                                                                      {"impacting_pendulum", "1e-3", "1.0"},
                                                                      {"cradle", "1e-4", "0.05"}}) {
    const Scene plain = test::load(name);
    for (const std::string& integrator : fitting_integrators(*plain.system)) {
      SCOPED_TRACE(name + " with " + integrator);
      const Verdict verdict = judge(test::load(name, {.settings = {}, .integrator = integrator, .dt = dt, .until = until}));
      EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
    }
  }
}

// Nothing holds along x: the pad sticks along y alone, and the motion along x, x'' = 1, goes on.
TEST(VerifyScenes, APadWithoutALimitAlongOneVelocityObeys) {
  for (const char* integrator : {"event-driven", "moreau", "consistent-2"}) {
    Scene scene = test::scene_from(R"TOML(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "-x - 0.5*y"
[[dry_friction]]
name = "pad"
velocity = ["x'", "y'"]
limit = [0, 2]
[initial]
"y'" = 1
[run]
integrator = ")TOML" + std::string(integrator) +
                                   "\"\ndt = 1e-3\nuntil = 2\n");
    const Verdict verdict = judge(scene);
    EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  }
}

// It comes in with 0.3 m/s for 0.1 s, braked by 1 N, and goes out for 0.2 s: the sum of the friction points along the mean slip, 0.05 m/s.
TEST(VerifyScenes, ASlipThatTurnsRoundBetweenSamplesObeys) {
  const Scene scene = test::scene_from(R"TOML(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "2*x"
[[dry_friction]]
name = "pad"
velocity = ["x'", "y'"]
limit = 1
[initial]
"x'" = 0.3
"y'" = 1e-3
[run]
integrator = "event-driven"
until = 0.3
[output]
every = 0.3
)TOML");
  const test::TemporaryFolder folder;
  Recording recording(folder.path() / "run.h5", *scene.system, scene.origin, scene.run, scene.start.t);
  const RunSummary summary = simulate(*scene.system, scene.start, scene.run, {.recorder = &recording});
  const Verdict verdict = verify::verify_run(read_recording(folder.path() / "run.h5"), summary);
  EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
  EXPECT_GT(verdict.of(Kind::kEvents).checks, 0);
}

// Its velocity grows out of exp(-10^4): squares and products of it are too small for numbers with all their digits.
TEST(VerifyScenes, AMotionThatBeginsWithNextToNothingObeys) {
  const Verdict verdict = judge(test::scene_from(R"TOML(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
[lagrangian.forces]
x = "100*exp(-((t - 1)/0.01)^2)"
[run]
integrator = "moreau"
dt = 1e-3
until = 1.1
)TOML"));
  EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
}

// Impact laws that a step solves before its motion.
TEST(VerifyScenes, EveryImpactLawObeys) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    for (const char* integrator : {"moreau", "consistent-2", "consistent-mq", "event-driven"}) {
      SCOPED_TRACE(std::string(law) + " with " + integrator);
      const Scene scene = read_scene(std::string(R"TOML(
tippe = 1
[lagrangian]
coordinates = ["x", "y", "phi"]
kinetic = "0.5*2*(x'^2 + y'^2) + 0.5*0.1*phi'^2"
potential = "2*9.81*y"
[[contact]]
name = "left"
gap = "y - 0.2*cos(phi) - 0.3*sin(phi)"
slip = "x' + 0.2*cos(phi)*phi' - 0.3*sin(phi)*phi'"
friction = 0.3
restitution = 0.6
restitution_tangential = 0.6
[[contact]]
name = "right"
gap = "y - 0.2*cos(phi) + 0.3*sin(phi)"
slip = "x' + 0.2*cos(phi)*phi' + 0.3*sin(phi)*phi'"
friction = 0.3
restitution = 0.6
restitution_tangential = 0.6
[initial]
y = 0.4
phi = 0.1
"x'" = 1
[run]
dt = 1e-3
until = 0.5
impact_law = ")TOML") + law + "\"\n",
                                     "box.toml", {.settings = {}, .integrator = integrator, .dt = {}, .until = {}});
      const Verdict verdict = judge(scene);
      EXPECT_TRUE(verdict.obeys()) << verdict_text(verdict);
      EXPECT_GT(verdict.of(Kind::kPull).checks, 0);
    }
  }
}

}  // namespace tippe::verify_scenes_test
