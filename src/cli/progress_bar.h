// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "tippe/record/simulate.h"

namespace tippe::cli {

/// A progress bar on standard error, if that is a terminal; otherwise nothing. Clears its line at the end.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);

 private:
  bool on_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace tippe::cli
