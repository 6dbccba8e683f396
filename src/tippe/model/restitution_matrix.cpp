// SPDX-License-Identifier: Apache-2.0
#include "tippe/model/restitution_matrix.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tippe/core/error.h"

namespace tippe {

void require_fitting(const RestitutionMatrix& matrix, std::span<const ForceLaw> laws, ImpactLaw impact_law) {
  const auto count = static_cast<Eigen::Index>(matrix.laws.size());
  if (matrix.E.rows() != count || matrix.E.cols() != count) {
    throw ModelError("impact.restitution_matrix",
                     fmt::format("it is {} x {} for {} contacts", matrix.E.rows(), matrix.E.cols(), count));
  }
  if (impact_law != ImpactLaw::kNewton)
    throw ModelError("impact.restitution_matrix",
                     "a restitution matrix is a form of Newton's impact law, and the scene names another");
  std::set<int> taken;
  for (size_t k = 0; k < matrix.laws.size(); ++k) {
    const std::string subject = fmt::format("impact.contacts[{}]", k);
    const int i = matrix.laws[k];
    if (i < 0 || i >= static_cast<int>(laws.size()))
      throw ModelError(subject, fmt::format("there is no law with the number {}", i));
    const ForceLaw& law = laws[static_cast<size_t>(i)];
    if (law.kind != ForceLaw::Kind::kContact)
      throw ModelError(subject,
                       fmt::format("a restitution matrix is for contacts, and '{}' is a {}", law.name, name_of(law.kind)));
    if (law.rows > 1)
      throw ModelError(subject,
                       fmt::format("a restitution matrix is for contacts without friction, and '{}' has a slip", law.name));
    if (!taken.insert(i).second) throw ModelError(subject, fmt::format("'{}' is named twice", law.name));
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      const double e = matrix.E(i, j);
      if (e >= 0.0 && std::isfinite(e)) continue;
      throw ModelError(
          fmt::format("impact.restitution_matrix[{}][{}]", i, j),
          fmt::format("must not be negative, got {}: when contact '{}' closes, '{}' would close after the impact", e,
                      laws[static_cast<size_t>(matrix.laws[static_cast<size_t>(j)])].name,
                      laws[static_cast<size_t>(matrix.laws[static_cast<size_t>(i)])].name));
    }
  }
}

}  // namespace tippe
