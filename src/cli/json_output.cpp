// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tippe/report/json_values.h"
#include "tippe/run/registry.h"

namespace tippe::cli {
namespace {

Json bilateral_json(const System& system, const ConstraintReport& constraints) {
  Json bilateral = Json::array();
  for (Eigen::Index k = 0; k < constraints.velocity.size(); ++k) {
    const Constraint& constraint = system.constraints()[static_cast<size_t>(k)];
    const bool redundant =
        std::count(constraints.redundant_rows.begin(), constraints.redundant_rows.end(), static_cast<int>(k)) > 0;
    bilateral.push_back({{"name", constraint.name},
                         {"kind", constraint.row_key()},
                         {"position", constraint.holonomic ? number(constraints.position[k]) : Json()},
                         {"velocity", number(constraints.velocity[k])},
                         {"redundant", redundant}});
  }
  return bilateral;
}

Json rank_json(const RankDecision& rank) {
  if (rank.rows == 0) return {};
  return {{"rows", rank.rows},
          {"rank", rank.rank},
          {"smallest_kept", number(rank.smallest_kept)},
          {"largest_dropped", number(rank.largest_dropped)},
          {"cutoff", number(rank.cutoff)}};
}

Json laws_json(const System& system, const StartReport& start) {
  Json laws = Json::array();
  for (const LawAtStart& at_start : start.laws) {
    const ForceLaw& law = system.laws()[static_cast<size_t>(at_start.law)];
    const bool contact = law.kind == ForceLaw::Kind::kContact, pad = law.kind == ForceLaw::Kind::kDryFriction;
    laws.push_back({{"name", system.law_name(at_start.id)},
                    {"kind", name_of(law.kind)},
                    {"rows", law.rows},
                    {"status", name_of(at_start.status)},
                    {"gap", contact ? number(at_start.gap) : Json()},
                    {"closing_speed", pad ? Json() : number(at_start.closing)},
                    {"sliding_speed", pad || law.rows > 1 ? number(at_start.speed) : Json()}});
  }
  return laws;
}

Json found_json(const StartReport& start) {
  if (!start.found) return {};
  return {{"open", start.found->open},
          {"closed", start.found->closed},
          {"penetrating", start.found->penetrating},
          {"closing", start.found->closing},
          {"deepest", number(-start.found->deepest)}};
}

Json fitting_json(const System& system) {
  Json fitting = Json::array();
  for (const IntegratorInfo& info : integrators()) {
    const std::string misfit = info.misfit(system);
    fitting.push_back({{"name", info.name}, {"fits", misfit.empty()}, {"reason", text_or_null(misfit)}});
  }
  return fitting;
}

}  // namespace

std::string check_json(const Scene& scene, const StartReport& start, const ConstraintReport& constraints,
                       const std::vector<std::string>& warnings) {
  const System& system = *scene.system;
  return dump({{"status", "ok"},
               {"error", nullptr},
               {"scene", scene.origin.scene_file},
               {"title", text_or_null(scene.origin.title)},
               {"integrator", scene.run.integrator},
               {"dt", scene.run.dt},
               {"steps", scene.run.adaptive() ? Json() : Json(scene.run.steps_from(scene.start.t))},
               {"t_start", scene.start.t},
               {"t_end", scene.run.until},
               {"coordinates", system.coordinate_names()},
               {"mass_matrix",
                {{"constant", system.constant_mass()},
                 {"nonzero_entries", start.mass_entries},
                 {"singular", constraints.mass_is_singular}}},
               {"bilateral", bilateral_json(system, constraints)},
               {"rank", rank_json(constraints.rank)},
               {"laws", laws_json(system, start)},
               {"found_contacts", found_json(start)},
               {"energy", {{"kinetic", number(start.energies.kinetic)}, {"potential", number(start.energies.potential)}}},
               {"integrators", fitting_json(system)},
               {"warnings", warnings},
               {"notes", scene.run.notes}});
}

}  // namespace tippe::cli
