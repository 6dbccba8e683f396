// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_evaluation.h"

#include <algorithm>

namespace tippe {

using Eigen::VectorXd;

StepEvaluation::StepEvaluation(const StepEquations& equations)
    : equations_(equations),
      memory_(equations.program().make_memory()),
      sizes_in_memory_(memory_.size()),
      unused_(equations.layout().unknowns()) {}

void StepEvaluation::begin(const State& state, const VectorXd& u, double dt) {
  const StepEquations::Inputs& in = equations_.inputs();
  std::copy_n(state.q.data(), state.q.size(), memory_.data() + in.q_B);
  std::copy_n(u.data(), u.size(), memory_.data() + in.u_B);
  memory_[static_cast<size_t>(in.t_B)] = state.t;
  memory_[static_cast<size_t>(in.dt)] = dt;
  end_.resize(state.q.size() + state.u.size());
}

std::span<double> StepEvaluation::memory(const VectorXd& x) {
  std::copy_n(x.data(), x.size(), memory_.data() + equations_.inputs().unknowns);
  return memory_;
}

void StepEvaluation::residual(const VectorXd& x, VectorXd& r) {
  equations_.program().evaluate(equations_.residual(), memory(x), r.data());
}

void StepEvaluation::sizes(const VectorXd& x, VectorXd& size) {
  equations_.program().evaluate_with_sizes(equations_.residual(), memory(x), sizes_in_memory_, unused_.data(), size.data());
}

void StepEvaluation::jacobian(const VectorXd& x, std::vector<double>& values) {
  std::fill(values.begin(), values.end(), 0.0);
  equations_.program().evaluate(equations_.jacobian(), memory(x), values.data());
}

const VectorXd& StepEvaluation::end(const VectorXd& x) {
  equations_.program().evaluate(equations_.end(), memory(x), end_.data());
  return end_;
}

StepEvaluation::Energy StepEvaluation::energy(const VectorXd& x) {
  double energy[2];
  equations_.program().evaluate(equations_.energy(), memory(x), energy);
  return {energy[0], energy[1]};
}

void StepEvaluation::constraint_impulse(const VectorXd& x, VectorXd& impulse) {
  equations_.program().evaluate(equations_.constraint_impulse(), memory(x), impulse.data());
}

}  // namespace tippe
