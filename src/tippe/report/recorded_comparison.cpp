// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/recorded_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>

#include "tippe/core/error.h"
#include "tippe/run/registry.h"

namespace tippe {
namespace {

ComparedSystem system_of(const RecordedRun& run) {
  return {.coordinates = run.q.names,
          .velocities = run.u.names,
          .gaps = run.gap.names,
          .quantities = run.quantity.names,
          .has_constraints = !run.constraint_velocity.names.empty(),
          .has_positions = !run.constraint_position.names.empty()};
}

std::vector<double> energy_column(const RecordedRun& run, const std::string& name) {
  const auto found = std::find(run.energy.names.begin(), run.energy.names.end(), name);
  assert(found != run.energy.names.end());
  return run.energy.column(static_cast<size_t>(found - run.energy.names.begin()));
}

/// The largest size in each row.
std::vector<double> largest_of_rows(const RecordedTable& table) {
  const size_t width = table.names.size();
  std::vector<double> largest(table.values.size() / width, 0.0);
  for (size_t place = 0; place < table.values.size(); ++place)
    largest[place / width] = std::max(largest[place / width], std::abs(table.values[place]));
  return largest;
}

/// One column for each quantity of the comparison, in the order of Comparison::quantities().
std::vector<std::vector<double>> columns_of(const RecordedState& state) {
  const RecordedRun& run = state.run;
  const std::vector<double> total = energy_column(run, "total");
  std::vector<double> change = total;
  for (double& value : change) value -= state.recorded.summary.energy.initial;
  std::vector<std::vector<double>> columns = {total, change, energy_column(run, "unexplained")};
  for (const RecordedTable* table : {&run.gap, &run.q, &run.u, &run.quantity}) {
    for (size_t k = 0; k < table->names.size(); ++k) columns.push_back(table->column(k));
  }
  for (const RecordedTable* table : {&run.constraint_position, &run.constraint_velocity}) {
    if (!table->names.empty()) columns.push_back(largest_of_rows(*table));
  }
  return columns;
}

bool is_adaptive(const RecordedRun& run) {
  const IntegratorInfo* integrator = find_integrator(run.integrator);
  return integrator != nullptr && integrator->adaptive;
}

/// Multiples of the largest time between samples, until the end of the longest run so far.
CommonTimes common_times(std::span<const RecordedState> states) {
  double t0 = std::numeric_limits<double>::infinity(), end = -t0, interval = 0.0;
  for (const RecordedState& state : states) {
    if (state.run.time.empty()) continue;
    t0 = std::min(t0, state.run.time.front());
    end = std::max(end, state.run.time.back());
    interval = std::max({interval, state.every, is_adaptive(state.run) ? 0.0 : state.run.dt});
  }
  if (!(interval > 0.0)) return {};  // no samples yet
  return {t0, std::max(end, t0 + interval), interval};
}

/// The samples at common times: at which of them each is. Of several at one time, as before and after a jump, the last.
std::vector<std::optional<size_t>> rows_at(const CommonTimes& times, const std::vector<double>& time) {
  std::vector<std::optional<size_t>> rows(times.size());
  for (size_t row = 0; row < time.size(); ++row) {
    if (const std::optional<size_t> k = times.find(time[row])) rows[*k] = row;
  }
  return rows;
}

/// Half of the common times within the run, or more: steps that do not fit the time between samples leave few.
bool has_enough(const std::vector<std::optional<size_t>>& rows, const CommonTimes& times, const std::vector<double>& time) {
  if (time.empty()) return true;
  const auto found = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.has_value(); });
  return 2.0 * static_cast<double>(found) >= (time.back() - time.front()) / times.interval();
}

std::vector<double> pick(const std::vector<double>& column, const std::vector<std::optional<size_t>>& rows) {
  std::vector<double> picked(rows.size(), std::numeric_limits<double>::quiet_NaN());
  for (size_t k = 0; k < rows.size(); ++k) {
    if (rows[k]) picked[k] = column[*rows[k]];
  }
  return picked;
}

bool labels_differ(std::span<const RecordedState> states) {
  std::set<std::string> labels;
  for (const RecordedState& state : states) labels.insert(run_label(state.run.integrator, state.run.dt));
  return labels.size() == states.size();
}

}  // namespace

Comparison compare_recordings(std::span<const RecordedState> states, std::span<const std::string> names) {
  assert(!states.empty() && states.size() == names.size());
  const ComparedSystem system = system_of(states.front().run);
  const CommonTimes times = common_times(states);
  Comparison comparison(system, states.front().run.origin, times);
  const bool named = !labels_differ(states);
  for (size_t r = 0; r < states.size(); ++r) {
    const RecordedRun& run = states[r].run;
    if (system_of(run) != system) {
      throw InputError(
          {names[r], 0, 0},
          fmt::format("a recording of another system than {}: coordinates, contacts or quantities differ", names.front()));
    }
    const std::vector<std::optional<size_t>> rows = rows_at(times, run.time);
    if (!has_enough(rows, times, run.time)) {
      throw InputError({names[r], 0, 0},
                       fmt::format("its samples are not at the times of the others, {} s apart; give [output] every the "
                                   "same value in all, a multiple of their dt",
                                   times.interval()));
    }
    ComparedRun compared{.head = states[r].recorded.head,
                         .summary = states[r].recorded.summary,
                         .name = named ? names[r] : "",
                         .adaptive = is_adaptive(run),
                         .values = {},
                         .drawing = run.drawing};
    for (const std::vector<double>& column : columns_of(states[r])) compared.values.push_back(pick(column, rows));
    for (size_t k = 0; k < run.drawing_columns.names.size(); ++k)
      compared.drawing_columns.push_back(pick(run.drawing_columns.column(k), rows));
    comparison.add(std::move(compared));
  }
  return comparison;
}

}  // namespace tippe
