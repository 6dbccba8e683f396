// SPDX-License-Identifier: Apache-2.0
#include "tippe/analyze/painleve.h"

#include "support/full_pivot.h"
#include "support/problems.h"
#include "support/sliding_problems.h"
#include "tippe/solve/enumerate.h"
#include "tippe/solve/polyhedron.h"

namespace tippe::analyze_painleve_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Class = Painleve::Class;

constexpr double kSinTheta = 0.894427190999915879;  // tan(theta) = 2

// The critical coefficient of a slender rod is (1 + 3 cos^2) / (3 sin cos), 4/3 at tan(theta) = 2.
TEST(Painleve, TheRodHasItsCriticalCoefficient) {
  const Painleve leaning = classify_painleve(test::painleve_rod(1.0, 0.0));
  EXPECT_NEAR(leaning.mu_critical[0], 4.0 / 3.0, 1e-14);
  EXPECT_TRUE(leaning.beyond_critical.empty());
  AccelerationProblem other_way = test::painleve_rod(1.0, 0.0);
  other_way.unilateral[0].slip[0] = 2.0;
  EXPECT_EQ(classify_painleve(other_way).mu_critical[0], std::numeric_limits<double>::infinity());
}

// A > 0: one motion, with contact if B < 0 (lambda = -B/A) and without if B > 0.
TEST(Painleve, BelowTheCriticalCoefficientTheMotionIsUnique) {
  const Painleve closed = classify_painleve(test::painleve_rod(1.0, 0.0));
  ASSERT_EQ(closed.classification, Class::kUnique);
  ASSERT_EQ(closed.solutions.size(), 1u);
  EXPECT_EQ(closed.solutions[0].contacts[0], ContactMode::kSlideBackward);
  EXPECT_NEAR(closed.solutions[0].forces[0], 10.0 / 0.4, 1e-12);
  EXPECT_NEAR(closed.solutions[0].forces[1], 10.0 / 0.4, 1e-12);  // friction to the right
  EXPECT_NEAR(closed.solutions[0].acceleration[0], 25.0, 1e-12);
  EXPECT_EQ(closed.p_matrix, true);
  const Painleve open = classify_painleve(test::painleve_rod(1.0, 5.0));
  ASSERT_EQ(open.classification, Class::kUnique);
  EXPECT_EQ(open.solutions[0].contacts[0], ContactMode::kOpen);
  EXPECT_NEAR(open.solutions[0].acceleration[1], -10.0, 1e-13);
}

// A < 0 and B > 0: the rod may fall freely or be held down by friction, lambda = -B/A.
TEST(Painleve, BeyondItASpinningRodIsIndeterminate) {
  const double omega = 4.0, B = -10.0 + kSinTheta * omega * omega;
  ASSERT_GT(B, 0.0);
  const Painleve painleve = classify_painleve(test::painleve_rod(1.5, omega));
  ASSERT_EQ(painleve.classification, Class::kIndeterminate);
  ASSERT_EQ(painleve.solutions.size(), 2u);
  EXPECT_EQ(painleve.solutions[0].contacts[0], ContactMode::kSlideBackward);
  EXPECT_NEAR(painleve.solutions[0].forces[0], B / 0.2, 1e-11);
  EXPECT_EQ(painleve.solutions[1].contacts[0], ContactMode::kOpen);
  EXPECT_EQ(painleve.p_matrix, false);
  EXPECT_EQ(painleve.beyond_critical, std::vector<int>{0});
  EXPECT_TRUE(painleve.safe.no());
}

// A < 0 and B < 0: neither. The tip stops at once: with A_nn = 1.6, A_nt = -1.2, A_tt = 3.4 and slip -2 the impulses are
// p_t = 2 / (A_tt - A_nt^2/A_nn) = 0.8, p_n = 0.75 p_t = 0.6, inside the cone since 4/3 < mu.
TEST(Painleve, BeyondItARodThatDoesNotSpinIsInconsistentAndStopsByAnImpact) {
  const Painleve painleve = classify_painleve(test::painleve_rod(1.5, 0.0));
  ASSERT_EQ(painleve.classification, Class::kInconsistent);
  EXPECT_TRUE(painleve.solutions.empty());
  EXPECT_EQ(painleve.cases, 2);
  ASSERT_EQ(painleve.impulse.size(), 2);
  EXPECT_NEAR(painleve.impulse[0], 0.6, 1e-10);
  EXPECT_NEAR(painleve.impulse[1], 0.8, 1e-10);
}

