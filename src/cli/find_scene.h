// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tippe::cli {

/// A scene that can be called by its bare name.
struct NamedScene {
  std::string name;  // "woodpecker"
  std::filesystem::path file;
};

/// All scenes with a name, by the alphabet: those in a folder `scenes` below the current one, those installed with the program
/// (found from where the program lies, so that an installation can be moved), those of the source tree it was built from. An
/// earlier folder hides the same name in a later one.
[[nodiscard]] std::vector<NamedScene> named_scenes();

/// The file that a user means by `given`: the file of that path, else the scene of that bare name. A path that names
/// neither is returned as it is; a bare name that nobody knows throws InputError with the nearest one.
[[nodiscard]] std::string find_scene(const std::string& given);

}  // namespace tippe::cli
