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

std::string find_non_finite_row(const System& system, const SparseColumns& W, const Eigen::VectorXd& chi,
                                const Eigen::VectorXd& other) {
  for (int k = 0; k < W.columns(); ++k) {
    bool finite = std::isfinite(chi[k]) && std::isfinite(other[k]);
    for (int p = W.start[k]; p < W.start[k + 1]; ++p) finite = finite && std::isfinite(W.value[p]);
    if (!finite) return fmt::format("the direction of '{}'", system.constraints()[static_cast<size_t>(k)].name);
  }
  return {};
}

std::string describe_massless(const System& system, const Eigen::VectorXd& direction) {
  return fmt::format("the mass matrix is no longer positive definite: the motion {} has no mass{}",
                     describe_direction(system, direction),
                     system.constraints().empty() ? "" : ", and no constraint holds it");
}

bool ContradictionTest::find(const System& system, ConstrainedMass& mass, const Eigen::VectorXd& r,
                             const Eigen::VectorXd& size, double floor, const std::string& level, StepReport& report) {
  if (!mass.rank().redundant()) return false;
  constexpr double kOfTerms = 1e-7;
  mass.smallest_change(r, change_, misfit_);
  const std::vector<int>& rows = mass.redundant_rows();
  double worst_misfit = 0.0;
  int worst = rows.empty() ? 0 : rows.front();
  for (const int row : rows) {
    const double length = mass.row_length(row);
    if (!(length > 0.0)) continue;
    largest_size_ = std::max(largest_size_, size[row] / length);
    if (misfit_[row] / length <= worst_misfit) continue;
    worst_misfit = misfit_[row] / length;
    worst = row;
  }
  if (!(worst_misfit > kOfTerms * largest_size_ + floor)) return false;
  report.status = StepReport::Status::kContradiction;
  report.residual = std::max(report.residual, misfit_[worst]);
  report.culprit = fmt::format("the constraints {} contradict each other at {} level: {:.3g} is left at '{}'",
                               name_constraints(system, rows), level, misfit_[worst],
                               system.constraints()[static_cast<size_t>(worst)].name);
  return true;
}

}  // namespace tippe
