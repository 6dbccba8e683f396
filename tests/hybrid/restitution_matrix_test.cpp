// SPDX-License-Identifier: Apache-2.0
// Brogliato A (76), (77): v+ = -E v- at contacts that hit at once.
#include <fmt/format.h>

#include "support/full_pivot.h"
#include "support/linear_algebra.h"
#include "support/random.h"
#include "support/scenes.h"
#include "tippe/analyze/impact_laws.h"
#include "tippe/hybrid/impact.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/model/lagrangian_builder.h"

namespace tippe::hybrid_restitution_matrix_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = ImpactOutcome::Status;

/// Balls in a row that touch, the first two contacts "a" and "b" and so on, each with restitution 1, and a matrix between all of them.
std::unique_ptr<const System> row_of_balls(const VectorXd& masses, const MatrixXd& E) {
  std::vector<std::string> names;
  for (int i = 0; i < masses.size(); ++i) names.push_back(fmt::format("x{}", i));
  LagrangianBuilder builder(names);
  builder.kinetic([&](const auto&, const auto& v, auto) {
    auto T = 0.5 * masses[0] * v[0] * v[0];
    for (int i = 1; i < masses.size(); ++i) T = T + 0.5 * masses[i] * v[i] * v[i];
    return T;
  });
  RestitutionMatrix matrix;
  for (int i = 0; i + 1 < masses.size(); ++i) {
    builder.contact(std::string(1, static_cast<char>('a' + i)), 1.0, [i](const auto& q, auto) { return q[i + 1] - q[i]; });
    matrix.laws.push_back(i);
  }
  matrix.E = E;
  builder.description().restitution_matrix = matrix;
  return builder.build();
}

State moving(const VectorXd& u) {
  return {0.0, VectorXd::Zero(u.size()), u};
}

ImpactOutcome hit(const System& system, const VectorXd& u) {
  return resolve_impact(system, moving(u), std::vector<bool>(system.laws().size(), true));
}

/// Newton's cradle of three: what comes in on one side leaves on the other.
const MatrixXd kCradle{{0.0, 1.0}, {1.0, 0.0}};

TEST(RestitutionMatrix, OfACradleSendsTheLastBallAway) {
  const auto system = row_of_balls(VectorXd::Ones(3), kCradle);
  const ImpactOutcome right = hit(*system, VectorXd{{1.0, 0.0, 0.0}});
  ASSERT_EQ(right.status, Status::kDone) << right.note;
  EXPECT_LT((right.u - VectorXd{{0.0, 0.0, 1.0}}).norm(), 1e-12);
  EXPECT_NEAR(right.lost, 0.0, 1e-12);
  EXPECT_LT((right.impulse - VectorXd{{1.0, 1.0}}).norm(), 1e-12);
  EXPECT_EQ(right.hit, (std::vector<int>{0, 1}));
  EXPECT_EQ(right.note, "");
  EXPECT_EQ(right.alternatives, 0);
  const ImpactOutcome left = hit(*system, VectorXd{{0.0, 0.0, -1.0}});
  EXPECT_LT((left.u - VectorXd{{-1.0, 0.0, 0.0}}).norm(), 1e-12);
  // From both sides at once both turn round.
  const ImpactOutcome both = hit(*system, VectorXd{{1.0, 0.0, -2.0}});
  EXPECT_LT((both.u - VectorXd{{-2.0, 0.0, 1.0}}).norm(), 1e-12);
}

// Two of the balls alone are no matter of the matrix: their own restitution is 1, and they exchange their velocities. Nor is a row
// where one contact already opens.
TEST(RestitutionMatrix, GovernsOnlyWhenAllItsContactsAreClosed) {
  const auto system = row_of_balls(VectorXd::Ones(3), kCradle);
  const ImpactOutcome pair = resolve_impact(*system, moving(VectorXd{{1.0, 0.0, 0.0}}), {true, false});
  EXPECT_LT((pair.u - VectorXd{{0.0, 1.0, 0.0}}).norm(), 1e-12);
  const ImpactOutcome opening = hit(*system, VectorXd{{1.0, 0.0, 5.0}});
  EXPECT_LT((opening.u - VectorXd{{0.0, 1.0, 5.0}}).norm(), 1e-12);
  const ImpactOutcome plastic = resolve_impact(*system, moving(VectorXd{{3.0, 0.0, 0.0}}), {true, true}, 0.0);
  EXPECT_LT((plastic.u - VectorXd::Ones(3)).norm(), 1e-12);
}

// Round-off in the velocity of the resting contact does not matter.
TEST(RestitutionMatrix, AllowsForRoundOffAtRest) {
  const auto system = row_of_balls(VectorXd::Ones(3), kCradle);
  const ImpactOutcome outcome = hit(*system, VectorXd{{1.0, 0.0, 1e-12}});
  EXPECT_LT((outcome.u - VectorXd{{0.0, 0.0, 1.0}}).norm(), 1e-11);
}

