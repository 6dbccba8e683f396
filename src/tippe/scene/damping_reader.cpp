// SPDX-License-Identifier: Apache-2.0
// Damping by matrices: [[damping]].
#include <fmt/format.h>

#include <cmath>

#include "tippe/core/eigenvalues.h"
#include "tippe/core/error.h"
#include "tippe/model/observables.h"
#include "tippe/scene/detail/repeated_tables.h"

namespace tippe {

void SceneReader::read_dampings() {
  read_entries("damping", {"velocities", "matrix"}, [&](const TableReader& reader, const std::string& key) {
    DampingDescription damping{.velocities = {}, .matrix = {}, .key = key};
    const toml::node& velocities =
        reader.require("velocities", "the velocities that the matrix multiplies, [\"x'\", \"y'\"]");
    const toml::node& matrix =
        reader.require("matrix", "a row of numbers for each velocity, [[\"c\", \"-k\"], [\"k\", \"c\"]]");
    const toml::array* list = velocities.as_array();
    if (list == nullptr || list->empty())
      fail_at(source_, velocities, "'velocities' must be a list of one expression or more, [\"x'\", \"y'\"]");
    const size_t count = list->size();
    for (size_t i = 0; i < count; ++i) {
      const std::string subject = count == 1 ? key + ".velocities" : fmt::format("{}.velocities[{}]", key, i);
      damping.velocities.push_back(expression(*list->get(i), subject, "a velocity"));
    }
    const toml::array* rows = matrix.as_array();
    if (rows == nullptr || rows->size() != count)
      fail_at(
          source_, matrix,
          fmt::format("'matrix' must have a row for each of the {} velocities, [[\"c\", \"-k\"], [\"k\", \"c\"]]", count));
    for (const toml::node& row : *rows) {
      const toml::array* entries = row.as_array();
      if (entries == nullptr || entries->size() != count)
        fail_at(source_, row, fmt::format("a row of 'matrix' must have {} entries, one for each velocity", count));
      std::vector<Expr>& given = damping.matrix.emplace_back();
      for (const toml::node& entry : *entries) given.push_back(expression(entry, key + ".matrix", "an entry of 'matrix'"));
    }
    written_[key + ".matrix"] = {&matrix, indices_};
    written_.try_emplace("lagrangian.damping", Written{&matrix, indices_});
    description_.damping_matrices.push_back(std::move(damping));
  });
}

/// A matrix whose symmetric part is not positive semidefinite at the start feeds energy in, which no damping does.
void SceneReader::check_dampings(const Scene& scene) const {
  for (const DampingDescription& damping : description_.damping_matrices) {
    const auto count = static_cast<Eigen::Index>(damping.velocities.size());
    std::vector<Expr> entries;
    for (const std::vector<Expr>& row : damping.matrix) entries.insert(entries.end(), row.begin(), row.end());
    const Observables observables(description_, std::vector<std::string>(entries.size()), entries, Expr());
    Eigen::VectorXd values(static_cast<Eigen::Index>(entries.size()));
    ObservablesEvaluator(observables).evaluate_quantities(scene.start, values);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> D(values.data(), count,
                                                                                                     count);
    if (!D.allFinite()) throw ModelError(damping.key + ".matrix", "the damping matrix is not finite at the start");
    // Units of velocities may differ: the decision is that of the matrix scaled to a diagonal of ones.
    const Eigen::VectorXd scale = D.diagonal().cwiseMax(0.0).cwiseSqrt();
    Eigen::MatrixXd scaled = 0.5 * (D + D.transpose());
    for (Eigen::Index i = 0; i < count; ++i) {
      for (Eigen::Index k = 0; k < count; ++k) {
        const double size = scale[i] * scale[k];
        if (size > 0.0) scaled(i, k) /= size;
      }
    }
    constexpr double kRoundOff = 1e-12;
    const double smallest = symmetric_eigenvalues(scaled)[0];
    if (smallest >= -kRoundOff) continue;
    throw ModelError(
        damping.key + ".matrix",
        fmt::format("this matrix feeds energy in at the start: D + D' must be positive semidefinite, and has the "
                    "eigenvalue {:.3g} for a diagonal of ones; forces that feed energy belong into "
                    "[lagrangian.forces]",
                    2.0 * smallest));
  }
}

}  // namespace tippe
