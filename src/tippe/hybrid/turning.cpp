// SPDX-License-Identifier: Apache-2.0
// Contacts that slide slowly in space. With y = (mu_1 gamma_1, mu_2 gamma_2) = s e, e = (cos(theta), sin(theta)) and n = (-sin(theta), cos(theta)),
// friction is -mu_d e_d per normal force, and y' = s' e + s theta' n. Taken from the velocity, e = y/|y|, the direction is stiff: friction turns y in a time
// of size s/|y'|. So theta is an unknown of the motion instead, by the row that holds across the direction,
//
//   n . y' = s theta' ,
//
// which has a smooth solution down to s = 0, that of a contact which begins to slide. Coefficient k of theta is found with coefficient k of accelerations
// and forces. It needs theta_{k+1} of the right side, times s_0, which is taken from the pass before: small where the contact is slow.
//
// With drilling y has a third part, and e two directions across, n_1 and n_2, which are carried along without turning about e:  e' = sum_i theta_i' n_i ,
// n_i' = -theta_i' e ,  n_i . y' = s theta_i' . Each is an entry of slow_.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tippe/hybrid/mode_flow.h"
#include "tippe/hybrid/series.h"

namespace tippe {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

constexpr double kSettled = 1e-14, kSettledInDraft = 1e-3;  // rad
constexpr int kMostSettling = 20;
constexpr int kMostPasses = 12;

using Direction = std::array<double, 3>;

/// Directions across the unit direction e: one in a plane, with drilling two.
std::array<Direction, 2> directions_across(const Direction& e, int components) {
  if (components == 2) return {Direction{-e[1], e[0], 0.0}, {}};
  const auto least = static_cast<size_t>(
      std::min_element(e.begin(), e.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) - e.begin());
  Eigen::Vector3d first = Eigen::Vector3d::Unit(static_cast<Index>(least));
  const Eigen::Map<const Eigen::Vector3d> along(e.data());
  first = (first - along.dot(first) * along).normalized();
  const Eigen::Vector3d second = along.cross(first);
  return {Direction{first[0], first[1], first[2]}, Direction{second[0], second[1], second[2]}};
}

}  // namespace

/// Which contacts are slow: those with a direction that can turn.
void ModeFlow::begin_directions(const State& state) {
  slow_.clear();
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] == ContactMode::kSlide)
      sliding_[i].turning = directions_[i].size() == 0 ? Turning::kByVelocity : Turning::kFixed;
  }
  const auto begin = [this](size_t i, int column) {
    if (modes_[i] != ContactMode::kSlide || directions_[i].size() == 0) return;
    const ForceLaw& law = system_.laws()[i];
    Sliding& sliding = sliding_[i];
    const int count = friction_rows(law);
    Direction e{};
    double norm = 0.0;
    for (int d = 0; d < count; ++d) {
      const double mu = friction_along(law, law.first_slip() + d);
      if (!(mu > 0.0)) return;
      e[static_cast<size_t>(d)] = mu * directions_[i][d];
      norm = std::hypot(norm, e[static_cast<size_t>(d)]);
    }
    sliding.turning = Turning::kSlow;
    for (size_t d = 0; d < 3; ++d) sliding.unit[d][0] = e[d] /= norm;
    const std::array<Direction, 2> across = directions_across(e, count);
    for (int turn = 0; turn < count - 1; ++turn) {
      Sliding::Turn& way = sliding.turns[static_cast<size_t>(turn)];
      for (std::vector<double>* series : {&way.angle, &way.angle_before, &way.across[0], &way.across[1], &way.across[2]})
        series->assign(static_cast<size_t>(order_) + 1, 0.0);
      for (size_t d = 0; d < 3; ++d) way.across[d][0] = across[static_cast<size_t>(turn)][d];
      const Direction& rate = sliding.given_rate;
      if (order_ > 0 && count == 2) way.angle_before[1] = rate[0];
      for (size_t d = 0; d < 3 && order_ > 0 && count == 3; ++d) way.angle_before[1] += rate[d] * way.across[d][0];
      slow_.push_back({static_cast<int>(i), column, static_cast<size_t>(turn)});
    }
  };
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].kind == ForceColumn::Kind::kNormal) begin(static_cast<size_t>(columns_[c].law), static_cast<int>(c));
  }
  for (size_t i = 0; i < modes_.size(); ++i) {
    if (system_.laws()[i].kind == ForceLaw::Kind::kDryFriction) begin(i, -1);
  }
  if (slow_.empty()) return;
  u_.col(0) = state.u;
  for (Eigen::MatrixXd& N : N_) N.setZero(system_.nu(), static_cast<Index>(slow_.size()));
  speed_rate_.setZero(static_cast<Index>(slow_.size()));
}

