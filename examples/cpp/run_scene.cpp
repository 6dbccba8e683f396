// SPDX-License-Identifier: Apache-2.0
// Steps a scene with Moreau's midpoint rule and prints when each contact begins to carry an impulse.
#include <tippe/tippe.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: run_scene SCENE.toml\n";
    return 2;
  }
  try {
    const tippe::Scene scene = tippe::load_scene(argv[1]);
    const auto integrator = tippe::find_integrator("moreau")->make(*scene.system, {});
    tippe::State state = scene.start;
    std::vector<bool> carried(scene.system->laws().size(), false);
    const std::int64_t steps = scene.run.steps_from(scene.start.t);
    for (std::int64_t n = 1; n <= steps; ++n) {
      const tippe::StepReport report = integrator->step(state, scene.run.dt);
      if (!report.ok()) {
        std::cerr << tippe::describe_failure(*scene.system, report, state) << '\n';
        return 3;
      }
      for (size_t i = 0; i < carried.size(); ++i) {
        const tippe::LawStep& laws = integrator->last_laws();
        const bool carries = laws.impulse[laws.first_row[i]] != 0.0;
        if (carries && !carried[i]) std::cout << "t = " << state.t << " s: " << scene.system->laws()[i].name << '\n';
        carried[i] = carries;
      }
    }
  } catch (const tippe::InputError& error) {
    const tippe::SourcePosition& at = error.position();
    std::cerr << at.file << ':' << at.line << ": " << error.what() << '\n';
    return 2;
  } catch (const tippe::FileError& error) {
    std::cerr << error.what() << '\n';
    return 4;
  }
}
