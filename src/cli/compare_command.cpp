// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/scene_options.h"
#include "tippe/report/page.h"
#include "tippe/study/comparison_plan.h"

namespace tippe::cli {
namespace {

struct CompareArguments {
  std::string scene;
  SceneOverrides overrides;
  std::optional<std::string> integrators, steps;  // as given, with commas between
  std::string page;
  bool json = false;
  bool quiet = false;
};

/// The parts between commas, but not between those inside parentheses: "max(a, b), c" has two.
std::vector<std::string> split_list(const std::string& option, const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) {
    part.erase(part.find_last_not_of(' ') + 1);
    if (part.empty()) throw InputError({}, fmt::format("{}: an entry is missing in '{}'", option, text));
  }
  return parts;
}

ComparisonRequest request_of(const CompareArguments& arguments) {
  ComparisonRequest request{arguments.overrides, {}, {}};
  if (arguments.steps) request.steps = split_list("--dt", *arguments.steps);
  if (arguments.integrators) request.integrators = split_list("--integrators", *arguments.integrators);
  return request;
}

/// Where the page goes: its folder is there, an old page is not.
std::filesystem::path prepare_page(const CompareArguments& arguments) {
  const std::string name =
      arguments.page.empty() ? std::filesystem::path(arguments.scene).stem().string() + "-compare.html" : arguments.page;
  const std::filesystem::path page = std::filesystem::path(name).lexically_normal();
  std::error_code trouble;
  if (std::filesystem::equivalent(page, arguments.scene, trouble))
    throw InputError({arguments.scene, 0, 0}, "the scene would be overwritten by its own results; give another --output");
  if (page.has_parent_path()) {
    std::filesystem::create_directories(page.parent_path(), trouble);
    if (trouble)
      throw FileError(fmt::format("{}: cannot make the folder ({})", page.parent_path().string(), trouble.message()));
  }
  if (std::filesystem::is_directory(page, trouble)) throw FileError(page.string() + ": is a folder; --output names a file");
  if (std::filesystem::is_regular_file(page, trouble)) std::filesystem::remove(page, trouble);  // nothing but an old page
  return page;
}

int do_compare(CompareArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  const ComparisonPlan plan = plan_comparison(
      [&](const SceneOverrides& overrides) { return load_scene(arguments.scene, overrides); }, request_of(arguments));
  const std::filesystem::path page = prepare_page(arguments);
  std::optional<ProgressBar> bar;
  const auto show = [&](size_t run, const std::string& label) {
    bar.emplace(!arguments.quiet && !arguments.json, fmt::format("{} of {}: {}", run + 1, plan.runs.size(), label));
    return [&](const Progress& progress) { bar->show(progress); };
  };
  ComparisonOutcome outcome = run_comparison(plan, show, &catch_interrupts());
  bar.reset();
  auto& [comparison, not_run, status, message] = outcome;
  const TextTable table = tabulate(comparison);
  std::vector<std::string> files;
  bool file_failed = false;
  try {
    write_page(make_comparison_page(comparison, table), page);
    files.push_back(page.string());
  } catch (const FileError& error) {  // the table is known: say so whatever happens
    file_failed = true;
    status = RunStatus::kFailed;
    message = error.what();
  }
  if (arguments.json) {
    print_out("{}\n", comparison_json(comparison, status, message, not_run, files));
  } else {
    const SourcePosition scene{plan.scene.origin.scene_file, 0, 0};
    if (status == RunStatus::kFailed) print_error(scene, message);
    if (!arguments.quiet) {
      if (status == RunStatus::kInterrupted) print_out("interrupted: {}\n", message);
      print_out("{}", comparison_text(comparison, table));
      for (const std::string& file : files) print_out("wrote {}\n", file);
      for (const ComparedRun& run : comparison.runs()) {
        for (const std::string& warning : run.summary.warnings) print_warning(scene, run.label() + ": " + warning);
      }
    }
  }
  return file_failed ? kFileTrouble : exit_code_of(status);
}

int compare(CompareArguments arguments) {
  return guarded([&] { return do_compare(arguments); }, {Answer::kCompare, arguments.json, arguments.scene});
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Run a scene with several integrators and time steps");
  command->footer(
      "Runs all combinations, prints one table and writes SCENE-compare.html, a page with the energies, gaps and\n"
      "trajectories of all runs over each other.\n\n"
      "Examples:\n"
      "  tippe compare bouncing_ball --integrators moreau,moreau-jean --dt 1e-2,1e-3\n"
      "  tippe compare pendulum_cartesian                all integrators that fit, with the scene's step\n"
      "  tippe compare woodpecker --dt 1e-4,1e-5 --json -o results/woodpecker.html\n\n"
      "Exit codes: 0 fine, 2 bad scene or usage (nothing ran), 3 a run failed (the others are complete),\n"
      "4 a file cannot be read or written, 130 interrupted (the page holds what was computed).");
  command
      ->add_option("--integrators", arguments->integrators,
                   "With commas between; default: all that fit the scene. There are: " + integrator_list())
      ->type_name("NAMES");
  command
      ->add_option("--dt", arguments->steps,
                   "Time steps in s with commas between, numbers or expressions of parameters; default: the scene's")
      ->type_name("NUMBERS");
  add_scene_and_parameters(*command, arguments->scene, arguments->overrides);
  command
      ->add_option("-o,--output", arguments->page,
                   "The page (default: SCENE-compare.html here); its folder is made if missing")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the table, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] { exit_code = compare(*arguments); });
}

}  // namespace tippe::cli
