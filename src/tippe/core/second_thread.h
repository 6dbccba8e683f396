// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

namespace tippe {

/// A second thread that waits for work, for tasks too short to start a thread for each.
class SecondThread {
 public:
  SecondThread() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  ~SecondThread() {
    thread_.request_stop();
    wake(kStopping);
  }
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

  /// Runs both, `theirs` on the second thread, and returns when both are done. They must not throw.
  template <class Ours, class Theirs>
  void run(Ours&& ours, Theirs&& theirs) {
    task_ = [](void* work) { (*static_cast<std::remove_reference_t<Theirs>*>(work))(); };
    work_ = &theirs;
    wake(kWorking);
    ours();
    while (state_.load(std::memory_order_acquire) == kWorking) state_.wait(kWorking, std::memory_order_acquire);
  }

 private:
  enum State : int { kIdle, kWorking, kStopping };

  void wake(State state) {
    state_.store(state, std::memory_order_release);
    state_.notify_all();
  }
  void serve(const std::stop_token& stop) {
    while (true) {
      state_.wait(kIdle, std::memory_order_acquire);
      if (stop.stop_requested()) return;
      task_(work_);
      wake(kIdle);
    }
  }

  std::atomic<int> state_{kIdle};
  void (*task_)(void*) = nullptr;
  void* work_ = nullptr;
  std::jthread thread_;  // last: it uses all above
};

}  // namespace tippe
