// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tippe::test {

/// What the program prints, on both streams together, when they are a terminal. NO_COLOR is set to `no_color`, or unset.
inline std::string run_on_terminal(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                                   const char* no_color = nullptr) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(99);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (no_color != nullptr) setenv("NO_COLOR", no_color, 1);
    std::vector<char*> argv{const_cast<char*>(TIPPE_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(TIPPE_PROGRAM, argv.data());
    _exit(98);
  }
  std::string output;
  char buffer[4096];
  for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<size_t>(count));
  waitpid(child, nullptr, 0);
  close(terminal);
  return output;
}

}  // namespace tippe::test
