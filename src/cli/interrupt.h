// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace tippe::cli {

/// From now on Ctrl-C, SIGTERM and SIGHUP set the flag, which ends a run after its current step; a second one ends the program at
/// once.
const std::atomic<bool>& catch_interrupts();

}  // namespace tippe::cli
