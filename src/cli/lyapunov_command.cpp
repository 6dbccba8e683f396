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
#include "tippe/report/lyapunov_report.h"
#include "tippe/study/scene_orbit.h"

namespace tippe::cli {
namespace {

struct LyapunovArguments {
  std::string scene;
  SceneOverrides overrides;
  double transient = -1.0;  // s
  int most = 0;
  bool json = false;
  bool quiet = false;
};

int do_lyapunov(LyapunovArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  arguments.overrides.integrator = "event-driven";
  const Scene scene = load_scene(arguments.scene, arguments.overrides);
  LyapunovOptions options{.most = arguments.most, .interrupt = &catch_interrupts()};
  const LyapunovSpectrum spectrum = [&] {
    SearchLine line(!arguments.quiet);
    options.tell = [&](double t) { line.show(fmt::format("t = {:.6g} of {:.6g}", t, scene.run.until)); };
    return find_lyapunov_exponents_of(scene, arguments.transient, options);
  }();
  if (arguments.json) {
    print_out("{}\n", lyapunov_json(scene.origin, spectrum));
  } else if (!arguments.quiet) {
    print_out("{}", printable(lyapunov_text(scene.origin, spectrum)));
  }
  if (spectrum.status == LyapunovSpectrum::Status::kMeasured) return kFine;
  if (!arguments.json) print_error({arguments.scene, 0, 0}, spectrum.message);
  return spectrum.status == LyapunovSpectrum::Status::kInterrupted ? kInterrupted : kNumericalFailure;
}

int find_and_print(LyapunovArguments arguments) {
  return guarded([&] { return do_lyapunov(arguments); }, {Answer::kLyapunov, arguments.json, arguments.scene});
}

}  // namespace

void add_lyapunov_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<LyapunovArguments>();
  CLI::App* command = app.add_subcommand("lyapunov", "Measure how fast nearby motions part or meet");
  command->footer(
      "Simulates event by event, with the linearised motion and its jumps at events, and prints the Lyapunov exponents: "
      "one\n"
      "for each direction of positions and velocities, -infinity where impacts or sticking destroy it. Writes no files.\n\n"
      "Examples:\n"
      "  tippe lyapunov vibrating_table\n"
      "  tippe lyapunov vibrating_table --set A=0.0031 --until 200 --transient 20 --most 1\n\n"
      "Exit codes: 0 measured, 2 bad scene or usage, 3 the simulation failed or the motion has no derivative, 4 the file\n"
      "cannot be read, 130 interrupted (the exponents are those until then).");
  add_scene_and_parameters(*command, arguments->scene, arguments->overrides);
  command
      ->add_option("--transient", arguments->transient, "s from the start that are not measured; default: half of the time")
      ->type_name("NUMBER")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--most", arguments->most, "So many exponents, the largest; default: all")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the text, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] { exit_code = find_and_print(*arguments); });
}

}  // namespace tippe::cli
