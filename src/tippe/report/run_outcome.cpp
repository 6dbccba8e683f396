// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/run_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tippe/report/report.h"

namespace tippe {
namespace {

/// Of the largest energy: more than this unexplained deserves a look.
constexpr double kBooked = 1e-3;

std::string grouped(std::int64_t count) {
  std::string digits = fmt::format("{}", count);
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
    digits.insert(static_cast<size_t>(place), 1, ',');
  return digits;
}

std::string counted(std::int64_t count, const char* thing) {
  return fmt::format("{} {}{}", count == 0 ? "no" : grouped(count), thing, count == 1 ? "" : "s");
}

/// "5e-9": without the zero that printf puts before a short exponent.
std::string about(double value) {
  std::string text = fmt::format("{:.1g}", value);
  const size_t zero = text.find("e-0");
  if (zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string sentence_of_end(const RecordedRun& run, const RunSummary& summary) {
  const double t = summary.final_state.t;
  const std::string work = fmt::format("after {} of {} and {:.3g} s of computing", counted(summary.steps, "step"),
                                       run.integrator, summary.wall_time);
  switch (summary.status) {
    case RunStatus::kRunning:
      return fmt::format("At t = {:.6g} s, {}.", t, work);
    case RunStatus::kFailed:
      return fmt::format("Failed at t = {:.6g} s, {}.", t, work);
    case RunStatus::kInterrupted:
      return fmt::format("Interrupted at t = {:.6g} s, {}.", t, work);
    case RunStatus::kOk:
      break;
  }
  if (summary.stopped)
    return fmt::format("Stopped at t = {:.6g} s by {}, {}.", summary.stopped->time, summary.stopped->because, work);
  return fmt::format("Reached t = {:.6g} s {}.", t, work);
}

/// The largest energy of the run, or all that changed.
double largest(const EnergyLedger& energy) {
  const double size = std::max({energy.scale, std::abs(energy.initial), std::abs(energy.final)});
  return size > 0.0 ? size : 1.0;
}

double booked(const EnergyLedger& energy) {
  return std::abs(energy.unexplained()) / largest(energy);
}

std::string sentence_of_energy(const EnergyLedger& energy) {
  std::string text = fmt::format("Energy booked to {} of its largest: {} at the start, {} at the end", about(booked(energy)),
                                 with_prefix(energy.initial, "J"), with_prefix(energy.final, "J"));
  const auto add = [&](double value, const char* words) {
    if (std::abs(value) > 1e-12 * largest(energy)) text += fmt::format(", {} {}", with_prefix(value, "J"), words);
  };
  add(energy.lost_in_contacts, "lost in contacts");
  add(energy.lost_in_damping, "in damping");
  add(energy.work_done, "of work done");
  return text + ".";
}

std::string sentence_of_laws(const RecordedRun& run, const RunSummary& summary, std::optional<bool> obeys) {
  std::vector<std::string> parts;
  if (!run.laws.empty()) parts.push_back(counted(summary.impacts, "impact"));
  if (!run.gap.names.empty()) {
    const auto found = std::find(run.gap.names.begin(), run.gap.names.end(), summary.worst_penetration_at);
    const auto k = static_cast<size_t>(found - run.gap.names.begin());
    const std::string unit = k < run.gap.units.size() ? run.gap.units[k] : "m";
    parts.push_back(
        summary.worst_penetration > 0.0
            ? fmt::format("deepest penetration {}{}", with_prefix(summary.worst_penetration, unit),
                          summary.worst_penetration_at.empty() ? "" : fmt::format(" ({})", summary.worst_penetration_at))
            : "no penetration");
  }
  if (summary.constraints.holonomic > 0)
    parts.push_back(summary.constraints.position.value > 0.0
                        ? fmt::format("constraints violated by at most {}", about(summary.constraints.position.value))
                        : "no constraint violated");
  parts.push_back(fmt::format("worst residual {}", about(summary.worst_residual)));
  if (obeys) parts.emplace_back(*obeys ? "verified: no law violated" : "verify found violations");
  std::string text = fmt::format("{}.", fmt::join(parts, ", "));
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::string with_prefix(double value, const std::string& unit) {
  constexpr std::array<const char*, 9> kPrefixes = {"f", "p", "n", "\u00b5", "m", "", "k", "M", "G"};
  constexpr int kNone = 5;
  const bool takes_prefix = unit == "J" || unit == "m" || unit == "N" || unit == "s";
  if (value == 0.0 || !std::isfinite(value) || !takes_prefix) return fmt::format("{:.3g} {}", value, unit);
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value) * (1.0 + 1e-12)) / 3.0));
  if (power < -kNone || power >= static_cast<int>(kPrefixes.size()) - kNone) return fmt::format("{:.3g} {}", value, unit);
  return fmt::format("{:.3g} {}{}", value / std::pow(10.0, 3 * power), kPrefixes[static_cast<size_t>(power + kNone)], unit);
}

RunOutcome outcome_of(const RecordedRun& run, const RunSummary& summary, std::optional<bool> obeys) {
  RunOutcome outcome;
  const bool failed = summary.status == RunStatus::kFailed || obeys == false;
  const bool odd = summary.failed_steps > 0 || !summary.warnings.empty() || !(booked(summary.energy) <= kBooked);
  outcome.tone = failed ? RunOutcome::Tone::kBad : odd ? RunOutcome::Tone::kLook : RunOutcome::Tone::kGood;
  outcome.sentences = {sentence_of_end(run, summary), sentence_of_energy(summary.energy),
                       sentence_of_laws(run, summary, obeys)};
  return outcome;
}

}  // namespace tippe