/// No directions were found along which the motion can go on slowly: those of the velocities, or where there are none, those that were given.
void ModeFlow::give_up_slow() {
  constexpr double kAtRest = 1e-11;
  for (const auto& [law, column, turn] : slow_) {
    Sliding& sliding = sliding_[static_cast<size_t>(law)];
    double terms = 0.0;
    const int first = system_.laws()[static_cast<size_t>(law)].first_slip();
    for (int d = first; d < first + friction_rows(system_.laws()[static_cast<size_t>(law)]); ++d) {
      const MotionSeries::Row& row = series_->laws()[static_cast<size_t>(law)][static_cast<size_t>(d)];
      for (size_t j = 0; j < row.velocity.size(); ++j) {
        const int velocity = row.velocity[j];
        const double speed =
            std::max(std::abs(u_(velocity, 0)), scales_ != nullptr ? scales_->speed_at_rest(velocity) : 0.0);
        terms += friction_along(system_.laws()[static_cast<size_t>(law)], d) * std::abs(row.value[j][0]) * speed;
      }
    }
    sliding.turning = std::sqrt(sliding.square[0]) > kAtRest * terms ? Turning::kByVelocity : Turning::kFixed;
  }
  slow_.clear();
}

/// Coefficient k of the direction as far as it follows from those before: without the angles k themselves.
void ModeFlow::advance_slow(size_t law, int k) {
  Sliding& sliding = sliding_[law];
  const auto at = static_cast<size_t>(k), count = static_cast<size_t>(friction_rows(system_.laws()[law]));
  for (size_t d = 0; d < count && k > 0; ++d) sliding.unit[d][at] = 0.0;
  for (size_t turn = 0; turn + 1 < count && k > 0; ++turn) {
    Sliding::Turn& way = sliding.turns[turn];
    for (size_t d = 0; d < count; ++d) way.across[d][at] = 0.0;
    for (size_t j = 1; j < at; ++j) {
      const double rate = static_cast<double>(j) * way.angle[j] / k;
      for (size_t d = 0; d < count; ++d) {
        sliding.unit[d][at] += rate * way.across[d][at - j];
        way.across[d][at] -= rate * sliding.unit[d][at - j];
      }
    }
    way.angle[at] = 0.0;
  }
  sliding.speed[at] = 0.0;
  for (size_t d = 0; d < count; ++d)
    sliding.speed[at] += product_coefficient(sliding.unit[d].data(), sliding.scaled[d].data(), k);
  const double share = system_.laws()[law].sliding_share();
  const int first = system_.laws()[law].first_slip();
  for (size_t d = 0; d < count; ++d)
    sliding.weight[d][at] = -share * friction_along(system_.laws()[law], first + static_cast<int>(d)) * sliding.unit[d][at];
}

/// row += sum along_d mu_d w_d, at coefficient 0 of the directions w.
void ModeFlow::cross_row(int law, const double* along, Eigen::Ref<VectorXd> row) const {
  const auto i = static_cast<size_t>(law);
  const int first = system_.laws()[i].first_slip();
  for (int d = 0; d < friction_rows(system_.laws()[i]); ++d)
    add_direction(series_->laws()[i][static_cast<size_t>(first + d)], 0,
                  friction_along(system_.laws()[i], first + d) * along[d], row);
}

void ModeFlow::fill_cross_rows(int k) {
  for (size_t number = 0; number < slow_.size(); ++number) {
    const auto i = static_cast<size_t>(slow_[number].law);
    const ForceLaw& law = system_.laws()[i];
    const Sliding::Turn& way = sliding_[i].turns[slow_[number].turn];
    auto row = N_[static_cast<size_t>(k)].col(static_cast<Index>(number));
    row.setZero();
    for (int j = 0; j <= k; ++j) {
      for (int d = 0; d < friction_rows(law); ++d)
        add_direction(series_->laws()[i][static_cast<size_t>(law.first_slip() + d)], k - j,
                      friction_along(law, law.first_slip() + d) * way.across[static_cast<size_t>(d)][static_cast<size_t>(j)],
                      row);
    }
  }
}

