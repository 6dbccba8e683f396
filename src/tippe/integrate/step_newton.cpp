// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/infinity.h"
#include "tippe/core/tolerances.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 60;
constexpr int kMostFailures = 8;
constexpr double kGoodRate = 0.1;   // a factorization is kept while the residual falls like this
constexpr double kFloorRate = 0.5;  // where it no longer falls like this the floor is reached

}  // namespace

StepNewton::StepNewton(const StepEquations& equations, StepEvaluation& evaluation, MotionLaws& laws, const Options& options)
    : equations_(equations),
      evaluation_(evaluation),
      laws_(laws),
      options_(options),
      matrix_(equations),
      sizes_(equations, evaluation, laws, options.tolerance),
      jacobian_(equations.pattern().size()) {
  for (VectorXd* vector : {&x_, &r_, &trial_, &trial_r_, &correction_}) vector->setZero(equations.layout().unknowns());
}

bool StepNewton::solve(const State& state, const VectorXd& u, double dt, const std::vector<char>& dropped,
                       StepReport& report) {
  const StepEquations::Layout& layout = equations_.layout();
  dropped_ = &dropped;
  speed_ = u.cwiseAbs().maxCoeff();
  evaluation_.begin(state, u, dt);
  x_.setZero();
  x_.head(layout.velocities) = u;
  if (layout.paths > 0) x_.segment(layout.path_rows(), layout.paths) = dt * u;
  sizes_.forget();
  evaluate_residual(x_, r_);
  return laws_.rows() > 0 ? solve_with_laws(dt, report) : solve_equations(dt, report);
}

bool StepNewton::dropped_rows_hold(const std::vector<char>& dropped, const std::vector<char>& holonomic) {
  constexpr double kHolds = 1e-9, kNearlyHolds = 1e-2;
  const StepEquations::Layout& layout = equations_.layout();
  evaluation_.residual(x_, trial_r_);
  sizes_.grow(x_);
  for (size_t k = 0; k < dropped.size(); ++k) {
    if (dropped[k] == 0) continue;
    const auto row = static_cast<Index>(k);
    // The path of a velocity row differs from that of its position by the error of the scheme.
    const double holds = holonomic[k] != 0 ? kHolds : kNearlyHolds;
    if (!(sizes_.relative(trial_r_, layout.position_rows() + row) <= holds)) return false;
    if (layout.has_kappa && !(sizes_.relative(trial_r_, layout.velocity_rows() + row) <= kHolds)) return false;
  }
  return true;
}

void StepNewton::evaluate_residual(const VectorXd& x, VectorXd& r) {
  evaluation_.residual(x, r);
  if (laws_.rows() > 0) laws_.evaluate(evaluation_.memory(x), r);
  const StepEquations::Layout& layout = equations_.layout();
  const int positions = layout.position_rows(), velocities = layout.velocity_rows();
  for (size_t k = 0; k < dropped_->size(); ++k) {
    if ((*dropped_)[k] == 0) continue;
    const auto row = static_cast<Index>(k);
    if (layout.has_kappa) {
      r[velocities + row] = x[positions + row];
      r[positions + row] = x[velocities + row];
    } else {
      r[positions + row] = x[positions + row];
    }
  }
}

/// The Jacobian at x_, factored, and the laws' share.
bool StepNewton::linearize(double dt) {
  evaluation_.jacobian(x_, jacobian_);
  if (laws_.rows() > 0) laws_.add_slopes(evaluation_.memory(x_), jacobian_);
  if (!matrix_.factorize(jacobian_, dt, *dropped_)) return false;
  if (laws_.rows() > 0) laws_.make_delassus(matrix_);
  return true;
}

bool StepNewton::find_correction(double dt, Progress& progress, StepReport& report) {
  if (!progress.has_factor) {
    if (!linearize(dt)) return false;
    progress.has_factor = progress.fresh = true;
  }
  matrix_.solve(r_, correction_);
  ++report.iterations;
  return correction_.allFinite();
}

void StepNewton::take_trial(double rho) {
  x_.swap(trial_);
  r_.swap(trial_r_);
  rho_ = rho;
}

/// From x_. The floor is reached where a full step with a good Jacobian no longer halves the residual.
bool StepNewton::solve_equations(double dt, StepReport& report) {
  constexpr double kNearFloor = 1e-13;  // here an old Jacobian is as good as a new one
  if (!r_.allFinite()) return false;
  rho_ = sizes_.largest(r_);
  Progress progress;
  for (int k = 0; k < kMostIterations && rho_ > kMachineEpsilon; ++k) {
    if (!find_correction(dt, progress, report)) return false;
    const double rho = search_along_correction(dt, progress);
    const bool falls = rho < rho_;
    const double rate = falls ? rho / rho_ : 1.0;
    if (falls) take_trial(rho);
    if (rate > kFloorRate && rho_ <= options_.tolerance && (progress.fresh || rho_ <= kNearFloor)) {
      if (rows_are_small(dt)) return true;
      rho_ = sizes_.largest(r_);
      progress.has_factor = progress.fresh = false;
      continue;
    }
    if (!falls && progress.fresh) return false;
    progress.has_factor = rate <= kGoodRate;
    progress.fresh = false;
  }
  return rho_ <= options_.tolerance && rows_are_small(dt);
}