TEST(Painleve, AtTheCriticalCoefficientItIsSingular) {
  EXPECT_EQ(classify_painleve(test::painleve_rod(4.0 / 3.0, 0.0)).classification, Class::kSingular);
}

// What friction does depends on units neither of lengths nor of masses.
TEST(Painleve, DoesNotDependOnUnits) {
  for (const double mass : {1e-6, 1e6}) {
    for (const double length : {1e-4, 1e4}) {
      for (const auto& [mu, omega, expected] :
           {std::tuple{1.0, 0.0, Class::kUnique}, std::tuple{1.5, 4.0, Class::kIndeterminate},
            std::tuple{1.5, 0.0, Class::kInconsistent}}) {
        AccelerationProblem rod = test::painleve_rod(mu, omega);
        rod.M *= mass;
        rod.F *= mass * length;
        rod.M(2, 2) *= length * length;
        ContactRows& tip = rod.unilateral[0];
        tip.normal[2] *= length;
        tip.tangents(2, 0) *= length;
        tip.drift *= length;
        tip.tangent_drift *= length;
        tip.slip *= length;
        const Painleve painleve = classify_painleve(rod);
        EXPECT_EQ(painleve.classification, expected) << mass << " " << length;
        EXPECT_NEAR(painleve.mu_critical[0], 4.0 / 3.0, 1e-13);
      }
    }
  }
}

// Three feet: how they share the weight is open, the motion is not. It does not tip while mu height < half width.
TEST(Painleve, ASlidingBlockOnThreeFeetHasOneMotion) {
  const Painleve painleve = classify_painleve(test::sliding_block({-1.0, 0.2, 1.0}, 0.5, 0.3));
  ASSERT_EQ(painleve.classification, Class::kUnique);
  ASSERT_EQ(painleve.solutions.size(), 1u);
  const VectorXd& forces = painleve.solutions[0].forces;
  EXPECT_NEAR(forces[0] + forces[2] + forces[4], 10.0, 1e-12);
  EXPECT_LE((painleve.solutions[0].acceleration - Vector3d(-3.0, 0.0, 0.0)).norm(), 1e-12);
  // Two feet: friction small against the coupling is safe, and then the matrix is a P-matrix.
  const Painleve two = classify_painleve(test::sliding_block({-1.0, 1.0}, 0.5, 0.3));
  EXPECT_TRUE(two.safe.yes());
  EXPECT_EQ(two.p_matrix, true);
  EXPECT_EQ(two.classification, Class::kUnique);
}

// A block at rest pushed by H on two feet: it sticks up to mu m g, then slides with H - mu m g.
TEST(Painleve, ABlockAtRestSticksOrSlides) {
  for (const double push : {2.0, 4.0}) {
    AccelerationProblem problem = test::sliding_block({-1.0, 1.0}, 0.2, 0.3);
    problem.F[0] = -push;
    for (ContactRows& foot : problem.unilateral) foot.slip.setZero();
    const Painleve painleve = classify_painleve(problem);
    ASSERT_EQ(painleve.classification, Class::kUnique);
    EXPECT_EQ(painleve.cases, 16);
    EXPECT_EQ(painleve.solutions[0].contacts[0], push < 3.0 ? ContactMode::kStick : ContactMode::kSlideForward);
    EXPECT_NEAR(painleve.solutions[0].acceleration[0], push < 3.0 ? 0.0 : 1.0, 1e-12);
    EXPECT_FALSE(painleve.p_matrix.has_value());
  }
}

