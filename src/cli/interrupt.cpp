// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <csignal>

namespace tippe::cli {
namespace {

std::atomic<bool> was_interrupted{false};

void on_interrupt(int signal) {
  was_interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_interrupt);
  return was_interrupted;
}

}  // namespace tippe::cli
