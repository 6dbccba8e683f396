// SPDX-License-Identifier: Apache-2.0
#include "tippe/hybrid/mode_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/core/least_squares.h"
#include "tippe/core/scaled_root.h"
#include "tippe/hybrid/carrying_columns.h"
#include "tippe/hybrid/series.h"
#include "tippe/hybrid/tolerances.h"
#include "tippe/model/massless.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDependentRow = 1e-9;  // rows of kinetic length 1 that lie within this of the others depend on them

}  // namespace

ModeFlow::ModeFlow(const System& system, int order)
    : system_(system), order_(order), series_(system.make_series(order)), evaluator_(system.make_evaluator()) {
  if (series_ != nullptr && !series_->massless().empty()) {
    for (const int velocity : loose_velocities(system)) {
      for (size_t i = 0; i < series_->massless().size(); ++i) {
        if (series_->massless()[i].velocity != velocity) continue;
        loose_.push_back(velocity);
        massless_.push_back(static_cast<int>(i));
      }
    }
  }
  int rows = 0;
  for (const ForceLaw& law : system.laws()) {
    first_row_.push_back(rows);
    rows += law.rows;
  }
  const auto count = static_cast<Index>(order) + 1;
  q_.setZero(system.nq(), count);
  u_.setZero(system.nu(), count);
  a_.setZero(system.nu(), count);
  h_.setZero(system.nu(), count);
  push_.setZero(system.nu(), count);
  lambda_.setZero(rows, count);
  constraint_lambda_.setZero(static_cast<Index>(system.constraints().size()), count);
  law_loss_.setZero(static_cast<Index>(system.laws().size()), count);
  power_.setZero(3, count);
  M_.setZero(system.nu(), system.nu());
  sliding_.resize(system.laws().size());
  load_size_.assign(static_cast<size_t>(count), 0.0);
  r1_.setZero(system.nu());
  J_.resize(static_cast<size_t>(count));
  B_.resize(static_cast<size_t>(count));
  N_.resize(static_cast<size_t>(count));
}

void ModeFlow::set_modes(std::span<const ContactMode> modes, std::span<const VectorXd> directions) {
  modes_.assign(modes.begin(), modes.end());
  directions_.assign(directions.begin(), directions.end());
  directions_.resize(modes.size());
  held_.clear();
  columns_.clear();
  for (int c = 0; c < static_cast<int>(system_.constraints().size()); ++c) {
    held_.push_back({-1, c});
    columns_.push_back({ForceColumn::Kind::kConstraint, c});
  }
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    const ForceLaw& law = system_.laws()[static_cast<size_t>(i)];
    const ContactMode mode = modes[static_cast<size_t>(i)];
    if (mode == ContactMode::kOpen) continue;
    if (mode == ContactMode::kSlide && sliding_[static_cast<size_t>(i)].square.empty()) {
      const std::vector<double> zero(static_cast<size_t>(order_) + 1, 0.0);
      sliding_[static_cast<size_t>(i)] = {.square = zero,
                                          .speed = zero,
                                          .scaled = {zero, zero, zero},
                                          .unit = {zero, zero, zero},
                                          .weight = {zero, zero, zero}};
    }
    if (law.kind == ForceLaw::Kind::kDryFriction) {
      for (int row = 0; row < law.rows && mode == ContactMode::kStick; ++row) {
        if (law.rows > 1 && !(friction_along(law, row) > 0.0)) continue;
        held_.push_back({i, row});
        columns_.push_back({ForceColumn::Kind::kHeld, i, row});
      }
      continue;
    }
    held_.push_back({i, 0});
    if (mode != ContactMode::kStick) {
      columns_.push_back({ForceColumn::Kind::kNormal, i});
    } else if (law.rows == 2) {
      held_.push_back({i, 1});
      for (const double side : {1.0, -1.0}) columns_.push_back({ForceColumn::Kind::kEdge, i, 0, side});
    } else {
      columns_.push_back({ForceColumn::Kind::kHeld, i, 0});
      for (int row = 1; row < law.rows; ++row) {
        if (!(friction_along(law, row) > 0.0)) continue;  // without friction it is free to move there
        held_.push_back({i, row});
        columns_.push_back({ForceColumn::Kind::kHeld, i, row});
      }
    }
  }
  held_by_laws_ = held_.size();
  columns_by_laws_ = columns_.size();
  loose_directions_.resize(static_cast<Index>(loose_.size()), 0);
  for (MatrixXd& J : J_) J.setZero(system_.nu(), static_cast<Index>(held_.size()));
  for (MatrixXd& B : B_) B.setZero(system_.nu(), static_cast<Index>(columns_.size()));
  x_.setZero(static_cast<Index>(columns_.size()), order_ + 1);
  for (Sliding& sliding : sliding_) sliding.given_rate = {};
  shares_.resize(0);
  share_rates_.resize(0);
  expanded_ = -1;
  forget_times();
}

