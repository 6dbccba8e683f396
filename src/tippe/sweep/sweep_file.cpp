// SPDX-License-Identifier: Apache-2.0
#include "tippe/sweep/sweep_file.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "tippe/core/error.h"
#include "tippe/core/version.h"
#include "tippe/storage/file_pair.h"
#include "tippe/sweep/sweep_cells.h"

namespace tippe {
namespace {

/// So many different reasons are kept in words; the others keep that they failed.
constexpr size_t kMostReasons = 10'000;

struct OneThatExists {};

}  // namespace

/// One HDF5 file. Rows wait in memory until flush().
class SweepFile::Contents {
 public:
  Contents(const std::filesystem::path& path, const std::filesystem::path& shown, const SweepPlan& plan)
      : file_(Hdf5File::create(path, shown)), state_size_(state_columns(plan.scene(), {}).size()) {
    write_head(plan);
    visit_tables(plan, [this](const std::string& name, const std::vector<std::string>& columns) {
      file_.write_list(name + "_names", columns);
      return columns.empty() ? Hdf5Table() : file_.make_table(name, static_cast<int>(columns.size()));
    });
    file_.write_list("runs/end_names", end_names());
    file_.write_list("runs/reasons", {});
  }

  Contents(const std::filesystem::path& path, const std::filesystem::path& shown, const SweepPlan& plan, OneThatExists)
      : file_(Hdf5File::open_for_writing(path, shown)), state_size_(state_columns(plan.scene(), {}).size()) {
    visit_tables(plan, [&](const std::string& name, const std::vector<std::string>& columns) {
      return columns.empty() ? Hdf5Table() : file_.open_table(name, static_cast<int>(columns.size()));
    });
    for (const std::string& reason : file_.read_list("runs/reasons")) number_of_reason(reason);
    new_reasons_ = false;
    file_.set("/", "status", std::string("running"));
  }

  void add(const SweepRow& row, bool down, const std::vector<Attractor>& attractors) {
    const SweepResult& result = row.result;
    value_.append(row.values);
    row_.clear();
    append_result(result, result.message.empty() ? -1.0 : number_of_reason(result.message), down, row_);
    result_.append(row_);
    row_.clear();
    append_final(result, state_size_, row_);
    end_.append(row_);
    row_.clear();
    append_ledger(result, row_);
    energy_.append(row_);
    if (quantity_.exists()) quantity_.append(result.reduced);
    wall_.append(row.wall_time);
    if (attractor_.exists()) {
      attractor_.append(static_cast<double>(row.attractor));
      for (; attractors_ < attractors.size(); ++attractors_) add_attractor(attractors[attractors_]);
      return;
    }
    if (!section_.exists()) return;
    for (const SweepPoint& point : result.section) {
      row_.clear();
      append_section_point(row.number, point, row_);
      section_.append(row_);
    }
  }

  void flush() {
    if (new_reasons_) file_.write_list("runs/reasons", reasons_);
    new_reasons_ = false;
    for (Hdf5Table* table : {&value_, &result_, &end_, &energy_, &quantity_, &wall_, &section_, &attractor_,
                             &attractor_list_, &attractor_points_}) {
      if (table->exists()) table->flush();
    }
    file_.flush();
  }
  void set_status(const std::string& status) { file_.set("/", "status", status); }

 private:
  void write_head(const SweepPlan& plan) {
    const SweepRequest& request = plan.request();
    const Scene& scene = plan.scene();
    file_.set("/", "format", std::string(kSweepFormat));
    file_.set("/", "format_version", kSweepFormatVersion);
    file_.set("/", "program", std::string(kProgram));
    file_.set("/", "title", scene.origin.title);
    file_.set("/", "source", scene.origin.source);
    file_.set("/", "status", std::string("running"));
    file_.set("/", "points", plan.points().size());
    file_.write_text("scene", request.scene_text);
    file_.set("scene", "file", request.scene_file);
    file_.make_group("options");
    file_.write_list("options/vary", request.vary);
    file_.write_list("options/quantities", request.quantities);
    file_.write_list("options/settings", request.overrides.settings);
    file_.write_text("options/table", request.table_text);
    file_.set("options", "table_file", request.table_file);
    file_.set("options", "integrator", scene.run.integrator);
    for (const auto& [name, value] : overridden(request)) file_.set("options", name, value.value_or(""));
    file_.set("options", "samples", request.samples.value_or(0));
    file_.set("options", "sampling", std::string(request.sampling == Sampling::kSobol ? "sobol" : "random"));
    file_.set("options", "seed", static_cast<std::int64_t>(request.seed));
    file_.set("options", "section", request.section);
    file_.set("options", "transient", plan.look().section.transient);
    file_.set("options", "keep", plan.look().section.keep);
    file_.set("options", "follow", request.follow);
    file_.set("options", "basin", std::int64_t{request.basin ? 1 : 0});
    for (const char* group : {"points", "runs"}) file_.make_group(group);
    if (request.basin) {
      file_.make_group("attractors");
      std::vector<std::string> kinds;
      for (int kind = 0; kind < kAttractorKinds; ++kind) kinds.emplace_back(name_of(static_cast<Attractor::Kind>(kind)));
      file_.write_list("attractors/kind_names", kinds);
    } else if (plan.look().section.exists()) {
      file_.make_group("section");
    }
  }

