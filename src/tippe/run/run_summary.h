// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tippe/contact/law_step.h"
#include "tippe/run/ledger.h"
#include "tippe/run/run_options.h"

namespace tippe {

/// Where a run comes from: what a recording says about itself beside its numbers.
struct RunOrigin {
  std::string title;
  std::string source;
  std::string scene_file;  // as given by the user
  std::string scene_text;
  std::vector<std::string> settings;                      // "name=value" that replaced parameters of the scene
  std::map<std::string, double, std::less<>> parameters;  // their values in this run
  std::map<std::string, std::string, std::less<>> units =
      {};  // by the names of coordinates, velocities, quantities, laws and constraints
  std::string inputs_file = {}, inputs_text = {};  // RunOptions::inputs as they were given; empty: not given
};

/// What is known of a run before its first step.
struct RunHead {
  RunOrigin origin;
  std::string program;
  std::string integrator;
  double dt = 0.0;
  std::vector<std::string> coordinates, velocities;
  std::vector<std::string> laws, contacts;  // names of all laws, and of those with a gap
};
[[nodiscard]] RunHead describe_head(const System& system, const RunOrigin& origin, const RunOptions& options);

/// Why a run ended before its end time although nothing was wrong.
struct EarlyStop {
  double time;          // s
  std::string because;  // the key of the scene: "stop_when", "stop_after impacts", or "event kick"
};

/// The largest violation of a bilateral constraint after any step.
struct WorstViolation {
  double value = 0.0;  // |g| or |gamma|, in the unit of its expression
  std::string at;      // name of the row; empty if nothing was violated
  double time = 0.0;   // s
};

/// What the bilateral constraints did in a run. Violations are looked at after every step, ranks at every sample.
struct ConstraintSummary {
  int rows = 0;       // 0: there are none, and the rest has no meaning
  int holonomic = 0;  // rows with a position
  int rank_at_start = 0, smallest_rank = 0;
  WorstViolation position, velocity;
  double position_at_start = 0.0, position_at_end = 0.0;  // largest |g|: how far it has drifted
  double velocity_at_start = 0.0, velocity_at_end = 0.0;  // largest |gamma|
};

/// How many events of each kind a run had; none with integrators that do not look for them.
struct EventCounts {
  std::array<std::int64_t, static_cast<size_t>(EventKind::kAccumulation) + 1> by_kind{};

  [[nodiscard]] std::int64_t& operator[](EventKind kind) { return by_kind[static_cast<size_t>(kind)]; }
  [[nodiscard]] std::int64_t total() const { return std::accumulate(by_kind.begin(), by_kind.end(), std::int64_t{0}); }
};

/// How often there was an event that the scene defines.
struct OwnEventCount {
  std::string name;
  std::int64_t count = 0;
};

/// How a run stands, or how it ended. A recording whose run was killed stays at kRunning.
enum class RunStatus { kRunning, kOk, kFailed, kInterrupted };
/// The word in recordings, JSON and pages: "running", "ok", "failed", "interrupted".
[[nodiscard]] const char* name_of(RunStatus status);
/// The other way round; nothing for a word that is none of them.
[[nodiscard]] std::optional<RunStatus> find_run_status(std::string_view name);

/// A contact counts an impact when it carries an impulse, carried none in the three steps before, and closed
/// faster at the beginning of the step than this fraction of its own largest closing speed so far (and than
/// round-off). With an integrator that finds events each contact counts one that takes part in an impact and closed
/// faster than round-off; those of an accumulation, which are infinitely many, do not count.
constexpr double kImpactThreshold = 1e-3;

/// What a run did, in numbers.
struct RunSummary {
  RunStatus status = RunStatus::kRunning;
  std::string message;  // of a failure or an interrupt
  std::optional<EarlyStop> stopped;
  std::int64_t steps = 0;
  State final_state;
  EnergyLedger energy;
  Eigen::VectorXd lost_by_law;  // J   per law; their sum is energy.lost_in_contacts
  std::int64_t impacts = 0;
  std::vector<std::int64_t> impacts_by_law;
  EventCounts events;  // those that an integrator finds
  std::vector<OwnEventCount> own_events;
  double worst_residual = 0.0, median_residual = 0.0;
  double residual_90_percent = 0.0;  // what 90 % of the steps stay below; this and the median to a quarter
  std::int64_t failed_steps = 0;
  std::int64_t rejected_steps = 0;  // tried by an adaptive integrator and found too inaccurate
  std::int64_t iterations = 0;
  std::int64_t halved_steps = 0;   // steps that were cut because their equations could not be solved at once
  std::int64_t inexact_steps = 0;  // whose residual is above the tolerance, up to the contact_tolerance
  std::int64_t ambiguous_steps =
      0;  // in which friction that falls with the slip let a contact slide on that could have stuck
  ConstraintSummary constraints;
  double worst_penetration = 0.0;
  std::string worst_penetration_at;   // name of the contact
  double wall_time = 0.0;             // s
  std::vector<std::string> warnings;  // what a user should know although the run went on
  std::vector<std::string> notes;     // what is normal, but good to know
};

/// "y", ... of the rows of all laws: "beak.n", "beak.t" (or t1, t2), "clutch".
[[nodiscard]] std::vector<std::string> impulse_names(const std::vector<ForceLaw>& laws);
/// Columns of what steps did since the sample before, beside the vectors.
[[nodiscard]] const std::vector<std::string>& step_sum_names();
/// Names of the contacts, which have gaps.
[[nodiscard]] std::vector<std::string> gap_names(const std::vector<ForceLaw>& laws);
[[nodiscard]] std::vector<std::string> law_names(const std::vector<ForceLaw>& laws);

/// Columns of the tables of bilateral constraints: all rows, those with a position, and what control forces act on.
[[nodiscard]] std::vector<std::string> constraint_names(const std::vector<Constraint>& constraints);
[[nodiscard]] std::vector<std::string> holonomic_names(const std::vector<Constraint>& constraints);
[[nodiscard]] std::vector<std::string> control_force_names(const System& system);

/// The bilateral constraints at a sample. All vectors are empty if there are none.
struct ConstraintSample {
  // Since the sample before, in a system with force laws: what a mean force is made of.
  ConstraintStep sum;
  double since = 0.0;  // s   time of the sample before, or of the start

