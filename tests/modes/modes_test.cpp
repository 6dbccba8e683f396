// SPDX-License-Identifier: Apache-2.0
#include "tippe/modes/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "support/instant_problems.h"
#include "support/linear_algebra.h"
#include "support/motion_enumeration.h"
#include "tippe/core/error.h"

namespace tippe::modes_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Mode = ContactMode;

constexpr double kDegree = std::numbers::pi / 180.0;

ImpactProblem impact_of(const MatrixXd& M, const VectorXd& velocity, std::vector<ContactRows> contacts) {
  const auto m = static_cast<Eigen::Index>(contacts.size());
  return {M, velocity, std::move(contacts), {}, MatrixXd::Zero(m, m), {}};
}

/// Johnson (1), (2): the ground and a hill that rises at an angle theta.
ImpactProblem particle_on_hill(double theta, double mass, double speed) {
  return impact_of(mass * MatrixXd::Identity(2, 2), Vector2d(speed, 0),
                   {test::row("ground", Vector2d(0, 1)), test::row("hill", Vector2d(-std::sin(theta), std::cos(theta)))});
}

// Johnson (3)-(6), printed with impulses of the opposite sign: an acute hill is climbed with v cos(theta) along it and the impulse
// m v sin(theta); in an obtuse corner the particle stops, with m v / sin(theta) from the hill and -m v cot(theta) from the ground.
TEST(ImpactModes, AParticleClimbsAcuteHillsAndStopsInObtuseCorners) {
  const double mass = 3.0, speed = 2.0;
  for (const double degrees : {10., 20., 30., 45., 60., 75., 89., 91., 105., 120., 135., 150., 170.}) {
    const double theta = degrees * kDegree, c = std::cos(theta), s = std::sin(theta);
    const ModeList list = list_impact_modes(particle_on_hill(theta, mass, speed), {.rejected = true});
    ASSERT_EQ(list.unique(), true) << degrees;
    EXPECT_EQ(list.cases, 4);
    EXPECT_EQ(list.rejected.size(), 3u);
    const ConsistentMode& mode = list.modes[0];
    EXPECT_TRUE(mode.forces_unique);
    EXPECT_TRUE(mode.ties.empty());
    EXPECT_LE(mode.residual, 1e-14);
    if (degrees < 90.0) {
      EXPECT_EQ(mode.contacts, (std::vector{Mode::kOpen, Mode::kClosed})) << degrees;
      EXPECT_LE((mode.motion - speed * c * Vector2d(c, s)).norm(), 1e-14);
      EXPECT_LE((mode.forces - Vector2d(0, mass * speed * s)).norm(), 1e-13);
      EXPECT_NEAR(mode.energy_change, -0.5 * mass * speed * speed * s * s, 1e-13);
    } else {
      EXPECT_EQ(mode.contacts, (std::vector{Mode::kClosed, Mode::kClosed})) << degrees;
      EXPECT_LE(mode.motion.norm(), 1e-14);
      EXPECT_LE((mode.forces - mass * speed * Vector2d(-c / s, 1.0 / s)).norm(), 1e-12);
      EXPECT_NEAR(mode.energy_change, -0.5 * mass * speed * speed, 1e-13);
    }
  }
}

// Johnson, below (4) and (6): guessing wrong shows as a velocity into the ground, or as an impulse that pulls.
TEST(ImpactModes, WrongGuessesSayWhyTheyFail) {
  const auto reason = [](double degrees, std::vector<Mode> contacts) {
    const ModeList list = list_impact_modes(particle_on_hill(degrees * kDegree, 1.0, 1.0), {.rejected = true});
    for (const RejectedMode& rejected : list.rejected) {
      if (rejected.contacts == contacts) return rejected.reasons;
    }
    return std::vector<std::string>{};
  };
  EXPECT_EQ(reason(45.0, {Mode::kClosed, Mode::kClosed}),
            (std::vector<std::string>{"the impulse of 'ground' would be -1 N s"}));
  EXPECT_EQ(reason(135.0, {Mode::kOpen, Mode::kClosed}), (std::vector<std::string>{"'ground' would close with 0.5 m/s"}));
  EXPECT_EQ(reason(135.0, {Mode::kOpen, Mode::kOpen}),
            (std::vector<std::string>{"'ground' would stay closed", "'hill' would close with 0.707107 m/s"}));
}

// At a right angle the ground is closed without an impulse: derivatives decide whether the particle leaves it.
TEST(ImpactModes, ARightAngleIsATie) {
  const ModeList list = list_impact_modes(particle_on_hill(90.0 * kDegree, 1.0, 1.0));
  ASSERT_EQ(list.unique(), true);
  EXPECT_EQ(list.modes[0].contacts, (std::vector{Mode::kClosed, Mode::kClosed}));
  EXPECT_EQ(list.modes[0].ties, std::vector<int>{0});
}

/// What Johnson (12), (13) and (14) make of all subsets J, by linear algebra of their own on independent normals.
struct Selection {
  std::set<int> by_velocity, by_impulse, by_inclusion;  // subsets as bits
};

Selection select_modes(const ImpactProblem& problem) {
  const auto m = static_cast<int>(problem.unilateral.size());
  MatrixXd N(problem.velocity.size(), m);
  for (int i = 0; i < m; ++i) N.col(i) = problem.unilateral[static_cast<size_t>(i)].normal;
  const MatrixXd A = N.transpose() * test::inverse(problem.M) * N;
  const VectorXd before = N.transpose() * problem.velocity;
  const auto impulses = [&](int J) {
    std::vector<int> in;
    for (int i = 0; i < m; ++i) {
      if (J >> i & 1) in.push_back(i);
    }
    VectorXd p = VectorXd::Zero(m);
    if (!in.empty()) p(in) = test::solve(A(in, in), -before(in));
    return p;
  };
  Selection selection;
  for (int J = 0; J < 1 << m; ++J) {
    const VectorXd p = impulses(J), after = before + A * p;
    bool velocity = true, impulse = true, inclusion = true;
    for (int k = 0; k < m; ++k) {
      const bool in = J >> k & 1;
      const double with = impulses(J | 1 << k)[k];
      velocity = velocity && (in ? p[k] >= 0.0 : after[k] > 0.0);
      impulse = impulse && (in ? p[k] >= 0.0 : with < 0.0);
      inclusion = inclusion && in == (with >= 0.0);
    }
    if (velocity) selection.by_velocity.insert(J);
    if (impulse) selection.by_impulse.insert(J);
    if (inclusion) selection.by_inclusion.insert(J);
  }
  return selection;
}