const MotionSeries::Row& ModeFlow::series_row(const HeldRow& held) const {
  if (held.law < 0) return series_->constraints()[static_cast<size_t>(held.row)];
  return series_->laws()[static_cast<size_t>(held.law)][static_cast<size_t>(held.row)];
}

/// The direction of friction of what slides in space: -mu_i^2 gamma_i / |(mu_1 gamma_1, mu_2 gamma_2)| per normal force, with drilling likewise; times the share
/// of friction at rest that sliding has.
void ModeFlow::advance_sliding(int k) {
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] != ContactMode::kSlide) continue;
    const ForceLaw& law = system_.laws()[i];
    const double share = law.sliding_share();
    const int first = law.first_slip();
    const auto count = static_cast<size_t>(friction_rows(law));
    std::array<double, 3> mu{};
    for (size_t d = 0; d < count; ++d) mu[d] = friction_along(law, first + static_cast<int>(d));
    Sliding& sliding = sliding_[i];
    const auto at = static_cast<size_t>(k);
    double square = 0.0;
    for (size_t d = 0; d < count; ++d) {
      sliding.scaled[d][at] = mu[d] * series_->laws()[i][static_cast<size_t>(first) + d].gamma[k];
      square += product_coefficient(sliding.scaled[d].data(), sliding.scaled[d].data(), k);
    }
    sliding.square[at] = square;
    if (sliding.turning == Turning::kSlow) {
      advance_slow(i, k);
      continue;
    }
    if (sliding.turning == Turning::kFixed) {
      const VectorXd& direction = directions_[i];
      double norm = 0.0;
      for (size_t d = 0; d < count; ++d) norm = std::hypot(norm, mu[d] * direction[static_cast<Index>(d)]);
      for (size_t d = 0; d < count; ++d)
        sliding.weight[d][at] = k == 0 ? -share * mu[d] * mu[d] * direction[static_cast<Index>(d)] / norm : 0.0;
      continue;
    }
    sliding.speed[at] = root_coefficient(sliding.square.data(), sliding.speed.data(), k);
    for (size_t d = 0; d < count; ++d) {
      sliding.unit[d][at] = quotient_coefficient(sliding.scaled[d].data(), sliding.speed.data(), sliding.unit[d].data(), k);
      sliding.weight[d][at] = -share * mu[d] * sliding.unit[d][at];
    }
  }
}

void ModeFlow::add_direction(const MotionSeries::Row& row, int k, double weight, Eigen::Ref<VectorXd> column) const {
  for (size_t j = 0; j < row.velocity.size(); ++j) column[row.velocity[j]] += weight * row.value[j][k];
}