  // Filled in when the sample is recorded.
  Eigen::VectorXd force;               // N    of each row; of least norm where not unique
  Eigen::VectorXd control_force;       // N    on each velocity, Kalaba-Udwadia (33)
  Eigen::VectorXd position, velocity;  // m, m/s   g (0 where a row has none) and gamma of each row
  bool redundant = false;              // the forces of the rows are not unique
};

/// What the steps since the sample before did, for those who check them. The vectors are empty with an integrator that chooses its steps.
struct StepSums {
  double steps = 0.0;       // how many
  double cut_steps = 0.0;   // made in parts
  double impacts = 0.0;     // before the motions of the steps, as a scheme has them
  double residual = 0.0;    // largest
  Eigen::VectorXd impact;   // N s  impulses of these impacts, rows of all laws
  Eigen::VectorXd acted;    // in how many steps (or parts) each law acted
  Eigen::VectorXd u_start;  // with which the motion of the last step began
  Eigen::VectorXd moved_q;  // by what followed the equations of the steps: pushing out, projections
  Eigen::VectorXd moved_u;

  void resize(Eigen::Index rows, Eigen::Index laws, Eigen::Index nq, Eigen::Index nu);
  void restart();
  void add(const StepReport& report, const StepTrace& trace, const Eigen::VectorXd& u_before);
  template <class Archive>
  void visit(Archive& archive) {
    archive("since.steps", steps);
    archive("since.cut_steps", cut_steps);
    archive("since.impacts", impacts);
    archive("since.residual", residual);
    archive("since.impact", impact);
    archive("since.acted", acted);
    archive("since.u_start", u_start);
    archive("since.moved_q", moved_q);
    archive("since.moved_u", moved_u);
  }
};

/// What is known of a run at the end of a step.
struct Sample {
  State state;
  Energies energies;
  EnergyLedger ledger;
  Eigen::VectorXd gaps;  // of each law of the system: the smallest of its contacts, infinity if none is near
  Eigen::VectorXd
      impulses;  // rows of all laws of the system, over their contacts and since the sample before, so that none is lost
  StepSums since;
  ContactSamples contacts;     // that were found; empty where all laws are fixed
  Eigen::VectorXd quantities;  // Observables, one per name
  Eigen::VectorXd drawing;     // columns of the Drawing
  ConstraintSample constraints;
};

struct Impact {
  double time;  // s   end of the step, or of the event
  int law;
  double closing_speed;  // m/s
  double energy_lost;    // J
};

}  // namespace tippe
