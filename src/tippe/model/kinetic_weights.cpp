// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/kinetic_weights.h"

#include <algorithm>
#include <cmath>

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

VectorXd kinetic_weights(const System& system, const std::vector<double>& M) {
  VectorXd weight = VectorXd::Zero(system.nu());
  for (size_t e = 0; e < M.size(); ++e) {
    const LowerEntry& entry = system.mass_pattern()[e];
    if (entry.row == entry.column && M[e] > 0.0) weight[entry.row] = 1.0 / std::sqrt(M[e]);
  }
  return weight;
}

void weigh_massless(VectorXd& weight) {
  if (weight.size() == 0) return;
  const double lightest = weight.maxCoeff();
  for (double& w : weight) {
    if (w == 0.0) w = lightest;
  }
}

VectorXd weights_of_coordinates(const System& system, Evaluator& evaluator, const VectorXd& weight, Eigen::MatrixXd* rate) {
  if (system.velocities_are_rates()) return weight;
  VectorXd of_coordinates = VectorXd::Zero(system.nq()), unit = VectorXd::Zero(system.nu()), rates;
  if (rate != nullptr) rate->setZero(system.nq(), system.nu());
  for (Index j = 0; j < unit.size(); ++j) {
    unit[j] = 1.0;
    evaluator.map_velocities(unit, rates);
    unit[j] = 0.0;
    if (rate != nullptr) rate->col(j) = rates.cwiseAbs();
    of_coordinates = of_coordinates.cwiseMax(rates.cwiseAbs() * weight[j]);
  }
  return of_coordinates;
}

StateWeights StateWeights::of(const System& system, Evaluator& evaluator, const std::vector<double>& M) {
  StateWeights weights{{}, kinetic_weights(system, M)};
  weigh_massless(weights.u);
  weights.q = weights_of_coordinates(system, evaluator, weights.u);
  weigh_massless(weights.q);
  return weights;
}

double largest_of(const VectorXd& values, const VectorXd& weights) {
  double largest = 0.0;
  for (Index i = 0; i < values.size(); ++i) {
    if (weights[i] > 0.0) largest = std::max(largest, values[i] / weights[i]);
  }
  return largest;
}

}  // namespace tippe
