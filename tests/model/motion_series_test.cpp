// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/motion_series.h"

#include "support/random.h"
#include "support/scenes.h"

namespace tippe::model_motion_series_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kOrder = 20;
const std::string kRun = "\n[run]\nintegrator = \"moreau\"\ndt = 0.01\nuntil = 1\n";

double value_at(const double* coefficients, double s) {
  double value = 0.0;
  for (int k = kOrder; k >= 0; --k) value = value * s + coefficients[k];
  return value;
}

/// A motion q(s), u(s) by coefficients, one column per order; those after the last are zero.
struct Motion {
  double t;
  MatrixXd q, u;
  static VectorXd at(const MatrixXd& coefficients, double s) {
    VectorXd value = VectorXd::Zero(coefficients.rows());
    for (Eigen::Index k = coefficients.cols() - 1; k >= 0; --k) value = value * s + coefficients.col(k);
    return value;
  }
};

void evaluate_along(MotionSeries& series, const Motion& motion) {
  series.begin(motion.t, motion.q.col(0), motion.u.col(0));
  series.evaluate(0);
  const VectorXd no_q = VectorXd::Zero(motion.q.rows()), no_u = VectorXd::Zero(motion.u.rows());
  for (int k = 1; k <= kOrder; ++k) {
    if (k < motion.q.cols())
      series.set_coefficients(k, motion.q.col(k), motion.u.col(k));
    else
      series.set_coefficients(k, no_q, no_u);
    series.evaluate(k);
  }
}

/// Some motion through the scene's start: any, not one that obeys its equations.
Motion random_motion(const Scene& scene, test::Random& random) {
  Motion motion{scene.start.t + 0.3, MatrixXd(scene.system->nq(), 5), MatrixXd(scene.system->nu(), 5)};
  for (int k = 0; k < 5; ++k) {
    motion.q.col(k) = random.vector(scene.system->nq(), 0.2);
    motion.u.col(k) = random.vector(scene.system->nu());
  }
  motion.q.col(0) += scene.start.q;
  motion.u.col(0) += scene.start.u;
  return motion;
}

