// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/search_line.h"
#include "tippe/report/orbit_report.h"
#include "tippe/study/branch_report.h"
#include "tippe/study/scene_orbit.h"
#include "tippe/sweep/sweep_file.h"

namespace tippe::cli {
namespace {

struct OrbitArguments {
  std::string scene;
  SceneOverrides overrides;
  std::string section;
  int returns = 0;
  double seconds = 60.0;
  std::string branch;     // "mu=0.3:3"
  bool switches = false;  // to doubled orbits
  std::string over;       // a sweep
  std::string out = ".";
  bool json = false;
  bool quiet = false;
};

int do_orbit(OrbitArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  arguments.overrides.integrator = "event-driven";
  const Scene scene = load_scene(arguments.scene, arguments.overrides);
  OrbitOptions options{.section = arguments.section, .returns = arguments.returns, .seconds = arguments.seconds};
  options.interrupt = &catch_interrupts();
  const PeriodicOrbit orbit = [&] {
    SearchLine line(!arguments.quiet);
    options.tell = [&](const std::string& doing) { line.show(doing); };
    return find_orbit_of(scene, options);
  }();
  if (arguments.json) {
    print_out("{}\n", orbit_json(*scene.system, scene.origin, orbit));
  } else if (!arguments.quiet) {
    print_out("{}", printable(orbit_text(*scene.system, scene.origin, orbit)));
  }
  if (orbit.status == PeriodicOrbit::Status::kConverged) return kFine;
  if (!arguments.json) print_error({arguments.scene, 0, 0}, orbit.message);
  return orbit.status == PeriodicOrbit::Status::kInterrupted ? kInterrupted : kNumericalFailure;
}

/// The points of the section of a sweep over the parameter of the branches.
BranchBackground background_of(const OrbitArguments& arguments, const BranchRequest& request) {
  if (arguments.over.empty()) return {};
  const auto json = [&](const std::string& message) {
    return failure_json(Answer::kBranch, {kFileTrouble, {}, message}, arguments.scene);
  };
  const DamageGuard guard = arguments.json ? DamageGuard::for_file(arguments.over, kFileTrouble, json)
                                           : DamageGuard::for_file(arguments.over, kFileTrouble);
  const RecordedSweep sweep = read_sweep(arguments.over);
  SweepTable table = read_sweep_section(arguments.over);
  const SweepTable runs = read_sweep_runs(arguments.over);
  const auto parameter = std::find(runs.names.begin(), runs.names.end(), request.parameter);
  const auto run = std::find(table.names.begin(), table.names.end(), "run");
  if (sweep.request.section.empty() || parameter == runs.names.end() || run == table.names.end())
    throw InputError({arguments.over, 0, 0},
                     fmt::format("is no sweep over '{}' with points of a section", request.parameter));
  BranchBackground background{{request.parameter}, {}};
  background.names.insert(background.names.end(), table.names.begin(), table.names.end());
  for (size_t row = 0; row < table.values.size(); row += table.names.size()) {
    const double number = table.values[row + static_cast<size_t>(run - table.names.begin())];
    const size_t count = runs.values.size() / runs.names.size();
    if (!(number >= 0.0 && number < static_cast<double>(count)))
      throw FileError(fmt::format("{}: is damaged: its section has points of a run that there is not", arguments.over));
    background.values.push_back(
        runs.values[static_cast<size_t>(number) * runs.names.size() + static_cast<size_t>(parameter - runs.names.begin())]);
    background.values.insert(background.values.end(), table.values.begin() + static_cast<std::ptrdiff_t>(row),
                             table.values.begin() + static_cast<std::ptrdiff_t>(row + table.names.size()));
  }
  return background;
}

std::vector<std::string> write_branches(const SceneBranches& branches, const BranchBackground& background,
                                        const OrbitArguments& arguments) {
  std::error_code trouble;
  std::filesystem::create_directories(arguments.out, trouble);
  if (trouble) throw FileError(fmt::format("{}: cannot make the folder ({})", arguments.out, trouble.message()));
  const std::filesystem::path stem =
      std::filesystem::path(arguments.out) / (std::filesystem::path(arguments.scene).stem().string() + "-branch");
  std::vector<std::string> files;
  for (const char* kind : {".h5", ".csv", ".html"})
    files.push_back(std::filesystem::path(stem.string() + kind).lexically_normal());
  write_branch_file(branches, files[0]);
  std::ofstream csv(files[1], std::ios::binary);
  csv << branch_csv(branches);
  csv.close();
  if (!csv) throw FileError(fmt::format("{}: cannot be written", files[1]));
  write_branch_page(branches, background, files[2]);
  return files;
}

int do_continue(OrbitArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  const BranchRequest request = parse_branch(arguments.branch);
  const BranchBackground background = background_of(arguments, request);
  arguments.overrides.integrator = "event-driven";
  const std::string text = load_scene(arguments.scene, arguments.overrides).origin.scene_text;
  OrbitOptions orbit{.section = arguments.section, .returns = arguments.returns, .seconds = arguments.seconds};
  BranchOptions options{.switch_at_flips = arguments.switches};
  orbit.interrupt = options.interrupt = &catch_interrupts();
  const SceneBranches branches = [&] {
    SearchLine line(!arguments.quiet);
    orbit.tell = [&](const std::string& doing) { line.show(doing); };
    options.tell = [&](double parameter, size_t points) {
      line.show(fmt::format("{} = {:.6g}, {} orbits", request.parameter, parameter, points));
    };
    return follow_branch_of(text, arguments.scene, arguments.overrides, request, orbit, options);
  }();
  std::vector<std::string> files;
  if (!branches.found.branches.empty()) files = write_branches(branches, background, arguments);
  if (arguments.json) {
    print_out("{}\n", branch_json(branches, files));
  } else if (!arguments.quiet) {
    print_out("{}", printable(branch_text(branches)));
    for (const std::string& file : files) print_out("wrote {}\n", file);
  }
  if (branches.found.status == PeriodicOrbit::Status::kConverged) return kFine;
  if (!arguments.json) print_error({arguments.scene, 0, 0}, branches.found.message);
  return branches.found.status == PeriodicOrbit::Status::kInterrupted ? kInterrupted : kNumericalFailure;
}

int find_and_print(OrbitArguments arguments) {
  const bool follows = !arguments.branch.empty();
  return guarded([&] { return follows ? do_continue(arguments) : do_orbit(arguments); },
                 {follows ? Answer::kBranch : Answer::kOrbit, arguments.json, arguments.scene});
}

}  // namespace

void add_orbit_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<OrbitArguments>();
  CLI::App* command = app.add_subcommand("orbit", "Find a periodic orbit of a scene, and whether it is stable");
  command->footer(
      "Simulates event by event until the end time, takes close returns to a section (the states after one sort of event)\n"
      "and improves them by Newton's method. Tells period, multipliers, drift and the events of one period.\n"
      "Without --continue it writes no files.\n\n"
      "Examples:\n"
      "  tippe orbit woodpecker\n"
      "  tippe orbit woodpecker --section \"impact:beak\" --json\n"
      "  tippe orbit vibrating_table --set A=0.003 --returns 1    an unstable one\n"
      "  tippe orbit woodpecker --continue mu=0.3:3               the branch of orbits over a parameter\n\n"
      "Exit codes: 0 found, stable or not, 2 bad scene or usage, 3 none found, 4 the file cannot be read, 130 interrupted.");
  add_scene_and_parameters(*command, arguments->scene, arguments->overrides);
  command
      ->add_option(
          "--section", arguments->section,
          "The event whose returns are looked at, KIND:LAW with KIND impact, touch, slip to stick, slip reversal or "
          "accumulation, or stroboscopic; default: the one that recurs most closely")
      ->type_name("EVENT");
  command->add_option("--returns", arguments->returns, "To the section in one period; default: as the motion suggests")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1'000'000'000));
  command
      ->add_option("--seconds", arguments->seconds,
                   "On the clock after which a search that found nothing ends and says what it tried, half of them for the "
                   "simulation; default 60, 0: as long as it takes")
      ->type_name("NUMBER")
      ->check(CLI::NonNegativeNumber);
  CLI::Option* branch =
      command->add_option("--continue", arguments->branch,
                          "Follow the orbit over a parameter, through folds, and name where it loses stability; writes "
                          "SCENE-branch.h5, .csv and .html");
  branch->type_name("NAME=FROM:TO");
  command->add_flag("--switch", arguments->switches, "Follow the orbits of twice the period too, at every flip")
      ->needs(branch);
  command
      ->add_option("--over", arguments->over,
                   "Draw the branches over the points of a section of this sweep over the same parameter, on the page")
      ->type_name("SWEEP.h5")
      ->needs(branch);
  command->add_option("--out", arguments->out, "Folder for the results of --continue (default: this one); made if missing")
      ->type_name("DIR")
      ->needs(branch);
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the text, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] { exit_code = find_and_print(*arguments); });
}

}  // namespace tippe::cli
