// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/motion_scales.h"

#include <algorithm>
#include <cmath>

#include "tippe/hybrid/memory_reader.h"
#include "tippe/model/massless.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

MotionScales::MotionScales(const System& system)
    : system_(system),
      q_(VectorXd::Zero(system.nq())),
      u_(VectorXd::Zero(system.nu())),
      q_weight_(VectorXd::Zero(system.nq())),
      u_weight_(VectorXd::Zero(system.nu())),
      gap_(VectorXd::Zero(static_cast<Index>(system.laws().size()))) {
  if (!system.velocities_are_rates()) rate_.setZero(system.nq(), system.nu());
  loose_ = loose_velocities(system);
}

void MotionScales::start(const State& state, double horizon, Evaluator& evaluator) {
  horizon_ = horizon;
  load_speed_ = 0.0;
  evaluator.set_state(state.t, state.q, state.u);
  Dynamics dynamics;
  evaluator.evaluate_dynamics(dynamics);
  u_weight_ = kinetic_weights(system_, dynamics.M);
  // What nothing holds is compared with the lightest, as its own size may be zero.
  if (!loose_.empty()) {
    const double lightest = u_weight_.maxCoeff();
    for (const int velocity : loose_) u_weight_[velocity] = lightest;
  }
  q_weight_ = weights_of_coordinates(system_, evaluator, u_weight_, &rate_);
  q_ = state.q.cwiseAbs();
  u_ = state.u.cwiseAbs();
  find_largest();
}

void MotionScales::find_largest() {
  largest_q_ = largest_of(q_, q_weight_);
  largest_u_ = largest_of(u_, u_weight_);
}

void MotionScales::note(const State& state) {
  q_ = q_.cwiseMax(state.q.cwiseAbs());
  u_ = u_.cwiseMax(state.u.cwiseAbs());
  find_largest();
}

void MotionScales::note_speeds(const VectorXd& speeds) {
  u_ = u_.cwiseMax(speeds);
  find_largest();
}

void MotionScales::note_gap(int law, double size) {
  gap_[law] = std::max(gap_[law], size);
}

void MotionScales::note_load(const VectorXd& free, double time) {
  VectorXd speeds(free.size());
  for (Index j = 0; j < free.size(); ++j) {
    const double way = reach(j);
    speeds[j] = way > 0.0 ? std::sqrt(2.0 * way * free[j]) : free[j] * time;
  }
  load_speed_ = std::max(load_speed_, kinetic_size(speeds));
}

double MotionScales::coordinate(Index i) const {
  return std::max(q_[i], kSmallPart * largest_q_ * q_weight_[i]);
}

double MotionScales::velocity(Index j) const {
  return std::max(u_[j], kSmallPart * std::max(largest_u_, load_speed_) * u_weight_[j]);
}

double MotionScales::kinetic_size(const VectorXd& velocities) const {
  return largest_of(velocities.cwiseAbs(), u_weight_);
}

double MotionScales::reach(Index j) const {
  if (rate_.size() == 0) return coordinate(j);
  const double fastest = rate_.col(j).maxCoeff();
  double reach = 0.0;
  for (Index i = 0; i < q_.size(); ++i) {
    if (rate_(i, j) > 0.0) reach = std::max(reach, coordinate(i) / fastest);
  }
  return reach;
}

/// Calls each(number) for all that is remembered.
template <class Scales, class Visit>
void MotionScales::visit(Scales& scales, Visit&& each) {
  each(scales.horizon_);
  each(scales.load_speed_);
  for (auto* values : {&scales.q_, &scales.u_, &scales.q_weight_, &scales.u_weight_, &scales.gap_}) {
    for (Index k = 0; k < values->size(); ++k) each(values->data()[k]);
  }
  for (Index k = 0; k < scales.rate_.size(); ++k) each(scales.rate_.data()[k]);
}

void MotionScales::save(std::vector<double>& memory) const {
  visit(*this, [&](double value) { memory.push_back(value); });
}

void MotionScales::restore(std::span<const double>& memory) {
  visit(*this, [&](double& value) { value = take_number(memory); });
  find_largest();
}

}  // namespace tippe
