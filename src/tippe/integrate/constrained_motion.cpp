// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constrained_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tippe/core/tolerances.h"
#include "tippe/integrate/coordinate_ways.h"

namespace tippe {

ConstrainedMotion::ConstrainedMotion(const System& system) : system_(system), evaluator_(system.make_evaluator()) {
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(system.nq());
  u_zero_.setZero(system.nu());
  evaluator_->set_state(0.0, q, u_zero_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  for (size_t k = 0; k < system.constraints().size(); ++k) {
    if (system.constraints()[k].holonomic) holonomic_.push_back(static_cast<int>(k));
  }
  select_holonomic();
  mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_);
  holonomic_mass_ = ConstrainedMass(system.nu(), system.mass_pattern(), W_holonomic_);
}

void ConstrainedMotion::select_holonomic() {
  W_holonomic_.clear();
  for (const int k : holonomic_) {
    for (int p = W_.start[k]; p < W_.start[k + 1]; ++p) W_holonomic_.push(W_.row[p], W_.value[p]);
    W_holonomic_.finish_column();
  }
}

bool ConstrainedMotion::factorize(StepReport& report) {
  if (mass_.factorize(dynamics_.M, W_)) return true;
  report.status = StepReport::Status::kMassSingular;
  report.culprit = describe_massless(system_, mass_.massless_direction());
  return false;
}

bool ConstrainedMotion::judge_redundancy(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  redundant_ = false;
  if (W_.columns() == 0) return false;
  StepReport report;  // a start that cannot be projected fails in the step itself
  q_near_ = q;
  project_positions(t, q_near_, report);
  evaluator_->set_state(t, q_near_, u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  redundant_ = mass_.factorize(dynamics_.M, W_) && rank().redundant();
  return redundant_;
}

ConstrainedMotion::Violation ConstrainedMotion::violation(const State& state, Eigen::VectorXd& g, Eigen::VectorXd& gamma) {
  g.resize(W_.columns());
  gamma.resize(W_.columns());
  if (W_.columns() == 0) return {};
  evaluator_->set_state(state.t, state.q, state.u);
  evaluator_->evaluate_constraint_positions(g);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  gamma = chi_;
  double distance = 0.0;
  for (int k = 0; k < W_.columns(); ++k) {
    gamma[k] += W_.dot(k, state.u.data());
    double square = 0.0;
    for (int p = W_.start[k]; p < W_.start[k + 1]; ++p) square += W_.value[p] * W_.value[p];
    if (square > 0.0) distance = std::max(distance, std::abs(g[k]) / std::sqrt(square));
  }
  return {g.cwiseAbs().maxCoeff(), gamma.cwiseAbs().maxCoeff(), distance};
}

/// Directions, chi and `other` of each row.
bool ConstrainedMotion::require_finite_rows(const Eigen::VectorXd& other, StepReport& report) const {
  const std::string row = find_non_finite_row(system_, W_, chi_, other);
  if (row.empty()) return true;
  report.status = StepReport::Status::kNotFinite;
  report.culprit = row;
  return false;
}

bool ConstrainedMotion::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u, StepReport& report) {
  const Eigen::VectorXd *place = &q, *velocities = &u;
  if (redundant_) {
    q_near_ = q;
    u_near_ = u;
    if (!project_positions(t, q_near_, report) || !project_velocities(t, q_near_, u_near_, report)) return false;
    place = &q_near_;
    velocities = &u_near_;
  }
  evaluator_->set_state(t, *place, *velocities);
  evaluator_->evaluate_position_rate(q_rate_);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  evaluator_->evaluate_constraint_drift(drift_);
  if (!dynamics_.h.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    report.culprit = find_non_finite(system_, dynamics_.h, {});
    return false;
  }
  if (!require_finite_rows(drift_, report) || !factorize(report)) return false;

  // The free part satisfies W'a = 0, the other is the smallest with W'a = -drift.
  u_rate_ = dynamics_.h;
  mass_.solve_in_place(u_rate_);
  right_side_ = -drift_;
  mass_.smallest_change(right_side_, change_, misfit_);
  u_rate_ += change_;
  if (!rank().redundant()) return true;
  evaluator_->evaluate_constraint_sizes(size_, drift_size_);
  // Beside what the forces do, a misfit is round-off.
  constexpr double kOfForces = 1e-10;
  const double floor = kOfForces * mass_.kinetic_size(dynamics_.h);
  return !accelerations_.find(system_, mass_, right_side_, drift_size_, floor, "acceleration", report);
}

double ConstrainedMotion::free_acceleration_size() const {
  double largest = 0.0;
  const auto& pattern = system_.mass_pattern();
  for (size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p].row == pattern[p].column && dynamics_.M[p] > 0.0)
      largest = std::max(largest, std::abs(dynamics_.h[pattern[p].row]) / std::sqrt(dynamics_.M[p]));
  }
  return largest;
}

