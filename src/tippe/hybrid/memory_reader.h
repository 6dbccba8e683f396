// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <stdexcept>

namespace tippe {

/// The next number of what an integrator remembers. Throws std::invalid_argument if there is none.
inline double take_number(std::span<const double>& memory) {
  if (memory.empty()) throw std::invalid_argument("it remembers more numbers");
  const double value = memory.front();
  memory = memory.subspan(1);
  return value;
}

/// The same for a whole number from `least` to `most`.
inline int take_whole(std::span<const double>& memory, int least, int most) {
  const double value = take_number(memory);
  if (!(value >= least && value <= most && value == std::floor(value)))
    throw std::invalid_argument("it remembers a law, a mode, a side or a count that there is not");
  return static_cast<int>(value);
}

}  // namespace tippe
