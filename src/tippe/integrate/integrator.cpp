// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/integrator.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tippe {

LawStep::LawStep(const std::vector<ForceLaw>& laws) {
  int rows = 0;
  for (const ForceLaw& law : laws) {
    first_row.push_back(rows);
    rows += law.rows;
  }
  impulse.setZero(rows);
  closing_speed.setZero(static_cast<Eigen::Index>(laws.size()));
  lost.setZero(static_cast<Eigen::Index>(laws.size()));
  speed_scale.setZero(static_cast<Eigen::Index>(laws.size()));
}

void LawStep::clear() {
  impulse.setZero();
  closing_speed.setZero();
  lost.setZero();
  speed_scale.setZero();
}

std::string find_non_finite(const System& system, const Eigen::VectorXd& h, const Eigen::VectorXd& gaps) {
  for (Eigen::Index i = 0; i < h.size(); ++i) {
    if (!std::isfinite(h[i])) return "the force on " + force_target(system, static_cast<int>(i));
  }
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    if (!std::isfinite(gaps[i])) return "the gap of '" + system.laws()[static_cast<size_t>(i)].name + "'";
  }
  return {};
}

std::string describe_failure(const System& system, const StepReport& report, const State& state) {
  switch (report.status) {
    case StepReport::Status::kOk:
      return {};
    case StepReport::Status::kNotSolved: {
      if (!report.culprit.empty()) return report.culprit;
      const std::string worst = report.worst_law >= 0 ? system.laws()[report.worst_law].name : "?";
      return fmt::format(
          "the impulses of {} active laws were not found: residual {:.3g} after {} iterations of {} methods, "
          "worst at '{}'",
          report.active_laws, report.residual, report.iterations, report.methods_tried, worst);
    }
    case StepReport::Status::kContradiction:
      return report.culprit;
    case StepReport::Status::kMassSingular:
      return report.culprit.empty() ? "the mass matrix is no longer positive definite" : report.culprit;
    case StepReport::Status::kNotFinite:
      break;
  }
  const auto first_bad = [](const std::vector<std::string>& names, const Eigen::VectorXd& values) -> std::string {
    for (size_t i = 0; i < names.size(); ++i) {
      const double value = values[static_cast<Eigen::Index>(i)];
      if (!std::isfinite(value)) return fmt::format("{} became {}", names[i], value);
    }
    return {};
  };
  std::string bad = first_bad(system.velocity_names(), state.u);
  if (bad.empty()) bad = first_bad(system.coordinate_names(), state.q);
  if (bad.empty()) bad = (report.culprit.empty() ? "an energy or a gap" : report.culprit) + " is not finite";
  return bad + "; the step may be too large, or an expression left its domain";
}

}  // namespace tippe
