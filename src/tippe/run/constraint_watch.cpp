// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/constraint_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/integrate/constraint_names.h"
#include "tippe/run/tolerances.h"

namespace tippe {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// "rows 'crank', 'slider' are redundant".
std::string redundant(const System& system, const std::vector<int>& rows) {
  const bool one = rows.size() == 1;
  return fmt::format("{} {} {} redundant", one ? "row" : "rows", name_constraints(system, rows), one ? "is" : "are");
}

}  // namespace

ConstraintWatch::ConstraintWatch(const System& system)
    : system_(system), rank_rose_(kNever), dependent_since_(system.constraints().size(), kNever) {
  if (!system.constraints().empty()) motion_.emplace(system);
}

void ConstraintWatch::start(const State& start, ConstraintSample& sample) {
  if (!motion_) return;
  const auto rows = static_cast<Eigen::Index>(system_.constraints().size());
  sample.sum.impulse.setZero(rows);
  sample.sum.on_velocities.setZero(system_.nu());
  taken_ = sample.sum.impulse;
  taken_on_velocities_ = sample.sum.on_velocities;
  sample.since = t0_ = start.t;
  const bool redundant = motion_->judge_redundancy(start.t, start.q, start.u);
  if (redundant == motion_->rank().redundant()) {
    rank_at_start_ = smallest_rank_ = motion_->rank().rank;
    look_at_rank(start.t);
  } else {  // not decided: something without mass is held by forces alone
    rank_at_start_ = smallest_rank_ = static_cast<int>(rows);
  }
  look_at_violation(start);
  at_start_ = now_;
}

void ConstraintWatch::book(const State& state, const ConstraintStep& step, ConstraintSample& sample) {
  if (!motion_) return;
  look_at_violation(state);
  book_first_part(step, sample);
  taken_.setZero();
  taken_on_velocities_.setZero();
}

void ConstraintWatch::book_first_part(const ConstraintStep& part, ConstraintSample& sample) {
  if (!motion_) return;
  sample.sum.impulse += part.impulse - taken_;
  sample.sum.on_velocities += part.on_velocities - taken_on_velocities_;
  sample.sum.redundant = sample.sum.redundant || part.redundant;
  taken_ = part.impulse;
  taken_on_velocities_ = part.on_velocities;
}

void ConstraintWatch::complete(Sample& sample) {
  if (!motion_) return;
  ConstraintSample& constraints = sample.constraints;
  const State& state = sample.state;
  motion_->violation(state, constraints.position, constraints.velocity);
  StepReport report;
  if (motion_->evaluate(state.t, state.q, state.u, report)) {
    look_at_rank(state.t);
    motion_->constraint_forces(constraints.force, constraints.control_force);
    constraints.redundant = motion_->rank().redundant();
  } else {
    constraints.force.setConstant(constraints.position.size(), std::nan(""));
    constraints.control_force.setConstant(state.u.size(), std::nan(""));
    constraints.redundant = false;
  }
  const double elapsed = state.t - constraints.since;
  if (system_.laws().empty() || (!sampled_ && !(elapsed > 0.0))) return;
  if (!(elapsed > 0.0)) {  // an impact has no force
    constraints.force.setConstant(std::nan(""));
    constraints.control_force.setConstant(std::nan(""));
    return;
  }
  constraints.force = constraints.sum.impulse / elapsed;
  constraints.control_force = constraints.sum.on_velocities / elapsed;
  constraints.redundant = constraints.sum.redundant;
}

void ConstraintWatch::restart(double time, const ConstraintStep* later, ConstraintSample& sample) {
  if (!motion_) return;
  sampled_ = true;
  sample.since = time;
  if (later != nullptr) {
    sample.sum = *later;
  } else {
    sample.sum.impulse.setZero();
    sample.sum.on_velocities.setZero();
    sample.sum.redundant = false;
  }
}

void ConstraintWatch::Worst::look(const Eigen::VectorXd& values, double t) {
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!(std::abs(values[k]) > value)) continue;
    value = std::abs(values[k]);
    row = static_cast<int>(k);
    time = t;
  }
}

std::string ConstraintWatch::broken_by_jump(const State& before, const State& after) {
  if (!motion_) return "";
  constexpr double kKept = 1e-8;  // of the size of the state
  Eigen::VectorXd g_before, gamma_before;
  motion_->violation(before, g_before, gamma_before);
  motion_->violation(after, g_, gamma_);
  const auto largest = [](const Eigen::VectorXd& one, const Eigen::VectorXd& other) {
    return std::max(one.cwiseAbs().maxCoeff(), other.cwiseAbs().maxCoeff());
  };
  const double most_g = kKept * (1.0 + largest(before.q, after.q)), most_gamma = kKept * (1e-3 + largest(before.u, after.u));
  for (Eigen::Index k = 0; k < gamma_.size(); ++k) {
    const std::string& name = system_.constraints()[static_cast<size_t>(k)].name;
    if (std::abs(g_[k]) > std::abs(g_before[k]) + most_g)
      return fmt::format("breaks the constraint '{}': it is violated by {:.3g}", name, g_[k]);
    if (std::abs(gamma_[k]) > std::abs(gamma_before[k]) + most_gamma)
      return fmt::format("breaks the constraint '{}': its velocity is {:.3g}", name, gamma_[k]);
  }
  return "";
}

