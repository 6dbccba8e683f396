// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/step_halving.h"

#include <algorithm>

namespace tippe {

bool StepHalving::may_be_mended(const StepReport& report) const {
  if (mends_ == Mends::kAllFailures) return true;
  return report.status == StepReport::Status::kNotSolved && report.methods_tried > 0 && report.culprit.empty();
}

void StepHalving::add_effort(const StepReport& failed, StepReport& report) {
  report.iterations += failed.iterations;
  report.methods_tried += failed.methods_tried;
  ++report.halvings;
}

void StepHalving::add_half(const StepReport& first, const LawStep& first_laws, const ConstraintStep& first_constraints,
                           StepReport& report, LawStep& laws, ConstraintStep& constraints) {
  report.iterations += first.iterations;
  report.methods_tried += first.methods_tried;
  report.halvings += first.halvings;
  report.inexact = report.inexact || first.inexact;
  report.ambiguous += first.ambiguous;
  report.active_laws = std::max(report.active_laws, first.active_laws);
  if (report.ok() && first.residual > report.residual) {
    report.residual = first.residual;
    report.worst_law = first.worst_law;
  }
  report.lost_in_contacts += first.lost_in_contacts;
  report.lost_along_normals += first.lost_along_normals;
  report.lost_by_scheme += first.lost_by_scheme;
  report.lost_in_damping += first.lost_in_damping;
  report.fed_by_damping += first.fed_by_damping;
  report.work_done += first.work_done;
  report.pushed_out += first.pushed_out;
  laws.add_before(first_laws);
  constraints.impulse += first_constraints.impulse;
  constraints.on_velocities += first_constraints.on_velocities;
  constraints.residual = std::max(constraints.residual, first_constraints.residual);
  constraints.redundant = constraints.redundant || first_constraints.redundant;
}

}  // namespace tippe
