// SPDX-License-Identifier: Apache-2.0
// Orders of convergence of the consistent schemes for bodies, over steps that are no halves of each other, against dopri5 or closed
// forms. Moeller's schemes with Q, H and the directions of friction at the middle of a step are of order 2 between impacts.
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "support/bodies.h"
#include "support/conserving.h"
#include "support/guarantees.h"

namespace tippe::integrate_consistent_orders_test {

using Eigen::Vector3d;
using test::measured_order;

/// Largest difference of what two scenes record, at two states.
double distance(const Scene& a, const State& at_a, const Scene& b, const State& at_b) {
  Eigen::VectorXd x, y;
  ObservablesEvaluator(a.run.observables).evaluate_quantities(at_a, x);
  ObservablesEvaluator(b.run.observables).evaluate_quantities(at_b, y);
  return (x - y).cwiseAbs().maxCoeff();
}

/// Torque-free asymmetric top that turns over (free_top.toml), in any formulation.
std::string free_top(const std::string& formulation) {
  return "[[body]]\nname = \"top\"\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = [0.1, 10, 0.1]\nvelocity = [1, 0, "
         "0.5]\n"
         "formulation = \"" +
         formulation +
         "\"\n[[body.point]]\nname = \"tip\"\nat = [0.3, 0.2, 0.1]\n[output.quantities]\nx = \"top.tip.x\"\ny = "
         "\"top.tip.y\"\nz = \"top.tip.z\"\nwx = \"top.wx\"\nwy = \"top.wy\"\nwz = \"top.wz\"\n";
}
const std::string kExact = "[run]\nintegrator = \"dopri5\"\ntolerance = 1e-13\ndt = 1e-3\nuntil = 1\n";

TEST(ConsistentOrders, AFreeTopIsIntegratedWithOrderTwoInEveryFormulation) {
  const Scene exact = test::scene_from(free_top("newton-euler") + kExact);
  const State expected = test::end_of(exact);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"newton-euler", "quaternion-1"}, {"newton-euler", "quaternion-2"}, {"newton-euler", "consistent-mq"},
      {"scalable", "consistent-2"},     {"scalable", "consistent-mq"},    {"affine", "consistent-2"},
      {"affine", "consistent-mq"}};
  for (const auto& [formulation, integrator] : cases) {
    const Scene scene = test::scene_from(free_top(formulation) + kExact);
    const double order = measured_order(scene, integrator, 1.0, {500, 617, 829, 1110, 1501},
                                        [&](const State& end) { return distance(scene, end, exact, expected); });
    EXPECT_NEAR(order, 2.0, 0.05) << formulation << " " << integrator;
  }
}

// Newton-Euler body with a ball joint: it nods, since it is let go without precession.
TEST(ConsistentOrders, AHeavyTopIsIntegratedWithOrderTwo) {
  Scene exact = test::load("heavy_top", {.settings = {"kick=0"}, .integrator = "dopri5", .dt = "1e-3", .until = "0.2"});
  exact.run.integrator_options.tolerance = 1e-13;
  const State expected = test::end_of(exact);
  const auto error = [&](const State& end) { return (end.q - expected.q).norm(); };
  for (const std::string integrator : {"quaternion-2", "consistent-mq"}) {
    const double order = measured_order(exact, integrator, 0.2, {200, 263, 345, 454, 600}, error);
    EXPECT_NEAR(order, 2.0, 0.05) << integrator;
  }
}

/// A homogeneous ball (J = 2/5 m r^2) that slides over a plane with spin about all axes.
constexpr double kMass = 0.2, kRadius = 0.03, kMu = 0.2, kGravity = 9.81, kInertia = 0.4 * kMass * kRadius * kRadius;
const Vector3d kSpeed(2.0, 1.0, 0.0), kSpin(60.0, -100.0, 40.0);

Scene sliding_ball(const std::string& formulation, const std::string& tangents) {
  return test::scene_from(fmt::format(
      "[world]\ngravity = [0, 0, -{}]\n[[body]]\nname = \"ball\"\nmass = {}\ninertia = [{}, {}, {}]\nposition = [0, 0, {}]\n"
      "velocity = [{}, {}, 0]\nangular_velocity = [{}, {}, {}]\nformulation = \"{}\"\n[[body.sphere]]\nradius = {}\n"
      "[[plane]]\nname = \"cloth\"\nnormal = [0, 0, 1]\n"
      "[[contact_law]]\nbetween = [\"ball\", \"cloth\"]\nfriction = {}\n"
      "[run]\nintegrator = \"consistent-mq\"\ntangents = \"{}\"\ndt = 1e-3\nuntil = 1\n",
      kGravity, kMass, kInertia, kInertia, kInertia, kRadius, kSpeed.x(), kSpeed.y(), kSpin.x(), kSpin.y(), kSpin.z(),
      formulation, kRadius, kMu, tangents));
}

