// SPDX-License-Identifier: Apache-2.0
#include "tippe/scene/title.h"

#include <toml++/toml.h>

#include <fstream>
#include <sstream>

namespace tippe {

std::string scene_title(const std::filesystem::path& file) {
  // The title stands before the first table. What is long has no title that a list could show.
  constexpr size_t kLongestHead = 4096;
  std::ifstream opened(file);
  std::string start(kLongestHead + 1, '\0');
  start.resize(static_cast<size_t>(opened.read(start.data(), static_cast<std::streamsize>(start.size())).gcount()));
  std::istringstream stream(start);
  std::string head;
  for (std::string line; std::getline(stream, line) && !line.starts_with('[');) {
    if (head.size() + line.size() > kLongestHead) return {};
    head += line + "\n";
  }
  try {
    return toml::parse(head)["title"].value_or(std::string());
  } catch (const toml::parse_error&) {
    return {};
  }
}

}  // namespace tippe
