// SPDX-License-Identifier: Apache-2.0
#include "cli/patience.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace tippe::cli {
namespace {

struct Patience {
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::thread thread;

  void tell() {
    const auto write = [](const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); };
    std::unique_lock lock(mutex);
    int seconds = 0;
    while (!changed.wait_for(lock, std::chrono::seconds(1), [&] { return over; }))
      write(fmt::format("\rworking for {} s\033[K", ++seconds));
    if (seconds > 0) write("\r\033[K");
  }
};

Patience* patience = nullptr;

}  // namespace

void ask_for_patience() {
  if (isatty(STDERR_FILENO) == 0) return;
  static Patience asked;
  patience = &asked;
  asked.thread = std::thread([] { asked.tell(); });
}

void end_patience() {
  if (patience == nullptr) return;
  {
    const std::lock_guard lock(patience->mutex);
    patience->over = true;
  }
  patience->changed.notify_one();
  patience->thread.join();
  patience = nullptr;
}

}  // namespace tippe::cli
