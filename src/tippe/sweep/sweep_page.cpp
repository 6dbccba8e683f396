// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_page.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tippe/core/version.h"
#include "tippe/report/analysis_drawings.h"
#include "tippe/report/analysis_style.h"
#include "tippe/report/json_values.h"
#include "tippe/report/page.h"
#include "tippe/sweep/sweep_file.h"
#include "tippe/sweep/sweep_page_script.h"

namespace tippe {
namespace {

/// The numbers of a column in these rows.
std::string packed(const SweepTable& table, size_t column, const std::vector<size_t>& rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const size_t row : rows) values.push_back(table.values[row * table.names.size() + column]);
  return base64(values);
}

size_t rows_of(const SweepTable& table) {
  return table.names.empty() ? 0 : table.values.size() / table.names.size();
}

/// So that rows with so many columns have at most kMostNumbersOfPage numbers.
size_t stride_of(size_t rows, size_t columns) {
  return std::max<size_t>(1, (rows * columns + kMostNumbersOfPage - 1) / kMostNumbersOfPage);
}

/// What is drawn of the runs: energies and counts of steps are left out.
std::vector<size_t> columns_of(const SweepTable& runs, size_t varied) {
  static const std::set<std::string> kLeftOut = {
      "steps",           "points",    "down",       "energy_initial", "lost_in_contacts",
      "lost_in_damping", "work_done", "pushed_out", "unexplained",    "wall_time"};
  std::vector<size_t> columns;
  for (size_t c = 0; c < runs.names.size(); ++c) {
    if (c < varied || !kLeftOut.contains(runs.names[c])) columns.push_back(c);
  }
  return columns;
}

}  // namespace

void write_sweep_page(const std::filesystem::path& sweep, const std::filesystem::path& page, const RepeatingWords& words) {
  const RecordedSweep recorded = read_sweep(sweep);
  const SweepTable runs = read_sweep_runs(sweep);
  const bool has_section = !recorded.request.section.empty() && !recorded.request.basin;
  const SweepTable section = has_section ? read_sweep_section(sweep) : SweepTable();
  const std::vector<size_t> columns = columns_of(runs, recorded.varied);
  const size_t stride = stride_of(rows_of(runs), columns.size());
  std::vector<size_t> rows, of_shown_runs, points;
  for (size_t row = 0; row < rows_of(runs); row += stride) rows.push_back(row);
  for (size_t row = 0; row < rows_of(section); ++row) {
    const double run = section.values[row * section.names.size()];
    if (std::fmod(run, static_cast<double>(stride)) == 0.0) of_shown_runs.push_back(row);
  }
  const size_t points_stride = stride_of(of_shown_runs.size(), section.names.size());
  for (size_t k = 0; k < of_shown_runs.size(); k += points_stride) points.push_back(of_shown_runs[k]);

  nlohmann::ordered_json data;
  data["varied"] = recorded.varied;
  data["sampled"] = recorded.request.samples.has_value() || !recorded.request.table_text.empty();
  data["ends"] = runs.words[recorded.varied];
  data["reasons"] = runs.words[recorded.varied + 1];
  data["command"] = words.command;
  data["option"] = words.option;
  data["stride"] = stride;
  data["attractors"] = recorded.attractors;
  data["ofImpacts"] = recorded.request.section.starts_with("impact");
  for (const char* list : {"names", "runs", "sectionNames", "section"}) data[list] = nlohmann::ordered_json::array();
  for (const size_t c : columns) {
    data["names"].push_back(runs.names[c]);
    data["runs"].push_back(packed(runs, c, rows));
  }
  data["sectionNames"] = section.names;
  for (size_t c = 0; c < section.names.size(); ++c) data["section"].push_back(packed(section, c, points));

  std::string facts =
      fmt::format("{} runs of {}, {} failed", recorded.rows, escape_html(recorded.request.scene_file), recorded.failed);
  if (stride > 1) facts += fmt::format("; one of {} is shown", stride);
  if (points_stride > 1) facts += fmt::format("; of the points of their section one of {}", points_stride);
  std::string json = dump(data);
  for (size_t at = json.find("</"); at != std::string::npos; at = json.find("</", at + 3)) json.replace(at, 2, "<\\/");
  const std::string title = escape_html(recorded.title.empty() ? recorded.request.scene_file : recorded.title);
  write_page(fmt::format(R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{0}</title>
<style>{1}
canvas {{ width: 100%; height: 560px; display: block; cursor: crosshair; }}
select {{ font: inherit; color: inherit; background: none; border: 1px solid; border-radius: 4px; }}
label {{ margin-right: 14px; }}
.swatch {{ display: inline-block; width: 12px; height: 12px; margin: 0 5px 0 14px; vertical-align: -1px; }}
code {{ overflow-wrap: anywhere; }}
</style></head><body><main>
<h1>{0}</h1>
<p class="facts">{2}</p>
<p><label>along <select id="x"></select></label><label>up <select id="y"></select></label><label>show <select id="value"></select></label><label>as <select id="form"></select></label></p>
<section class="card"><canvas id="plot"></canvas>
<p class="hint" id="colors"></p>
<p class="hint">Click a point: its run, and the command that repeats it. A red cross is a run that failed.</p>
<p><code id="command"></code></p><p class="hint" id="run"></p></section>
<p class="hint">{3}</p>
</main>
<script type="application/json" id="data">{4}</script>
<script>{5}</script>
</body></html>
)",
                         title, kAnalysisStyle, facts, escape_html(std::string(kProgram)), json, kSweepScript),
             page);
}

}  // namespace tippe
