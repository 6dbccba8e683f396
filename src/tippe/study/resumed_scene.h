// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tippe/record/recorded_checkpoint.h"
#include "tippe/scene/scene.h"

namespace tippe {

/// A run that goes on where its recording ends.
struct ResumedScene {
  Scene scene;               // with the options of the recording
  SceneOverrides overrides;  // with which the scene was read
  RecordedCheckpoint recorded;
};

/// Reads a recording and the scene in it; `until`: another end time, an expression. Throws InputError if the run cannot go on, and FileError
/// if the recording is damaged. What the checkpoint says of the motion is checked by simulate().
[[nodiscard]] ResumedScene resume_scene(const std::filesystem::path& recording,
                                        const std::optional<std::string>& until = {});

}  // namespace tippe