  static std::vector<std::pair<std::string, std::optional<std::string>>> overridden(const SweepRequest& request) {
    return {{"given_integrator", request.overrides.integrator},
            {"given_dt", request.overrides.dt},
            {"given_until", request.overrides.until}};
  }

  template <class Make>
  void visit_tables(const SweepPlan& plan, Make&& make) {
    value_ = make("points/value", plan.points().names());
    result_ = make("runs/result", result_columns());
    end_ = make("runs/final", state_columns(plan.scene(), {}));
    energy_ = make("runs/energy", ledger_columns());
    quantity_ = make("runs/quantity", plan.request().quantities);
    wall_ = make("runs/wall", {"wall_time"});
    if (plan.request().basin) {
      attractor_ = make("runs/attractor", {"attractor"});
      attractor_list_ = make("attractors/list", {"kind", "period"});
      attractor_points_ = make("attractors/point", state_columns(plan.scene(), {"attractor", "t"}));
      attractors_ = attractor_list_.rows();
    } else if (plan.look().section.exists()) {
      section_ = make("section/point", section_columns(plan.scene()));
    }
  }

  void add_attractor(const Attractor& attractor) {
    const double cells[] = {static_cast<double>(attractor.kind),
                            attractor.kind == Attractor::Kind::kOrbit ? static_cast<double>(attractor.points.size()) : 0.0};
    attractor_list_.append(cells);
    for (const State& point : attractor.points) {
      row_.assign({static_cast<double>(attractors_), point.t});
      append_state(point, row_);
      attractor_points_.append(row_);
    }
  }

  double number_of_reason(const std::string& reason) {
    const auto known = reason_numbers_.find(reason);
    if (known != reason_numbers_.end()) return known->second;
    if (reasons_.size() >= kMostReasons) return -1.0;
    const auto number = static_cast<double>(reasons_.size());
    reasons_.push_back(reason);
    new_reasons_ = true;
    reason_numbers_[reason] = number;
    return number;
  }

