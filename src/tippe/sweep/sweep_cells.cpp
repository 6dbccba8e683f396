// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_cells.h"

#include <limits>

namespace tippe {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

const std::vector<std::string>& result_columns() {
  static const std::vector<std::string> names = {"end",    "reason",         "time",   "steps", "impacts",
                                                 "period", "worst_residual", "points", "down"};
  return names;
}

const std::vector<std::string>& ledger_columns() {
  static const std::vector<std::string> names = {"energy_initial", "energy_final", "lost_in_contacts", "lost_in_damping",
                                                 "work_done",      "pushed_out",   "unexplained"};
  return names;
}

std::vector<std::string> state_columns(const Scene& scene, std::vector<std::string> names) {
  for (const auto* more : {&scene.system->coordinate_names(), &scene.system->velocity_names()})
    names.insert(names.end(), more->begin(), more->end());
  return names;
}

std::vector<std::string> section_columns(const Scene& scene) {
  return state_columns(scene, {"run", "number", "t"});
}

std::vector<std::string> end_names() {
  std::vector<std::string> names;
  for (int end = 0; end < kSweepEnds; ++end) names.emplace_back(name_of(static_cast<SweepEnd>(end)));
  return names;
}

void append_result(const SweepResult& result, double reason, bool down, std::vector<double>& cells) {
  const RunSummary& summary = result.summary;
  const auto number = [&](double value) { return result.end != SweepEnd::kRefused ? value : kNone; };
  cells.insert(cells.end(), {static_cast<double>(result.end), reason, number(summary.final_state.t),
                             number(static_cast<double>(summary.steps)), number(static_cast<double>(summary.impacts)),
                             static_cast<double>(result.period), number(summary.worst_residual),
                             static_cast<double>(result.section.size()), down ? 1.0 : 0.0});
}

void append_ledger(const SweepResult& result, std::vector<double>& cells) {
  if (result.end == SweepEnd::kRefused) return cells.resize(cells.size() + ledger_columns().size(), kNone);
  const EnergyLedger& energy = result.summary.energy;
  cells.insert(cells.end(), {energy.initial, energy.final, energy.lost_in_contacts, energy.lost_in_damping, energy.work_done,
                             energy.pushed_out, energy.unexplained()});
}

void append_final(const SweepResult& result, size_t size, std::vector<double>& cells) {
  if (result.end == SweepEnd::kRefused) return cells.resize(cells.size() + size, kNone);
  append_state(result.summary.final_state, cells);
}

void append_state(const State& state, std::vector<double>& cells) {
  cells.insert(cells.end(), state.q.data(), state.q.data() + state.q.size());
  cells.insert(cells.end(), state.u.data(), state.u.data() + state.u.size());
}

void append_section_point(std::int64_t run, const SweepPoint& point, std::vector<double>& cells) {
  cells.insert(cells.end(), {static_cast<double>(run), static_cast<double>(point.number), point.state.t});
  append_state(point.state, cells);
}

}  // namespace tippe