// Johnson (12), (13) and (14) select the same mode, and only one, of contacts that do not depend on each other. Up to 4 contacts by
// enumeration, more by the quadratic program.
TEST(ImpactModes, SelectionByVelocityAndByImpulseAgreeOnRandomProblems) {
  test::Random random(81);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.below(7), m = 1 + random.below(n);
    const MatrixXd root = test::random_matrix(random, n, n) + 2.0 * MatrixXd::Identity(n, n);
    std::vector<ContactRows> contacts;
    for (int i = 0; i < m; ++i) contacts.push_back(test::row("c" + std::to_string(i), random.vector(n)));
    const ImpactProblem problem = impact_of(root * root.transpose(), random.vector(n, 2.0), contacts);
    const Selection selection = select_modes(problem);
    ASSERT_EQ(selection.by_velocity.size(), 1u) << trial;
    EXPECT_EQ(selection.by_velocity, selection.by_impulse) << trial;
    EXPECT_EQ(selection.by_velocity, selection.by_inclusion) << trial;
    const ModeList list = list_impact_modes(problem);
    ASSERT_EQ(list.unique(), true) << trial << " " << list.note;
    int J = 0;
    for (int i = 0; i < m; ++i) J |= (list.modes[0].contacts[static_cast<size_t>(i)] == Mode::kClosed ? 1 : 0) << i;
    EXPECT_EQ(J, *selection.by_velocity.begin()) << trial;
    EXPECT_LE(list.modes[0].residual, 1e-11);
  }
}

// Normals of any rank, joints twice, M singular: all closed contacts have zero relative acceleration, all others open, and the motion is the
// one of Gauss' principle. The forces that enumeration in long double finds are vertices of the set whose bounds are told.
TEST(MotionModes, WithoutFrictionTheMotionIsUniqueAndForcesAreSets) {
  test::Random random(82);
  int dependent = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const test::RandomInstant instant = test::random_instant(random);
    const auto expected = test::enumerate_motions(instant.reduced);
    if (expected.empty()) continue;
    const ModeList list = list_motion_modes(instant.problem);
    ASSERT_EQ(list.unique(), true) << trial << " " << list.note << " " << list.modes.size();
    const ConsistentMode& mode = list.modes[0];
    const double size = 1.0 + mode.motion.norm();
    // Forces that are large for their load show how nearly contacts contradict each other.
    EXPECT_LE((mode.motion - instant.embedding * expected[0].acceleration).norm(), 1e-8 * size + 1e-11 * mode.forces.norm())
        << trial;
    EXPECT_LE(mode.residual, 1e-9) << trial;
    for (size_t i = 0; i < instant.problem.unilateral.size(); ++i) {
      const ContactRows& contact = instant.reduced.unilateral[i];
      const double opening = contact.normal.dot(expected[0].acceleration) + contact.drift;
      if (std::abs(opening) < 1e-6 * size && opening > 1e-10 * size) continue;  // too near to a tie to say
      EXPECT_EQ(mode.contacts[i] == Mode::kOpen, opening > 1e-7 * size) << trial << " " << i << " " << opening;
    }
    VectorXd least = expected[0].forces, most = expected[0].forces;
    for (const test::EnumeratedMotion& vertex : expected) {
      least = least.cwiseMin(vertex.forces);
      most = most.cwiseMax(vertex.forces);
    }
    dependent += (most - least).size() > 0 && (most - least).maxCoeff() > 1e-6 ? 1 : 0;
    for (Eigen::Index i = 0; i < least.size(); ++i) {
      EXPECT_LE(mode.lower[i], least[i] + 1e-6 * (1.0 + most[i])) << trial << " " << i;
      EXPECT_GE(mode.upper[i], most[i] - 1e-6 * (1.0 + most[i])) << trial << " " << i;
      EXPECT_NEAR(mode.lower[i], least[i], 1e-6 * (1.0 + most[i])) << trial << " " << i;
    }
  }
  EXPECT_GT(dependent, 20);
}

/// Johnson, practice problem 1: a wheel of uniform density that rolls on the ground with speed v and touches a hill. Coordinates x, y and the
/// angle, positive to the left; the tangents point right along the ground and up the hill.
ImpactProblem wheel_on_hill(double theta, double mu, double v = 1.5, double r = 0.4, double m = 2.0) {
  const double c = std::cos(theta), s = std::sin(theta);
  return impact_of(Vector3d(m, m, 0.5 * m * r * r).asDiagonal(), Vector3d(v, 0, -v / r),
                   {test::row("ground", Vector3d(0, 1, 0), Vector3d(1, 0, r), mu),
                    test::row("hill", Vector3d(-s, c, 0), Vector3d(c, s, r), mu)});
}

const ConsistentMode* find_mode(const ModeList& list, Mode ground, Mode hill) {
  for (const ConsistentMode& mode : list.modes) {
    if (mode.contacts == std::vector{ground, hill}) return &mode;
  }
  return nullptr;
}

TEST(ImpactModes, TheWheelRollsUpTheHillIfFrictionSuffices) {
  const double v = 1.5, r = 0.4, m = 2.0;
  for (const double degrees : {20.0, 60.0, 89.0, 100.0, 115.0}) {
    const double theta = degrees * kDegree, T = std::tan(theta / 2), mu = T / 3 + 0.01;
    const ModeList list = list_impact_modes(wheel_on_hill(theta, mu));
    ASSERT_FALSE(list.modes.empty()) << degrees;
    const ConsistentMode* mode = find_mode(list, Mode::kOpen, Mode::kStick);
    ASSERT_NE(mode, nullptr) << degrees;
    const double up = v * (1 + 2 * std::cos(theta)) / 3;
    EXPECT_LE((mode->motion - up * Vector3d(std::cos(theta), std::sin(theta), -1 / r)).norm(), 1e-13) << degrees;
    EXPECT_NEAR(mode->forces[2], m * v * std::sin(theta), 1e-13);
    EXPECT_NEAR(mode->forces[3], m * v * (1 - std::cos(theta)) / 3, 1e-13);
    EXPECT_TRUE(mode->forces_unique);
  }
}

