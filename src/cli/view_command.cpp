// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/view_server.h"

namespace tippe::cli {
namespace {

struct ViewArguments {
  std::vector<std::string> recordings;
  int port = 0;
  bool no_browser = false;
};

/// Asks the desktop, if there is one, to show the address. Nothing depends on whether it does: the address is printed.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  // The browser may outlive us, and has its own say on the terminal: it is a child of nobody here.
  const pid_t child = fork();
  if (child != 0) {
    if (child > 0) waitpid(child, nullptr, 0);
    return;
  }
  setsid();
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);  // which we ignore
  if (fork() != 0) _exit(0);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
  _exit(1);
}

/// The recording of a run that was started a moment ago may not be there yet.
void await(const std::vector<std::string>& recordings, const std::atomic<bool>& interrupted) {
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 2s;
  for (const std::string& recording : recordings) {
    while (!std::filesystem::exists(recording) && std::chrono::steady_clock::now() < deadline && !interrupted)
      std::this_thread::sleep_for(20ms);
  }
}

int view(const ViewArguments& arguments) {
  using namespace std::chrono_literals;
  const std::atomic<bool>& interrupted = catch_interrupts();
  await(arguments.recordings, interrupted);
  const std::string recordings = fmt::format("{}", fmt::join(arguments.recordings, ", "));
  const std::unique_ptr<ServedReport> report = [&] {
    const DamageGuard guard = DamageGuard::for_file(recordings, kFileTrouble);
    return std::make_unique<ServedReport>(
        std::vector<std::filesystem::path>(arguments.recordings.begin(), arguments.recordings.end()));
  }();
  ViewServer server(*report, arguments.port);
  server.start();
  print_out("{}: {}\nCtrl-C ends it.\n", recordings, server.address());
  std::fflush(stdout);
  if (!arguments.no_browser) open_browser(server.address());
  while (!interrupted) std::this_thread::sleep_for(20ms);
  print_out("the page is no longer served\n");
  return kFine;
}

}  // namespace

void add_view_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "Show a recording in the browser, also while its run goes on");
  command->footer(
      "Serves the page of the recording at an address of this machine, which nobody else can reach, and opens the browser.\n"
      "While the run goes on the page grows. Several recordings of one system are laid over each other.\n\n"
      "Exit codes: 0 ended by Ctrl-C, 2 wrong usage, a port that cannot be had, a recording of another format version, or "
      "of\n"
      "another system than the first, 4 a file cannot be read.");
  command->add_option("recordings", arguments->recordings, "The recordings of runs (HDF5, docs/recording.md)")
      ->required()
      ->type_name("RUN.h5");
  command->add_option("--port", arguments->port, "Serve at this port instead of a free one")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 65535));
  command->add_flag("--no-browser", arguments->no_browser, "Only print the address");
  command->callback([arguments, &exit_code] { exit_code = guarded([&] { return view(*arguments); }); });
}

}  // namespace tippe::cli
