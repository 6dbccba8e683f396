// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/lyapunov_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tippe/report/json_values.h"
#include "tippe/report/text_layout.h"

namespace tippe {
namespace {

RunStatus status_of_run(LyapunovSpectrum::Status status) {
  if (status == LyapunovSpectrum::Status::kMeasured) return RunStatus::kOk;
  return status == LyapunovSpectrum::Status::kInterrupted ? RunStatus::kInterrupted : RunStatus::kFailed;
}

}  // namespace

std::string lyapunov_text(const RunOrigin& origin, const LyapunovSpectrum& spectrum) {
  const std::string title = origin.title.empty() ? origin.scene_file : origin.title;
  if (spectrum.exponents.empty()) return fmt::format("{}: no Lyapunov exponents\n", title);
  std::vector<std::vector<std::string>> lines = {{"", "exponent [1/s]", "error", "factor per s"}};
  size_t destroyed = 0;
  for (size_t i = 0; i < spectrum.exponents.size(); ++i) {
    const double exponent = spectrum.exponents[i], error = spectrum.errors[i];
    if (std::isinf(exponent)) {
      ++destroyed;
      continue;
    }
    lines.push_back({fmt::format("{}", i + 1), fmt::format("{:.9g}", exponent),
                     std::isfinite(error) ? fmt::format("{:.1g}", error) : "not known",
                     fmt::format("{:.6g}", std::exp(exponent))});
  }
  std::string text = fmt::format("{}: {} Lyapunov exponents, from t = {:.9g} to {:.9g} s, {} events\n", title,
                                 spectrum.exponents.size(), spectrum.begin, spectrum.end, spectrum.events);
  if (lines.size() > 1) text += table(lines);
  if (destroyed > 0)
    text += fmt::format("  {} {} -infinity: impacts or sticking destroy {}\n", destroyed, destroyed == 1 ? "is" : "are",
                        destroyed == 1 ? "that direction" : "those directions");
  return text;
}

std::string lyapunov_json(const RunOrigin& origin, const LyapunovSpectrum& spectrum) {
  const bool failed = spectrum.status != LyapunovSpectrum::Status::kMeasured;
  const bool known = !spectrum.exponents.empty();
  Json object = {{"status", name_of(status_of_run(spectrum.status))},
                 {"error", failed ? error_object({origin.scene_file, 0, 0}, spectrum.message) : Json()},
                 {"scene", origin.scene_file},
                 {"begin", known ? number(spectrum.begin) : Json()},
                 {"end", known ? number(spectrum.end) : Json()},
                 {"exponents", Json::array()},
                 {"errors", Json::array()},
                 {"events", known ? Json(spectrum.events) : Json()}};
  for (const double exponent : spectrum.exponents) object["exponents"].push_back(number(exponent));
  for (const double error : spectrum.errors) object["errors"].push_back(number(error));
  return dump(object);
}

}  // namespace tippe
