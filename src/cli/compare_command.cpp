// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
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
#include "cli/text_output.h"
#include "tippe/report/comparison.h"
#include "tippe/report/page.h"
#include "tippe/scene/scene.h"

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

int fail(const CompareArguments& arguments, ExitCode code, const std::string& status, const SourcePosition& position,
         const std::string& message) {
  if (arguments.json) {
    fmt::print("{}\n", compare_failure_json(status, position, message, arguments.scene));
  } else {
    print_error(position, message);
  }
  return code;
}

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

/// All runs, checked: nothing of them can be refused later.
struct Plan {
  Scene scene;  // of the first run
  std::vector<SceneOverrides> overrides;
  std::vector<RunOptions> runs;
  CommonTimes times;
};

Scene load_combination(const CompareArguments& arguments, const SceneOverrides& overrides) {
  try {
    return load_scene(arguments.scene, overrides);
  } catch (const InputError& error) {
    const std::string message = error.what();  // it names the option of `run`
    if (constexpr std::string_view kOption = "--integrator:"; message.starts_with(kOption))
      throw InputError(error.position(), "--integrators:" + message.substr(kOption.size()));
    throw;
  }
}

/// Those that were asked for, else all that fit: the scene's own first.
std::vector<std::string> choose_integrators(const CompareArguments& arguments) {
  if (arguments.integrators) return split_list("--integrators", *arguments.integrators);
  const Scene scene = load_scene(arguments.scene, arguments.overrides);
  std::vector<std::string> names = fitting_integrators(*scene.system);
  const auto own = std::find(names.begin(), names.end(), scene.run.integrator);
  std::rotate(names.begin(), own, own + 1);
  return names;
}

void add_combination(const CompareArguments& arguments, const std::string& integrator, const std::string* dt, Plan& plan) {
  SceneOverrides overrides = arguments.overrides;
  overrides.integrator = integrator;
  if (dt != nullptr) overrides.dt = *dt;
  Scene scene = load_combination(arguments, overrides);
  for (const RunOptions& run : plan.runs) {
    if (run.integrator != integrator) continue;
    if (run.adaptive()) return;  // one run for all steps: it chooses its own
    if (run.dt == scene.run.dt) {
      throw InputError(
          {}, fmt::format("the run with {} and dt = {} is asked for twice in --integrators and --dt", integrator, run.dt));
    }
  }
  plan.overrides.push_back(overrides);
  plan.runs.push_back(scene.run);
  if (plan.runs.size() == 1) plan.scene = std::move(scene);
}

Plan make_plan(const CompareArguments& arguments) {
  Plan plan;
  std::vector<std::string> steps;
  if (arguments.steps) steps = split_list("--dt", *arguments.steps);
  for (const std::string& integrator : choose_integrators(arguments)) {
    if (steps.empty()) add_combination(arguments, integrator, nullptr, plan);
    for (const std::string& dt : steps) add_combination(arguments, integrator, &dt, plan);
  }
  // A page of about 10 MB at most, and no curve without detail.
  constexpr size_t kMostNumbers = 1'000'000, kFewestTimes = 500, kMostTimes = 5000;
  const size_t at_each_time = plan.runs.size() * Comparison::width(*plan.scene.system, plan.scene.run);
  const size_t most = std::clamp(kMostNumbers / at_each_time, kFewestTimes, kMostTimes);
  CommonTimesChoice choice = choose_common_times(plan.runs, plan.scene.start.t, static_cast<std::int64_t>(most));
  if (!choice.problem.empty()) throw InputError({}, "--dt: " + choice.problem);
  plan.times = choice.times;
  return plan;
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

/// Runs the plan, or the first part of it if there is an interrupt; returns what was left out.
std::vector<std::string> run_plan(const Plan& plan, const CompareArguments& arguments, Comparison& comparison) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  std::vector<std::string> not_run;
  for (size_t k = 0; k < plan.runs.size(); ++k) {
    const RunOptions& options = plan.runs[k];
    const std::string label = run_label(options.integrator, options.dt);
    if (interrupted) {
      not_run.push_back(label);
      continue;
    }
    // Each run has a system of its own, as in `tippe run`: integrators add to the expressions of theirs.
    const RunOrigin& origin = plan.scene.origin;
    const Scene scene = read_scene(origin.scene_text, origin.scene_file, plan.overrides[k]);
    ProgressBar bar(!arguments.quiet && !arguments.json, fmt::format("{} of {}: {}", k + 1, plan.runs.size(), label));
    comparison.run(
        *scene.system, scene.start, options, [&](const Progress& progress) { bar.show(progress); }, &interrupted);
  }
  return not_run;
}

