// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/find_scene.h"
#include "cli/message.h"
#include "cli/output.h"
#include "tippe/core/suggest.h"
#include "tippe/run/registry.h"
#include "tippe/scene/title.h"
#include "tippe/solve/contact_solver.h"
#include "tippe/solve/lcp.h"
#include "tippe/solve/mlcp.h"

namespace tippe::cli {
namespace {

struct Entry {
  std::string name;
  std::string description;  // one line
};

std::vector<Entry> scenes() {
  std::vector<Entry> entries;
  for (const NamedScene& scene : named_scenes()) entries.push_back({scene.name, scene_title(scene.file)});
  return entries;
}

std::vector<Entry> all_integrators() {
  std::vector<Entry> entries;
  for (const IntegratorInfo& info : integrators()) entries.push_back({info.name, info.description});
  return entries;
}

/// By the keys of docs/scene.md.
std::vector<Entry> laws() {
  return {
      {"contact", "unilateral contact: gap >= 0; impact law of Newton, Poisson or Moreau with 'restitution'"},
      {"contact+slip", "the same with Coulomb friction along one 'slip', or in a plane along two, isotropic or not"},
      {"contact+spin", "the same with Coulomb-Contensou friction: force and drilling moment share one set"},
      {"contact_law", "all of these between shapes of bodies and planes, which give gap, slip and spin themselves"},
      {"one_way", "one-way clutch: velocity >= 0, always active"},
      {"dry_friction", "friction force up to a given limit against a velocity, always active"},
      {"bilateral", "constraint: 'position' = 0, or 'velocity' = 0 where it has no position; any number, redundant or not"}};
}

/// Those of contact problems, then those that only LCP and MLCP have.
std::vector<Entry> solvers() {
  std::vector<Entry> entries;
  for (const ContactMethodInfo& info : contact_methods()) entries.push_back({info.name, info.description});
  const auto add = [&](const auto& methods, const std::string& kind) {
    for (const auto& info : methods) {
      const bool listed =
          std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == info.name; });
      if (!listed) entries.push_back({info.name, fmt::format("{}: {}", kind, info.description)});
    }
  };
  add(lcp_methods(), "LCP and MLCP");
  add(mlcp_methods(), "MLCP");
  return entries;
}

struct List {
  std::string name;
  std::vector<Entry> (*entries)();
};

const std::vector<List>& lists() {
  static const std::vector<List> all = {
      {"scenes", scenes}, {"integrators", all_integrators}, {"laws", laws}, {"solvers", solvers}};
  return all;
}

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const List& list : lists()) names.push_back(list.name);
  return names;
}

int print_list(const std::string& what) {
  const auto found = std::find_if(lists().begin(), lists().end(), [&](const List& list) { return list.name == what; });
  if (found == lists().end()) {
    const std::vector<std::string> names = list_names();
    print_error(
        {}, fmt::format("there is no list of '{}'{} (there are: {})", what, did_you_mean(what, names), comma_list(names)));
    return kBadInput;
  }
  const std::vector<Entry> entries = found->entries();
  size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  for (const Entry& entry : entries) {
    if (entry.description.empty()) {
      print_out("{}\n", entry.name);
    } else {
      print_out("{:<{}}  {}\n", entry.name, width, entry.description);
    }
  }
  return kFine;
}

}  // namespace

void add_list_command(CLI::App& app, int& exit_code) {
  const auto what = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("list", "List scenes, integrators, laws or solvers");
  command->footer(
      "One line each: the name and what it is.\n\n"
      "Scenes are looked for in the folder 'scenes' below the current one, then among those installed with the program,\n"
      "then in the source tree that it was built from. 'tippe run' and 'tippe check' take these names.\n\n"
      "Exit codes: 0 fine, 2 wrong usage.");
  command->add_option("what", *what, "scenes, integrators, laws or solvers")->required()->type_name("WHAT");
  command->callback([what, &exit_code] { exit_code = print_list(*what); });
}

}  // namespace tippe::cli