// A point in space on a plane, pushed along (cos 0.7, sin 0.7): it slides there if the push exceeds mu m g.
TEST(Painleve, APointInSpaceStartsToSlideAlongThePush) {
  for (const double push : {2.9, 5.0}) {
    AccelerationProblem problem;
    problem.M = MatrixXd::Identity(3, 3);
    problem.F = Vector3d(-push * std::cos(0.7), -push * std::sin(0.7), 10.0);
    ContactRows point = test::contact_rows("point", Vector3d::UnitZ());
    point.tangents = MatrixXd::Identity(3, 2);
    point.tangent_drift = Vector2d::Zero();
    point.mu = 0.3;
    problem.unilateral = {point};
    const Painleve painleve = classify_painleve(problem);
    EXPECT_EQ(painleve.classification, Class::kUnique);
    ASSERT_EQ(painleve.solutions.size(), 1u);
    EXPECT_TRUE(painleve.exhaustive);
    const double a = std::max(0.0, push - 3.0);
    EXPECT_LE((painleve.solutions[0].acceleration - a * Vector3d(std::cos(0.7), std::sin(0.7), 0.0)).norm(), 1e-10);
    EXPECT_EQ(painleve.solutions[0].contacts[0], push < 3.0 ? ContactMode::kStick : ContactMode::kSlide);
  }
}

// A bead on a rail, loaded across it by W and pushed by H: friction is mu |W| whatever the sign of W.
TEST(Painleve, ASlidingBeadHasFrictionOnBothSidesOfItsRail) {
  for (const double load : {2.0, -2.0}) {
    AccelerationProblem problem;
    problem.M = MatrixXd::Identity(2, 2);
    problem.F = Vector2d(-5.0, load);
    problem.bilateral = {test::planar_contact("rail", Vector2d(0.0, 1.0), Vector2d(1.0, 0.0), 0.5, 1.0)};
    const Painleve sliding = classify_painleve(problem);
    ASSERT_EQ(sliding.classification, Class::kUnique);
    EXPECT_NEAR(sliding.solutions[0].acceleration[0], 4.0, 1e-13);
    EXPECT_NEAR(sliding.solutions[0].forces[0], load, 1e-13);
    EXPECT_NEAR(sliding.solutions[0].forces[1], -1.0, 1e-13);
    problem.bilateral[0].slip.setZero();
    EXPECT_NEAR(classify_painleve(problem).solutions.at(0).acceleration[0], 4.0, 1e-13);
    problem.F[0] = -0.5;
    EXPECT_NEAR(classify_painleve(problem).solutions.at(0).acceleration[0], 0.0, 1e-13);
  }
}

TEST(Painleve, SaysWhyItDoesNotClassify) {
  AccelerationProblem many = test::sliding_block(std::vector<double>(7, 0.5), 0.2, 0.3);
  for (ContactRows& foot : many.unilateral) foot.slip.setZero();
  const Painleve painleve = classify_painleve(many);
  EXPECT_FALSE(painleve.classification);
  EXPECT_NE(painleve.reason.find("7 contacts"), std::string::npos) << painleve.reason;
  AccelerationProblem unknown = test::sliding_block({-1.0, 1.0}, 0.2, 0.3);
  unknown.unilateral[1].slip.setZero();
  unknown.unilateral[1].mu.reset();
  EXPECT_NE(classify_painleve(unknown).reason.find("'foot2'"), std::string::npos);
}