// Euler: while it slides, friction keeps its direction e, the centre moves on a parabola, and the spin in space changes evenly.
TEST(ConsistentOrders, ASlidingBallIsIntegratedWithOrderTwoOrWithOneIfDirectionsAreThoseOfTheBeginning) {
  const Vector3d arm(0.0, 0.0, -kRadius), slip = kSpeed + kSpin.cross(arm);
  const double until = 0.3;
  ASSERT_LT(until, 2.0 * slip.norm() / (7.0 * kMu * kGravity));  // when it begins to roll
  const Vector3d force = -kMu * kMass * kGravity * slip.normalized();
  const Vector3d position = until * kSpeed + 0.5 * until * until / kMass * force - arm, v = kSpeed + until / kMass * force;
  const Vector3d L = kMass * position.cross(v) + kInertia * kSpin + until * arm.cross(force);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"newton-euler", "quaternion-2"}, {"scalable", "consistent-2"}, {"affine", "consistent-2"}};
  for (const auto& [formulation, integrator] : cases) {
    for (const std::string tangents : {"midpoint", "begin"}) {
      const Scene scene = sliding_ball(formulation, tangents);
      const auto at = [&](const State& end, const std::string& name) { return test::quantity(scene, end, name); };
      const auto error = [&](const State& end) {
        const Vector3d its_L(at(end, "angular_momentum.x"), at(end, "angular_momentum.y"), at(end, "angular_momentum.z"));
        return (end.q.head<3>() - position).norm() / kRadius + (its_L - L).norm() / L.norm();
      };
      // Of affine bodies what is of second order is so small that the third is seen beside it.
      const std::vector<int> steps = formulation == "affine" && tangents == "midpoint"
                                         ? std::vector<int>{2400, 3128, 4136, 5464}
                                         : std::vector<int>{300, 391, 517, 683, 900};
      const double order = measured_order(scene, integrator, until, steps, error);
      EXPECT_NEAR(order, tangents == "midpoint" ? 2.0 : 1.0, 0.1) << formulation << " " << tangents;
      EXPECT_LE(test::watch_guarantees(scene, integrator, until / 300, 300).rise(), 1e-12) << formulation << " " << tangents;
    }
  }
}

// The tippe top on its belly, set down closed, with friction that drills: against its own limit, 20 times finer.
TEST(ConsistentOrders, ATippeTopInContactIsIntegratedWithOrderTwoOrWithOne) {
  Scene scene = test::load("tippe_top");
  scene.start.q[2] = 0.015 - 0.003 * std::cos(0.1);
  const double until = 0.1;
  const State limit = test::watch_invariants(scene, "quaternion-2", until / 20000, 20000).end;
  const auto error = [&](const State& end) { return (end.q - limit.q).tail<4>().norm(); };
  for (const Tangents tangents : {Tangents::kMidpoint, Tangents::kBegin}) {
    scene.run.integrator_options.tangents = tangents;
    const double order = measured_order(scene, "quaternion-2", until, {1000, 1283, 1627, 2000}, error);
    EXPECT_NEAR(order, tangents == Tangents::kMidpoint ? 2.0 : 1.0, 0.1);
  }
}

// An elastic ball let go from a height h is back there after 2 sqrt(2 h/g). In the step of its impact it turns wherever it is: an
// error of the order of a step, that depends on where in the step the impact falls; so the worst of ten similar steps counts.
TEST(ConsistentOrders, AcrossImpactsTheOrderIsAboutOne) {
  const double h = 0.5, fall = std::sqrt(2.0 * h / kGravity), until = 7.3 * fall;
  const Scene scene = test::scene_from(
      fmt::format("[world]\ngravity = [0, 0, -{}]\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, "
                  "0, {}]\nangular_velocity = [1, 2, 3]\n[[body.sphere]]\nradius = 0.1\n[[plane]]\nname = \"floor\"\nnormal "
                  "= [0, 0, 1]\n"
                  "[[contact_law]]\nbetween = [\"ball\", \"floor\"]\nrestitution = 1\n[run]\nintegrator = \"moreau\"\ndt = "
                  "1e-3\nuntil = 1\n",
                  kGravity, h + 0.1));
  const double since = until - 8.0 * fall;  // since the last turn at the top, which is at 6 and at 8 times the fall
  const double height = 0.1 + h - 0.5 * kGravity * since * since;
  for (const std::string integrator : {"quaternion-1", "quaternion-2"}) {
    const auto worst_near = [&](int steps) {
      double worst = 0.0;
      for (int k = 0; k < 10; ++k) {
        const int count = steps + k * steps / 37;
        const State end = test::watch_invariants(scene, integrator, until / count, count).end;
        worst = std::max(worst, std::abs(end.q[2] - height));
      }
      return worst;
    };
    const double order = std::log(worst_near(400) / worst_near(12800)) / std::log(32.0);
    EXPECT_NEAR(order, 1.0, 0.2) << integrator;
  }
}

}  // namespace tippe::integrate_consistent_orders_test
