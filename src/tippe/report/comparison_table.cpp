// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tippe/report/comparison.h"
#include "tippe/report/text_layout.h"

namespace tippe {
namespace {

struct Column {
  std::string heading;
  std::function<std::string(const ComparedRun&)> cell;
};

std::string short_number(double value) {
  return fmt::format("{:.3g}", value);
}

bool any(const Comparison& comparison, bool (*holds)(const ComparedRun&)) {
  return std::any_of(comparison.runs().begin(), comparison.runs().end(), holds);
}

/// Only those that say something in this comparison.
std::vector<Column> choose_columns(const Comparison& comparison) {
  std::vector<Column> columns;
  const auto add = [&](const char* heading, auto&& cell) { columns.push_back({heading, cell}); };
  const auto steps = [](const ComparedRun& run) {
    return static_cast<double>(std::max<std::int64_t>(1, run.summary.steps));
  };
  if (any(comparison, [](const ComparedRun& run) { return !run.name.empty(); }))
    add("run", [](const ComparedRun& run) { return run.name; });
  add("integrator", [](const ComparedRun& run) { return run.head.integrator; });
  add("dt", [](const ComparedRun& run) { return run.adaptive ? "by error" : fmt::format("{}", run.head.dt); });
  add("steps", [](const ComparedRun& run) { return fmt::format("{}", run.summary.steps); });
  add("wall time", [](const ComparedRun& run) { return short_number(run.summary.wall_time) + " s"; });
  add("per step", [=](const ComparedRun& run) { return short_number(1e6 * run.summary.wall_time / steps(run)) + " us"; });
  add("energy change",
      [](const ComparedRun& run) { return short_number(run.summary.energy.final - run.summary.energy.initial); });
  add("energy unexplained", [](const ComparedRun& run) { return short_number(run.summary.energy.unexplained()); });
  add("largest rise", [](const ComparedRun& run) { return short_number(run.summary.energy.max_rise_per_step); });
  if (any(comparison, [](const ComparedRun& run) { return !run.head.contacts.empty(); })) {
    add("worst penetration", [](const ComparedRun& run) { return short_number(run.summary.worst_penetration); });
    add("impacts", [](const ComparedRun& run) { return fmt::format("{}", run.summary.impacts); });
  }
  if (any(comparison, [](const ComparedRun& run) { return run.summary.constraints.holonomic > 0; }))
    add("violation positions", [](const ComparedRun& run) { return short_number(run.summary.constraints.position.value); });
  if (any(comparison, [](const ComparedRun& run) { return run.summary.constraints.rows > 0; }))
    add("violation velocities", [](const ComparedRun& run) { return short_number(run.summary.constraints.velocity.value); });
  add("worst residual", [](const ComparedRun& run) { return short_number(run.summary.worst_residual); });
  if (any(comparison, [](const ComparedRun& run) { return run.summary.halved_steps > 0; }))
    add("halved steps", [](const ComparedRun& run) { return fmt::format("{}", run.summary.halved_steps); });
  if (any(comparison, [](const ComparedRun& run) { return run.summary.inexact_steps > 0; }))
    add("inexact steps", [](const ComparedRun& run) { return fmt::format("{}", run.summary.inexact_steps); });
  if (any(comparison, [](const ComparedRun& run) { return run.summary.rejected_steps > 0; }))
    add("rejected steps", [](const ComparedRun& run) { return fmt::format("{}", run.summary.rejected_steps); });
  return columns;
}

std::string describe(const std::optional<Deviation>& deviation, bool one_coordinate) {
  if (!deviation) return "reference";
  const std::string value = short_number(deviation->value);
  return one_coordinate || deviation->coordinate.empty() ? value : fmt::format("{} ({})", value, deviation->coordinate);
}

std::string describe_outcome(const RunSummary& summary) {
  if (summary.status == RunStatus::kRunning) return fmt::format("running, t = {:.9g}", summary.final_state.t);
  if (summary.status != RunStatus::kOk) return summary.message;
  return summary.stopped ? fmt::format("{} at t = {:.9g}", summary.stopped->because, summary.stopped->time) : "ok";
}

std::string describe(const std::optional<double>& order) {
  return order ? fmt::format("{:.2f}", *order) : "";
}

/// "moreau 0.98 in positions, 0.02 in velocities".
std::string describe(const IntegratorOrder& order) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "unknown"; };
  return fmt::format("{} {} in positions and {} in velocities over {} steps", order.integrator, number(order.positions),
                     number(order.velocities), order.steps.size());
}

void add_order_notes(const Comparison& comparison, std::vector<std::string>& notes) {
  notes.emplace_back(
      "errors of velocities: an impact that a scheme has in another step than it belongs to changes them by all of the jump "
      "at a common time in between, so that their largest error need not fall with dt; that of positions does");
  std::vector<std::string> parts;
  for (const IntegratorOrder& order : comparison.orders()) parts.push_back(describe(order));
  if (!parts.empty()) {
    notes.push_back(
        fmt::format("order: error ~ dt^order, from the next larger step; by least squares {}", fmt::join(parts, "; ")));
  }
}

}  // namespace

TextTable tabulate(const Comparison& comparison) {
  TextTable table;
  if (comparison.runs().empty()) return table;
  const std::vector<Column> columns = choose_columns(comparison);
  const bool exact = comparison.has_exact_reference();
  for (const Column& column : columns) table.headings.push_back(column.heading);
  if (exact) {
    table.headings.insert(table.headings.end(),
                          {"error positions", "order positions", "error velocities", "order velocities", "outcome"});
  } else {
    table.headings.insert(table.headings.end(), {"largest deviation", "outcome"});
  }
  for (size_t r = 0; r < comparison.runs().size(); ++r) {
    const ComparedRun& run = comparison.runs()[r];
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const Column& column : columns) row.push_back(column.cell(run));
    const bool one = run.head.coordinates.size() == 1;
    row.push_back(describe(comparison.deviation(r), one));
    if (exact) {
      row.push_back(describe(comparison.order(r, Compared::kPositions)));
      row.push_back(describe(comparison.deviation(r, Compared::kVelocities), one));
      row.push_back(describe(comparison.order(r, Compared::kVelocities)));
    }
    row.push_back(describe_outcome(run.summary));
  }
  const ComparedRun& reference = comparison.runs()[comparison.reference()];
  const std::string until = reference.summary.status == RunStatus::kOk
                                ? ""
                                : fmt::format(", which reached t = {:.9g} only", reference.summary.final_state.t);
  table.notes.push_back(
      fmt::format("{}: the largest difference of a coordinate{} from the reference, {}{}, at {} common times, "
                  "{:.6g} s apart",
                  exact ? "error" : "deviation", exact ? " or velocity" : "", reference.label(), until,
                  comparison.times().size(), comparison.times().interval()));
  if (exact) add_order_notes(comparison, table.notes);
  return table;
}

std::string comparison_text(const Comparison& comparison, const TextTable& content) {
  const RunOrigin& origin = comparison.origin();
  std::string text = fmt::format("{}: {} run{}\n", origin.title.empty() ? origin.scene_file : origin.title,
                                 comparison.runs().size(), comparison.runs().size() == 1 ? "" : "s");
  text += table(content);
  for (const std::string& note : content.notes) text += note + "\n";
  return text;
}

}  // namespace tippe
