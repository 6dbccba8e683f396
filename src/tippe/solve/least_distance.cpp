// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/least_distance.h"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <utility>

#include "tippe/core/infinity.h"
#include "tippe/core/tolerances.h"

namespace tippe {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kViolation = 1e-13;  // relative to the size of the terms: some hundred units of round-off

/// Q R of independent columns that come and go.
class ActiveColumns {
 public:
  explicit ActiveColumns(Index dimension) : Q_(dimension, 0), R_(0, 0) {}

  [[nodiscard]] Index count() const { return count_; }

  /// x = Q r + rest, orthogonal to all columns. Twice, so that the rest is orthogonal to round-off.
  void split(const VectorXd& x, VectorXd& r, VectorXd& rest) const {
    const auto Q = Q_.leftCols(count_);
    r.noalias() = Q.transpose() * x;
    rest = x;
    rest.noalias() -= Q * r;
    const VectorXd again = Q.transpose() * rest;
    rest.noalias() -= Q * again;
    r += again;
  }

  void append(const VectorXd& r, const VectorXd& rest) {
    if (count_ == R_.cols()) {
      const Index room = 2 * count_ + 8;
      Q_.conservativeResize(Eigen::NoChange, room);
      R_.conservativeResize(room, room);
    }
    R_.col(count_).head(count_) = r;
    R_.row(count_).head(count_).setZero();
    R_(count_, count_) = rest.norm();
    Q_.col(count_) = rest / R_(count_, count_);
    ++count_;
  }

  void drop(Index k) {
    for (Index j = k; j + 1 < count_; ++j) {
      R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
    }
    --count_;
    for (Index j = k; j < count_; ++j) {  // R has one entry below its diagonal in each of these columns
      Eigen::JacobiRotation<double> turn;
      turn.makeGivens(R_(j, j), R_(j + 1, j));
      R_.topLeftCorner(count_ + 1, count_).rightCols(count_ - j).applyOnTheLeft(j, j + 1, turn.adjoint());
      Q_.applyOnTheRight(j, j + 1, turn);
      R_(j + 1, j) = 0.0;
    }
  }

  /// R^-1 r and R^-T g.
  [[nodiscard]] VectorXd weights(const VectorXd& r) const {
    return R_.topLeftCorner(count_, count_).triangularView<Eigen::Upper>().solve(r);
  }
  /// The shortest v with columns'v = g.
  [[nodiscard]] VectorXd shortest(const VectorXd& g) const {
    const VectorXd h = R_.topLeftCorner(count_, count_).triangularView<Eigen::Upper>().transpose().solve(g);
    return Q_.leftCols(count_) * h;
  }
  [[nodiscard]] VectorXd coordinates(const VectorXd& v) const { return Q_.leftCols(count_).transpose() * v; }

 private:
  MatrixXd Q_, R_;
  Index count_ = 0;
};

/// A constraint divided by the length of its column.
struct UnitColumns {
  MatrixXd columns;
  VectorXd g, length;

  UnitColumns(const MatrixXd& A, const VectorXd& right) : columns(A), g(right), length(A.colwise().norm().transpose()) {
    for (Index j = 0; j < A.cols(); ++j) {
      if (length[j] == 0.0) continue;
      columns.col(j) /= length[j];
      g[j] /= length[j];
    }
  }
};

class Method {
 public:
  explicit Method(const LeastDistanceProblem& problem)
      : equalities_(problem.equalities, problem.g_eq),
        inequalities_(problem.inequalities, problem.g_in),
        active_(problem.inequalities.rows()) {}

  LeastDistance solve() {
    add_equalities();
    update();
    const int limit = 100 + 20 * static_cast<int>(inequalities_.g.size() + equalities_.g.size());
    int violated = 0;
    while ((violated = most_violated()) >= 0) {
      if (!admit(violated, limit)) break;
    }
    if (violated < 0) result_.status = LeastDistanceStatus::kSolved;
    finish();
    return std::move(result_);
  }

 private:
  /// The longest rest first, so that what is dropped depends on what is kept.
  void add_equalities() {
    MatrixXd rest = equalities_.columns;
    std::vector<bool> used(static_cast<size_t>(rest.cols()), false);
    VectorXd size = rest.colwise().squaredNorm().transpose();
    VectorXd r, left;
    while (equality_count() < rest.cols()) {
      Index next = 0;
      size.maxCoeff(&next);
      active_.split(equalities_.columns.col(next), r, left);
      const double length = left.norm();
      if (!(length > kNothingLeft * std::sqrt(static_cast<double>(rest.cols())))) {
        result_.largest_dropped = length;
        return;
      }
      result_.smallest_kept = equality_count() == 0 ? length : std::min(result_.smallest_kept, length);
      active_.append(r, left);
      kept_.push_back(static_cast<int>(next));
      const VectorXd q = left / length;
      const Eigen::RowVectorXd along = q.transpose() * rest;
      rest.noalias() -= q * along;
      size = rest.colwise().squaredNorm().transpose();
      for (const int k : kept_) size[k] = 0.0;
    }
  }

