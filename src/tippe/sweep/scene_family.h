// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tippe/scene/scene.h"

namespace tippe {

/// A scene whose parameters or initial values vary. One for each thread.
class SceneFamily {
 public:
  /// `names`: what varies; it may also stand in the settings of `overrides`, which are then the values of nobody. Throws InputError if the scene
  /// has no such names; whether it can start is asked at every point.
  SceneFamily(std::string text, std::string file, SceneOverrides overrides, std::vector<std::string> names);

  /// The scene with these values of the names, as a reader of its file would see it. Throws InputError if it cannot start.
  [[nodiscard]] Scene at(std::span<const double> values) const;
  /// The same as settings: "mu=0.3", each number to the last bit.
  [[nodiscard]] std::vector<std::string> settings_at(std::span<const double> values) const;

 private:
  std::string text_, file_;
  SceneOverrides overrides_;
  std::vector<std::string> names_;
};

}  // namespace tippe