// Contacts that may stick, against the enumeration of solve/ in contact velocities: the same number of motions, the same motions.
TEST(Painleve, AgreesWithTheEnumerationOfInclusions) {
  test::Random random(911);
  int several = 0, none = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int contacts = 1 + random.below(3), n = 2 * contacts + random.below(3);
    AccelerationProblem problem;
    problem.M = test::random_semidefinite(random, n, n, 0.0) + 0.2 * MatrixXd::Identity(n, n);
    problem.F = random.vector(n);
    std::vector<LawSet> laws;
    for (int i = 0; i < contacts; ++i) {
      const double mu = random.uniform(0.1, 3.0);
      problem.unilateral.push_back(test::planar_contact(fmt::format("c{}", i), random.vector(n), random.vector(n), mu, 0.0,
                                                        random.uniform(-1, 1), random.uniform(-1, 1)));
      laws.emplace_back(CoulombContact{mu, mu});
    }
    const MatrixXd D = force_directions(problem), inverse = test::inverse_by_pivots(problem.M);
    const VectorXd c = force_drifts(problem) - D.transpose() * inverse * problem.F;
    const auto oracle = enumerate_solutions(
        test::make_problem(D.transpose() * inverse * D, c, laws, std::vector<int>(static_cast<size_t>(contacts), 2)), {});
    std::vector<VectorXd> motions;
    for (const EnumeratedSolution& solution : oracle) {
      const VectorXd a = inverse * (D * solution.Lambda - problem.F);
      const bool known =
          std::any_of(motions.begin(), motions.end(), [&](const VectorXd& b) { return (a - b).norm() < 1e-7; });
      if (!known) motions.push_back(a);
    }
    const Painleve painleve = classify_painleve(problem);
    ASSERT_TRUE(painleve.classification) << painleve.reason;
    ASSERT_EQ(painleve.solutions.size(), motions.size()) << "trial " << trial;
    several += motions.size() > 1;
    none += motions.empty();
    for (const Painleve::Solution& solution : painleve.solutions) {
      const bool known = std::any_of(motions.begin(), motions.end(), [&](const VectorXd& b) {
        return (solution.acceleration - b).norm() < 1e-8 * (1.0 + b.norm());
      });
      EXPECT_TRUE(known) << "trial " << trial;
      EXPECT_LE((problem.M * solution.acceleration + problem.F - D * solution.forces).norm(),
                1e-10 * (1.0 + solution.forces.norm()));
    }
  }
  EXPECT_GT(several, 10);
  EXPECT_EQ(none, 0);  // a contact at rest always finds a motion: its cone contains a push that stops it
}

/// A box of mass 1 on four feet on an incline in space, at rest; gravity 10, pulled along (cos 0.7, sin 0.7) of the plane.
AccelerationProblem box_on_incline(double slope, double mu) {
  AccelerationProblem problem;
  VectorXd inertia(6), load = VectorXd::Zero(6);
  inertia << 1.0, 1.0, 1.0, 0.4, 0.4, 0.6;
  problem.M = inertia.asDiagonal();
  load.head(3) = 10.0 * Vector3d(-std::sin(slope) * std::cos(0.7), -std::sin(slope) * std::sin(0.7), std::cos(slope));
  problem.F = load;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      const Vector3d arm(x, y, -0.1);
      MatrixXd D(6, 3);  // z, x, y
      for (int k = 0; k < 3; ++k) {
        const Vector3d direction = Vector3d::Unit((k + 2) % 3);
        D.col(k) << direction, arm.cross(direction);
      }
      ContactRows foot = test::contact_rows(fmt::format("foot{}", problem.unilateral.size() + 1), D.col(0));
      foot.tangents = D.rightCols(2);
      foot.tangent_drift = Vector2d::Zero();
      foot.mu = mu;
      problem.unilateral.push_back(foot);
    }
  }
  return problem;
}

// Four feet share the weight in many ways, the box moves in one: it sticks if tan(slope) < mu, else it slides down the slope.
TEST(Painleve, ABoxInSpaceSticksOrSlidesOnFourFeet) {
  for (const double slope : {0.2, 0.5}) {
    const Painleve painleve = classify_painleve(box_on_incline(slope, 0.3));
    ASSERT_EQ(painleve.solutions.size(), 1u) << painleve.reason;
    const double a = std::max(0.0, 10.0 * (std::sin(slope) - 0.3 * std::cos(slope)));
    VectorXd expected = VectorXd::Zero(6);
    expected.head(2) = a * Vector2d(std::cos(0.7), std::sin(0.7));
    EXPECT_LE((painleve.solutions[0].acceleration - expected).norm(), 1e-9);
    EXPECT_FALSE(painleve.exhaustive);
    EXPECT_EQ(painleve.solutions[0].contacts[0], slope < 0.3 ? ContactMode::kStick : ContactMode::kSlide);
  }
}

