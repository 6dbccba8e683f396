// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tippe/record/recorded_run.h"
#include "tippe/report/comparison.h"

namespace tippe {

/// Recordings of one system over each other, at the times of the samples that they have in common; runs may go on. `names`: what to call
/// those that integrator and step do not tell apart. Throws InputError with the name of the recording that is not of the system of the
/// first, or has no samples at the times of the others.
[[nodiscard]] Comparison compare_recordings(std::span<const RecordedState> states, std::span<const std::string> names);

}  // namespace tippe
