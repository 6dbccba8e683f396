// SPDX-License-Identifier: Apache-2.0
#include "tippe/verify/mechanics.h"

#include <filesystem>

#include "support/scenes.h"
#include "tippe/verify/verify.h"

namespace tippe::verify_mechanics_test {

using verify::Matrix;
using verify::Mechanics;
using verify::Place;
using verify::Real;
using verify::Rows;
using verify::RunWatch;
using verify::Vector;
using verify::Verdict;

// Two masses on rods, angles to the vertical: M and h in closed form.
TEST(VerifyMechanics, HasTheEquationsOfADoublePendulum) {
  const Scene scene = test::scene_from(R"TOML(
[lagrangian]
coordinates = ["a", "b"]
kinetic = "0.5*2*9*a'^2 + 0.5*3*(9*a'^2 + 16*b'^2 + 24*a'*b'*cos(a - b))"
potential = "-10*(5*3*cos(a) + 3*4*cos(b))"
[initial]
a = 0.1
[run]
dt = 1e-3
until = 1
)TOML");
  const Mechanics mechanics(*scene.system->lagrangian());
  Place place{0.0L, Vector(2), Vector(2)};
  place.q << 0.3L, -0.5L;
  place.u << 1.1L, 0.7L;
  const Real c = std::cos(0.8L), s = std::sin(0.8L);
  Matrix M(2, 2);
  M << 45, 36 * c, 36 * c, 48;
  Vector h(2);
  h << -36 * s * 0.7L * 0.7L - 150 * std::sin(0.3L), 36 * s * 1.1L * 1.1L + 120 * std::sin(0.5L);
  EXPECT_NEAR(static_cast<double>((mechanics.mass(place) - M).norm()), 0.0, 1e-15);
  EXPECT_NEAR(static_cast<double>((mechanics.forces(place) - h).norm()), 0.0, 1e-14);
}

// The judge's equations against those of the simulation, at a state of every scene that is no special one.
TEST(VerifyMechanics, AgreesWithTheSystemOfEveryScene) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TIPPE_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename());
    const Scene scene = load_scene(entry.path());
    const System& system = *scene.system;
    if (!system.has_fixed_laws()) continue;  // its motion may have no expressions
    const Mechanics mechanics(*system.lagrangian());
    State state = scene.start;
    for (Eigen::Index i = 0; i < state.q.size(); ++i) state.q[i] += 0.01 * std::sin(1.0 + static_cast<double>(i));
    for (Eigen::Index i = 0; i < state.u.size(); ++i) state.u[i] += 0.3 * std::cos(2.0 + static_cast<double>(i));
    state.t += 0.01;
    const auto evaluator = system.make_evaluator();
    evaluator->set_state(state.t, state.q, state.u);
    const Place place{state.t, state.q.cast<Real>(), state.u.cast<Real>()};

    Dynamics dynamics;
    evaluator->evaluate_dynamics(dynamics);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(system.nu(), system.nu());
    for (size_t e = 0; e < dynamics.M.size(); ++e) {
      const auto [row, column] = system.mass_pattern()[e];
      M(row, column) = M(column, row) = dynamics.M[e];
    }
    const Eigen::MatrixXd own = mechanics.mass(place).cast<double>();
    EXPECT_LE((own - M).norm(), 1e-12 * M.norm());
    const Eigen::VectorXd h = mechanics.forces(place).cast<double>();
    EXPECT_LE((h - dynamics.h).norm(), 1e-11 * (1.0 + dynamics.h.norm()));
    Eigen::VectorXd rate;
    evaluator->evaluate_position_rate(rate);
    EXPECT_LE((mechanics.rate(place).cast<double>() - rate).norm(), 1e-13 * (1.0 + rate.norm()));
    const Energies energies = evaluator->evaluate_energies();
    EXPECT_NEAR(static_cast<double>(mechanics.kinetic(place)), energies.kinetic, 1e-12 * (1.0 + energies.kinetic));
    EXPECT_NEAR(static_cast<double>(mechanics.potential(place)), energies.potential,
                1e-12 * (1.0 + std::abs(energies.potential)));

    LawList laws;
    evaluator->find_laws(1e9, laws);
    for (int k = 0; k < laws.size(); ++k) {
      SparseColumns W;
      std::vector<double> chi, drift;
      evaluator->append_directions(laws, k, W, chi);
      evaluator->append_drift(laws, k, drift);
      const Rows rows = mechanics.rows(static_cast<size_t>(k), place);
      const Vector own_drift = mechanics.drift(static_cast<size_t>(k), place);
      for (int row = 0; row < W.columns(); ++row) {
        Eigen::VectorXd column = Eigen::VectorXd::Zero(system.nu());
        W.add_to(row, 1.0, column.data());
        EXPECT_LE((rows.W.col(row).cast<double>() - column).norm(), 1e-12 * (1.0 + column.norm()));
        EXPECT_NEAR(static_cast<double>(rows.chi[row]), chi[static_cast<size_t>(row)],
                    1e-12 * (1.0 + std::abs(chi[static_cast<size_t>(row)])));
        EXPECT_NEAR(static_cast<double>(own_drift[row]), drift[static_cast<size_t>(row)],
                    1e-10 * (1.0 + std::abs(drift[static_cast<size_t>(row)])));
      }
      if (system.laws()[static_cast<size_t>(k)].kind == ForceLaw::Kind::kContact) {
        EXPECT_NEAR(static_cast<double>(mechanics.gap(static_cast<size_t>(k), place)), laws.gap[k], 1e-12);
      }
    }
    SparseColumns W;
    Eigen::VectorXd chi, drift, g;
    evaluator->evaluate_constraint_directions(W, chi);
    evaluator->evaluate_constraint_drift(drift);
    evaluator->evaluate_constraint_positions(g);
    const Rows rows = mechanics.constraint_rows(place);
    for (int k = 0; k < static_cast<int>(chi.size()); ++k) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(system.nu());
      W.add_to(k, 1.0, column.data());
      EXPECT_LE((rows.W.col(k).cast<double>() - column).norm(), 1e-12 * (1.0 + column.norm()));
      EXPECT_NEAR(static_cast<double>(mechanics.constraint_drift(place)[k]), drift[k], 1e-10 * (1.0 + std::abs(drift[k])));
      EXPECT_NEAR(static_cast<double>(mechanics.constraint_positions(place)[k]), g[k], 1e-12 * (1.0 + std::abs(g[k])));
    }
  }
}

