// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "tippe/sweep/message_port.h"

namespace tippe::cli {

/// The processes that this one was started with, by mpirun, mpiexec or srun; nullptr: there are no others. Throws Failure where they cannot reach each other.
[[nodiscard]] std::unique_ptr<MessagePort> join_processes();

}  // namespace tippe::cli
