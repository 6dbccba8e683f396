// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>

#include "cli/command.h"
#include "cli/damage_guard.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/text_output.h"
#include "tippe/core/suggest.h"
#include "tippe/record/recorded_run.h"
#include "tippe/sweep/sweep_file.h"

namespace tippe::cli {
namespace {

struct ExportArguments {
  std::string recording;
  std::string columns;
  std::string out;
  bool events = false;
  bool section = false;
  bool csv = true;
};

/// A column: its name, and what writes the field of a row.
struct Column {
  std::string name;
  std::function<void(size_t row, fmt::memory_buffer& text)> write;
};

/// Numbers have as many digits as give back the same bits.
void write_number(double value, fmt::memory_buffer& text) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

/// Of a table, at a place in its rows.
Column number_column(const std::string& name, const std::vector<double>& values, size_t first = 0, size_t stride = 1) {
  return {name, [&values, first, stride](size_t row, fmt::memory_buffer& text) {
            write_number(values[first + row * stride], text);
          }};
}

std::vector<Column> sample_columns(const RecordedRun& run) {
  std::vector<Column> columns = {number_column("time", run.time)};
  const auto add = [&](const RecordedTable& table, const std::string& prefix, const std::string& suffix = "") {
    for (size_t k = 0; k < table.names.size(); ++k)
      columns.push_back(number_column(prefix + table.names[k] + suffix, table.values, k, table.names.size()));
  };
  add(run.q, "");
  add(run.u, "");
  add(run.gap, "gap ");
  add(run.impulse, "");
  add(run.energy, "");
  add(run.quantity, "");
  add(run.constraint_force, "", ".force");
  add(run.constraint_position, "", ".position");
  add(run.constraint_velocity, "", ".velocity");
  add(run.control_force, "", ".control_force");
  if (!run.redundant.empty()) columns.push_back(number_column("redundant", run.redundant));
  return columns;
}

/// A text that a spreadsheet would take for a formula gets an apostrophe, which makes it a text there.
std::string harmless(const std::string& text) {
  constexpr std::string_view kFormulas = "=+-@\t\r";
  return !text.empty() && kFormulas.find(text.front()) != std::string_view::npos ? "'" + text : text;
}

/// RFC 4180: in quotes where it must be.
std::string csv_field(const std::string& original) {
  const std::string text = harmless(original);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

std::vector<Column> event_columns(const RecordedEvents& recorded) {
  std::vector<Column> columns;
  const auto add_text = [&](const std::string& name, auto&& text_of) {
    columns.push_back({name, [&recorded, text_of](size_t row, fmt::memory_buffer& text) {
                         fmt::format_to(std::back_inserter(text), "{}", csv_field(text_of(recorded.events[row])));
                       }});
  };
  const auto add_number = [&](const std::string& name, auto&& number_of) {
    columns.push_back({name, [&recorded, number_of](size_t row, fmt::memory_buffer& text) {
                         write_number(number_of(recorded.events[row]), text);
                       }});
  };
  add_number("time", [](const Event& event) { return event.t; });
  add_text("kind", [](const Event& event) { return std::string(name_of(event.kind)); });
  add_text("laws", [&recorded](const Event& event) {
    std::vector<std::string> names;
    for (const int law : event.laws) names.push_back(recorded.laws.at(static_cast<size_t>(law)));
    return fmt::format("{}", fmt::join(names, ";"));
  });
  for (size_t i = 0; i < recorded.laws.size(); ++i) {
    add_text(recorded.laws[i] + ".before", [i](const Event& event) { return std::string(name_of(event.before[i])); });
    add_text(recorded.laws[i] + ".after", [i](const Event& event) { return std::string(name_of(event.after[i])); });
  }
  for (size_t k = 0; k < recorded.rows.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    add_number(recorded.rows[k], [row](const Event& event) { return event.impulse.size() > 0 ? event.impulse[row] : 0.0; });
  }
  add_number("energy_lost", [](const Event& event) { return event.lost; });
  add_text("alternatives", [](const Event& event) {
    return event.alternatives ? std::to_string(*event.alternatives) : std::string("not checked");
  });
  add_text("note", [](const Event& event) { return event.note; });
  return columns;
}

/// The names between commas; a name with a comma stands in double quotes, as in the header.
std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (size_t k = 0; k < list.size(); ++k) {
    if (list[k] == '"' && quoted && k + 1 < list.size() && list[k + 1] == '"') {
      names.back() += list[k++];
    } else if (list[k] == '"') {
      quoted = !quoted;
    } else if (list[k] == ',' && !quoted) {
      names.emplace_back();
    } else {
      names.back() += list[k];
    }
  }
  return names;
}

std::vector<Column> chosen_columns(const std::vector<Column>& all, const std::string& list) {
  if (list.empty()) return all;
  std::vector<std::string> known;
  for (const Column& column : all) known.push_back(column.name);
  std::vector<Column> chosen;
  for (const std::string& name : split_names(list)) {
    const auto called = [&](const std::string& column) { return name == column || name == harmless(column); };
    const auto found = std::find_if(known.begin(), known.end(), called);
    if (found == known.end()) {
      throw InputError({}, fmt::format("--columns: there is no '{}'{} (there are: {})", name, did_you_mean(name, known),
                                       comma_list(known)));
    }
    chosen.push_back(all[static_cast<size_t>(found - known.begin())]);
  }
  return chosen;
}

/// Calls write(text) for blocks of lines, until it returns false.
template <class Write>
void write_csv(const std::vector<Column>& columns, size_t rows, Write&& write) {
  constexpr size_t kBlock = size_t{1} << 16;
  fmt::memory_buffer text;
  for (size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(std::back_inserter(text), "{}{}", c > 0 ? "," : "", csv_field(columns[c].name));
  text.push_back('\n');
  for (size_t row = 0; row < rows; ++row) {
    for (size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text.push_back(',');
      columns[c].write(row, text);
    }
    text.push_back('\n');
    if (text.size() < kBlock) continue;
    if (!write(text)) return;
    text.clear();
  }
  (void)write(text);
}

void write_columns(const ExportArguments& arguments, const std::vector<Column>& all, size_t rows) {
  const std::vector<Column> columns = chosen_columns(all, arguments.columns);
  if (arguments.out.empty()) {
    write_csv(columns, rows, [](const fmt::memory_buffer& text) {
      write_output({text.data(), text.size()});
      return output_works();
    });
    return;
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.out, arguments.recording, ignored))
    throw InputError({}, "--out: the recording itself would be overwritten");
  std::ofstream file(arguments.out, std::ios::binary);
  write_csv(columns, rows, [&](const fmt::memory_buffer& text) -> bool {
    return static_cast<bool>(file.write(text.data(), static_cast<std::streamsize>(text.size())));
  });
  file.close();
  if (!file) throw FileError(arguments.out + ": cannot write the file; is the disk full?");
}

template <class Read>
auto read_guarded(const std::string& recording, const Read& read) {
  const DamageGuard guard = DamageGuard::for_file(recording, kFileTrouble);
  return read(recording);
}

/// Of the result of a sweep: what its numbers stand for where they stand for words.
std::vector<Column> sweep_columns(const SweepTable& table) {
  std::vector<Column> columns;
  const size_t width = table.names.size();
  for (size_t c = 0; c < width; ++c) {
    columns.push_back(number_column(table.names[c], table.values, c, width));
    const std::vector<std::string>& words = table.words[c];
    if (words.empty()) continue;
    columns.back().write = [&table, &words, c, width](size_t row, fmt::memory_buffer& text) {
      const double number = table.values[c + row * width];
      if (!(number >= 0.0 && number < static_cast<double>(words.size()))) return;
      fmt::format_to(std::back_inserter(text), "{}", csv_field(words[static_cast<size_t>(number)]));
    };
  }
  return columns;
}

int export_sweep(const ExportArguments& arguments) {
  if (arguments.events) throw InputError({arguments.recording, 0, 0}, "is the result of a sweep, which keeps no events");
  const SweepTable table = read_guarded(arguments.recording, [&](const std::string& file) {
    return arguments.section ? read_sweep_section(file) : read_sweep_runs(file);
  });
  write_columns(arguments, sweep_columns(table), table.values.size() / table.names.size());
  return kFine;
}

int export_recording(const ExportArguments& arguments) {
  if (read_guarded(arguments.recording, [](const std::string& file) { return is_sweep(file); }))
    return export_sweep(arguments);
  if (arguments.section)
    throw InputError({arguments.recording, 0, 0}, "is a recording, and --section is for results of sweeps");
  if (arguments.events) {
    const RecordedEvents recorded =
        read_guarded(arguments.recording, [](const std::string& file) { return read_recorded_events(file); });
    write_columns(arguments, event_columns(recorded), recorded.events.size());
  } else {
    const RecordedRun run = read_guarded(arguments.recording, [](const std::string& file) { return read_recording(file); });
    write_columns(arguments, sample_columns(run), run.time.size());
  }
  return kFine;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write the samples or the events of a recording, or a sweep, as CSV");
  command->footer(
      "The first line has the names of the scene: time, the coordinates and velocities, \"gap CONTACT\", the impulses since "
      "the\n"
      "sample before (beak.n, beak.t), the energies, and of bilateral constraints forces and violations (rod.force,\n"
      "rod.position, rod.velocity) and the force on each coordinate (x.control_force). Numbers are printed to the last "
      "bit.\n\n"
      "Of the result of a sweep it writes one line for each run.\n\n"
      "Examples:\n"
      "  tippe export woodpecker.h5 > woodpecker.csv\n"
      "  tippe export woodpecker.h5 --events > events.csv\n"
      "  tippe export woodpecker.h5 --columns \"time,phi,phi',gap beak,beak.n\" --out beak.csv\n\n"
      "Exit codes: 0 fine, 2 wrong usage or an unknown column, 4 a file cannot be read or written.");
  command->add_option("recording", arguments->recording, "The recording of a run (HDF5, docs/recording.md)")
      ->required()
      ->type_name("RUN.h5");
  command->add_flag(
      "--events", arguments->events,
      "The events instead: time, kind, laws, the mode of every law before and after (beak.before, beak.after), "
      "impulses (beak.n), energy_lost, alternatives, note");
  command
      ->add_flag("--section", arguments->section, "Of the result of a sweep: the points of its section instead of its runs")
      ->excludes("--events");
  command->add_flag("--csv", arguments->csv, "As CSV: the default, and the only format");
  command->add_option("--columns", arguments->columns, "These columns in this order, with commas between; default: all")
      ->type_name("NAMES");
  command->add_option("--out", arguments->out, "A file instead of standard output")->type_name("FILE");
  command->callback([arguments, &exit_code] { exit_code = guarded([&] { return export_recording(*arguments); }); });
}

}  // namespace tippe::cli