StateWeights ConstrainedMotion::weights() {
  return StateWeights::of(system_, *evaluator_, dynamics_.M);
}

double ConstrainedMotion::driving_power(const Eigen::VectorXd& u) {
  double power = dynamics_.applied.dot(u) + dynamics_.drive_power - dynamics_.damping_on_drift;
  if (dynamics_.drive_momentum.size() > 0) power += dynamics_.drive_momentum.dot(u_rate_);
  if (chi_.size() == 0 || chi_.isZero(0.0)) return power;
  constraint_forces(lambda_, force_);
  return power - lambda_.dot(chi_);  // a moving constraint pushes with -chi
}

void ConstrainedMotion::constraint_forces(Eigen::VectorXd& lambda, Eigen::VectorXd& on_velocities) {
  mass_.multiply(u_rate_, on_velocities);
  on_velocities -= dynamics_.h;
  mass_.multipliers(on_velocities, lambda);
  on_velocities.setZero();  // W lambda: the same without the round-off of M a - h
  for (int k = 0; k < W_.columns(); ++k) W_.add_to(k, lambda[k], on_velocities.data());
}

void ConstrainedMotion::correct_velocities(Eigen::VectorXd& u) {
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the round-off of the first
    right_side_ = -chi_;
    for (int k = 0; k < W_.columns(); ++k) right_side_[k] -= W_.dot(k, u.data());
    mass_.smallest_change(right_side_, change_, misfit_);
    u += change_;
  }
}

bool ConstrainedMotion::project_velocities(double t, const Eigen::VectorXd& q, Eigen::VectorXd& u, StepReport& report) {
  if (W_.columns() == 0) return true;
  evaluator_->set_state(t, q, u);
  evaluator_->evaluate_dynamics(dynamics_);
  evaluator_->evaluate_constraint_directions(W_, chi_);
  if (!require_finite_rows(chi_, report)) return false;
  // Near a singular position the weak direction of the rows is mostly round-off: it is left alone as long as all rows hold without.
  constexpr double kCoarse = 1e-5, kHolds = 1e-9;
  if (!mass_.factorize(dynamics_.M, W_, kCoarse)) return factorize(report);
  correct_velocities(u);
  if (mass_.rank().redundant()) {
    bool hold = true;
    for (int k = 0; k < W_.columns(); ++k) {
      double terms = std::abs(chi_[k]);
      for (int p = W_.start[k]; p < W_.start[k + 1]; ++p) terms += std::abs(W_.value[p] * u[W_.row[p]]);
      hold = hold && std::abs(W_.dot(k, u.data()) + chi_[k]) <= kHolds * terms;
    }
    if (!hold) {
      if (!factorize(report)) return false;
      correct_velocities(u);
    }
  }
  if (!u.allFinite()) {
    report.status = StepReport::Status::kNotFinite;
    return false;
  }
  if (chi_.isZero(0.0)) return true;
  if (!factorize(report)) return false;
  if (!rank().redundant()) return true;
  // W'u fits any dependence; what moves may not.
  right_side_ = -chi_;
  size_ = chi_.cwiseAbs();
  return !velocities_.find(system_, mass_, right_side_, size_, 0.0, "velocity", report);
}