TEST(ImpactModes, TheWheelSlidesUpTheHillIfItDoesNot) {
  const double v = 1.5, r = 0.4, m = 2.0;
  for (const double degrees : {20.0, 60.0, 89.0, 95.0}) {
    const double theta = degrees * kDegree, T = std::tan(theta / 2);
    const double mu = std::max(0.0, -1 / std::tan(theta)) + 0.5 * (T / 3 - std::max(0.0, -1 / std::tan(theta)));
    const ModeList list = list_impact_modes(wheel_on_hill(theta, mu));
    ASSERT_EQ(list.unique(), true) << degrees;
    const ConsistentMode* mode = find_mode(list, Mode::kOpen, Mode::kSlideBackward);
    ASSERT_NE(mode, nullptr) << degrees << name_of(list.modes[0].contacts[0]) << name_of(list.modes[0].contacts[1]);
    const double up = v * (std::cos(theta) + mu * std::sin(theta)), P = m * v * std::sin(theta);
    EXPECT_LE((mode->motion.head(2) - up * Vector2d(std::cos(theta), std::sin(theta))).norm(), 1e-13) << degrees;
    EXPECT_NEAR(mode->motion[2], -v / r + 2 * mu * v * std::sin(theta) / r, 1e-12);
    EXPECT_NEAR(mode->forces[2], P, 1e-13);
    EXPECT_NEAR(mode->forces[3], mu * P, 1e-13);
  }
}

TEST(ImpactModes, TheWheelStopsAndKeepsSpinningWithLittleFrictionInAnObtuseCorner) {
  const double v = 1.5, r = 0.4, m = 2.0;
  for (const double degrees : {100.0, 110.0, 119.0, 130.0, 150.0}) {
    const double theta = degrees * kDegree, T = std::tan(theta / 2), cot = 1 / std::tan(theta);
    const double most = degrees < 120.0 ? -cot : (T - std::sqrt(T * T - 3)) / 3;
    for (const double mu : {0.2 * most, 0.97 * most}) {
      const ModeList list = list_impact_modes(wheel_on_hill(theta, mu));
      ASSERT_EQ(list.unique(), true) << degrees << " " << mu;
      const ConsistentMode* mode = find_mode(list, Mode::kSlideBackward, Mode::kSlideBackward);
      ASSERT_NE(mode, nullptr) << degrees << " " << mu;
      const double P_H = m * v / (std::sin(theta) * (1 + mu * mu)), P_G = -m * v * (cot + mu) / (1 + mu * mu);
      EXPECT_NEAR(mode->forces[0], P_G, 1e-12);
      EXPECT_NEAR(mode->forces[2], P_H, 1e-12);
      EXPECT_LE(mode->motion.head(2).norm(), 1e-13);
      const double spin =
          v / r * (-1 + 2 * mu * (1 - std::cos(theta) - mu * std::sin(theta)) / (std::sin(theta) * (1 + mu * mu)));
      EXPECT_NEAR(mode->motion[2], spin, 1e-12);
      EXPECT_LT(spin, 0.0);
    }
  }
}

// Jammed between ground and hill by a self-stress without bound: sticking in both is consistent too, exactly if mu > cot(theta/2).
TEST(ImpactModes, TheWheelMayAlsoJamBeyondACoefficientOfFriction) {
  for (const double degrees : {60.0, 90.0, 110.0}) {
    const double theta = degrees * kDegree, jams = 1 / std::tan(theta / 2);
    const ModeList below = list_impact_modes(wheel_on_hill(theta, 0.999 * jams));
    EXPECT_EQ(below.unique(), true) << degrees;
    const ModeList above = list_impact_modes(wheel_on_hill(theta, 1.001 * jams));
    ASSERT_EQ(above.unique(), false) << degrees;
    ASSERT_EQ(above.modes.size(), 2u);
    const ConsistentMode* jammed = find_mode(above, Mode::kStick, Mode::kStick);
    ASSERT_NE(jammed, nullptr);
    EXPECT_LE(jammed->motion.norm(), 1e-14 * jammed->forces.norm());  // which grow with 1 / (mu - cot)
    EXPECT_FALSE(jammed->forces_unique);
    EXPECT_EQ(jammed->upper[0], std::numeric_limits<double>::infinity());
    EXPECT_NE(find_mode(above, Mode::kOpen, Mode::kStick), nullptr);
  }
}

// theta >= 120 degrees: one outcome; the wheel stops, with impulses on a segment if mu < cot(theta/2) and on a ray beyond.
TEST(ImpactModes, TheWheelStopsInNarrowCorners) {
  for (const double degrees : {121.0, 130.0, 150.0}) {
    const double theta = degrees * kDegree, T = std::tan(theta / 2);
    const double least = (T - std::sqrt(T * T - 3)) / 3, jams = 1 / T;
    for (const double mu : {1.01 * least, 0.5 * (least + jams), 1.1 * jams, 3.0}) {
      const ModeList list = list_impact_modes(wheel_on_hill(theta, mu));
      ASSERT_EQ(list.unique(), true) << degrees << " " << mu;
      const ConsistentMode& mode = list.modes[0];
      EXPECT_EQ(mode.contacts, (std::vector{Mode::kStick, Mode::kStick})) << degrees << " " << mu;
      EXPECT_LE(mode.motion.norm(), 1e-13);
      EXPECT_FALSE(mode.forces_unique) << degrees << " " << mu;
      EXPECT_EQ(std::isinf(mode.upper[2]), mu > jams) << degrees << " " << mu;
      EXPECT_NEAR(mode.energy_change, -0.75 * 2.0 * 1.5 * 1.5, 1e-12);
    }
  }
}

