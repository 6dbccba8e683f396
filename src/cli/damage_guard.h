// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace tippe::cli {

/// HDF5 crashes on some damaged files. While this object lives, a crash ends the program with `exit_code` after `text` was written
/// to the file descriptor, instead of a signal. One at a time.
class DamageGuard {
 public:
  /// For reading a file. `json`: makes the object that is printed from the message, if one is wanted instead of the message itself.
  static DamageGuard for_file(const std::string& file, int exit_code,
                              const std::function<std::string(const std::string&)>& json = {}) {
    const std::string message = file + ": damaged: the HDF5 library crashed while reading it";
    if (json) return DamageGuard(STDOUT_FILENO, json(message) + "\n", exit_code);
    return DamageGuard(STDERR_FILENO, "tippe: error: " + message + "\n", exit_code);
  }
  DamageGuard(int descriptor, std::string text, int exit_code) {
    last_words() = {descriptor, std::move(text), exit_code};
    stack_t alternate{};  // the crash may be an overflow of the ordinary stack
    alternate.ss_sp = stack_.data();
    alternate.ss_size = stack_.size();
    sigaltstack(&alternate, &old_stack_);
    struct sigaction action {};
    action.sa_handler = [](int) {
      const LastWords& words = last_words();
      const ssize_t written = write(words.descriptor, words.text.data(), words.text.size());
      (void)written;  // the exit code says it too
      _exit(words.exit_code);
    };
    action.sa_flags = SA_ONSTACK;
    for (size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &action, &old_actions_[k]);
  }
  ~DamageGuard() {
    for (size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &old_actions_[k], nullptr);
    sigaltstack(&old_stack_, nullptr);
  }
  DamageGuard(const DamageGuard&) = delete;
  DamageGuard& operator=(const DamageGuard&) = delete;

 private:
  struct LastWords {
    int descriptor = 2;
    std::string text;
    int exit_code = 1;
  };
  static LastWords& last_words() {
    static LastWords words;
    return words;
  }
  static constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};

  std::array<struct sigaction, kSignals.size()> old_actions_{};
  stack_t old_stack_{};
  std::array<char, 65536> stack_{};
};

}  // namespace tippe::cli
