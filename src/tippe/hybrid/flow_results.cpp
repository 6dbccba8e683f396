// SPDX-License-Identifier: Apache-2.0
// What follows from an expansion: forces and powers, scales, states, projections.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/scaled_root.h"
#include "tippe/hybrid/mode_flow.h"

#include "tippe/core/rank_decision.h"
#include "tippe/hybrid/series.h"
#include "tippe/hybrid/tolerances.h"

namespace tippe {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Whether a sum of squares with this root can have lost nothing to over- or underflow.
bool has_safe_square(double root) {
  return root > 1e-140 && root < 1e140;
}

}  // namespace

/// Forces of columns as forces of rows.
void ModeFlow::collect_forces(int order) {
  lambda_.setZero();
  constraint_lambda_.setZero();
  for (size_t c = 0; c < columns_.size(); ++c) {
    const ForceColumn& force = columns_[c];
    if (!force.basic && force.fixed == 0.0 && force.fixed_rate == 0.0) continue;
    if (force.kind == ForceColumn::Kind::kLoose) continue;
    const auto x = x_.row(static_cast<Index>(c));
    if (force.kind == ForceColumn::Kind::kConstraint) {
      constraint_lambda_.row(force.law) += x;
      continue;
    }
    const int first = first_row_[static_cast<size_t>(force.law)];
    const ForceLaw& law = system_.laws()[static_cast<size_t>(force.law)];
    const double mu = (force.kind == ForceColumn::Kind::kEdge ? 1.0 : law.sliding_share()) * law.mu1;
    if (force.kind == ForceColumn::Kind::kHeld) {
      lambda_.row(first + force.row) += x;
      continue;
    }
    lambda_.row(first) += x;
    const ContactMode mode = modes_[static_cast<size_t>(force.law)];
    if (force.kind == ForceColumn::Kind::kEdge) lambda_.row(first + 1) += force.side * mu * x;
    if (mode == ContactMode::kSlideForward) lambda_.row(first + 1) -= mu * x;
    if (mode == ContactMode::kSlideBackward) lambda_.row(first + 1) += mu * x;
    if (mode != ContactMode::kSlide) continue;
    for (int d = 0; d < friction_rows(system_.laws()[static_cast<size_t>(force.law)]); ++d) {
      const double* weight = sliding_[static_cast<size_t>(force.law)].weight[static_cast<size_t>(d)].data();
      for (int k = 0; k <= order; ++k) lambda_(first + 1 + d, k) = product_coefficient(weight, x.data(), k);
    }
  }
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind != ForceLaw::Kind::kDryFriction || !slides(modes_[i])) continue;
    if (modes_[i] != ContactMode::kSlide) {
      lambda_(first_row_[i], 0) = sliding_force(i);
      continue;
    }
    for (int d = 0; d < system_.laws()[i].rows; ++d) {
      for (int k = 0; k <= order; ++k)
        lambda_(first_row_[i] + d, k) = sliding_[i].weight[static_cast<size_t>(d)][static_cast<size_t>(k)];
    }
  }
}

void ModeFlow::find_cone_reserve(int law, std::vector<double>& reserve) const {
  const ForceLaw& what = system_.laws()[static_cast<size_t>(law)];
  const bool dry = what.kind == ForceLaw::Kind::kDryFriction;
  reserve.resize(static_cast<size_t>(expanded_) + 1);
  for (int k = 0; k <= expanded_; ++k) {
    double& c = reserve[static_cast<size_t>(k)];
    c = dry ? (k == 0 ? 1.0 : 0.0) : product_coefficient(law_force(law, 0), law_force(law, 0), k);
    for (int row = what.first_slip(); row < what.rows; ++row) {
      const double mu = friction_along(what, row);
      if (mu > 0.0) c -= product_coefficient(law_force(law, row), law_force(law, row), k) / (mu * mu);
    }
  }
}

