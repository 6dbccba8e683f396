// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/impact.h"

#include <fmt/format.h>

#include "support/random.h"
#include "support/scenes.h"

namespace tippe::hybrid_impact_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = ImpactOutcome::Status;

Scene scene_of(const std::string& text) {
  return test::scene_from(text + "\n[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 1e-3\n");
}

ImpactOutcome hit(const Scene& scene, double restitution = 1.0) {
  return resolve_impact(*scene.system, scene.start, std::vector<bool>(scene.system->laws().size(), true), restitution);
}

// A ball falls with 2 m/s on a table that rises with 0.5 m/s: its relative velocity 2.5 m/s becomes -0.6 times that. The table does the
// work p w with p = m (1 + e) 2.5, and m/2 (1 - e^2) 2.5^2 is lost.
TEST(Impact, ABallOnARisingTable) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const ImpactOutcome outcome = hit(scene_of(fmt::format(R"toml(
[lagrangian]
coordinates = ["y"]
kinetic = "0.5*3*y'^2"
[[contact]]
name = "table"
gap = "y - 0.5*t"
restitution = 0.6
impact_law = "{}"
[initial]
"y'" = -2
)toml",
                                                           law)));
    ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
    EXPECT_NEAR(outcome.u[0], 0.5 + 0.6 * 2.5, 1e-12) << law;
    EXPECT_NEAR(outcome.impulse[0], 3 * 1.6 * 2.5, 1e-11) << law;
    EXPECT_NEAR(outcome.work, 3 * 1.6 * 2.5 * 0.5, 1e-11) << law;
    EXPECT_NEAR(outcome.lost, 1.5 * (1.0 - 0.36) * 6.25, 1e-11) << law;
    EXPECT_EQ(outcome.closed, std::vector<int>{0});
    EXPECT_EQ(outcome.hit, std::vector<int>{0});
  }
}

// Moeller (3.163)-(3.168): with epsilon = (0, 1) Newton's law gives u1+ = 0, u2+ = u1- - u2- and the gain -m u1- u2-. By Poisson's law
// the compression ends at rest, and the second mass leaves with -u2-.
TEST(Impact, ClutchAndContact) {
  for (const bool newton : {true, false}) {
    const ImpactOutcome outcome = hit(scene_of(fmt::format(R"toml(
[lagrangian]
coordinates = ["x1", "x2"]
kinetic = "0.5*x1'^2 + 0.5*x2'^2"
[[one_way]]
name = "clutch"
velocity = "x1'"
impact_law = "{}"
[[contact]]
name = "contact"
gap = "x2 - x1"
restitution = 1
[initial]
"x1'" = 2
"x2'" = -3
)toml",
                                                           newton ? "newton" : "poisson")));
    ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
    EXPECT_NEAR(outcome.u[0], 0.0, 1e-10);
    EXPECT_NEAR(outcome.u[1], newton ? 5.0 : 3.0, 1e-10);
    EXPECT_NEAR(outcome.lost, newton ? -6.0 : 2.0, 1e-10);
    EXPECT_EQ(outcome.note.find("the energy rises by 6 J") != std::string::npos, newton) << outcome.note;
  }
}

