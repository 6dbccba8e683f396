// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/default_integrator.h"

#include <fmt/format.h>

#include "tippe/run/registry.h"

namespace tippe {
namespace {

constexpr size_t kFewLaws = 20;  // a step of the consistent schemes costs the third power of what is closed

bool fits(const System& system, const char* name) {
  return find_integrator(name)->misfit(system).empty();
}

}  // namespace

DefaultIntegrator default_integrator(const System& system) {
  const size_t laws = system.laws().size();
  if (laws == 0 && fits(system, "dopri5")) return {"dopri5", "smooth motion"};
  if (laws <= kFewLaws) {
    for (const char* name : {"consistent-2", "quaternion-2", "consistent-mq"}) {
      if (!fits(system, name)) continue;
      return {name, fmt::format("{}, and a mass matrix that {}", laws == 1 ? "one law" : fmt::format("{} laws", laws),
                                system.constant_mass() ? "is constant" : "varies")};
    }
  }
  if (!system.has_fixed_laws()) return {"moreau", "contacts are found while the bodies move"};
  if (fits(system, "moreau"))
    return {"moreau", laws > kFewLaws ? fmt::format("more than {} laws", kFewLaws) : "no consistent scheme fits"};
  return {"event-driven", "no time-stepping scheme fits"};
}

}  // namespace tippe
