// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "tippe/solve/complementarity_solution.h"
#include "tippe/solve/mixed_problem.h"

namespace tippe {

/// The methods for LCP and MLCP as stages on one problem. Each offers points, the neutral residual judges, and the best one is kept.
/// `max_iterations` of a stage = 0: its own budget.
class ComplementarityStages {
 public:
  ComplementarityStages(const MlcpProblem& problem, double tolerance, ComplementaritySolution& solution);

  /// Each returns whether the problem is decided: converged, or proved to have no solution.
  bool portfolio();
  bool lemke(int first_attempt, int attempts, int max_iterations);  // attempts differ in the covering vector
  bool newton(int max_iterations);
  bool projected_gauss_seidel(int max_iterations);  // no free variables
  bool infeasibility();                             // not a solver: looks for a Farkas vector
  bool enumeration(int max_iterations);

 private:
  class Timer;
  /// Judges a point of the scaled problem, with negative v set to zero.
  bool offer(const Eigen::VectorXd& x);
  /// Judges the point of a complementary basis.
  bool offer_basis(const std::vector<bool>& active);
  /// Judges x and the bases that it suggests.
  bool offer_near(const Eigen::VectorXd& x);
  bool newton_from(Eigen::VectorXd& x, double shift, int max_iterations, int& iterations);
  /// Keeps y of the scaled problem as a certificate, if it is one.
  bool accept_farkas(const Eigen::VectorXd& y);
  void finish_stage(const char* name, int iterations, const Timer& timer);
  [[nodiscard]] bool decided() const {
    return solution_.converged() || solution_.status == ComplementarityStatus::kNoSolution;
  }

  const MlcpProblem& problem_;
  double tolerance_;
  ScaledProblem scaled_;
  ComplementaritySolution& solution_;
};

/// Checks sizes (throws InputError), prepares `solution`; false if the data are not finite, which the status then says.
bool begin_solution(const MlcpProblem& problem, ComplementaritySolution& solution);

}  // namespace tippe
