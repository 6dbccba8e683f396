// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/problem/complementarity.h"

namespace tippe {

/// y = K x + k with x = (u, v): the first `free` rows are equations y = 0 with free x, the others 0 <= x _|_ y >= 0.
/// The form in which all complementarity methods work.
struct MixedProblem {
  Eigen::MatrixXd K;
  Eigen::VectorXd k;
  int free = 0;

  [[nodiscard]] int size() const { return static_cast<int>(k.size()); }
  [[nodiscard]] int pairs() const { return size() - free; }
};

[[nodiscard]] MixedProblem as_mixed(const MlcpProblem& problem);

/// An equilibrated copy: K~ = row K column, k~ = row k / unit, so that the entries of rows and columns are of size 1 and the
/// largest |k~_i| too. All factors are powers of two, so that no digit is lost. Positive factors on rows and columns keep
/// complementarity, and the path of Lemke's method is that of the original problem with another covering vector.
struct ScaledProblem {
  MixedProblem problem;
  Eigen::VectorXd row, column;
  double unit = 1.0;

  /// x = unit column x~
  [[nodiscard]] Eigen::VectorXd original(const Eigen::VectorXd& x) const;
};
[[nodiscard]] ScaledProblem equilibrate(const MixedProblem& problem);

/// The power of two next below 1/x; 1 for x = 0.
[[nodiscard]] double inverse_power_of_two(double x);

/// The point of a complementary basis: y_i = 0 in the free rows and where active[i], x_i = 0 elsewhere (active has one entry
/// for each pair). Of least norm where the equations leave it open; nothing is said about signs. Refined with residuals in
/// extended precision.
[[nodiscard]] Eigen::VectorXd solve_basis(const MixedProblem& problem, const std::vector<bool>& active);

}  // namespace tippe