  [[nodiscard]] Index equality_count() const { return static_cast<Index>(kept_.size()); }

  /// v and the multipliers of the active constraints, from scratch.
  void update() {
    VectorXd g(active_.count());
    for (Index k = 0; k < equality_count(); ++k) g[k] = equalities_.g[kept_[static_cast<size_t>(k)]];
    for (size_t k = 0; k < set_.size(); ++k) g[equality_count() + static_cast<Index>(k)] = inequalities_.g[set_[k]];
    v_ = active_.shortest(g);
    y_ = active_.weights(active_.coordinates(v_));
  }

  [[nodiscard]] int most_violated() const {
    int worst = -1;
    double violation = 0.0;
    const double size = v_.norm();
    const VectorXd value = inequalities_.columns.transpose() * v_;
    for (Index i = 0; i < value.size(); ++i) {
      const double by = inequalities_.g[i] - value[i];
      if (by <= violation || by <= kViolation * (size + std::abs(inequalities_.g[i]))) continue;
      if (std::find(set_.begin(), set_.end(), static_cast<int>(i)) != set_.end()) continue;
      violation = by;
      worst = static_cast<int>(i);
    }
    return worst;
  }

  /// Raises the multiplier of a violated inequality until it holds; others whose multipliers reach zero on the way are dropped. False
  /// if it cannot be met.
  bool admit(int i, int limit) {
    const VectorXd column = inequalities_.columns.col(i);
    double multiplier = 0.0;
    VectorXd r, rest;
    for (; result_.steps < limit; ++result_.steps) {
      active_.split(column, r, rest);
      const double length = rest.norm();
      const bool independent = length > kNothingLeft;
      const VectorXd falling = active_.weights(r);  // what the active multipliers lose per unit of the new one
      double step = independent ? (inequalities_.g[i] - column.dot(v_)) / (length * length) : kInfinity;
      Index leaving = -1;
      for (Index k = equality_count(); k < active_.count(); ++k) {
        if (!(falling[k] > kNothingLeft)) continue;
        const double until = std::max(0.0, y_[k]) / falling[k];
        if (until < step) step = until, leaving = k;
      }
      if (step == kInfinity) {
        result_.status = LeastDistanceStatus::kInfeasible;
        result_.contradiction = i;
        return false;
      }
      multiplier += step;
      y_ -= step * falling;
      if (independent) v_ += step * rest;
      if (leaving < 0) {
        active_.append(r, rest);
        set_.push_back(i);
        update();
        ++result_.steps;
        return drop_negative();
      }
      active_.drop(leaving);
      const Index last = y_.size() - 1;
      y_.segment(leaving, last - leaving) = y_.tail(last - leaving).eval();
      y_.conservativeResize(last);
      set_.erase(set_.begin() + (leaving - equality_count()));
    }
    return false;
  }

  /// Multipliers that the update from scratch leaves below zero by more than round-off belong to constraints that only touch.
  bool drop_negative() {
    for (Index k = active_.count() - 1; k >= equality_count(); --k) {
      if (y_[k] >= 0.0) continue;
      if (y_[k] > -kViolation * v_.norm()) {
        y_[k] = 0.0;
        continue;
      }
      active_.drop(k);
      set_.erase(set_.begin() + (k - equality_count()));
      update();
      k = active_.count();
    }
    return true;
  }

  void finish() {
    result_.v = v_;
    result_.y_eq = VectorXd::Zero(equalities_.g.size());
    result_.y_in = VectorXd::Zero(inequalities_.g.size());
    for (size_t k = 0; k < kept_.size(); ++k)
      result_.y_eq[kept_[k]] = y_[static_cast<Index>(k)] / equalities_.length[kept_[k]];
    for (size_t k = 0; k < set_.size(); ++k) {
      const double y = y_[equality_count() + static_cast<Index>(k)];
      result_.y_in[set_[k]] = std::max(0.0, y) / inequalities_.length[set_[k]];
    }
    result_.active = set_;
    std::sort(result_.active.begin(), result_.active.end());
    result_.residual = residual();
  }

  [[nodiscard]] double residual() const {
    const auto largest = [](const VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; };
    const VectorXd gradient = v_ - equalities_.columns * equalities_.length.cwiseProduct(result_.y_eq) -
                              inequalities_.columns * inequalities_.length.cwiseProduct(result_.y_in);
    const VectorXd off = equalities_.columns.transpose() * v_ - equalities_.g;
    const VectorXd missing = (inequalities_.g - inequalities_.columns.transpose() * v_).cwiseMax(0.0);
    const double error = std::max({largest(gradient), largest(off), largest(missing)});
    return error > 0.0 ? error / (v_.norm() + std::max(largest(equalities_.g), largest(inequalities_.g))) : 0.0;
  }

  UnitColumns equalities_, inequalities_;
  ActiveColumns active_;
  std::vector<int> kept_, set_;  // equalities, then inequalities, in the order of the active columns
  VectorXd v_, y_;
  LeastDistance result_;
};

}  // namespace

LeastDistance solve_least_distance(const LeastDistanceProblem& problem) {
  return Method(problem).solve();
}

}  // namespace tippe
