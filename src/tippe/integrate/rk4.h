// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>

#include "tippe/integrate/constrained_motion.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// The classical Runge-Kutta scheme of order 4 on the accelerations of Gauss' principle, for systems without force laws.
/// With `project` each step ends with the nearest positions and velocities that keep the constraints.
class RungeKutta4 final : public Integrator {
 public:
  RungeKutta4(const System& system, bool project);
  StepReport step(State& state, double dt) override;
  /// Whether the constraints were redundant in the first step; nothing else.
  void save_memory(NamedArrays& memory) const override { redundancy_.save(memory); }
  void restore_memory(const NamedArrays& memory) override { redundancy_.restore(memory, motion_); }

 private:
  struct Stage {
    Eigen::VectorXd q_rate, u_rate;
  };
  bool evaluate_stage(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, double weight, Stage& stage,
                      StepReport& report);

  const System& system_;
  ConstrainedMotion motion_;
  RedundancyMemory redundancy_;
  bool project_;
  std::array<Stage, 4> stages_;
  Eigen::VectorXd q_, u_;
};

}  // namespace tippe
