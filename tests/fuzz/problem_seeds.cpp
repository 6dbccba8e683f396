// SPDX-License-Identifier: Apache-2.0
// problem_seeds FOLDER: writes the seeds of fuzz_problem.
#include "support/problem_seeds.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  tippe::test::write_problem_seeds(argv[1]);
  return 0;
}
