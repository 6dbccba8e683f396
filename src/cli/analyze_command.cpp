// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/reached_instant.h"
#include "tippe/analyze/analysis.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/report/analysis_json.h"
#include "tippe/report/analysis_page.h"
#include "tippe/report/analysis_text.h"

namespace tippe::cli {
namespace {

struct AnalyzeArguments {
  std::string file;
  SceneOverrides overrides;
  std::optional<std::string> time;  // s  of a scene; absent: its start
  std::optional<std::string> page;
  std::string around;  // a body, of a scene whose contacts are found
  bool json = false;
};

/// An instant and the time that it belongs to.
struct FoundInstant {
  Instant instant;
  std::optional<double> time;
};

/// A page must not take the place of what it is about.
void require_page(const std::string& page, const std::string& file) {
  if (page.empty()) throw InputError({}, "--html is empty and must name the file to write");
  std::error_code trouble;
  if (std::filesystem::equivalent(page, file, trouble))
    throw InputError({}, fmt::format("--html is {}, the file that is analysed, which would be lost", page));
}

FoundInstant instant_of_scene(const AnalyzeArguments& arguments) {
  ReachedInstant reached = reach_instant(arguments.file, arguments.overrides, arguments.time, !arguments.json);
  if (!arguments.around.empty() && reached.scene.system->has_fixed_laws())
    throw InputError({arguments.file, 0, 0}, "--around is for scenes whose contacts are found while bodies move");
  reached.around = arguments.around;
  return {reached.instant(), reached.state.t};
}

FoundInstant instant_of_file(const AnalyzeArguments& arguments) {
  require_no_scene_options(arguments.file, arguments.time, arguments.overrides);
  return {load_instant(arguments.file), {}};
}

int do_analyze(AnalyzeArguments& arguments) {
  arguments.file = find_scene_or_problem(arguments.file);
  if (arguments.page) require_page(*arguments.page, arguments.file);
  const FoundInstant found = is_instant_file(arguments.file) ? instant_of_file(arguments) : instant_of_scene(arguments);
  const Analysis analysis = analyze(found.instant);
  const AnalysisSource source{arguments.file, found.time};
  if (arguments.page) write_analysis_page(analysis_page(found.instant, analysis, source), *arguments.page);
  if (arguments.json) {
    print_out("{}\n", analysis_json(found.instant, analysis, source));
  } else {
    print_out("{}", printable(analysis_text(found.instant, analysis, source)));
    if (arguments.page) print_out("\nwrote {}\n", printable(*arguments.page));
  }
  return kFine;
}

int analyze_and_print(AnalyzeArguments arguments) {
  return guarded([&] { return do_analyze(arguments); }, {Answer::kAnalyze, arguments.json, arguments.file});
}

}  // namespace

void add_analyze_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<AnalyzeArguments>();
  CLI::App* command = app.add_subcommand("analyze", "Judge a contact problem at one instant");
  command->footer(
      "Is it solvable? Is the motion unique? Which forces are not, and within which bounds? Can the contacts stick, with "
      "how\n"
      "little friction? Is the grasp closed? Does Painleve's paradox lurk? Prints words, numbers and evidence.\n\n"
      "A file is a problem (docs/analysis_files.md) if it is JSON or has the key M, else a scene.\n\n"
      "Examples:\n"
      "  tippe analyze woodpecker               at the start of a scene\n"
      "  tippe analyze woodpecker --time 0.4    at a time of its simulation\n"
      "  tippe analyze kapla --around rail1_0   what leans on one of many bodies\n"
      "  tippe analyze block.json               a problem given directly as matrices\n"
      "  tippe analyze block.json --html block.html\n"
      "  tippe analyze block.json --json\n\n"
      "Exit codes: 0 analysed, whatever the answers, 2 bad problem, scene or usage, 3 the simulation up to --time\n"
      "failed, 4 a file cannot be read or written, 130 interrupted.");
  command
      ->add_option(
          "file", arguments->file,
          "A scene (a file, or a name that 'tippe list scenes' shows), or a problem (JSON or TOML, docs/analysis_files.md)")
      ->required()
      ->type_name("SCENE|PROBLEM");
  add_instant_options(*command, arguments->time, arguments->overrides);
  command
      ->add_option(
          "--around", arguments->around,
          "Where contacts are found: judge what leans on this body or plane, or with more than 200 contacts its own")
      ->type_name("NAME");
  command
      ->add_option_function<std::string>(
          "--html", [arguments](const std::string& text) { arguments->page = text; },
          "Write a page with drawings to this file too; it is replaced")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the text, also on failure");
  command->callback([arguments, &exit_code] { exit_code = analyze_and_print(*arguments); });
}

}  // namespace tippe::cli
