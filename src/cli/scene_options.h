// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "tippe/scene/scene.h"

namespace tippe::cli {

/// The scene and what may be changed of it, alike in all commands that read one.
void add_scene_options(CLI::App& command, std::string& scene, SceneOverrides& overrides);

}  // namespace tippe::cli
