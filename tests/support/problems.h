// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/random.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe::test {

inline InclusionProblem make_problem(const Eigen::MatrixXd& G, const Eigen::VectorXd& c, const std::vector<LawSet>& laws,
                                     const std::vector<int>& sizes) {
  InclusionProblem problem;
  problem.G = delassus_from_dense(G, sizes);
  problem.c = c;
  problem.laws = laws;
  return problem;
}

struct Manufactured {
  InclusionProblem problem;
  Eigen::VectorXd Lambda;  // solves it
};

/// Chooses Lambda and xi that obey the laws (open, sticking, sliding, at a limit), any PSD G, then c = xi - G
/// Lambda. `coupling` in [0, 1): how much the laws act on each other.
inline Manufactured manufacture(int laws, double coupling, Random& random, bool anisotropic = false) {
  std::vector<LawSet> sets;
  std::vector<int> sizes;
  std::vector<double> Lambda, xi;
  for (int i = 0; i < laws; ++i) {
    const int mode = random.below(3);
    switch (random.below(4)) {
      case 0:  // unilateral: open or closed
        sets.emplace_back(HalfLine{});
        sizes.push_back(1);
        Lambda.push_back(mode == 0 ? 0.0 : random.uniform(0.1, 2));
        xi.push_back(mode == 0 ? random.uniform(0.1, 2) : 0.0);
        break;
      case 1: {  // relay: stick, or slip with the force at its limit against the velocity
        const double limit = random.uniform(0.2, 1);
        sets.emplace_back(Interval{-limit, limit});
        sizes.push_back(1);
        const double velocity = mode == 0 ? 0.0 : (mode == 1 ? 1 : -1) * random.uniform(0.1, 1);
        Lambda.push_back(mode == 0 ? random.uniform(-0.9, 0.9) * limit : (mode == 1 ? -limit : limit));
        xi.push_back(velocity);
        break;
      }
      case 2: {  // friction in one direction
        const double mu = random.uniform(0, 0.8), normal = mode == 0 ? 0.0 : random.uniform(0.1, 2);
        sets.emplace_back(CoulombContact{mu, mu});
        sizes.push_back(2);
        const double slip = mode == 1 ? 0.0 : random.uniform(-1, 1);
        Lambda.insert(Lambda.end(),
                      {normal, mode == 1 ? random.uniform(-0.9, 0.9) * mu * normal : -mu * normal * (slip > 0 ? 1 : -1)});
        xi.insert(xi.end(), {mode == 0 ? random.uniform(0.1, 1) : 0.0, slip});
        break;
      }
      default: {  // friction in a plane; sliding: -Lambda_T maximises the power over the ellipse
        const double mu1 = random.uniform(0.05, 0.8), mu2 = anisotropic ? random.uniform(0.05, 0.8) : mu1;
        const double normal = mode == 0 ? 0.0 : random.uniform(0.1, 2);
        sets.emplace_back(CoulombContact{mu1, mu2});
        sizes.push_back(3);
        const Eigen::Vector2d slip = mode == 1 ? Eigen::Vector2d(0, 0) : Eigen::Vector2d(random.vector(2));
        const Eigen::Vector2d support(mu1 * mu1 * slip[0], mu2 * mu2 * slip[1]);
        Eigen::Vector2d force = Eigen::Vector2d(mu1, mu2).cwiseProduct(Eigen::Vector2d(random.vector(2, 0.6))) * normal;
        if (mode == 2) force = -normal * support / std::hypot(mu1 * slip[0], mu2 * slip[1]);
        Lambda.insert(Lambda.end(), {normal, force[0], force[1]});
        xi.insert(xi.end(), {mode == 0 ? random.uniform(0.1, 1) : 0.0, slip[0], slip[1]});
      }
    }
  }
  const auto n = static_cast<Eigen::Index>(Lambda.size());
  Eigen::MatrixXd B(n, n);
  for (Eigen::Index k = 0; k < n; ++k) B.col(k) = random.vector(static_cast<int>(n));
  const Eigen::MatrixXd G =
      (1.0 - coupling) * Eigen::MatrixXd::Identity(n, n) + coupling * B * B.transpose() / static_cast<double>(n);
  Manufactured result;
  result.Lambda = Eigen::Map<Eigen::VectorXd>(Lambda.data(), n);
  result.problem = make_problem(G, Eigen::Map<Eigen::VectorXd>(xi.data(), n) - G * result.Lambda, sets, sizes);
  return result;
}

}  // namespace tippe::test
