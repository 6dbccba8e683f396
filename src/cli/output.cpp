// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "cli/command.h"
#include "cli/message.h"
#include "cli/patience.h"

namespace tippe::cli {
namespace {

int& trouble() {
  static int number = 0;  // errno of the first write that failed
  return number;
}

void note_trouble() {
  if (trouble() == 0) trouble() = errno != 0 ? errno : EIO;
}

}  // namespace

void write_output(std::string_view text) {
  end_patience();
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_trouble();
}

bool output_works() {
  return trouble() == 0;
}

void write_error(std::string_view text) {
  end_patience();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void prepare_streams() {
  // What is read only cannot be written: output that goes nowhere because its stream is closed is not taken for success.
  for (const auto& [stream, mode] :
       {std::pair{STDIN_FILENO, O_RDONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int opened = open("/dev/null", mode);
    if (opened >= 0 && opened != stream) {
      dup2(opened, stream);
      close(opened);
    }
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

int finish_output(int code) {
  end_patience();
  errno = 0;
  if (std::fflush(stdout) != 0) note_trouble();
  if (output_works() || trouble() == EPIPE) return code;
  print_error({}, "cannot write to standard output");
  return code == kFine ? kFileTrouble : code;
}

}  // namespace tippe::cli