/// All modes of a problem in the plane with M definite and independent rows, by one linear system in (a, normal forces, friction) each.
struct OwnMode {
  std::vector<Mode> contacts;
  VectorXd motion, forces;
};

std::vector<OwnMode> enumerate_planar(const AccelerationProblem& problem) {
  const int n = problem.n(), m = static_cast<int>(problem.unilateral.size());
  std::vector<OwnMode> found;
  std::vector<Mode> contacts(static_cast<size_t>(m));
  const auto allowed = [&](int i, Mode mode) {
    const ContactRows& contact = problem.unilateral[static_cast<size_t>(i)];
    if (!contact.slides()) return true;
    return mode == Mode::kOpen || mode == (contact.slip[0] > 0 ? Mode::kSlideForward : Mode::kSlideBackward);
  };
  const auto try_mode = [&] {
    const Eigen::Index size = n + 2 * m;
    MatrixXd K = MatrixXd::Zero(size, size);
    VectorXd k = VectorXd::Zero(size);
    K.topLeftCorner(n, n) = problem.M;
    k.head(n) = -problem.F;
    for (int i = 0; i < m; ++i) {
      const ContactRows& contact = problem.unilateral[static_cast<size_t>(i)];
      const Mode mode = contacts[static_cast<size_t>(i)];
      const Eigen::Index N = n + 2 * i, T = N + 1;
      K.block(0, N, n, 1) = -contact.normal;
      K.block(0, T, n, 1) = -contact.tangents;
      if (mode == Mode::kOpen) {
        K(N, N) = 1.0;
        K(T, T) = 1.0;
        continue;
      }
      K.block(N, 0, 1, n) = contact.normal.transpose();
      k[N] = -contact.drift;
      if (mode == Mode::kStick) {
        K.block(T, 0, 1, n) = contact.tangents.transpose();
        k[T] = -contact.tangent_drift[0];
      } else {
        K(T, T) = 1.0;
        K(T, N) = mode == Mode::kSlideForward ? *contact.mu : -*contact.mu;
      }
    }
    const VectorXd x = test::solve(K, k);
    for (int i = 0; i < m; ++i) {
      const ContactRows& contact = problem.unilateral[static_cast<size_t>(i)];
      const Mode mode = contacts[static_cast<size_t>(i)];
      const double normal = x[n + 2 * i], friction = x[n + 2 * i + 1];
      const double opening = contact.normal.dot(x.head(n)) + contact.drift;
      const double moving = contact.tangents.col(0).dot(x.head(n)) + contact.tangent_drift[0];
      if (mode == Mode::kOpen ? !(opening > 0.0) : !(normal >= 0.0)) return;
      if (mode == Mode::kStick && !(std::abs(friction) <= *contact.mu * normal)) return;
      if (contact.slides()) continue;
      if (mode == Mode::kSlideForward && !(moving > 0.0)) return;
      if (mode == Mode::kSlideBackward && !(moving < 0.0)) return;
    }
    found.push_back({contacts, x.head(n), x.tail(2 * m)});
  };
  int total = 1;
  for (int i = 0; i < m; ++i) total *= 4;
  for (int code = 0; code < total; ++code) {
    bool possible = true;
    for (int i = 0, rest = code; i < m; ++i, rest /= 4) {
      contacts[static_cast<size_t>(i)] =
          std::array{Mode::kStick, Mode::kSlideForward, Mode::kSlideBackward, Mode::kOpen}[rest % 4];
      possible = possible && allowed(i, contacts[static_cast<size_t>(i)]);
    }
    if (possible) try_mode();
  }
  return found;
}

TEST(MotionModes, FrictionInThePlaneHasTheModesOfCompleteEnumeration) {
  test::Random random(83);
  std::set<size_t> counts;
  for (int trial = 0; trial < 400; ++trial) {
    const int m = 1 + random.below(3), n = 2 * m + random.below(3);
    const MatrixXd root = test::random_matrix(random, n, n) + 0.5 * MatrixXd::Identity(n, n);
    std::vector<ContactRows> contacts;
    for (int i = 0; i < m; ++i) {
      const VectorXd slip = random.below(3) == 0 ? random.vector(1) : VectorXd();
      contacts.push_back(
          test::row("c" + std::to_string(i), random.vector(n), random.vector(n), random.uniform(0.1, 2.0), slip));
      contacts.back().drift = random.uniform(-1, 1);
      contacts.back().tangent_drift = random.vector(1);
    }
    const AccelerationProblem problem =
        test::problem_of(root * root.transpose() + 0.05 * MatrixXd::Identity(n, n), random.vector(n, 5.0), contacts);
    const std::vector<OwnMode> expected = enumerate_planar(problem);
    const ModeList list = list_motion_modes(problem);
    counts.insert(expected.size());
    EXPECT_TRUE(list.complete);
    ASSERT_EQ(list.modes.size(), expected.size()) << trial;
    EXPECT_EQ(list.unique(), expected.size() == 1);
    for (const OwnMode& own : expected) {
      const auto same = std::find_if(list.modes.begin(), list.modes.end(),
                                     [&](const auto& mode) { return mode.contacts == own.contacts; });
      ASSERT_NE(same, list.modes.end()) << trial;
      EXPECT_LE((same->motion - own.motion).norm(), 1e-8 * (1.0 + own.motion.norm())) << trial;
      EXPECT_LE((same->forces - own.forces).norm(), 1e-8 * (1.0 + own.forces.norm())) << trial;
      EXPECT_LE(same->residual, 1e-11);
    }
  }
  EXPECT_TRUE(counts.contains(0) && counts.contains(1) && counts.contains(2));  // Painleve's paradoxes are among them
}

/// A slender rod of mass 1 and length 2 at tan(angle) = 2, whose tip slides to the left with 2 m/s; it turns with omega.
AccelerationProblem painleve_rod(double mu, double omega) {
  const double c = 1.0 / std::sqrt(5.0), s = 2.0 * c;
  ContactRows tip = test::row("tip", Vector3d(0, 1, -c), Vector3d(1, 0, s), mu, VectorXd::Constant(1, -2.0));
  tip.drift = s * omega * omega;
  tip.tangent_drift[0] = c * omega * omega;
  return test::problem_of(Vector3d(1, 1, 1.0 / 3.0).asDiagonal(), Vector3d(0, 10, 0), {tip});
}

