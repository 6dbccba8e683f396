// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tippe/report/event_list.h"
#include "tippe/report/packed_document.h"
#include "tippe/report/page.h"
#include "tippe/report/replay.h"
#include "tippe/run/registry.h"
#include "tippe/run/tolerances.h"

namespace tippe {
namespace {

using Json = nlohmann::ordered_json;

/// `unit`: where the recording names none.
Json time_panel(const char* id, const std::string& title, const char* unit, const RecordedTable& table) {
  Json series = Json::array();
  for (size_t k = 0; k < table.names.size(); ++k) {
    series.push_back({{"label", table.names[k]},
                      {"unit", k < table.units.size() ? table.units[k] : std::string(unit)},
                      {"values", base64(table.column(k))}});
  }
  return {{"id", id}, {"title", title}, {"kind", "time"}, {"axis", "samples"}, {"log", false}, {"series", series}};
}

/// Impulses summed from the start: slopes are forces, jumps are impacts, whatever the sampling.
RecordedTable summed_impulses(const RecordedTable& impulse) {
  RecordedTable sums = impulse;
  for (size_t place = impulse.names.size(); place < sums.values.size(); ++place)
    sums.values[place] += sums.values[place - impulse.names.size()];
  return sums;
}

/// The ledger without its empty lines, and with words for names.
RecordedTable shown_ledger(const RecordedTable& energy) {
  RecordedTable shown;
  std::vector<size_t> columns;
  for (size_t k = 0; k < energy.names.size(); ++k) {
    const std::vector<double> column = energy.column(k);
    if (std::all_of(column.begin(), column.end(), [](double value) { return value == 0.0; })) continue;
    columns.push_back(k);
    shown.names.push_back(energy.names[k]);
    std::replace(shown.names.back().begin(), shown.names.back().end(), '_', ' ');
    shown.units.emplace_back("J");
  }
  for (size_t begin = 0; begin < energy.values.size(); begin += energy.names.size()) {
    for (const size_t k : columns) shown.values.push_back(energy.values[begin + k]);
  }
  return shown;
}

Json phase_panel(const RecordedRun& run) {
  Json pairs = Json::array();
  for (size_t k = 0; k < run.q.names.size() && k < run.u.names.size(); ++k) {
    pairs.push_back({{"label", run.q.names[k]},
                     {"x_label", run.q.names[k]},
                     {"y_label", run.u.names[k]},
                     {"x", {{"panel", "q"}, {"series", k}}},
                     {"y", {{"panel", "u"}, {"series", k}}}});
  }
  return {{"id", "phase"}, {"title", "Phase portrait and section"}, {"kind", "phase"}, {"pairs", pairs}};
}

/// Steps for the page: every one up to a million, beyond that the worst of each group of equal size.
struct StepCurve {
  std::vector<double> time, residual;
};
StepCurve step_curve(const RecordedRun& run) {
  constexpr size_t kMostPoints = 1'000'000;
  const size_t group = run.step_time.size() / kMostPoints + 1;
  StepCurve curve;
  for (size_t begin = 0; begin < run.step_time.size(); begin += group) {
    const size_t end = std::min(begin + group, run.step_time.size());
    curve.time.push_back(run.step_time[begin]);
    curve.residual.push_back(*std::max_element(run.step_residual.begin() + static_cast<std::ptrdiff_t>(begin),
                                               run.step_residual.begin() + static_cast<std::ptrdiff_t>(end)));
  }
  return curve;
}

/// "worst 3.1e-16 (rod, t = 0.3), drift from 0 to 2.2e-16": the largest at the start and at the end.
std::string describe_violation(const WorstViolation& worst, double at_start, double at_end) {
  const std::string where = worst.at.empty() ? "" : fmt::format(" ({}, t = {:.6g})", worst.at, worst.time);
  return fmt::format("worst {:.3g}{}, drift from {:.3g} to {:.3g}", worst.value, where, at_start, at_end);
}

void describe_constraints(const ConstraintSummary& constraints, std::vector<SummaryLine>& lines) {
  if (constraints.rows == 0) return;
  const bool falls = constraints.smallest_rank < constraints.rank_at_start;
  lines.push_back(
      {"constraints",
       fmt::format("{} row{}, rank {}{}", constraints.rows, constraints.rows == 1 ? "" : "s", constraints.rank_at_start,
                   falls ? fmt::format(" at the start, smallest {}", constraints.smallest_rank) : std::string())});
  if (constraints.holonomic > 0) {
    lines.push_back({"violation of positions",
                     describe_violation(constraints.position, constraints.position_at_start, constraints.position_at_end)});
  }
  lines.push_back({"violation of velocities",
                   describe_violation(constraints.velocity, constraints.velocity_at_start, constraints.velocity_at_end)});
}

/// Constraint forces, control forces, and how far the constraints are violated.
void add_constraint_panels(const RecordedRun& run, Json& panels) {
  if (run.redundant.empty()) return;
  const auto flagged = std::count(run.redundant.begin(), run.redundant.end(), 1.0);
  const bool always = static_cast<size_t>(flagged) == run.redundant.size();
  const std::string mean = run.laws.empty() ? "" : "mean since the sample before";
  const std::string unique =
      flagged == 0 ? ""
      : always     ? "not unique: rows are redundant, these are of least norm"
                   : fmt::format("not unique at {} of {} samples, where rows are redundant: of least norm there", flagged,
                                 run.redundant.size());
  Json force = time_panel("constraint_force", "Constraint forces", "N", run.constraint_force);
  force["note"] = mean + (mean.empty() || unique.empty() ? "" : "; ") + unique;
  panels.push_back(std::move(force));
  Json control = time_panel("control_force", "Control forces", "N", run.control_force);
  control["note"] = "all constraints together, on each coordinate or velocity" + (mean.empty() ? "" : "; " + mean);
  panels.push_back(std::move(control));
  const auto add_violation = [&](const char* id, const char* title, RecordedTable table) {
    if (table.names.empty()) return;
    for (double& value : table.values) value = std::abs(value);
    Json panel = time_panel(id, title, "SI", table);
    panel["log"] = true;
    panels.push_back(std::move(panel));
  };
  add_violation("constraint_position", "Violation of constraints, positions", run.constraint_position);
  add_violation("constraint_velocity", "Violation of constraints, velocities", run.constraint_velocity);
}

/// What each law does over time, as bands.
Json mode_panel(const RecordedRun& run) {
  Json bands = Json::array();
  for (size_t law = 0; law < run.laws.size(); ++law) {
    const ModeHistory history = mode_history(run.events, law);
    Json modes = Json::array();
    for (const ContactMode mode : history.modes) modes.push_back(name_of(mode));
    bands.push_back({{"label", run.laws[law]}, {"times", base64(history.times)}, {"modes", modes}});
  }
  return {{"id", "modes"}, {"title", "Modes"}, {"kind", "modes"}, {"axis", "samples"}, {"bands", bands}};
}

/// "floor.n", "floor.t1", or "floor" itself.
bool is_row_of(const std::string& row, const std::string& law) {
  if (row == law) return true;
  if (row.size() <= law.size() || !row.starts_with(law) || row[law.size()] != '.') return false;
  const std::string part = row.substr(law.size() + 1);
  return part == "n" || part == "t" || part == "t1" || part == "t2" || part == "spin";
}

/// What the page must know of the laws: their rows among the impulses, their gaps, and when they slide.
Json describe_laws(const RecordedRun& run) {
  Json laws = Json::array();
  size_t row = 0;
  const auto pair = [&](const std::vector<double>& numbers, size_t k) {
    const bool has = 2 * k + 1 < numbers.size() && std::isfinite(numbers[2 * k]) && std::isfinite(numbers[2 * k + 1]);
    return has ? Json({numbers[2 * k], numbers[2 * k + 1]}) : Json();
  };
  for (size_t k = 0; k < run.laws.size(); ++k) {
    const size_t first = row;
    while (row < run.impulse.names.size() && is_row_of(run.impulse.names[row], run.laws[k])) ++row;
    const auto gap = std::find(run.gap.names.begin(), run.gap.names.end(), run.laws[k]);
    laws.push_back({{"name", run.laws[k]},
                    {"row", first},
                    {"rows", row - first},
                    {"gap", gap == run.gap.names.end() ? Json() : Json(gap - run.gap.names.begin())},
                    {"friction", pair(run.law_friction, k)},
                    {"limit", pair(run.law_limit, k)}});
  }
  return laws;
}

Json impact_columns(const RecordedRun& run) {
  return {{"time", base64(run.impact_time)},
          {"law", base64(run.impact_law)},
          {"speed", base64(run.impact_speed)},
          {"lost", base64(run.impact_lost)},
          {"impulse", base64(run.impact_impulse)}};
}

const char* name_of(RunOutcome::Tone tone) {
  return tone == RunOutcome::Tone::kGood ? "good" : tone == RunOutcome::Tone::kLook ? "look" : "bad";
}

/// The drawing with its numbers.
Replay replay_of(const RecordedRun& run) {
  Replay replay{.run = 0, .label = "", .drawing = run.drawing, .columns = {}, .q = {}, .gap = {}, .force = {}};
  for (size_t k = 0; k < run.drawing_columns.names.size(); ++k) replay.columns.push_back(run.drawing_columns.column(k));
  for (size_t k = 0; k < run.q.names.size(); ++k) replay.q.push_back({"q", k});
  for (size_t k = 0; k < run.gap.names.size(); ++k) replay.gap.push_back({"gap", k});
  for (size_t k = 0; k < run.impulse.names.size(); ++k) replay.force.push_back({"force", k});
  replay.contacts = run.contacts;
  return replay;
}

Json event_table(const RecordedRun& run) {
  if (run.events.empty()) return nullptr;
  constexpr size_t kMostEvents = 2000;
  const size_t shown = std::min(kMostEvents, run.events.size());
  const TextTable table = tabulate_events(std::span(run.events).first(shown), run.laws);
  const std::string note =
      shown == run.events.size() ? "" : fmt::format("the first {} of {}; the recording has all", shown, run.events.size());
  return {{"headings", table.headings}, {"rows", table.rows}, {"note", note}};
}

}  // namespace

namespace {

/// A difference of energies beside their changes; where all is at rest these are round-off themselves, and no measure.
std::string beside_energies(double difference, const EnergyLedger& energy) {
  constexpr double kNoMeasure = 1e-6;
  const double scale = energy.scale > 0.0 ? energy.scale : 1.0;
  const double round_off = kEnergyRoundOff * (std::abs(energy.initial) + std::abs(energy.final));
  if (std::abs(difference) > kNoMeasure * scale && std::abs(difference) <= round_off)
    return fmt::format("{:.3g} (round-off)", difference);
  return fmt::format("{:.3g} (relative {:.2g})", difference, difference / scale);
}

}  // namespace

std::vector<SummaryLine> describe_run(const RunSummary& summary) {
  const EnergyLedger& energy = summary.energy;
  std::vector<SummaryLine> lines;
  const auto add = [&](const char* label, std::string value) { lines.push_back({label, std::move(value)}); };
  add("steps", fmt::format("{} to t = {:.9g}", summary.steps, summary.final_state.t));
  if (summary.stopped) add("stopped", fmt::format("at t = {:.9g} by {}", summary.stopped->time, summary.stopped->because));
  if (!summary.own_events.empty()) {
    std::string counts;
    for (const OwnEventCount& event : summary.own_events)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", event.name, event.count);
    add("own events", counts);
  }
  const bool by_events = summary.events.total() > 0;
  if (by_events) add("events", describe_counts(summary.events));
  add("impacts", by_events ? fmt::format("{} (contacts that closed in an impact)", summary.impacts)
                           : fmt::format("{} (above {} of the fastest)", summary.impacts, kImpactThreshold));
  add("energy at the start", fmt::format("{:.9g}", energy.initial));
  add("energy at the end", fmt::format("{:.9g}", energy.final));
  add("lost in contacts", fmt::format("{:.9g}", energy.lost_in_contacts));
  add("lost in damping", fmt::format("{:.9g}", energy.lost_in_damping));
  add("work done", fmt::format("{:.9g}", energy.work_done));
  if (energy.pushed_out != 0.0) add("by pushing contacts out", fmt::format("{:.3g}", energy.pushed_out));
  add("unexplained", beside_energies(energy.unexplained(), energy));
  add("largest rise in a step", beside_energies(energy.max_rise_per_step, energy));
  add("worst residual", fmt::format("{:.3g}", summary.worst_residual));
  add("solver iterations",
      fmt::format("{} ({:.3g} per step)", summary.iterations,
                  static_cast<double>(summary.iterations) / static_cast<double>(std::max<std::int64_t>(1, summary.steps))));
  if (summary.halved_steps > 0) add("halved steps", fmt::format("{}", summary.halved_steps));
  if (summary.inexact_steps > 0) {
    add("inexact steps",
        fmt::format("{} (contact problems solved to less than the aim, within contact_tolerance)", summary.inexact_steps));
    add("residuals", fmt::format("half of the steps below {:.1g}, 90 % below {:.1g}", summary.median_residual,
                                 summary.residual_90_percent));
  }
  if (summary.ambiguous_steps > 0) {
    add("ambiguous steps",
        fmt::format("{} (a contact that slid could slide on or stick, as friction at rest is larger: it slid on)",
                    summary.ambiguous_steps));
  }
  if (summary.rejected_steps > 0) add("rejected steps", fmt::format("{}", summary.rejected_steps));
  if (summary.failed_steps > 0) add("failed steps", fmt::format("{}", summary.failed_steps));
  const std::string at = summary.worst_penetration_at.empty() ? "" : fmt::format(" ({})", summary.worst_penetration_at);
  add("worst penetration", fmt::format("{:.3g}{}", summary.worst_penetration, at));
  describe_constraints(summary.constraints, lines);
  add("wall time", fmt::format("{:.3g} s ({:.3g} us per step)", summary.wall_time,
                               1e6 * summary.wall_time / static_cast<double>(std::max<std::int64_t>(1, summary.steps))));
  for (const std::string& note : summary.notes) add("note", note);
  for (const std::string& warning : summary.warnings) add("warning", warning);
  return lines;
}

std::string summary_text(const RunHead& head, const std::vector<SummaryLine>& lines) {
  const std::string title = head.origin.title.empty() ? head.origin.scene_file : head.origin.title;
  const IntegratorInfo* integrator = find_integrator(head.integrator);
  const bool adaptive = integrator != nullptr && integrator->adaptive;
  std::string text = fmt::format("{}: {}", title, head.integrator);
  if (integrator == nullptr || integrator->takes_dt)
    text += fmt::format(", {} = {}", adaptive ? "first step" : "dt", head.dt);
  text += "\n";
  for (const SummaryLine& line : lines) {
    if (line.label != "warning") text += fmt::format("  {:<24}{}\n", line.label, line.value);
  }
  return text;
}

std::string report_document(const RecordedRun& run, const std::vector<SummaryLine>& summary, const RunOutcome& outcome) {
  Json lines = Json::array();
  for (const SummaryLine& line : summary) lines.push_back({{"label", line.label}, {"value", line.value}});
  for (const std::string& setting : run.origin.settings) lines.push_back({{"label", "setting"}, {"value", setting}});

  const StepCurve steps = step_curve(run);
  Json panels = {time_panel("q", "Coordinates", "SI", run.q), time_panel("u", "Velocities", "SI", run.u)};
  const bool has_modes = std::any_of(run.events.begin(), run.events.end(),
                                     [](const Event& event) { return event.kind == EventKind::kStart; }) &&
                         !run.laws.empty();
  if (!has_modes) panels.push_back(phase_panel(run));
  if (!run.gap.names.empty()) panels.push_back(time_panel("gap", "Gaps", "m", run.gap));
  if (has_modes) {  // beside or under the gaps
    panels.push_back(mode_panel(run));
    panels.push_back(phase_panel(run));
  }
  if (!run.impulse.names.empty()) {
    panels.push_back(time_panel("impulse", "Contact impulses, summed", "N s", summed_impulses(run.impulse)));
  }
  add_constraint_panels(run, panels);
  if (!run.quantity.names.empty()) panels.push_back(time_panel("quantity", "Quantities", "SI", run.quantity));
  panels.push_back(time_panel("energy", "Energy ledger", "J", shown_ledger(run.energy)));
  panels.push_back({{"id", "residual"},
                    {"title", "Residual of every step"},
                    {"kind", "time"},
                    {"axis", "steps"},
                    {"log", true},
                    {"unit", "1"},
                    {"series", Json::array({{{"label", "residual"}, {"values", base64(steps.residual)}}})}});
  const IntegratorInfo* integrator = find_integrator(run.integrator);
  const Json data = {{"format", "tippe-report"},
                     {"version", 1},
                     {"title", run.origin.title},
                     {"source", run.origin.source},
                     {"scene_file", run.origin.scene_file},
                     {"scene_text", run.origin.scene_text},
                     {"program", run.program},
                     {"integrator", run.integrator},
                     {"dt", integrator == nullptr || integrator->takes_dt ? Json(run.dt) : Json()},
                     {"status", name_of(run.status)},
                     {"message", run.message.empty() ? Json() : Json(run.message)},
                     {"outcome", {{"tone", name_of(outcome.tone)}, {"sentences", outcome.sentences}}},
                     {"summary", lines},
                     {"axes", {{"samples", base64(run.time)}, {"steps", base64(steps.time)}}},
                     {"panels", panels},
                     {"laws", describe_laws(run)},
                     {"impacts", impact_columns(run)},
                     {"events", event_table(run)},
                     {"replays", describe_replays({replay_of(run)})}};
  return data.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string make_report(const RecordedRun& run, const std::vector<SummaryLine>& summary, const RunOutcome& outcome) {
  return fill_page(pack_document(report_document(run, summary, outcome)));
}

void write_report(const std::filesystem::path& recording, const std::vector<SummaryLine>& summary,
                  const std::filesystem::path& page, std::optional<bool> obeys) {
  const RecordedState state = read_state(recording);
  write_page(make_report(state.run, summary, outcome_of(state.run, state.recorded.summary, obeys)), page);
}

}  // namespace tippe
