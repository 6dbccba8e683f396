// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>

#include "tippe/core/kept_vector.h"
#include "tippe/problem/impact_law.h"
#include "tippe/problem/inclusion_problem.h"

namespace tippe {

/// What one inclusion problem of an impact stands for.
enum class ImpactPhase { kWhole, kCompression, kExpansion };

/// An impact in the rows of its laws, normal first in each.
struct ImpactRows {
  std::span<const int> sizes;                  // rows of each law
  Eigen::Ref<const Eigen::VectorXd> gamma;     // velocities from which the impulses act
  Eigen::Ref<const Eigen::VectorXd> returned;  // gamma-, of which epsilon is returned: gamma, but for round-off
  Eigen::Ref<const Eigen::VectorXd> epsilon;   // restitution of each row
};

/// The impact laws as one or two inclusion problems  xi = G Lambda + c,  xi in N_C(-Lambda):
///
///   Newton    c = gamma + epsilon gamma-                                                                       Moeller (3.133)
///   Poisson   compression c = gamma;  expansion from there with Lambda_E,N = epsilon Lambda_C,N + p,  0 <= p _|_ gamma_N+ >= 0, friction
///             with the normal impulse of its phase; the sum of both
///   Moreau    compression, times 1 + epsilon, the largest of the normals
class ImpactPhases {
 public:
  /// Writes c and the sets of `problem`, whose G is there, phase by phase, and lets `solve(phase)` solve it: it leaves the impulses in `Lambda`
  /// and returns false where that is in vain. `set_of(i, load)`: the set of law i whose friction is loaded by `load` beside its own impulse.
  /// In the end `Lambda` is the impulse of the whole impact.
  template <class SetOf, class Solve>
  bool solve(ImpactLaw law, const ImpactRows& rows, InclusionProblem& problem, KeptVector& Lambda, SetOf&& set_of,
             Solve&& solve) {
    load_.setZero(rows.gamma.size());
    write_sets(rows, problem, set_of);
    if (law == ImpactLaw::kNewton) {
      problem.c = rows.gamma + rows.epsilon.cwiseProduct(rows.returned);
      return solve(ImpactPhase::kWhole);
    }
    problem.c = rows.gamma;
    if (!solve(ImpactPhase::kCompression)) return false;
    compression_ = Lambda;
    if (law == ImpactLaw::kMoreau) {
      double largest = 0.0;
      for_normals(rows, [&](Eigen::Index row) { largest = std::max(largest, rows.epsilon[row]); });
      Lambda *= 1.0 + largest;
      return true;
    }
    for_normals(rows, [&](Eigen::Index row) { load_[row] = std::max(0.0, rows.epsilon[row] * compression_[row]); });
    if (!(load_.maxCoeff() > 0.0)) return true;
    given_ = compression_ + load_;
    problem.G.multiply(given_, problem.c, kinetic_);
    problem.c += rows.gamma;
    write_sets(rows, problem, set_of);
    if (!solve(ImpactPhase::kExpansion)) return false;
    Lambda += given_;
    return true;
  }

  /// The impulses of the first phase, Poisson and Moreau.
  [[nodiscard]] const KeptVector& compression() const { return compression_; }

 private:
  template <class Look>
  static void for_normals(const ImpactRows& rows, Look&& look) {
    Eigen::Index row = 0;
    for (const int size : rows.sizes) {
      look(row);
      row += size;
    }
  }

  template <class SetOf>
  void write_sets(const ImpactRows& rows, InclusionProblem& problem, SetOf&& set_of) {
    problem.laws.clear();
    for_normals(
        rows, [&](Eigen::Index row) { problem.laws.push_back(set_of(static_cast<int>(problem.laws.size()), load_[row])); });
  }

  KeptVector compression_, load_, given_, kinetic_;
};

}  // namespace tippe
