// SPDX-License-Identifier: Apache-2.0
// A word for an impact law means the same everywhere: `run` with Moreau's rule, `run` event-driven and `analyze` find the same impulses under it.
#include <fmt/format.h>

#include "support/random.h"
#include "support/scenes.h"
#include "tippe/analyze/impact_laws.h"
#include "tippe/integrate/instant_of_system.h"

namespace tippe::scenes_impact_laws_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

struct Hit {
  VectorXd u;         // after the impact
  VectorXd impulses;  // rows of all laws
};

Hit by_moreau(const Scene& scene) {
  const auto integrator = find_integrator("moreau")->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  const StepReport report = integrator->step(state, scene.run.dt);
  EXPECT_TRUE(report.ok()) << describe_failure(*scene.system, report, state);
  return {state.u, integrator->last_laws().impulse};
}

Hit by_events(const Scene& scene) {
  const auto integrator = find_integrator("event-driven")->make(*scene.system, scene.run.integrator_options);
  State state = scene.start;
  for (int step = 0; step < 10; ++step) {
    const StepReport report = integrator->step(state, scene.run.dt);
    EXPECT_TRUE(report.ok()) << describe_failure(*scene.system, report, state);
    for (const Event& event : integrator->last_events()) {
      if (event.kind == EventKind::kImpact) return {state.u, integrator->last_laws().impulse};
    }
  }
  ADD_FAILURE() << "event-driven found no impact";
  return {};
}

/// In the order of rows of the laws.
Hit by_analysis(const Scene& scene) {
  const Instant instant = instant_of(*scene.system, scene.start, {});
  EXPECT_TRUE(instant.impact);
  if (!instant.impact) return {};
  const ImpactReport report = judge_impact(*instant.impact);
  const std::optional<ImpactOfLaw>& outcome = report.by(scene.system->impact_law());
  EXPECT_EQ(report.law, scene.system->impact_law());
  EXPECT_TRUE(outcome) << fmt::format("{}", fmt::join(report.warnings, " "));
  if (!outcome) return {};
  VectorXd impulses(outcome->impulses.size() + outcome->friction.size());
  Eigen::Index row = 0, tangent = 0;
  for (Eigen::Index i = 0; i < outcome->impulses.size(); ++i) {
    impulses[row++] = outcome->impulses[i];
    for (int k = 0; k < instant.impact->unilateral[static_cast<size_t>(i)].tangent_count(); ++k)
      impulses[row++] = outcome->friction[tangent++];
  }
  return {outcome->velocity_after, impulses};
}

void expect_same(const VectorXd& seen, const VectorXd& expected, const char* what) {
  ASSERT_EQ(seen.size(), expected.size()) << what;
  EXPECT_LE((seen - expected).norm(), 1e-8 * (1.0 + expected.norm()))
      << what << "\n  " << seen.transpose() << "\n  " << expected.transpose();
}

Scene corner(const std::string& impact_law, double restitution) {
  return test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2 + 0.5*y'^2"
[[contact]]
name = "floor"
gap = "y"
restitution = {1}
impact_law = "{0}"
[[contact]]
name = "wall"
gap = "0.6*x + 0.8*y"
restitution = {1}
[initial]
"x'" = 1
"y'" = -1
[run]
dt = 1e-6
until = 1e-6
)toml",
                                      impact_law, restitution));
}

// A = [1 0.8; 0.8 1], gamma- = (-1, -0.2). The floor alone stops the mass, gamma+ = (0, 0.6), so that with restitution e every law gives
// p = (1 + e, 0): Newton xi = gamma+ + e gamma- = (0, 0.6 (1 + e)), Poisson's expansion keeps the wall open.
TEST(ImpactLawsAgree, InACornerByHand) {
  for (const ImpactLawWords& words : kImpactLaws) {
    for (const double e : {0.0, 0.5}) {
      SCOPED_TRACE(fmt::format("{}, restitution {}", words.name, e));
      const Scene scene = corner(words.name, e);
      for (const Hit& hit : {by_moreau(scene), by_events(scene), by_analysis(scene)}) {
        expect_same(hit.impulses, Vector2d(1.0 + e, 0.0), "impulses");
        expect_same(hit.u, Vector2d(1.0, e), "velocities");
      }
    }
  }
}

// A disc, m = 2, J = 1, r = 1, falls on the floor with 3 m/s and a slip of 4 m/s, e = 1/2, mu = 1/4. G_TT = 1/m + r^2/J = 3/2, G_NT = 0.
// Newton and Poisson: p_N = 2 (3 + 3/2) = 9, friction at its limit 9/4: the slip needs 4/(3/2) = 8/3 to stop. With mu = 1/2 it stops: p_T = -8/3.
// Moreau: compression p_N = 6, p_T = -min(6 mu, 8/3), all times 3/2: with mu = 1/2 p_T = -4, and the slip goes back.
TEST(ImpactLawsAgree, OnADiscThatSlips) {
  for (const ImpactLawWords& words : kImpactLaws) {
    for (const double mu : {0.25, 0.5}) {
      SCOPED_TRACE(fmt::format("{}, mu = {}", words.name, mu));
      const Scene scene = test::scene_from(fmt::format(R"toml(
[lagrangian]
coordinates = ["x", "y", "phi"]
kinetic = "x'^2 + y'^2 + 0.5*phi'^2"
[[contact]]
name = "floor"
gap = "y"
slip = "x' + phi'"
friction = {1}
restitution = 0.5
impact_law = "{0}"
[initial]
"x'" = 3
"y'" = -3
"phi'" = 1
[run]
dt = 1e-6
until = 1e-6
)toml",
                                                       words.name, mu));
      const double friction =
          words.law == ImpactLaw::kMoreau ? 1.5 * std::min(6.0 * mu, 8.0 / 3.0) : std::min(9.0 * mu, 8.0 / 3.0);
      for (const Hit& hit : {by_moreau(scene), by_events(scene), by_analysis(scene)}) {
        expect_same(hit.impulses, Vector2d(9.0, -friction), "impulses");
        expect_same(hit.u, Eigen::Vector3d(3.0 - friction / 2.0, 1.5, 1.0 - friction), "velocities");
      }
    }
  }
}

