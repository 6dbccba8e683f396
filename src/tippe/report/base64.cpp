// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/base64.h"

#include <array>
#include <cstdint>

namespace tippe {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::uint8_t, 256> values_of_digits() {
  std::array<std::uint8_t, 256> values{};
  for (size_t k = 0; k < kDigits.size(); ++k) values[static_cast<unsigned char>(kDigits[k])] = static_cast<std::uint8_t>(k);
  return values;
}

}  // namespace

std::string base64_of_bytes(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* place = text.data();
  for (size_t k = 0; k < bytes.size(); k += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (size_t b = 0; b < 3; ++b) group = (group << 8) | (b < left ? static_cast<unsigned char>(bytes[k + b]) : 0u);
    for (size_t d = 0; d < 4; ++d, ++place) {
      if (d <= left) *place = kDigits[(group >> (18 - 6 * d)) & 63];
    }
  }
  return text;
}

std::string bytes_of_base64(std::string_view text) {
  constexpr std::array<std::uint8_t, 256> kValues = values_of_digits();
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : text) {
    bits = (bits << 6) | kValues[static_cast<unsigned char>(digit)];
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>((bits >> count) & 0xffu));
  }
  return bytes;
}

}  // namespace tippe