/// Coefficient k of all directions.
void ModeFlow::fill_rows(int k) {
  MatrixXd& J = J_[static_cast<size_t>(k)];
  MatrixXd& B = B_[static_cast<size_t>(k)];
  J.setZero();
  B.setZero();
  for (size_t i = 0; i < held_.size(); ++i) add_row(held_[i], k, J.col(static_cast<Index>(i)));
  for (size_t c = 0; c < columns_.size(); ++c) {
    const ForceColumn& force = columns_[c];
    auto column = B.col(static_cast<Index>(c));
    if (force.kind == ForceColumn::Kind::kLoose) {
      for (size_t z = 0; z < loose_.size() && k == 0; ++z)
        column[loose_[z]] = loose_directions_(static_cast<Index>(z), force.law);
      continue;
    }
    if (force.kind == ForceColumn::Kind::kConstraint) {
      add_direction(series_->constraints()[static_cast<size_t>(force.law)], k, 1.0, column);
      continue;
    }
    const auto i = static_cast<size_t>(force.law);
    const std::vector<MotionSeries::Row>& rows = series_->laws()[i];
    if (force.kind == ForceColumn::Kind::kHeld) {
      add_direction(rows[static_cast<size_t>(force.row)], k, 1.0, column);
      continue;
    }
    add_direction(rows[0], k, 1.0, column);
    const ForceLaw& law = system_.laws()[i];
    if (force.kind == ForceColumn::Kind::kEdge) add_direction(rows[1], k, force.side * law.mu1, column);
    const double mu = law.sliding_share() * law.mu1;
    if (modes_[i] == ContactMode::kSlideForward) add_direction(rows[1], k, -mu, column);
    if (modes_[i] == ContactMode::kSlideBackward) add_direction(rows[1], k, mu, column);
    if (modes_[i] != ContactMode::kSlide) continue;
    for (size_t d = 0; d + 1 < rows.size(); ++d) {
      for (int j = 0; j <= k; ++j) add_direction(rows[1 + d], k - j, sliding_[i].weight[d][static_cast<size_t>(j)], column);
    }
  }
  fill_cross_rows(k);
}

/// Which rows are independent, by orthogonalisation in the kinetic metric, the longest rest first. False if a row is not finite.
bool ModeFlow::choose_independent_rows() {
  MatrixXd Y = metric_.solve_lower(J_[0]);
  independent_.clear();
  least_independence_ = 1.0;
  std::vector<bool> taken(held_.size(), false);
  for (Index i = 0; i < Y.cols(); ++i) {
    const double length = Y.col(i).norm();
    if (!std::isfinite(length)) return false;
    if (length > 0.0) Y.col(i) /= length;
  }
  while (true) {
    Index best = -1;
    double longest = kDependentRow;
    for (Index i = 0; i < Y.cols(); ++i) {
      const double length = Y.col(i).norm();
      // Rows of about the same length: the first, so that the choice does not hang on round-off.
      if (taken[static_cast<size_t>(i)] || length <= longest * (best < 0 ? 1.0 : 1.0 + 1e-6)) continue;
      best = i;
      longest = length;
    }
    if (best < 0) break;
    taken[static_cast<size_t>(best)] = true;
    if (longest < least_independence_) {
      least_independence_ = longest;
      least_independent_ = static_cast<int>(best);
    }
    independent_.push_back(static_cast<int>(best));
    const VectorXd direction = Y.col(best).normalized();
    for (int twice = 0; twice < 2; ++twice) {
      for (Index i = 0; i < Y.cols(); ++i) {
        if (!taken[static_cast<size_t>(i)]) Y.col(i) -= direction.dot(Y.col(i)) * direction;
      }
    }
  }
  std::sort(independent_.begin(), independent_.end());
  return true;
}

