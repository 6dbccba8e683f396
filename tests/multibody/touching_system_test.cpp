// SPDX-License-Identifier: Apache-2.0
// Contacts that are found are those of expressions, where expressions have them.
#include "tippe/multibody/touching_system.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random.h"
#include "support/scenes.h"
#include "tippe/shape/feature.h"

namespace tippe::multibody_touching_system_test {

/// Two spheres and a floor. `world`: "contacts = ..." or nothing.
std::string spheres(const std::string& contacts, const std::string& more = "") {
  return fmt::format(R"(
[world]
gravity = [0, 0, -9.81]
contacts = "{}"
[[body]]
name = "a"
mass = 1.7
inertia = [0.3, 0.4, 0.5]
position = [0.1, 0.2, 1.0]
[[body.sphere]]
center = [0.1, -0.05, 0.2]
radius = 0.3
[[body]]
name = "b"
mass = 0.6
inertia = [0.02, 0.02, 0.03]
position = [0.3, 0.5, 1.8]
[[body.sphere]]
radius = 0.25
[[plane]]
name = "floor"
normal = [0.1, -0.2, 1]
[[contact_law]]
between = ["*", "*"]
friction = {{ mu = 0.4, contact_radius = 0.01 }}
restitution = 0.3
{}
[run]
integrator = "moreau"
dt = 1e-3
until = 1
)",
                     contacts, more);
}

/// gamma of all rows of the contact called `name`, and its drift.
struct Rows {
  double gap = 0.0;
  Eigen::VectorXd gamma, drift;
  Eigen::MatrixXd W;
};
Rows rows_of(const System& system, const State& state, const std::string& name) {
  const auto evaluator = system.make_evaluator();
  evaluator->set_state(state.t, state.q, state.u);
  LawList laws;
  evaluator->find_laws(10.0, laws);
  for (int k = 0; k < laws.size(); ++k) {
    if (system.law_name(laws.id[static_cast<size_t>(k)]) != name) continue;
    Rows rows{laws.gap[k], {}, {}, {}};
    SparseColumns W;
    std::vector<double> chi, drift;
    evaluator->append_directions(laws, k, W, chi);
    evaluator->append_drift(laws, k, drift);
    rows.gamma.resize(W.columns());
    rows.W.setZero(system.nu(), W.columns());
    for (int row = 0; row < W.columns(); ++row) {
      rows.gamma[row] = W.dot(row, state.u.data()) + chi[static_cast<size_t>(row)];
      W.add_to(row, 1.0, rows.W.col(row).data());
    }
    rows.drift = Eigen::Map<Eigen::VectorXd>(drift.data(), static_cast<Eigen::Index>(drift.size()));
    return rows;
  }
  ADD_FAILURE() << "there is no " << name;
  return {};
}

State random_state(const System& system, test::Random& random) {
  State state{0.0, random.vector(system.nq(), 1.0), random.vector(system.nu(), 2.0)};
  state.q[2] += 3.0;
  system.normalize(state.q);
  return state;
}

// On a plane forces act at the surface of the body, between two bodies in the middle of the gap, in both descriptions and whatever the gap is.
TEST(TouchingSystem, HasTheGapsAndDirectionsOfExpressions) {
  const Scene found = test::scene_from(spheres("found")), expressions = test::scene_from(spheres("expressions"));
  ASSERT_FALSE(found.system->has_fixed_laws());
  ASSERT_TRUE(expressions.system->has_fixed_laws());
  test::Random random(5);
  for (int trial = 0; trial < 30; ++trial) {
    const State state = random_state(*found.system, random);
    const Rows a = rows_of(*found.system, state, "a-b"), b = rows_of(*expressions.system, state, "a-b");
    EXPECT_NEAR(a.gap, b.gap, 1e-13);
    EXPECT_LE((a.gamma - b.gamma).norm(), 1e-12 * (1.0 + b.gamma.norm()));
    EXPECT_LE((a.W - b.W).norm(), 1e-13 * (1.0 + b.W.norm()));
    EXPECT_LE((a.drift - b.drift).norm(), 1e-8 * (1.0 + b.drift.norm()))
        << a.drift.transpose() << " / " << b.drift.transpose();
    const Rows plane = rows_of(*found.system, state, "b-floor"), wanted = rows_of(*expressions.system, state, "b-floor");
    EXPECT_NEAR(plane.gap, wanted.gap, 1e-13);
    EXPECT_LE((plane.gamma - wanted.gamma).norm(), 1e-12 * (1.0 + wanted.gamma.norm()));
    EXPECT_LE((plane.W - wanted.W).norm(), 1e-13 * (1.0 + wanted.W.norm()));
    EXPECT_LE((plane.drift - wanted.drift).norm(), 1e-8 * (1.0 + wanted.drift.norm()));
  }
}

TEST(TouchingSystem, MovesAsExpressionsDo) {
  Scene bare = test::scene_from(spheres("found"));
  bare.run.integrator_options.rest_band = 0.0;
  bare.run.until = 0.6;
  Scene wanted = test::scene_from(spheres("expressions"));
  wanted.run.until = 0.6;
  const RunSummary a = test::run(bare), b = test::run(wanted);
  ASSERT_EQ(a.status, RunStatus::kOk) << a.message;
  EXPECT_GT(b.impacts, 1);
  EXPECT_EQ(a.impacts, b.impacts);
  EXPECT_LE((a.final_state.q - b.final_state.q).norm(), 1e-9);
  EXPECT_NEAR(a.energy.lost_in_contacts, b.energy.lost_in_contacts, 1e-9 * b.energy.lost_in_contacts);
}

TEST(TouchingSystem, NamesItsLawsAndContacts) {
  const Scene scene = test::scene_from(spheres("found"));
  ASSERT_EQ(scene.system->laws().size(), 1u);
  EXPECT_EQ(scene.system->laws()[0].name, "*-*");
  EXPECT_EQ(scene.system->laws()[0].rows, 4);
  EXPECT_EQ(scene.system->shape_names(), (std::vector<std::string>{"a", "b", "floor"}));
  EXPECT_EQ(scene.system->law_name({1, 3, 0, 0}), "a-floor");
  EXPECT_EQ(scene.system->law_name({1, 2, feature::vertex(2), 0}), "a-b (corner 3)");
  EXPECT_EQ(scene.system->law_name({1, 2, feature::edge(0), feature::edge(11)}), "a-b (edge 1, edge 12)");
  EXPECT_EQ(scene.system->law_name({1, 2, 0, feature::cut(4, 3, true)}), "a-b (face 5 side 4 out)");
  EXPECT_EQ(scene.system->law_name({1, 2, feature::rim(1, 2), feature::lowest(0)}), "a-b (rim 2 place 3, lowest of rim 1)");
}

}  // namespace tippe::multibody_touching_system_test
