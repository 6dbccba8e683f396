// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tippe/hybrid/orbit_branch.h"
#include "tippe/scene/scene.h"

namespace tippe {

/// Where a branch of periodic orbits is asked for.
struct BranchRequest {
  std::string parameter;
  double from = 0.0, to = 0.0;
};

/// "mu=0.3:3": a parameter of the scene and its first and last value. Throws InputError for anything else.
[[nodiscard]] BranchRequest parse_branch(const std::string& text);

/// The branch of a scene over a parameter, and the orbit that it begins with.
struct SceneBranches {
  BranchRequest request;
  std::shared_ptr<const Scene> scene;  // at the first value
  PeriodicOrbit orbit;
  OrbitBranches found;  // nothing if there is no orbit to begin with
};

/// Finds the orbit at the first value as find_orbit_of() does, and follows it. The end points of `options` are those of the request.
[[nodiscard]] SceneBranches follow_branch_of(const std::string& text, const std::string& file, SceneOverrides overrides,
                                             const BranchRequest& request, OrbitOptions orbit_options,
                                             BranchOptions options);

}  // namespace tippe
