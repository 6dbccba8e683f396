// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "bind.h"

namespace tippe::python {

/// A call into the library that may take long and runs without the interpreter's lock. Somebody in it looks up now and then: then
/// Python's signals are handled (Ctrl-C) and the caller's progress function is called. What these raise ends the call early.
class LongCall {
 public:
  /// `progress`: called with what look() is given, or None.
  explicit LongCall(nb::object progress);
  ~LongCall();
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

  /// Asks all calls of all threads to come to their end and waits for it, some seconds at most: Python would else end a thread where it
  /// takes the interpreter's lock again, in the middle of C++. With the lock; for the exit of the interpreter.
  static void end_all();

  /// From within the call, without the interpreter's lock, some times a second. After an exception it does nothing. Of a run `facts` are t, fraction,
  /// steps.
  template <class... Facts>
  void look(Facts... facts) {
    look_up([&](const nb::object& progress) { progress(facts...); });
  }
  /// True when the call should come to its end.
  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }
  /// What was raised, or None; with the interpreter's lock.
  [[nodiscard]] const nb::object& error() const { return error_; }

 private:
  void look_up(const std::function<void(const nb::object& progress)>& tell);

  nb::object progress_;
  nb::object error_ = nb::none();
  std::atomic<bool> stop_{false};
};

}  // namespace tippe::python
