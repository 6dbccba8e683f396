// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sobol.h"

#include <array>
#include <cassert>

namespace tippe {
namespace {

constexpr int kBits = 32;

/// A primitive polynomial x^degree + ... + 1, its inner coefficients as bits, and the first direction numbers: Joe and Kuo,
/// new-joe-kuo-6.
struct Polynomial {
  int degree;
  unsigned inner;
  std::array<std::uint32_t, 6> first;
};
constexpr std::array<Polynomial, kSobolDimensions - 1> kPolynomials = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
}};

using Directions = std::array<std::uint32_t, kBits>;

constexpr std::array<Directions, kSobolDimensions> make_directions() {
  std::array<Directions, kSobolDimensions> all{};
  for (int i = 0; i < kBits; ++i) all[0][static_cast<size_t>(i)] = std::uint32_t{1} << (kBits - 1 - i);
  for (size_t d = 1; d < all.size(); ++d) {
    const Polynomial& polynomial = kPolynomials[d - 1];
    Directions& v = all[d];
    const int s = polynomial.degree;
    for (int i = 0; i < kBits; ++i) {
      const auto at = static_cast<size_t>(i);
      if (i < s) {
        v[at] = polynomial.first[at] << (kBits - 1 - i);
        continue;
      }
      v[at] = v[static_cast<size_t>(i - s)] ^ (v[static_cast<size_t>(i - s)] >> s);
      for (int k = 1; k < s; ++k) {
        if ((polynomial.inner >> (s - 1 - k)) & 1u) v[at] ^= v[static_cast<size_t>(i - k)];
      }
    }
  }
  return all;
}

}  // namespace

std::uint32_t sobol_bits(std::uint64_t k, int dimension) {
  assert(dimension >= 0 && dimension < kSobolDimensions && k < (std::uint64_t{1} << kBits));
  static constexpr std::array<Directions, kSobolDimensions> kDirections = make_directions();
  const std::uint64_t gray = k ^ (k >> 1);
  std::uint32_t bits = 0;
  for (int i = 0; i < kBits; ++i) {
    if ((gray >> i) & 1u) bits ^= kDirections[static_cast<size_t>(dimension)][static_cast<size_t>(i)];
  }
  return bits;
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t k) {
  // SplitMix64 (Steele, Lea and Flood 2014): the finalizer of a counter. Seeds are mixed first, so that neighbours are not shifts of each other.
  const auto mixed = [](std::uint64_t z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  };
  return mixed(mixed(seed) + 0x9E3779B97F4A7C15ull * k);
}

}  // namespace tippe