/// Which columns carry the load: all if the rows are independent. Else dry frictions, whose force is bounded on both sides, may carry nothing, their
/// limit, or what is left.
ModeFlow::Status ModeFlow::choose_columns() {
  const auto rank = static_cast<Index>(independent_.size());
  for (ForceColumn& column : columns_) {
    column.basic = true;
    column.fixed = column.fixed_rate = 0.0;
  }
  if (rank == static_cast<Index>(held_.size())) {
    basic_.clear();
    for (int c = 0; c < static_cast<int>(columns_.size()); ++c) basic_.push_back(c);
    return Status::kOk;
  }
  MatrixXd A(rank, static_cast<Index>(columns_.size()));
  VectorXd b(rank);
  for (Index r = 0; r < rank; ++r) {
    A.row(r) = A_.row(independent_[static_cast<size_t>(r)]);
    b[r] = foreseen_.size() > 0 ? foreseen_[r] : small_[independent_[static_cast<size_t>(r)]];
  }
  if (choose_columns_by_shares(A)) return Status::kOk;
  std::vector<int> dry;
  for (int c = 0; c < static_cast<int>(columns_.size()); ++c) {
    const ForceColumn& column = columns_[static_cast<size_t>(c)];
    if (column.kind == ForceColumn::Kind::kHeld && system_.laws()[static_cast<size_t>(column.law)].is_line_friction())
      dry.push_back(c);
  }
  constexpr size_t kMostDry = 4;
  size_t cases = 1;
  for (size_t k = 0; k < std::min(dry.size(), kMostDry); ++k) cases *= 4;
  for (size_t number = 0; number < cases; ++number) {
    size_t rest = number;
    for (size_t k = 0; k < std::min(dry.size(), kMostDry); ++k, rest /= 4) {
      ForceColumn& column = columns_[static_cast<size_t>(dry[k])];
      const std::array<double, 2>& limits = system_.laws()[static_cast<size_t>(column.law)].limits;
      column.basic = rest % 4 == 1;
      column.fixed = rest % 4 == 2 ? limits[1] : rest % 4 == 3 ? -limits[0] : 0.0;
    }
    if (try_columns(A, b)) return Status::kOk;
  }
  for (const int c : dry) {
    columns_[static_cast<size_t>(c)].basic = true;
    columns_[static_cast<size_t>(c)].fixed = 0.0;
  }
  try_columns(A, b);
  return static_cast<Index>(basic_.size()) == rank ? Status::kOk : Status::kSingular;
}

/// N  a column's part of the forces that were given.
double ModeFlow::share_of(const ForceColumn& column, const VectorXd& shares) const {
  if (column.kind == ForceColumn::Kind::kConstraint || column.kind == ForceColumn::Kind::kLoose) return 0.0;
  const Index first = first_row_[static_cast<size_t>(column.law)];
  if (column.kind == ForceColumn::Kind::kHeld) return shares[first + column.row];
  if (column.kind == ForceColumn::Kind::kNormal) return shares[first];
  const double mu = system_.laws()[static_cast<size_t>(column.law)].mu1;
  return 0.5 * (shares[first] + column.side * shares[first + 1] / mu);
}

/// Forces as they were given: the largest follow from the rows, the others stay. False if none were given, or too few can follow.
bool ModeFlow::choose_columns_by_shares(const MatrixXd& A) {
  if (shares_.size() == 0 || foreseen_.size() > 0) return false;
  const bool slides_in_space = std::find(modes_.begin(), modes_.end(), ContactMode::kSlide) != modes_.end();
  if (!slides_in_space && !shares_in_space()) return false;  // in the plane a basis whose forces push is found below
  std::vector<double> size(columns_.size());
  std::vector<int> order;
  for (int c = 0; c < static_cast<int>(columns_.size()); ++c) {
    const ForceColumn& column = columns_[static_cast<size_t>(c)];
    order.push_back(c);
    const bool always = column.kind == ForceColumn::Kind::kConstraint || column.kind == ForceColumn::Kind::kLoose;
    size[static_cast<size_t>(c)] = always ? std::numeric_limits<double>::infinity()
                                          : std::abs(share_of(column, shares_)) * metric_.length(B_[0].col(c));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return size[static_cast<size_t>(a)] > size[static_cast<size_t>(b)]; });
  basic_ = choose_independent_columns(A, order);
  if (static_cast<Index>(basic_.size()) != A.rows()) return false;
  for (ForceColumn& column : columns_) {
    column.basic = false;
    column.fixed = share_of(column, shares_);
    if (share_rates_.size() > 0) column.fixed_rate = share_of(column, share_rates_);
    const bool pushes_only = column.kind == ForceColumn::Kind::kNormal || column.kind == ForceColumn::Kind::kEdge;
    if (pushes_only && column.fixed < 0.0) column.fixed = 0.0;
  }
  for (const int c : basic_) {
    columns_[static_cast<size_t>(c)].basic = true;
    columns_[static_cast<size_t>(c)].fixed = columns_[static_cast<size_t>(c)].fixed_rate = 0.0;
  }
  return true;
}

