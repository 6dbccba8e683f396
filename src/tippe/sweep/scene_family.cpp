// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/scene_family.h"

#include <fmt/format.h>

#include "tippe/core/error.h"
#include "tippe/sweep/compiled_scene.h"

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

SceneFamily::~SceneFamily() = default;
SceneFamily::SceneFamily(SceneFamily&&) noexcept = default;

std::vector<std::string> SceneFamily::settings_at(std::span<const double> values) const {
  std::vector<std::string> settings = overrides_.settings;
  for (size_t k = 0; k < names_.size(); ++k) settings.push_back(fmt::format("{}={}", names_[k], values[k]));
  return settings;
}

SceneOverrides SceneFamily::overrides_at(std::span<const double> values) const {
  SceneOverrides overrides = overrides_;
  overrides.settings = settings_at(values);
  return overrides;
}

Scene& SceneFamily::at(std::span<const double> values) {
  if (compiled_ != nullptr) {
    if (Scene* scene = compiled_->at(values)) return *scene;
  }
  const SceneOverrides overrides = overrides_at(values);
  scene_ = read_scene(text_, file_, overrides);
  constexpr int kMostTrials = 3;  // near a point at which the scene cannot start a trial may fail by chance
  if (compiled_ == nullptr && trials_++ < kMostTrials) compiled_ = CompiledScene::make(text_, file_, overrides, names_);
  return scene_;
}

}  // namespace tippe
