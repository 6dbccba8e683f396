// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tippe/record/hdf5_file.h"
#include "tippe/record/ledger.h"
#include "tippe/record/run_options.h"

namespace tippe {

/// Where a run comes from: what a recording says about itself beside its numbers.
struct RunOrigin {
  std::string title;
  std::string source;
  std::string scene_file;  // as given by the user
  std::string scene_text;
  std::vector<std::string> settings;                      // "name=value" that replaced parameters of the scene
  std::map<std::string, double, std::less<>> parameters;  // their values in this run
};

/// Why a run ended before its end time although nothing was wrong.
struct EarlyStop {
  double time;          // s
  std::string because;  // the key of the scene: "stop_when"
};

/// What a run did, in numbers.
struct RunSummary {
  std::string status = "running";  // running, ok, failed, interrupted
  std::string message;             // of a failure
  std::optional<EarlyStop> stopped;
  std::int64_t steps = 0;
  State final_state;
  EnergyLedger energy;
  Eigen::VectorXd lost_by_law;  // J   per law; their sum is energy.lost_in_contacts
  std::int64_t impacts = 0;
  std::vector<std::int64_t> impacts_by_law;
  double worst_residual = 0.0;
  std::int64_t failed_steps = 0;
  std::int64_t iterations = 0;
  double worst_penetration = 0.0;
  std::string worst_penetration_at;   // name of the contact
  double wall_time = 0.0;             // s
  std::vector<std::string> warnings;  // what a user should know although the run went on
};

/// "y", ... of the rows of all laws: "beak.n", "beak.t" (or t1, t2), "clutch".
[[nodiscard]] std::vector<std::string> impulse_names(const std::vector<ForceLaw>& laws);
/// Names of the contacts, which have gaps.
[[nodiscard]] std::vector<std::string> gap_names(const std::vector<ForceLaw>& laws);

/// What is known of a run at the end of a step.
struct Sample {
  State state;
  Energies energies;
  EnergyLedger ledger;
  Eigen::VectorXd gaps;        // per law
  Eigen::VectorXd impulses;    // rows of all laws, summed since the sample before, so that none is lost between samples
  Eigen::VectorXd quantities;  // Observables, one per name
};

struct Impact {
  double time;  // s   end of the step
  int law;
  double closing_speed;  // m/s
  double energy_lost;    // J
};

/// Writes a run to HDF5 while it goes on. The layout is documented in docs/recording.md.
class Recording {
 public:
  Recording(const std::filesystem::path& path, const System& system, const RunOrigin& origin, const RunOptions& options,
            double t0);

  void add_sample(const Sample& sample);
  /// `energy`: T + V at the end of the step; `work`: done in it, with that of a prescribed motion.
  void add_step(double time, const StepReport& report, double energy, double work);
  void add_impact(const Impact& impact, std::span<const double> impulse);
  /// Brings everything so far to disk if the last time is long ago or much waits.
  void flush_if_due();
  void finish(const RunSummary& summary);

 private:
  void flush();

  Hdf5File file_;
  std::vector<std::string> laws_;
  std::vector<int> contacts_;
  Hdf5Table time_, q_, u_, gap_, impulse_, energy_, quantity_;
  Hdf5Table step_time_, step_residual_, step_iterations_, step_energy_;
  Hdf5Table impact_time_, impact_law_, impact_speed_, impact_lost_, impact_impulse_;
  std::chrono::steady_clock::time_point last_flush_;
};

/// A recording read back.
struct RecordedTable {
  std::vector<std::string> names;
  std::vector<double> values;  // row by row

  [[nodiscard]] std::vector<double> column(size_t k) const;
};
struct RecordedRun {
  RunOrigin origin;
  std::string program, integrator, status, message;
  double dt = 0.0;
  std::vector<double> time;
  RecordedTable q, u, gap, impulse, energy, quantity;
  std::vector<double> step_time, step_residual, step_iterations;
  std::vector<double> impact_time, impact_law, impact_speed, impact_lost;
  std::vector<std::string> laws;
};
[[nodiscard]] RecordedRun read_recording(const std::filesystem::path& path);

}  // namespace tippe
