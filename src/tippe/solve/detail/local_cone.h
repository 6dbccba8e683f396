// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <utility>

#include "tippe/solve/tolerances.h"

namespace tippe {

/// The exact solution of one contact with friction, all others held:
///
///   u = W r + q ,   0 <= r_N _|_ u_N >= 0 ,   |r_T| <= mu r_N ,   u_T = -a r_T , a >= 0 , a = 0 unless |r_T| = mu r_N
///
/// With the normal row eliminated, S = W_TT - W_TN W_NT / W_NN and b = q_T - W_TN q_N / W_NN, the tangential impulse at a given a
/// is r_T(a) = -(S + a)^-1 b. Open if q_N >= 0; sticking if r_T(0) lies in the cone; else |r_T(a)| = mu r_N(a) has a root, because
/// the left side is larger at a = 0 and smaller for a -> infinity.
///
/// Where friction couples strongly into the normal direction there may be several solutions (`several`). Then the one nearest to
/// the last is taken: an iteration that jumps between them does not converge.
template <int D>
struct LocalCone {
  using Vector = Eigen::Matrix<double, D, 1>;
  using Matrix = Eigen::Matrix<double, D, D>;

  double W_NN, inverse_NN, mu;
  double shift;       // added to the diagonal of W
  double a = 0.0;     // of the last solution
  Vector W_NT, w_TN;  // w_TN = W_TN / W_NN
  Matrix S;
  bool several;

  /// W row-major, (D+1) x (D+1), with entries of about 1 on its diagonal. Where it is nearly singular a little is added there: the
  /// problem with W + shift and q - shift r_old has the same fixed points.
  void prepare(const double* W, double friction) {
    constexpr double kNoTangents = 1e-12;  // of entries of about 1: an S of this size is round-off
    mu = friction;
    a = 0.0;
    eliminate_normal(W, 0.0);
    const auto [smallest, largest] = extreme_eigenvalues();
    if (!(W_NN > kNearlySingularBlock && smallest > kNearlySingularBlock * largest && largest > kNoTangents))
      eliminate_normal(W, kBlockShift);
    // Below this bound the solution is unique, with kappa the condition of S.
    const double kappa = smallest > 0.0 ? largest / smallest : std::numeric_limits<double>::infinity();
    const double bound = D == 1 ? 1.0 : 2.0 * std::sqrt(kappa) / (1.0 + kappa);
    several = !(mu * W_NT.norm() * inverse_NN < bound);
  }

  /// q_N = q_N without this contact's impulse, b as above. r: the last solution in, the new one out.
  void solve(double q_N, const Vector& b, double* r) {
    const bool was_closed = r[0] > 0.0;
    if (q_N >= 0.0 && !(several && was_closed)) return open(r);
    Vector r_T;
    double r_N;
    // What slid will mostly slide again: sticking is looked at first only where it did not.
    const bool slid = a > 0.0;
    if (slid && slide(q_N, b, r_N, r_T)) return take(r_N, r_T, r);
    r_T = -solve_shifted(0.0, b);
    r_N = -(q_N + W_NT.dot(r_T)) * inverse_NN;
    if (r_N >= 0.0 && r_T.squaredNorm() <= mu * mu * r_N * r_N) {
      a = 0.0;
      return take(r_N, r_T, r);
    }
    a = 0.0;
    if (slide(q_N, b, r_N, r_T)) return take(r_N, r_T, r);
    open(r);
  }

 private:
  void open(double* r) {
    a = 0.0;
    for (int k = 0; k <= D; ++k) r[k] = 0.0;
  }
  static void take(double r_N, const Vector& r_T, double* r) {
    r[0] = r_N;
    for (int k = 0; k < D; ++k) r[k + 1] = r_T[k];
  }

