// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/find_scene.h"

#include <fmt/format.h>

#include <map>

#include "tippe/core/error.h"
#include "tippe/core/suggest.h"

namespace tippe {
namespace {

namespace fs = std::filesystem;

/// Neither a path nor the name of a file: something to look up.
bool is_bare_name(const std::string& given) {
  return !given.empty() && given.find('/') == std::string::npos && !given.ends_with(".toml");
}

}  // namespace

std::vector<NamedScene> named_scenes(std::span<const fs::path> folders) {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : folders) {
    std::error_code trouble;
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

std::string find_scene(const std::string& given, std::span<const fs::path> folders) {
  std::error_code trouble;
  const fs::file_status status = fs::status(given, trouble);
  if (!is_bare_name(given) || (fs::exists(status) && !fs::is_directory(status))) return given;
  std::vector<std::string> names;
  for (const NamedScene& scene : named_scenes(folders)) {
    if (scene.name == given) return scene.file.string();
    names.push_back(scene.name);
  }
  // Whoever opens it will say that it is a folder, or missing.
  if (fs::is_directory(status) || fs::path(given).has_extension()) return given;
  throw InputError({given, 0, 0}, fmt::format("no such file, and no scene of this name{}", did_you_mean(given, names)),
                   Remedy::kListScenes);
}

}  // namespace tippe
