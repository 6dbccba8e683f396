// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tippe {

/// A scene that can be called by its bare name.
struct NamedScene {
  std::string name;  // "woodpecker"
  std::filesystem::path file;
};

/// All scenes in these folders, by the alphabet. An earlier folder hides the same name in a later one; a folder that is missing or
/// closed has none.
[[nodiscard]] std::vector<NamedScene> named_scenes(std::span<const std::filesystem::path> folders);

/// The file that a user means by `given`: the file of that path, else the scene of that bare name in these folders. A path or a name with an
/// extension that names neither is returned as it is; a bare name that nobody knows throws InputError with the nearest one.
[[nodiscard]] std::string find_scene(const std::string& given, std::span<const std::filesystem::path> folders);

}  // namespace tippe
