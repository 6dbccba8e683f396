// SPDX-License-Identifier: Apache-2.0
// instants/: Delassus matrices and kinetic angles, Painleve's rod, impacts, grasps.
#include <algorithm>
#include <numbers>

#include "support/examples.h"

namespace tippe::analyze_special_examples_test {

using test::expect_direction;
using test::expect_number;
using test::expect_vector;
using test::kClosedForm;

double degrees(double cosine) {
  return 180.0 - std::acos(cosine) * 180.0 / std::numbers::pi;
}

// Brogliato A: A = 1/m + l^2 sin^2/I and A_c = 1/m + 3 sin^2/(m (1 + 3 cos^2)), after (39); 1/(1 + 0.25 q2^2/(1 - q2^2)) after (64).
TEST(SpecialExamples, HaveTheConstrainedDelassusMatricesOfBrogliato) {
  const DelassusReport rod = *analyze(test::load_example("rod_and_wall")).delassus;
  expect_number(rod.matrix(0, 0), 52 / 75.0, kClosedForm, "A");
  expect_number(rod.constrained(0, 0), 1 / 3.0 + 3 * 0.36 / (3 * (1 + 3 * 0.64)), kClosedForm, "A_c");
  expect_number(rod.jointed_acceleration[0], -0.9948 * rod.constrained(0, 0), kClosedForm, "H4");  // its force is 0.9948
  EXPECT_TRUE(rod.definite.yes());
  const DelassusReport ellipse = *analyze(test::load_example("elliptic_manipulator")).delassus;
  expect_number(ellipse.constrained(0, 0), 1 / (1 + 0.25 * 0.36 / 0.64), kClosedForm, "A_c");
  const DelassusReport block = *analyze(test::load_example("block_on_three_points")).delassus;
  EXPECT_EQ(block.rank, 1);
  EXPECT_TRUE(block.definite.no());
  expect_vector(block.eigenvalues, {0, 0, 1}, kClosedForm, "eigenvalues");
}

// 180 degrees minus the angle of the gradients in the kinetic metric, Brogliato A (9): equal directions have 180
// degrees, opposite ones 0.
TEST(SpecialExamples, HaveTheirKineticAngles) {
  const auto angles = [](const std::string& name) { return *analyze(test::load_example(name)).angles; };
  expect_number(angles("rod_and_wall").unilateral_bilateral(0, 0), degrees(-0.48 / std::sqrt(52 / 75.0 * 73 / 75.0)),
                kClosedForm, "rod");
  expect_number(angles("rod_impact_orthogonal_joint").unilateral_bilateral(0, 0), 90, kClosedForm, "orthogonal");
  expect_number(angles("impact_obtuse_angle").unilateral(0, 1), degrees(0.9), kClosedForm, "obtuse");
  expect_number(angles("particle_between_walls").unilateral(0, 1), 0, kClosedForm, "opposite");
  expect_number(angles("block_on_three_points").unilateral(0, 1), 180, kClosedForm, "equal");
  const KineticAngles fingers = angles("two_fingers");
  expect_number(fingers.unilateral(0, 1), 60, kClosedForm, "free");
  expect_number(fingers.unilateral_constrained(0, 1), 90, kClosedForm, "through the rail");
  expect_number(fingers.unilateral_bilateral(0, 0), 135, kClosedForm, "A1 and rail");
  expect_number(fingers.unilateral_bilateral(1, 0), 45, kClosedForm, "A2 and rail");
}

// Brogliato A, Prop. 7 corrected: A_c vanishes at 0 and at 180 degrees.
TEST(SpecialExamples, AreBlockedByAJointAlongTheContact) {
  for (const auto& [name, angle] :
       {std::pair{"aligned_joint_same_direction", 180.0}, {"aligned_joint_opposite_direction", 0.0}}) {
    SCOPED_TRACE(name);
    const Analysis seen = analyze(test::load_example(name));
    EXPECT_EQ(seen.delassus->blocked, std::vector<int>{0});
    EXPECT_EQ(seen.delassus->rank, 0);
    EXPECT_TRUE(seen.delassus->definite.no());
    expect_number(seen.delassus->constrained(0, 0), 0, kClosedForm, "A_c");
    expect_number(seen.angles->unilateral_bilateral(0, 0), angle, kClosedForm, "angle");
  }
}

struct Rod {
  std::string name;
  Painleve::Class classification;
  struct Motion {
    ContactMode mode;
    std::vector<double> forces, acceleration;
  };
  std::vector<Motion> motions;
};

// m = 3, I = 5, normal (0, 1, -1), tangent (1, 0, 2), slip to the left: pushing with n and mu n opens the gap with (8 - 6 mu)/15 n, and
// without a force with b = -g + 2 th'^2. n = -15 b/(8 - 6 mu), x'' = mu n/3, y'' = n/3 - g, th'' = (2 mu - 1) n/5.
TEST(SpecialExamples, ClassifyPainlevesRod) {
  using enum Painleve::Class;
  using enum ContactMode;
  const Rod::Motion lifts = {kOpen, {0, 0}, {0, -9.81, 0}};
  for (const Rod& rod : {
           Rod{"painleve_rod_unique", kUnique, {{kSlideBackward, {73.575, 73.575}, {24.525, 14.715, 14.715}}}},
           Rod{"painleve_rod_lifting", kUnique, {lifts}},
           Rod{"painleve_rod_inconsistent", kInconsistent, {}},
           Rod{"painleve_rod_indeterminate",
               kIndeterminate,
               {lifts, {kSlideBackward, {30.7125, 61.425}, {20.475, 0.4275, 18.4275}}}},
           Rod{"painleve_rod_at_rest", kUnique, {{kStick, {25.0155, 8.829}, {2.943, -1.4715, -1.4715}}}},
       }) {
    SCOPED_TRACE(rod.name);
    const Analysis seen = analyze(test::load_example(rod.name));
    ASSERT_TRUE(seen.painleve && seen.painleve->classification);
    EXPECT_EQ(*seen.painleve->classification, rod.classification);
    EXPECT_EQ(seen.solvability->verdict.yes(), !rod.motions.empty());
    if (rod.name != "painleve_rod_at_rest")
      expect_number(seen.painleve->mu_critical[0], 4 / 3.0, kClosedForm, "critical mu");
    ASSERT_EQ(seen.painleve->solutions.size(), rod.motions.size());
    for (const Rod::Motion& motion : rod.motions) {
      const auto found = std::find_if(seen.painleve->solutions.begin(), seen.painleve->solutions.end(),
                                      [&](const Painleve::Solution& s) { return s.contacts[0] == motion.mode; });
      ASSERT_NE(found, seen.painleve->solutions.end()) << name_of(motion.mode);
      expect_vector(found->forces, motion.forces, kClosedForm, "forces");
      expect_vector(found->acceleration, motion.acceleration, kClosedForm, "acceleration");
    }
  }
  EXPECT_EQ(*analyze(test::load_example("painleve_rod_critical")).painleve->classification, kSingular);
}

// The rod stops as if it were hit: the tip comes to rest in both directions, (8 n - 6 t)/15 = 0, (17 t - 6 n)/15 = 1 m/s.
TEST(SpecialExamples, PainlevesRodStopsWithoutACollision) {
  expect_vector(analyze(test::load_example("painleve_rod_inconsistent")).painleve->impulse, {0.9, 1.2}, 1e-9, "impulse");
}

/// Coulomb's law of a closed contact: n >= 0, no gap or no force, |t| <= mu n, and t takes as much power from the slip that is or begins as
/// it can, t'v = -mu n |v|.
void expect_coulomb(const ContactRows& contact, const Eigen::VectorXd& force, const Eigen::VectorXd& acceleration,
                    double scale) {
  const double n = force[0], gap = contact.normal.dot(acceleration) + contact.drift;
  EXPECT_GE(n, -1e-9 * scale);
  EXPECT_GE(gap, -1e-9 * scale);
  EXPECT_NEAR(n * gap, 0.0, 1e-9 * scale * scale);
  if (contact.tangent_count() == 0) return;
  const Eigen::VectorXd t = force.tail(contact.tangent_count());
  EXPECT_LE(t.norm(), *contact.mu * n + 1e-9 * scale);
  const Eigen::VectorXd begins = contact.tangents.transpose() * acceleration + contact.tangent_drift;
  const Eigen::VectorXd slip = contact.slides() ? contact.slip_direction() : begins;
  EXPECT_NEAR(t.dot(slip), -*contact.mu * n * slip.norm(), 1e-9 * scale * scale);
}

TEST(SpecialExamples, MotionsThatAreListedObeyCoulombsLaw) {
  for (const std::string name :
       {"painleve_rod_unique", "painleve_rod_indeterminate", "painleve_rod_at_rest", "rocking_block", "rocking_block_tips",
        "block_with_pendulum", "three_fingers_tilted", "two_fingers", "massless_held", "ladder_slips",
        "least_norm_violates_coulomb", "box_on_incline", "box_on_incline_slips", "table_four_legs_sticking"}) {
    const Instant instant = test::load_example(name);
    const AccelerationProblem& problem = *instant.acceleration;
    const Painleve seen = classify_painleve(problem);
    EXPECT_FALSE(seen.solutions.empty()) << name;
    for (const Painleve::Solution& solution : seen.solutions) {
      const double scale = 1.0 + problem.F.norm();
      EXPECT_LE((problem.M * solution.acceleration + problem.F - force_directions(problem) * solution.forces).norm(),
                1e-9 * scale);
      Eigen::Index k = 0;
      for (const ContactRows& contact : problem.unilateral) {
        SCOPED_TRACE(name + " " + contact.name);
        expect_coulomb(contact, solution.forces.segment(k, contact.rows()), solution.acceleration, scale);
        k += contact.rows();
      }
    }
  }
}

// A1.n + 2 A2.n = 5 leaves mu (A1.n + A2.n) between 1.25 and 2.5 against a load of 2: x'' is any number from -0.75 to 0, and the ends are listed.
TEST(SpecialExamples, MotionsThatDependOnTheSplitOfForcesAreListedByTheirEnds) {
  const Painleve seen = classify_painleve(*test::load_example("massless_held").acceleration);
  EXPECT_EQ(seen.classification, Painleve::Class::kIndeterminate);
  ASSERT_EQ(seen.solutions.size(), 2u);
  expect_number(seen.solutions[0].acceleration[0], 0.0, kClosedForm, "sticks");
  expect_number(seen.solutions[1].acceleration[0], -0.75, kClosedForm, "slides");
}

// One motion of four feet that stick: every mode in space is decided, and what is left open is the directions of sliding alone. The box that slips
// turns about different points with three and with four feet on the ground.
TEST(SpecialExamples, ModesInSpaceAreDecided) {
  for (const std::string name :
       {"box_on_incline", "table_four_legs_sticking", "grasp_space_two_fingers", "grasp_space_three_fingers"}) {
    const Painleve seen = classify_painleve(*test::load_example(name).acceleration);
    EXPECT_EQ(seen.reason, "one motion was found, but not every direction of sliding in space was tried") << name;
  }
  EXPECT_EQ(classify_painleve(*test::load_example("box_on_incline_slips").acceleration).classification,
            Painleve::Class::kIndeterminate);
}

// The block sticks on two feet: its weight is shared in one way, the friction 6 in many; the smallest forces share it alike.
TEST(SpecialExamples, ForcesThatAreNotUniqueAreTheSmallest) {
  const Painleve seen = classify_painleve(*test::load_example("rocking_block").acceleration);
  ASSERT_EQ(seen.solutions.size(), 1u);
  expect_number(seen.solutions[0].forces[1], -3.0, kClosedForm, "A1.t");
  expect_number(seen.solutions[0].forces[3], -3.0, kClosedForm, "A2.t");
}

// Brogliato A (73), (77), Example 3 with the sign corrected: p = (1 + e) |v|/A_c, p_b = -alpha/(alpha^2 + beta^2) p.
TEST(SpecialExamples, TheRodHitsTheWall) {
  const ImpactReport orthogonal = *analyze(test::load_example("rod_impact_orthogonal_joint")).impact;
  const ImpactReport oblique = *analyze(test::load_example("rod_impact_oblique_joint")).impact;
  const double p = 1.5 * 75 / 52, o = 1.5 * 0.8 * 75 / 43;
  const auto expect = [](const auto& law, double wall, double rail, const std::vector<double>& after, double energy) {
    expect_vector(law.impulses, {wall}, kClosedForm, "wall");
    expect_vector(law.bilateral_impulses, {rail}, kClosedForm, "rail");
    expect_vector(law.velocity_after, after, kClosedForm, "velocity");
    expect_number(law.energy_change, energy, kClosedForm, "energy");
  };
  ASSERT_TRUE(orthogonal.newton && oblique.newton);
  expect(orthogonal.kinematic, p, 0, {-1 + p / 3, 0, 0.6 * p}, -0.25 * p);
  expect(*orthogonal.newton, p, 0, {-1 + p / 3, 0, 0.6 * p}, -0.25 * p);
  const std::vector<double> after = {-0.8 + 0.64 * o / 3, 0.6 - 0.48 * o / 3, 0.6 * o};
  expect(oblique.kinematic, o, -0.6 * o, after, -0.2 * o);
  expect(*oblique.newton, o, -0.6 * o, after, -0.2 * o);
  EXPECT_TRUE(oblique.kinematic.admissible.yes());
}

// Brogliato A, Prop. 19: the kinematic law asks for M v as impulses, (0.91, -0.8); Newton's lets the second contact go.
TEST(SpecialExamples, TheKinematicLawPullsAtAnObtuseAngleAndNewtonsDoesNot) {
  const ImpactReport seen = *analyze(test::load_example("impact_obtuse_angle")).impact;
  expect_vector(seen.kinematic.impulses, {0.91, -0.8}, kClosedForm, "kinematic");
  EXPECT_TRUE(seen.kinematic.admissible.no());
  EXPECT_FALSE(seen.kinematic.reasons.empty());
  ASSERT_TRUE(seen.newton);
  expect_vector(seen.newton->impulses, {0.19, 0}, kClosedForm, "Newton");
  expect_vector(seen.newton->velocity_after, {0, 0.8}, kClosedForm, "velocity");
  expect_number(seen.newton->energy_change, -0.095, kClosedForm, "energy");
}

struct Grasp {
  std::string name;
  bool form, force;
  std::vector<double> unresisted;  // the only one; empty: there is none or many
};

// In the plane four smooth contacts or two in each other's friction cones, in space seven or three, not on a line.
TEST(SpecialExamples, GraspsAreClosedOrNot) {
  for (const Grasp& grasp : {
           Grasp{"grasp_plane_form_closure", true, true, {}},
           Grasp{"grasp_plane_centred", false, true, {0, 0, 1}},
           Grasp{"grasp_plane_two_fingers", false, true, {}},
           Grasp{
               "grasp_plane_two_fingers_offset", false, false, {}},  // slope 0.35 of the line between the fingers, mu = 0.3
           Grasp{"grasp_space_three_fingers", false, true, {}},
           Grasp{"grasp_space_two_fingers", false, false, {0, 0, 0, 1, 0, 0}},
           Grasp{"grasp_space_form_closure", true, true, {}},
           Grasp{"grasp_space_six_contacts", false, false, {}},
       }) {
    SCOPED_TRACE(grasp.name);
    const Instant instant = test::load_example(grasp.name);
    const Closure seen = *analyze(instant).closure;
    EXPECT_EQ(name_of(seen.form.answer), std::string(grasp.form ? "yes" : "no"));
    EXPECT_EQ(name_of(seen.force.answer), std::string(grasp.force ? "yes" : "no"));
    if (!grasp.unresisted.empty()) expect_direction(seen.unresisted, grasp.unresisted, 1e-9, "unresisted");
    EXPECT_EQ(seen.unresisted.size() == 0, grasp.form && grasp.force);
    if (seen.unresisted.size() == 0) continue;
    EXPECT_NEAR(seen.unresisted.cwiseAbs().maxCoeff(), 1.0, 1e-12);
    for (const ContactRows& contact : instant.acceleration->unilateral) {
      const double friction =
          grasp.force ? 0.0 : contact.mu.value_or(0.0) * (contact.tangents.transpose() * seen.unresisted).norm();
      EXPECT_GE(contact.normal.dot(seen.unresisted) - friction, -1e-9) << contact.name;
    }
  }
}

}  // namespace tippe::analyze_special_examples_test