/// What N_0 a_k and the angle k have to add up to: coefficient k of s theta' - n . drift - (N - N_0) a, as far as it is known.
double ModeFlow::slow_remainder(size_t number, int k) const {
  const auto i = static_cast<size_t>(slow_[number].law);
  const ForceLaw& law = system_.laws()[i];
  const Sliding& sliding = sliding_[i];
  const Sliding::Turn& way = sliding.turns[slow_[number].turn];
  const int first = law.first_slip();
  double sum = 0.0;
  for (int d = 0; d < friction_rows(law); ++d)
    sum -= friction_along(law, first + d) * product_coefficient(way.across[static_cast<size_t>(d)].data(),
                                                                series_->laws()[i][static_cast<size_t>(first + d)].drift, k);
  for (int j = 1; j <= k; ++j) sum -= N_[static_cast<size_t>(j)].col(static_cast<Index>(number)).dot(a_.col(k - j));
  if (k < order_) sum += sliding.speed[0] * (k + 1) * way.angle_before[static_cast<size_t>(k) + 1];
  for (int j = 2; j <= k; ++j)
    sum += sliding.speed[static_cast<size_t>(j)] * (k - j + 1) * way.angle[static_cast<size_t>(k - j) + 1];
  return sum;
}

/// The equations for the forces and the angles of order k.
void ModeFlow::prepare_turning(int k) {
  const auto rank = static_cast<Index>(basic_.size()), slow = static_cast<Index>(slow_.size());
  if (k <= 1) {
    D_.setZero(system_.nu(), slow);
    for (Index i = 0; i < slow; ++i) {
      const int law = slow_[static_cast<size_t>(i)].law;
      const Sliding& sliding = sliding_[static_cast<size_t>(law)];
      const double normal =
          system_.laws()[static_cast<size_t>(law)].sliding_share() * normal_force(slow_[static_cast<size_t>(i)]);
      Direction across{};
      for (size_t d = 0; d < 3; ++d) across[d] = -sliding.turns[slow_[static_cast<size_t>(i)].turn].across[d][0] * normal;
      cross_row(law, across.data(), D_.col(i));
    }
    PD_ = metric_.solve(D_);
    E_.setZero(rank + slow, rank + slow);
    E_.topLeftCorner(rank, rank) = A_basic_;
    for (Index r = 0; r < rank; ++r) {
      E_.row(r).tail(slow) = J_[0].col(independent_[static_cast<size_t>(r)]).transpose() * PD_;
      E_.col(r).tail(slow) = N_[0].transpose() * PB_.col(basic_[static_cast<size_t>(r)]);
    }
  }
  E_.bottomRightCorner(slow, slow) = N_[0].transpose() * PD_;
  E_.bottomRightCorner(slow, slow).diagonal() -= (k + 1) * speed_rate_;
  const auto inverse_of = [](double size) { return size > 0.0 ? size : 1.0; };
  E_rows_ = E_.rowwise().norm().unaryExpr(inverse_of);
  const Eigen::MatrixXd rows = E_rows_.cwiseInverse().asDiagonal() * E_;
  E_columns_ = rows.colwise().norm().transpose().unaryExpr(inverse_of);
  constexpr double kDependent = 1e-10;
  turning_ = std::make_unique<LeastSquares>(rows * E_columns_.cwiseInverse().asDiagonal(), kDependent);
}