  [[nodiscard]] Vector solve_shifted(double by, const Vector& b) const {
    if constexpr (D == 1) {
      return b / (S(0, 0) + by);
    } else if constexpr (D == 2) {
      const double s00 = S(0, 0) + by, s11 = S(1, 1) + by;
      const double inverse = 1.0 / (s00 * s11 - S(0, 1) * S(1, 0));
      return {(s11 * b[0] - S(0, 1) * b[1]) * inverse, (s00 * b[1] - S(1, 0) * b[0]) * inverse};
    } else {
      return (S + by * Matrix::Identity()).inverse() * b;
    }
  }

  /// Newton's method on 1/|r_T| - 1/(mu r_N), nearly linear in a, inside a bracket; from the last a. False if there is no root
  /// above zero near it.
  [[gnu::always_inline]] inline bool slide(double q_N, const Vector& b, double& r_N, Vector& r_T) {
    constexpr double kNear = 1e-4;       // of |r_T|: from there a step squares the error
    constexpr double kNoChange = 1e-15;  // of a
    constexpr int kMostSteps = 60;
    const bool warm = a > 0.0;
    double low = 0.0, high = std::numeric_limits<double>::infinity(), at = a;
    if (!warm && q_N < 0.0) at = std::max(0.0, -b.norm() * W_NN / (mu * q_N) - S.trace() / D);
    bool last = false;  // a step from so near squares the error, and the rest is left to the next sweep
    for (int step = 0; step < kMostSteps; ++step) {
      r_T = -solve_shifted(at, b);
      r_N = -(q_N + W_NT.dot(r_T)) * inverse_NN;
      const double size = r_T.norm(), limit = mu * r_N, excess = size - limit;
      if (last || std::abs(excess) <= kLastDigit * size) {
        if (!(r_N > 0.0)) return false;
        if (size > 0.0) r_T *= limit / size;
        a = at;
        return true;
      }
      last = std::abs(excess) <= kNear * size;
      (excess > 0.0 ? low : high) = at;
      const Vector dr_T = -solve_shifted(at, r_T);
      const double dsize = r_T.dot(dr_T) / size, dlimit = -mu * W_NT.dot(dr_T) * inverse_NN;
      double next;
      if (limit > 0.0) {
        next = at - (size * limit * (limit - size)) / (dlimit * size * size - dsize * limit * limit);
      } else {
        next = at - excess / (dsize - dlimit);
      }
      if (warm && !(next > 0.0)) return false;  // it may stick
      const bool inside = next > low && next < high;
      if (!inside) next = std::isinf(high) ? 4.0 * at + S.trace() / D : 0.5 * (low + high);
      if (std::isnan(next)) return false;
      last = (last && inside) || std::abs(next - at) <= kNoChange * at;
      at = next;
    }
    return false;
  }

  void eliminate_normal(const double* W, double added) {
    using Full = Eigen::Matrix<double, D + 1, D + 1, Eigen::RowMajor>;
    Full full = Eigen::Map<const Full>(W);
    shift = added;
    full.diagonal().array() += added;
    W_NN = full(0, 0);
    inverse_NN = 1.0 / W_NN;
    W_NT = full.template block<1, D>(0, 1).transpose();
    w_TN = full.template block<D, 1>(1, 0) * inverse_NN;
    S = full.template block<D, D>(1, 1) - w_TN * W_NT.transpose();
  }

  /// Of the symmetric part of S.
  [[nodiscard]] std::pair<double, double> extreme_eigenvalues() const {
    const Matrix symmetric = 0.5 * (S + S.transpose());
    if constexpr (D == 1) return {symmetric(0, 0), symmetric(0, 0)};
    if constexpr (D == 2) {
      const double mean = 0.5 * symmetric.trace();
      const double radius = std::hypot(0.5 * (symmetric(0, 0) - symmetric(1, 1)), symmetric(0, 1));
      return {mean - radius, mean + radius};
    }
    if (!symmetric.allFinite()) return {0.0, 0.0};
    Eigen::SelfAdjointEigenSolver<Matrix> solver;
    solver.computeDirect(symmetric, Eigen::EigenvaluesOnly);
    return {solver.eigenvalues()[0], solver.eigenvalues()[D - 1]};
  }
};

}  // namespace tippe
