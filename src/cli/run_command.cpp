// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <memory>

#include "cli/command.h"
#include "cli/find_scene.h"
#include "cli/json_output.h"
#include "cli/message.h"
#include "cli/progress_bar.h"
#include "cli/scene_options.h"
#include "tippe/record/simulate.h"
#include "tippe/report/report.h"
#include "tippe/scene/scene.h"

namespace tippe::cli {
namespace {

struct RunArguments {
  std::string scene;
  SceneOverrides overrides;
  std::string out = ".";
  bool report = true;
  bool json = false;
  bool quiet = false;
};

/// Ctrl-C ends a run after its current step; a second one ends the program at once.
std::atomic<bool> interrupted{false};

void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

int fail(const RunArguments& arguments, ExitCode code, const std::string& status, const SourcePosition& position,
         const std::string& message) {
  if (arguments.json) {
    fmt::print("{}\n", run_failure_json(status, position, message, arguments.scene));
  } else {
    print_error(position, message);
  }
  return code;
}

void print_summary(const Scene& scene, const std::vector<SummaryLine>& lines, const std::vector<std::string>& files) {
  const std::string title = scene.origin.title.empty() ? scene.origin.scene_file : scene.origin.title;
  fmt::print("{}: {}, dt = {}\n", title, scene.run.integrator, scene.run.dt);
  for (const SummaryLine& line : lines) {
    if (line.label != "warning") fmt::print("  {:<24}{}\n", line.label, line.value);  // those go to standard error
  }
  for (const std::string& file : files) fmt::print("  {:<24}{}\n", "wrote", file);
}

int run(RunArguments arguments) {
  std::vector<std::string> files;
  try {
    arguments.scene = find_scene(arguments.scene);
    const Scene scene = load_scene(arguments.scene, arguments.overrides);
    const std::filesystem::path folder = arguments.out;
    std::error_code trouble;
    std::filesystem::create_directories(folder, trouble);
    if (trouble) throw FileError(fmt::format("{}: cannot make the folder ({})", arguments.out, trouble.message()));
    const std::filesystem::path stem = folder / std::filesystem::path(arguments.scene).stem();
    const std::filesystem::path recording_file = (stem.string() + ".h5"), page_file = (stem.string() + ".html");

    for (const std::filesystem::path& file : {recording_file, page_file}) {
      if (std::filesystem::equivalent(file, arguments.scene, trouble)) {
        throw InputError({arguments.scene, 0, 0},
                         "the scene would be overwritten by its own results; rename it to end in .toml, or give --out");
      }
    }
    if (arguments.report && std::filesystem::is_regular_file(page_file, trouble))
      std::filesystem::remove(page_file, trouble);  // no old page beside a new recording
    RunSummary summary;
    {
      Recording recording(recording_file.lexically_normal(), *scene.system, scene.origin, scene.run, scene.start.t);
      files.push_back(recording_file.lexically_normal().string());
      ProgressBar bar(!arguments.quiet && !arguments.json);
      std::signal(SIGINT, on_interrupt);
      std::signal(SIGTERM, on_interrupt);
      std::signal(SIGHUP, on_interrupt);
      summary = simulate(
          *scene.system, scene.start, scene.run, &recording, [&](const Progress& progress) { bar.show(progress); },
          &interrupted);
    }
    const std::vector<SummaryLine> lines = describe_run(summary);
    bool page_failed = false;
    if (arguments.report) {
      try {
        write_report(recording_file, lines, page_file);
        files.push_back(page_file.lexically_normal().string());
      } catch (const FileError& error) {  // the recording is complete: say so
        page_failed = true;
        summary.status = "failed";
        summary.message = error.what();
      }
    }
    if (arguments.json) {
      fmt::print("{}\n", run_json(scene, summary, files));
    } else {
      if (summary.status == "failed") print_error({arguments.scene, 0, 0}, summary.message);
      if (!arguments.quiet) {
        if (summary.status == "interrupted") fmt::print("{}\n", summary.message);
        print_summary(scene, lines, files);
        for (const std::string& warning : summary.warnings) print_warning({arguments.scene, 0, 0}, warning);
      }
    }
    if (page_failed) return kFileTrouble;
    if (summary.status == "interrupted") return kInterrupted;
    return summary.status == "ok" ? kFine : kNumericalFailure;
  } catch (const InputError& error) {
    return fail(arguments, kBadInput, "bad_input", error.position(), error.what());
  } catch (const FileError& error) {
    return fail(arguments, kFileTrouble, "failed", {}, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(arguments, kFileTrouble, "failed", {}, error.what());
  } catch (const std::bad_alloc&) {
    return fail(arguments, kNumericalFailure, "failed", {}, "not enough memory");
  }
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  command->footer(
      "Writes SCENE.h5 (the recording) and SCENE.html (a page to open in a browser) and prints a summary.\n\n"
      "Examples:\n"
      "  tippe run woodpecker\n"
      "  tippe run scenes/woodpecker.toml --dt 1e-4 --until 2 --out results\n"
      "  tippe run scenes/bouncing_ball.toml --set epsilon=0.8 --json\n\n"
      "Exit codes: 0 fine, 2 bad scene or usage, 3 numerical failure (what was computed is safe on disk),\n"
      "4 a file cannot be written, 130 interrupted.");
  add_scene_options(*command, arguments->scene, arguments->overrides);
  command->add_option("--out", arguments->out, "Folder for the results (default: this one); made if missing")
      ->type_name("DIR");
  command->add_flag("--report,!--no-report", arguments->report, "Write the HTML page (default), or not");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the summary, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace tippe::cli
