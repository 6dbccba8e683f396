// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/orbit_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

#include "tippe/report/event_list.h"
#include "tippe/report/json_values.h"
#include "tippe/report/text_layout.h"

namespace tippe {
namespace {

std::string line(const std::string& label, const std::string& value) {
  return fmt::format("  {:<24}{}\n", label, value);
}

/// "-0.839156", or for a pair "0.8 at +-116.3 degrees".
std::string describe_multipliers(const PeriodicOrbit& orbit) {
  std::string text;
  for (const std::complex<double>& multiplier : orbit.multipliers) {
    if (multiplier.imag() < 0.0) continue;  // told with its partner
    if (!text.empty()) text += ", ";
    text += multiplier.imag() == 0.0 ? fmt::format("{:.9g}", multiplier.real())
                                     : fmt::format("{:.9g} at +-{:.6g} degrees", std::abs(multiplier),
                                                   std::arg(multiplier) * 180.0 / std::numbers::pi);
  }
  if (text.empty()) return fmt::format("all {} are zero", orbit.zero_multipliers);
  if (orbit.zero_multipliers == 0) return text;
  return text + fmt::format(", and {} {} zero", orbit.zero_multipliers, orbit.zero_multipliers == 1 ? "is" : "are");
}

std::string describe_state(const System& system, const State& state) {
  std::string text = fmt::format("t = {:.9g}", state.t);
  for (int i = 0; i < system.nq(); ++i) text += fmt::format(", {} = {:.9g}", system.coordinate_names()[i], state.q[i]);
  for (int i = 0; i < system.nu(); ++i) text += fmt::format(", {} = {:.9g}", system.velocity_names()[i], state.u[i]);
  return text;
}

RecordedEvents named_events(const System& system, const PeriodicOrbit& orbit) {
  return {orbit.events, law_names(system.laws()), impulse_names(system.laws())};
}

RunStatus status_of_run(PeriodicOrbit::Status status) {
  if (status == PeriodicOrbit::Status::kConverged) return RunStatus::kOk;
  return status == PeriodicOrbit::Status::kInterrupted ? RunStatus::kInterrupted : RunStatus::kFailed;
}

}  // namespace

std::string orbit_text(const System& system, const RunOrigin& origin, const PeriodicOrbit& orbit) {
  const bool found = orbit.status == PeriodicOrbit::Status::kConverged;
  std::string text =
      fmt::format("{}: {}\n", origin.title.empty() ? origin.scene_file : origin.title,
                  !found ? "no periodic orbit found"
                  : orbit.stability == PeriodicOrbit::Stability::kNotDecided
                      ? "a periodic orbit, stability not decided"
                      : fmt::format("{} periodic orbit",
                                    orbit.stability == PeriodicOrbit::Stability::kStable ? "a stable" : "an unstable"));
  if (orbit.returns == 0) return text;
  text += line("section", fmt::format("{}, {} {} in a period", section_text(system, orbit.section), orbit.returns,
                                      orbit.returns == 1 ? "return" : "returns"));
  if (found) {
    text += line("period", fmt::format("{:.12g} s", orbit.period));
    if (!orbit.multipliers.empty() || orbit.zero_multipliers > 0) {
      text += line("multipliers", describe_multipliers(orbit));
      text += line("their error", fmt::format("about {:.1g}", orbit.multiplier_error));
    }
    for (const PeriodicOrbit::Drift& drift : orbit.drift) {
      text += line(
          "drift per period",
          fmt::format("{}: {:.12g}", system.coordinate_names()[static_cast<size_t>(drift.coordinate)], drift.per_period));
    }
    text += line("energy lost per period", fmt::format("{:.9g}, work done {:.9g}", orbit.lost, orbit.work));
  }
  text += line("residual", fmt::format("{:.2g} of R(z) - z, {} iterations", orbit.residual, orbit.iterations));
  text += line("state on the section", describe_state(system, orbit.state));
  for (const std::string& note : orbit.notes) text += line("note", note);
  for (size_t i = 0; i < orbit.tries.size() && !found; ++i) {
    const PeriodicOrbit::Try& tried = orbit.tries[i];
    text += line(i == 0 ? "tried" : "",
                 fmt::format("a return after {:.6g} s that comes to {:.2g}: {} {}, {}", tried.duration, tried.distance,
                             tried.iterations, tried.iterations == 1 ? "iteration" : "iterations",
                             std::isfinite(tried.residual) ? fmt::format("residual {:.2g}", tried.residual)
                                                           : std::string("the motion from there does not return")));
  }
  if (!found) return text;
  text += line("events", "of one period, times since the section");
  return text + table(tabulate_events(orbit.events, law_names(system.laws())));
}

std::string orbit_json(const System& system, const RunOrigin& origin, const PeriodicOrbit& orbit) {
  const bool found = orbit.status == PeriodicOrbit::Status::kConverged;
  Json object = {{"status", name_of(status_of_run(orbit.status))},
                 {"error", found ? Json() : error_object({origin.scene_file, 0, 0}, orbit.message)},
                 {"scene", origin.scene_file},
                 {"period", found ? number(orbit.period) : Json()},
                 {"section", orbit.returns > 0 ? Json(section_text(system, orbit.section)) : Json()},
                 {"returns", orbit.returns > 0 ? Json(orbit.returns) : Json()},
                 {"state", nullptr},
                 {"drift", nullptr},
                 {"multipliers", nullptr},
                 {"zero_multipliers", nullptr},
                 {"multiplier_error", nullptr},
                 {"stable", nullptr},
                 {"residual", orbit.residual >= 0.0 ? number(orbit.residual) : Json()},
                 {"iterations", orbit.iterations},
                 {"simulated", number(orbit.simulated)},
                 {"tried", Json::array()},
                 {"energy_lost", found ? number(orbit.lost) : Json()},
                 {"work_done", found ? number(orbit.work) : Json()},
                 {"events", found ? events_array(named_events(system, orbit)) : Json()},
                 {"notes", orbit.notes}};
  for (const PeriodicOrbit::Try& tried : orbit.tries) {
    object["tried"].push_back({{"duration", number(tried.duration)},
                               {"distance", number(tried.distance)},
                               {"iterations", tried.iterations},
                               {"residual", number(tried.residual)}});
  }
  if (orbit.returns > 0) {
    object["state"] = {{"t", number(orbit.state.t)},
                       {"q", named_values(system.coordinate_names(), orbit.state.q)},
                       {"u", named_values(system.velocity_names(), orbit.state.u)}};
  }
  if (!found) return dump(object);
  object["drift"] = Json::object();
  for (const PeriodicOrbit::Drift& drift : orbit.drift)
    object["drift"][system.coordinate_names()[static_cast<size_t>(drift.coordinate)]] = number(drift.per_period);
  if (orbit.multipliers.empty() && orbit.zero_multipliers == 0) return dump(object);  // the map has no derivative
  object["multipliers"] = Json::array();
  for (const std::complex<double>& multiplier : orbit.multipliers) {
    object["multipliers"].push_back(
        {{"re", number(multiplier.real())}, {"im", number(multiplier.imag())}, {"modulus", number(std::abs(multiplier))}});
  }
  object["zero_multipliers"] = orbit.zero_multipliers;
  object["multiplier_error"] = number(orbit.multiplier_error);
  if (orbit.stability != PeriodicOrbit::Stability::kNotDecided)
    object["stable"] = orbit.stability == PeriodicOrbit::Stability::kStable;
  return dump(object);
}

}  // namespace tippe
