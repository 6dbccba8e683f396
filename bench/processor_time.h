// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace tippe::bench {

/// s  of this process, all its threads together
[[nodiscard]] inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Mean processor time of `work`, repeated until 5 ms are measured; a longer one runs once. `prepare` comes before each repetition
/// and is not counted.
template <class Prepare, class Work>
[[nodiscard]] double mean_processor_time(Prepare&& prepare, Work&& work) {
  double measured = 0.0;
  int repetitions = 0;
  while (measured < 5e-3) {
    prepare();
    const double start = processor_time();
    work();
    measured += processor_time() - start;
    ++repetitions;
  }
  return measured / repetitions;
}

}  // namespace tippe::bench
