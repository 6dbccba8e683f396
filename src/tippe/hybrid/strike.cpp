// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/strike.h"

#include <cmath>
#include <memory>

#include "tippe/analyze/painleve.h"
#include "tippe/contact/contact_rows.h"
#include "tippe/core/dense_llt.h"

namespace tippe {

using Eigen::VectorXd;

std::optional<Strike> find_strike(const System& system, const AccelerationProblem& problem, std::span<const int> laws) {
  if (problem.n() != system.nu()) return std::nullopt;  // dry friction in a plane has coordinates of its own
  const Painleve painleve = classify_painleve(problem);
  DenseLLT mass;
  if (painleve.impulse.size() == 0 || !mass.factorize(problem.M, 0.0)) return std::nullopt;
  const ForceLayout layout(problem);
  const LawStep rows_of_laws(system.laws());
  Strike strike{mass.solve(force_directions(problem) * painleve.impulse), rows_of_laws.impulse, {}};
  for (size_t c = 0; c < problem.unilateral.size(); ++c) {
    const int first = rows_of_laws.first_row[static_cast<size_t>(laws[c])];
    const FrictionTangents friction(system.laws()[static_cast<size_t>(laws[c])]);
    strike.impulse[first] = painleve.impulse[layout.unilateral[c]];
    for (int k = 0; k < friction.count(); ++k)
      strike.impulse[first + friction.row(k)] = friction.scale(k) * painleve.impulse[layout.unilateral[c] + 1 + k];
    if (painleve.impulse[layout.unilateral[c]] > 0.0) strike.laws.push_back(laws[c]);
  }
  return strike;
}

std::optional<LawCheck::Violation> judge_strike(const System& system, const State& after, const AccelerationProblem& problem,
                                                std::span<const int> laws, const VectorXd& impulse) {
  constexpr double kTolerance = 1e-6;  // the impulses are a limit, extrapolated from two short approaches
  DenseLLT mass;
  if (!mass.factorize(problem.M, 0.0)) return std::nullopt;
  const std::unique_ptr<Evaluator> evaluator = system.make_evaluator();
  evaluator->set_state(after.t, after.q, after.u);
  const LawStep rows_of_laws(system.laws());
  VectorXd xi = VectorXd::Zero(impulse.size()), terms = xi;
  std::vector<std::vector<double>> G;
  G.reserve(problem.unilateral.size());
  LawCheck check;
  const LawList list = list_of_fixed_laws(system.laws());
  for (size_t c = 0; c < problem.unilateral.size(); ++c) {
    const int number = laws[c], first = rows_of_laws.first_row[static_cast<size_t>(number)];
    const ForceLaw& law = system.laws()[static_cast<size_t>(number)];
    SparseColumns W;
    std::vector<double> chi;
    evaluator->append_directions(list, number, W, chi);
    G.emplace_back(static_cast<size_t>(law.rows * law.rows), 0.0);
    for (int row = 0; row < law.rows; ++row) {
      VectorXd direction = VectorXd::Zero(after.u.size());
      W.add_to(row, 1.0, direction.data());
      xi[first + row] = direction.dot(after.u) + chi[static_cast<size_t>(row)];
      terms[first + row] = direction.cwiseAbs().dot(after.u.cwiseAbs()) + std::abs(chi[static_cast<size_t>(row)]);
      G.back()[static_cast<size_t>(row * law.rows + row)] = std::pow(mass.length(direction), 2);
    }
    check.add({number, &law, impulse.data() + first, xi.data() + first, terms.data() + first, G.back().data(), 0.0, 0});
  }
  return check.judge(kTolerance);
}

}  // namespace tippe