void ModeFlow::collect_powers(int order) {
  law_loss_.setZero();
  power_.setZero();
  const auto add_support = [&](const double* force, const MotionSeries::Row& row, bool has_place) {
    for (int k = 0; k <= order; ++k) {
      const double power = product_coefficient(force, row.chi, k);
      power_(1, k) -= power;
      if (has_place) power_(2, k) -= power;
    }
  };
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] == ContactMode::kOpen) continue;
    for (int row = 0; row < system_.laws()[i].rows; ++row) {
      const MotionSeries::Row& series = series_->laws()[i][static_cast<size_t>(row)];
      const double* force = law_force(static_cast<int>(i), row);
      for (int k = 0; k <= order; ++k) law_loss_(static_cast<Index>(i), k) -= product_coefficient(force, series.gamma, k);
      add_support(force, series, row == 0 && system_.laws()[i].kind == ForceLaw::Kind::kContact);
    }
  }
  for (size_t c = 0; c < system_.constraints().size(); ++c)
    add_support(constraint_force(static_cast<int>(c)), series_->constraints()[c], system_.constraints()[c].holonomic);
  push_.setZero();
  for (Index c = 0; c < static_cast<Index>(system_.constraints().size()); ++c) {  // their columns come first
    for (int k = 0; k <= order; ++k) {
      for (int j = 0; j <= k; ++j) push_.col(k) += B_[static_cast<size_t>(j)].col(c) * constraint_lambda_(c, k - j);
    }
  }
  if (const double* damping = series_->damping_loss()) {
    for (int k = 0; k <= order; ++k) power_(0, k) = damping[k];
  }
  if (const double* driving = series_->driving_power()) {
    for (int k = 0; k <= order; ++k) power_(1, k) += driving[k], power_(2, k) += driving[k];
  }
  if (const double* applied = series_->applied_power()) {
    for (int k = 0; k <= order; ++k) power_(2, k) -= applied[k];
  }
  for (size_t j = 0; j < series_->drive_momentum().size(); ++j) {
    for (int k = 0; k <= order; ++k) {
      for (int i = 0; i <= k; ++i) power_(1, k) += series_->drive_momentum()[j][i] * a_(static_cast<Index>(j), k - i);
    }
  }
}

bool ModeFlow::shares_in_space() const {
  if (rank() == held_rows()) return false;
  return std::any_of(columns_.begin(), columns_.end(), [&](const ForceColumn& column) {
    return column.kind == ForceColumn::Kind::kHeld && rubs_in_plane(system_.laws()[static_cast<size_t>(column.law)]);
  });
}

VectorXd ModeFlow::load_misfit(const ModeFlow& motion, double t) const {
  VectorXd misfit;
  evaluate_columns(motion.h_, motion.expanded_, t, misfit);
  misfit -= h_.col(0);
  metric_.solve_in_place(misfit);
  return misfit;
}

std::string ModeFlow::least_independent_row() const {
  if (least_independent_ < 0) return "no row";
  const HeldRow& held = held_[static_cast<size_t>(least_independent_)];
  if (held.law == kLooseRow) return "a force without mass";
  return "'" +
         (held.law < 0 ? system_.constraints()[static_cast<size_t>(held.row)].name
                       : system_.laws()[static_cast<size_t>(held.law)].name) +
         "'";
}

bool ModeFlow::shares_at_will() const {
  if (!shares_in_space()) return false;
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (slides(modes_[i]) && system_.laws()[i].kind != ForceLaw::Kind::kDryFriction) return false;
  }
  return true;
}

std::vector<bool> ModeFlow::laws_that_share() const {
  constexpr double kTakesPart = 1e-8;  // of unit vectors
  std::vector<bool> sharing(system_.laws().size());
  MatrixXd unit = A_;
  for (Index c = 0; c < unit.cols(); ++c) {
    const double length = unit.col(c).norm();
    if (length > 0.0) unit.col(c) /= length;
  }
  const MatrixXd ways = decide_rank(unit).null_space;
  for (size_t c = 0; c < columns_.size(); ++c) {
    const bool takes_part = ways.cols() > 0 && ways.row(static_cast<Index>(c)).norm() > kTakesPart;
    const ForceColumn::Kind kind = columns_[c].kind;
    if (kind != ForceColumn::Kind::kConstraint && kind != ForceColumn::Kind::kLoose && takes_part)
      sharing[static_cast<size_t>(columns_[c].law)] = true;
  }
  return sharing;
}

