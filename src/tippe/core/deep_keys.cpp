// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/deep_keys.h"

#include <algorithm>
#include <string_view>

#include "tippe/core/error.h"

namespace tippe {
namespace {

/// The end of the string that opens at `begin`, behind its closing quote. A string on one line ends with the line at the
/// latest: there the TOML reader will stop.
size_t end_of_string(std::string_view text, size_t begin) {
  const char quote = text[begin];
  const std::string_view closing =
      text.substr(begin, 3) == std::string(3, quote) ? text.substr(begin, 3) : text.substr(begin, 1);
  const bool one_line = closing.size() == 1;
  for (size_t k = begin + closing.size(); k < text.size(); ++k) {
    if (one_line && text[k] == '\n') return k;
    if (text[k] == '\\' && quote == '"') {
      ++k;
    } else if (text.substr(k, closing.size()) == closing) {
      k += closing.size();
      while (!one_line && k < text.size() && text[k] == quote) ++k;  // up to two quotes may stand before the closing ones
      return k;
    }
  }
  return text.size();
}

}  // namespace

void refuse_deep_keys(const std::string& toml, const std::string& file) {
  constexpr int kDeepestKey = 100;
  const std::string_view text = toml;
  int line = 1, dots = 0;
  for (size_t k = 0; k < text.size();) {
    const char c = text[k];
    size_t next = k + 1;
    if (c == '"' || c == '\'') {  // part of a key, or a value
      next = end_of_string(text, k);
    } else if (c == '#') {
      next = std::min(text.find('\n', k), text.size());
    } else if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{') {  // what a key can follow
      dots = 0;
    } else if (c == '.' && ++dots >= kDeepestKey) {
      throw InputError({file, line, 1}, "a key of more than " + std::to_string(kDeepestKey) + " parts");
    }
    for (; k < next; ++k) line += text[k] == '\n';
  }
}

}  // namespace tippe