/// A basis of the columns that are not fixed. True if it carries the load within all bounds.
bool ModeFlow::try_columns(const MatrixXd& A, const VectorXd& load) {
  if (A.rows() == 0) {  // all rows vanish here: there is nothing to carry
    basic_.clear();
    for (ForceColumn& column : columns_) column.basic = false;
    return true;
  }
  std::vector<int> open;
  std::vector<bool> free;
  VectorXd b = load;
  for (int c = 0; c < static_cast<int>(columns_.size()); ++c) {
    const ForceColumn& column = columns_[static_cast<size_t>(c)];
    const bool dry =
        column.kind == ForceColumn::Kind::kHeld && system_.laws()[static_cast<size_t>(column.law)].is_line_friction();
    if (dry && !column.basic) {
      b -= column.fixed * A.col(c);
      continue;
    }
    open.push_back(c);
    free.push_back(column.kind != ForceColumn::Kind::kNormal && column.kind != ForceColumn::Kind::kEdge);
  }
  MatrixXd A_open(A.rows(), static_cast<Index>(open.size()));
  for (size_t k = 0; k < open.size(); ++k) A_open.col(static_cast<Index>(k)) = A.col(open[k]);
  basic_.clear();
  for (const int k : choose_carrying_columns(A_open, b, free)) basic_.push_back(open[static_cast<size_t>(k)]);
  for (const int c : open) columns_[static_cast<size_t>(c)].basic = false;
  for (const int c : basic_) columns_[static_cast<size_t>(c)].basic = true;
  if (static_cast<Index>(basic_.size()) != A.rows()) return false;
  MatrixXd A_basic(A.rows(), A.rows());
  for (size_t k = 0; k < basic_.size(); ++k) A_basic.col(static_cast<Index>(k)) = A.col(basic_[k]);
  const VectorXd x = LeastSquares(A_basic).solve(b);
  const double none = kNoShare * x.cwiseAbs().maxCoeff();
  for (Index k = 0; k < x.size(); ++k) {
    const ForceColumn& column = columns_[static_cast<size_t>(basic_[static_cast<size_t>(k)])];
    const bool pushes_only = column.kind == ForceColumn::Kind::kNormal || column.kind == ForceColumn::Kind::kEdge;
    if (pushes_only && x[k] < -none) return false;
    if (column.kind != ForceColumn::Kind::kHeld) continue;
    const ForceLaw& law = system_.laws()[static_cast<size_t>(column.law)];
    if (law.is_line_friction() && std::abs(x[k]) > law.limit_of_force(x[k]) + none) return false;
  }
  return true;
}

bool ModeFlow::carries(int law) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const ForceColumn& column) {
    const bool of_law = column.kind != ForceColumn::Kind::kConstraint && column.kind != ForceColumn::Kind::kLoose;
    return of_law && column.law == law && column.basic;
  });
}

