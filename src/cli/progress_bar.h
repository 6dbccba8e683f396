// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "tippe/run/simulate.h"

namespace tippe::cli {

/// A progress bar on standard error, if that is a terminal; otherwise nothing. Clears its line at the end.
class ProgressBar {
 public:
  /// `label` stands before the bar, for one of several runs.
  explicit ProgressBar(bool wanted, std::string label = {});
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);

 private:
  bool on_;
  std::string label_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace tippe::cli
