// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tippe/record/memory_recording.h"
#include "tippe/record/recorded_run.h"

namespace tippe::python {

/// A recording in memory, all of the same moment.
struct Record {
  RecordedRun run;
  RecordedSummary summary;
  double every = 0.0;                               // s   between samples
  mutable std::optional<RecordedTable> force = {};  // when somebody asks for it, with the interpreter's lock

  static Record of(MemoryRecording&& recording, double every) {
    return {recording.take_run(), recording.take_recorded(), every};
  }
  [[nodiscard]] const RecordedTable& forces() const {
    if (!force) force = mean_forces(run);
    return *force;
  }
};

}  // namespace tippe::python