bool ConstrainedMotion::project_positions(double t, Eigen::VectorXd& q, StepReport& report) {
  if (holonomic_.empty()) return true;
  // Dependent rows seem independent beside the constraints, by about as much as they are violated: coarse decisions first.
  constexpr std::array kCutoffs = {1e-5, 1e-3, 1e-1, 0.0};
  best_q_ = q;
  for (const double cutoff : kCutoffs) {
    q = best_q_;
    if (correct_positions(t, q, cutoff, report)) return true;
    if (report.status == StepReport::Status::kMassSingular) return false;
  }
  evaluator_->set_state(t, q, u_zero_);
  evaluator_->evaluate_constraint_positions(g_);
  Eigen::Index worst = 0;
  const double left = g_.cwiseAbs().maxCoeff(&worst);
  const std::string& name = system_.constraints()[static_cast<size_t>(worst)].name;
  ConstrainedMass& mass = corrected_all_rows_ ? mass_ : holonomic_mass_;
  if (mass.rank().redundant()) {
    std::vector<int> rows = mass.redundant_rows();
    if (!corrected_all_rows_) {
      for (int& row : rows) row = holonomic_[static_cast<size_t>(row)];
    }
    report.status = StepReport::Status::kContradiction;
    report.culprit = fmt::format("the constraints {} contradict each other at position level: {:.3g} is left at '{}'",
                                 name_constraints(system_, rows), left, name);
  } else {
    report.status = StepReport::Status::kNotSolved;
    report.culprit = fmt::format("no positions near by keep the constraints: {:.3g} is left at '{}'", left, name);
  }
  return false;
}

/// Along the constraints towards the start, as long as that comes nearer.
bool ConstrainedMotion::find_nearest_positions(double t, Eigen::VectorXd& q, StepReport& report) {
  constexpr int kMostIterations = 200;
  constexpr double kConverged = 1e-12, kShortest = 1e-3;
  const Eigen::VectorXd start = q;
  if (holonomic_.empty()) return true;
  if (!project_positions(t, q, report)) return false;
  if (!system_.velocities_are_rates()) return true;
  Eigen::VectorXd back, trial, product;
  const auto square_distance = [&](const Eigen::VectorXd& from) {
    evaluator_->set_state(t, from, u_zero_);
    evaluator_->evaluate_dynamics(dynamics_);
    back = start - from;
    double sum = 0.0;
    for (size_t p = 0; p < dynamics_.M.size(); ++p) {
      const auto& [row, column] = system_.mass_pattern()[p];
      sum += (row == column ? 1.0 : 2.0) * dynamics_.M[p] * back[row] * back[column];
    }
    return sum;
  };
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double here = square_distance(q);
    evaluator_->evaluate_constraint_directions(W_, chi_);
    right_side_.resize(static_cast<Eigen::Index>(holonomic_.size()));
    for (size_t k = 0; k < holonomic_.size(); ++k)
      right_side_[static_cast<Eigen::Index>(k)] = -W_.dot(holonomic_[k], back.data());
    StepReport search;
    constexpr double kCoarse = 1e-5;
    if (!find_correction(kCoarse, search)) return true;
    const Eigen::VectorXd along = back + change_;
    if (along.cwiseAbs().maxCoeff() <= kConverged * (back.cwiseAbs().maxCoeff() + 1e-3 * q.cwiseAbs().maxCoeff()))
      return true;
    bool nearer = false;
    for (double length = 1.0; length > kShortest && !nearer; length *= 0.5) {
      trial = q + length * along;
      StepReport attempt;
      nearer = project_positions(t, trial, attempt) && square_distance(trial) < here;
    }
    if (!nearer) return true;
    q = trial;
  }
  return true;
}

