// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/search_line.h"
#include "tippe/report/orbit_report.h"
#include "tippe/study/scene_orbit.h"

namespace tippe::cli {
namespace {

struct OrbitArguments {
  std::string scene;
  SceneOverrides overrides;
  std::string section;
  int returns = 0;
  bool json = false;
  bool quiet = false;
};

int do_orbit(OrbitArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  arguments.overrides.integrator = "event-driven";
  const Scene scene = load_scene(arguments.scene, arguments.overrides);
  OrbitOptions options{.section = arguments.section, .returns = arguments.returns};
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

int find_and_print(OrbitArguments arguments) {
  return guarded([&] { return do_orbit(arguments); }, {Answer::kOrbit, arguments.json, arguments.scene});
}

}  // namespace

void add_orbit_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<OrbitArguments>();
  CLI::App* command = app.add_subcommand("orbit", "Find a periodic orbit of a scene, and whether it is stable");
  command->footer(
      "Simulates event by event until the end time, takes close returns to a section (the states after one sort of event)\n"
      "and improves them by Newton's method. Tells period, multipliers, drift and the events of one period. Writes no "
      "files.\n\n"
      "Examples:\n"
      "  tippe orbit woodpecker\n"
      "  tippe orbit woodpecker --section \"impact:beak\" --json\n"
      "  tippe orbit vibrating_table --set A=0.003 --returns 1    an unstable one\n\n"
      "Exit codes: 0 found, stable or not, 2 bad scene or usage, 3 none found, 4 the file cannot be read, 130 interrupted.");
  add_scene_and_parameters(*command, arguments->scene, arguments->overrides);
  command
      ->add_option(
          "--section", arguments->section,
          "The event whose returns are looked at, KIND:LAW with KIND impact, touch, slip to stick, slip reversal or "
          "accumulation; default: the one that recurs most closely")
      ->type_name("EVENT");
  command->add_option("--returns", arguments->returns, "To the section in one period; default: as the motion suggests")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the text, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] { exit_code = find_and_print(*arguments); });
}

}  // namespace tippe::cli