/// Coefficient 0 of the directions, by Newton's method. False if it does not converge.
bool ModeFlow::settle_directions() {
  const auto slow = static_cast<Index>(slow_.size());
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMostSettling; ++pass) {
    if (!solve_order(0)) return false;
    VectorXd misfit = VectorXd::Zero(static_cast<Index>(basic_.size()) + slow);
    bool balanced = true;
    for (Index i = 0; i < slow; ++i) {
      const int law = slow_[static_cast<size_t>(i)].law, first = system_.laws()[static_cast<size_t>(law)].first_slip();
      const Sliding& sliding = sliding_[static_cast<size_t>(law)];
      const Sliding::Turn& way = sliding.turns[slow_[static_cast<size_t>(i)].turn];
      double across = 0.0;
      speed_rate_[i] = 0.0;
      double size = normal_force(slow_[static_cast<size_t>(i)]) * std::pow(metric_.length(N_[0].col(i)), 2);
      for (int d = 0; d < friction_rows(system_.laws()[static_cast<size_t>(law)]); ++d) {
        const double mu = friction_along(system_.laws()[static_cast<size_t>(law)], first + d);
        const double rate = mu * row_acceleration(law, first + d);  // of y
        speed_rate_[i] += sliding.unit[static_cast<size_t>(d)][0] * rate;
        across += way.across[static_cast<size_t>(d)][0] * rate;
        const MotionSeries::Row& row = series_->laws()[static_cast<size_t>(law)][static_cast<size_t>(first + d)];
        size += mu * std::abs(row.drift[0]);
        for (size_t j = 0; j < row.velocity.size(); ++j) size += mu * std::abs(row.value[j][0] * a_(row.velocity[j], 0));
      }
      double& rest = misfit[misfit.size() - slow + i];
      rest = across - (way.angle_before.size() > 1 ? sliding.speed[0] * way.angle_before[1] : 0.0);
      constexpr double kBalanced = 1e-10;
      balanced = balanced && std::abs(rest) <= kBalanced * size;
    }
    prepare_turning(0);
    const VectorXd change = -turning_->solve(misfit.cwiseQuotient(E_rows_)).cwiseQuotient(E_columns_).tail(slow);
    const double largest = change.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    if (balanced && (largest <= kSettled || largest >= 0.5 * last)) return true;
    last = largest;
    constexpr double kMostTurn = 0.5;
    for (Index i = 0; i < slow; ++i) {
      const SlowContact& contact = slow_[static_cast<size_t>(i)];
      turn_by(contact.law, contact.turn, change[i] * std::min(1.0, kMostTurn / std::max(largest, kMostTurn)));
    }
    advance_sliding(0);
    fill_rows(0);
    if (prepare() != Status::kOk) return false;
  }
  return false;
}

/// Turns the direction of a contact about one of its axes, with the direction across.
void ModeFlow::turn_by(int law, size_t turn, double angle) {
  Sliding& sliding = sliding_[static_cast<size_t>(law)];
  for (size_t d = 0; d < 3; ++d) {
    double &along = sliding.unit[d][0], &across = sliding.turns[turn].across[d][0];
    const double before = along;
    along = before * std::cos(angle) + across * std::sin(angle);
    across = across * std::cos(angle) - before * std::sin(angle);
  }
}

/// Adds the angles k, which are known now, to what was made without them.
void ModeFlow::complete_directions(int k, const VectorXd& angles) {
  const auto at = static_cast<size_t>(k);
  for (size_t number = 0; number < slow_.size(); ++number) {
    const auto [law, column, turn] = slow_[number];
    const auto i = static_cast<Index>(number);
    const double angle = angles[i];
    const ForceLaw& what = system_.laws()[static_cast<size_t>(law)];
    Sliding& sliding = sliding_[static_cast<size_t>(law)];
    Sliding::Turn& way = sliding.turns[turn];
    way.angle[at] = angle;
    const double pushed = -what.sliding_share() * angle;
    Direction back{}, turned{};
    for (size_t d = 0; d < static_cast<size_t>(friction_rows(what)); ++d) {
      back[d] = -angle * sliding.unit[d][0];
      turned[d] = pushed * way.across[d][0];
      sliding.unit[d][at] += angle * way.across[d][0];
      way.across[d][at] += back[d];
      sliding.weight[d][at] += pushed * friction_along(what, what.first_slip() + static_cast<int>(d)) * way.across[d][0];
    }
    cross_row(law, back.data(), N_[at].col(i));
    if (column >= 0) cross_row(law, turned.data(), B_[at].col(column));
  }
}

/// Hands the angles of this pass to the next. Returns by how much that will turn the directions, about.
double ModeFlow::renew_angles() {
  double turn = 0.0;
  for (size_t number = 0; number < slow_.size(); ++number) {
    const Sliding& sliding = sliding_[static_cast<size_t>(slow_[number].law)];
    Sliding::Turn& way = sliding_[static_cast<size_t>(slow_[number].law)].turns[slow_[number].turn];
    const auto i = static_cast<Index>(number);
    const double rate = std::abs(N_[0].col(i).dot(PD_.col(i)) - speed_rate_[i]);
    const double change = std::abs(sliding.speed[0] * (way.angle[1] - way.angle_before[1]));
    turn = std::max(turn, change > 0.0 ? change / rate : 0.0);
    way.angle_before = way.angle;
  }
  return turn;
}

