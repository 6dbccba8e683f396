// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/integrator.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tippe {

std::string find_non_finite(const System& system, const Eigen::VectorXd& h, const LawList& laws) {
  for (Eigen::Index i = 0; i < h.size(); ++i) {
    if (!std::isfinite(h[i])) return "the force on " + force_target(system, static_cast<int>(i));
  }
  for (int k = 0; k < laws.size(); ++k) {
    if (!std::isfinite(laws.gap[k])) return "the gap of '" + system.law_name(laws.id[k]) + "'";
  }
  return {};
}

std::string describe_failure(const System& system, const StepReport& report, const State& state) {
  switch (report.status) {
    case StepReport::Status::kOk:
      return {};
    case StepReport::Status::kNotSolved: {
      if (!report.culprit.empty()) return report.culprit;
      const std::string worst = report.worst_law ? system.law_name(*report.worst_law) : "?";
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
