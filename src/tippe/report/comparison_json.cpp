// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/comparison.h"

#include <nlohmann/json.hpp>
#include "tippe/report/run_json.h"

namespace tippe {
namespace {

Json number_or_null(const std::optional<double>& value) {
  return value ? number(*value) : Json();
}

Json deviation_object(const std::optional<Deviation>& deviation) {
  if (!deviation) return nullptr;
  return {{"value", number(deviation->value)},
          {"coordinate", text_or_null(deviation->coordinate)},
          {"time", deviation->coordinate.empty() ? Json() : number(deviation->time)}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison, RunStatus status, const std::string& message,
                            const std::vector<std::string>& not_run, const std::vector<std::string>& files) {
  Json runs = Json::array(), orders = Json::array(), reference;
  const bool exact = !comparison.runs().empty() && comparison.has_exact_reference();
  for (size_t r = 0; r < comparison.runs().size(); ++r) {
    const ComparedRun& run = comparison.runs()[r];
    Json object = run_object(run.head, run.summary);
    object.erase("scene");
    const std::optional<Deviation> deviation = comparison.deviation(r);
    object["deviation"] = deviation_object(deviation);
    Json error, order;
    if (exact && deviation) {
      error = {{"positions", deviation_object(deviation)},
               {"velocities", deviation_object(comparison.deviation(r, Compared::kVelocities))}};
      order = {{"positions", number_or_null(comparison.order(r, Compared::kPositions))},
               {"velocities", number_or_null(comparison.order(r, Compared::kVelocities))}};
    }
    object["error_against_reference"] = error;
    object["observed_order"] = order;
    runs.push_back(std::move(object));
  }
  if (!comparison.runs().empty()) {
    const RunHead& head = comparison.runs()[comparison.reference()].head;
    reference = {{"integrator", head.integrator}, {"dt", head.dt}};
  }
  for (const IntegratorOrder& order : comparison.orders()) {
    orders.push_back({{"integrator", order.integrator},
                      {"dt", order.steps},
                      {"positions", number_or_null(order.positions)},
                      {"velocities", number_or_null(order.velocities)}});
  }
  const std::string& scene = comparison.origin().scene_file;
  return dump({{"status", name_of(status)},
               {"error", message.empty() ? Json() : error_object({scene, 0, 0}, message)},
               {"scene", scene},
               {"reference", reference},
               {"common_times", {{"count", comparison.times().size()}, {"interval", comparison.times().interval()}}},
               {"runs", runs},
               {"orders", orders},
               {"not_run", not_run},
               {"files", files}});
}

}  // namespace tippe
