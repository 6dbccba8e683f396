// SPDX-License-Identifier: Apache-2.0
// Judges an instant of a scene: judge_instant SCENE.toml. Without a scene: a beam on three supports, given as matrices.
#include <tippe/tippe.h>

#include <iostream>
#include <utility>

namespace {

/// 4 kg on three frictionless points at x = -1, 0, 1; coordinates: height and angle.
tippe::Instant beam() {
  tippe::AccelerationProblem problem;
  problem.M = Eigen::Vector2d(4.0, 1.5).asDiagonal();
  problem.F = Eigen::Vector2d(4.0 * 9.81, 0.0);
  for (const auto& [name, x] : {std::pair("left", -1.0), std::pair("middle", 0.0), std::pair("right", 1.0)}) {
    tippe::ContactRows support;
    support.name = name;
    support.normal = Eigen::Vector2d(1.0, x);
    problem.unilateral.push_back(support);
  }
  return {"Beam", problem, {}, {}};
}

tippe::Instant start_of(const char* file) {
  const tippe::Scene scene = tippe::load_scene(file);
  return tippe::instant_of(*scene.system, scene.start, {});
}

}  // namespace

int main(int argc, char** argv) {
  const tippe::Instant instant = argc > 1 ? start_of(argv[1]) : beam();
  const tippe::Analysis analysis = tippe::analyze(instant);
  if (!analysis.forces) {
    std::cout << "no forces are known\n";
    return 3;
  }
  const tippe::ForceLayout layout(*instant.acceleration);
  std::cout << "forces unique: " << name_of(analysis.forces->unique.answer) << "\n";
  for (int i = 0; i < layout.size(); ++i) {
    std::cout << layout.names[static_cast<size_t>(i)] << " between " << analysis.forces->lower[i] << " and "
              << analysis.forces->upper[i] << "\n";
  }
}