/// change_ := the smallest velocities that take the holonomic rows by right_side_. Where only velocity rows hold what has no mass,
/// these are kept still.
bool ConstrainedMotion::find_correction(double cutoff, StepReport& report) {
  select_holonomic();
  corrected_all_rows_ = !holonomic_mass_.factorize(dynamics_.M, W_holonomic_, cutoff);
  if (!corrected_all_rows_) {
    holonomic_mass_.smallest_change(right_side_, change_, misfit_);
    return true;
  }
  gamma_.setZero(W_.columns());
  for (size_t k = 0; k < holonomic_.size(); ++k) gamma_[holonomic_[k]] = right_side_[static_cast<Eigen::Index>(k)];
  if (!mass_.factorize(dynamics_.M, W_, cutoff)) {
    report.status = StepReport::Status::kMassSingular;
    report.culprit = describe_massless(system_, mass_.massless_direction());
    return false;
  }
  mass_.smallest_change(gamma_, change_, misfit_);
  return true;
}

/// ways_ := what the coordinates may have moved so far, by the masses of dynamics_.
void ConstrainedMotion::find_ways(const Eigen::VectorXd& q) {
  mass_diagonal_.setZero(system_.nu());
  for (size_t p = 0; p < dynamics_.M.size(); ++p) {
    const auto& [row, column] = system_.mass_pattern()[p];
    if (row == column) mass_diagonal_[row] = dynamics_.M[p];
  }
  find_coordinate_ways(system_, q, mass_diagonal_, ways_);
}

/// Whether change_ is so small beside ways_ that it is round-off where it mends nothing more.
bool ConstrainedMotion::is_tiny_change() const {
  constexpr double kTiny = 1e-10;
  for (Eigen::Index j = 0; j < ways_.size(); ++j) {
    if (mass_diagonal_[j] > 0.0 && !(std::abs(change_[j]) <= kTiny * ways_[j])) return false;
  }
  return true;
}

/// Newton's method until the correction is round-off. False if it does not get there.
bool ConstrainedMotion::correct_positions(double t, Eigen::VectorXd& q, double cutoff, StepReport& report) {
  constexpr int kMostIterations = 30;
  constexpr double kNear = 1e3 * kMachineEpsilon;  // where terms cancel within a term
  const auto rows = static_cast<Eigen::Index>(holonomic_.size());
  double last = std::numeric_limits<double>::infinity();
  dq_.setZero(system_.nq());
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    evaluator_->set_state(t, q, u_zero_);
    evaluator_->evaluate_constraint_positions(g_);
    evaluator_->evaluate_constraint_directions(W_, chi_);
    evaluator_->evaluate_dynamics(dynamics_);
    if (!g_.allFinite()) return false;
    evaluator_->evaluate_constraint_sizes(size_, drift_size_);
    find_ways(q);
    right_side_.resize(rows);
    bool kept = true, near = true;
    double size = 0.0;
    for (Eigen::Index k = 0; k < rows; ++k) {
      const int row = holonomic_[static_cast<size_t>(k)];
      right_side_[k] = -g_[row];
      double terms = size_[row];  // the round-off of g, and that of the positions
      for (int p = W_.start[row]; p < W_.start[row + 1]; ++p) terms += std::abs(W_.value[p]) * ways_[W_.row[p]];
      if (terms > 0.0) size = std::max(size, std::abs(g_[row]) / terms);
      kept = kept && std::abs(g_[row]) <= kMachineEpsilon * terms;
      near = near && std::abs(g_[row]) <= kNear * terms;
    }
    const bool stagnates = size >= 0.5 * last && iteration > 0 && is_tiny_change();
    if (kept || (near && stagnates)) return true;
    last = size;
    if (!find_correction(cutoff, report)) return false;
    evaluator_->map_velocities(change_, dq_);
    q += dq_;
    system_.normalize(q);
    ++report.iterations;
  }
  return false;
}

}  // namespace tippe