double ModeFlow::kinetic_length(int law, int row) const {
  VectorXd column = VectorXd::Zero(system_.nu());
  add_direction(series_->laws()[static_cast<size_t>(law)][static_cast<size_t>(row)], 0, 1.0, column);
  return metric_.length(column);
}

/// sqrt(v'M v). High coefficients in short units of time are large: their squares might overflow.
double ModeFlow::kinetic_size(const Eigen::Ref<const VectorXd>& v) const {
  const double largest = v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0;
  if (!(largest > 0.0)) return 0.0;
  const VectorXd scaled = v / largest;
  return largest * std::sqrt(std::max(scaled.dot(M_ * scaled), 0.0));
}

/// sqrt(f'M^-1 f), likewise.
double ModeFlow::load_size(const VectorXd& f) const {
  const double size = metric_.length(f);
  if (has_safe_square(size)) return size;
  const double largest = f.size() > 0 ? f.cwiseAbs().maxCoeff() : 0.0;
  return largest > 0.0 ? largest * metric_.length(f / largest) : 0.0;
}

double ModeFlow::column_length(int column) const {
  return metric_.length(B_[0].col(column));
}

double ModeFlow::row_acceleration(int law, int row) const {
  const MotionSeries::Row& series = series_->laws()[static_cast<size_t>(law)][static_cast<size_t>(row)];
  double acceleration = series.drift[0];
  for (size_t j = 0; j < series.velocity.size(); ++j) acceleration += series.value[j][0] * a_(series.velocity[j], 0);
  return acceleration;
}

/// (size(first) / size(k))^(1 / (k - first)), the smallest of all k; 0 if nothing is there to begin with.
template <class Size>
double ModeFlow::scale_of(Size&& size, int first) const {
  const double start = first <= expanded_ ? size(first) : 0.0;
  if (!(start > 0.0)) return 0.0;
  double scale = std::numeric_limits<double>::infinity(), power = 1.0;  // scale^(k - first)
  for (int k = first + 1; k <= expanded_; ++k) {
    power *= scale;
    const double s = size(k);
    if (!(s > 0.0) || !(start / s < power)) continue;
    scale = std::min(scale, scaled_root(start / s, k - first));
    power = start / s;
  }
  return scale;
}

/// The larger of two: what passes through zero at the state has no scale of its own there, but its change has.
template <class Size>
double ModeFlow::larger_scale_of(Size&& size) const {
  return std::max({scale_of(size, 0), scale_of(size, 1), scale_of(size, 2)});
}

const ModeFlow::Times& ModeFlow::times() const {
  if (!times_) {
    Times times;
    times.motion = find_motion_time();
    times.loads = find_load_time(times.motion);
    times.change = find_time_scale(times);
    times_ = times;
  }
  return *times_;
}

double ModeFlow::find_load_time(double motion_time) const {
  VectorXd sizes(expanded_ + 1);
  for (int k = 0; k <= expanded_; ++k) {
    const double size = load_size_[static_cast<size_t>(k)];
    sizes[k] = size > kNoLoadRate * load_ * std::pow(motion_time, -k) ? size : 0.0;
  }
  return larger_scale_of([&](int k) { return sizes[k]; });
}

double ModeFlow::load_time_scale() const {
  return times().of_loads_or_motion();
}

double ModeFlow::find_motion_time() const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double time = infinite;
  for (Index i = 0; i < q_.rows(); ++i) {
    const double size = std::max(std::abs(q_(i, 0)), scales_ != nullptr ? scales_->coordinate(i) : 0.0);
    if (expanded_ >= 1 && q_(i, 1) != 0.0) time = std::min(time, size / std::abs(q_(i, 1)));
    if (expanded_ >= 2 && q_(i, 2) != 0.0) time = std::min(time, std::sqrt(size / std::abs(q_(i, 2))));
  }
  const double longest = scales_ != nullptr ? scales_->horizon() : infinite;
  if (time > 0.0 && time < infinite) return std::min(time, longest);
  time = infinite;
  for (Index j = 0; j < u_.rows(); ++j) {
    const double size = std::max(std::abs(u_(j, 0)), scales_ != nullptr ? scales_->velocity(j) : 0.0);
    if (expanded_ >= 1 && u_(j, 1) != 0.0) time = std::min(time, size / std::abs(u_(j, 1)));
  }
  time = std::min(time, longest);
  return time > 0.0 && time < infinite ? time : scales_ != nullptr ? longest : 1.0;
}