/// N  of a dry friction against one velocity.
double ModeFlow::sliding_force(size_t law) const {
  const ForceLaw& pad = system_.laws()[law];
  return pad.sliding_share() * (modes_[law] == ContactMode::kSlideForward ? -pad.limits[0] : pad.limits[1]);
}

/// r1 := coefficient k of h and of the forces that are given in this mode: of dry frictions that slide or hold with their limit.
void ModeFlow::add_loads(int k) {
  for (int j = 0; j < system_.nu(); ++j) r1_[j] = series_->h(j)[k];
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind != ForceLaw::Kind::kDryFriction || !slides(modes_[i])) continue;
    if (modes_[i] != ContactMode::kSlide) {
      add_direction(series_->laws()[i][0], k, sliding_force(i), r1_);
      continue;
    }
    for (size_t d = 0; d < series_->laws()[i].size(); ++d) {
      for (int j = 0; j <= k; ++j)
        add_direction(series_->laws()[i][d], k - j, sliding_[i].weight[d][static_cast<size_t>(j)], r1_);
    }
  }
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (!columns_[c].basic && columns_[c].fixed != 0.0)
      r1_ += columns_[c].fixed * B_[static_cast<size_t>(k)].col(static_cast<Index>(c));
    if (!columns_[c].basic && columns_[c].fixed_rate != 0.0 && k > 0)
      r1_ += columns_[c].fixed_rate * B_[static_cast<size_t>(k) - 1].col(static_cast<Index>(c));
  }
}

/// Everything of order 0: the metric, how forces act on the rows, the basis.
ModeFlow::Status ModeFlow::prepare() {
  const Index m = J_[0].cols();
  M_.setZero();
  for (size_t e = 0; e < system_.mass_pattern().size(); ++e) {
    const LowerEntry& entry = system_.mass_pattern()[e];
    M_(entry.row, entry.column) = M_(entry.column, entry.row) = series_->mass(static_cast<int>(e))[0];
  }
  if (!M_.allFinite() || !J_[0].allFinite() || !B_[0].allFinite()) {
    culprit_ = "the mass matrix or a direction";
    return Status::kNotFinite;
  }
  weight_.setZero(m);
  constexpr double kDefinite = 1e-10;
  if (!metric_.factorize(M_, kDefinite)) {
    const VectorXd lightness = M_.diagonal().unaryExpr([](double mass) { return mass > 0.0 ? 1.0 / mass : 1.0; });
    for (Index i = 0; i < m; ++i) {
      const double square = J_[0].col(i).cwiseAbs2().dot(lightness);
      weight_[i] = square > 0.0 ? 1.0 / square : 0.0;
    }
    const MatrixXd P = M_ + J_[0] * weight_.asDiagonal() * J_[0].transpose();
    if (!metric_.factorize(P, kDefinite)) {
      culprit_ = "a direction without mass that neither a contact nor a constraint holds, nor a load that depends on it";
      return Status::kMassSingular;
    }
  }
  PB_ = metric_.solve(B_[0]);
  A_.noalias() = J_[0].transpose() * PB_;
  if (!choose_independent_rows()) return Status::kNotFinite;
  r1_.resize(system_.nu());
  r2_.resize(m);
  for (ForceColumn& column : columns_) column.fixed = column.fixed_rate = 0.0;
  add_loads(0);
  for (Index i = 0; i < m; ++i) r2_[i] = -drift_of(held_[static_cast<size_t>(i)], 0);
  small_ = r2_ - J_[0].transpose() * metric_.solve(r1_ + J_[0] * weight_.cwiseProduct(r2_));
  if (const Status status = choose_columns(); status != Status::kOk) return status;
  const auto rank = static_cast<Index>(independent_.size());
  A_basic_.resize(rank, rank);
  for (Index r = 0; r < rank; ++r) {
    for (Index c = 0; c < rank; ++c)
      A_basic_(r, c) = A_(independent_[static_cast<size_t>(r)], basic_[static_cast<size_t>(c)]);
  }
  lu_.factorize(A_basic_);
  return Status::kOk;
}

