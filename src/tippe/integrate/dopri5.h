// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "tippe/integrate/constrained_motion.h"
#include "tippe/integrate/integrator.h"

namespace tippe {

/// The explicit Runge-Kutta pair of orders 5 and 4 of Dormand and Prince on the accelerations of Gauss' principle, for systems
/// without force laws, with steps by its error and dense output of order 4. Hairer II.4 to II.6.
///
/// The error of a step is the largest |y5_i - y4_i| / (tolerance s_i) over positions and velocities. s_i is the largest |y_i| so
/// far, at least a thousandth of the largest s_j of the positions, or of the velocities: coordinates that stay zero but for
/// round-off are not held to it. Steps with an error up to 1 are accepted.
/// With `project` each step and each interpolated state ends with the nearest positions and velocities that keep the constraints.
class DormandPrince final : public AdaptiveIntegrator {
 public:
  DormandPrince(const System& system, double tolerance, bool project);

  StepReport step(State& state, double dt) override;
  [[nodiscard]] double proposed_step() const override { return proposed_; }
  StepReport interpolate(double t, State& state) override;

  /// The proposed step, the error of the last one, the first step, the sizes s_i, and whether the constraints were redundant in the first step.
  void save_memory(NamedArrays& memory) const override;
  void restore_memory(const NamedArrays& memory) override;

 private:
  static constexpr int kStages = 7;

  bool evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate, StepReport& report);
  bool begin(const State& state, StepReport& report);
  bool try_step(double dt, StepReport& report);
  bool finish(double t, const Eigen::VectorXd& y, State& state, StepReport& report);
  void measure_error(double dt);
  void add_error(double weight);
  bool projection_is_small();
  void give_up(double dt, const StepReport& obstacle, StepReport& report) const;
  void prepare_dense_output();
  [[nodiscard]] const std::string& component_name(Eigen::Index i) const;

  const System& system_;
  double tolerance_;
  bool project_;
  ConstrainedMotion motion_;
  RedundancyMemory redundancy_;
  double proposed_ = 0.0;               // s
  double last_error_ = 1e-4;            // of the last accepted step; the value before the first is Hairer's
  double first_step_ = 0.0;             // s
  double free_acceleration_ = 0.0;      // of the stages of a trial, as a kinetic size
  double smallest_acceleration_ = 0.0;  // of all accepted steps that have one
  Eigen::VectorXd size_;                // positions and velocities, the largest of each so far
  Eigen::VectorXd weight_;              // what a kinetic size of 1 stands for, at the start of the run

  // The last step. y holds positions, velocities, the energy lost in damping and the work done in the step.
  double t_B_ = 0.0, dt_ = 0.0;
  Eigen::VectorXd y_B_, y_E_, y_;
  std::array<Eigen::VectorXd, kStages> k_;
  double error_ = 0.0;
  Eigen::Index worst_ = 0;  // component with the largest error
  std::array<Eigen::VectorXd, 4> dense_;
  bool dense_ready_ = false;
  bool rate_at_end_ = false;  // whether k_[6] is the rate at end_
  State end_;
  Eigen::VectorXd q_, u_;
};

}  // namespace tippe
