// SPDX-License-Identifier: Apache-2.0
#include "cli/find_scene.h"

#include <map>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"

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

/// Neither a path nor the name of a file: something to look up.
bool is_bare_name(const std::string& given) {
  return !given.empty() && given.find('/') == std::string::npos && !given.ends_with(".toml");
}

}  // namespace

std::vector<NamedScene> named_scenes() {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : scene_folders()) {
    std::error_code trouble;  // a folder that is missing or closed has no scenes
    for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end; entry.increment(trouble)) {
      std::error_code no_file;
      if (entry->path().extension() != ".toml" || !entry->is_regular_file(no_file)) continue;
      found.emplace(entry->path().stem().string(), entry->path());
    }
  }
  std::vector<NamedScene> scenes;
  for (const auto& [name, file] : found) scenes.push_back({name, file});
  return scenes;
}

std::string find_scene(const std::string& given) {
  std::error_code trouble;
  const fs::file_status status = fs::status(given, trouble);
  if (!is_bare_name(given) || (fs::exists(status) && !fs::is_directory(status))) return given;
  std::vector<std::string> names;
  for (const NamedScene& scene : named_scenes()) {
    if (scene.name == given) return scene.file.string();
    names.push_back(scene.name);
  }
  if (fs::is_directory(status)) return given;  // whoever opens it will say that it is a folder
  throw InputError({given, 0, 0}, "no such file, and no scene of this name" + did_you_mean(given, names) +
                                      " ('tippe list scenes' shows all)");
}

}  // namespace tippe::cli