// Painleve's rod beyond its critical coefficient: two motions if it spins, none if it does not (see painleve_test.cpp for the numbers).
TEST(MotionModes, PainlevesRodHasTwoMotionsOrNone) {
  const ModeList two = list_motion_modes(painleve_rod(1.5, 4.0));
  EXPECT_EQ(two.unique(), false);
  ASSERT_EQ(two.modes.size(), 2u);
  EXPECT_EQ(two.modes[0].contacts, std::vector{Mode::kSlideBackward});
  EXPECT_EQ(two.modes[1].contacts, std::vector{Mode::kOpen});
  EXPECT_EQ(two.modes[1].trending[0].order, 2);
  EXPECT_EQ(two.modes[1].trending[0].sign, 1);
  const ModeList none = list_motion_modes(painleve_rod(1.5, 0.0), {}, {.rejected = true});
  EXPECT_TRUE(none.modes.empty());
  EXPECT_EQ(none.unique(), false);
  ASSERT_EQ(none.rejected.size(), 2u);
  EXPECT_EQ(none.rejected[0].reasons, (std::vector<std::string>{"the force of 'tip' would be -50 N"}));
  EXPECT_EQ(none.rejected[1].reasons, (std::vector<std::string>{"'tip' would close with 10 m/s^2"}));
}

// A bar of weight 12 N on three supports in a row at -1, 0 and 2: forces f1 + f2 + f3 = 12 and f1 = 2 f3 with its centre above the middle
// one, so f3 = s, f1 = 2 s, f2 = 12 - 3 s for 0 <= s <= 4. The smallest sum of squares of 2s, 12 - 3s, s is at s = 36/14.
TEST(MotionModes, DependentContactsShareTheirLoadInASet) {
  const auto support = [](const std::string& name, double at) { return test::row(name, Vector2d(1, at)); };
  const ModeList list = list_motion_modes(test::problem_of(
      Vector2d(1.2, 0.4).asDiagonal(), Vector2d(12, 0), {support("left", -1), support("middle", 0), support("right", 2)}));
  ASSERT_EQ(list.unique(), true);
  const ConsistentMode& mode = list.modes[0];
  EXPECT_EQ(mode.contacts, std::vector(3, Mode::kClosed));
  EXPECT_FALSE(mode.forces_unique);
  EXPECT_LE((mode.lower - Vector3d(0, 0, 0)).norm(), 1e-9);
  EXPECT_LE((mode.upper - Vector3d(8, 12, 4)).norm(), 1e-9);
  EXPECT_TRUE(mode.ties.empty());  // each can carry a force
  EXPECT_NEAR(mode.forces.sum(), 12.0, 1e-10);
  EXPECT_NEAR(mode.forces[0], 2.0 * mode.forces[2], 1e-10);
}

// Two equal contacts, one of which is pulled away by nothing: both stay closed, and neither alone is a mode of its own.
TEST(MotionModes, AContactThatIsThereTwiceGivesOneMode) {
  const auto floor = [](const std::string& name) { return test::row(name, VectorXd::Ones(1), VectorXd::Ones(1), 0.0); };
  const ModeList list =
      list_motion_modes(test::problem_of(MatrixXd::Identity(1, 1), VectorXd::Constant(1, 10.0), {floor("a"), floor("b")}),
                        {}, {.rejected = true});
  ASSERT_EQ(list.modes.size(), 1u);
  EXPECT_EQ(list.modes[0].contacts, std::vector(2, Mode::kClosed));
  EXPECT_NEAR(list.modes[0].upper[0], 10.0, 1e-9);
  EXPECT_NEAR(list.modes[0].upper[2], 10.0, 1e-9);
}

// Johnson (13), (33): a massless foot at the end of a leg, coordinates body height y and foot height z, the leg a spring with force f between
// them: y'' = (-10 m + f)/m, 0 = -f + lambda. Pressed it carries lambda = f; pulled (f < 0) it leaves, and how is not defined.
TEST(MotionModes, AMasslessFootOpensByTheForceThatWouldHoldIt) {
  const auto foot = [](double f) {
    return test::problem_of(Vector2d(2, 0).asDiagonal(), Vector2d(20.0 - f, f), {test::row("foot", Vector2d(0, 1))});
  };
  const ModeList pressed = list_motion_modes(foot(5.0), {}, {.rejected = true});
  ASSERT_EQ(pressed.modes.size(), 1u);
  EXPECT_EQ(pressed.modes[0].contacts, std::vector{Mode::kClosed});
  EXPECT_NEAR(pressed.modes[0].forces[0], 5.0, 1e-12);
  EXPECT_NEAR(pressed.modes[0].motion[0], -7.5, 1e-12);
  ASSERT_EQ(pressed.rejected.size(), 1u);
  EXPECT_EQ(pressed.rejected[0].reasons, (std::vector<std::string>{"if 'foot' were closed, its force would be 5 N"}));
  const ModeList pulled = list_motion_modes(foot(-5.0), {}, {.rejected = true});
  ASSERT_EQ(pulled.modes.size(), 1u);
  EXPECT_EQ(pulled.modes[0].contacts, std::vector{Mode::kOpen});
  EXPECT_NEAR(pulled.modes[0].motion[0], -12.5, 1e-12);
  EXPECT_EQ(pulled.rejected[0].reasons, (std::vector<std::string>{"the force of 'foot' would be -5 N"}));
  const ModeList idle = list_motion_modes(foot(0.0));
  ASSERT_EQ(idle.modes.size(), 1u);
  EXPECT_EQ(idle.modes[0].contacts, std::vector{Mode::kClosed});
  EXPECT_EQ(idle.modes[0].ties, std::vector<int>{0});
}

