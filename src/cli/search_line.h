// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <chrono>
#include <string>

#include "cli/output.h"

namespace tippe::cli {

/// What a search does at present, on a line of standard error if that is a terminal. Takes the line away at the end.
class SearchLine {
 public:
  explicit SearchLine(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~SearchLine() {
    if (shown_) print_aside("\r\033[K");
  }
  SearchLine(const SearchLine&) = delete;
  SearchLine& operator=(const SearchLine&) = delete;

  void show(const std::string& doing) {
    constexpr auto kBetween = std::chrono::milliseconds(200);
    const auto now = std::chrono::steady_clock::now();
    if (!on_ || now < next_) return;
    next_ = now + kBetween;
    print_aside("\r{} ({:.0f} s)\033[K", printable(doing), std::chrono::duration<double>(now - begin_).count());
    shown_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool on_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::seconds(1);
};

}  // namespace tippe::cli