/// The smallest and the largest value of cost'a over all motions, mode by mode by linear programs in all accelerations and forces.
struct Range {
  double lower = std::numeric_limits<double>::infinity(), upper = -lower;
  bool empty = true;
};
Range range_by_programs(const AccelerationProblem& problem, const VectorXd& cost) {
  const MatrixXd D = force_directions(problem);
  const VectorXd drift = force_drifts(problem);
  const ForceLayout layout(problem);
  const int n = problem.n(), f = layout.size(), contacts = static_cast<int>(problem.unilateral.size());
  Range range;
  int modes = 1;
  for (int i = 0; i < contacts; ++i) modes *= 4;
  for (const ContactRows& joint : problem.bilateral) modes *= joint.slides() ? 2 : 1;
  for (int code = 0; code < modes; ++code) {
    std::vector<VectorXd> equal, above;  // rows (coefficients, constant)
    const auto relative = [&](int c, double sign) {
      VectorXd row = VectorXd::Zero(n + f + 1);
      row.head(n) = sign * D.col(c);
      row[n + f] = sign * drift[c];
      return row;
    };
    const auto force = [&](int c, double factor, int c2 = -1, double factor2 = 0.0) {
      VectorXd row = VectorXd::Zero(n + f + 1);
      row[n + c] = factor;
      if (c2 >= 0) row[n + c2] = factor2;
      return row;
    };
    for (int i = 0; i < n; ++i) {
      VectorXd row = VectorXd::Zero(n + f + 1);
      row.head(n) = problem.M.row(i);
      row.segment(n, f) = -D.row(i);
      row[n + f] = problem.F[i];
      equal.push_back(row);
    }
    bool skip = false;
    int rest = code;
    for (int i = 0; i < contacts; ++i, rest /= 4) {
      const ContactRows& contact = problem.unilateral[static_cast<size_t>(i)];
      const int normal = layout.unilateral[static_cast<size_t>(i)], tangent = normal + 1, mode = rest % 4;
      if (mode == 0) {  // open
        above.push_back(relative(normal, 1.0));
        equal.push_back(force(normal, 1.0));
        equal.push_back(force(tangent, 1.0));
        continue;
      }
      equal.push_back(relative(normal, 1.0));
      above.push_back(force(normal, 1.0));
      if (mode == 1) {  // sticks
        skip = skip || contact.slides();
        equal.push_back(relative(tangent, 1.0));
        above.push_back(force(normal, *contact.mu, tangent, 1.0));
        above.push_back(force(normal, *contact.mu, tangent, -1.0));
      } else {
        const double direction = mode == 2 ? 1.0 : -1.0;
        skip = skip || (contact.slides() && contact.slip[0] * direction < 0.0);
        equal.push_back(force(tangent, 1.0, normal, *contact.mu * direction));
        if (!contact.slides()) above.push_back(relative(tangent, direction));
      }
    }
    for (size_t i = 0; i < problem.bilateral.size(); ++i) {
      const ContactRows& joint = problem.bilateral[i];
      const int normal = layout.bilateral[i];
      equal.push_back(relative(normal, 1.0));
      if (!joint.slides()) continue;
      const double sign = rest % 2 == 0 ? 1.0 : -1.0;  // of the normal force
      rest /= 2;
      above.push_back(force(normal, sign));
      equal.push_back(force(normal + 1, 1.0, normal, sign * *joint.mu * joint.slip_direction()[0]));
    }
    if (skip) continue;
    // Inequalities with slacks: (a, f, slack), slack >= 0.
    const auto rows = static_cast<int>(equal.size() + above.size()), slacks = static_cast<int>(above.size());
    MatrixXd A = MatrixXd::Zero(rows, n + f + slacks);
    VectorXd b(rows);
    for (int i = 0; i < rows; ++i) {
      const auto k = static_cast<size_t>(i);
      const VectorXd& row = k < equal.size() ? equal[k] : above[k - equal.size()];
      A.row(i).head(n + f) = row.head(n + f);
      b[i] = -row[n + f];
      if (k >= equal.size()) A(i, n + f + i - static_cast<int>(equal.size())) = -1.0;
    }
    std::vector<bool> nonnegative(static_cast<size_t>(n + f), false);
    nonnegative.resize(static_cast<size_t>(n + f + slacks), true);
    Polyhedron polyhedron(A, b, nonnegative);
    if (polyhedron.status() == ProgramStatus::kInfeasible) continue;
    EXPECT_TRUE(polyhedron.feasible()) << name_of(polyhedron.status());
    VectorXd objective = VectorXd::Zero(n + f + slacks);
    objective.head(n) = cost;
    const Extreme least = polyhedron.minimize(objective), most = polyhedron.minimize(-objective);
    EXPECT_TRUE(least.optimal() || least.unbounded());
    EXPECT_TRUE(most.optimal() || most.unbounded());
    range.lower = std::min(range.lower, least.value);
    range.upper = std::max(range.upper, -most.value);
    range.empty = false;
  }
  return range;
}

