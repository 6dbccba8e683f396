// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tippe/report/text_table.h"
#include "tippe/run/common_times.h"
#include "tippe/run/simulate.h"

namespace tippe {

/// One quantity of all runs over time: a panel of the page.
struct ComparedQuantity {
  std::string id, title;
  bool log = false;  // sizes over many decades
};

/// What a run is called: "moreau, dt = 0.01", or for an integrator that chooses its steps its name alone.
[[nodiscard]] std::string run_label(const std::string& integrator, double dt);

/// One run of a comparison.
struct ComparedRun {
  RunHead head;
  RunSummary summary;
  std::string name = {};                    // where integrator and step do not tell the runs apart
  bool adaptive = false;                    // chooses its steps; dt is only the first
  std::vector<std::vector<double>> values;  // of each quantity at the common times; not a number where the run was not
  std::string drawing = {};                 // how its system looks, docs/recording.md#drawing; empty: nothing is drawn
  std::vector<std::vector<double>> drawing_columns = {};  // at the common times

  [[nodiscard]] std::string label() const { return name.empty() ? run_label(head.integrator, head.dt) : name; }
};

/// Which numbers of two trajectories are compared. A jump that comes a step too late makes velocities differ by all of it.
enum class Compared { kPositions, kVelocities };

/// How far a trajectory lies from that of the reference.
struct Deviation {
  double value =
      0.0;  // |difference| of a coordinate or velocity, the largest at any common time that both runs have reached
  std::string coordinate;  // which one; empty if there is no difference
  double time = 0.0;       // s
};

/// How the errors of an integrator fall with its step: error ~ dt^order.
struct IntegratorOrder {
  std::string integrator;
  std::vector<double> steps;                    // s  of its runs that came to their end
  std::optional<double> positions, velocities;  // least squares over them
};

/// What runs have in common that are compared.
struct ComparedSystem {
  std::vector<std::string> coordinates, velocities, gaps, quantities;  // names
  bool has_constraints = false, has_positions = false;                 // bilateral ones; of which some have a position

  bool operator==(const ComparedSystem&) const = default;
};

/// Runs of one scene with different integrators and steps, at the same times.
class Comparison {
 public:
  Comparison(ComparedSystem system, RunOrigin origin, CommonTimes times);
  /// `options`: any of the runs; its observables are those of all.
  Comparison(const System& system, RunOrigin origin, const RunOptions& options, CommonTimes times);

  /// How many numbers a run has at each of the common times.
  [[nodiscard]] static size_t width(const System& system, const RunOptions& options);

  /// Simulates the next run and keeps what it did, also if it failed or was stopped. `system` may be another object than that of
  /// the constructor, but of the same scene; `options` must sample at the common times.
  const ComparedRun& run(const System& system, const State& start, const RunOptions& options,
                         const ProgressCallback& progress = {}, const std::atomic<bool>* stop = nullptr);

  /// A run that was made elsewhere, with values of all quantities at all common times.
  const ComparedRun& add(ComparedRun run);

  [[nodiscard]] const RunOrigin& origin() const { return origin_; }
  [[nodiscard]] const CommonTimes& times() const { return times_; }
  [[nodiscard]] const std::vector<ComparedQuantity>& quantities() const { return quantities_; }
  [[nodiscard]] const std::vector<ComparedRun>& runs() const { return runs_; }

  /// The run that trajectories are compared with: that of event-driven, else of the first integrator that has a run without failure
  /// or interrupt the one with the smallest step; if there is none, the same among all. There must be a run.
  [[nodiscard]] size_t reference() const;
  /// Whether the reference is event-driven: then deviations from it are the errors of the others.
  [[nodiscard]] bool has_exact_reference() const;
  /// Whether the energy of a run grew so far beyond that of the reference that a common axis would show nothing of the others.
  [[nodiscard]] bool diverged(size_t run) const;
  /// From the reference; nothing for the reference itself.
  [[nodiscard]] std::optional<Deviation> deviation(size_t run, Compared what = Compared::kPositions) const;
  /// The observed order between a run and that of the same integrator with the next larger step: log of the ratio of their errors over
  /// that of their steps. Nothing without an exact reference, for the largest step, and where a run failed or has no error.
  [[nodiscard]] std::optional<double> order(size_t run, Compared what) const;
  /// The same over all steps of each integrator that has several.
  [[nodiscard]] std::vector<IntegratorOrder> orders() const;
  /// At each common time, the largest of all coordinates; not a number where one of the two was not, and for the reference itself.
  [[nodiscard]] std::vector<double> deviations(size_t run) const;

 private:
  /// Room for values at all common times, none known yet.
  [[nodiscard]] std::vector<std::vector<double>> no_values(size_t columns) const;
  void keep(const Sample& sample, ComparedRun& run) const;
  /// |difference| of a quantity at a common time.
  [[nodiscard]] double difference(size_t run, size_t reference, size_t column, size_t k) const;

  ComparedSystem system_;
  RunOrigin origin_;
  CommonTimes times_;
  std::vector<ComparedQuantity> quantities_;
  std::vector<int> contacts_;    // numbers of the laws with a gap
  size_t first_coordinate_ = 0;  // among the quantities
  std::vector<ComparedRun> runs_;
};

/// The table of a comparison: one row for each run.
[[nodiscard]] TextTable tabulate(const Comparison& comparison);

/// The table with its heading and its notes, for the terminal.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, const TextTable& table);

/// One JSON object; docs/program.md lists the keys. `message`: of a failure or interrupt, else empty.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, RunStatus status, const std::string& message,
                                          const std::vector<std::string>& not_run, const std::vector<std::string>& files);

/// A comparison as a JSON document, as viewer/src/data.ts defines it.
[[nodiscard]] std::string comparison_document(const Comparison& comparison, const TextTable& table);

/// The page with all runs laid over each other: one self-contained HTML text.
[[nodiscard]] std::string make_comparison_page(const Comparison& comparison, const TextTable& table);

}  // namespace tippe