void ConstraintWatch::look_at_violation(const State& state) {
  const ConstrainedMotion::Violation violation = motion_->violation(state, g_, gamma_);
  now_ = {violation.position, violation.velocity};
  distance_ = std::max(distance_, violation.distance);
  largest_q_ = std::max(largest_q_, state.q.cwiseAbs().maxCoeff());
  position_.look(g_, state.t);
  velocity_.look(gamma_, state.t);
}

void ConstraintWatch::look_at_rank(double t) {
  const RankDecision& decision = motion_->rank();
  smallest_rank_ = std::min(smallest_rank_, decision.rank);
  if (decision.smallest_kept < smallest_singular_value_) {
    smallest_singular_value_ = decision.smallest_kept;
    nearly_dependent_at_ = t;
  }
  if (decision.rank > rank_at_start_) rank_rose_ = std::min(rank_rose_, t);
  if (!decision.redundant()) return;
  for (const int row : motion_->mass().redundant_rows()) {
    double& since = dependent_since_[static_cast<size_t>(row)];
    since = std::min(since, t);
  }
}

WorstViolation ConstraintWatch::named(const Worst& worst) const {
  return {worst.value, worst.row < 0 ? "" : system_.constraints()[static_cast<size_t>(worst.row)].name, worst.time};
}

bool ConstraintWatch::valid() const {
  const auto rows = static_cast<int>(system_.constraints().size());
  return position_.row < rows && velocity_.row < rows;
}

std::vector<int> ConstraintWatch::rows_dependent(bool from_the_start) const {
  std::vector<int> rows;
  for (size_t k = 0; k < dependent_since_.size(); ++k) {
    if (dependent_since_[k] < kNever && (dependent_since_[k] == t0_) == from_the_start) rows.push_back(static_cast<int>(k));
  }
  return rows;
}

void ConstraintWatch::add_notes(std::vector<std::string>& notes) const {
  const size_t rows = system_.constraints().size();
  if (const std::vector<int> at_start = rows_dependent(true); !at_start.empty()) {
    notes.push_back(redundant(system_, at_start) +
                    ": the motion is unique, their forces are not (least-norm ones are recorded)");
  }
  if (rank_rose_ < kNever) {
    notes.push_back(fmt::format("the rank of the {} rows is larger at t = {:.9g} than at the start, where it is {}", rows,
                                rank_rose_, rank_at_start_));
  }
  if (const std::vector<int> later = rows_dependent(false); !later.empty()) {
    double first = kNever;
    for (const int row : later) first = std::min(first, dependent_since_[static_cast<size_t>(row)]);
    notes.push_back(
        fmt::format("{} at t = {:.9g} (rank {}, at the start {}): their forces are not unique there (least-norm "
                    "ones are recorded)",
                    redundant(system_, later), first, smallest_rank_, rank_at_start_));
  }
  if (smallest_singular_value_ < kNearlyDependent) {
    notes.push_back(
        fmt::format("rows are nearly dependent at t = {:.9g} (smallest singular value {:.1g}): forces around it are large "
                    "or lose digits",
                    nearly_dependent_at_, smallest_singular_value_));
  }
}

void ConstraintWatch::warn(std::vector<std::string>& warnings) const {
  constexpr double kFar = 0.01;  // of the largest coordinate
  if (!motion_ || !(distance_ > kFar * largest_q_)) return;
  warnings.push_back(
      fmt::format("positions drifted by {:.3g} from the constraint '{}'; project = true in [run] keeps them, and rk4, "
                  "dopri5, the conserving and the consistent schemes do so by themselves",
                  distance_, named(position_).at));
}

void ConstraintWatch::sum_up(RunSummary& summary) const {
  if (!motion_) return;
  ConstraintSummary& constraints = summary.constraints;
  constraints.rows = static_cast<int>(system_.constraints().size());
  constraints.holonomic = static_cast<int>(holonomic_names(system_.constraints()).size());
  constraints.rank_at_start = rank_at_start_;
  constraints.smallest_rank = smallest_rank_;
  constraints.position = named(position_);
  constraints.velocity = named(velocity_);
  constraints.position_at_start = at_start_[0];
  constraints.velocity_at_start = at_start_[1];
  constraints.position_at_end = now_[0];
  constraints.velocity_at_end = now_[1];
  add_notes(summary.notes);
}

}  // namespace tippe