// Sliding contacts and contacts that may stick together, coincident contacts, redundant joints, M of every rank.
TEST(Painleve, AgreesWithLinearProgramsOnDegenerateProblems) {
  test::Random random(912);
  std::map<Class, int> classes;
  for (int trial = 0; trial < 300; ++trial) {
    const int contacts = 1 + random.below(3), n = 2 + random.below(3);
    AccelerationProblem problem;
    problem.M = test::random_semidefinite(random, n, trial % 3 == 0 ? 1 + random.below(n) : n, 0.0);
    problem.M = (0.5 * (problem.M + problem.M.transpose())).eval();
    problem.F = random.vector(n);
    for (int i = 0; i < contacts; ++i) {
      const double slip = random.below(2) == 0 ? 0.0 : random.uniform(-1, 1);
      problem.unilateral.push_back(test::planar_contact("", random.vector(n), random.vector(n), random.uniform(0.1, 2.0),
                                                        slip, random.uniform(-1, 1), random.uniform(-1, 1)));
      if (i > 0 && random.below(3) == 0) problem.unilateral.back() = problem.unilateral.front();
      problem.unilateral.back().name = fmt::format("c{}", i);
    }
    if (random.below(3) == 0) {
      problem.bilateral.push_back(test::contact_rows("joint", random.vector(n), random.uniform(-1, 1)));
      problem.bilateral.push_back(problem.bilateral.front());
      problem.bilateral.back().name = "again";
    }
    if (random.below(3) == 0)
      problem.bilateral.push_back(test::planar_contact("rail", random.vector(n), random.vector(n), random.uniform(0.1, 2.0),
                                                       random.uniform(-1, 1), random.uniform(-1, 1)));
    const Range range = range_by_programs(problem, random.vector(n));
    const Painleve painleve = classify_painleve(problem);
    ASSERT_TRUE(painleve.classification) << "trial " << trial << ": " << painleve.reason;
    ++classes[*painleve.classification];
    const double width = range.upper - range.lower, size = 1.0 + std::abs(range.lower);
    const Class expected = range.empty               ? Class::kInconsistent
                           : !(width <= 1e-7 * size) ? Class::kIndeterminate
                                                     : Class::kUnique;
    if (painleve.classification == Class::kMasslessLoaded) {
      // A direction without mass, along which a little inertia gives a motion.
      const VectorXd& d = painleve.massless_direction;
      EXPECT_TRUE(range.empty) << trial;
      EXPECT_LE((problem.M * d).norm(), 1e-6) << trial;
      AccelerationProblem heavier = problem;
      heavier.M += 1e-5 * MatrixXd::Identity(n, n);
      EXPECT_FALSE(range_by_programs(heavier, VectorXd::Unit(n, 0)).empty) << trial;
      continue;
    }
    EXPECT_EQ(painleve.classification, expected)
        << "trial " << trial << ", width " << width << ", " << painleve.solutions.size();
  }
  EXPECT_GT(classes[Class::kUnique], 30);
  EXPECT_GT(classes[Class::kIndeterminate], 20);
  EXPECT_GT(classes[Class::kInconsistent], 10);
}

}  // namespace tippe::analyze_painleve_test