/// All polynomials at times near the start against the evaluator there: to round-off, since the series converge fast.
void expect_values_of_evaluator(const MotionSeries& series, const Scene& scene, const Motion& motion) {
  const System& system = *scene.system;
  const auto evaluator = system.make_evaluator();
  constexpr int kPoints = 7;
  constexpr double kReach = 0.04;
  for (int p = 0; p < kPoints; ++p) {
    const double s = kReach * std::cos(std::acos(-1.0) * (p + 0.5) / kPoints);
    const VectorXd u = Motion::at(motion.u, s);
    evaluator->set_state(motion.t + s, Motion::at(motion.q, s), u);
    const auto expect = [&](const double* coefficients, double value, double size, const std::string& what) {
      EXPECT_NEAR(value_at(coefficients, s), value, 1e-12 * (1.0 + size)) << what << " at " << s;
    };

    Dynamics dynamics;
    evaluator->evaluate_dynamics(dynamics);
    for (size_t e = 0; e < system.mass_pattern().size(); ++e)
      expect(series.mass(static_cast<int>(e)), dynamics.M[e], std::abs(dynamics.M[e]), "M");
    for (int j = 0; j < system.nu(); ++j) expect(series.h(j), dynamics.h[j], dynamics.h.norm(), "h");
    VectorXd rate;
    evaluator->evaluate_position_rate(rate);
    for (int i = 0; i < system.nq(); ++i) expect(series.position_rate(i), rate[i], rate.norm(), "dq/dt");
    const auto expect_power = [&](const double* coefficients, double power, const std::string& what) {
      if (coefficients == nullptr)
        EXPECT_EQ(power, 0.0) << what;
      else
        expect(coefficients, power, std::abs(power), what);
    };
    expect_power(series.damping_loss(), -(dynamics.damping.dot(u) + dynamics.damping_on_drift), "damping");
    expect_power(series.driving_power(), dynamics.applied.dot(u) + dynamics.drive_power, "driving");
    ASSERT_EQ(series.drive_momentum().size(), static_cast<size_t>(dynamics.drive_momentum.size()));
    for (int j = 0; j < dynamics.drive_momentum.size(); ++j)
      expect(series.drive_momentum()[static_cast<size_t>(j)], dynamics.drive_momentum[j], dynamics.drive_momentum.norm(),
             "drive momentum");

    const auto expect_row = [&](const MotionSeries::Row& row, const SparseColumns& W, int column, double chi, double drift) {
      VectorXd w = VectorXd::Zero(system.nu()), of_series = w;
      for (int e = W.start[column]; e < W.start[column + 1]; ++e) w[W.row[e]] = W.value[e];
      for (size_t j = 0; j < row.velocity.size(); ++j) of_series[row.velocity[j]] = value_at(row.value[j], s);
      EXPECT_LE((of_series - w).norm(), 1e-12 * (1.0 + w.norm()));
      expect(row.chi, chi, std::abs(chi), "chi");
      expect(row.gamma, w.dot(u) + chi, w.norm() * u.norm(), "gamma");
      expect(row.drift, drift, w.norm() * u.norm() * u.norm(), "drift");
    };
    SparseColumns W;
    VectorXd chi, drift, g, gaps(static_cast<Eigen::Index>(system.laws().size()));
    evaluator->evaluate_constraint_directions(W, chi);
    evaluator->evaluate_constraint_drift(drift);
    evaluator->evaluate_constraint_positions(g);
    ASSERT_EQ(series.constraints().size(), system.constraints().size());
    for (int i = 0; i < static_cast<int>(system.constraints().size()); ++i) {
      expect_row(series.constraints()[static_cast<size_t>(i)], W, i, chi[i], drift[i]);
      ASSERT_EQ(series.constraint_position(i) != nullptr, system.constraints()[static_cast<size_t>(i)].holonomic);
      if (series.constraint_position(i) != nullptr) expect(series.constraint_position(i), g[i], std::abs(g[i]), "g");
    }
    gaps = gaps_of(*evaluator);
    const LawList laws = list_of_fixed_laws(system.laws());
    ASSERT_EQ(series.laws().size(), system.laws().size());
    for (int i = 0; i < static_cast<int>(system.laws().size()); ++i) {
      const ForceLaw& law = system.laws()[static_cast<size_t>(i)];
      ASSERT_EQ(series.gap(i) != nullptr, law.kind == ForceLaw::Kind::kContact);
      if (series.gap(i) != nullptr) expect(series.gap(i), gaps[i], std::abs(gaps[i]), "gap");
      W.clear();
      std::vector<double> law_chi, law_drift;
      evaluator->append_directions(laws, i, W, law_chi);
      evaluator->append_drift(laws, i, law_drift);
      ASSERT_EQ(static_cast<int>(series.laws()[static_cast<size_t>(i)].size()), law.rows);
      for (int r = 0; r < law.rows; ++r) {
        const auto at = static_cast<size_t>(r);
        expect_row(series.laws()[static_cast<size_t>(i)][at], W, r, law_chi[at], law_drift[at]);
      }
    }
  }
}

void expect_series_of(const Scene& scene) {
  const auto series = scene.system->make_series(kOrder);
  ASSERT_NE(series, nullptr);
  EXPECT_EQ(series->order(), kOrder);
  test::Random random(80);
  for (int trial = 0; trial < 3; ++trial) {  // the same object, begun again
    const Motion motion = random_motion(scene, random);
    evaluate_along(*series, motion);
    expect_values_of_evaluator(*series, scene, motion);
  }
}

TEST(MotionSeries, PolynomialsOfScenesHaveTheValuesOfTheirEquations) {
  for (const char* name :
       {"woodpecker", "block_pendulum", "double_pendulum_wall", "skate", "heavy_top", "rolling_ball", "tippe_top"}) {
    SCOPED_TRACE(name);
    expect_series_of(test::load(name));
  }
}

