// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tippe {

/// K = R+^nonnegative x Q_1 x Q_2 x ... with second-order cones Q = { x : x_0 >= |(x_1, x_2, ...)| } of the given dimensions, in this
/// order. K is its own dual.
struct ConeProduct {
  int nonnegative = 0;
  std::vector<int> second_order;

  [[nodiscard]] int size() const;
  /// How many cones.
  [[nodiscard]] int degree() const { return nonnegative + static_cast<int>(second_order.size()); }
  /// 1 in R+, (1, 0, 0, ...) in each Q: the middle of K.
  [[nodiscard]] Eigen::VectorXd unit() const;
  /// The largest s with x - s unit() in K: negative outside. Infinity if there is no cone.
  [[nodiscard]] double depth(const Eigen::VectorXd& x) const;
  /// The largest alpha with x + alpha d in K, infinity if there is none, for x inside K.
  [[nodiscard]] double largest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& d) const;
  /// Jordan product: x_i y_i in R+, (x'y, x_0 y_1 + y_0 x_1) in Q.
  [[nodiscard]] Eigen::VectorXd product(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;
  /// The z with product(x, z) = y, for x inside K.
  [[nodiscard]] Eigen::VectorXd quotient(const Eigen::VectorXd& y, const Eigen::VectorXd& x) const;
};

/// The scaling of Nesterov and Todd at a pair x, s inside K: symmetric W that maps K onto itself with W^-1 x = W s = lambda.
class ConeScaling {
 public:
  ConeScaling(const ConeProduct& cones, const Eigen::VectorXd& x, const Eigen::VectorXd& s);

  /// W X and W^-1 X.
  [[nodiscard]] Eigen::MatrixXd scaled(Eigen::MatrixXd X) const;
  [[nodiscard]] Eigen::MatrixXd unscaled(Eigen::MatrixXd X) const;
  /// False if x or s have come so close to the boundary that W is not a finite matrix.
  [[nodiscard]] bool finite() const { return diagonal_.allFinite() && v_.allFinite() && beta_.allFinite(); }

 private:
  const ConeProduct& cones_;
  Eigen::VectorXd diagonal_;  // of R+
  Eigen::VectorXd v_;         // of each Q: W = beta (2 v v' - J), J = diag(1, -1, -1, ...)
  Eigen::VectorXd beta_;
};

}  // namespace tippe