double ModeFlow::find_time_scale(const Times& times) const {
  const double infinite = std::numeric_limits<double>::infinity();
  const double load_time = times.of_loads_or_motion();
  // Beside what the loads could give, what is left at rest is round-off.
  constexpr double kAtRest = 1e-10;
  VectorXd speed(expanded_ + 1);
  const MatrixXd momentum = M_ * u_.leftCols(expanded_ + 1);
  for (int k = 0; k <= expanded_; ++k) {
    double size = std::sqrt(std::max(u_.col(k).dot(momentum.col(k)), 0.0));
    if (!has_safe_square(size)) size = kinetic_size(u_.col(k));
    speed[k] = size > kAtRest * load_ * std::pow(load_time, 1 - k) ? size : 0.0;
  }
  const double of_motion = larger_scale_of([&](int k) { return speed[k]; });
  const double scale = std::min(of_motion > 0.0 ? of_motion : infinite, times.loads > 0.0 ? times.loads : infinite);
  return std::isfinite(scale) ? scale : times.motion;
}

double ModeFlow::acceleration_size() const {
  if (!acceleration_size_) acceleration_size_ = find_acceleration_size();
  return *acceleration_size_;
}

/// What the loads are or become while their first coefficients rule: what a polynomial has far beyond says nothing of them.
double ModeFlow::find_acceleration_size() const {
  const double time = time_scale();
  // Friction that turns a slow velocity makes the time of the motion short without large accelerations.
  double size = load_ + kinetic_size(u_.col(0)) / std::max(time, motion_time());
  if (expanded_ >= 1) size = std::max(size, kinetic_size(u_.col(1)));
  constexpr int kFirst = 2;  // the change of what passes through zero, and of what does so with its change
  double while_first = time;
  for (int k = kFirst + 1; k <= expanded_; ++k) {
    const double of_k = load_size_[static_cast<size_t>(k)];
    double outgrown = 0.0;
    for (int j = 0; j <= kFirst; ++j)
      outgrown = std::max(outgrown, scaled_root(load_size_[static_cast<size_t>(j)] / of_k, k - j));
    if (of_k > 0.0 && outgrown > 0.0) while_first = std::min(while_first, outgrown);
  }
  double power = 1.0;
  for (int k = 1; k <= std::min(expanded_, kFirst); ++k)
    size = std::max(size, load_size_[static_cast<size_t>(k)] * (power *= while_first));
  return size;
}

void ModeFlow::evaluate(double t, State& state) const {
  evaluate_columns(q_, expanded_, t, state.q);
  evaluate_columns(u_, expanded_, t, state.u);
  system_.normalize(state.q);
}

bool ModeFlow::project(State& state, const VectorXd& gap_offsets, double t) {
  if (independent_.empty()) return true;
  const auto rank = static_cast<Index>(independent_.size());
  VectorXd misfit(rank), change, dq;
  MatrixXd J(system_.nu(), rank);
  constexpr int kMostCorrections = 4;
  double first = 0.0, last = 0.0;  // kinetic sizes of the corrections of positions
  for (int pass = 0; pass < kMostCorrections; ++pass) {
    series_->begin(state.t, state.q, state.u);
    series_->evaluate(0);
    const bool velocities = pass == kMostCorrections - 1;
    for (Index r = 0; r < rank; ++r) {
      const HeldRow& held = held_[static_cast<size_t>(independent_[static_cast<size_t>(r)])];
      J.col(r).setZero();
      add_row(held, 0, J.col(r));
      misfit[r] = velocities ? gamma_of(held) : position_of(held, gap_offsets);
    }
    if (!misfit.allFinite() || !J.allFinite()) return false;
    if (!velocities) last = 0.0;
    if (misfit.cwiseAbs().maxCoeff() == 0.0) continue;
    const MatrixXd PJ = metric_.solve(J);
    const Eigen::LDLT<MatrixXd> S(J.transpose() * PJ);
    change = PJ * S.solve(misfit);
    if (!change.allFinite()) return false;
    if (!velocities) {
      last = std::sqrt(std::max(change.dot(M_ * change), 0.0));
      if (pass == 0) first = last;
    }
    if (velocities) {
      state.u -= change;
      continue;
    }
    evaluator_->set_state(state.t, state.q, state.u);
    evaluator_->map_velocities(change, dq);
    state.q -= dq;
    system_.normalize(state.q);
  }
  constexpr double kConverging =
      1e-3;                // Newton's method squares its error: what is not much smaller by the last pass does not converge
  double round_off = 0.0;  // kinetic, of the coordinates
  for (Index j = 0; j < system_.nu(); ++j) {
    const double size = std::max(system_.reach(state.q, static_cast<int>(j)), scales_ != nullptr ? scales_->reach(j) : 0.0);
    round_off = std::max(round_off, 1e-12 * std::sqrt(std::max(M_(j, j), 0.0)) * size);
  }
  if (!slow_.empty()) stop_across(state, J, t);
  return last <= kConverging * first + round_off && state.q.allFinite() && state.u.allFinite();
}

