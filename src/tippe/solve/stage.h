// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// One stage of a solver: what it did and what it achieved.
struct SolveStage {
  const char* name;  // as the user may ask for it
  int iterations = 0;
  double seconds =
      0.0;  // s  wall time, for the reader only: no decision depends on it; 0 unless ContactSolverOptions::timed
  double residual =
      -1.0;  // of the best iterate after the stage, of the islands that it worked on, measured by the whole problem
};

}  // namespace tippe
