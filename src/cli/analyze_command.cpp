// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/find_scene.h"
#include "cli/guarded.h"
#include "cli/interrupt.h"
#include "cli/json_output.h"
#include "cli/message.h"
#include "cli/progress_bar.h"
#include "cli/scene_options.h"
#include "tippe/analyze/analysis.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/integrate/instant_of_system.h"
#include "tippe/record/simulate.h"
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
  bool json = false;
};

/// The simulation up to the time of interest did not get there.
struct RunFailure {
  ExitCode code;
  std::string status, message;
};

/// An instant and the time that it belongs to.
struct FoundInstant {
  Instant instant;
  std::optional<double> time;
};

/// Where a run from the start of the scene is at its end.
struct Arrival {
  State state;
  HeldLaws held;
  double step = 0.0;  // s  length of the last one
  std::vector<std::string> notes;
};

Arrival simulate_scene(const Scene& scene, bool show_progress) {
  Arrival arrival{scene.start, HeldLaws(scene.system->laws().size()), 0.0, {}};
  const std::atomic<bool>& interrupted = catch_interrupts();
  ProgressBar bar(show_progress);
  const RunSummary summary = simulate(
      *scene.system, scene.start, scene.run, nullptr, [&](const Progress& progress) { bar.show(progress); }, &interrupted,
      nullptr,
      [&](const StepView& step) {
        arrival.held.look(step.integrator.last_laws());
        arrival.step = step.end - step.begin;
      });
  if (summary.status == "interrupted") throw RunFailure{kInterrupted, "interrupted", summary.message};
  if (summary.status != "ok") throw RunFailure{kNumericalFailure, "failed", summary.message};
  if (summary.stopped)
    arrival.notes.push_back(fmt::format("{} of the scene ended the simulation: this is the instant t = {:.9g}",
                                        summary.stopped->because, summary.stopped->time));
  arrival.state = summary.final_state;
  return arrival;
}

double time_of(const std::string& text) {
  double time = 0.0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), time);
  if (trouble != std::errc() || end != text.data() + text.size())
    throw InputError({}, fmt::format("--time is '{}' and must be a number, the time in s", text));
  return time;
}

/// A page must not take the place of what it is about.
void require_page(const std::string& page, const std::string& file) {
  if (page.empty()) throw InputError({}, "--html is empty and must name the file to write");
  std::error_code trouble;
  if (std::filesystem::equivalent(page, file, trouble))
    throw InputError({}, fmt::format("--html is {}, the file that is analysed, which would be lost", page));
}

FoundInstant instant_of_scene(const AnalyzeArguments& arguments) {
  SceneOverrides overrides = arguments.overrides;
  const std::optional<double> given = arguments.time ? std::optional(time_of(*arguments.time)) : std::nullopt;
  if (given && std::isfinite(*given)) {
    // The time as the end of the run is checked like any other: too many steps, for example.
    const double start = load_scene(arguments.file, overrides).start.t;
    if (*given > start) overrides.until = fmt::format("{}", *given);
  }
  const Scene scene = load_scene(arguments.file, overrides);
  const double start = scene.start.t, time = given.value_or(start);
  if (!(time >= start) || std::isinf(time))
    throw InputError({}, fmt::format("--time is {} and must be a time from the start of the scene, {}, on", time, start));
  Arrival arrival{scene.start, HeldLaws(scene.system->laws().size()), 0.0, {}};
  if (time > start) arrival = simulate_scene(scene, !arguments.json);
  FoundInstant found{
      instant_of(
          *scene.system, arrival.state,
          {.closed_tolerance = scene.run.integrator_options.closed_tolerance, .held = &arrival.held, .step = arrival.step}),
      arrival.state.t};
  found.instant.title = scene.origin.title;
  found.instant.notes.insert(found.instant.notes.begin(), arrival.notes.begin(), arrival.notes.end());
  return found;
}

FoundInstant instant_of_file(const AnalyzeArguments& arguments) {
  const SceneOverrides& overrides = arguments.overrides;
  if (arguments.time || !overrides.settings.empty() || overrides.integrator || overrides.dt)
    throw InputError({arguments.file, 0, 0},
                     "is a problem, not a scene: --time, --set, --integrator and --dt have no meaning for it");
  return {load_instant(arguments.file), {}};
}

int fail(const AnalyzeArguments& arguments, ExitCode code, const std::string& status, const SourcePosition& position,
         const std::string& message) {
  if (arguments.json) {
    fmt::print("{}\n", analyze_failure_json(status, position, message, arguments.file));
  } else {
    print_error(position, message);
  }
  return code;
}

int do_analyze(AnalyzeArguments& arguments) {
  try {
    arguments.file = find_scene(arguments.file);
    if (std::error_code trouble; std::filesystem::is_directory(arguments.file, trouble))
      throw InputError({arguments.file, 0, 0}, "is a folder; a scene is a .toml file, a problem a .json or .toml file");
    if (arguments.page) require_page(*arguments.page, arguments.file);
    const FoundInstant found = is_instant_file(arguments.file) ? instant_of_file(arguments) : instant_of_scene(arguments);
    const Analysis analysis = analyze(found.instant);
    const AnalysisSource source{arguments.file, found.time};
    if (arguments.page) write_analysis_page(analysis_page(found.instant, analysis, source), *arguments.page);
    if (arguments.json) {
      fmt::print("{}\n", analysis_json(found.instant, analysis, source));
    } else {
      fmt::print("{}", printable(analysis_text(found.instant, analysis, source)));
      if (arguments.page) fmt::print("\nwrote {}\n", printable(*arguments.page));
    }
    return kFine;
  } catch (const RunFailure& failure) {
    return fail(arguments, failure.code, failure.status, {arguments.file, 0, 0}, failure.message);
  }
}

int analyze_and_print(AnalyzeArguments arguments) {
  return guarded([&] { return do_analyze(arguments); },
                 [&](auto code, const char* status, const SourcePosition& position, const std::string& message) {
                   return fail(arguments, code, status, position, message);
                 });
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
      "  tippe analyze block.json               a problem given directly as matrices\n"
      "  tippe analyze block.json --html block.html\n"
      "  tippe analyze block.json --json\n\n"
      "Exit codes: 0 analysed, whatever the answers, 2 bad file or usage, 3 the simulation up to --time failed,\n"
      "4 the page cannot be written, 130 interrupted.");
  command
      ->add_option(
          "file", arguments->file,
          "A scene (a file, or a name that 'tippe list scenes' shows), or a problem (JSON or TOML, docs/analysis_files.md)")
      ->required()
      ->type_name("SCENE|PROBLEM");
  command
      ->add_option_function<std::string>(
          "--time", [arguments](const std::string& text) { arguments->time = text; },
          "Simulate the scene up to this time in s and judge that instant (default: its start)")
      ->type_name("NUMBER");
  add_integrator_and_step(*command, arguments->overrides);
  add_parameters(*command, arguments->overrides);
  command
      ->add_option_function<std::string>(
          "--html", [arguments](const std::string& text) { arguments->page = text; },
          "Write a page with drawings to this file too; it is replaced")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the text, also on failure");
  command->callback([arguments, &exit_code] { exit_code = analyze_and_print(*arguments); });
}

}  // namespace tippe::cli
