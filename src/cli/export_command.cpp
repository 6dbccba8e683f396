// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "cli/command.h"
#include "cli/message.h"
#include "cli/text_output.h"
#include "tippe/core/suggest.h"
#include "tippe/record/recorded_run.h"

namespace tippe::cli {
namespace {

struct ExportArguments {
  std::string recording;
  std::string columns;
  std::string out;
  bool csv = true;
};

/// A column of the samples: a table and a place in its rows.
struct Column {
  std::string name;
  const std::vector<double>* values;
  size_t first, stride;
};

std::vector<Column> all_columns(const RecordedRun& run) {
  std::vector<Column> columns = {{"time", &run.time, 0, 1}};
  const auto add = [&](const RecordedTable& table, const std::string& prefix, const std::string& suffix = "") {
    for (size_t k = 0; k < table.names.size(); ++k)
      columns.push_back({prefix + table.names[k] + suffix, &table.values, k, table.names.size()});
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
  if (!run.redundant.empty()) columns.push_back({"redundant", &run.redundant, 0, 1});
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
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw InputError({}, fmt::format("--columns: there is no '{}'{} (there are: {})", name, did_you_mean(name, known),
                                       comma_list(known)));
    }
    chosen.push_back(all[static_cast<size_t>(found - known.begin())]);
  }
  return chosen;
}

/// RFC 4180: in quotes where it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

/// Calls write(text) for blocks of lines. Numbers have as many digits as give back the same bits.
template <class Write>
void write_csv(const std::vector<Column>& columns, size_t rows, Write&& write) {
  constexpr size_t kBlock = size_t{1} << 16;
  fmt::memory_buffer text;
  for (size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(std::back_inserter(text), "{}{}", c > 0 ? "," : "", csv_field(columns[c].name));
  text.push_back('\n');
  for (size_t row = 0; row < rows; ++row) {
    for (size_t c = 0; c < columns.size(); ++c) {
      const Column& column = columns[c];
      fmt::format_to(std::back_inserter(text), "{}{}", c > 0 ? "," : "",
                     (*column.values)[column.first + row * column.stride]);
    }
    text.push_back('\n');
    if (text.size() < kBlock) continue;
    write(text);
    text.clear();
  }
  write(text);
}

int export_samples(const ExportArguments& arguments) {
  try {
    const RecordedRun run = read_recording(arguments.recording);
    const std::vector<Column> columns = chosen_columns(all_columns(run), arguments.columns);
    if (arguments.out.empty()) {
      write_csv(columns, run.time.size(),
                [](const fmt::memory_buffer& text) { std::fwrite(text.data(), 1, text.size(), stdout); });
      return kFine;
    }
    std::error_code ignored;
    if (std::filesystem::equivalent(arguments.out, arguments.recording, ignored))
      throw InputError({}, "--out: the recording itself would be overwritten");
    std::ofstream file(arguments.out, std::ios::binary);
    write_csv(columns, run.time.size(),
              [&](const fmt::memory_buffer& text) { file.write(text.data(), static_cast<std::streamsize>(text.size())); });
    file.close();
    if (!file) throw FileError(arguments.out + ": cannot write the file; is the disk full?");
    return kFine;
  } catch (const InputError& error) {
    print_error(error.position(), error.what());
    return kBadInput;
  } catch (const FileError& error) {
    print_error({}, error.what());
    return kFileTrouble;
  }
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write the samples of a recording as CSV");
  command->footer(
      "The first line has the names of the scene: time, the coordinates and velocities, \"gap CONTACT\", the impulses since "
      "the\n"
      "sample before (beak.n, beak.t), the energies, and of bilateral constraints forces and violations (rod.force,\n"
      "rod.position, rod.velocity) and the force on each coordinate (x.control_force). Numbers are printed to the last "
      "bit.\n\n"
      "Examples:\n"
      "  tippe export woodpecker.h5 > woodpecker.csv\n"
      "  tippe export woodpecker.h5 --columns \"time,phi,phi',gap beak,beak.n\" --out beak.csv\n\n"
      "Exit codes: 0 fine, 2 wrong usage or an unknown column, 4 a file cannot be read or written.");
  command->add_option("recording", arguments->recording, "The recording of a run (HDF5, docs/recording.md)")
      ->required()
      ->type_name("RUN.h5");
  command->add_flag("--csv", arguments->csv, "As CSV: the default, and the only format");
  command->add_option("--columns", arguments->columns, "These columns in this order, with commas between; default: all")
      ->type_name("NAMES");
  command->add_option("--out", arguments->out, "A file instead of standard output")->type_name("FILE");
  command->callback([arguments, &exit_code] { exit_code = export_samples(*arguments); });
}

}  // namespace tippe::cli