// The rates of a quaternion of any length are no numbers at q = 0, where a mass that is the same everywhere may be found.
TEST(VerifyMechanics, HasTheMassOfAScalableBody) {
  const Scene scene = test::scene_from(
      "[[body]]\nname = \"b\"\nformulation = \"scalable\"\nmass = 2\ninertia = [0.1, 0.2, 0.25]\nangular_velocity = [1, 2, "
      "3]\n"
      "[run]\nintegrator = \"moreau\"\ndt = 1e-3\nuntil = 0.1\n");
  const Mechanics mechanics(*scene.system->lagrangian());
  Vector expected(7);
  expected << 2, 2, 2, 0.275, 0.1, 0.2, 0.25;  // of nu half the trace of the inertia
  const Place start{0.0L, scene.start.q.cast<Real>(), scene.start.u.cast<Real>()};
  EXPECT_LE((Matrix(mechanics.mass(start)) - Matrix(expected.asDiagonal())).cwiseAbs().maxCoeff(), 1e-15L);
  RunOptions options = scene.run;
  for (const char* integrator : {"moreau", "consistent-2", "event-driven"}) {
    options.integrator = integrator;
    RunWatch watch(*scene.system, scene.start, options);
    RunHooks hooks;
    watch.take_part(hooks);
    const Verdict verdict = watch.finish(simulate(*scene.system, scene.start, options, hooks));
    EXPECT_TRUE(verdict.obeys()) << integrator << verdict_text(verdict);
  }
}

// x = 2 of A x = r - rest where A has dependent columns; a response under a constraint keeps it.
TEST(VerifyMechanics, SolvesWhatIsSingular) {
  Matrix A(3, 3);
  A << 1, 2, 0, 0, 0, 1, 1, 2, 0;
  Vector r(3), coefficients;
  r << 3, 5, 1;
  const Vector rest = verify::outside_range(A, r, Vector::Ones(3), &coefficients);
  EXPECT_NEAR(static_cast<double>((A * coefficients + rest - r).norm()), 0.0, 1e-15);
  EXPECT_NEAR(static_cast<double>(rest[0] + rest[2]), 0.0, 1e-15);
  EXPECT_NEAR(static_cast<double>(rest[0]), 1.0, 1e-15);
  Matrix M = Matrix::Zero(2, 2), W_S(2, 1), W(2, 1);
  M(0, 0) = 2;  // the second velocity has no mass, and the constraint holds it
  W_S << 1, -1;
  W << 1, 0;
  const Matrix response = verify::response_to(M.sparseView(), W_S.sparseView(), W);
  EXPECT_NEAR(static_cast<double>(response(0, 0)), 0.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(response(1, 0)), 0.5, 1e-15);
}

// Two parts, one of them held: each responds as it would alone, and a force on both moves both. By hand: 1/(2 + 3) with equal velocities, and 1/4.
TEST(VerifyMechanics, RespondsPartByPart) {
  Matrix M = Matrix::Zero(3, 3), W_S(3, 1), W(3, 2);
  M.diagonal() << 2, 4, 3;
  W_S << 1, 0, -1;
  W << 1, 0, 1, 1, 0, 0;
  const Matrix response = verify::response_to(M.sparseView(), W_S.sparseView(), W);
  Matrix expected(3, 2);
  expected << 0.2L, 0, 0.25L, 0.25L, 0.2L, 0;
  EXPECT_LE((response - expected).cwiseAbs().maxCoeff(), 1e-18L);
  const Vector squares = verify::squares_by_response(M.sparseView(), W_S.sparseView(), W.sparseView());
  EXPECT_NEAR(static_cast<double>(squares[0]), 0.45, 1e-15);
  EXPECT_NEAR(static_cast<double>(squares[1]), 0.25, 1e-15);
}

}  // namespace tippe::verify_mechanics_test
