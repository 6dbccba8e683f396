// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/dopri5.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/model/kinetic_weights.h"

namespace tippe {
namespace {

// Hairer Table II.5.2. The last row of kA holds the weights of order 5, so that the last stage is the first of the next step.
constexpr std::array kNode = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
constexpr double kA[7][6] = {{},
                             {1.0 / 5},
                             {3.0 / 40, 9.0 / 40},
                             {44.0 / 45, -56.0 / 15, 32.0 / 9},
                             {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                             {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                             {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
/// Weights of order 5 less those of order 4.
constexpr std::array kError = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
/// Dense output, contd5 of Hairer's program dopri5.
constexpr std::array kDense = {-12715105075.0 / 11282082432,  0.0,
                               87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                               701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                               69997945.0 / 29380423};

/// The next step by the errors of this one and of the one before, Hairer-Wanner IV.2, with the constants of Hairer's program.
class StepControl {
 public:
  [[nodiscard]] static double after_success(double dt, double error, double error_before) {
    const double shorter = std::pow(error, kOfError) / (std::pow(error_before, kOfErrorBefore) * kSafety);
    return dt / std::clamp(shorter, 1.0 / kMostGrowth, kMostShrinking);
  }
  [[nodiscard]] static double after_rejection(double dt, double error) {
    return dt / std::clamp(std::pow(error, kOfError) / kSafety, 1.0, kMostShrinking);
  }
  [[nodiscard]] static double after_failure(double dt) { return dt / kMostShrinking; }

  static constexpr double kLeastError = 1e-4;  // what a step with a smaller one is remembered by

 private:
  static constexpr double kSafety = 0.9, kMostGrowth = 10.0, kMostShrinking = 5.0;
  static constexpr double kOfErrorBefore = 0.04, kOfError = 0.2 - 0.75 * kOfErrorBefore;
};

}  // namespace

DormandPrince::DormandPrince(const System& system, double tolerance, bool project)
    : AdaptiveIntegrator(system),
      system_(system),
      tolerance_(tolerance),
      project_(project && !system.constraints().empty()),
      motion_(system) {
  size_.setZero(system.nq() + system.nu());
  weight_.setZero(size_.size());
  for (Eigen::VectorXd* y : {&y_B_, &y_E_, &y_}) y->setZero(size_.size() + 2);
  for (Eigen::VectorXd& rate : k_) rate.setZero(size_.size() + 2);
  for (Eigen::VectorXd& coefficient : dense_) coefficient.setZero(size_.size() + 2);
}

bool DormandPrince::evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate, StepReport& report) {
  q_ = y.head(system_.nq());
  u_ = y.segment(system_.nq(), system_.nu());
  if (!motion_.evaluate(t, q_, u_, report)) return false;
  free_acceleration_ = std::max(free_acceleration_, motion_.free_acceleration_size());
  rate.head(system_.nq()) = motion_.position_rate();
  rate.segment(system_.nq(), system_.nu()) = motion_.acceleration();
  rate[size_.size()] = motion_.damping_loss(u_);
  rate[size_.size() + 1] = motion_.driving_power(u_);
  return true;
}

/// The first stage: where the last step ended without being projected, its last one.
bool DormandPrince::begin(const State& state, StepReport& report) {
  redundancy_.judge_once(motion_, state);
  const bool same = rate_at_end_ && state.t == end_.t && state.q == end_.q && state.u == end_.u;
  rate_at_end_ = dense_ready_ = false;
  t_B_ = state.t;
  y_B_.head(system_.nq()) = state.q;
  y_B_.segment(system_.nq(), system_.nu()) = state.u;
  y_B_.tail(2).setZero();
  free_acceleration_ = 0.0;
  size_ = size_.cwiseMax(y_B_.head(size_.size()).cwiseAbs());
  if (!same) {
    if (!evaluate(t_B_, y_B_, k_[0], report)) return false;
    if (weight_.isZero(0.0)) {
      const StateWeights weights = motion_.weights();
      weight_ << weights.q, weights.u;
    }
    return true;
  }
  k_[0].swap(k_[kStages - 1]);
  return true;
}

/// Stages and error of one trial. False, with a status, if a stage cannot be evaluated.
bool DormandPrince::try_step(double dt, StepReport& report) {
  for (int s = 1; s < kStages; ++s) {
    Eigen::VectorXd& y = s == kStages - 1 ? y_E_ : y_;
    y = y_B_;
    for (int j = 0; j < s; ++j) {
      if (kA[s][j] != 0.0) y += dt * kA[s][j] * k_[j];
    }
    if (!evaluate(t_B_ + kNode[s] * dt, y, k_[s], report)) return false;
  }
  for (Eigen::Index i = 0; i < size_.size(); ++i) {
    if (std::isfinite(y_E_[i])) continue;
    report.status = StepReport::Status::kNotFinite;
    report.culprit = component_name(i);
    return false;
  }
  measure_error(dt);
  return true;
}

void DormandPrince::measure_error(double dt) {
  y_.setZero();
  for (int s = 0; s < kStages; ++s) {
    if (kError[s] != 0.0) y_ += dt * kError[s] * k_[s];
  }
  error_ = 0.0;
  worst_ = 0;
  add_error(1.0);
}

/// Takes y_, a difference of states, into account with a weight.
void DormandPrince::add_error(double weight) {
  for (const auto& [first, count] : {std::pair(0, system_.nq()), std::pair(system_.nq(), system_.nu())}) {
    double largest = 0.0;
    for (int i = first; i < first + count; ++i)
      largest = std::max(largest, std::max(size_[i], std::abs(y_E_[i])) / weight_[i]);
    const double acceleration = smallest_acceleration_ > 0.0 ? smallest_acceleration_ : free_acceleration_;
    const double from_rest = acceleration * (first == 0 ? first_step_ : 1.0) * first_step_;
    for (int i = first; i < first + count; ++i) {
      if (y_[i] == 0.0) continue;
      const double scale = std::max({size_[i], std::abs(y_E_[i]), std::max(kSmallPart * largest, from_rest) * weight_[i]});
      const double error = weight * std::abs(y_[i]) / (tolerance_ * scale);
      if (error <= error_) continue;
      error_ = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
      worst_ = i;
    }
  }
}

/// A step may leave the constraints by as much as it errs; a larger correction would be a jump, as near a singular position.
bool DormandPrince::projection_is_small() {
  constexpr double kOfCorrection = 1e-2;
  if (!project_) return true;
  y_.head(system_.nq()) = end_.q - y_E_.head(system_.nq());
  y_.segment(system_.nq(), system_.nu()) = end_.u - y_E_.segment(system_.nq(), system_.nu());
  add_error(kOfCorrection);
  return error_ <= 1.0;
}

/// From y to a state, on the constraints if that is asked for.
bool DormandPrince::finish(double t, const Eigen::VectorXd& y, State& state, StepReport& report) {
  state.t = t;
  state.q = y.head(system_.nq());
  system_.normalize(state.q);
  state.u = y.segment(system_.nq(), system_.nu());
  return !project_ ||
         (motion_.project_positions(t, state.q, report) && motion_.project_velocities(t, state.q, state.u, report));
}

StepReport DormandPrince::step(State& state, double dt) {
  StepReport report;
  if (first_step_ == 0.0) first_step_ = dt;
  if (!begin(state, report)) return report;
  const double round_off = 10.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_B_), first_step_);
  StepReport obstacle;  // the last trial that could not even be evaluated
  while (true) {
    StepReport trial;
    const bool accepted =
        try_step(dt, trial) && error_ <= 1.0 && finish(t_B_ + dt, y_E_, end_, trial) && projection_is_small();
    report.iterations += trial.iterations;
    if (accepted) break;
    ++report.rejected;
    if (!trial.ok()) obstacle = trial;
    if (dt <= round_off) {
      give_up(dt, obstacle, report);
      return report;
    }
    dt = trial.ok() ? StepControl::after_rejection(dt, error_) : StepControl::after_failure(dt);
  }
  if (free_acceleration_ > 0.0 && !(smallest_acceleration_ > 0.0 && smallest_acceleration_ < free_acceleration_))
    smallest_acceleration_ = free_acceleration_;
  state = end_;
  dt_ = dt;
  rate_at_end_ = !project_;
  report.residual = error_ * tolerance_;
  report.lost_in_damping = y_E_[size_.size()];
  report.work_done = y_E_[size_.size() + 1];
  size_ = size_.cwiseMax(y_E_.head(size_.size()).cwiseAbs());
  proposed_ = StepControl::after_success(dt, error_, last_error_);
  if (report.rejected > 0) proposed_ = std::min(proposed_, dt);
  last_error_ = std::max(error_, StepControl::kLeastError);
  if (proposed_ <= std::min(dt, round_off)) give_up(proposed_, obstacle, report);  // no longer step has a small enough error
  return report;
}

void DormandPrince::give_up(double dt, const StepReport& obstacle, StepReport& report) const {
  if (!obstacle.ok()) {
    report.status = obstacle.status;
    report.culprit = obstacle.culprit;
    return;
  }
  report.status = StepReport::Status::kNotSolved;
  report.residual = error_ * tolerance_;
  report.culprit =
      fmt::format("at t = {:.9g} steps longer than {:.3g}, which is round-off of the time, have too large an error in {}",
                  t_B_, dt, component_name(worst_));
}

/// y(t_B + theta dt) = y_B + theta (d_0 + (1 - theta) (d_1 + theta (d_2 + (1 - theta) d_3))).
void DormandPrince::prepare_dense_output() {
  dense_[0] = y_E_ - y_B_;
  dense_[1] = dt_ * k_[0] - dense_[0];
  dense_[2] = dense_[0] - dt_ * k_[kStages - 1] - dense_[1];
  dense_[3].setZero();
  for (int s = 0; s < kStages; ++s) {
    if (kDense[s] != 0.0) dense_[3] += dt_ * kDense[s] * k_[s];
  }
  dense_ready_ = true;
}

StepReport DormandPrince::interpolate(double t, State& state) {
  if (!dense_ready_) prepare_dense_output();
  StepReport report;
  const double theta = (t - t_B_) / dt_, rest = 1.0 - theta;
  y_ = y_B_ + theta * (dense_[0] + rest * (dense_[1] + theta * (dense_[2] + rest * dense_[3])));
  finish(t, y_, state, report);
  report.lost_in_damping = y_[size_.size()];
  report.work_done = y_[size_.size() + 1];
  return report;
}

const std::string& DormandPrince::component_name(Eigen::Index i) const {
  const Eigen::Index nq = system_.nq();
  return i < nq ? system_.coordinate_names()[static_cast<size_t>(i)] : system_.velocity_names()[static_cast<size_t>(i - nq)];
}

void DormandPrince::save_memory(NamedArrays& memory) const {
  redundancy_.save(memory);
  const auto lengths = {proposed_, last_error_, first_step_, smallest_acceleration_};
  memory.begin_array("step_control").assign(lengths);
  memory.begin_array("size").assign(size_.begin(), size_.end());
  memory.begin_array("weight").assign(weight_.begin(), weight_.end());
}

void DormandPrince::restore_memory(const NamedArrays& memory) {
  redundancy_.restore(memory, motion_);
  const std::span<const double> control = memory.at("step_control", 4);
  const std::span<const double> sizes = memory.at("size", static_cast<size_t>(size_.size()));
  const std::span<const double> weights = memory.at("weight", static_cast<size_t>(weight_.size()));
  proposed_ = control[0];
  last_error_ = control[1];
  first_step_ = control[2];
  smallest_acceleration_ = control[3];
  std::copy(sizes.begin(), sizes.end(), size_.begin());
  std::copy(weights.begin(), weights.end(), weight_.begin());
  rate_at_end_ = dense_ready_ = false;
}

}  // namespace tippe
