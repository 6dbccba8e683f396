// SPDX-License-Identifier: Apache-2.0
#include <tippe/core/version.h>
#include <tippe/record/simulate.h>
#include <tippe/scene/scene.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const tippe::Scene scene =
      tippe::load_scene(argv[1], {.settings = {}, .integrator = {}, .dt = "1e-4", .until = "0.1"});
  const tippe::RunSummary summary = tippe::simulate(*scene.system, scene.start, scene.run, nullptr);
  std::cout << tippe::kProgram << ": " << summary.steps << " steps, " << summary.impacts << " impacts\n";
  return summary.status == "ok" && summary.steps == 1000 ? 0 : 1;
}
