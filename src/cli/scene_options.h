// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "tippe/scene/scene.h"

namespace tippe::cli {

/// The scene, its end and its parameters, alike in all commands that read one.
void add_scene_and_parameters(CLI::App& command, std::string& scene, SceneOverrides& overrides);

/// The same with integrator and step, for commands that take one of each.
void add_scene_options(CLI::App& command, std::string& scene, SceneOverrides& overrides);

/// Parts of these: integrator and step; the parameters.
void add_integrator_and_step(CLI::App& command, SceneOverrides& overrides);
void add_parameters(CLI::App& command, SceneOverrides& overrides);

/// How often what is new is brought to disk.
void add_flush(CLI::App& command, double& seconds);

/// What --integrator may be.
[[nodiscard]] std::string integrator_list();

}  // namespace tippe::cli