  Hdf5File file_;
  size_t state_size_;
  Hdf5Table value_, result_, end_, energy_, quantity_, wall_, section_, attractor_, attractor_list_, attractor_points_;
  size_t attractors_ = 0;  // that are written
  std::vector<std::string> reasons_;
  std::unordered_map<std::string, double> reason_numbers_;
  bool new_reasons_ = false;
  std::vector<double> row_;
};

SweepFile::SweepFile(const std::filesystem::path& path, const SweepPlan& plan, bool exists)
    : files_(std::make_unique<FilePair>(path)), points_(&plan.points()) {
  exists ? files_->begin_copies() : files_->begin_new();
  for (const auto& [contents, place] : {std::pair{&next_, &files_->next()}, std::pair{&published_, &files_->last()}}) {
    *contents = exists ? std::make_unique<Contents>(*place, path, plan, OneThatExists())
                       : std::make_unique<Contents>(*place, path, plan);
  }
}

SweepFile::~SweepFile() = default;

void SweepFile::add(const SweepRow& row, const std::vector<Attractor>& attractors) {
  for (auto* file : {&next_, &published_}) (*file)->add(row, points_->down(row.number), attractors);
}

void SweepFile::flush() {
  next_->flush();
  files_->exchange();
  std::swap(next_, published_);
}

void SweepFile::finish(const std::string& status) {
  next_->set_status(status);
  next_->flush();
  next_.reset();  // closing moves things about in the file: not under its name
  files_->finish();
}

bool is_sweep(const std::filesystem::path& path) {
  const Hdf5File file = Hdf5File::open_snapshot(path);
  return file.has_attribute("/", "format") && file.text_attribute("/", "format") == kSweepFormat;
}

namespace {

Hdf5File open_sweep(const std::filesystem::path& path) {
  Hdf5File file = Hdf5File::open_snapshot(path);
  if (!file.has_attribute("/", "format") || file.text_attribute("/", "format") != kSweepFormat)
    throw FileError(path.string(), "not the result of a sweep");
  if (file.number_attribute("/", "format_version") != static_cast<double>(kSweepFormatVersion))
    throw FileError(path.string(), "has another version of the format than this program reads");
  return file;
}

/// Rows of a table whose names stand beside it; throws unless its numbers fill rows.
std::vector<double> read_rows(const Hdf5File& file, const std::string& name, size_t columns) {
  std::vector<double> values = file.read_table(name);
  if (columns == 0 || values.size() % columns != 0)
    throw FileError(file.name(), "damaged: '" + name + "' has no whole rows");
  return values;
}

std::int64_t whole(const Hdf5File& file, const std::string& attribute) {
  const double number = file.number_attribute("options", attribute);
  if (!(number == std::trunc(number) && std::abs(number) < 9e15))
    throw FileError(file.name(), "damaged: '" + attribute + "' is no whole number");
  return static_cast<std::int64_t>(number);
}

/// Of a basin, what its attractors are; nothing else has any.
std::vector<std::string> read_attractor_names(const Hdf5File& file) {
  const std::vector<std::string> kinds = file.read_list("attractors/kind_names");
  const std::vector<double> list = read_rows(file, "attractors/list", 2);
  std::vector<std::string> names;
  for (size_t k = 0; k < list.size(); k += 2) {
    const auto kind = static_cast<size_t>(list[k]);
    if (!(list[k] >= 0.0) || kind >= kinds.size()) throw FileError(file.name(), "damaged: an attractor has no kind");
    names.push_back(list[k + 1] > 0.0 ? fmt::format("orbit of period {:.0f}", list[k + 1]) : kinds[kind]);
  }
  return names;
}

}  // namespace

RecordedSweep read_sweep(const std::filesystem::path& path) {
  const Hdf5File file = open_sweep(path);
  RecordedSweep sweep;
  SweepRequest& request = sweep.request;
  sweep.program = file.text_attribute("/", "program");
  sweep.title = file.text_attribute("/", "title");
  sweep.status = file.text_attribute("/", "status");
  sweep.varied = file.read_list("points/value_names").size();
  request.scene_text = file.read_text("scene");
  request.scene_file = file.text_attribute("scene", "file");
  request.vary = file.read_list("options/vary");
  request.quantities = file.read_list("options/quantities");
  request.overrides.settings = file.read_list("options/settings");
  request.table_text = file.read_text("options/table");
  request.table_file = file.text_attribute("options", "table_file");
  for (const auto& [name, target] :
       {std::pair{"given_integrator", &request.overrides.integrator}, std::pair{"given_dt", &request.overrides.dt},
        std::pair{"given_until", &request.overrides.until}}) {
    if (const std::string text = file.text_attribute("options", name); !text.empty()) *target = text;
  }
  if (const std::int64_t samples = whole(file, "samples"); samples != 0) request.samples = samples;
  request.sampling = file.text_attribute("options", "sampling") == "sobol" ? Sampling::kSobol : Sampling::kRandom;
  request.seed = static_cast<std::uint64_t>(whole(file, "seed"));
  request.section = file.text_attribute("options", "section");
  request.transient = whole(file, "transient");
  request.keep = whole(file, "keep");
  request.follow = file.text_attribute("options", "follow");
  request.basin = whole(file, "basin") != 0;
  if (request.basin) sweep.attractors = read_attractor_names(file);
  const size_t columns = result_columns().size();
  const std::vector<double> results = read_rows(file, "runs/result", columns);
  sweep.rows = static_cast<std::int64_t>(results.size() / columns);
  for (size_t k = 0; k < results.size(); k += columns) {
    const double end = results[k];
    if (end == static_cast<double>(SweepEnd::kFailed) || end == static_cast<double>(SweepEnd::kRefused)) ++sweep.failed;
  }
  return sweep;
}

namespace {

State state_in(const double* numbers, double t, const SweepPlan& plan) {
  const int nq = plan.scene().system->nq(), nu = plan.scene().system->nu();
  return {t, Eigen::Map<const Eigen::VectorXd>(numbers, nq), Eigen::Map<const Eigen::VectorXd>(numbers + nq, nu)};
}

/// The last row of the line in which the sweep ended that others may start from.
std::optional<FollowedState> last_followed(const Hdf5File& file, const SweepPlan& plan, std::int64_t rows) {
  const std::int64_t line = plan.points().line();
  if (line == 1) return std::nullopt;
  const size_t width = result_columns().size(), states = state_columns(plan.scene(), {}).size();
  const std::vector<double> results = read_rows(file, "runs/result", width), final = read_rows(file, "runs/final", states);
  if (results.size() / width != final.size() / states) throw FileError(file.name(), "damaged: its tables differ in length");
  for (std::int64_t row = rows - 1; row >= 0 && row >= rows / line * line; --row) {
    const double* const result = results.data() + static_cast<size_t>(row) * width;
    const double end = result[0], time = result[2];
    if (end == static_cast<double>(SweepEnd::kFailed) || end == static_cast<double>(SweepEnd::kRefused)) continue;
    return FollowedState{row, state_in(final.data() + static_cast<size_t>(row) * states, time, plan)};
  }
  return std::nullopt;
}

std::vector<Attractor> read_attractors(const Hdf5File& file, const SweepPlan& plan) {
  std::vector<Attractor> attractors;
  if (!plan.request().basin) return attractors;
  const auto number = [&](double value, double below) {
    if (!(value >= 0.0 && value < below && value == std::trunc(value)))
      throw FileError(file.name(), "damaged: there is no attractor of such a number or kind");
    return static_cast<size_t>(value);
  };
  const std::vector<double> list = read_rows(file, "attractors/list", 2);
  for (size_t k = 0; k < list.size(); k += 2)
    attractors.push_back({static_cast<Attractor::Kind>(number(list[k], kAttractorKinds)), {}, 0});
  const size_t width = 2 + state_columns(plan.scene(), {}).size();
  const std::vector<double> points = read_rows(file, "attractors/point", width);
  for (size_t k = 0; k < points.size(); k += width) {
    attractors[number(points[k], static_cast<double>(attractors.size()))].points.push_back(
        state_in(points.data() + k + 2, points[k + 1], plan));
  }
  for (const double reached : file.read_table("runs/attractor")) {
    if (reached != -1.0) ++attractors[number(reached, static_cast<double>(attractors.size()))].runs;
  }
  return attractors;
}

}  // namespace

SweepDone read_sweep_done(const std::filesystem::path& path, const SweepPlan& plan) {
  const RecordedSweep recorded = read_sweep(path);
  const Hdf5File file = open_sweep(path);
  return {recorded.rows, recorded.failed, last_followed(file, plan, recorded.rows), read_attractors(file, plan)};
}

SweepTable read_sweep_runs(const std::filesystem::path& path) {
  const Hdf5File file = open_sweep(path);
  struct Part {
    std::string prefix;
    std::vector<std::string> names;
    std::vector<double> values;
  };
  std::vector<Part> parts;
  size_t rows = 0, width = 0;
  for (const char* name :
       {"points/value", "runs/result", "runs/attractor", "runs/quantity", "runs/final", "runs/energy", "runs/wall"}) {
    if (!file.has(std::string(name) + "_names")) continue;
    std::vector<std::string> names = file.read_list(std::string(name) + "_names");
    if (names.empty()) continue;
    std::vector<double> values = read_rows(file, name, names.size());
    const size_t count = values.size() / names.size();
    if (!parts.empty() && count != rows) throw FileError(path.string(), "damaged: its tables differ in length");
    rows = count;
    width += names.size();
    parts.push_back({name == std::string_view("runs/final") ? "final " : "", std::move(names), std::move(values)});
  }
  SweepTable table;
  table.values.reserve(rows * width);
  for (const Part& part : parts) {
    for (const std::string& name : part.names) table.names.push_back(part.prefix + name);
  }
  for (size_t row = 0; row < rows; ++row) {
    for (const Part& part : parts) {
      const auto first = part.values.begin() + static_cast<std::ptrdiff_t>(row * part.names.size());
      table.values.insert(table.values.end(), first, first + static_cast<std::ptrdiff_t>(part.names.size()));
    }
  }
  table.words.resize(width);
  const size_t result = parts.front().names.size();
  table.words[result] = file.read_list("runs/end_names");
  table.words[result + result_columns().size() - 1] = {"", "down"};
  table.words[result + 1] = file.read_list("runs/reasons");
  if (table.words[result + 1].empty()) table.words[result + 1] = {""};
  return table;
}

SweepTable read_sweep_section(const std::filesystem::path& path) {
  const Hdf5File file = open_sweep(path);
  if (!file.has("section/point")) throw InputError({path.string(), 0, 0}, "was made without a section");
  SweepTable table;
  table.names = file.read_list("section/point_names");
  table.values = read_rows(file, "section/point", table.names.size());
  table.words.resize(table.names.size());
  return table;
}

}  // namespace tippe
