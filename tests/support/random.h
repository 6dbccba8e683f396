// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <random>

namespace tippe::test {

/// Seeded, the same on every machine: the distributions of the standard library are not.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_()) / 4294967295.0);
  }
  int below(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }
  Eigen::VectorXd vector(int n, double size = 1.0) {
    Eigen::VectorXd x(n);
    for (double& entry : x) entry = uniform(-size, size);
    return x;
  }
  /// A random magnitude over many decades.
  double magnitude(double lower_exponent, double upper_exponent) {
    return std::pow(10.0, uniform(lower_exponent, upper_exponent));
  }

 private:
  std::mt19937 engine_;
};

/// Entries between -1 and 1.
inline Eigen::MatrixXd random_matrix(Random& random, int rows, int columns) {
  Eigen::MatrixXd A(rows, columns);
  for (int j = 0; j < columns; ++j) A.col(j) = random.vector(rows);
  return A;
}

}  // namespace tippe::test
