// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tippe::test {

/// The exit code of a script of bash in a folder; $TIPPE is the program. 128 and more: ended by a signal.
inline int run_shell(const std::string& script, const std::filesystem::path& folder) {
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(99);
    setenv("TIPPE", TIPPE_PROGRAM, 1);
    execlp("bash", "bash", "-c", script.c_str(), nullptr);
    _exit(98);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace tippe::test
