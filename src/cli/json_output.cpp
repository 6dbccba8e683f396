// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"

#include <algorithm>
#include <cmath>

#include "cli/json_values.h"
#include "tippe/record/simulate.h"

namespace tippe::cli {
namespace {

Json number_or_null(const std::optional<double>& value) {
  return value ? number(*value) : Json();
}

Json deviation_object(const std::optional<Deviation>& deviation) {
  if (!deviation) return nullptr;
  return {{"value", number(deviation->value)},
          {"coordinate", text_or_null(deviation->coordinate)},
          {"time", deviation->coordinate.empty() ? Json() : number(deviation->time)}};
}

Json violation(const WorstViolation& worst, double at_start, double at_end) {
  return {{"worst", number(worst.value)},
          {"worst_at", text_or_null(worst.at)},
          {"worst_time", worst.at.empty() ? Json() : number(worst.time)},
          {"start", number(at_start)},
          {"end", number(at_end)}};
}

Json constraints_object(const ConstraintSummary& constraints) {
  if (constraints.rows == 0) return nullptr;
  return {{"rows", constraints.rows},
          {"rank_at_start", constraints.rank_at_start},
          {"smallest_rank", constraints.smallest_rank},
          {"position", constraints.holonomic == 0
                           ? Json()
                           : violation(constraints.position, constraints.position_at_start, constraints.position_at_end)},
          {"velocity", violation(constraints.velocity, constraints.velocity_at_start, constraints.velocity_at_end)}};
}

/// All of a run but its files.
Json run_object(const RunHead& head, const RunSummary& summary) {
  const EnergyLedger& energy = summary.energy;
  Json event_counts = Json::object();
  for (size_t k = 0; k < summary.events.by_kind.size(); ++k) {
    if (summary.events.by_kind[k] > 0) event_counts[name_of(static_cast<EventKind>(k))] = summary.events.by_kind[k];
  }
  Json impacts_by_contact = Json::object();
  for (size_t i = 0; i < head.laws.size(); ++i) {
    if (std::find(head.contacts.begin(), head.contacts.end(), head.laws[i]) != head.contacts.end())
      impacts_by_contact[head.laws[i]] = summary.impacts_by_law[i];
  }
  Json error;
  if (summary.status != "ok" && summary.status != "running")
    error = {{"file", head.origin.scene_file}, {"line", nullptr}, {"column", nullptr}, {"message", summary.message}};
  Json stopped;
  if (summary.stopped) stopped = {{"time", number(summary.stopped->time)}, {"because", summary.stopped->because}};
  return {{"status", summary.status},
          {"error", error},
          {"scene", head.origin.scene_file},
          {"integrator", head.integrator},
          {"dt", head.dt},
          {"steps", summary.steps},
          {"stopped", stopped},
          {"t_end", number(summary.final_state.t)},
          {"final",
           {{"q", named_values(head.coordinates, summary.final_state.q)},
            {"u", named_values(head.velocities, summary.final_state.u)}}},
          {"energy",
           {{"initial", number(energy.initial)},
            {"final", number(energy.final)},
            {"lost_in_contacts", number(energy.lost_in_contacts)},
            {"lost_in_damping", number(energy.lost_in_damping)},
            {"work_done", number(energy.work_done)},
            {"unexplained", number(energy.unexplained())},
            {"max_rise_per_step", number(energy.max_rise_per_step)},
            {"scale", number(energy.scale)}}},
          {"lost_by_law", named_values(head.laws, summary.lost_by_law)},
          {"impacts", summary.impacts},
          {"impacts_by_contact", impacts_by_contact},
          {"impact_threshold", summary.events.total() > 0 ? Json() : Json(kImpactThreshold)},
          {"event_counts", event_counts},
          {"solver",
           {{"worst_residual", number(summary.worst_residual)},
            {"failed_steps", summary.failed_steps},
            {"rejected_steps", summary.rejected_steps},
            {"iterations", summary.iterations},
            {"halved_steps", summary.halved_steps}}},
          {"constraints", constraints_object(summary.constraints)},
          {"worst_penetration", number(summary.worst_penetration)},
          {"worst_penetration_at", text_or_null(summary.worst_penetration_at)},
          {"warnings", summary.warnings},
          {"notes", summary.notes},
          {"wall_time_s", summary.wall_time}};
}

}  // namespace

std::string run_json(const RunHead& head, const RunSummary& summary, const RecordedEvents& events,
                     const std::vector<std::string>& files) {
  Json object = run_object(head, summary);
  object["events"] = events_array(events);
  object["files"] = files;
  return dump(object);
}

std::string run_failure_json(const std::string& status, const SourcePosition& position, const std::string& message,
                             const std::string& scene_file) {
  Json object = {{"status", status}, {"error", error_object(position, message)}, {"scene", text_or_null(scene_file)}};
  for (const char* key : {"integrator",
                          "dt",
                          "steps",
                          "stopped",
                          "t_end",
                          "final",
                          "energy",
                          "lost_by_law",
                          "impacts",
                          "impacts_by_contact",
                          "impact_threshold",
                          "event_counts",
                          "events",
                          "solver",
                          "constraints",
                          "worst_penetration",
                          "worst_penetration_at",
                          "warnings",
                          "notes",
                          "wall_time_s"}) {
    object[key] = nullptr;
  }
  object["files"] = Json::array();
  return dump(object);
}

std::string compare_json(const Comparison& comparison, const std::string& status, const std::string& message,
                         const std::vector<std::string>& not_run, const std::vector<std::string>& files) {
  Json runs = Json::array(), orders = Json::array(), reference;
  const bool exact = !comparison.runs().empty() && comparison.has_exact_reference();
  for (size_t r = 0; r < comparison.runs().size(); ++r) {
    const ComparedRun& run = comparison.runs()[r];
    Json object = run_object(run.head, run.summary);
    object.erase("scene");
    const std::optional<Deviation> deviation = comparison.deviation(r);
    object["deviation"] = deviation_object(deviation);
    Json error, order;
    if (exact && deviation) {
      error = {{"positions", deviation_object(deviation)},
               {"velocities", deviation_object(comparison.deviation(r, Compared::kVelocities))}};
      order = {{"positions", number_or_null(comparison.order(r, Compared::kPositions))},
               {"velocities", number_or_null(comparison.order(r, Compared::kVelocities))}};
    }
    object["error_against_reference"] = error;
    object["observed_order"] = order;
    runs.push_back(std::move(object));
  }
  if (!comparison.runs().empty()) {
    const RunHead& head = comparison.runs()[comparison.reference()].head;
    reference = {{"integrator", head.integrator}, {"dt", head.dt}};
  }
  for (const IntegratorOrder& order : comparison.orders()) {
    orders.push_back({{"integrator", order.integrator},
                      {"dt", order.steps},
                      {"positions", number_or_null(order.positions)},
                      {"velocities", number_or_null(order.velocities)}});
  }
  const std::string& scene = comparison.origin().scene_file;
  return dump({{"status", status},
               {"error", message.empty() ? Json() : error_object({scene, 0, 0}, message)},
               {"scene", scene},
               {"reference", reference},
               {"common_times", {{"count", comparison.times().size()}, {"interval", comparison.times().interval()}}},
               {"runs", runs},
               {"orders", orders},
               {"not_run", not_run},
               {"files", files}});
}

std::string compare_failure_json(const std::string& status, const SourcePosition& position, const std::string& message,
                                 const std::string& scene_file) {
  return dump({{"status", status},
               {"error", error_object(position, message)},
               {"scene", text_or_null(scene_file)},
               {"reference", nullptr},
               {"common_times", nullptr},
               {"runs", Json::array()},
               {"orders", Json::array()},
               {"not_run", Json::array()},
               {"files", Json::array()}});
}

std::string check_json(const Scene& scene, const StartReport& start, const ConstraintReport& constraints,
                       const std::vector<std::string>& warnings) {
  const System& system = *scene.system;
  Json bilateral = Json::array(), rank;
  for (Eigen::Index k = 0; k < constraints.velocity.size(); ++k) {
    const Constraint& constraint = system.constraints()[static_cast<size_t>(k)];
    const bool redundant =
        std::count(constraints.redundant_rows.begin(), constraints.redundant_rows.end(), static_cast<int>(k)) > 0;
    bilateral.push_back({{"name", constraint.name},
                         {"kind", constraint.row_key()},
                         {"position", constraint.holonomic ? number(constraints.position[k]) : Json()},
                         {"velocity", number(constraints.velocity[k])},
                         {"redundant", redundant}});
  }
  if (constraints.rank.rows > 0) {
    rank = {{"rows", constraints.rank.rows},
            {"rank", constraints.rank.rank},
            {"smallest_kept", number(constraints.rank.smallest_kept)},
            {"largest_dropped", number(constraints.rank.largest_dropped)},
            {"cutoff", number(constraints.rank.cutoff)}};
  }
  Json laws = Json::array();
  for (size_t i = 0; i < start.laws.size(); ++i) {
    const ForceLaw& law = system.laws()[i];
    const LawAtStart& at_start = start.laws[i];
    const bool contact = law.kind == ForceLaw::Kind::kContact, pad = law.kind == ForceLaw::Kind::kDryFriction;
    laws.push_back({{"name", law.name},
                    {"kind", name_of(law.kind)},
                    {"rows", law.rows},
                    {"status", name_of(at_start.status)},
                    {"gap", contact ? number(at_start.gap) : Json()},
                    {"closing_speed", pad ? Json() : number(at_start.closing)},
                    {"sliding_speed", pad || law.rows > 1 ? number(at_start.speed) : Json()}});
  }
  Json fitting = Json::array();
  for (const IntegratorInfo& info : integrators()) {
    const std::string misfit = info.misfit(system);
    fitting.push_back({{"name", info.name}, {"fits", misfit.empty()}, {"reason", text_or_null(misfit)}});
  }
  return dump({{"status", "ok"},
               {"error", nullptr},
               {"scene", scene.origin.scene_file},
               {"title", text_or_null(scene.origin.title)},
               {"integrator", scene.run.integrator},
               {"dt", scene.run.dt},
               {"steps", scene.run.adaptive() ? Json() : Json(scene.run.steps_from(scene.start.t))},
               {"t_start", scene.start.t},
               {"t_end", scene.run.until},
               {"coordinates", system.coordinate_names()},
               {"mass_matrix",
                {{"constant", system.constant_mass()},
                 {"nonzero_entries", start.mass_entries},
                 {"singular", constraints.mass_is_singular}}},
               {"bilateral", bilateral},
               {"rank", rank},
               {"laws", laws},
               {"energy", {{"kinetic", number(start.energies.kinetic)}, {"potential", number(start.energies.potential)}}},
               {"integrators", fitting},
               {"warnings", warnings},
               {"notes", scene.run.notes}});
}

std::string check_failure_json(const std::string& status, const SourcePosition& position, const std::string& message,
                               const std::string& scene_file) {
  Json object = {{"status", status}, {"error", error_object(position, message)}, {"scene", text_or_null(scene_file)}};
  for (const char* key : {"title", "integrator", "dt", "steps", "t_start", "t_end", "coordinates", "mass_matrix",
                          "bilateral", "rank", "laws", "energy", "integrators", "warnings", "notes"}) {
    object[key] = nullptr;
  }
  return dump(object);
}

std::string analyze_failure_json(const std::string& status, const SourcePosition& position, const std::string& message,
                                 const std::string& file) {
  Json object = {{"status", status}, {"error", error_object(position, message)}, {"file", text_or_null(file)}};
  for (const char* key :
       {"title", "time", "coordinates", "unilateral", "bilateral", "summary", "delassus", "kinetic_angles_deg", "criteria",
        "solvable", "acceleration", "forces", "sticking", "closure", "painleve", "impact", "generalized_inverse", "notes"}) {
    object[key] = nullptr;
  }
  return dump(object);
}

std::string modes_failure_json(const std::string& status, const SourcePosition& position, const std::string& message,
                               const std::string& file) {
  return dump({{"status", status},
               {"error", error_object(position, message)},
               {"file", text_or_null(file)},
               {"title", nullptr},
               {"time", nullptr},
               {"impact", nullptr},
               {"motion", nullptr},
               {"notes", nullptr}});
}

std::string solve_json(const SolveReport& report, bool impulses, const std::optional<ProblemDescription>& description) {
  Json stages = Json::array();
  for (const SolveStage& stage : report.stages) {
    stages.push_back({{"name", stage.name},
                      {"iterations", stage.iterations},
                      {"seconds", stage.seconds},
                      {"residual", number(stage.residual)}});
  }
  Json object = {{"kind", name_of(report.kind)},
                 {"contacts", report.contacts},
                 {"status", report.status},
                 {"residual", number(report.residual)},
                 {"residual_worst_contact", number(report.worst_residual)},
                 {"worst_contact", report.worst >= 0 ? Json(report.worst) : Json()},
                 {"solver", report.solver},
                 {"stages", stages},
                 {"iterations", report.iterations},
                 {"wall_time_s", report.wall_time}};
  if (report.status == "no_solution") object["certificate"] = report.reason;
  if (report.farkas.size() > 0) object["farkas"] = numbers(report.farkas);
  if (description) {
    const MatrixReport& matrix = description->matrix;
    Json spectrum, mu;
    if (matrix.spectrum) {
      spectrum = {{"kind", matrix.spectrum->eigenvalues ? "eigenvalues" : "singular_values"},
                  {"smallest", number(matrix.spectrum->smallest)},
                  {"largest", number(matrix.spectrum->largest)}};
    }
    if (description->mu) mu = {{"smallest", number(description->mu->first)}, {"largest", number(description->mu->second)}};
    object["describe"] = {
        {"rows", matrix.rows},
        {"asymmetry", number(matrix.asymmetry)},
        {"rank", matrix.spectrum ? Json(matrix.spectrum->rank) : Json()},
        {"spectrum", spectrum},
        {"diagonal", {{"smallest", number(matrix.smallest_diagonal)}, {"largest", number(matrix.largest_diagonal)}}},
        {"mu", mu}};
  }
  if (impulses) object["impulses"] = numbers(report.impulses);
  return dump(object);
}

std::string solve_failure_json(const std::string& message) {
  Json object;
  for (const char* key : {"kind", "contacts", "status", "residual", "residual_worst_contact", "worst_contact", "solver",
                          "stages", "iterations", "wall_time_s"}) {
    object[key] = nullptr;
  }
  object["status"] = "bad_input";
  object["message"] = message;
  return dump(object);
}

}  // namespace tippe::cli
