// SPDX-License-Identifier: Apache-2.0
#include "tippe/run/run_summary.h"

#include "tippe/core/version.h"

namespace tippe {

RunHead describe_head(const System& system, const RunOrigin& origin, const RunOptions& options) {
  return {origin,
          std::string(kProgram),
          options.integrator,
          options.dt,
          system.coordinate_names(),
          system.velocity_names(),
          law_names(system.laws()),
          gap_names(system.laws())};
}

const char* name_of(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return "running";
    case RunStatus::kOk:
      return "ok";
    case RunStatus::kFailed:
      return "failed";
    case RunStatus::kInterrupted:
      return "interrupted";
  }
  return "";
}

std::optional<RunStatus> find_run_status(std::string_view name) {
  for (const RunStatus status : {RunStatus::kRunning, RunStatus::kOk, RunStatus::kFailed, RunStatus::kInterrupted}) {
    if (name == name_of(status)) return status;
  }
  return std::nullopt;
}

std::vector<std::string> law_names(const std::vector<ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const ForceLaw& law : laws) names.push_back(law.name);
  return names;
}

std::vector<std::string> impulse_names(const std::vector<ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const ForceLaw& law : laws) {
    const bool contact = law.kind == ForceLaw::Kind::kContact;
    if (contact) names.push_back(law.name + ".n");
    if (!contact && law.rows == 1) names.push_back(law.name);
    if (contact && law.rows == 2) names.push_back(law.name + ".t");
    if (law.slips() == 2) names.insert(names.end(), {law.name + ".t1", law.name + ".t2"});
    if (law.drilling) names.push_back(law.name + ".spin");
  }
  return names;
}

const std::vector<std::string>& step_sum_names() {
  static const std::vector<std::string> names = {"steps", "cut_steps", "impacts", "residual"};
  return names;
}

void StepSums::resize(Eigen::Index rows, Eigen::Index laws, Eigen::Index nq, Eigen::Index nu) {
  impact.setZero(rows);
  acted.setZero(laws);
  u_start.setZero(nu);
  moved_q.setZero(nq);
  moved_u.setZero(nu);
}

void StepSums::restart() {
  steps = cut_steps = impacts = residual = 0.0;
  for (Eigen::VectorXd* vector : {&impact, &acted, &moved_q, &moved_u}) vector->setZero();
}

void StepSums::add(const StepReport& report, const StepTrace& trace, const Eigen::VectorXd& u_before) {
  steps += 1.0;
  cut_steps += report.halvings > 0 ? 1.0 : 0.0;
  residual = std::max(residual, report.residual);
  if (u_start.size() == 0) return;
  const bool traced = trace.u_start.size() > 0;
  u_start = traced ? trace.u_start : u_before;
  if (!traced) return;
  moved_q += trace.moved_q;
  moved_u += trace.moved_u;
}

std::vector<std::string> gap_names(const std::vector<ForceLaw>& laws) {
  std::vector<std::string> names;
  for (const ForceLaw& law : laws) {
    if (law.kind == ForceLaw::Kind::kContact) names.push_back(law.name);
  }
  return names;
}

std::vector<std::string> constraint_names(const std::vector<Constraint>& constraints) {
  std::vector<std::string> names;
  for (const Constraint& constraint : constraints) names.push_back(constraint.name);
  return names;
}

std::vector<std::string> holonomic_names(const std::vector<Constraint>& constraints) {
  std::vector<std::string> names;
  for (const Constraint& constraint : constraints) {
    if (constraint.holonomic) names.push_back(constraint.name);
  }
  return names;
}

std::vector<std::string> control_force_names(const System& system) {
  std::vector<std::string> names;
  for (int i = 0; i < system.nu(); ++i) names.push_back(force_target(system, i));
  return names;
}

}  // namespace tippe
