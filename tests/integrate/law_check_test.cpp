// SPDX-License-Identifier: Apache-2.0
// Each kind of violation, by hand: G = 2, so that 1 N s stands for a velocity of 2 m/s.
#include "tippe/integrate/law_check.h"

#include <gtest/gtest.h>

#include "tippe/integrate/active_laws.h"
#include "tippe/integrate/bilateral_rows.h"
#include "tippe/model/lagrangian_builder.h"

namespace tippe::integrate_law_check_test {

ForceLaw contact(int rows, double mu1 = 0.0, double mu2 = 0.0) {
  ForceLaw law;
  law.name = "floor";
  law.rows = rows;
  law.mu1 = mu1;
  law.mu2 = mu2;
  return law;
}

ForceLaw other(ForceLaw::Kind kind, double limit = 0.0) {
  ForceLaw law;
  law.kind = kind;
  law.limits = {limit, limit};
  return law;
}

/// What is wrong, or "".
std::string judge(const ForceLaw& law, std::vector<double> Lambda, std::vector<double> xi, double dt = 0.1,
                  double tolerance = 1e-8) {
  std::vector<double> G(static_cast<size_t>(law.rows * law.rows), 0.0);
  for (int k = 0; k < law.rows; ++k) G[static_cast<size_t>(k * law.rows + k)] = 2.0;
  const std::vector<double> terms(static_cast<size_t>(law.rows), 0.0);
  LawCheck check;
  check.add({7, &law, Lambda.data(), xi.data(), terms.data(), G.data(), dt, 0});
  const auto violation = check.judge(tolerance);
  if (!violation) return "";
  EXPECT_EQ(violation->law, 7);
  return violation->what;
}

TEST(LawCheck, NormalsPushAndDoNotClose) {
  const ForceLaw law = contact(1);
  EXPECT_EQ(judge(law, {1.0}, {0.0}), "");
  EXPECT_EQ(judge(law, {0.0}, {1.0}), "");
  EXPECT_EQ(judge(law, {-3.3}, {0.0}), "it pulls with an impulse of 3.3");
  EXPECT_EQ(judge(law, {0.0}, {-0.5}), "it closes with a velocity of 0.5");
  EXPECT_EQ(judge(law, {1.0}, {0.5}), "it pushes with an impulse of 1 while it opens with 0.5");
  EXPECT_EQ(judge(law, {1.0}, {1e-12}), "");
  EXPECT_EQ(judge(law, {0.0}, {0.0}), "");
}

// The square of a velocity of 1e-183 m/s is zero: rest, as for any number next to it.
TEST(LawCheck, VelocitiesThatHaveDiedAwayAreRest) {
  const ForceLaw law = contact(1);
  EXPECT_EQ(judge(law, {0.0}, {-4e-183}), "");
  EXPECT_EQ(judge(law, {-1e-190}, {0.0}), "");
  EXPECT_NE(judge(law, {0.0}, {-1e-140}), "");
}

TEST(LawCheck, OneWayClutchesLikewise) {
  const ForceLaw law = other(ForceLaw::Kind::kOneWay);
  EXPECT_EQ(judge(law, {1.0}, {0.0}), "");
  EXPECT_NE(judge(law, {-1.0}, {0.0}), "");
  EXPECT_NE(judge(law, {0.0}, {-1.0}), "");
}

TEST(LawCheck, FrictionStaysWithinItsLimitAndOpposesTheSlip) {
  const ForceLaw law = contact(2, 0.5);
  EXPECT_EQ(judge(law, {2.0, 0.7}, {0.0, 0.0}), "");   // sticks
  EXPECT_EQ(judge(law, {2.0, -1.0}, {0.0, 3.0}), "");  // slides
  EXPECT_NE(judge(law, {2.0, 1.1}, {0.0, 0.0}), "");   // above its limit
  EXPECT_NE(judge(law, {2.0, 1.0}, {0.0, 3.0}), "");   // pushes along the slip
  EXPECT_NE(judge(law, {2.0, -0.9}, {0.0, 3.0}), "");  // slips below its limit
  EXPECT_NE(judge(law, {0.0, -0.1}, {1.0, 3.0}), "");  // friction without a normal impulse
}

TEST(LawCheck, AnisotropicFriction) {
  const ForceLaw law = contact(3, 0.5, 0.25);
  EXPECT_EQ(judge(law, {2.0, 0.0, -0.5}, {0.0, 0.0, 1.0}), "");
  EXPECT_NE(judge(law, {2.0, 0.0, -0.6}, {0.0, 0.0, 1.0}), "");
  // Along xi = (1, 2): -Lambda = (mu1^2, 2 mu2^2) N / sqrt(mu1^2 + 4 mu2^2), the point of the ellipse with that normal.
  const double root = std::sqrt(0.25 + 0.25);
  EXPECT_EQ(judge(law, {2.0, -0.5 / root, -0.25 / root}, {0.0, 1.0, 2.0}), "");
  EXPECT_NE(judge(law, {2.0, -0.25 / root, -0.5 / root}, {0.0, 1.0, 2.0}), "");
  const ForceLaw smooth_along_second = contact(3, 0.3, 0.0);
  EXPECT_EQ(judge(smooth_along_second, {1.0, 0.2, 0.0}, {0.0, 0.0, 4.0}), "");
  EXPECT_NE(judge(smooth_along_second, {1.0, 0.0, -0.1}, {0.0, 0.0, 0.0}), "");
}

TEST(LawCheck, DryFriction) {
  const ForceLaw law = other(ForceLaw::Kind::kDryFriction, 10.0);
  EXPECT_EQ(judge(law, {0.6}, {0.0}), "");
  EXPECT_EQ(judge(law, {-1.0}, {2.0}), "");
  EXPECT_NE(judge(law, {-1.2}, {2.0}), "");
  EXPECT_NE(judge(law, {-0.6}, {2.0}), "");
  EXPECT_NE(judge(law, {0.1}, {0.0}, 0.0), "");  // none in an impact
  EXPECT_EQ(judge(law, {-1e-37}, {1e-54}), "");  // sticks, far below its limit, to round-off
}

/// A contact in the expansion of Poisson's law, with at least `least`.
std::string judge_expansion(const ForceLaw& law, double least, std::vector<double> Lambda, std::vector<double> xi) {
  const std::vector<double> G = law.rows == 1 ? std::vector{2.0} : std::vector{2.0, 0.0, 0.0, 2.0}, terms{0.0, 0.0};
  LawCheck check;
  check.add({7, &law, Lambda.data(), xi.data(), terms.data(), G.data(), 0.0, 0, least});
  const auto violation = check.judge(1e-8);
  return violation ? violation->what : "";
}

TEST(LawCheck, ExpansionGivesAtLeastEpsilonTimesTheCompression) {
  const ForceLaw law = contact(1);
  EXPECT_EQ(judge_expansion(law, 0.5, {0.5}, {1.0}), "");  // it opens
  EXPECT_EQ(judge_expansion(law, 0.5, {0.8}, {0.0}), "");  // other contacts press
  EXPECT_EQ(judge_expansion(law, 0.5, {0.5}, {0.0}), "");
  EXPECT_EQ(judge_expansion(law, 0.5, {0.4}, {1.0}), "it expands with an impulse of 0.4, and 0.5 is the least");
  EXPECT_EQ(judge_expansion(law, 0.5, {-0.1}, {1.0}), "it expands with an impulse of -0.1, and 0.5 is the least");
  EXPECT_EQ(judge_expansion(law, 0.5, {1.0}, {1.0}), "it pushes with an impulse of 0.5 while it opens with 1");
  EXPECT_EQ(judge_expansion(law, 0.5, {0.5}, {-1.0}), "it closes with a velocity of 1");
}

// The whole normal impulse of the phase limits its friction.
TEST(LawCheck, FrictionOfAnExpansion) {
  const ForceLaw law = contact(2, 0.5);
  EXPECT_EQ(judge_expansion(law, 2.0, {2.0, -1.0}, {1.0, 3.0}), "");
  EXPECT_NE(judge_expansion(law, 2.0, {2.0, 0.0}, {1.0, 3.0}), "");   // slips without friction
  EXPECT_NE(judge_expansion(law, 2.0, {2.0, -1.1}, {1.0, 3.0}), "");  // above its limit
}

// A restitution matrix gives velocities, and impulses of either sign.
TEST(LawCheck, VelocitiesOfARestitutionMatrix) {
  const ForceLaw law = contact(1);
  const auto judge_matrix = [&](double Lambda, double xi) {
    const double G = 2.0, terms = 0.0;
    LawCheck check;
    check.add({7, &law, &Lambda, &xi, &terms, &G, 0.0, 0, 0.0, true});
    const auto violation = check.judge(1e-8);
    return violation ? violation->what : "";
  };
  EXPECT_EQ(judge_matrix(1.0, 0.0), "");
  EXPECT_EQ(judge_matrix(-1.0, 0.0), "");
  EXPECT_EQ(judge_matrix(-1.0, 1e-12), "");
  EXPECT_EQ(judge_matrix(1.0, 0.25), "its velocity differs by 0.25 from that of the restitution matrix");
  EXPECT_EQ(judge_matrix(1.0, -0.25), "its velocity differs by -0.25 from that of the restitution matrix");
}

/// A ball of 2 kg that hits the floor with 3 m/s and restitution 0.5, by an impulse that somebody else found.
StepReport hit_floor(double impulse, State& state) {
  LagrangianBuilder builder({"x"});
  builder.kinetic([](const auto&, const auto& v, auto) { return v[0] * v[0]; });
  builder.contact("floor", 0.5, [](const auto& q, auto) { return q[0]; });
  const auto system = builder.build();
  const auto evaluator = system->make_evaluator();
  evaluator->set_state(state.t, state.q, state.u);
  Dynamics dynamics;
  evaluator->evaluate_dynamics(dynamics);
  StepReport report;
  BilateralRows rows(*system);
  rows.evaluate(*evaluator, report);
  ConstrainedMass mass(1, system->mass_pattern(), rows.W());
  EXPECT_TRUE(mass.factorize(dynamics.M, rows.W()));
  LawStep step;
  LawMemory memory;
  const LawList list = list_of_fixed_laws(system->laws());
  ActiveLaws laws(*system, {});
  laws.find(*evaluator, list, {state.q, state.u}, 0.0, memory, step);
  laws.assemble(mass, state.u, step);
  laws.collide_by(Eigen::VectorXd::Constant(1, impulse), mass, state.u, step, report);
  return report;
}

TEST(LawCheck, ImpulsesOfAnImpactThatWereFoundElsewhere) {
  State state{0.0, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, -3.0)};
  EXPECT_TRUE(hit_floor(9.0, state).ok());
  EXPECT_NEAR(state.u[0], 1.5, 1e-15);
  state.u[0] = -3.0;
  const StepReport report = hit_floor(10.0, state);
  EXPECT_EQ(report.status, StepReport::Status::kNotSolved);
  EXPECT_EQ(report.worst_law, LawId::fixed(0));
  EXPECT_NE(report.culprit.find("'floor' violates its law"), std::string::npos) << report.culprit;
}

// A violation counts against its own part only.
TEST(LawCheck, PartsHaveScalesOfTheirOwn) {
  const ForceLaw law = contact(1);
  const double G = 1.0, large = 1e9, small = -1e-3, zero = 0.0;
  LawCheck check;
  check.add({0, &law, &large, &zero, &zero, &G, 0.1, 0});
  check.add({1, &law, &small, &zero, &zero, &G, 0.1, 1});
  ASSERT_TRUE(check.judge(1e-8));
  EXPECT_EQ(check.judge(1e-8)->law, 1);
}

// What is the small difference of large velocities is known to their round-off.
TEST(LawCheck, RoundOffIsNoViolation) {
  const ForceLaw law = contact(1);
  const double G = 1.0, Lambda = 0.0, xi = -1e-13, large = 1.0, small = 1e-3;
  LawCheck check;
  check.add({0, &law, &Lambda, &xi, &large, &G, 0.1, 0});
  EXPECT_FALSE(check.judge(1e-8));
  check.clear();
  check.add({0, &law, &Lambda, &xi, &small, &G, 0.1, 0});
  EXPECT_TRUE(check.judge(1e-8));
}

}  // namespace tippe::integrate_law_check_test
