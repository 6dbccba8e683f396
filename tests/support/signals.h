// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <thread>

#include "support/program.h"

namespace tippe::test {

/// Sends a signal some time after a file appeared, for run_program().
inline std::function<void(pid_t)> signal_after(std::filesystem::path file, int signal, double seconds) {
  return [=](pid_t child) {
    for (int k = 0; k < 10000 && !std::filesystem::exists(file); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    kill(child, signal);
  };
}

}  // namespace tippe::test