// Three equal balls in a row, the first with speed 1. Newton's law asks for gap velocities (1, 0) after the impact, which with the
// momentum 1 gives (-1, 2, 2) / 3: no energy is lost, but a cradle does otherwise. A plastic impact gives 1/3 to each.
TEST(Impact, ThreeBalls) {
  const Scene scene = scene_of(R"toml(
[lagrangian]
coordinates = ["x1", "x2", "x3"]
kinetic = "0.5*(x1'^2 + x2'^2 + x3'^2)"
[[contact]]
name = "a"
gap = "x2 - x1"
restitution = 1
[[contact]]
name = "b"
gap = "x3 - x2"
restitution = 1
[initial]
"x1'" = 1
)toml");
  const ImpactOutcome elastic = hit(scene), plastic = hit(scene, 0.0);
  ASSERT_EQ(elastic.status, Status::kDone) << elastic.note;
  EXPECT_LT((elastic.u - VectorXd{{-1.0, 2.0, 2.0}} / 3.0).norm(), 1e-14);
  EXPECT_NEAR(elastic.lost, 0.0, 1e-14);
  EXPECT_EQ(elastic.alternatives, 0);
  EXPECT_LT((plastic.u - VectorXd::Constant(3, 1.0 / 3.0)).norm(), 1e-14);
  EXPECT_NEAR(plastic.lost, 1.0 / 3.0, 1e-14);
  // Only the contact that is closed takes part.
  const ImpactOutcome first = resolve_impact(*scene.system, scene.start, {true, false});
  EXPECT_LT((first.u - VectorXd{{0.0, 1.0, 0.0}}).norm(), 1e-14);
  EXPECT_EQ(first.closed, std::vector<int>{0});
}

// A bar (m = 2, J about its middle) falls flat on three supports in a line: the impulses are not unique, their sum is m (1 + e) v.
TEST(Impact, RedundantSupports) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const ImpactOutcome outcome = hit(scene_of(fmt::format(R"toml(
[lagrangian]
coordinates = ["y", "phi"]
kinetic = "y'^2 + 0.3*phi'^2"
[[contact]]
name = "left"
gap = "y - phi"
restitution = 0.5
impact_law = "{}"
[[contact]]
name = "middle"
gap = "y"
restitution = 0.5
[[contact]]
name = "right"
gap = "y + phi"
restitution = 0.5
[initial]
"y'" = -1
)toml",
                                                           law)));
    ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
    EXPECT_NEAR(outcome.u[0], 0.5, 1e-11) << law;
    EXPECT_NEAR(outcome.u[1], 0.0, 1e-11) << law;
    EXPECT_NEAR(outcome.impulse.sum(), 3.0, 1e-10) << law;
    EXPECT_GE(outcome.impulse.minCoeff(), 0.0);
    EXPECT_NEAR(outcome.lost, 0.75, 1e-10) << law;
  }
}

// A bead of mass 1 on the line y = x, held by a constraint, hits the floor. Along the line m_eff = 2 (in y), so the floor's impulse is
// 2 (1 + e) v and the constraint's, x - y = 0, is that which turns the bead: 1 (1 + e) v in x. A point without mass below the bead,
// rigidly connected, is what touches.
TEST(Impact, ConstraintsAndALinkWithoutMass) {
  for (const char* law : {"newton", "poisson", "moreau"}) {
    const ImpactOutcome outcome = hit(scene_of(fmt::format(R"toml(
[lagrangian]
coordinates = ["x", "y", "foot"]
kinetic = "0.5*(x'^2 + y'^2)"
[[bilateral]]
name = "guide"
position = "x - y"
[[bilateral]]
name = "link"
position = "y - foot - 1"
[[contact]]
name = "floor"
gap = "foot"
restitution = 0.25
impact_law = "{}"
[initial]
x = 1
y = 1
"x'" = -2
"y'" = -2
"foot'" = -2
)toml",
                                                           law)));
    ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
    EXPECT_LT((outcome.u - VectorXd::Constant(3, 0.5)).norm(), 1e-11) << law;
    EXPECT_NEAR(outcome.impulse[0], 2 * 1.25 * 2, 1e-10) << law;
    ASSERT_EQ(outcome.constraints.size(), 2);
    EXPECT_NEAR(outcome.constraints[0], 1.25 * 2, 1e-10) << law;
    EXPECT_NEAR(outcome.constraints[1], 2 * 1.25 * 2, 1e-10) << law;
    EXPECT_NEAR(outcome.lost, 4.0 * (1.0 - 1.0 / 16.0), 1e-10) << law;
  }
}

