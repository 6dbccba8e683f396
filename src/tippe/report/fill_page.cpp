// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "tippe/core/error.h"
#include "tippe/report/base64.h"
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
  return base64_of_bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
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
