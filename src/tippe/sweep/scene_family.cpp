// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/scene_family.h"

#include <fmt/format.h>

#include "tippe/core/error.h"

namespace tippe {

SceneFamily::SceneFamily(std::string text, std::string file, SceneOverrides overrides, std::vector<std::string> names)
    : text_(std::move(text)), file_(std::move(file)), overrides_(std::move(overrides)), names_(std::move(names)) {
  const Scene scene = read_scene(text_, file_, overrides_);
  for (const std::string& name : names_) {
    if (scene.origin.parameters.contains(name)) continue;
    SceneOverrides trial = overrides_;
    trial.settings.push_back(name + "=0");
    try {
      (void)read_scene(text_, file_, trial);
    } catch (const ArgumentError& error) {
      if (error.argument() == Argument::kSetting) throw ArgumentError(Argument::kVary, error.what(), name);
    } catch (const InputError&) {
      // The scene knows the name, and cannot start with 0.
    }
  }
}

std::vector<std::string> SceneFamily::settings_at(std::span<const double> values) const {
  std::vector<std::string> settings = overrides_.settings;
  for (size_t k = 0; k < names_.size(); ++k) settings.push_back(fmt::format("{}={}", names_[k], values[k]));
  return settings;
}

Scene SceneFamily::at(std::span<const double> values) const {
  SceneOverrides overrides = overrides_;
  overrides.settings = settings_at(values);
  return read_scene(text_, file_, overrides);
}

}  // namespace tippe
