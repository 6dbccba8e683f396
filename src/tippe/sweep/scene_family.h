// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tippe/scene/scene.h"

namespace tippe {

class CompiledScene;

/// A scene whose parameters or initial values vary. One for each thread.
class SceneFamily {
 public:
  /// `names`: what varies; it may also stand in the settings of `overrides`, which are then the values of nobody. Throws InputError if the scene
  /// has no such names; whether it can start is asked at every point.
  SceneFamily(std::string text, std::string file, SceneOverrides overrides, std::vector<std::string> names);
  ~SceneFamily();
  SceneFamily(SceneFamily&&) noexcept;

  /// The scene with these values of the names, as a reader of its file would see it, to the bit; until the next call, and whoever has it may change its
  /// start and its run. Throws InputError if it cannot start. Where the values are only numbers of laws, of the start and of the run it is not
  /// read again.
  [[nodiscard]] Scene& at(std::span<const double> values);
  /// The same as settings: "mu=0.3", each number to the last bit.
  [[nodiscard]] std::vector<std::string> settings_at(std::span<const double> values) const;
  /// Whether at() need not read the scene: known after the first call.
  [[nodiscard]] bool is_compiled() const { return compiled_ != nullptr; }

 private:
  [[nodiscard]] SceneOverrides overrides_at(std::span<const double> values) const;

  std::string text_, file_;
  SceneOverrides overrides_;
  std::vector<std::string> names_;
  Scene scene_;
  std::unique_ptr<CompiledScene> compiled_;
  int trials_ = 0;  // to compile it
};

}  // namespace tippe