/// trial_ := where the residual is smaller, along a good correction shorter and shorter. Returns it.
double StepNewton::search_along_correction(double dt, Progress& progress) {
  constexpr double kShortestSearch = 1e-3;
  double rho = 0.0;
  for (double length = 1.0; length > kShortestSearch; length *= 0.5) {
    trial_ = x_ - length * correction_;
    evaluate_residual(trial_, trial_r_);
    rho = sizes_.largest(trial_r_);
    if (!(rho < rho_) && length == 1.0 && trial_r_.allFinite()) {
      sizes_.grow(trial_);
      rho_ = sizes_.largest(r_);
      rho = sizes_.largest(trial_r_);
      if (!(rho < rho_) && !(rho_ <= options_.tolerance) && progress.fresh && !progress.rows_allowed) {
        sizes_.allow_for_balanced_forces(trial_, jacobian_, dt);
        progress.rows_allowed = true;
        rho_ = sizes_.largest(r_);
        rho = sizes_.largest(trial_r_);
      }
    }
    if (rho < rho_ || !progress.fresh) break;
  }
  return rho;
}

/// The same with inclusions. A full step is always taken, since a change of mode may raise the residual once. Equations and inclusions
/// have floors of their own: each must have reached its own.
bool StepNewton::solve_with_laws(double dt, StepReport& report) {
  constexpr int kMostProjected = 2000;
  rho_ = kInfinity;
  Progress progress;
  progress.rows = progress.inclusions = kInfinity;
  for (int k = 0; k < (options_.projected > 0.0 ? kMostProjected : kMostIterations); ++k) {
    if (!r_.allFinite() || !find_correction(dt, progress, report)) return false;
    try_impulses(progress, report);
    if (!trial_r_.allFinite()) return false;
    if (k == 0 || progress.failures > 0) sizes_.grow(trial_);
    const double rows = measure_trial(dt, progress);
    if (!std::isfinite(inclusion_.relative)) return false;
    const double now = std::max(rows, inclusion_.relative);
    if (rho_ <= options_.tolerance && !(now < rho_)) return return_to_floor(dt);
    const bool at_floor = is_at_floor(rows, progress);
    const double rate = now / rho_;
    take_trial(now);
    progress.rows = rows;
    progress.inclusions = inclusion_.relative;
    if (at_floor) {
      if (rows_are_small(dt)) return true;
      progress.rows = sizes_.largest(r_);
      rho_ = std::max(progress.rows, progress.inclusions);
    }
    if (!(rate < kFloorRate) && progress.fresh && ++progress.failures > kMostFailures && options_.projected == 0.0)
      return false;
    progress.has_factor = rate <= kGoodRate || options_.projected > 0.0;
    progress.fresh = false;
  }
  return rho_ <= options_.tolerance && rows_are_small(dt);
}

/// trial_ := the next iterate, with impulses that solve the linearised inclusions.
void StepNewton::try_impulses(const Progress& progress, StepReport& report) {
  trial_ = x_;
  if (options_.projected > 0.0) {
    laws_.project(correction_, options_.projected, trial_);
  } else {
    const SolveEffort effort = progress.failures < 2 ? SolveEffort::kShort : SolveEffort::kFull;
    laws_.solve(correction_, options_.inner_tolerance, effort, trial_, report);
  }
  laws_.swap_impulses();
  evaluate_residual(trial_, trial_r_);
}

/// inclusion_ and the largest relative row at trial_. After many failures both are measured with what round-off alone does.
double StepNewton::measure_trial(double dt, Progress& progress) {
  const bool fails_often = progress.failures >= kMostFailures / 2;
  inclusion_ = laws_.residual();
  double rows = sizes_.largest(trial_r_);
  if (!(rows < progress.rows) && !(rows <= options_.tolerance) && !progress.rows_allowed && fails_often) {
    progress.rows_allowed = true;
    sizes_.grow(trial_);
    sizes_.allow_for_balanced_forces(trial_, jacobian_, dt);
    progress.rows = sizes_.largest(r_);
    rows = sizes_.largest(trial_r_);
  }
  if (!(inclusion_.relative <= options_.tolerance) && !progress.inclusions_allowed && fails_often) {
    progress.inclusions_allowed = true;
    laws_.allow_for_round_off(evaluation_.memory(trial_), sizes_.round_off_part());
    inclusion_ = laws_.residual();
  }
  return rows;
}

/// Whether equations and inclusions have both come as far as they can, with this largest row at trial_.
bool StepNewton::is_at_floor(double rows, const Progress& progress) const {
  constexpr int kManyFailures = 5;
  constexpr double kEnoughAtRest = 1e-10;  // of redundant contacts, whose impulses are large, and round-off is theirs
  constexpr double kMuchBetter = 0.3;
  const double tolerance = options_.tolerance, inclusions = inclusion_.relative;
  const bool rows_are =
      rows <= 4.0 * kMachineEpsilon || (rows <= tolerance && rows > kFloorRate * progress.rows && progress.fresh);
  const bool inclusions_are = inclusions <= kMuchBetter * options_.inner_tolerance ||
                              (inclusions <= tolerance && inclusions > kFloorRate * progress.inclusions) ||
                              (inclusions <= kEnoughAtRest && progress.failures >= kManyFailures);
  return rows_are && inclusions_are;
}

/// The floor was reached at x_ already: its impulses again.
bool StepNewton::return_to_floor(double dt) {
  laws_.swap_impulses();
  evaluate_residual(x_, r_);
  inclusion_ = laws_.residual();
  return rows_are_small(dt);
}

}  // namespace tippe
