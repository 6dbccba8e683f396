// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/page.h"
#include "tippe/report/base64.h"

namespace tippe::test {

/// The bytes of a packed document.
inline std::vector<unsigned char> block_of(const nlohmann::json& document) {
  const std::string packed = bytes_of_base64(document["packed"]["deflate"].get<std::string>());
  std::vector<unsigned char> bytes(document["packed"]["bytes"].get<size_t>());
  auto size = static_cast<uLongf>(bytes.size());
  EXPECT_EQ(
      uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())),
      Z_OK);
  EXPECT_EQ(size, bytes.size());
  return bytes;
}

/// By the description in viewer/src/packed.ts, in arithmetic of 64 bits.
inline std::vector<double> unpack(const nlohmann::json& place, const std::vector<unsigned char>& block) {
  const auto n = place["n"].get<size_t>(), at = place["at"].get<size_t>();
  const std::string code = place["code"];
  const size_t width = code == "exact" ? 8 : code == "scaled" ? 4 : 2;
  const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
  std::vector<std::uint64_t> numbers(n, 0);
  for (size_t byte = 0; byte < width; ++byte) {
    for (size_t k = 0; k < n; ++k) numbers[k] |= std::uint64_t{block[at + byte * n + k]} << (8 * byte);
  }
  if (code != "short") {
    for (auto& number : numbers) number = ((number >> 1) ^ (~(number & 1) + 1)) & mask;
    const auto stride = place.value("stride", size_t{1});
    for (int pass = 0; pass < place["order"].get<int>(); ++pass) {
      for (size_t k = stride; k < n; ++k) numbers[k] = (numbers[k] + numbers[k - stride]) & mask;
    }
  }
  std::vector<double> values;
  for (const std::uint64_t number : numbers) {
    if (code == "exact") values.push_back(std::bit_cast<double>(number));
    if (code == "short") values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(number << 16)));
    if (code != "scaled") continue;
    if (number == 0xffffffff)
      values.push_back(std::nan(""));
    else if (number == 0xfffffffe)
      values.push_back(std::numeric_limits<double>::infinity());
    else if (number == 0xfffffffd)
      values.push_back(-std::numeric_limits<double>::infinity());
    else
      values.push_back(place["least"].get<double>() + static_cast<double>(number) * place["step"].get<double>());
  }
  return values;
}

/// A column of a page, packed or not.
inline std::vector<double> numbers_of(const nlohmann::json& document, const nlohmann::json& column) {
  return column.is_string() ? decode(column.get<std::string>()) : unpack(column, block_of(document));
}

}  // namespace tippe::test
