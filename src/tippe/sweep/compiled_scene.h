// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tippe/scene/scene.h"
#include "tippe/sweep/changed_system.h"

namespace tippe {

/// A scene in which names that vary are numbers of laws, of the start and of the run, each as it stands: they are set without reading it again.
class CompiledScene {
 public:
  /// Reads the scene, at the values in the overrides' settings; nullptr if a name decides anything else. Throws InputError if the scene cannot be
  /// read there.
  static std::unique_ptr<CompiledScene> make(const std::string& text, const std::string& file, SceneOverrides overrides,
                                             const std::vector<std::string>& names);

  /// The scene at these values; nullptr if its reader should say what is wrong with them.
  [[nodiscard]] Scene* at(std::span<const double> values);

 private:
  CompiledScene() = default;
  struct Setter {
    size_t name;
    std::function<bool(double)> set;  // false: it cannot have this value
  };

  Scene read_, scene_;  // as it was read; as it is given out, with another system in its place
  ChangedSystem* system_ = nullptr;
  std::vector<Setter> setters_;
  std::optional<double> penetration_;  // that the scene allows; nothing: by default
};

}  // namespace tippe
