// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace tippe::cli {

/// From now on Ctrl-C, SIGTERM, SIGHUP (unless it is ignored, as under nohup) and a limit of processor time end the program at once with
/// the exit code of an interrupt.
void end_on_interrupts();

/// From now on they set the flag, which ends a run after its current step; the same signal again ends the program at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace tippe::cli
