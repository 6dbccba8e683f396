// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/reached_instant.h"
#include "tippe/exchange/instant_file.h"

namespace tippe::cli {
namespace {

struct ModesArguments {
  std::string file;
  SceneOverrides overrides;
  std::optional<std::string> time;  // s  of a scene; absent: its start
  bool json = false;
};

ModesReport modes_of_problem(const ModesArguments& arguments) {
  require_no_scene_options(arguments.file, arguments.time, arguments.overrides);
  ModesReport report = list_modes(load_instant(arguments.file));
  report.file = arguments.file;
  return report;
}

ModesReport modes_of_scene(const ModesArguments& arguments) {
  return reach_instant(arguments.file, arguments.overrides, arguments.time, !arguments.json).modes();
}

int do_modes(ModesArguments& arguments) {
  arguments.file = find_scene_or_problem(arguments.file);
  const ModesReport report = is_instant_file(arguments.file) ? modes_of_problem(arguments) : modes_of_scene(arguments);
  if (arguments.json)
    print_out("{}\n", modes_json(report));
  else
    print_out("{}", printable(modes_text(report)));
  return kFine;
}

int list_and_print(ModesArguments arguments) {
  return guarded([&] { return do_modes(arguments); }, {Answer::kModes, arguments.json, arguments.file});
}

}  // namespace

void add_modes_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ModesArguments>();
  CLI::App* command = app.add_subcommand("modes", "List every contact mode that can follow at one instant");
  command->footer(
      "Which contacts open, stick or slide, after an impact and in the motion that follows? Is the answer unique, and why "
      "do\n"
      "the other modes fail? Impulse-velocity and force-acceleration complementarity after Johnson.\n\n"
      "A file is a problem (docs/analysis_files.md) if it is JSON or has the key M, else a scene.\n\n"
      "Examples:\n"
      "  tippe modes wheel_hill                  a wheel hits a hill\n"
      "  tippe modes wheel_hill --set mu=2.5     with more friction it may also jam\n"
      "  tippe modes rocking_block --time 0.4    at a time of its simulation\n"
      "  tippe modes block.json --json           a problem given directly as matrices\n\n"
      "Exit codes: 0 listed, whatever the answers, 2 bad file or usage, 3 the simulation up to --time failed,\n"
      "4 a file cannot be read, 130 interrupted.");
  command
      ->add_option(
          "file", arguments->file,
          "A scene (a file, or a name that 'tippe list scenes' shows), or a problem (JSON or TOML, docs/analysis_files.md)")
      ->required()
      ->type_name("SCENE|PROBLEM");
  add_instant_options(*command, arguments->time, arguments->overrides);
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the text, also on failure");
  command->callback([arguments, &exit_code] { exit_code = list_and_print(*arguments); });
}

}  // namespace tippe::cli
