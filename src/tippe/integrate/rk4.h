// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <stdexcept>

#include "tippe/integrate/integrator.h"

namespace tippe {

/// The classical Runge-Kutta scheme of order 4 for systems without force laws.
class RungeKutta4 final : public Integrator {
 public:
  explicit RungeKutta4(const System& system);
  StepReport step(State& state, double dt) override;
  /// A step depends on nothing before it.
  void save_memory(std::vector<double>& memory) const override { memory.clear(); }
  void restore_memory(std::span<const double> memory) override {
    if (!memory.empty()) throw std::invalid_argument("it has no memory");
  }

 private:
  struct Stage {
    Eigen::VectorXd q_rate, u_rate;
  };
  bool evaluate_stage(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double weight, Stage& stage,
                      StepReport& report);

  const System& system_;
  std::unique_ptr<Evaluator> evaluator_;
  SparseLDLT M_;
  Dynamics dynamics_;
  std::array<Stage, 4> stages_;
  Eigen::VectorXd q_, u_;
};

}  // namespace tippe