// A block of 2 kg that dry friction of at most 6 N holds, pushed by f: it sticks up to 6 N and accelerates with (f - 6)/2 beyond.
TEST(MotionModes, DryFrictionHoldsUpToItsLimit) {
  const auto modes = [](double push, double slip) {
    const std::vector<DryFrictionRow> dry{{"brake", VectorXd::Ones(1), 0.0, 6.0, slip}};
    return list_motion_modes(test::problem_of(MatrixXd::Constant(1, 1, 2.0), VectorXd::Constant(1, -push), {}), dry,
                             {.rejected = true});
  };
  struct Case {
    double push, slip;
    Mode mode;
    double acceleration, force;
  };
  for (const Case& c :
       {Case{5, 0, Mode::kStick, 0, -5}, Case{-5, 0, Mode::kStick, 0, 5}, Case{8, 0, Mode::kSlideForward, 1, -6},
        Case{-8, 0, Mode::kSlideBackward, -1, 6}, Case{5, 0.1, Mode::kSlideForward, -0.5, -6},
        Case{5, -0.1, Mode::kSlideBackward, 5.5, 6}, Case{0, 0, Mode::kStick, 0, 0}}) {
    const ModeList list = modes(c.push, c.slip);
    ASSERT_EQ(list.unique(), true) << c.push << " " << c.slip;
    EXPECT_EQ(list.modes[0].contacts, std::vector{c.mode}) << c.push << " " << c.slip;
    EXPECT_NEAR(list.modes[0].motion[0], c.acceleration, 1e-13);
    EXPECT_NEAR(list.modes[0].forces[0], c.force, 1e-13);
    EXPECT_TRUE(list.modes[0].ties.empty());
  }
  EXPECT_EQ(modes(9.0, 0.0).rejected[0].reasons,
            (std::vector<std::string>{"'brake' would need friction 1.5 times its limit"}));
  EXPECT_EQ(modes(5.0, 0.0).rejected[0].reasons,
            (std::vector<std::string>{"sliding of 'brake' would be backward, with 0.5 m/s^2"}));
  const ModeList limit = modes(6.0, 0.0);
  ASSERT_EQ(limit.modes.size(), 1u);
  EXPECT_EQ(limit.modes[0].contacts, std::vector{Mode::kStick});
  EXPECT_EQ(limit.modes[0].ties, std::vector<int>{0});
}

/// A block on an incline: normal, tangent uphill.
AccelerationProblem block_on_incline(double tangent_of_angle, double mu, double lift = 0.0) {
  const double c = 1 / std::hypot(1.0, tangent_of_angle), s = tangent_of_angle * c;
  return test::problem_of(MatrixXd::Identity(2, 2), 10.0 * Vector2d(s, c - lift),
                          {test::row("plane", Vector2d(0, 1), Vector2d(1, 0), mu)});
}

// It sticks while tan(angle) < mu, slides down beyond; at mu, and when it is just lifted, what follows is not decided by forces.
TEST(MotionModes, TiesAreSaidToBeTies) {
  const ModeList sticks = list_motion_modes(block_on_incline(0.3, 0.4));
  ASSERT_EQ(sticks.unique(), true);
  EXPECT_EQ(sticks.modes[0].contacts, std::vector{Mode::kStick});
  EXPECT_TRUE(sticks.modes[0].ties.empty());
  EXPECT_EQ(sticks.modes[0].trending[0].order, 0);
  EXPECT_EQ(sticks.modes[0].trending[0].sign, 1);
  const ModeList slides = list_motion_modes(block_on_incline(0.5, 0.4));
  ASSERT_EQ(slides.unique(), true);
  EXPECT_EQ(slides.modes[0].contacts, std::vector{Mode::kSlideBackward});
  for (const double off : {0.0, 1e-13, -1e-13}) {
    const ModeList limit = list_motion_modes(block_on_incline(0.4 + off, 0.4));
    ASSERT_EQ(limit.modes.size(), 1u) << off;
    EXPECT_EQ(limit.modes[0].contacts, std::vector{Mode::kStick}) << off;
    EXPECT_EQ(limit.modes[0].ties, std::vector<int>{0}) << off;
    EXPECT_EQ(limit.modes[0].trending[0].sign, 0) << off;
  }
  const double c = 1 / std::hypot(1.0, 0.3);
  const ModeList lifted = list_motion_modes(block_on_incline(0.0, 0.4, 1.0));
  ASSERT_EQ(lifted.modes.size(), 1u);
  EXPECT_EQ(lifted.modes[0].ties, std::vector<int>{0});
  const ModeList off = list_motion_modes(block_on_incline(0.3, 0.4, c + 0.1));
  ASSERT_EQ(off.unique(), true);
  EXPECT_EQ(off.modes[0].contacts, std::vector{Mode::kOpen});
}

// A rail holds a bead from both sides, mu = 0.5: pressed with 4 N it can be pushed with up to 2 N, whichever side it is pressed against.
TEST(MotionModes, FrictionOfARailActsOnBothSides) {
  for (const double press : {4.0, -4.0}) {
    const auto bead = [&](double push) {
      return test::problem_of(MatrixXd::Identity(2, 2), Vector2d(-push, press), {},
                              {test::row("rail", Vector2d(0, 1), Vector2d(1, 0), 0.5)});
    };
    const ModeList held = list_motion_modes(bead(1.5));
    ASSERT_EQ(held.unique(), true) << press;
    EXPECT_EQ(held.contacts, std::vector<std::string>{"rail"});
    EXPECT_EQ(held.modes[0].contacts, std::vector{Mode::kStick});
    EXPECT_NEAR(held.modes[0].forces[0], press, 1e-13);
    EXPECT_EQ(held.modes[0].trending[0].sign, press > 0 ? 1 : -1);
    const ModeList moves = list_motion_modes(bead(3.0));
    ASSERT_EQ(moves.unique(), true) << press;
    EXPECT_EQ(moves.modes[0].contacts, std::vector{Mode::kSlideForward});
    EXPECT_NEAR(moves.modes[0].motion[0], 1.0, 1e-13);
  }
}

