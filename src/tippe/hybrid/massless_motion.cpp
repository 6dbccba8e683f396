// SPDX-License-Identifier: Apache-2.0
// Directions without mass. With M z = 0 the equations of motion leave  z'(h + B x) = 0 : what laws and constraints do not balance along z must be no force at all.
// Where the rows that hold leave z free, and so do the columns (B'z = 0), that is a row like others,
//
//   d/dt z'h = 0  (h of positions; twice differentiated),  or  z'h = 0  itself (h of velocities, as of dampers),
//
// with a force along z that comes out as zero. Velocities along z are no state of their own: they follow from the row, and jump with it.
#include <algorithm>
#include <cmath>

#include "tippe/core/largest.h"
#include "tippe/core/least_squares.h"
#include "tippe/core/rank_decision.h"
#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/tolerances.h"

namespace tippe {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Directions of the velocities that no column of W has a part along.
MatrixXd left_free(const MatrixXd& W, const std::vector<int>& velocities, size_t columns) {
  MatrixXd parts(static_cast<Index>(columns), static_cast<Index>(velocities.size()));
  for (Index c = 0; c < parts.rows(); ++c) {
    for (Index z = 0; z < parts.cols(); ++z) parts(c, z) = W(velocities[static_cast<size_t>(z)], c);
    const double length = parts.row(c).norm();
    if (length > 0.0) parts.row(c) /= length;
  }
  if (parts.rows() == 0) return MatrixXd::Identity(parts.cols(), parts.cols());
  return decide_rank(parts, rank_tolerance(parts.cols())).null_space;
}

}  // namespace

/// sum of direction_z value(the massless entry z).
template <class Value>
double ModeFlow::along_loose(int direction, Value&& value) const {
  double sum = 0.0;
  for (size_t z = 0; z < loose_.size(); ++z) {
    const double weight = loose_directions_(static_cast<Index>(z), direction);
    if (weight != 0.0) sum += weight * value(series_->massless()[static_cast<size_t>(massless_[z])]);
  }
  return sum;
}

void ModeFlow::add_row(const HeldRow& held, int k, Eigen::Ref<VectorXd> column) const {
  if (held.law != kLooseRow) return add_direction(series_row(held), k, 1.0, column);
  for (size_t z = 0; z < loose_.size(); ++z)
    add_direction(series_->massless()[static_cast<size_t>(massless_[z])].row, k,
                  loose_directions_(static_cast<Index>(z), held.row), column);
}

double ModeFlow::gamma_of(const HeldRow& held) const {
  if (held.law != kLooseRow) return series_row(held).gamma[0];
  return along_loose(held.row, [](const MotionSeries::Massless& massless) { return massless.row.gamma[0]; });
}

double ModeFlow::drift_of(const HeldRow& held, int k) const {
  if (held.law != kLooseRow) return series_row(held).drift[k];
  return along_loose(held.row, [k](const MotionSeries::Massless& massless) { return massless.row.drift[k]; });
}

/// N  along a direction without mass: loads, and dry frictions that slide.
double ModeFlow::loose_load(int direction) const {
  double load = along_loose(direction, [](const MotionSeries::Massless& massless) { return massless.force[0]; });
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind != ForceLaw::Kind::kDryFriction || !slides(modes_[i])) continue;
    if (modes_[i] != ContactMode::kSlide) load += sliding_force(i) * loose_part(series_->laws()[i][0], direction, 0);
    for (size_t d = 0; modes_[i] == ContactMode::kSlide && d < series_->laws()[i].size(); ++d)
      load += sliding_[i].weight[d][0] * loose_part(series_->laws()[i][d], direction, 0);
  }
  return load;
}

/// Of a row of a law, at order k.
double ModeFlow::loose_part(const MotionSeries::Row& row, int direction, int k) const {
  double part = 0.0;
  for (size_t j = 0; j < row.velocity.size(); ++j) {
    for (size_t z = 0; z < loose_.size(); ++z) {
      if (row.velocity[j] == loose_[z]) part += loose_directions_(static_cast<Index>(z), direction) * row.value[j][k];
    }
  }
  return part;
}

/// What has to be zero: the position of a constraint, the gap of a contact, the force along a direction without mass. 0 for rows of velocities.
double ModeFlow::position_of(const HeldRow& held, const VectorXd& gap_offsets) const {
  if (held.law == kLooseRow) {
    const double rates = along_loose(held.row, [](const MotionSeries::Massless& m) { return m.of_positions ? 0.0 : 1.0; });
    return rates == 0.0 ? loose_load(held.row) : 0.0;
  }
  const double* position = held.law < 0    ? series_->constraint_position(held.row)
                           : held.row == 0 ? series_->gap(held.law)
                                           : nullptr;
  return position == nullptr ? 0.0 : position[0] - (held.law < 0 ? 0.0 : gap_offsets[held.law]);
}

