// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/find_scene.h"
#include "cli/json_output.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/scene_options.h"
#include "tippe/contact/start_report.h"
#include "tippe/core/suggest.h"
#include "tippe/integrate/constraint_names.h"

namespace tippe::cli {
namespace {

struct CheckArguments {
  std::string scene;
  SceneOverrides overrides;
  bool json = false;
  bool quiet = false;
};

void print_line(const std::string& label, const std::string& value) {
  print_out("  {:<23} {}\n", label, value);
}

/// "3: 2 contact, 1 one_way", or "none".
std::string describe_laws(const System& system) {
  if (system.laws().empty()) return "none";
  std::map<std::string, int> counts;
  for (const ForceLaw& law : system.laws()) ++counts[name_of(law.kind)];
  std::string list;
  for (const auto& [kind, count] : counts) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, kind);
  return fmt::format("{}: {}", system.laws().size(), list);
}

/// "closed, gap 0, closing with 1.5, slip 0.2".
std::string describe_law(const ForceLaw& law, const LawAtStart& at_start, double allowed_penetration) {
  std::string text = name_of(at_start.status);
  switch (law.kind) {
    case ForceLaw::Kind::kContact:
      text += fmt::format(", gap {:.6g}", at_start.gap);
      if (at_start.status == LawAtStart::Status::kOpen) return text;
      if (at_start.status == LawAtStart::Status::kPenetrating)
        text += fmt::format(" (allowed: {:.6g})", allowed_penetration);
      text += at_start.closing == 0.0 ? ", at rest"
                                      : fmt::format(", {} with {:.6g}", at_start.closing > 0.0 ? "closing" : "opening",
                                                    std::abs(at_start.closing));
      if (law.rows > 1) text += fmt::format(", slip {:.6g}", at_start.speed);
      return text;
    case ForceLaw::Kind::kOneWay:
      return text + fmt::format(", velocity {:.6g}", 0.0 - at_start.closing);
    case ForceLaw::Kind::kDryFriction:
      return at_start.status == LawAtStart::Status::kAtRest ? text : text + fmt::format(", speed {:.6g}", at_start.speed);
  }
  return text;
}

/// "position, violated by 0, velocity by 1e-12"; of a row without a position its velocity alone.
std::string describe_constraint(const Constraint& constraint, double position, double velocity) {
  position += 0.0;  // no -0
  velocity += 0.0;
  return constraint.holonomic ? fmt::format("position, violated by {:.3g}, velocity by {:.3g}", position, velocity)
                              : fmt::format("velocity, violated by {:.3g}", velocity);
}

void print_constraints(const System& system, const ConstraintReport& constraints) {
  const std::vector<Constraint>& rows = system.constraints();
  if (rows.empty()) return;
  const auto positions = std::count_if(rows.begin(), rows.end(), [](const Constraint& row) { return row.holonomic; });
  print_line("bilateral", fmt::format("{}: {} position, {} velocity", rows.size(), positions,
                                      static_cast<std::ptrdiff_t>(rows.size()) - positions));
  for (size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    print_line("  " + rows[k].name, describe_constraint(rows[k], constraints.position[row], constraints.velocity[row]));
  }
  const RankDecision& rank = constraints.rank;
  const std::string dropped =
      rank.redundant() ? fmt::format(", largest dropped {:.3g}", rank.largest_dropped) : std::string();
  print_line("rank", fmt::format("{} of {}; singular values: smallest kept {:.3g}{}, cut-off {:.3g}", rank.rank, rank.rows,
                                 rank.smallest_kept, dropped, rank.cutoff));
  if (rank.redundant()) {
    print_line("redundant", fmt::format("{}: the motion is unique, their forces are not",
                                        name_constraints(system, constraints.redundant_rows)));
  }
}

/// "7: top.x, top.y, ..."; only the first ones of many.
std::string describe_names(std::vector<std::string> names) {
  constexpr size_t kMostListed = 40;
  const size_t count = names.size();
  if (count > kMostListed) names.resize(kMostListed);
  return fmt::format("{}: {}{}", count, comma_list(names), count > kMostListed ? ", ..." : "");
}

/// The names before the dot of their coordinates, in order.
std::vector<std::string> body_names(const System& system) {
  std::vector<std::string> names;
  for (const std::string& coordinate : system.coordinate_names()) {
    const size_t dot = coordinate.find('.');
    if (dot == std::string::npos) continue;
    const std::string name = coordinate.substr(0, dot);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

/// What a run would begin with and its author may not have meant.
std::vector<std::string> inconsistencies(const System& system, const StartReport& start) {
  std::vector<std::string> found;
  for (const LawAtStart& at_start : start.laws) {
    const std::string name = system.law_name(at_start.id);
    if (at_start.status == LawAtStart::Status::kViolated) {
      found.push_back(fmt::format("'{}' starts with the forbidden velocity {:.6g}; the first step stops it by an impact",
                                  name, -at_start.closing));
    } else if (at_start.impacts()) {
      found.push_back(fmt::format("'{}' starts closed and closing with {:.6g}; the first step begins with an impact", name,
                                  at_start.closing));
    }
  }
  return found;
}

/// "12 closed, 3 penetrating by up to 1e-6, 4 that begin with an impact; the worst:".
std::string describe_found(const FoundAtStart& found) {
  std::string text = fmt::format("{} closed, {} penetrating", found.closed, found.penetrating);
  if (found.penetrating > 0) text += fmt::format(" by up to {:.6g}", -found.deepest);
  if (found.closing > 0) text += fmt::format(", {} that begin with an impact", found.closing);
  const size_t count = static_cast<size_t>(found.closed) + static_cast<size_t>(found.penetrating);
  return count > StartReport::kMostFound ? text + fmt::format("; the worst {}:", StartReport::kMostFound) : text;
}

void print_report(const Scene& scene, const StartReport& start, const ConstraintReport& constraints) {
  const System& system = *scene.system;
  print_out("{}: can run\n", scene.origin.title.empty() ? scene.origin.scene_file : scene.origin.title);
  print_line("scene", scene.origin.scene_file);
  const bool takes_dt = find_integrator(scene.run.integrator)->takes_dt;
  const std::string steps =
      !takes_dt ? fmt::format("tolerance {},", scene.run.integrator_options.tolerance)
      : scene.run.adaptive()
          ? fmt::format("first step {}, tolerance {},", scene.run.dt, scene.run.integrator_options.tolerance)
          : fmt::format("dt = {}, {} steps", scene.run.dt, scene.run.steps_from(scene.start.t));
  print_line("run", fmt::format("{}, {} from t = {} to {}", scene.run.integrator, steps, scene.start.t, scene.run.until));
  if (const std::vector<std::string> bodies = body_names(system); !bodies.empty())
    print_line("bodies", describe_names(bodies));
  print_line("coordinates", describe_names(system.coordinate_names()));
  print_line("mass matrix",
             fmt::format("{}, {} of {} entries not zero{}", system.constant_mass() ? "constant" : "varying",
                         start.mass_entries, system.nu() * system.nu(),
                         constraints.mass_is_singular ? "; singular: bilateral constraints hold what has no mass" : ""));
  print_constraints(system, constraints);
  print_line("laws", describe_laws(system));
  if (start.found) print_line("found contacts", describe_found(*start.found));
  for (const LawAtStart& law : start.laws)
    print_line("  " + system.law_name(law.id),
               describe_law(system.laws()[static_cast<size_t>(law.law)], law, scene.run.initial_penetration));
  if (const RestitutionMatrix* matrix = system.restitution_matrix()) {
    std::vector<std::string> names;
    for (const int i : matrix->laws) names.push_back(system.laws()[static_cast<size_t>(i)].name);
    print_line("restitution matrix", comma_list(names));
  }
  print_line("energy at the start",
             fmt::format("{:.6g} = kinetic {:.6g} + potential {:.6g}", start.energies.kinetic + start.energies.potential,
                         start.energies.kinetic, start.energies.potential));
  for (const std::string& note : scene.run.notes) print_line("note", note);
  for (const IntegratorInfo& info : integrators()) {
    const std::string misfit = info.misfit(system);
    print_line("integrator " + info.name, misfit.empty() ? "fits" : "does not fit: " + misfit);
  }
}

int do_check(CheckArguments& arguments) {
  arguments.scene = find_scene(arguments.scene);
  const Scene scene = load_scene(arguments.scene, arguments.overrides);
  const StartReport start = report_start(*scene.system, scene.start, scene.run.integrator_options.closed_tolerance);
  const ConstraintReport constraints = report_constraints(*scene.system, scene.start);
  const std::vector<std::string> warnings = inconsistencies(*scene.system, start);
  if (arguments.json) {
    print_out("{}\n", check_json(scene, start, constraints, warnings));
  } else if (!arguments.quiet) {
    print_report(scene, start, constraints);
    for (const std::string& warning : warnings) print_warning({arguments.scene, 0, 0}, warning);
  }
  return kFine;
}

int check(CheckArguments arguments) {
  return guarded([&] { return do_check(arguments); }, {Answer::kCheck, arguments.json, arguments.scene});
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Read and check a scene without running it");
  command->footer(
      "Tells the size of the system, where each law starts (open, closed, penetrating; closing speeds), which bilateral\n"
      "constraints are redundant, the energies, and which integrators fit. Writes no files.\n\n"
      "Examples:\n"
      "  tippe check woodpecker\n"
      "  tippe check scenes/incline.toml --set mu=0.1 --json\n\n"
      "Exit codes: 0 it can run, 2 bad scene or usage, 4 the file cannot be read.");
  add_scene_options(*command, arguments->scene, arguments->overrides);
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the report, also on failure");
  command->add_flag("--quiet", arguments->quiet, "Print errors only");
  command->callback([arguments, &exit_code] { exit_code = check(*arguments); });
}

}  // namespace tippe::cli
