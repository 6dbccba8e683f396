// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>

#include "support/hdf5_content.h"
#include "tippe/storage/hdf5_file.h"

namespace tippe::test {

/// What must be the same: everything but the time that it took.
inline Hdf5Contents without_wall_time(const std::filesystem::path& file) {
  auto contents = read_contents(file);
  EXPECT_TRUE(contents) << file;
  if (!contents) return {};
  contents->erase("summary@wall_time");
  const Hdf5File opened = Hdf5File::open(file);
  const std::vector<std::string> names = opened.read_list("checkpoint/names");
  const auto place = std::find(names.begin(), names.end(), "wall_time") - names.begin();
  Hdf5Content& values = contents->at("checkpoint/values");
  std::memset(values.bytes.data() + static_cast<size_t>(place) * sizeof(double), 0, sizeof(double));
  return *contents;
}

inline void expect_same_run(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Hdf5Contents first = without_wall_time(a), second = without_wall_time(b);
  EXPECT_GT(first.size(), 60u);
  for (const auto& [name, content] : first) {
    ASSERT_TRUE(second.contains(name)) << name;
    EXPECT_EQ(content.shape, second.at(name).shape) << name;
    EXPECT_TRUE(content.bytes == second.at(name).bytes) << name;
  }
  EXPECT_EQ(first.size(), second.size());
}

}  // namespace tippe::test