// Random masses and matrices: u+ = u- - M^-1 W A^-1 (I + E) v- with A = W'M^-1 W, Brogliato A (77), and what is noted is what (77) and
// the energy say of it.
TEST(RestitutionMatrix, FollowsTheFormulaAndNotesWhatIsNotAdmissible) {
  test::Random random(76);
  int admissible = 0, rising = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 3 + random.below(3);
    VectorXd masses(n), u(n);
    MatrixXd E(n - 1, n - 1), W = MatrixXd::Zero(n, n - 1);
    for (int i = 0; i < n; ++i) masses[i] = random.uniform(0.2, 3.0);
    u[0] = random.uniform(0.5, 2.0);
    for (int i = 1; i < n; ++i)
      u[i] = u[i - 1] - (random.below(2) == 0 ? 0.0 : random.uniform(0.0, 1.0)) - (i == 1 ? 0.1 : 0.0);
    for (int i = 0; i + 1 < n; ++i) {
      for (int j = 0; j + 1 < n; ++j) E(i, j) = random.uniform(0.0, i == j ? 1.0 : trial % 3 == 0 ? 1.5 : 0.3);
      W(i, i) = -1.0;
      W(i + 1, i) = 1.0;
    }
    const VectorXd v = W.transpose() * u;
    const MatrixXd M_inverse = masses.cwiseInverse().asDiagonal(), A = W.transpose() * M_inverse * W;
    const VectorXd p = -test::solve_by_pivots(A, v + E * v), after = u + M_inverse * W * p;
    const double gain = 0.5 * after.dot(masses.cwiseProduct(after)) - 0.5 * u.dot(masses.cwiseProduct(u));
    const ImpactOutcome outcome = hit(*row_of_balls(masses, E), u);
    ASSERT_EQ(outcome.status, Status::kDone) << trial << ": " << outcome.note;
    EXPECT_LT((outcome.u - after).norm(), 1e-10) << trial;
    EXPECT_LT((outcome.impulse - p).norm(), 1e-9) << trial;
    EXPECT_NEAR(outcome.lost, -gain, 1e-9) << trial;
    const bool pulls = p.minCoeff()<-1e-6, rises = gain> 1e-6;
    EXPECT_EQ(outcome.note.find("Kinetic") != std::string::npos, pulls) << trial << ": " << outcome.note << p.transpose();
    EXPECT_EQ(outcome.note.find("Energetic") != std::string::npos, rises) << trial << ": " << outcome.note << gain;
    EXPECT_EQ(outcome.note.empty(), !pulls && !rises) << outcome.note;
    admissible += outcome.note.empty() ? 1 : 0;
    rising += rises ? 1 : 0;
  }
  EXPECT_GT(admissible, 5);
  EXPECT_GT(rising, 5);
}

