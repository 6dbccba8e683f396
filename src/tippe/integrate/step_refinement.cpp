// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_refinement.h"

#include <algorithm>
#include <cmath>

#include "tippe/core/infinity.h"

namespace tippe {
namespace {

constexpr const char* kLevel = "refinement.level";
constexpr const char* kPositions = "refinement.positions";
constexpr const char* kVelocities = "refinement.velocities";
constexpr const char* kWeightsOfPositions = "refinement.weights_of_positions";
constexpr const char* kWeightsOfVelocities = "refinement.weights_of_velocities";

/// The largest |difference| of a position or velocity, by what it may be.
double largest_error(const Eigen::VectorXd& whole, const Eigen::VectorXd& halves, const Eigen::VectorXd& size,
                     const Eigen::VectorXd& weight, double tolerance) {
  constexpr double kOfDifference = 1.0 / 3;  // what the halves still lack, of second order
  double largest = 0.0;
  for (Eigen::Index i = 0; i < size.size(); ++i)
    largest = std::max(largest, std::max(size[i], std::abs(halves[i])) / weight[i]);
  double error = 0.0;
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const double difference = kOfDifference * std::abs(whole[i] - halves[i]);
    if (difference == 0.0) continue;
    const double scale = std::max({size[i], std::abs(halves[i]), kSmallPart * largest * weight[i]});
    const double share = difference / (tolerance * scale);
    error = std::max(error, std::isnan(share) ? kInfinity : share);
  }
  return error;
}

}  // namespace

StepRefinement::StepRefinement(const System& system, double tolerance)
    : system_(system), tolerance_(tolerance), evaluator_(system.make_evaluator()) {
  size_q_.setZero(system.nq());
  size_u_.setZero(system.nu());
  weights_ = {Eigen::VectorXd::Zero(system.nq()), Eigen::VectorXd::Zero(system.nu())};
}

void StepRefinement::save(NamedArrays& memory) const {
  memory.begin_array(kLevel).assign(1, static_cast<double>(level_));
  memory.begin_array(kPositions).assign(size_q_.begin(), size_q_.end());
  memory.begin_array(kVelocities).assign(size_u_.begin(), size_u_.end());
  memory.begin_array(kWeightsOfPositions).assign(weights_.q.begin(), weights_.q.end());
  memory.begin_array(kWeightsOfVelocities).assign(weights_.u.begin(), weights_.u.end());
}

void StepRefinement::restore(const NamedArrays& memory) {
  const double level = memory.at(kLevel, 1)[0];
  if (!(level >= 0.0 && level <= static_cast<double>(kDeepest) && level == std::floor(level)))
    throw std::invalid_argument("no level of refinement");
  const auto positions = memory.at(kPositions, static_cast<size_t>(size_q_.size()));
  const auto velocities = memory.at(kVelocities, static_cast<size_t>(size_u_.size()));
  const auto of_positions = memory.at(kWeightsOfPositions, static_cast<size_t>(size_q_.size()));
  const auto of_velocities = memory.at(kWeightsOfVelocities, static_cast<size_t>(size_u_.size()));
  level_ = static_cast<size_t>(level);
  std::copy(positions.begin(), positions.end(), size_q_.begin());
  std::copy(velocities.begin(), velocities.end(), size_u_.begin());
  std::copy(of_positions.begin(), of_positions.end(), weights_.q.begin());
  std::copy(of_velocities.begin(), of_velocities.end(), weights_.u.begin());
}

void StepRefinement::begin(const State& state) {
  shallowest_ = kDeepest;
  largest_error_ = 0.0;
  if (weights_.u.isZero(0.0)) {
    Dynamics dynamics;
    evaluator_->set_state(state.t, state.q, state.u);
    evaluator_->evaluate_dynamics(dynamics);
    weights_ = StateWeights::of(system_, *evaluator_, dynamics.M);
  }
  size_q_ = size_q_.cwiseMax(state.q.cwiseAbs());
  size_u_ = size_u_.cwiseMax(state.u.cwiseAbs());
}

void StepRefinement::keep(Level& level, const State& state, const Books& books) {
  level.start = state;
  level.memory = books.memory;
  level.motion_impulse = books.motion_impulse;
}

void StepRefinement::go_back(const Level& level, State& state, Books& books) {
  state = level.start;
  books.memory = level.memory;
  books.motion_impulse = level.motion_impulse;
}

double StepRefinement::measure(const Level& level, const State& end) {
  const double error = std::max(largest_error(level.whole.q, end.q, size_q_, weights_.q, tolerance_),
                                largest_error(level.whole.u, end.u, size_u_, weights_.u, tolerance_));
  if (error > 1.0 || system_.laws().empty()) return error;
  return std::max(error, measure_closing(level.start, end));
}

/// Of contacts that were open at the start: how deep they are at the end, by the terms of their gaps.
double StepRefinement::measure_closing(const State& start, const State& end) {
  evaluator_->set_state(start.t, start.q, start.u);
  evaluator_->find_laws(kInfinity, list_);
  gap_start_ = list_.gap;
  evaluator_->set_state(end.t, end.q, end.u);
  evaluator_->find_laws(kInfinity, list_);
  double error = 0.0;
  for (int k = 0; k < list_.size(); ++k) {
    if (!(gap_start_[k] > 0.0 && list_.gap[k] < 0.0)) continue;
    W_.clear();
    chi_.clear();
    evaluator_->append_directions(list_, k, W_, chi_);
    double terms = 0.0;
    for (int p = W_.start[0]; p < W_.start[1]; ++p) terms += std::abs(W_.value[p]) * system_.reach(end.q, W_.row[p]);
    error = std::max(error, -list_.gap[k] / (tolerance_ * std::max(terms, -list_.gap[k])));
  }
  return error;
}

void StepRefinement::note_accepted(size_t depth, double error) {
  if (depth > shallowest_) return;
  largest_error_ = depth < shallowest_ ? error : std::max(largest_error_, error);
  shallowest_ = depth;
}

/// Where the longest part of this step was accepted; half as deep a cut where its error would have allowed twice the length.
void StepRefinement::choose_level() {
  constexpr double kTwiceAsLong = 0.08;  // errors grow eightfold
  level_ = std::min(shallowest_, kDeepest - 1);
  if (level_ > 0 && largest_error_ < kTwiceAsLong) --level_;
}

}  // namespace tippe
