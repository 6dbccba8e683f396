// SPDX-License-Identifier: Apache-2.0
#include "cli/reached_instant.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "cli/find_scene.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/scene_options.h"

namespace tippe::cli {
namespace {

double time_of(const std::string& text) {
  double time = 0.0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), time);
  if (trouble != std::errc() || end != text.data() + text.size())
    throw ArgumentError(Argument::kTime, fmt::format("'{}' is not a number, the time in s", text));
  return time;
}

}  // namespace

ReachedInstant reach_instant(const std::string& file, const SceneOverrides& overrides,
                             const std::optional<std::string>& text, bool show_progress) {
  const std::optional<double> time = text ? std::optional(time_of(*text)) : std::nullopt;
  ProgressBar bar(show_progress);
  ReachedInstant reached =
      tippe::reach_instant([&](const SceneOverrides& changed) { return load_scene(file, changed); }, overrides, time,
                           [&](const Progress& progress) { bar.show(progress); }, &catch_interrupts());
  if (reached.status != RunStatus::kOk) throw Failure{exit_code_of(reached.status), {file, 0, 0}, reached.message};
  return reached;
}

void add_instant_options(CLI::App& command, std::optional<std::string>& time, SceneOverrides& overrides) {
  command
      .add_option_function<std::string>(
          "--time", [&time](const std::string& text) { time = text; },
          "Simulate the scene up to this time in s and judge that instant (default: its start)")
      ->type_name("NUMBER");
  add_integrator_and_step(command, overrides);
  add_parameters(command, overrides);
}

std::string find_scene_or_problem(const std::string& name) {
  std::string file = find_scene(name);
  if (std::error_code trouble; std::filesystem::is_directory(file, trouble))
    throw FileError(file, "is a folder; a scene is a .toml file, a problem a .json or .toml file");
  return file;
}

void require_no_scene_options(const std::string& file, const std::optional<std::string>& time,
                              const SceneOverrides& overrides) {
  if (time || !overrides.settings.empty() || overrides.integrator || overrides.dt)
    throw InputError({file, 0, 0}, "is a problem, not a scene: --time, --set, --integrator and --dt have no meaning for it");
}

}  // namespace tippe::cli
