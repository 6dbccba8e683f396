// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "tippe/core/error.h"
#include "tippe/report/page.h"

namespace tippe {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string base64(const std::vector<double>& values) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes(values.size() * sizeof(double));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* place = text.data();
  for (size_t k = 0; k < bytes.size(); k += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - k);
    unsigned long group = 0;
    for (size_t b = 0; b < 3; ++b) group = (group << 8) | (b < left ? bytes[k + b] : 0u);
    for (size_t d = 0; d < 4; ++d, ++place) {
      if (d <= left) *place = kDigits[(group >> (18 - 6 * d)) & 63];
    }
  }
  return text;
}

std::string fill_page(std::string data) {
  replace_all(data, "<", "\\u003c");  // no </script> inside the data
  std::string page(page_template());
  const size_t mark = page.find(kPageDataMark);
  assert(mark != std::string::npos);
  page.replace(mark, kPageDataMark.size(), data);
  return page;
}

void write_page(const std::string& page, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  file.write(page.data(), static_cast<std::streamsize>(page.size()));
  file.close();
  if (!file) throw FileError(path.string() + ": cannot write the page (" + std::strerror(errno) + ")");
}

}  // namespace tippe