/// Three contacts with random directions that all close, with `slips` directions of friction each. There are as many coordinates as impulses at most,
/// so that these are determined.
Scene random_impact(test::Random& random, const std::string& impact_law, int slips) {
  constexpr int kCoordinates = 9;
  const auto linear = [&](const VectorXd& row, const char* prime) {
    std::string text = "0";
    for (int k = 0; k < kCoordinates; ++k) text += fmt::format(" + ({:.17g})*q{}{}", row[k], k, prime);
    return text;
  };
  const VectorXd u = random.vector(kCoordinates), m = (random.vector(kCoordinates).array() + 1.5).matrix();
  const double e = 0.25 * random.below(5);
  std::string names, kinetic = "0";
  for (int k = 0; k < kCoordinates; ++k) {
    names += fmt::format("{}\"q{}\"", k == 0 ? "" : ", ", k);
    kinetic += fmt::format(" + {:.17g}*q{}'^2", 0.5 * m[k], k);
  }
  std::string text = fmt::format("[lagrangian]\ncoordinates = [{}]\nkinetic = \"{}\"\n", names, kinetic);
  for (int i = 0; i < 3; ++i) {
    VectorXd normal = random.vector(kCoordinates);
    if (normal.dot(u) > 0.0) normal = -normal;
    const double own = impact_law == "moreau" ? e : 0.25 * random.below(5);
    text += fmt::format("[[contact]]\nname = \"c{}\"\ngap = \"{}\"\nrestitution = {}\nimpact_law = \"{}\"\n", i,
                        linear(normal, ""), own, impact_law);
    if (slips == 0) continue;
    std::string directions;
    for (int k = 0; k < slips; ++k)
      directions += fmt::format("{}\"{}\"", k == 0 ? "" : ", ", linear(random.vector(kCoordinates), "'"));
    text += fmt::format("slip = [{}]\nfriction = {:.17g}\n", directions, random.uniform(0.05, 0.2));
  }
  text += "[initial]\n";
  for (int k = 0; k < kCoordinates; ++k) text += fmt::format("\"q{}'\" = {:.17g}\n", k, u[k]);
  return test::scene_from(text + "[run]\ndt = 1e-6\nuntil = 1e-6\n");
}

// Little friction, so that outcomes are unique.
TEST(ImpactLawsAgree, OnRandomImpacts) {
  test::Random random(20);
  for (const ImpactLawWords& words : kImpactLaws) {
    for (const int slips : {0, 1, 2}) {
      for (int trial = 0; trial < 25; ++trial) {
        SCOPED_TRACE(fmt::format("{}, {} directions of friction, trial {}", words.name, slips, trial));
        const Scene scene = random_impact(random, words.name, slips);
        const Hit analysed = by_analysis(scene), stepped = by_moreau(scene), event = by_events(scene);
        expect_same(stepped.impulses, analysed.impulses, "impulses of moreau and analyze");
        expect_same(stepped.u, analysed.u, "velocities of moreau and analyze");
        expect_same(event.impulses, analysed.impulses, "impulses of event-driven and analyze");
        expect_same(event.u, analysed.u, "velocities of event-driven and analyze");
      }
    }
  }
}

// Two bodies that do not touch each other land one after the other and stay down. The hit of the one is no reason to hit the other again, whose
// contact is at rest but for round-off.
TEST(ImpactLawsAgree, BodiesThatRestAreNotHitWithOthers) {
  for (const ImpactLawWords& words : kImpactLaws) {
    double energy[3];
    const char* const integrators[] = {"moreau", "quaternion-2", "event-driven"};
    for (int i = 0; i < 3; ++i) {
      const Scene scene = read_scene(fmt::format(R"scene(tippe = 1
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
mass = 1.775
inertia = [0.1775, 0.1775, 0.1775]
position = [0, 0, 0.646]
velocity = [-0.434, 2.132, -1.353]
angular_velocity = [-3.403, -1.736, 3.169]
[[body.sphere]]
radius = 0.283
[[body]]
name = "other"
mass = 2.356
inertia = [0.3534, 0.3534, 0.3534]
position = [2.4, 0, 0.788]
velocity = [1.717, 1.562, -0.994]
angular_velocity = [1.503, -0.196, -3.47]
[[body.sphere]]
radius = 0.271
[[plane]]
name = "floor"
normal = [0, 0, 1]
[[contact_law]]
between = ["*", "*"]
restitution = 0
friction = 1.2
impact_law = "{}"
[run]
dt = 2e-4
until = 0.4
)scene",
                                                 words.name),
                                     "test.toml", {.settings = {}, .integrator = integrators[i], .dt = {}, .until = {}});
      const RunSummary summary = test::run(scene);
      ASSERT_EQ(summary.status, RunStatus::kOk) << integrators[i] << ", " << words.name << ": " << summary.message;
      energy[i] = summary.energy.final;
    }
    EXPECT_NEAR(energy[0], energy[2], 0.02) << words.name;
    EXPECT_NEAR(energy[1], energy[2], 0.02) << words.name;
  }
}

}  // namespace tippe::scenes_impact_laws_test
