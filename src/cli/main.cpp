// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <iostream>

#include "cli/command.h"
#include "cli/json_output.h"
#include "tippe/core/version.h"

int main(int argc, char** argv) {
  using namespace tippe;
  CLI::App app{
      "Tippe simulates and explains mechanical systems with hard contact, impact and dry friction.\n\n"
      "  tippe run scenes/woodpecker.toml     simulate a scene; writes woodpecker.h5 and woodpecker.html "
      "here\n"
      "  tippe run --help                     all options of a command"};
  app.name("tippe");
  app.set_version_flag("--version", std::string(kProgram));
  app.require_subcommand(1);
  int exit_code = cli::kFine;
  cli::add_run_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    bool json = false;
    for (int k = 1; k < argc; ++k) json = json || std::strcmp(argv[k], "--json") == 0;
    if (json) {
      std::cout << cli::run_failure_json("bad_input", {}, error.what()) << '\n';
    } else {
      std::cerr << "tippe: " << error.what()
                << "\nRun 'tippe --help' or 'tippe run --help' to see what is possible.\n";
    }
    return cli::kBadInput;
  }
  return exit_code;
}
