// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/guarded.h"
#include "cli/json_output.h"
#include "cli/message.h"
#include "cli/reached_instant.h"
#include "tippe/exchange/instant_file.h"
#include "tippe/hybrid/resolved_modes.h"
#include "tippe/report/modes_report.h"

namespace tippe::cli {
namespace {

constexpr ModeOptions kWithReasons{.rejected = true};

struct ModesArguments {
  std::string file;
  SceneOverrides overrides;
  std::optional<std::string> time;  // s  of a scene; absent: its start
  bool json = false;
};

std::vector<std::string> names_of(const std::vector<std::string>& given, Eigen::Index count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(coordinate_name(given, i));
  return names;
}

ModesReport::Part impact_part(const ImpactProblem& impact) {
  const AccelerationProblem rows{impact.M, impact.velocity, impact.unilateral, impact.bilateral, impact.coordinates};
  return {list_impact_modes(impact, kWithReasons), names_of(impact.coordinates, impact.velocity.size()),
          force_names(rows, {})};
}

/// Modes know each contact's own restitution only.
ImpactProblem without_couplings(ImpactProblem impact, ModesReport& report) {
  const Eigen::MatrixXd own = impact.restitution.diagonal().asDiagonal();
  if (impact.restitution != own)
    report.notes.push_back(
        "the restitution matrix couples contacts: the modes are those with its diagonal alone; analyze tells what the "
        "matrix does");
  impact.restitution = own;
  return impact;
}

/// With derivatives of the system, which decide ties.
ModesReport::Part motion_part(const System& system, const State& state, const Instant& instant) {
  const AccelerationProblem& problem = *instant.acceleration;
  ResolvedModes modes = resolved_modes(system, state, instant, kWithReasons);
  return {std::move(modes.list), names_of(problem.coordinates, problem.n()), std::move(modes.forces)};
}

/// Of a problem, which has none.
ModesReport::Part motion_part(const Instant& instant) {
  const AccelerationProblem& problem = *instant.acceleration;
  return {list_motion_modes(problem, instant.dry, kWithReasons), names_of(problem.coordinates, problem.n()),
          force_names(problem, instant.dry)};
}

/// The outcome that loses least energy.
const ConsistentMode& default_outcome(const ModeList& list) {
  return *std::max_element(list.modes.begin(), list.modes.end(), [](const ConsistentMode& a, const ConsistentMode& b) {
    return a.energy_change < b.energy_change;
  });
}

void take_notes(const Instant& instant, ModesReport& report) {
  for (const std::string& note : instant.notes) {
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) report.notes.push_back(note);
  }
}

/// The motion after an impact, from the velocities that it leaves.
void follow_impact(const System& system, State state, const InstantOptions& options, ModesReport& report) {
  const ModeList& outcomes = report.impact->list;
  if (outcomes.modes.empty()) return;
  const ConsistentMode& outcome = default_outcome(outcomes);
  if (outcomes.modes.size() > 1) {
    std::string words;
    for (size_t c = 0; c < outcome.contacts.size(); ++c)
      words += fmt::format("{}{} {}", c == 0 ? "" : ", ", outcomes.contacts[c], name_of(outcome.contacts[c]));
    report.notes.push_back(fmt::format("the motion is that after the outcome that loses least energy: {}", words));
  }
  state.u = outcome.motion;
  const Instant after = instant_of(system, state, options);
  take_notes(after, report);
  if (after.acceleration)
    report.motion = motion_part(system, state, after);
  else
    report.notes.push_back("after the impact contacts still approach each other: another impact follows");
}

ModesReport modes_of_scene(const ModesArguments& arguments) {
  const ReachedInstant reached = reach_instant(arguments.file, arguments.overrides, arguments.time, !arguments.json);
  InstantOptions options = reached.options();
  options.dry_apart = true;
  const System& system = *reached.scene.system;
  const Instant instant = instant_of(system, reached.state, options);
  ModesReport report{arguments.file, reached.scene.origin.title, reached.state.t, {}, {}, reached.notes};
  take_notes(instant, report);
  if (instant.impact) {
    if (system.impact_law() != ImpactLaw::kNewton)
      report.notes.push_back("the modes of the impact are those of Newton's law, not of the impact law of the scene");
    report.impact = impact_part(without_couplings(*instant.impact, report));
    follow_impact(system, reached.state, options, report);
  } else {
    report.motion = motion_part(system, reached.state, instant);
  }
  return report;
}

ModesReport modes_of_problem(const ModesArguments& arguments) {
  require_no_scene_options(arguments.file, arguments.time, arguments.overrides);
  const Instant instant = load_instant(arguments.file);
  ModesReport report{arguments.file, instant.title, {}, {}, {}, instant.notes};
  if (instant.impact) report.impact = impact_part(without_couplings(*instant.impact, report));
  if (instant.acceleration) report.motion = motion_part(instant);
  if (instant.impact && instant.acceleration)
    report.notes.push_back(
        "a problem has one set of contacts: the motion is that with all of them, not that after the impact");
  const auto tied = [](const std::optional<ModesReport::Part>& part) {
    return part && std::any_of(part->list.modes.begin(), part->list.modes.end(),
                               [](const ConsistentMode& mode) { return !mode.ties.empty(); });
  };
  if (tied(report.motion)) report.notes.push_back("ties are undecided: a problem has no higher derivatives");
  return report;
}

int fail(const ModesArguments& arguments, ExitCode code, const std::string& status, const SourcePosition& position,
         const std::string& message) {
  if (arguments.json) {
    fmt::print("{}\n", modes_failure_json(status, position, message, arguments.file));
  } else {
    print_error(position, message);
  }
  return code;
}

int do_modes(ModesArguments& arguments) {
  try {
    arguments.file = find_scene_or_problem(arguments.file);
    const ModesReport report = is_instant_file(arguments.file) ? modes_of_problem(arguments) : modes_of_scene(arguments);
    if (arguments.json)
      fmt::print("{}\n", modes_json(report));
    else
      fmt::print("{}", printable(modes_text(report)));
    return kFine;
  } catch (const RunFailure& failure) {
    return fail(arguments, failure.code, failure.status, {arguments.file, 0, 0}, failure.message);
  }
}

int list_and_print(ModesArguments arguments) {
  return guarded([&] { return do_modes(arguments); },
                 [&](auto code, const char* status, const SourcePosition& position, const std::string& message) {
                   return fail(arguments, code, status, position, message);
                 });
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
