// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/scene_branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "tippe/core/error.h"
#include "tippe/study/scene_orbit.h"

namespace tippe {
namespace {

std::optional<double> number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (trouble != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Initial values may be set like parameters, but no orbit depends on where a search for it begins.
void require_parameter(const std::string& name, const Scene& scene) {
  const auto is_one_of = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  const bool rate = name.ends_with('\'');
  if (name != "t" && !rate && !is_one_of(scene.system->coordinate_names()) && !is_one_of(scene.system->velocity_names()))
    return;
  throw InputError({}, fmt::format("'{}' says where the motion begins, and orbits do not depend on that; a branch follows a "
                                   "parameter of the scene",
                                   name));
}

}  // namespace

BranchRequest parse_branch(const std::string& text) {
  const size_t equal = text.find('='), colon = text.find(':', equal);
  if (equal != std::string::npos && equal > 0 && colon != std::string::npos) {
    const std::string_view all = text;
    const auto from = number_of(all.substr(equal + 1, colon - equal - 1)), to = number_of(all.substr(colon + 1));
    if (from && to && *from != *to) return {text.substr(0, equal), *from, *to};
  }
  throw InputError({},
                   fmt::format("'{}' is no branch; write a parameter with its first and last value, as 'mu=0.3:3'", text));
}

SceneBranches follow_branch_of(const std::string& text, const std::string& file, SceneOverrides overrides,
                               const BranchRequest& request, OrbitOptions orbit_options, BranchOptions options) {
  overrides.integrator = "event-driven";
  const auto read = [&](double value) {
    SceneOverrides changed = overrides;
    changed.settings.push_back(fmt::format("{}={}", request.parameter, value));
    return std::make_shared<const Scene>(read_scene(text, file, changed));
  };
  SceneBranches branches{request, read(request.from), {}, {}};
  require_parameter(request.parameter, *branches.scene);
  branches.orbit = find_orbit_of(*branches.scene, std::move(orbit_options));
  if (branches.orbit.status != PeriodicOrbit::Status::kConverged) {
    branches.found.status = branches.orbit.status;
    branches.found.message =
        fmt::format("no orbit to begin with at {} = {}: {}", request.parameter, request.from, branches.orbit.message);
    return branches;
  }
  const SystemFamily family = [&](double value) {
    const auto scene = read(value);
    return SystemAtValue{{scene, scene->system.get()}, scene->run.forcing_period};
  };
  options.from = request.from;
  options.to = request.to;
  branches.found = follow_branch(family, branches.orbit, options);
  return branches;
}

}  // namespace tippe
