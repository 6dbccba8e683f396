// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/full_turns.h"

#include <cmath>
#include <numbers>

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// All numbers of the equations at a state, one after another.
VectorXd equations_at(Evaluator& evaluator, const State& state) {
  std::vector<double> numbers;
  const auto add = [&](const auto& values) { numbers.insert(numbers.end(), values.begin(), values.end()); };
  evaluator.set_state(state.t, state.q, state.u);
  Dynamics dynamics;
  evaluator.evaluate_dynamics(dynamics);
  add(dynamics.M);
  add(dynamics.h);
  VectorXd values;
  evaluator.evaluate_position_rate(values);
  add(values);
  evaluator.evaluate_constraint_positions(values);
  add(values);
  SparseColumns W;
  evaluator.evaluate_constraint_directions(W, values);
  add(values);
  add(gaps_of(evaluator));
  LawList laws;
  std::vector<double> chi;
  evaluator.find_laws(0.0, laws);
  for (int k = 0; k < laws.size(); ++k) evaluator.append_directions(laws, k, W, chi);
  add(W.value);
  add(chi);
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

}  // namespace

std::vector<bool> find_full_turns(const System& system, const State& start) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  constexpr double kSame = 1e-9;  // of the largest number: round-off of the turned angle
  constexpr int kStates = 4;
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  std::vector<bool> turns(static_cast<size_t>(system.nq()), system.velocities_are_rates());
  for (int i = 0; i < system.nq(); ++i) {
    for (int k = 0; k < kStates && turns[static_cast<size_t>(i)]; ++k) {
      State state = start;  // the start, and others that no symmetry of it makes special
      for (Index j = 0; k > 0 && j < state.q.size(); ++j)
        state.q[j] += 0.7 * std::sin(1.3 * k + 2.1 * static_cast<double>(j));
      for (Index j = 0; j < state.u.size(); ++j) state.u[j] += 0.9 * std::cos(1.7 * k + 1.1 * static_cast<double>(j));
      const VectorXd before = equations_at(*evaluator, state);
      state.q[i] += kTurn;
      const VectorXd after = equations_at(*evaluator, state);
      const double size = before.cwiseAbs().maxCoeff();
      turns[static_cast<size_t>(i)] =
          before.size() == after.size() && (after - before).cwiseAbs().maxCoeff() <= kSame * size;
    }
  }
  return turns;
}

}  // namespace tippe