// A particle in a wedge that is blunter than a right angle hits the left wall along the right one: Newton's law with E = I asks the right
// wall to pull, and Moreau's does not. The kinetic angle is that of the wedge, 120 degrees.
TEST(RestitutionMatrix, NamesTheWideAngleWhereItPulls) {
  LagrangianBuilder builder({"x", "y"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  const double c = std::sqrt(0.75), s = 0.5;  // of 30 degrees
  builder.contact("left", 1.0, [=](const auto& q, auto) { return c * q[1] + s * q[0]; });
  builder.contact("right", 1.0, [=](const auto& q, auto) { return c * q[1] - s * q[0]; });
  builder.description().restitution_matrix = RestitutionMatrix{{0, 1}, MatrixXd::Identity(2, 2)};
  const ImpactOutcome outcome = hit(*builder.build(), VectorXd{{-c, -s}});
  ASSERT_EQ(outcome.status, Status::kDone) << outcome.note;
  EXPECT_LT((outcome.u - VectorXd{{c, s}}).norm(), 1e-12);
  EXPECT_NE(outcome.note.find("'right' would have to pull"), std::string::npos) << outcome.note;
  EXPECT_NE(outcome.note.find("'left' and 'right' (120 degrees)"), std::string::npos) << outcome.note;
  EXPECT_NE(outcome.note.find("the kinematic law can ask for pulling"), std::string::npos) << outcome.note;
}

// Contacts that cannot have the velocities that E asks for: two at the same place with different rebounds.
TEST(RestitutionMatrix, SaysWhenNoVelocitiesFit) {
  LagrangianBuilder builder({"y"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * v[0] * v[0]; });
  for (const char* name : {"a", "b"}) builder.contact(name, 0.0, [](const auto& q, auto) { return q[0]; });
  builder.description().restitution_matrix = RestitutionMatrix{{0, 1}, MatrixXd{{1.0, 0.0}, {0.0, 0.0}}};
  const ImpactOutcome outcome = hit(*builder.build(), VectorXd{{-1.0}});
  EXPECT_EQ(outcome.status, Status::kNoSolution);
  EXPECT_NE(outcome.note.find("No impulses give contact"), std::string::npos) << outcome.note;
}

// The first ball of a cradle also touches a wall behind it, with restitution 0.5. Without a force there the balls do as without the wall.
TEST(RestitutionMatrix, OtherContactsFollowNewtonsLaw) {
  LagrangianBuilder builder({"x0", "x1", "x2"});
  builder.kinetic([](const auto&, const auto& v, auto) { return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); });
  builder.contact("wall", 0.5, [](const auto& q, auto) { return q[0]; });
  builder.contact("a", 1.0, [](const auto& q, auto) { return q[1] - q[0]; });
  builder.contact("b", 1.0, [](const auto& q, auto) { return q[2] - q[1]; });
  builder.description().restitution_matrix = RestitutionMatrix{{1, 2}, kCradle};
  const auto system = builder.build();
  const ImpactOutcome free = hit(*system, VectorXd{{1.0, 0.0, 0.0}});
  EXPECT_LT((free.u - VectorXd{{0.0, 0.0, 1.0}}).norm(), 1e-12);
  // The last ball comes in with -1: the matrix asks for gap velocities (1, 0), the wall for x0+ >= 0. So (0, 1, 1), with the momentum 3 from
  // the wall, and an energy that rises by 0.5.
  const ImpactOutcome pushed = hit(*system, VectorXd{{0.0, 0.0, -1.0}});
  ASSERT_EQ(pushed.status, Status::kDone) << pushed.note;
  EXPECT_LT((pushed.u - VectorXd{{0.0, 1.0, 1.0}}).norm(), 1e-11);
  EXPECT_NEAR(pushed.impulse[0], 3.0, 1e-11);
  EXPECT_NEAR(pushed.lost, -0.5, 1e-11);
  EXPECT_NE(pushed.note.find("Energetic: the energy would rise by 0.5 J"), std::string::npos) << pushed.note;
}

// The cradle swings as one pendulum: from -angle the first ball falls for a quarter of the period 4 sqrt(l/g) K(sin(angle/2)), the last
// one swings for half of it, and the first one returns to where it was let go.
TEST(RestitutionMatrix, ACradleRepeatsItselfAfterThePeriodOfAPendulum) {
  const double period = 4.0 * std::sqrt(0.2 / 9.81) * std::comp_ellint_1(std::sin(0.25));
  const Scene scene =
      test::load("cradle_matrix", {.settings = {}, .integrator = {}, .dt = {}, .until = fmt::format("{:.17g}", period)});
  const RunSummary summary = test::run(scene);
  EXPECT_EQ(summary.impacts, 2);  // of the contact that closes
  EXPECT_LT((summary.final_state.q - VectorXd{{-0.5, 0.0, 0.0}}).norm(), 1e-9);
  EXPECT_LT(summary.final_state.u.norm(), 1e-9);
  // With a share s = 0.9 of the velocity passed on they leave with (1 - s, 1 - s, 1 + 2 s) / 3 of it: 2/3 (1 - s^2) of the energy is lost.
  const RunSummary lossy =
      test::run(test::load("cradle_matrix", {.settings = {"transfer=0.9"}, .integrator = {}, .dt = {}, .until = "0.4"}));
  const double energy = 0.1 * 9.81 * 0.2 * (1.0 - std::cos(0.5));
  EXPECT_NEAR(lossy.energy.lost_in_contacts, energy * 2.0 / 3.0 * 0.19, 1e-14);
}

// What `tippe analyze` judges at such an instant is the matrix, and only when it governs.
TEST(RestitutionMatrix, IsThatOfTheInstant) {
  const auto system = row_of_balls(VectorXd::Ones(3), kCradle);
  const Instant instant = instant_of(*system, moving(VectorXd{{1.0, 0.0, 0.0}}), {});
  ASSERT_TRUE(instant.impact.has_value());
  EXPECT_EQ(instant.impact->restitution, kCradle);
  EXPECT_TRUE(judge_impact(*instant.impact).kinematic.admissible.answer == Answer::kYes);
  const Instant opening = instant_of(*system, moving(VectorXd{{1.0, 0.0, 5.0}}), {});
  ASSERT_TRUE(opening.impact.has_value());
  EXPECT_EQ(opening.impact->restitution, MatrixXd::Identity(2, 2));
}

}  // namespace tippe::hybrid_restitution_matrix_test
