// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tippe/problem/inclusion_problem.h"

namespace tippe::bench {

/// A solver of Siconos numerics, with the storages of the matrix that it takes.
struct SiconosSolver {
  enum class Storage { kBlocks, kSparse, kDense };
  const char* name;  // "NSGS"
  int id;
  int max_iterations;
  std::vector<Storage> storages;
};

/// Those to compare with, for contacts with `dimension` rows. Empty if the program was built without Siconos.
[[nodiscard]] const std::vector<SiconosSolver>& siconos_solvers(int dimension);

[[nodiscard]] const char* name_of(SiconosSolver::Storage storage);

/// One call of the driver, from zero, in a process of its own: the solvers may print, loop or abort.
struct SiconosAttempt {
  bool returned = false;  // false: killed at the limit, or it aborted
  double seconds = -1.0;  // s  processor time of the call with the set-up of its options; the matrix lies ready
  int iterations = -1;
  Eigen::VectorXd reaction;
};
/// The problem is explicit and holds isotropic Coulomb contacts of one size. limit: s of processor time.
[[nodiscard]] SiconosAttempt attempt_siconos(const InclusionProblem& problem, const SiconosSolver& solver,
                                             SiconosSolver::Storage storage, double tolerance, int max_iterations,
                                             double limit);

/// What it takes a solver to reach eta <= target by our residual.
struct SiconosResult {
  double seconds = -1.0;  // s  of the successful attempt alone; -1: none
  double eta = -1.0;      // of the successful attempt, else the best of all
  double tolerance = -1.0;
  int iterations = -1;
  std::string storage = "-";
  double budget = -1.0;  // s  processor time that all attempts together were given

  [[nodiscard]] bool solved() const { return seconds >= 0.0; }
};
/// Tightens the tolerance tenfold from `first_tolerance` until the answer is good enough, for each storage, and takes the fastest.
[[nodiscard]] SiconosResult solve_by_siconos(const InclusionProblem& problem, const SiconosSolver& solver, double target,
                                             double first_tolerance, double budget);

}  // namespace tippe::bench