/// Coefficient k of accelerations and forces. False if they are not finite.
bool ModeFlow::solve_order(int k) {
  const Index m = J_[0].cols();
  r1_.resize(system_.nu());
  r2_.resize(m);
  add_loads(k);
  if (!system_.constant_mass()) {
    for (size_t e = 0; e < system_.mass_pattern().size(); ++e) {
      const LowerEntry& entry = system_.mass_pattern()[e];
      const double* mass = series_->mass(static_cast<int>(e));
      for (int j = 1; j <= k; ++j) {
        if (mass[j] == 0.0) continue;
        r1_[entry.row] -= mass[j] * a_(entry.column, k - j);
        if (entry.row != entry.column) r1_[entry.column] -= mass[j] * a_(entry.row, k - j);
      }
    }
  }
  for (Index i = 0; i < m; ++i) r2_[i] = -drift_of(held_[static_cast<size_t>(i)], k);
  for (int j = 1; j <= k; ++j) {
    const auto at = static_cast<size_t>(j);
    if (m > 0) r2_.noalias() -= J_[at].transpose() * a_.col(k - j);
    for (const int c : basic_) r1_ += B_[at].col(c) * x_(c, k - j);
  }
  if (m > 0) r1_.noalias() += J_[0] * weight_.cwiseProduct(r2_);
  metric_.solve_in_place(r1_);
  a_.col(k) = r1_;
  x_.col(k).setZero();
  for (size_t c = 0; c < columns_.size() && k <= 1; ++c)
    x_(static_cast<Index>(c), k) = k == 0 ? columns_[c].fixed : columns_[c].fixed_rate;
  const auto rank = static_cast<Index>(basic_.size()), slow = k > 0 ? static_cast<Index>(slow_.size()) : 0;
  if (rank + slow > 0) {
    small_.resize(rank + slow);
    for (Index r = 0; r < rank; ++r) {
      const int row = independent_[static_cast<size_t>(r)];
      small_[r] = r2_[row] - J_[0].col(row).dot(r1_);
    }
    for (Index i = 0; i < slow; ++i) small_[rank + i] = slow_remainder(static_cast<size_t>(i), k) - N_[0].col(i).dot(r1_);
    if (slow == 0) {
      lu_.solve(small_, solution_);
    } else {
      prepare_turning(k);
      solution_ = turning_->solve(small_.cwiseQuotient(E_rows_)).cwiseQuotient(E_columns_);
      a_.col(k) += PD_ * solution_.tail(slow);
      complete_directions(k, solution_.tail(slow));
    }
    for (Index c = 0; c < rank; ++c) {
      const int column = basic_[static_cast<size_t>(c)];
      x_(column, k) = solution_[c];
      a_.col(k) += PB_.col(column) * solution_[c];
    }
  }
  return a_.col(k).allFinite() && x_.col(k).allFinite();
}

ModeFlow::Status ModeFlow::expand(const State& state, int order) {
  foreseen_.resize(0);
  const Status status = expand_passes(state, order);
  return status == Status::kOk && foresee_load() ? expand_passes(state, order) : status;
}

