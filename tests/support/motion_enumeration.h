// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "support/full_pivot.h"
#include "support/instant_problems.h"

namespace tippe::test {

/// A problem without joints and with M definite, and the same one in more coordinates than it has degrees of freedom, with joints
/// between them, some of them twice, or without: accelerations are `embedding` times those of `reduced`, contact forces are the same.
struct RandomInstant {
  AccelerationProblem reduced, problem;
  Eigen::MatrixXd embedding;
};

/// Normals of any rank, with repeated and opposite ones; drifts that fit a motion in two of three cases.
inline RandomInstant random_instant(Random& random) {
  const int k = 1 + random.below(4), extra = random.below(3), m = random.below(6), n = k + extra;
  RandomInstant instant;
  const int rank = 1 + random.below(k);
  Eigen::MatrixXd N = random_matrix(random, k, rank) * random_matrix(random, rank, m);
  for (int i = 1; i < m; ++i) {
    if (random.below(4) == 0) N.col(i) = (random.below(2) == 0 ? -1.0 : 2.0) * N.col(i - 1);
  }
  Eigen::VectorXd drift = -N.transpose() * random.vector(k);
  for (double& x : drift) x += random.below(2) * random.uniform(0, 1);
  if (random.below(3) == 0) drift = random.vector(m);
  const Eigen::MatrixXd root = random_matrix(random, k, k) + 2.0 * Eigen::MatrixXd::Identity(k, k);
  const Eigen::MatrixXd M = root * root.transpose();
  const Eigen::VectorXd F = random.vector(k, 5.0);
  std::vector<ContactRows> contacts, embedded, joints;
  // x = (q, B q): joints x2 - B x1 = 0; a force f on q may act on x1 and x2 in any share, f = x1 part + B'(x2 part).
  const Eigen::MatrixXd B = random_matrix(random, extra, k);
  instant.embedding.resize(n, k);
  instant.embedding << Eigen::MatrixXd::Identity(k, k), B;
  const auto embed = [&](const Eigen::VectorXd& f) {
    const Eigen::VectorXd share = random.vector(extra);
    Eigen::VectorXd x(n);
    x << f - B.transpose() * share, share;
    return x;
  };
  for (int i = 0; i < m; ++i) {
    const std::string name = "c" + std::to_string(i);
    contacts.push_back(row(name, N.col(i), drift[i]));
    embedded.push_back(row(name, embed(N.col(i)), drift[i]));
  }
  for (int i = 0; i < extra; ++i) {
    Eigen::VectorXd g = Eigen::VectorXd::Unit(n, k + i);
    g.head(k) = -B.row(i).transpose();
    joints.push_back(row("j" + std::to_string(i), g));
    if (random.below(3) == 0) joints.push_back(row("again" + std::to_string(i), -3.0 * g));
  }
  Eigen::MatrixXd M_x = Eigen::MatrixXd::Zero(n, n);  // singular if extra > 0
  M_x.topLeftCorner(k, k) = M;
  instant.reduced = problem_of(M, F, contacts);
  instant.problem = problem_of(M_x, embed(F), embedded, joints);
  return instant;
}

struct EnumeratedMotion {
  Eigen::VectorXd acceleration, forces;
};

/// Every independent choice of closed contacts whose forces and gaps have the right signs, by one linear solve each in long double. Without joints and with
/// M definite: all have the same acceleration, and the forces are the vertices of the set of forces.
inline std::vector<EnumeratedMotion> enumerate_motions(const AccelerationProblem& problem) {
  const int n = problem.n(), m = static_cast<int>(problem.unilateral.size());
  Eigen::MatrixXd N(n, m);
  Eigen::VectorXd drift(m);
  for (int i = 0; i < m; ++i) {
    N.col(i) = problem.unilateral[static_cast<size_t>(i)].normal;
    drift[i] = problem.unilateral[static_cast<size_t>(i)].drift;
  }
  std::vector<EnumeratedMotion> motions;
  for (int bits = 0; bits < (1 << m); ++bits) {
    std::vector<int> closed;
    for (int i = 0; i < m; ++i) {
      if (bits >> i & 1) closed.push_back(i);
    }
    const auto c = static_cast<Eigen::Index>(closed.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + c, n + c);
    K.topLeftCorner(n, n) = problem.M;
    K.topRightCorner(n, c) = -N(Eigen::all, closed);
    K.bottomLeftCorner(c, n) = N(Eigen::all, closed).transpose();
    Eigen::VectorXd k(n + c);
    k << -problem.F, -drift(closed);
    const std::optional<Eigen::VectorXd> solved = solve_extended(K, k, 1e-10L);
    if (!solved) continue;
    const Eigen::VectorXd& x = *solved;
    const Eigen::VectorXd gaps = N.transpose() * x.head(n) + drift;
    if (m > 0 && gaps.minCoeff() < -1e-10) continue;
    if (c > 0 && x.tail(c).minCoeff() < -1e-10) continue;
    Eigen::VectorXd forces = Eigen::VectorXd::Zero(m);
    forces(closed) = x.tail(c);
    motions.push_back({x.head(n), forces});
  }
  return motions;
}

}  // namespace tippe::test