/// "failed" if any run did; an interrupt comes before.
std::string overall_status(const Comparison& comparison, const std::vector<std::string>& not_run) {
  const auto any = [&](const char* status) {
    return std::any_of(comparison.runs().begin(), comparison.runs().end(),
                       [&](const ComparedRun& run) { return run.summary.status == status; });
  };
  if (!not_run.empty() || any("interrupted")) return "interrupted";
  return any("failed") ? "failed" : "ok";
}

/// One sentence on runs that did not reach their end, or "".
std::string describe_status(const Comparison& comparison, const std::vector<std::string>& not_run) {
  std::vector<std::string> failed;
  std::string text;
  for (const ComparedRun& run : comparison.runs()) {
    if (run.summary.status == "interrupted") text = fmt::format("{} was {}", run.label(), run.summary.message);
    if (run.summary.status == "failed") failed.push_back(run.label() + ": " + run.summary.message);
  }
  const auto append = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (!not_run.empty()) append(fmt::format("not run: {}", fmt::join(not_run, "; ")));
  if (!failed.empty())
    append(fmt::format("{} of {} runs failed: {}", failed.size(), comparison.runs().size(), fmt::join(failed, "; ")));
  return text;
}

void print_comparison(const Comparison& comparison, const TextTable& table, const std::vector<std::string>& files) {
  const RunOrigin& origin = comparison.origin();
  fmt::print("{}: {} run{}\n", origin.title.empty() ? origin.scene_file : origin.title, comparison.runs().size(),
             comparison.runs().size() == 1 ? "" : "s");
  print_table(table);
  for (const std::string& note : table.notes) fmt::print("{}\n", note);
  for (const std::string& file : files) fmt::print("wrote {}\n", file);
}

int do_compare(CompareArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  const Plan plan = make_plan(arguments);
  const std::filesystem::path page = prepare_page(arguments);
  Comparison comparison(*plan.scene.system, plan.scene.origin, plan.scene.run, plan.times);
  const std::vector<std::string> not_run = run_plan(plan, arguments, comparison);
  const TextTable table = tabulate(comparison);
  std::string status = overall_status(comparison, not_run);
  std::string message = describe_status(comparison, not_run);
  std::vector<std::string> files;
  bool file_failed = false;
  try {
    write_page(make_comparison_page(comparison, table), page);
    files.push_back(page.string());
  } catch (const FileError& error) {  // the table is known: say so whatever happens
    file_failed = true;
    status = "failed";
    message = error.what();
  }
  if (arguments.json) {
    fmt::print("{}\n", compare_json(comparison, status, message, not_run, files));
  } else {
    const SourcePosition scene{plan.scene.origin.scene_file, 0, 0};
    if (status == "failed") print_error(scene, message);
    if (!arguments.quiet) {
      if (status == "interrupted") fmt::print("interrupted: {}\n", message);
      print_comparison(comparison, table, files);
      for (const ComparedRun& run : comparison.runs()) {
        for (const std::string& warning : run.summary.warnings) print_warning(scene, run.label() + ": " + warning);
      }
    }
  }
  if (file_failed) return kFileTrouble;
  if (status == "interrupted") return kInterrupted;
  return status == "ok" ? kFine : kNumericalFailure;
}

int compare(CompareArguments arguments) {
  return guarded([&] { return do_compare(arguments); },
                 [&](auto code, const char* status, const SourcePosition& position, const std::string& message) {
                   return fail(arguments, code, status, position, message);
                 });
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
      "4 the page cannot be written, 130 interrupted (the page holds what was computed).");
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