/// Where rows depend on each other the forces have a choice, and the load passes from one column to another when its force becomes zero. True if
/// such a column would pull, or a dry friction exceed its limit, a moment later: then columns are to be chosen by the load of that moment.
bool ModeFlow::foresee_load() {
  if (rank() == held_rows() || expanded_ < 1) return false;
  const double time = load_time_scale();
  double moment = std::numeric_limits<double>::infinity(), now = 0.0, largest = 0.0;
  for (const int c : basic_) now = std::max(now, std::abs(force(c)[0]));
  for (const int c : basic_) {
    double power = 1.0;
    for (int k = 1; k <= expanded_; ++k) {
      const double change = std::abs(force(c)[k]);
      largest = std::max(largest, change * (power *= time));
      if (change > 0.0) moment = std::min(moment, scaled_root(now / change, k));
    }
  }
  if (!std::isfinite(moment)) return false;
  largest = std::max(largest, now);
  moment = std::max(1e-6 * moment, 1e-9 * time);  // loads may pass through zero
  VectorXd x(static_cast<Index>(basic_.size()));
  for (Index c = 0; c < x.size(); ++c) x[c] = evaluate_series(force(basic_[static_cast<size_t>(c)]), expanded_, moment);
  bool pulls = false;
  for (Index c = 0; c < x.size(); ++c) {
    const ForceColumn& column = columns_[static_cast<size_t>(basic_[static_cast<size_t>(c)])];
    const bool pushes_only = column.kind == ForceColumn::Kind::kNormal || column.kind == ForceColumn::Kind::kEdge;
    pulls = pulls || (pushes_only && x[c] < 0.0 && x[c] > -1e-3 * largest);
    if (column.kind != ForceColumn::Kind::kHeld) continue;
    const ForceLaw& law = system_.laws()[static_cast<size_t>(column.law)];
    const double excess = law.is_line_friction() ? std::abs(x[c]) - law.limit_of_force(x[c]) : 0.0;
    pulls = pulls || (excess > 0.0 && excess < 1e-3 * largest);
  }
  foreseen_ = A_basic_ * x;
  for (size_t c = 0; c < columns_.size(); ++c) {
    for (Index r = 0; r < foreseen_.size() && !columns_[c].basic; ++r)
      foreseen_[r] += columns_[c].fixed * A_(independent_[static_cast<size_t>(r)], static_cast<Index>(c));
  }
  return pulls;
}

ModeFlow::Status ModeFlow::expand_once(const State& state, int order) {
  expanded_ = -1;
  forget_times();
  q_.col(0) = state.q;
  u_.col(0) = state.u;
  series_->begin(state.t, state.q, state.u);
  for (int k = 0; k <= order; ++k) {
    if (k > 0) {
      q_next_ = q_.col(k);
      u_next_ = u_.col(k);
      series_->set_coefficients(k, q_next_, u_next_);
    }
    series_->evaluate(k);
    advance_sliding(k);
    fill_rows(k);
    if (k == 0 && !choose_loose()) return Status::kMassSingular;
    if (k > 0 && !loose_stays(k)) return Status::kMassSingular;
    if (k == 0) {
      if (const Status status = prepare(); status != Status::kOk) return status;
      if (!slow_.empty() && !settle_directions()) return Status::kNoDirection;
      double curvature = 0.0;
      for (size_t i = 0; i < held_.size(); ++i) {
        const double length = metric_.length(J_[0].col(static_cast<Index>(i)));
        if (length > 0.0) curvature = std::max(curvature, std::abs(drift_of(held_[i], 0)) / length);
      }
      for (int j = 0; j < system_.nu(); ++j) r1_[j] = series_->h(j)[0];
      load_ = load_size(r1_) + curvature;
      free_ = r1_;
      metric_.solve_in_place(free_);
      free_ = free_.cwiseAbs();
    }
    for (int j = 0; j < system_.nu(); ++j) r1_[j] = series_->h(j)[k];
    h_.col(k) = r1_;
    load_size_[static_cast<size_t>(k)] = load_size(r1_);
    if (!solve_order(k)) {
      culprit_ = k == 0 ? "an acceleration or a force" : fmt::format("derivative {} of an acceleration or a force", k);
      return Status::kNotFinite;
    }
    if (k == order) break;
    u_.col(k + 1) = a_.col(k) / (k + 1);
    for (int j = 0; j < system_.nq(); ++j) q_(j, k + 1) = series_->position_rate(j)[k] / (k + 1);
  }
  collect_forces(order);
  collect_powers(order);
  expanded_ = order;
  return Status::kOk;
}

}  // namespace tippe