/// A ball of 1 kg and 0.4 kg m2 on the floor, pushed with 3 N; its normal force turns it with the arm `height`.
AccelerationProblem pushed_ball(double mu, double height) {
  AccelerationProblem problem;
  problem.M = Eigen::Vector<double, 5>(1.0, 1.0, 1.0, 0.4, 0.4).asDiagonal();
  problem.F = Eigen::Vector<double, 5>(-3.0, 0.0, 10.0, 0.0, 0.0);
  problem.coordinates = {"x", "y", "z", "a", "b"};
  ContactRows floor;
  floor.name = "floor";
  floor.normal = Eigen::Vector<double, 5>(0.0, 0.0, 1.0, 0.0, height);
  floor.tangents.resize(5, 2);
  floor.tangents << 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0;
  floor.tangent_drift = Vector2d::Zero();
  floor.slip = Vector2d::Zero();
  floor.mu = mu;
  problem.unilateral.push_back(floor);
  return problem;
}

// Without an arm friction does not act on the normal direction: one motion for any mu. With an arm of 1 m, in kinetic coordinates,
// n = (0, 0, 1, 0, b) and tangents (1, 0, 0, 0, b), (0, 1, 0, -b, 0) with b^2 = 1/0.4 = 2.5: the Gram matrix of n and the first is
// (3.5, 2.5; 2.5, 3.5), so that |row N of C^+| = sqrt(3.5/6), and |B_T| = sqrt(7): one motion is proved for mu < sqrt(6/24.5) = 0.49487.
TEST(MotionModes, OneMotionInSpaceIsProvedWhereItCanBe) {
  for (const double mu : {0.1, 0.5, 5.0}) {
    const ModeList ball = list_motion_modes(pushed_ball(mu, 0.0));
    EXPECT_EQ(ball.unique(), true) << mu << ball.note;
    EXPECT_EQ(ball.note, "");
  }
  EXPECT_EQ(list_motion_modes(pushed_ball(0.4948, 1.0)).unique(), true);
  EXPECT_FALSE(list_motion_modes(pushed_ball(0.495, 1.0)).complete);
}

// Newton's law of restitution: a ball comes back with e times its speed, and friction with 2/7 of the slip for a solid sphere that stops sliding
// (sticking takes m v_t 2/7 of tangential impulse); with tangential restitution 1 twice that.
TEST(ImpactModes, RestitutionActsInBothDirections) {
  const double m = 2.0, r = 0.1, e = 0.6;
  const auto ball = [&](double tangential) {
    ImpactProblem problem = impact_of(Vector3d(m, m, 0.4 * m * r * r).asDiagonal(), Vector3d(1, -3, 0),
                                      {test::row("floor", Vector3d(0, 1, 0), Vector3d(1, 0, r), 1.0)});
    problem.restitution(0, 0) = e;
    problem.tangential_restitution = VectorXd::Constant(1, tangential);
    return list_impact_modes(problem);
  };
  for (const double tangential : {0.0, 1.0}) {
    const ModeList list = ball(tangential);
    ASSERT_EQ(list.unique(), true);
    EXPECT_EQ(list.modes[0].contacts, std::vector{Mode::kStick});
    EXPECT_NEAR(list.modes[0].motion[1], 3 * e, 1e-13);
    EXPECT_NEAR(list.modes[0].forces[0], m * 3 * (1 + e), 1e-12);
    EXPECT_NEAR(list.modes[0].forces[1], -(1 + tangential) * m * 2.0 / 7.0, 1e-12);
    const double normal = 0.5 * m * 9 * (e * e - 1), friction = -0.5 * m * 2.0 / 7.0 * (1 - tangential * tangential);
    EXPECT_NEAR(list.modes[0].energy_change, normal + friction, 1e-12);
  }
  ImpactProblem coupled = particle_on_hill(1.0, 1.0, 1.0);
  coupled.restitution(0, 1) = 0.5;
  EXPECT_THROW(list_impact_modes(coupled), InputError);
}

// The surface moves with 1 m/s towards a ball at rest, e = 0.5: it is hit and leaves with 1.5 m/s.
TEST(ImpactModes, AMovingSurfaceHitsABallAtRest) {
  ImpactProblem problem = impact_of(MatrixXd::Identity(1, 1), VectorXd::Zero(1), {test::row("bat", VectorXd::Ones(1))});
  problem.unilateral[0].rate = -1.0;
  problem.restitution(0, 0) = 0.5;
  const ModeList list = list_impact_modes(problem);
  ASSERT_EQ(list.unique(), true);
  EXPECT_NEAR(list.modes[0].motion[0], 1.5, 1e-14);
  EXPECT_NEAR(list.modes[0].energy_change, -0.5 * (1.0 - 0.25), 1e-14);  // of the velocity relative to the bat
  EXPECT_NEAR(list.modes[0].energy_change + list.modes[0].surface_work, 0.5 * 1.5 * 1.5, 1e-14);
}

// A point mass on a horizontal floor in space, pulled by f: it sticks while |f| < mu m g, else moves along f with |f|/m - mu g.
TEST(MotionModes, FrictionInSpaceIsSolved) {
  const auto pulled = [](double f, const VectorXd& slip) {
    return list_motion_modes(test::problem_of(2.0 * MatrixXd::Identity(3, 3), Vector3d(-0.6 * f, -0.8 * f, 20.0),
                                              {test::row("floor", Vector3d(0, 0, 1), MatrixXd::Identity(3, 2), 0.5, slip)}));
  };
  const ModeList sticks = pulled(8.0, {});
  ASSERT_EQ(sticks.modes.size(), 1u) << sticks.note;
  EXPECT_EQ(sticks.unique(), true);  // friction does not act on the normal direction
  EXPECT_EQ(sticks.note, "");
  EXPECT_EQ(sticks.modes[0].contacts, std::vector{Mode::kStick});
  EXPECT_LE((sticks.modes[0].forces - Vector3d(20.0, -4.8, -6.4)).norm(), 1e-9);
  EXPECT_LE(sticks.modes[0].residual, 1e-10);
  const ModeList slides = pulled(14.0, {});
  ASSERT_EQ(slides.modes.size(), 1u);
  EXPECT_EQ(slides.modes[0].contacts, std::vector{Mode::kSlide});
  EXPECT_LE((slides.modes[0].motion - Vector3d(1.2, 1.6, 0.0)).norm(), 1e-9);
  const ModeList given = pulled(0.0, Vector2d(0, 3));  // a direction that is known is no search
  EXPECT_EQ(given.unique(), true);
  EXPECT_EQ(given.modes[0].contacts, std::vector{Mode::kSlide});
  EXPECT_LE((given.modes[0].motion - Vector3d(0, -5, 0)).norm(), 1e-13);
}

