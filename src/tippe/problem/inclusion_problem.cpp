// SPDX-License-Identifier: Apache-2.0
#include "tippe/problem/inclusion_problem.h"

#include <fmt/format.h>

namespace tippe {
namespace {

std::string invalid_law(const LawSet& law, int rows) {
  const auto wants = [&](const char* count) { return fmt::format("has {} rows, its law takes {}", rows, count); };
  if (const auto* contact = std::get_if<CoulombContact>(&law)) {
    if (rows != 2 && rows != 3) return wants("2 or 3");
    if (!(contact->mu1 >= 0.0)) return fmt::format("has mu = {}, it must not be negative", contact->mu1);
    if (rows == 3 && !(contact->mu2 >= 0.0)) return fmt::format("has mu2 = {}, it must not be negative", contact->mu2);
    return {};
  }
  if (const auto* drilling = std::get_if<DrillingContact>(&law)) {
    if (rows != 4) return wants("4");
    if (!(drilling->mu >= 0.0)) return fmt::format("has mu = {}, it must not be negative", drilling->mu);
    if (!(drilling->Rbar > 0.0)) return fmt::format("has Rbar = {}, it must be positive", drilling->Rbar);
    return {};
  }
  if (const auto* plane = std::get_if<PlaneFriction>(&law)) {
    if (rows != 2) return wants("2");
    for (const double limit : {plane->limit1, plane->limit2}) {
      if (!(limit >= 0.0)) return fmt::format("has the limit {}, it must not be negative", limit);
    }
    return {};
  }
  if (const auto* drilling = std::get_if<DrillingFriction>(&law)) {
    if (rows != 3) return wants("3");
    if (!(drilling->limit >= 0.0)) return fmt::format("has the limit {}, it must not be negative", drilling->limit);
    if (!(drilling->Rbar > 0.0)) return fmt::format("has Rbar = {}, it must be positive", drilling->Rbar);
    return {};
  }
  if (rows != 1) return wants("1");
  if (const auto* interval = std::get_if<Interval>(&law)) {
    if (!(interval->lower <= interval->upper))
      return fmt::format("has the interval [{}, {}], which is empty", interval->lower, interval->upper);
  }
  return {};
}

}  // namespace

std::string invalid_reason(const InclusionProblem& problem) {
  const BlockSparseMatrix& blocks = problem.G.blocks;
  const auto count = static_cast<size_t>(blocks.blocks());
  if (problem.laws.size() != count) return fmt::format("there are {} laws for {} blocks of G", problem.laws.size(), count);
  if (problem.c.size() != blocks.rows()) return fmt::format("c has {} rows, G has {}", problem.c.size(), blocks.rows());
  if (!problem.part.empty() && problem.part.size() != count)
    return fmt::format("part has {} entries for {} blocks of G", problem.part.size(), count);
  if (problem.G.factored && problem.G.Y.columns() != blocks.rows())
    return fmt::format("Y has {} columns, G has {} rows", problem.G.Y.columns(), blocks.rows());
  for (int i = 0; i < blocks.blocks(); ++i) {
    if (blocks.diagonal[i] < 0) return fmt::format("block {} has no diagonal block in G", i);
    if (const std::string reason = invalid_law(problem.laws[i], blocks.block_size(i)); !reason.empty())
      return fmt::format("block {} {}", i, reason);
  }
  return {};
}

}  // namespace tippe
