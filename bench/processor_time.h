// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace tippe::bench {

/// s  of this thread. The clock of the process would do as well, but advances by ticks of some ms where the process has a limit of
/// processor time, as those of Siconos have.
[[nodiscard]] inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Mean processor time of `work(k)`, k = 0 .. count - 1, in the first of batches with count = 1, 2, 4, ... that takes 5 ms: a long
/// one runs once, and of short ones so many that reading the clock costs nothing. `prepare(count)` comes before and is not counted.
template <class Prepare, class Work>
[[nodiscard]] double mean_processor_time(Prepare&& prepare, Work&& work) {
  for (int count = 1;; count *= 2) {
    prepare(count);
    const double start = processor_time();
    for (int k = 0; k < count; ++k) work(k);
    const double measured = processor_time() - start;
    if (measured >= 5e-3) return measured / count;
  }
}

}  // namespace tippe::bench
