// SPDX-License-Identifier: Apache-2.0
#include "cli/find_scene.h"

namespace tippe::cli {
namespace {

namespace fs = std::filesystem;

/// In the order in which they are searched; some may not exist.
std::vector<fs::path> scene_folders() {
  std::vector<fs::path> folders = {"scenes"};
  std::error_code trouble;
  const fs::path program = fs::read_symlink("/proc/self/exe", trouble);
  if (!trouble) folders.push_back((program.parent_path() / TIPPE_SCENES_FROM_PROGRAM).lexically_normal());
  folders.emplace_back(TIPPE_SCENES_IN_SOURCE);
  return folders;
}

}  // namespace

std::vector<NamedScene> named_scenes() {
  return tippe::named_scenes(scene_folders());
}

std::string find_scene(const std::string& given) {
  return tippe::find_scene(given, scene_folders());
}

}  // namespace tippe::cli