// n = e1, t1 = 0.8 n + 0.6 e2, t2 = e3 and M = 1, so that G = [1 0.8; 0.8 1] in the first two rows. With the free acceleration (0.1, 1, 0) of n, t1, t2 and mu = 2 the contact
// opens with 0.1; sticks with forces (0.7, -0.92)/0.36, whose ratio is 1.314; and slides with the force (1, -2)/6 and the slip acceleration 0.8.
TEST(MotionModes, OtherMotionsThatFrictionInSpaceAllowsAreFound) {
  AccelerationProblem problem;
  problem.M = MatrixXd::Identity(3, 3);
  problem.F = -Vector3d(0.1, (1.0 - 0.8 * 0.1) / 0.6, 0.0);
  ContactRows contact = test::row("tip", Vector3d(1, 0, 0));
  contact.tangents.resize(3, 2);
  contact.tangents.col(0) = Vector3d(0.8, 0.6, 0.0);
  contact.tangents.col(1) = Vector3d(0, 0, 1);
  contact.tangent_drift.setZero(2);
  contact.slip.setZero(2);
  contact.mu = 2.0;
  problem.unilateral.push_back(contact);
  const ModeList list = list_motion_modes(problem);
  EXPECT_EQ(list.unique(), false);
  EXPECT_FALSE(list.complete);
  std::map<Mode, VectorXd> forces;
  for (const ConsistentMode& mode : list.modes) forces[mode.contacts[0]] = mode.forces;
  ASSERT_EQ(list.modes.size(), 3u);
  ASSERT_EQ(forces.size(), 3u) << "each once";
  EXPECT_LE(forces.at(Mode::kOpen).norm(), 1e-12);
  EXPECT_LE((forces.at(Mode::kStick) - Vector3d(0.7, -0.92, 0.0) / 0.36).norm(), 1e-8);
  EXPECT_LE((forces.at(Mode::kSlide) - Vector3d(1, -2, 0) / 6.0).norm(), 1e-8);
}

// Seven blocks on an incline, each with a brake: more than are enumerated, one slides already.
TEST(MotionModes, ManyContactsAreSolvedWithoutAClaimOfUniqueness) {
  std::vector<ContactRows> contacts;
  for (int i = 0; i < 7; ++i) {
    contacts.push_back(
        test::row("b" + std::to_string(i), VectorXd::Unit(14, 2 * i + 1), VectorXd::Unit(14, 2 * i), 0.1 + 0.1 * i));
  }
  contacts[6].slip = VectorXd::Ones(1);
  contacts.push_back(test::row("extra", VectorXd::Unit(15, 14)));
  for (ContactRows& contact : contacts) {
    contact.normal.conservativeResizeLike(VectorXd::Zero(15));
    if (contact.tangent_count() > 0) contact.tangents.conservativeResizeLike(MatrixXd::Zero(15, 1));
  }
  contacts.push_back(test::row("last", VectorXd::Unit(15, 14), VectorXd::Unit(15, 0), 0.3));
  VectorXd F(15);
  for (int i = 0; i < 7; ++i) F.segment(2 * i, 2) = Vector2d(4.5, 10.0);
  F[14] = -1.0;
  const ModeList list = list_motion_modes(test::problem_of(MatrixXd::Identity(15, 15), F, contacts));
  ASSERT_EQ(list.modes.size(), 1u) << list.note;
  EXPECT_EQ(list.unique(), std::nullopt);
  for (int i = 0; i < 7; ++i) {
    const double mu = 0.1 + 0.1 * i;
    const double expected = i == 6 ? -4.5 - 7.0 : mu > 0.45 ? 0.0 : -4.5 + 10 * mu;
    EXPECT_NEAR(list.modes[0].motion[2 * i], expected, 1e-9) << i;
    EXPECT_EQ(list.modes[0].contacts[static_cast<size_t>(i)], i == 6      ? Mode::kSlideForward
                                                              : mu > 0.45 ? Mode::kStick
                                                                          : Mode::kSlideBackward);
  }
  EXPECT_EQ(list.modes[0].contacts[7], Mode::kOpen);
}

// Without a load a'M a = a'(forces), which sticking and open contacts do not add to and sliding ones make negative: nothing moves, and no
// other mode has this motion, however large the forces are with which the fingers may squeeze.
TEST(MotionModes, FingersThatSqueezeWithoutALoadHaveNoTies) {
  const std::vector<ContactRows> fingers = {test::row("right", Vector3d(-1, 0, 0), Vector3d(0, 1, 1), 0.3),
                                            test::row("left", Vector3d(1, 0, 0), Vector3d(0, 1, -1), 0.3),
                                            test::row("top", Vector3d(0, -1, 0), Vector3d(1, 0, -1), 0.3),
                                            test::row("bottom", Vector3d(0, 1, 0), Vector3d(1, 0, 1), 0.3)};
  const ModeList list = list_motion_modes(test::problem_of(MatrixXd::Identity(3, 3), Vector3d::Zero(), fingers));
  ASSERT_EQ(list.modes.size(), 1u);
  EXPECT_EQ(list.modes[0].contacts, std::vector<Mode>(4, Mode::kStick));
  EXPECT_TRUE(list.modes[0].ties.empty());
  EXPECT_FALSE(list.modes[0].forces_unique);
}

TEST(MotionModes, AnUnknownCoefficientIsSaid) {
  ContactRows contact = test::row("floor", Vector2d(0, 1), Vector2d(1, 0), 0.5);
  contact.mu.reset();
  const ModeList list = list_motion_modes(test::problem_of(MatrixXd::Identity(2, 2), Vector2d(0, 10), {contact}));
  EXPECT_TRUE(list.modes.empty());
  EXPECT_EQ(list.unique(), std::nullopt);
  EXPECT_EQ(list.note, "the friction coefficient of 'floor' is not known");
}

}  // namespace tippe::modes_test
