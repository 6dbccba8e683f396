// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "tippe/run/checkpoint.h"
#include "tippe/run/run_summary.h"

namespace tippe {

/// What is needed to go on with a run.
struct RecordedCheckpoint {
  RunHead head;
  double until = 0.0;    // s
  double every = 0.0;    // s   between samples
  double reached = 0.0;  // s   time of the checkpoint's last step
  Checkpoint checkpoint;
};
/// Throws InputError also for another version of the program, whose bits may be others.
[[nodiscard]] RecordedCheckpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace tippe
