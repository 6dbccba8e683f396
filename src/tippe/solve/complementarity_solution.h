// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "tippe/problem/complementarity.h"
#include "tippe/solve/stage.h"

namespace tippe {

enum class ComplementarityStatus {
  kConverged,     // the residual measured at the end meets the tolerance
  kNotConverged,  // the best iterate is given; nothing is known about the existence of a solution
  kNoSolution,    // proved, see the certificate
  kNotFinite,     // the data are infinite or not a number
};

[[nodiscard]] constexpr const char* name_of(ComplementarityStatus status) {
  switch (status) {
    case ComplementarityStatus::kConverged:
      return "converged";
    case ComplementarityStatus::kNotConverged:
      return "not converged";
    case ComplementarityStatus::kNoSolution:
      return "no solution";
    case ComplementarityStatus::kNotFinite:
      return "not finite";
  }
  return "";
}

/// Why a problem has no solution.
struct Certificate {
  enum class Kind {
    kFarkas,       // y shows that the inequalities alone contradict each other: evaluate_farkas(problem, y) measures it
    kEnumeration,  // every choice of z_i = 0 or w_i = 0 was excluded by a Farkas vector of its own
  };
  Kind kind = Kind::kFarkas;
  Eigen::VectorXd y;     // kFarkas: one entry per row of the problem, (u, v) for an MLCP; else empty
  int cases = 0;         // kEnumeration: linear programs that were found infeasible
  double margin = -1.0;  // smallest violation of a constraint, relative to the scaled data
};

/// How well y >= 0 proves that {z >= 0, M z + q >= 0} is empty: M'y <= 0 and q'y < 0 (for an MLCP with equations in the rows and
/// columns of u, where y is free). In floating point M'y <= 0 holds up to some delta, and then y proves that there is no
/// solution with max z_j < excluded, in the equilibrated data, where matrix and right side have entries of size 1.
/// Zero if y proves nothing, +infinity if delta is zero.
[[nodiscard]] double evaluate_farkas(const LcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y);
[[nodiscard]] double evaluate_farkas(const MlcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y);

/// What a solver achieved.
struct ComplementaritySolution {
  Eigen::VectorXd x;  // z, or (u, v): the best iterate, also when not converged
  ComplementarityStatus status = ComplementarityStatus::kNotConverged;
  int iterations = 0;            // of all stages
  double residual = -1.0;        // ComplementarityResidual::relative of x, measured at the end
  double worst_residual = -1.0;  // ComplementarityResidual::worst
  std::vector<SolveStage> stages;
  std::optional<Certificate> certificate;  // with kNoSolution
  std::string note;  // what a stage found out beside the numbers, for example what a ray proves; may be empty

  [[nodiscard]] bool converged() const { return status == ComplementarityStatus::kConverged; }
};

}  // namespace tippe