/// Passes until the directions do not change any more.
ModeFlow::Status ModeFlow::expand_passes(const State& state, int order) {
  begin_directions(state);
  const double settled = draft_ ? kSettledInDraft : kSettled;
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0;; ++pass) {
    const Status status = expand_once(state, order);
    const bool found = status != Status::kNoDirection;
    if (found && (status != Status::kOk || slow_.empty() || order == 0)) return status;
    const double change = found ? renew_angles() : last;
    if (found && change <= settled) return status;
    const bool slower = pass >= 2 && change > 0.3 * last && change > 1e3 * kSettled;
    if (!found || slower || pass == kMostPasses || !std::isfinite(change)) break;
    last = change;
  }
  give_up_slow();
  return expand_once(state, order);
}

double ModeFlow::turning_time(int law) const {
  const auto i = static_cast<size_t>(law);
  const ForceLaw& limits = system_.laws()[i];
  const Sliding& sliding = sliding_[i];
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const int count = friction_rows(limits);
  bool turns = true;
  Direction e{};
  for (int d = 0; d < count; ++d) {
    turns = turns && friction_along(limits, limits.first_slip() + d) > 0.0;
    e[static_cast<size_t>(d)] = sliding.unit[static_cast<size_t>(d)][0];
  }
  if (sliding.turning == Turning::kFixed || expanded_ < 1 || !turns) return kNever;
  double square = 0.0;  // of the longest row across
  const std::array<Direction, 2> across = directions_across(e, count);
  for (int turn = 0; turn < count - 1; ++turn) {
    VectorXd row = VectorXd::Zero(system_.nu());
    cross_row(law, across[static_cast<size_t>(turn)].data(), row);
    square = std::max(square, std::pow(metric_.length(row), 2));
  }
  const double normal = limits.sliding_share() * (limits.kind == ForceLaw::Kind::kDryFriction ? 1.0 : law_force(law, 0)[0]);
  const double rate = normal * square + sliding.speed[1];
  return rate > 0.0 ? std::max(sliding.speed[0], 0.0) / rate : kNever;
}

/// N  of a dry friction 1, as its limits are those of a force.
double ModeFlow::normal_force(const SlowContact& slow) const {
  return slow.column < 0 ? 1.0 : x_(slow.column, 0);
}

double ModeFlow::cross_velocity(int law) const {
  const Sliding& sliding = sliding_[static_cast<size_t>(law)];
  double square = 0.0;
  const int count = friction_rows(system_.laws()[static_cast<size_t>(law)]);
  for (int turn = 0; turn < count - 1; ++turn) {
    double across = 0.0;
    for (size_t d = 0; d < static_cast<size_t>(count); ++d)
      across += sliding.turns[static_cast<size_t>(turn)].across[d][0] * sliding.scaled[d][0];
    square = std::hypot(square, across);
  }
  return square;
}

VectorXd ModeFlow::sliding_direction(int law, double t) const {
  const ForceLaw& limits = system_.laws()[static_cast<size_t>(law)];
  VectorXd direction(friction_rows(limits));
  for (Index d = 0; d < direction.size(); ++d)
    direction[d] = evaluate_series(sliding_[static_cast<size_t>(law)].unit[static_cast<size_t>(d)].data(), expanded_, t) /
                   friction_along(limits, limits.first_slip() + static_cast<int>(d));
  return direction.normalized();
}

ModeFlow::TurnRate ModeFlow::turn_rate(int law, double t) const {
  TurnRate of_direction{};
  const int count = friction_rows(system_.laws()[static_cast<size_t>(law)]);
  for (int turn = 0; turn < count - 1; ++turn) {
    const Sliding::Turn& way = sliding_[static_cast<size_t>(law)].turns[static_cast<size_t>(turn)];
    double rate = 0.0;
    for (int k = expanded_; k >= 1; --k) rate = rate * t + k * way.angle[static_cast<size_t>(k)];
    if (count == 2) return {rate, 0.0, 0.0};
    for (size_t d = 0; d < 3; ++d) of_direction[d] += rate * evaluate_series(way.across[d].data(), expanded_, t);
  }
  return of_direction;
}

}  // namespace tippe