// A sphere (radius 1, J = 2/5) hits the floor in space, sliding along a diagonal: friction mu p_N against the slip, p_N = (1 + e) v.
TEST(Impact, ASphereSlidesInSpace) {
  const ImpactOutcome outcome = hit(scene_of(R"toml(
[lagrangian]
coordinates = ["x", "y", "z", "a", "b"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2) + 0.2*(a'^2 + b'^2)"
[[contact]]
name = "floor"
gap = "z"
slip = ["x' - a'", "y' - b'"]
friction = 0.1
restitution = 0.5
[initial]
"x'" = 3
"y'" = 4
"z'" = -2
)toml"));
  ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
  EXPECT_NEAR(outcome.u[2], 1.0, 1e-9);
  EXPECT_NEAR(outcome.impulse[0], 3.0, 1e-9);
  EXPECT_NEAR(outcome.impulse[1], -0.3 * 0.6, 1e-9);
  EXPECT_NEAR(outcome.impulse[2], -0.3 * 0.8, 1e-9);
  EXPECT_NEAR(outcome.u[3], 0.3 * 0.6 / 0.4, 1e-9);
  EXPECT_FALSE(outcome.alternatives.has_value());
}

// The same in the plane with friction enough to stick, and tangential restitution e_T = 1: the slip is reversed (a superball).
TEST(Impact, ASuperballReversesItsSlip) {
  const ImpactOutcome outcome = hit(scene_of(R"toml(
[lagrangian]
coordinates = ["x", "y", "a"]
kinetic = "0.5*(x'^2 + y'^2) + 0.2*a'^2"
[[contact]]
name = "floor"
gap = "y"
slip = "x' - a'"
friction = 5
restitution = 1
restitution_tangential = 1
[initial]
"x'" = 3
"y'" = -2
"a'" = -1
)toml"));
  ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
  EXPECT_NEAR(outcome.u[0] - outcome.u[2], -4.0, 1e-12);
  EXPECT_NEAR(outcome.u[0] + 0.4 * outcome.u[2], 3.0 - 0.4, 1e-12);  // angular momentum about the contact
  EXPECT_NEAR(outcome.u[1], 2.0, 1e-12);
  EXPECT_NEAR(outcome.lost, 0.0, 1e-12);
  EXPECT_EQ(outcome.alternatives, 0);
}

// G = [[1, 0.9], [0.9, 1]] and mu = 2: a contact that slides forward and opens slowly, (v_N, v_T) = (0.1, 1), may as well jam. Sliding on with an
// impulse, 0.1 + (1 - 0.9 mu) p = 0, gives p = 0.125; sticking needs p = (0.8, -0.91) / 0.19, within the cone. Nothing at all loses least.
TEST(Impact, TellsOfOtherOutcomes) {
  const ImpactOutcome outcome = hit(scene_of(R"toml(
[lagrangian]
coordinates = ["n", "s"]
kinetic = "0.5*(n'^2 - 1.8*n'*s' + s'^2)/0.19"
[[contact]]
name = "jamming"
gap = "n"
slip = "s'"
friction = 2
[initial]
"n'" = 0.1
"s'" = 1
)toml"));
  ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
  EXPECT_EQ(outcome.alternatives, 2) << outcome.note;
  EXPECT_NE(outcome.note.find("2 other outcomes are consistent too"), std::string::npos) << outcome.note;
  EXPECT_EQ(outcome.impulse, VectorXd::Zero(2));
  EXPECT_TRUE(outcome.hit.empty());
}

// A contact on a body that constraints hold takes no impulse, whatever hits beside it.
TEST(Impact, AContactThatConstraintsHoldAlone) {
  const ImpactOutcome outcome = hit(scene_of(R"toml(
[lagrangian]
coordinates = ["x", "y", "z"]
kinetic = "0.5*(x'^2 + y'^2 + z'^2)"
[[bilateral]]
name = "guide"
position = "0.6*x + 0.8*y"
[[contact]]
name = "held"
gap = "0.3*x + 0.4*y"
[[contact]]
name = "floor"
gap = "z"
restitution = 0.5
[initial]
"x'" = 0.8
"y'" = -0.6
"z'" = -2
)toml"));
  ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
  EXPECT_LT((outcome.u - VectorXd{{0.8, -0.6, 1.0}}).norm(), 1e-12);
  EXPECT_NEAR(outcome.impulse[1], 3.0, 1e-12);
}

// Two walls that close on a ball between them: with e = 1 each asks for a velocity away from it, which nothing has.
TEST(Impact, NoVelocitiesBetweenClosingWalls) {
  const ImpactOutcome outcome = hit(scene_of(R"toml(
[lagrangian]
coordinates = ["x"]
kinetic = "0.5*x'^2"
[[contact]]
name = "left"
gap = "x - t"
restitution = 1
[[contact]]
name = "right"
gap = "-x - t"
restitution = 1
)toml"));
  EXPECT_EQ(outcome.status, Status::kNoSolution) << outcome.note;
  EXPECT_FALSE(outcome.note.empty());
}

TEST(Impact, NamesADirectionWithoutMass) {
  const Scene scene = scene_of(R"toml(
[lagrangian]
coordinates = ["x", "y"]
kinetic = "0.5*x'^2*y^2 + 0.5*y'^2"
[[contact]]
name = "floor"
gap = "y - 1"
[initial]
y = 1
)toml");
  State state = scene.start;
  state.q[1] = 0.0;
  const ImpactOutcome outcome = resolve_impact(*scene.system, state, {true});
  EXPECT_EQ(outcome.status, Status::kNotSolved);
  EXPECT_NE(outcome.note.find("x"), std::string::npos) << outcome.note;
}

std::string sum(const VectorXd& factors, const std::string& suffix) {
  std::string text;
  for (Eigen::Index i = 0; i < factors.size(); ++i)
    text += fmt::format("{}({:.17g})*x{}{}", i ? " + " : "", factors[i], i, suffix);
  return text;
}

/// A system of n coordinates with a full mass matrix, contacts on moving walls, a moving constraint, and a kinetic energy with terms linear in
/// the velocities.
Scene random_scene(test::Random& random, int n, int contacts, const char* law, bool friction) {
  std::string text = "[lagrangian]\ncoordinates = [";
  for (int i = 0; i < n; ++i) text += fmt::format("{}\"x{}\"", i ? ", " : "", i);
  text += "]\nkinetic = \"";
  for (int i = 0; i < n; ++i) {
    VectorXd row = random.vector(n, 0.4);
    row[i] += random.uniform(0.7, 2.0);
    text += fmt::format("{}0.5*({} + {:.6g}*cos(t))^2", i ? " + " : "", sum(row, "'"), random.uniform(-1.0, 1.0));
  }
  text += fmt::format("\"\n[[bilateral]]\nname = \"joint\"\nvelocity = \"{} + {:.6g}\"\n", sum(random.vector(n), "'"),
                      random.uniform(-1.0, 1.0));
  const double common = random.uniform(0.0, 1.0);
  for (int k = 0; k < contacts; ++k) {
    text +=
        fmt::format("[[contact]]\nname = \"c{}\"\ngap = \"{} + {:.6g}*sin(t)\"\nrestitution = {:.6g}\nimpact_law = \"{}\"\n",
                    k, sum(random.vector(n), ""), random.uniform(-1.0, 1.0),
                    std::string(law) == "newton" ? random.uniform(0.0, 1.0) : common, law);
    if (friction && k % 3 != 2)
      text += fmt::format("slip = \"{} + {:.6g}*cos(t)\"\nfriction = {:.6g}\n", sum(random.vector(n), "'"),
                          random.uniform(-1.0, 1.0), random.uniform(0.0, 0.5));
  }
  text += "[initial]\nproject = true\n";
  for (int i = 0; i < n; ++i) text += fmt::format("\"x{}'\" = {:.6g}\n", i, random.uniform(-2.0, 2.0));
  return scene_of(text);
}

/// What an impact must be, from the equations of the system: momentum, laws, energy.
void check_outcome(const Scene& scene, const ImpactOutcome& outcome, bool newton, const std::string& label) {
  const System& system = *scene.system;
  const auto evaluator = system.make_evaluator();
  evaluator->set_state(scene.start.t, scene.start.q, scene.start.u);
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  VectorXd momentum = VectorXd::Zero(system.nu());
  for (size_t e = 0; e < dynamics.M.size(); ++e) {
    const auto [i, j] = system.mass_pattern()[e];
    momentum[i] += dynamics.M[e] * (outcome.u[j] - scene.start.u[j]);
    if (i != j) momentum[j] += dynamics.M[e] * (outcome.u[i] - scene.start.u[i]);
  }
  SparseColumns W;
  VectorXd chi;
  evaluator->evaluate_constraint_directions(W, chi);
  for (int k = 0; k < W.columns(); ++k) {
    EXPECT_NEAR(W.dot(k, outcome.u.data()) + chi[k], 0.0, 1e-11) << label;
    W.add_to(k, -outcome.constraints[k], momentum.data());
  }
  int row = 0;
  for (int law = 0; law < static_cast<int>(system.laws().size()); ++law) {
    const ForceLaw& force_law = system.laws()[law];
    SparseColumns D;
    std::vector<double> rate;
    evaluator->append_directions(list_of_fixed_laws(system.laws()), law, D, rate);
    for (int k = 0; k < force_law.rows; ++k) {
      const double p = outcome.impulse[row + k];
      D.add_to(k, -p, momentum.data());
      const double before = D.dot(k, scene.start.u.data()) + rate[k], after = D.dot(k, outcome.u.data()) + rate[k];
      if (!newton) continue;
      const double xi = after + force_law.epsilon[k] * before;
      if (k == 0) {
        EXPECT_GE(p, -1e-10) << label;
        EXPECT_GE(xi, -1e-9) << label;
        EXPECT_NEAR(p * xi, 0.0, 1e-9) << label;
      } else {
        const double limit = force_law.mu1 * outcome.impulse[row];
        EXPECT_LE(std::abs(p), limit + 1e-9) << label;
        if (std::abs(xi) > 1e-7) {
          EXPECT_NEAR(p, xi > 0.0 ? -limit : limit, 1e-8) << label;
        }
      }
    }
    row += force_law.rows;
  }
  EXPECT_LT(momentum.norm(), 1e-10) << label;
  const auto energy = [&](const VectorXd& u) {
    evaluator->set_state(scene.start.t, scene.start.q, u);
    const Energies energies = evaluator->evaluate_energies();
    return energies.kinetic - energies.drive;
  };
  EXPECT_NEAR(energy(outcome.u) - energy(scene.start.u), outcome.work - outcome.lost, 1e-10) << label;
  EXPECT_NEAR(outcome.lost_by_law.sum(), outcome.lost, 1e-11) << label;
}

TEST(Impact, RandomSystemsKeepMomentumLawsAndEnergy) {
  test::Random random(8);
  int hits = 0;
  for (int trial = 0; trial < 90; ++trial) {
    const char* law = trial % 3 == 0 ? "poisson" : trial % 3 == 1 ? "moreau" : "newton";
    const int n = 2 + random.below(5), contacts = 1 + random.below(3);
    const std::string label = fmt::format("trial {}, {}, {} coordinates, {} contacts", trial, law, n, contacts);
    const Scene scene = random_scene(random, n, std::min(contacts, n - 1), law, trial % 2 == 0);
    const ImpactOutcome outcome = hit(scene);
    ASSERT_EQ(outcome.status, Status::kDone) << label << ": " << outcome.note;
    EXPECT_LE(outcome.residual, 1e-9) << label;
    check_outcome(scene, outcome, trial % 3 == 2, label);
    hits += outcome.hit.empty() ? 0 : 1;
  }
  EXPECT_GT(hits, 50);
}

}  // namespace tippe::hybrid_impact_test
