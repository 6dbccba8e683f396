// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tippe {

/// How many coordinates Sobol's sequence has here.
inline constexpr int kSobolDimensions = 16;

/// Coordinate `dimension` (from 0) of point `k` of Sobol's sequence with the direction numbers of Joe and Kuo (2008), in the order of Gray's
/// code, as 32 bits behind the binary point. k < 2^32.
[[nodiscard]] std::uint32_t sobol_bits(std::uint64_t k, int dimension);

/// A number with all its bits mixed: the k-th of a sequence that `seed` names, without memory.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, std::uint64_t k);

/// In [0, 1), from the upper bits.
[[nodiscard]] inline double share_of(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace tippe
