// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tippe {

/// The title of a scene file without reading the rest of it, for lists: "" if there is none or the file is no scene.
[[nodiscard]] std::string scene_title(const std::filesystem::path& file);

}  // namespace tippe
