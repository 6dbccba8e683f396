// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "tippe/problem/inclusion_problem.h"

namespace tippe::test {

template <class Numbers>
bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(double)) == 0);
}

inline bool same_law(const LawSet& a, const LawSet& b) {
  if (a.index() != b.index()) return false;
  if (const auto* x = std::get_if<Interval>(&a)) {
    const auto& y = std::get<Interval>(b);
    return x->lower == y.lower && x->upper == y.upper;
  }
  if (const auto* x = std::get_if<CoulombContact>(&a)) {
    const auto& y = std::get<CoulombContact>(b);
    return x->mu1 == y.mu1 && x->mu2 == y.mu2 && x->extra_normal == y.extra_normal;
  }
  if (const auto* x = std::get_if<DrillingContact>(&a)) {
    const auto& y = std::get<DrillingContact>(b);
    return x->mu == y.mu && x->Rbar == y.Rbar && x->set == y.set && x->extra_normal == y.extra_normal;
  }
  if (const auto* x = std::get_if<PlaneFriction>(&a)) {
    const auto& y = std::get<PlaneFriction>(b);
    return x->limit1 == y.limit1 && x->limit2 == y.limit2;
  }
  if (const auto* x = std::get_if<DrillingFriction>(&a)) {
    const auto& y = std::get<DrillingFriction>(b);
    return x->limit == y.limit && x->Rbar == y.Rbar && x->set == y.set;
  }
  return true;
}

/// Blocks, constant part and laws are the same to the bit.
inline void expect_same_problem(const InclusionProblem& a, const InclusionProblem& b) {
  EXPECT_EQ(a.G.blocks.row, b.G.blocks.row);
  EXPECT_EQ(a.G.blocks.entry_start, b.G.blocks.entry_start);
  EXPECT_EQ(a.G.blocks.diagonal, b.G.blocks.diagonal);
  ASSERT_EQ(a.G.blocks.entry.size(), b.G.blocks.entry.size());
  for (size_t e = 0; e < a.G.blocks.entry.size(); ++e) {
    EXPECT_EQ(a.G.blocks.entry[e].column, b.G.blocks.entry[e].column);
    EXPECT_EQ(a.G.blocks.entry[e].offset, b.G.blocks.entry[e].offset);
  }
  EXPECT_TRUE(same_bits(a.G.blocks.value, b.G.blocks.value));
  EXPECT_TRUE(same_bits(a.c, b.c));
  ASSERT_EQ(a.laws.size(), b.laws.size());
  for (size_t i = 0; i < a.laws.size(); ++i) EXPECT_TRUE(same_law(a.laws[i], b.laws[i])) << i;
}

/// G as a dense matrix, column by column.
inline Eigen::MatrixXd dense(const Delassus& G) {
  Eigen::MatrixXd result(G.rows(), G.rows());
  KeptVector column, kinetic;
  for (int k = 0; k < G.rows(); ++k) {
    G.multiply(Eigen::VectorXd::Unit(G.rows(), k), column, kinetic);
    result.col(k) = column;
  }
  return result;
}

}  // namespace tippe::test
