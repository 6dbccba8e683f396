// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/constraint_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tippe {

std::string name_constraints(const System& system, const std::vector<int>& rows) {
  constexpr size_t kMost = 8;
  std::string names;
  for (size_t k = 0; k < rows.size() && k < kMost; ++k) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", system.constraints()[static_cast<size_t>(rows[k])].name);
  }
  if (rows.size() > kMost) names += fmt::format(" and {} more", rows.size() - kMost);
  return names;
}

std::string describe_massless(const System& system, const Eigen::VectorXd& direction) {
  return fmt::format("the mass matrix is no longer positive definite: the motion {} has no mass{}",
                     describe_direction(system, direction),
                     system.constraints().empty() ? "" : ", and no constraint holds it");
}

bool find_contradiction(const System& system, ConstrainedMass& mass, const SparseColumns& W, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& r, const Eigen::VectorXd& misfit, const std::string& level,
                        StepReport& report) {
  if (!mass.rank().redundant()) return false;
  constexpr double kOfTerms = 1e-7;
  double largest_terms = 0.0;
  for (int k = 0; k < W.columns(); ++k) {
    double terms = std::abs(r[k]);
    for (int p = W.start[k]; p < W.start[k + 1]; ++p) terms += std::abs(W.value[p] * x[W.row[p]]);
    largest_terms = std::max(largest_terms, terms);
  }
  Eigen::Index worst = 0;
  if (!(misfit.maxCoeff(&worst) > kOfTerms * largest_terms)) return false;
  report.status = StepReport::Status::kContradiction;
  report.residual = std::max(report.residual, misfit[worst]);
  report.culprit = fmt::format("the constraints {} contradict each other at {} level: {:.3g} is left at '{}'",
                               name_constraints(system, mass.redundant_rows()), level, misfit[worst],
                               system.constraints()[static_cast<size_t>(worst)].name);
  return true;
}

}  // namespace tippe
