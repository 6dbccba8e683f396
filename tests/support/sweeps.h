// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <functional>
#include <thread>

#include "support/hdf5_content.h"
#include "tippe/sweep/sweep_file.h"

namespace tippe::test {

/// Everything in a file but wall times.
inline Hdf5Contents without_wall_times(const std::filesystem::path& file) {
  auto contents = read_contents(file);
  EXPECT_TRUE(contents) << file;
  if (!contents) return {};
  EXPECT_EQ(contents->erase("runs/wall"), 1u);
  return *contents;
}

inline void expect_same_sweep(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Hdf5Contents first = without_wall_times(a), second = without_wall_times(b);
  EXPECT_GT(first.size(), 20u);
  EXPECT_EQ(first.size(), second.size());
  for (const auto& [name, content] : first) EXPECT_TRUE(second.contains(name) && second.at(name) == content) << name;
}

/// Sends a signal some time after the first points were written.
inline std::function<void(pid_t)> after_rows(std::filesystem::path file, int signal, double seconds) {
  return [=](pid_t child) {
    for (int k = 0; k < 5000 && !(std::filesystem::exists(file) && read_sweep(file).rows > 0); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    kill(child, signal);
  };
}

}  // namespace tippe::test
