// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tippe::test {

/// Base64 by the book, independent of the writer.
inline std::vector<double> decode(const std::string& text) {
  std::vector<unsigned char> bytes;
  unsigned long bits = 0;
  int count = 0;
  for (const char c : text) {
    const auto digit = std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string::npos) break;
    bits = (bits << 6) | digit;
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<unsigned char>(bits >> (count -= 8)));
  }
  std::vector<double> values(bytes.size() / 8);
  std::memcpy(values.data(), bytes.data(), values.size() * 8);
  return values;
}

/// The document that a page holds.
inline nlohmann::json data_of_page(const std::string& page) {
  const std::string open = "<script id=\"tippe-data\" type=\"application/json\">";
  const size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace tippe::test
