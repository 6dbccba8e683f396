// SPDX-License-Identifier: Apache-2.0
// The contact problem of a system at a state, against closed forms.
#include "tippe/integrate/instant_of_system.h"

#include "support/scenes.h"

namespace tippe::integrate_instant_of_system_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

Instant at_start(const Scene& scene) {
  return instant_of(*scene.system, scene.start, {scene.run.integrator_options.closed_tolerance, nullptr, 0.0, {}});
}

bool has_note(const Instant& instant, const std::string& text) {
  return std::ranges::any_of(instant.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

// A bead at the bottom of a circle of radius R, gap R - r: at the speed v the gap accelerates by -v^2/R without forces.
const char* const kBowl = R"toml(
[parameters]
R = 2
v = 3
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*1.5*(x'^2 + y'^2)"
potential = "1.5*9.81*y"
[[contact]]
name = "bowl"
gap = "R - sqrt(x^2 + y^2)"
slip = "(x'*y - x*y')/sqrt(x^2 + y^2)"
friction = 0.3
[initial]
y = "-R"
"x'" = "v"
[run]
integrator = "moreau"
dt = 1e-3
until = 0.1
)toml";

TEST(InstantOfSystem, HasTheCurvatureOfAGap) {
  const Instant instant = at_start(test::scene_from(kBowl));
  ASSERT_TRUE(instant.acceleration);
  EXPECT_FALSE(instant.impact);
  const AccelerationProblem& problem = *instant.acceleration;
  EXPECT_NO_THROW(require_valid(problem));
  EXPECT_EQ(problem.coordinates, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(problem.M.isApprox(1.5 * Eigen::Matrix2d::Identity(), 1e-15));
  EXPECT_TRUE(problem.F.isApprox(Vector2d(0.0, 1.5 * 9.81), 1e-15));
  ASSERT_EQ(problem.unilateral.size(), 1u);
  const ContactRows& bowl = problem.unilateral[0];
  EXPECT_EQ(bowl.name, "bowl");
  EXPECT_LT((bowl.normal - Vector2d(0.0, 1.0)).norm(), 1e-15);
  EXPECT_NEAR(bowl.drift, -9.0 / 2.0, 1e-14);
  ASSERT_EQ(bowl.tangent_count(), 1);
  EXPECT_LT((bowl.tangents.col(0) - Vector2d(-1.0, 0.0)).norm(), 1e-15);
  EXPECT_TRUE(bowl.slides());
  EXPECT_NEAR(bowl.slip[0], -3.0, 1e-15);
  EXPECT_EQ(bowl.mu, 0.3);
}

std::string floor_scene(const std::string& initial, const std::string& more = "") {
  return R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y - 0.1*sin(5*t)"
restitution = 0.4
[[contact]]
name = "ceiling"
gap = "1 - y"
)toml" + more +
         "[initial]\n" + initial + "\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.1\n";
}

// The floor moves with 0.5 m/s at the start: it hits a body at rest, and opens under one that is faster.
TEST(InstantOfSystem, TellsClosingFromOpeningContacts) {
  const Instant hit = at_start(test::scene_from(floor_scene("x = 0")));
  ASSERT_TRUE(hit.impact);
  EXPECT_FALSE(hit.acceleration);
  ASSERT_EQ(hit.impact->unilateral.size(), 1u);
  EXPECT_NEAR(hit.impact->unilateral[0].rate, -0.5, 1e-15);
  EXPECT_EQ(hit.impact->common_restitution(), 0.4);
  EXPECT_TRUE(has_note(hit, "'floor' is closing"));

  const Instant flight = at_start(test::scene_from(floor_scene("\"y'\" = 0.6")));
  ASSERT_TRUE(flight.acceleration);
  EXPECT_TRUE(flight.acceleration->unilateral.empty());
  EXPECT_TRUE(has_note(flight, "'floor' is opening"));

  const Instant rest = at_start(test::scene_from(floor_scene("\"y'\" = 0.5")));
  ASSERT_TRUE(rest.acceleration);
  ASSERT_EQ(rest.acceleration->unilateral.size(), 1u);  // the ceiling is open
  EXPECT_EQ(rest.acceleration->unilateral[0].name, "floor");
}

// A gap that is zero but for round-off, 0.1 + 0.2 - 0.3 = 5.6e-17, is closed; one of a micrometre is not.
TEST(InstantOfSystem, TakesRoundOffOfAGapAsClosed) {
  const auto contacts = [](const std::string& y) {
    const Instant instant = at_start(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
[[contact]]
name = "floor"
gap = "y + 0.1 + 0.2 - 0.3"
[initial]
y = )toml" + y + "\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.1\n"));
    return instant.acceleration->unilateral.size();
  };
  EXPECT_EQ(contacts("0"), 1u);
  EXPECT_EQ(contacts("1e-6"), 0u);
}

// A rod whose end A hits the floor while its end B leaves it: B takes part in the impact, which may close it again.
TEST(InstantOfSystem, AnImpactHasAllClosedContacts) {
  const Instant instant = at_start(test::scene_from(R"toml(
[lagrangian]
coordinates = ["y", "phi"]
kinetic = "0.5*y'^2 + 0.05*phi'^2"
[[contact]]
name = "A"
gap = "y - 0.5*sin(phi)"
[[contact]]
name = "B"
gap = "y + 0.5*sin(phi)"
[initial]
"y'" = -0.4
"phi'" = 1
[run]
integrator = "moreau"
dt = 1e-3
until = 0.1
)toml"));
  ASSERT_TRUE(instant.impact);
  EXPECT_EQ(instant.impact->unilateral.size(), 2u);
  EXPECT_EQ(instant.impact->coordinate(1), "phi");
  EXPECT_EQ(instant.impact->restitution.rows(), 2);
}

// What a scheme leaves of the velocity of a lasting contact, a few steps of free fall, is no impact; without the steps it is one.
TEST(InstantOfSystem, AContactThatStepsHeldIsAtRest) {
  const Scene scene = test::scene_from(floor_scene("\"y'\" = 0.498"));  // the floor moves with 0.5 m/s
  LawStep carried(scene.system->laws());
  carried.impulse[0] = 1e-3;
  LawMemory held;
  held.look(carried);
  const auto is_impact = [&](const LawMemory* laws) {
    return instant_of(*scene.system, scene.start,
                      {.closed_tolerance = 0.0, .held = laws, .step = 1e-3, .past = nullptr, .around = {}})
        .impact.has_value();
  };
  EXPECT_TRUE(is_impact(nullptr));
  EXPECT_FALSE(is_impact(&held));
  carried.clear();
  for (int step = 0; step < 3; ++step) held.look(carried);
  EXPECT_TRUE(is_impact(&held));  // forgotten after three steps
}

// Dry friction is a row with its limit, and its velocity where it slides. Its force is bounded: no impact has it.
TEST(InstantOfSystem, TakesDryFrictionAsARowWithItsLimit) {
  const std::string brake = "[[dry_friction]]\nname = \"brake\"\nvelocity = \"x'\"\nlimit = 3\n";
  const Instant slides = at_start(test::scene_from(floor_scene("\"x'\" = -2\n\"y'\" = 0.5", brake)));
  ASSERT_TRUE(slides.acceleration);
  ASSERT_EQ(slides.dry.size(), 1u);
  EXPECT_EQ(slides.dry[0].slip, -2.0);
  EXPECT_EQ(slides.acceleration->F[0], 0.0);
  const Instant holds = at_start(test::scene_from(floor_scene("\"y'\" = 0.5", brake)));
  ASSERT_TRUE(holds.acceleration);
  EXPECT_TRUE(holds.acceleration->bilateral.empty());
  ASSERT_EQ(holds.dry.size(), 1u);
  EXPECT_EQ(holds.dry[0].name, "brake");
  EXPECT_EQ(holds.dry[0].limit, 3.0);
  EXPECT_EQ(holds.dry[0].slip, 0.0);
  EXPECT_EQ(holds.dry[0].direction, Vector2d(1.0, 0.0));
  const Instant hit = at_start(test::scene_from(floor_scene("x = 0", brake)));
  ASSERT_TRUE(hit.impact);
  EXPECT_TRUE(hit.impact->bilateral.empty());
}

// Constraints come with their drift: a pendulum's x^2 + y^2 = l^2 has d gamma/dt = 2 v^2 at constant velocities.
TEST(InstantOfSystem, TakesConstraintsWithTheirDrift) {
  const Instant instant = at_start(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*(x'^2 + y'^2)"
[[bilateral]]
name = "rope"
position = "x^2 + y^2 - 4"
[initial]
y = -2
"x'" = 3
[run]
integrator = "moreau"
dt = 1e-3
until = 0.1
)toml"));
  ASSERT_TRUE(instant.acceleration);
  ASSERT_EQ(instant.acceleration->bilateral.size(), 1u);
  EXPECT_NEAR(instant.acceleration->bilateral[0].drift, 18.0, 1e-14);
  EXPECT_LT((instant.acceleration->bilateral[0].normal - Vector2d(0.0, -4.0)).norm(), 1e-15);
  EXPECT_EQ(instant.acceleration->bilateral[0].name, "rope");
  EXPECT_NO_THROW(require_valid(*instant.acceleration));
}

// Friction of an ellipse, |(f1/mu1, f2/mu2)| <= normal: an isotropic law in a scaled direction.
TEST(InstantOfSystem, ScalesTheDirectionsOfAnisotropicFriction) {
  const Instant instant = at_start(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
[[contact]]
name = "skid"
gap = "z"
slip = ["x'", "y'"]
friction = [0.2, 0.5]
[initial]
"x'" = 1
"y'" = 2
[run]
integrator = "moreau"
dt = 1e-3
until = 0.1
)toml"));
  ASSERT_TRUE(instant.acceleration);
  const ContactRows& skid = instant.acceleration->unilateral[0];
  EXPECT_EQ(skid.mu, 0.5);
  EXPECT_NEAR(skid.tangents(0, 0), 0.4, 1e-15);
  EXPECT_NEAR(skid.tangents(1, 1), 1.0, 1e-15);
  // The force of the law: -(mu1^2 v1, mu2^2 v2)/|(mu1 v1, mu2 v2)| for a unit normal force.
  const VectorXd force = -*skid.mu * skid.tangents * skid.slip_direction();
  const Vector2d expected = -Vector2d(0.04 * 1.0, 0.25 * 2.0) / Vector2d(0.2, 1.0).norm();
  EXPECT_LT((force.head(2) - expected).norm(), 1e-14);
}

}  // namespace tippe::integrate_instant_of_system_test
