// SPDX-License-Identifier: Apache-2.0
#include "tippe/record/recording.h"

#include <array>

#include "tippe/core/error.h"
#include "tippe/core/version.h"

namespace tippe {
namespace {

constexpr std::string_view kFormat = "tippe recording";
constexpr std::int64_t kFormatVersion = 1;
const std::vector<std::string>& energy_columns() {
  static const std::vector<std::string> names = {"kinetic",         "potential", "total",      "lost_in_contacts",
                                                 "lost_in_damping", "work_done", "unexplained"};
  return names;
}

std::vector<std::string> law_names(const std::vector<ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const ForceLaw& law : laws) names.push_back(law.name);
  return names;
}

}  // namespace

std::vector<std::string> impulse_names(const std::vector<ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const ForceLaw& law : laws) {
    if (law.kind != ForceLaw::Kind::kContact) {
      names.push_back(law.name);
      continue;
    }
    names.push_back(law.name + ".n");
    if (law.rows == 2) names.push_back(law.name + ".t");
    if (law.rows >= 3) names.insert(names.end(), {law.name + ".t1", law.name + ".t2"});
    if (law.rows == 4) names.push_back(law.name + ".spin");
  }
  return names;
}

std::vector<std::string> gap_names(const std::vector<ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const ForceLaw& law : laws) {
    if (law.kind == ForceLaw::Kind::kContact) names.push_back(law.name);
  }
  return names;
}

Recording::Recording(const std::filesystem::path& path, const System& system, const RunOrigin& origin,
                     const RunOptions& options, double t0)
    : file_(Hdf5File::create(path)), laws_(law_names(system.laws())), last_flush_(std::chrono::steady_clock::now()) {
  file_.set("/", "format", std::string(kFormat));
  file_.set("/", "format_version", kFormatVersion);
  file_.set("/", "program", std::string(kProgram));
  file_.set("/", "title", origin.title);
  file_.set("/", "source", origin.source);
  file_.set("/", "status", std::string("running"));
  file_.set("/", "message", std::string());
  file_.write_text("scene", origin.scene_text);
  file_.set("scene", "file", origin.scene_file);

  file_.make_group("options");
  file_.set("options", "integrator", options.integrator);
  file_.set("options", "dt", options.dt);
  file_.set("options", "start", t0);
  file_.set("options", "until", options.until);
  file_.set("options", "every", options.sample_interval(t0));
  file_.set("options", "initial_penetration", options.initial_penetration);
  file_.set("options", "closed_tolerance", options.integrator_options.closed_tolerance);
  file_.set("options", "tolerance", options.integrator_options.tolerance);
  file_.write_list("options/settings", origin.settings);
  file_.make_group("parameters");
  for (const auto& [name, value] : origin.parameters) file_.set("parameters", name, value);

  for (size_t i = 0; i < system.laws().size(); ++i) {
    if (system.laws()[i].kind == ForceLaw::Kind::kContact) contacts_.push_back(static_cast<int>(i));
  }
  const auto named_table = [&](const std::string& name, const std::vector<std::string>& columns) {
    file_.write_list(name + "_names", columns);
    return columns.empty() ? Hdf5Table() : file_.make_table(name, static_cast<int>(columns.size()));
  };
  file_.make_group("samples");
  time_ = file_.make_table("samples/time", 0);
  q_ = named_table("samples/q", system.coordinate_names());
  u_ = named_table("samples/u", system.velocity_names());
  gap_ = named_table("samples/gap", gap_names(system.laws()));
  impulse_ = named_table("samples/impulse", impulse_names(system.laws()));
  energy_ = named_table("samples/energy", energy_columns());
  quantity_ = named_table("samples/quantity", options.observables.names());
  file_.make_group("steps");
  step_time_ = file_.make_table("steps/time", 0);
  step_residual_ = file_.make_table("steps/residual", 0);
  step_iterations_ = file_.make_table("steps/iterations", 0, true);
  step_energy_ = named_table("steps/energy", {"total", "lost_in_contacts", "lost_in_damping", "work_done"});
  file_.make_group("impacts");
  file_.write_list("impacts/law_names", laws_);
  impact_time_ = file_.make_table("impacts/time", 0);
  impact_law_ = file_.make_table("impacts/law", 0, true);
  impact_speed_ = file_.make_table("impacts/closing_speed", 0);
  impact_lost_ = file_.make_table("impacts/energy_lost", 0);
  impact_impulse_ = file_.make_table("impacts/impulse", ForceLaw::kMostRows);
  flush();
}

void Recording::add_sample(const Sample& sample) {
  const auto view = [](const Eigen::VectorXd& values) {
    return std::span(values.data(), static_cast<size_t>(values.size()));
  };
  time_.append(sample.state.t);
  q_.append(view(sample.state.q));
  u_.append(view(sample.state.u));
  for (const int contact : contacts_) gap_.append(sample.gaps[contact]);
  impulse_.append(view(sample.impulses));
  const EnergyLedger& ledger = sample.ledger;
  energy_.append(std::array{sample.energies.kinetic, sample.energies.potential, ledger.final, ledger.lost_in_contacts,
                            ledger.lost_in_damping, ledger.work_done, ledger.unexplained()});
  quantity_.append(view(sample.quantities));
}

