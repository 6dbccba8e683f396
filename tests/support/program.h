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

/// The program, or another one, running in a folder.
class RunningProgram {
 public:
  RunningProgram(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                 const char* program = TIPPE_PROGRAM)
      : child_(fork()) {
    if (child_ != 0) return;
    if (chdir(folder.c_str()) != 0) _exit(99);
    dup2(open(out_.c_str(), O_CREAT | O_WRONLY, 0600), STDOUT_FILENO);
    dup2(open(err_.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
    std::vector<char*> argv{const_cast<char*>(program)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program, argv.data());
    _exit(98);
  }
  ~RunningProgram() {
    if (child_ == 0) return;
    kill(child_, SIGKILL);
    wait();
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  [[nodiscard]] pid_t pid() const { return child_; }
  /// What it has printed so far.
  [[nodiscard]] std::string output() const { return text(out_); }
  /// Waits for its end; once.
  ProgramResult wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output(), text(err_)};
  }

 private:
  static std::string text(const std::string& file) {
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    return content.str();
  }

  TemporaryFolder streams_;
  std::string out_ = (streams_.path() / "out").string(), err_ = (streams_.path() / "err").string();
  pid_t child_;
};

/// Runs the program in a folder and waits for it; `meanwhile` may send signals.
inline ProgramResult run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                                 const std::function<void(pid_t)>& meanwhile = {}) {
  RunningProgram program(arguments, folder);
  if (meanwhile) meanwhile(program.pid());
  return program.wait();
}

}  // namespace tippe::test
