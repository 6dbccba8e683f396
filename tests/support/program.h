// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace tippe::test {

struct ProgramResult {
  int exit_code;
  std::string output;
  std::string errors;
};

/// Runs the program in a folder and waits for it; `meanwhile` may send signals.
inline ProgramResult run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                                 const std::function<void(pid_t)>& meanwhile = {}) {
  const TemporaryFolder streams;
  const std::string out = (streams.path() / "out").string(), err = (streams.path() / "err").string();
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(99);
    dup2(open(out.c_str(), O_CREAT | O_WRONLY, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
    std::vector<char*> argv{const_cast<char*>(TIPPE_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(TIPPE_PROGRAM, argv.data());
    _exit(98);
  }
  if (meanwhile) meanwhile(child);
  int status = 0;
  waitpid(child, &status, 0);
  const auto text = [](const std::string& file) {
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    return content.str();
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text(out), text(err)};
}

}  // namespace tippe::test