void Recording::add_step(double time, const StepReport& report, double energy, double work) {
  step_time_.append(time);
  step_residual_.append(report.residual);
  step_iterations_.append(report.iterations);
  step_energy_.append(std::array{energy, report.lost_in_contacts, report.lost_in_damping, work});
}

void Recording::add_impact(const Impact& impact, std::span<const double> impulse) {
  impact_time_.append(impact.time);
  impact_law_.append(impact.law);
  impact_speed_.append(impact.closing_speed);
  impact_lost_.append(impact.energy_lost);
  std::array<double, ForceLaw::kMostRows> rows{};
  std::copy(impulse.begin(), impulse.end(), rows.begin());
  impact_impulse_.append(rows);
}

void Recording::flush() {
  for (Hdf5Table* table :
       {&time_, &q_, &u_, &gap_, &impulse_, &energy_, &quantity_, &step_time_, &step_residual_, &step_iterations_,
        &step_energy_, &impact_time_, &impact_law_, &impact_speed_, &impact_lost_, &impact_impulse_}) {
    table->flush();
  }
  file_.flush();
  last_flush_ = std::chrono::steady_clock::now();
}

void Recording::flush_if_due() {
  constexpr auto kLongest = std::chrono::seconds(1);
  constexpr size_t kMostWaiting = size_t{1} << 20;  // numbers
  const bool much = q_.waiting() + u_.waiting() + impulse_.waiting() + step_time_.waiting() > kMostWaiting;
  if (much || std::chrono::steady_clock::now() - last_flush_ > kLongest) flush();
}

void Recording::finish(const RunSummary& summary) {
  flush();
  file_.set("/", "status", summary.status);
  file_.set("/", "message", summary.message);
  file_.make_group("summary");
  if (summary.stopped) {
    file_.set("summary", "stopped_time", summary.stopped->time);
    file_.set("summary", "stopped_because", summary.stopped->because);
  }
  file_.set("summary", "steps", summary.steps);
  file_.set("summary", "impacts", summary.impacts);
  file_.set("summary", "failed_steps", summary.failed_steps);
  file_.set("summary", "iterations", summary.iterations);
  file_.set("summary", "worst_residual", summary.worst_residual);
  file_.set("summary", "worst_penetration", summary.worst_penetration);
  file_.set("summary", "energy_initial", summary.energy.initial);
  file_.set("summary", "energy_final", summary.energy.final);
  file_.set("summary", "energy_lost_in_contacts", summary.energy.lost_in_contacts);
  file_.set("summary", "energy_lost_in_damping", summary.energy.lost_in_damping);
  file_.set("summary", "energy_work_done", summary.energy.work_done);
  file_.set("summary", "energy_unexplained", summary.energy.unexplained());
  file_.set("summary", "energy_max_rise_per_step", summary.energy.max_rise_per_step);
  file_.set("summary", "energy_scale", summary.energy.scale);
  file_.set("summary", "wall_time", summary.wall_time);
  file_.write_list("summary/warnings", summary.warnings);
  file_.write_list("summary/law_names", laws_);
  Hdf5Table lost = file_.make_table("summary/lost_by_law", 0), impacts = file_.make_table("summary/impacts_by_law", 0, true);
  for (size_t i = 0; i < laws_.size(); ++i) {
    lost.append(summary.lost_by_law[static_cast<Eigen::Index>(i)]);
    impacts.append(static_cast<double>(summary.impacts_by_law[i]));
  }
  lost.flush();
  impacts.flush();
  file_.flush();
}

std::vector<double> RecordedTable::column(size_t k) const {
  std::vector<double> result;
  for (size_t place = k; place < values.size(); place += names.size()) result.push_back(values[place]);
  return result;
}

RecordedRun read_recording(const std::filesystem::path& path) {
  const Hdf5File file = Hdf5File::open(path);
  if (file.text_attribute("/", "format") != kFormat) throw FileError(path.string() + ": not a recording of tippe");
  RecordedRun run;
  run.program = file.text_attribute("/", "program");
  run.status = file.text_attribute("/", "status");
  run.message = file.text_attribute("/", "message");
  run.origin.title = file.text_attribute("/", "title");
  run.origin.source = file.text_attribute("/", "source");
  run.origin.scene_text = file.read_text("scene");
  run.origin.scene_file = file.text_attribute("scene", "file");
  run.origin.settings = file.read_list("options/settings");
  run.integrator = file.text_attribute("options", "integrator");
  run.dt = file.number_attribute("options", "dt");
  const auto table = [&](const std::string& name) {
    return RecordedTable{file.read_list(name + "_names"), file.has(name) ? file.read_table(name) : std::vector<double>()};
  };
  run.time = file.read_table("samples/time");
  run.q = table("samples/q");
  run.u = table("samples/u");
  run.gap = table("samples/gap");
  run.impulse = table("samples/impulse");
  run.energy = table("samples/energy");
  run.quantity = table("samples/quantity");
  run.step_time = file.read_table("steps/time");
  run.step_residual = file.read_table("steps/residual");
  run.step_iterations = file.read_table("steps/iterations");
  run.laws = file.read_list("impacts/law_names");
  run.impact_time = file.read_table("impacts/time");
  run.impact_law = file.read_table("impacts/law");
  run.impact_speed = file.read_table("impacts/closing_speed");
  run.impact_lost = file.read_table("impacts/energy_lost");
  return run;
}

}  // namespace tippe
