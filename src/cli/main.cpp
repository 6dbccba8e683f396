// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <sstream>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/patience.h"
#include "tippe/core/suggest.h"
#include "tippe/core/version.h"

namespace {

/// CLI11's message, or a better one where the command itself is not known.
std::string explain_usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty()) return "which command? There are: " + tippe::comma_list(commands);
  if (first[0] == '-' || std::find(commands.begin(), commands.end(), first) != commands.end()) return error.what();
  if (first.ends_with(".hdf5")) return "unknown command '" + first + "'; did you mean 'tippe solve " + first + "'?";
  if (first.ends_with(".toml")) return "unknown command '" + first + "'; did you mean 'tippe run " + first + "'?";
  return "unknown command '" + first + "'" + tippe::did_you_mean(first, commands) +
         " (there are: " + tippe::comma_list(commands) + ")";
}

/// What a command that was called wrongly would have answered.
tippe::cli::Answer answer_of(std::string_view command) {
  using tippe::cli::Answer;
  return command == "check"      ? Answer::kCheck
         : command == "compare"  ? Answer::kCompare
         : command == "analyze"  ? Answer::kAnalyze
         : command == "modes"    ? Answer::kModes
         : command == "orbit"    ? Answer::kOrbit
         : command == "lyapunov" ? Answer::kLyapunov
         : command == "verify"   ? Answer::kVerify
         : command == "solve"    ? Answer::kSolve
                                 : Answer::kRun;
}

int run(int argc, char** argv) {
  using namespace tippe;
  CLI::App app{
      "Tippe simulates and explains mechanical systems with hard contact, impact and dry friction.\n\n"
      "  tippe run scenes/woodpecker.toml     simulate a scene; writes woodpecker.h5 and woodpecker.html "
      "here\n"
      "  tippe sweep vibrating_table --vary A=0.001:0.004:1000   many runs with other numbers, on all cores\n"
      "  tippe compare bouncing_ball          several integrators and time steps over each other, on one page\n"
      "  tippe check scenes/woodpecker.toml   what is in it, and whether it can start\n"
      "  tippe analyze woodpecker             is the motion unique, which forces are not, can it stick, ...\n"
      "  tippe modes wheel_hill               every contact mode that can follow, and why the others cannot\n"
      "  tippe orbit woodpecker               a motion that repeats itself, its period, and whether it is stable\n"
      "  tippe lyapunov vibrating_table       how fast nearby motions part: Lyapunov exponents\n"
      "  tippe list scenes                    the scenes that can be called by name\n"
      "  tippe verify woodpecker.h5           whether it obeys the laws of mechanics, by a second pair of eyes\n"
      "  tippe view woodpecker.h5             its page in the browser, also while the run goes on\n"
      "  tippe show woodpecker.h5             the summary of a recording again\n"
      "  tippe export woodpecker.h5           its samples as CSV\n"
      "  tippe solve problems/stack.hdf5      solve the contact problem in a file\n"
      "  tippe run --help                     all options of a command"};
  app.name("tippe");
  app.set_version_flag("--version", std::string(kProgram));
  app.require_subcommand(1);
  int exit_code = cli::kFine;
  cli::add_run_command(app, exit_code);
  cli::add_sweep_command(app, exit_code);
  cli::add_compare_command(app, exit_code);
  cli::add_check_command(app, exit_code);
  cli::add_analyze_command(app, exit_code);
  cli::add_modes_command(app, exit_code);
  cli::add_orbit_command(app, exit_code);
  cli::add_lyapunov_command(app, exit_code);
  cli::add_solve_command(app, exit_code);
  cli::add_list_command(app, exit_code);
  cli::add_completion_command(app, exit_code);
  cli::add_verify_command(app, exit_code);
  cli::add_view_command(app, exit_code);
  cli::add_show_command(app, exit_code);
  cli::add_export_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      (void)app.exit(error, text, text);
      cli::write_output(text.str());
      return cli::kFine;
    }
    const std::string message = explain_usage_error(app, error, argc, argv);
    bool json = false;
    for (int k = 1; k < argc; ++k) json = json || std::strcmp(argv[k], "--json") == 0;
    if (json) {
      cli::write_output(cli::failure_json(answer_of(argc > 1 ? argv[1] : ""), {cli::kBadInput, {}, message}) + "\n");
    } else {
      cli::print_error({}, message);
      const std::string command = app.get_subcommands().empty() ? "run" : app.get_subcommands().front()->get_name();
      cli::print_aside("Run 'tippe --help' or 'tippe {} --help' to see what is possible.\n", command);
    }
    return cli::kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tippe;
  cli::prepare_streams();
  cli::end_on_interrupts();
  const auto silent = [](const char* argument) {
    return std::strcmp(argument, "--quiet") == 0 || std::strcmp(argument, "--json") == 0;
  };
  int exit_code = cli::kNumericalFailure;
  try {
    if (std::none_of(argv, argv + argc, silent)) cli::ask_for_patience();
    exit_code = run(argc, argv);
  } catch (const std::exception& error) {
    cli::print_error({}, std::string("internal error: ") + error.what());
  }
  return cli::finish_output(exit_code);
}
