// SPDX-License-Identifier: Apache-2.0
#include "cli/scene_options.h"

#include <fmt/format.h>

#include "tippe/core/suggest.h"
#include "tippe/run/registry.h"

namespace tippe::cli {

void add_scene_and_parameters(CLI::App& command, std::string& scene, SceneOverrides& overrides) {
  command.add_option("scene", scene, "The scene: a file (TOML, docs/scene.md), or a name that 'tippe list scenes' shows")
      ->required()
      ->type_name("SCENE");
  command.add_option("--until", overrides.until, "End time in s instead of the scene's; may be an expression of parameters")
      ->type_name("NUMBER");
  add_parameters(command, overrides);
}

void add_scene_options(CLI::App& command, std::string& scene, SceneOverrides& overrides) {
  add_integrator_and_step(command, overrides);
  add_scene_and_parameters(command, scene, overrides);
}

void add_integrator_and_step(CLI::App& command, SceneOverrides& overrides) {
  command.add_option("--integrator", overrides.integrator, "Instead of the scene's: " + integrator_list())
      ->type_name("NAME");
  command.add_option("--dt", overrides.dt, "Time step in s instead of the scene's; may be an expression of parameters")
      ->type_name("NUMBER");
}

void add_parameters(CLI::App& command, SceneOverrides& overrides) {
  command
      .add_option("--set", overrides.settings,
                  "Replace a parameter or an initial value of the scene; may be given several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_flush(CLI::App& command, double& seconds) {
  command.add_option("--flush", seconds, "Seconds after which what is new in the file is brought to disk (default 1)")
      ->type_name("SECONDS")
      ->check([](const std::string& text) {
        constexpr double kMost = 1e6;
        double value = 0.0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        return is_number && value >= 0.0 && value <= kMost
                   ? std::string()
                   : fmt::format("{} is no number of seconds from 0 to {:g}", text, kMost);
      });
}

std::string integrator_list() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.push_back(info.name);
  return comma_list(names);
}

}  // namespace tippe::cli