bool ModeFlow::is_loose(int law, int row) const {
  const MotionSeries::Row& series = series_->laws()[static_cast<size_t>(law)][static_cast<size_t>(row)];
  for (const int velocity : loose_) {
    if (std::find(series.velocity.begin(), series.velocity.end(), velocity) != series.velocity.end()) return true;
  }
  return false;
}

void ModeFlow::resize_loose(Index count) {
  held_.resize(held_by_laws_);
  columns_.resize(columns_by_laws_);
  for (int i = 0; i < static_cast<int>(count); ++i) {
    held_.push_back({kLooseRow, i});
    columns_.push_back({ForceColumn::Kind::kLoose, i});
  }
  for (MatrixXd& J : J_) J.setZero(system_.nu(), static_cast<Index>(held_.size()));
  for (MatrixXd& B : B_) B.setZero(system_.nu(), static_cast<Index>(columns_.size()));
  x_.setZero(static_cast<Index>(columns_.size()), order_ + 1);
}

/// Directions without mass that rows and columns of order 0 leave free, and the rows that hold them instead. False if rows and columns do not leave as many.
bool ModeFlow::choose_loose() {
  if (loose_.empty()) return true;
  const MatrixXd motions = left_free(J_[0], loose_, held_by_laws_);
  loose_directions_ = left_free(B_[0], loose_, columns_by_laws_);
  if (motions.cols() != loose_directions_.cols()) {
    culprit_ = "a direction without mass that contacts hold, and along which they cannot push";
    return false;
  }
  resize_loose(loose_directions_.cols());
  fill_rows(0);
  return true;
}

/// Whether the directions do not turn: columns have no part along them at order k either.
bool ModeFlow::loose_stays(int k) {
  if (loose_directions_.cols() == 0) return true;
  const MatrixXd& B = B_[static_cast<size_t>(k)];
  for (size_t c = 0; c < columns_by_laws_; ++c) {
    VectorXd parts(static_cast<Index>(loose_.size()));
    for (Index z = 0; z < parts.size(); ++z) parts[z] = B(loose_[static_cast<size_t>(z)], static_cast<Index>(c));
    if (!(largest(loose_directions_.transpose() * parts) > kNoTurn * B.col(static_cast<Index>(c)).norm())) continue;
    culprit_ = "a direction without mass that turns while a contact slides along it, which is not supported";
    return false;
  }
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind != ForceLaw::Kind::kDryFriction || !slides(modes_[i])) continue;
    for (int d = 0; d < static_cast<int>(loose_directions_.cols()); ++d) {
      double turns = 0.0;
      for (const MotionSeries::Row& row : series_->laws()[i]) turns = std::max(turns, std::abs(loose_part(row, d, k)));
      if (!(turns > kNoTurn)) continue;
      culprit_ = "a dry friction that slides along a direction without mass and turns, which is not supported";
      return false;
    }
  }
  return true;
}

bool ModeFlow::settle_loose(State& state) {
  unbalanced_load_ = 0.0;
  if (loose_.empty()) return true;
  constexpr int kPasses = 4;  // forces may depend on velocities in any way
  begin_directions(state);
  for (int pass = 0; pass < kPasses; ++pass) {
    series_->begin(state.t, state.q, state.u);
    series_->evaluate(0);
    advance_sliding(0);
    fill_rows(0);
    if (!J_[0].allFinite() || !B_[0].allFinite() || !choose_loose()) return false;
    MatrixXd parts = MatrixXd::Zero(static_cast<Index>(held_.size()), static_cast<Index>(loose_.size()));
    VectorXd gamma = VectorXd::Zero(parts.rows());
    for (Index r = 0; r < parts.rows(); ++r) {
      for (Index z = 0; z < parts.cols(); ++z) parts(r, z) = J_[0](loose_[static_cast<size_t>(z)], r);
      const double length = parts.row(r).norm();
      if (!(length > 0.0)) continue;
      parts.row(r) /= length;
      gamma[r] = gamma_of(held_[static_cast<size_t>(r)]) / length;
    }
    const VectorXd change = LeastSquares(parts, 1e-12).solve(gamma);
    for (Index z = 0; z < parts.cols(); ++z) state.u[loose_[static_cast<size_t>(z)]] -= change[z];
  }
  constexpr double kBalanced = 1e-6;
  double largest_load = 0.0;
  for (int j = 0; j < system_.nu(); ++j) largest_load = std::max(largest_load, std::abs(series_->h(j)[0]));
  for (int i = 0; i < static_cast<int>(loose_directions_.cols()); ++i)
    unbalanced_load_ = std::max(unbalanced_load_, std::abs(loose_load(i)));
  if (unbalanced_load_ <= kBalanced * largest_load) unbalanced_load_ = 0.0;
  expanded_ = -1;
  forget_times();
  return state.u.allFinite();
}

}  // namespace tippe
