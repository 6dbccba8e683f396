// SPDX-License-Identifier: Apache-2.0
#include "tippe/study/gradient_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "tippe/report/json_values.h"
#include "tippe/report/text_layout.h"

namespace tippe {
namespace {

std::vector<std::string> laws_of(const System& system, const Event& event) {
  std::vector<std::string> names;
  for (const int law : event.laws) names.push_back(system.laws()[static_cast<size_t>(law)].name);
  return names;
}

}  // namespace

std::string gradient_text(const System& system, const RunGradient& gradient) {
  if (gradient.times.empty()) return {};
  const auto last = static_cast<Eigen::Index>(gradient.times.size()) - 1;
  std::vector<std::string> heading = {fmt::format("at t = {:.9g}", gradient.times.back()), "value"};
  for (const std::string& parameter : gradient.parameters) heading.push_back("by " + parameter);
  std::vector<std::vector<std::string>> lines = {heading};
  for (size_t i = 0; i < gradient.names.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    lines.push_back({gradient.names[i], fmt::format("{:.9g}", gradient.value(last, column))});
    for (const Eigen::MatrixXd& derived : gradient.derived)
      lines.back().push_back(fmt::format("{:.9g}", derived(last, column)));
  }
  std::string text = "sensitivity: derivatives of the end\n" + table(lines);
  if (gradient.events.empty()) return text;
  constexpr size_t kMost = 20;
  heading = {"event", "t [s]"};
  for (const std::string& parameter : gradient.parameters) heading.push_back("by " + parameter);
  lines = {heading};
  for (size_t i = 0; i < std::min(kMost, gradient.events.size()); ++i) {
    const auto& [event, shift] = gradient.events[i];
    lines.push_back({fmt::format("{} {}", name_of(event.kind), fmt::join(laws_of(system, event), ", ")),
                     fmt::format("{:.9g}", event.t)});
    for (const double entry : shift) lines.back().push_back(fmt::format("{:.9g}", entry));
  }
  text += "and of the times of events\n" + table(lines);
  if (gradient.events.size() > kMost) text += fmt::format("  ... {} more\n", gradient.events.size() - kMost);
  return text;
}

nlohmann::ordered_json gradient_json(const System& system, const RunGradient& gradient) {
  using Status = RunGradient::Status;
  Json object = {{"error", gradient.status == Status::kDone ? Json() : Json(gradient.message)},
                 {"parameters", Json::object()},
                 {"t", nullptr},
                 {"end", Json::object()},
                 {"events", Json::array()}};
  const auto by_parameter = [&](const auto& value_of) {
    Json values = Json::object();
    for (size_t k = 0; k < gradient.parameters.size(); ++k) values[gradient.parameters[k]] = number(value_of(k));
    return values;
  };
  object["parameters"] = by_parameter([&](size_t k) { return gradient.at[k]; });
  if (!gradient.times.empty()) {
    object["t"] = number(gradient.times.back());
    const auto last = static_cast<Eigen::Index>(gradient.times.size()) - 1;
    for (size_t i = 0; i < gradient.names.size(); ++i)
      object["end"][gradient.names[i]] =
          by_parameter([&](size_t k) { return gradient.derived[k](last, static_cast<Eigen::Index>(i)); });
  }
  for (const auto& [event, shift] : gradient.events) {
    const auto& shifts = shift;
    object["events"].push_back({{"time", number(event.t)},
                                {"kind", name_of(event.kind)},
                                {"laws", laws_of(system, event)},
                                {"by", by_parameter([&](size_t k) { return shifts[static_cast<Eigen::Index>(k)]; })}});
  }
  return object;
}

}  // namespace tippe
