// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tippe/verify/verify.h"

namespace tippe::verify {
namespace {

/// JSON has no infinity.
nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
  std::string text = verdict.obeys() ? "obeys: no check found a violation\n" : "violated\n";
  text += fmt::format("  {:<52}  {:>9}  {:>9}  {}\n", "", "checks", "violated", "worst, in parts of what is allowed");
  for (const auto& [kind, name, title] : kKindWords) {
    const Finding& finding = verdict.of(kind);
    if (finding.checks == 0) continue;
    text += fmt::format("  {:<52}  {:>9}  {:>9}  {:.2g}", title, finding.checks, finding.violations, finding.worst);
    if (finding.worst > 0.0) {
      text += fmt::format("{} at t = {:.9g}", finding.law.empty() ? "" : ", " + finding.law, finding.time);
    }
    text += "\n";
    if (finding.violations > 0) {
      text += fmt::format("    {}{} ({:.3g} allowed); first at t = {:.9g}\n", finding.law.empty() ? "" : finding.law + ": ",
                          finding.what, finding.allowed, finding.first_violation);
    }
  }
  text += fmt::format("  intervals between samples: {}; whole single steps: {}; smooth pieces: {}; jumps: {}\n",
                      verdict.intervals, verdict.single_steps, verdict.smooth, verdict.jumps);
  for (const std::string& sentence : verdict.not_checked) text += "  " + sentence + "\n";
  return text;
}

std::string verdict_json(const Verdict& verdict, const std::string& file) {
  nlohmann::ordered_json json;
  json["status"] = "ok";
  json["error"] = nullptr;
  json["file"] = file;
  json["integrator"] = verdict.integrator;
  json["verdict"] = verdict.obeys() ? "obeys" : "violated";
  json["intervals"] = {{"all", verdict.intervals},
                       {"single_steps", verdict.single_steps},
                       {"smooth", verdict.smooth},
                       {"jumps", verdict.jumps}};
  json["checks"] = nlohmann::ordered_json::object();
  for (const auto& [kind, name, title] : kKindWords) {
    const Finding& finding = verdict.of(kind);
    nlohmann::ordered_json& entry = json["checks"][name];
    entry = {{"title", title}, {"checks", finding.checks}, {"violations", finding.violations}};
    if (finding.checks == 0) continue;
    entry["worst"] = {{"share", number(finding.worst)},
                      {"value", number(finding.value)},
                      {"allowed", number(finding.allowed)},
                      {"time", number(finding.time)},
                      {"law", finding.law},
                      {"what", finding.what}};
    if (finding.violations > 0) entry["first_violation"] = finding.first_violation;
  }
  json["not_checked"] = verdict.not_checked;
  return json.dump(2);
}

}  // namespace tippe::verify
