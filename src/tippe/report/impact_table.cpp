// SPDX-License-Identifier: Apache-2.0
#include "tippe/report/impact_table.h"

#include "tippe/core/largest.h"
#include "tippe/report/analysis_names.h"

namespace tippe {
namespace {

using Eigen::VectorXd;

struct LawColumn {
  const char* label;
  const VectorXd *velocity_after, *impulses, *friction, *bilateral_impulses;  // friction: nullptr where there is none
};

std::vector<LawColumn> law_columns(const ImpactReport& impact) {
  std::vector<LawColumn> columns;
  for (const ImpactLawWords& words : kImpactLaws) {
    const std::optional<ImpactOfLaw>& outcome = impact.by(words.law);
    if (outcome)
      columns.push_back(
          {words.label, &outcome->velocity_after, &outcome->impulses, &outcome->friction, &outcome->bilateral_impulses});
  }
  const KinematicImpact& kinematic = impact.kinematic;
  if (kinematic.exists)
    columns.push_back(
        {KinematicLawWords::label, &kinematic.velocity_after, &kinematic.impulses, nullptr, &kinematic.bilateral_impulses});
  return columns;
}

std::string law_cell(const VectorXd* values, Eigen::Index i, double size) {
  return values != nullptr && i < values->size() ? brief((*values)[i], size) : "";
}

}  // namespace

ImpactTable tabulate_impact(const Instant& instant, const ImpactReport& impact) {
  const ImpactProblem& problem = *instant.impact;
  const std::vector<std::string> coordinates = coordinate_names(instant);
  const std::vector<LawColumn> columns = law_columns(impact);
  const VectorXd sizes = impulse_sizes(problem);
  ImpactTable table{{{"", "before"}}, {{""}}};
  for (const LawColumn& column : columns) {
    table.velocities.front().emplace_back(column.label);
    table.impulses.front().emplace_back(column.label);
  }
  for (size_t i = 0; i < coordinates.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    table.velocities.push_back({coordinates[i], brief(impact.velocity_before[k])});
    for (const LawColumn& column : columns)
      table.velocities.back().push_back(law_cell(column.velocity_after, k, largest(impact.velocity_before)));
  }
  const auto add = [&](const std::string& name, const VectorXd* LawColumn::*values, size_t i, double size) {
    table.impulses.push_back({name});
    for (const LawColumn& column : columns)
      table.impulses.back().push_back(law_cell(column.*values, static_cast<Eigen::Index>(i), size));
  };
  size_t tangent = 0;
  for (size_t i = 0; i < problem.unilateral.size(); ++i) {
    const std::string& name = problem.unilateral[i].name;
    const double size = sizes[static_cast<Eigen::Index>(i)];
    add(name, &LawColumn::impulses, i, size);
    for (; tangent < impact.friction.size() && impact.friction[tangent].starts_with(name + ".t"); ++tangent)
      add(impact.friction[tangent], &LawColumn::friction, tangent, size);
  }
  for (size_t i = 0; i < problem.bilateral.size(); ++i)
    add(problem.bilateral[i].name, &LawColumn::bilateral_impulses, i,
        sizes[static_cast<Eigen::Index>(problem.unilateral.size() + i)]);
  return table;
}

}  // namespace tippe