/// Takes away the velocities across the directions of slow contacts, and leaves those of the rows J as they are. Where rows depend on each other, as well as
/// it can be done. Coefficients 0 of the series are at the state, but for its velocities.
void ModeFlow::stop_across(State& state, MatrixXd& J, double t) {
  const Index rank = J.cols(), slow = static_cast<Index>(slow_.size());
  J.conservativeResize(Eigen::NoChange, rank + slow);
  VectorXd misfit = VectorXd::Zero(rank + slow);
  series_->begin(state.t, state.q, state.u);
  series_->evaluate(0);
  for (Index i = 0; i < slow; ++i) {
    const int law = slow_[static_cast<size_t>(i)].law;
    const Sliding& sliding = sliding_[static_cast<size_t>(law)];
    std::array<double, 3> across{};
    for (size_t d = 0; d < 3; ++d)
      across[d] = evaluate_series(sliding.turns[slow_[static_cast<size_t>(i)].turn].across[d].data(), expanded_, t);
    J.col(rank + i).setZero();
    cross_row(law, across.data(), J.col(rank + i));
    const int first = system_.laws()[static_cast<size_t>(law)].first_slip();
    for (int d = 0; d < friction_rows(system_.laws()[static_cast<size_t>(law)]); ++d)
      misfit[rank + i] += friction_along(system_.laws()[static_cast<size_t>(law)], first + d) *
                          across[static_cast<size_t>(d)] *
                          series_->laws()[static_cast<size_t>(law)][static_cast<size_t>(first + d)].gamma[0];
    const double length = metric_.length(J.col(rank + i));
    if (!(length > 0.0)) continue;
    J.col(rank + i) /= length;
    misfit[rank + i] /= length;
  }
  for (Index r = 0; r < rank; ++r) {
    const double length = metric_.length(J.col(r));
    if (length > 0.0) J.col(r) /= length;
  }
  constexpr double kDependent = 1e-12;
  const MatrixXd PJ = metric_.solve(J);
  state.u -= PJ * LeastSquares(J.transpose() * PJ, kDependent).solve(misfit);
}

bool ModeFlow::absorb(State& state, Eigen::Ref<VectorXd> impulse) {
  const auto rank = static_cast<Index>(independent_.size());
  small_.resize(rank);
  for (Index r = 0; r < rank; ++r) small_[r] = -gamma_of(held_[static_cast<size_t>(independent_[static_cast<size_t>(r)])]);
  if (rank > 0) lu_.solve(small_, solution_);
  x_.col(0).setZero();
  for (Index c = 0; c < rank; ++c) {
    const int column = basic_[static_cast<size_t>(c)];
    x_(column, 0) = solution_[c];
    state.u += PB_.col(column) * solution_[c];
  }
  collect_forces(0);
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind == ForceLaw::Kind::kDryFriction)
      lambda_.block(first_row_[i], 0, system_.laws()[i].rows, 1).setZero();
  }
  impulse += lambda_.col(0);
  expanded_ = -1;
  forget_times();
  return state.u.allFinite();
}

}  // namespace tippe
