// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "cli/command.h"

namespace tippe::cli {
namespace {

std::atomic<bool> was_interrupted{false};
std::atomic<bool> is_awaited{false};  // whether somebody looks at the flag
std::array<std::atomic<bool>, NSIG> came{};

void on_interrupt(int signal) {
  const bool again = came[static_cast<std::size_t>(signal)].exchange(true);
  if (!is_awaited || again) _exit(kInterrupted);
  was_interrupted = true;
}

}  // namespace

void end_on_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (signal == SIGHUP && action.sa_handler == SIG_IGN) continue;  // nohup
    action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

const std::atomic<bool>& catch_interrupts() {
  is_awaited = true;
  return was_interrupted;
}

}  // namespace tippe::cli
