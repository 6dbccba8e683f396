// SPDX-License-Identifier: Apache-2.0
#include "tippe/solve/cone_scaling.h"

#include <cmath>
#include <numeric>

#include "tippe/core/infinity.h"

namespace tippe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// sqrt(x'J x) without cancellation.
double length(const Eigen::Ref<const VectorXd>& x) {
  const double tail = x.tail(x.size() - 1).norm();
  return std::sqrt((x[0] - tail) * (x[0] + tail));
}

double indefinite_dot(const Eigen::Ref<const VectorXd>& x, const Eigen::Ref<const VectorXd>& y) {
  return 2.0 * x[0] * y[0] - x.dot(y);
}

/// X := 2 v (v'X) - J X.
template <typename Block>
void reflect(const VectorXd& v, Block&& X) {
  const Eigen::RowVectorXd along = 2.0 * v.transpose() * X;
  X.row(0) *= -1.0;
  X.noalias() += v * along;
}

}  // namespace

int ConeProduct::size() const {
  return std::accumulate(second_order.begin(), second_order.end(), nonnegative);
}

VectorXd ConeProduct::unit() const {
  VectorXd e = VectorXd::Zero(size());
  e.head(nonnegative).setOnes();
  int first = nonnegative;
  for (const int n : second_order) {
    e[first] = 1.0;
    first += n;
  }
  return e;
}

double ConeProduct::depth(const VectorXd& x) const {
  double least = nonnegative > 0 ? x.head(nonnegative).minCoeff() : kInfinity;
  int first = nonnegative;
  for (const int n : second_order) {
    least = std::min(least, x[first] - x.segment(first + 1, n - 1).norm());
    first += n;
  }
  return least;
}

// In coordinates that take x to (1, 0, ...), d leaves Q at once with speed |d_1| - d_0.
double ConeProduct::largest_step(const VectorXd& x, const VectorXd& d) const {
  double fastest = 0.0;
  for (int i = 0; i < nonnegative; ++i) fastest = std::max(fastest, -d[i] / x[i]);
  int first = nonnegative;
  for (const int n : second_order) {
    const VectorXd x_bar = x.segment(first, n) / length(x.segment(first, n));
    const auto d_i = d.segment(first, n);
    const double d_0 = indefinite_dot(x_bar, d_i);
    const VectorXd d_1 = d_i.tail(n - 1) - (d_0 + d_i[0]) / (x_bar[0] + 1.0) * x_bar.tail(n - 1);
    fastest = std::max(fastest, (d_1.norm() - d_0) / length(x.segment(first, n)));
    first += n;
  }
  return fastest > 0.0 ? 1.0 / fastest : kInfinity;
}

VectorXd ConeProduct::product(const VectorXd& x, const VectorXd& y) const {
  VectorXd z = x.cwiseProduct(y);
  int first = nonnegative;
  for (const int n : second_order) {
    z.segment(first + 1, n - 1) = x[first] * y.segment(first + 1, n - 1) + y[first] * x.segment(first + 1, n - 1);
    z[first] = x.segment(first, n).dot(y.segment(first, n));
    first += n;
  }
  return z;
}

VectorXd ConeProduct::quotient(const VectorXd& y, const VectorXd& x) const {
  VectorXd z = y.cwiseQuotient(x);
  int first = nonnegative;
  for (const int n : second_order) {
    const auto x_1 = x.segment(first + 1, n - 1);
    const auto y_1 = y.segment(first + 1, n - 1);
    const double determinant = std::pow(length(x.segment(first, n)), 2);
    z[first] = (x[first] * y[first] - x_1.dot(y_1)) / determinant;
    z.segment(first + 1, n - 1) = (y_1 - z[first] * x_1) / x[first];
    first += n;
  }
  return z;
}

ConeScaling::ConeScaling(const ConeProduct& cones, const VectorXd& x, const VectorXd& s)
    : cones_(cones),
      diagonal_((x.head(cones.nonnegative).array() / s.head(cones.nonnegative).array()).sqrt()),
      v_(x.size() - cones.nonnegative),
      beta_(static_cast<Eigen::Index>(cones.second_order.size())) {
  int first = cones.nonnegative;
  for (Eigen::Index i = 0; i < beta_.size(); ++i) {
    const int n = cones.second_order[static_cast<size_t>(i)];
    const double x_length = length(x.segment(first, n)), s_length = length(s.segment(first, n));
    const VectorXd x_bar = x.segment(first, n) / x_length;
    VectorXd w = s.segment(first, n) / s_length;
    const double gamma = std::sqrt(0.5 * (1.0 + x_bar.dot(w)));
    w.tail(n - 1) *= -1.0;
    w = (x_bar + w) / (2.0 * gamma);
    const double half = std::sqrt(2.0 * (w[0] + 1.0));
    w[0] += 1.0;
    v_.segment(first - cones.nonnegative, n) = w / half;
    beta_[i] = std::sqrt(x_length / s_length);
    first += n;
  }
}

MatrixXd ConeScaling::scaled(MatrixXd X) const {
  X.topRows(cones_.nonnegative) = diagonal_.asDiagonal() * X.topRows(cones_.nonnegative);
  int first = cones_.nonnegative;
  for (Eigen::Index i = 0; i < beta_.size(); ++i) {
    const int n = cones_.second_order[static_cast<size_t>(i)];
    auto block = X.middleRows(first, n);
    reflect(v_.segment(first - cones_.nonnegative, n), block);
    block *= beta_[i];
    first += n;
  }
  return X;
}

// W^-1 = J W J / beta^2.
MatrixXd ConeScaling::unscaled(MatrixXd X) const {
  X.topRows(cones_.nonnegative) = diagonal_.cwiseInverse().asDiagonal() * X.topRows(cones_.nonnegative);
  int first = cones_.nonnegative;
  for (Eigen::Index i = 0; i < beta_.size(); ++i) {
    const int n = cones_.second_order[static_cast<size_t>(i)];
    auto block = X.middleRows(first, n);
    VectorXd v = v_.segment(first - cones_.nonnegative, n);
    v.tail(n - 1) *= -1.0;
    reflect(v, block);
    block /= beta_[i];
    first += n;
  }
  return X;
}

}  // namespace tippe
