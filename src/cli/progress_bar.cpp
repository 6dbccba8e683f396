// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "cli/output.h"

namespace tippe::cli {

ProgressBar::ProgressBar(bool wanted, std::string label)
    : on_(wanted && isatty(STDERR_FILENO) != 0),
      label_(label.empty() ? std::move(label) : std::move(label) + " "),
      begin_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  if (shown_) print_aside("\r\033[K");
}

void ProgressBar::show(const Progress& progress) {
  if (!on_) return;
  constexpr int kWidth = 30;
  const int filled = static_cast<int>(progress.fraction * kWidth);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double left = progress.fraction > 0.0 ? elapsed * (1.0 - progress.fraction) / progress.fraction : 0.0;
  print_aside("\r{}[{:=<{}}{: <{}}] {:3.0f} %  t = {:.4g} s  {} steps  {:.0f} s left\033[K", label_, "", filled, "",
              kWidth - filled, 100.0 * progress.fraction, progress.t, progress.steps, left);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace tippe::cli