// Velocities of one's own choice, a drift of the coordinates, a bilateral constraint that moves, damping, forces in t, friction.
TEST(MotionSeries, PolynomialsOfADrivenSystemWithItsOwnVelocities) {
  expect_series_of(test::scene_from(R"toml(
[lagrangian]
coordinates = ["x", "y", "th"]
kinetic = "0.5*1.5*(x'^2 + y'^2) + 0.5*0.2*th'^2 + 0.1*cos(t)*th'*x'"
potential = "-6*x*cos(th) + 0.3*t*y^2"
damping = "0.05*th'^2 + 0.2*x'^4"
forces = { y = "sin(2*t) - 0.1*abs(3 + y')*y'", x = "exp(-t)*max(y - 4, x)" }
[velocities]
names = ["v", "w"]
[velocities.rates]
x = "v*cos(th)"
y = "v*sin(th) + 0.2*t"
th = "w + t"
[[bilateral]]
name = "turn"
position = "th - t^2/2 - exp(x) + 1"
[[bilateral]]
name = "blade"
velocity = "y'*cos(th) - x'*sin(th)*cosh(t)"
[[contact]]
name = "floor"
gap = "y + 2 + 0.2*sin(3*t) - atan(x)"
slip = "x' - 0.5*t"
friction = 0.3
)toml" + kRun));
}

// x'' = -4 x from x = 1, x' = 0: x = cos 2t.
TEST(MotionSeries, MotionOfAnOscillatorOrderByOrder) {
  const Scene scene =
      test::scene_from("[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*2*x'^2\"\npotential = \"0.5*8*x^2\"\n" + kRun);
  const auto series = scene.system->make_series(kOrder);
  VectorXd q = VectorXd::Constant(1, 1.0), u = VectorXd::Zero(1);
  series->begin(0.0, q, u);
  double expected = 1.0;
  for (int k = 0; k < kOrder; ++k) {
    series->evaluate(k);
    const double rate = series->position_rate(0)[k];
    u[0] = series->h(0)[k] / series->mass(0)[0] / (k + 1);
    q[0] = rate / (k + 1);
    series->set_coefficients(k + 1, q, u);
    if (k % 2 == 1) expected *= -4.0 / (k * (k + 1));
    EXPECT_NEAR(q[0], k % 2 == 1 ? expected : 0.0, 1e-15 * std::abs(expected)) << k + 1;
  }
  EXPECT_EQ(series->damping_loss(), nullptr);
  EXPECT_EQ(series->driving_power(), nullptr);
  EXPECT_TRUE(series->switches().empty());
}

// x' = 1 + 2 s at t = 3 + s: a damper of 0.7 loses 0.7 (1 + 2 s)^2, the force 5 t feeds in 5 (3 + s)(1 + 2 s).
TEST(MotionSeries, PowersForTheLedger) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\ndamping = \"0.5*0.7*x'^2\"\nforces = { x = \"5*t\" }\n" +
      kRun);
  const auto series = scene.system->make_series(kOrder);
  MatrixXd q(1, 2), u(1, 2);
  q << 0.4, 1.0;
  u << 1.0, 2.0;
  evaluate_along(*series, {3.0, q, u});
  const double loss[4] = {0.7, 2.8, 2.8, 0.0}, power[4] = {15.0, 35.0, 10.0, 0.0};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(series->damping_loss()[k], loss[k], 1e-14);
    EXPECT_NEAR(series->driving_power()[k], power[k], 1e-14);
  }
}

// A spring with slack, V = 50 max(|x| - 0.1, 0)^2: force -100 (|x| - 0.1) sign x where it is tight. On a forced branch the same force
// continues on the other side.
TEST(MotionSeries, SwitchesDivideTheMotionIntoSmoothParts) {
  const Scene scene = test::scene_from(
      "[lagrangian]\ncoordinates = [\"x\"]\nkinetic = \"0.5*x'^2\"\npotential = \"50*max(abs(x) - 0.1, 0)^2\"\n" + kRun);
  const auto series = scene.system->make_series(kOrder);
  ASSERT_EQ(series->switches().size(), 2u);
  MatrixXd q(1, 2), u(1, 2);
  u << 0.0, 0.0;
  const auto force = [&](double x) {
    q << x, 1.0;
    evaluate_along(*series, {0.0, q, u});
    return Eigen::Vector2d(series->h(0)[0], series->h(0)[1]);
  };
  EXPECT_LE(force(0.05).norm(), 0.0);
  EXPECT_LE((force(-0.3) - Eigen::Vector2d(20.0, -100.0)).norm(), 1e-13);
  EXPECT_LE((force(0.3) - Eigen::Vector2d(-20.0, -100.0)).norm(), 1e-13);
  std::vector<double> distances;
  for (MotionSeries::Switch& part : series->switches()) {
    distances.push_back(std::abs(part.argument[0]));
    EXPECT_EQ(std::abs(part.argument[1]), 1.0);
    part.forced = part.argument[0] > 0.0 ? 1 : -1;
  }
  std::sort(distances.begin(), distances.end());
  EXPECT_NEAR(distances[0], 0.2, 1e-15);  // |x| - 0.1
  EXPECT_NEAR(distances[1], 0.3, 1e-15);  // x
  EXPECT_LE((force(0.05) - Eigen::Vector2d(5.0, -100.0)).norm(), 1e-13);
  EXPECT_LE((force(-0.3) - Eigen::Vector2d(40.0, -100.0)).norm(), 1e-13);
}

}  // namespace tippe::model_motion_series_test
