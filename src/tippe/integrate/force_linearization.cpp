// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/force_linearization.h"

#include <algorithm>
#include <map>

#include "tippe/model/lagrangian_equations.h"

namespace tippe {

ForceLinearization::ForceLinearization(const LagrangianDescription& description)
    : inputs_(description.inputs()), program_(inputs_.count()) {
  const LagrangianEquations equations(description);
  ExprGraph& graph = *description.graph;
  std::map<std::pair<int, int>, int> place;
  const auto place_of = [&](int row, int column) {
    const std::pair key{std::max(row, column), std::min(row, column)};
    const auto [entry, is_new] = place.try_emplace(key, static_cast<int>(pattern_.size()));
    if (is_new) pattern_.push_back({key.first, key.second});
    return entry->second;
  };
  for (const LowerEntry& entry : equations.mass_pattern) M_place_.push_back(place_of(entry.row, entry.column));

  // Symmetric parts, lower triangle: half the sum off the diagonal.
  using Lower = std::map<std::pair<int, int>, Expr>;
  const auto add = [&](Lower& lower, int row, int column, Expr value) {
    const Expr share = row == column ? value : graph.constant(0.5) * value;
    const auto [entry, is_new] = lower.try_emplace({std::max(row, column), std::min(row, column)}, share);
    if (!is_new) entry->second = entry->second + share;
  };
  std::vector<std::vector<ExprGraph::Partial>> F;
  for (const Expr rate : equations.rates) F.push_back(graph.gradient(rate, inputs_.u(0), inputs_.u(inputs_.nu())));
  Lower K, C;
  for (int j = 0; j < inputs_.nu(); ++j) {
    const Expr force = equations.classical[static_cast<size_t>(j)];
    for (const auto& [coordinate, slope] : graph.gradient(force, 0, inputs_.n)) {
      for (const auto& [input, entry] : F[static_cast<size_t>(coordinate)])
        add(K, j, input - inputs_.u(0), -(slope * entry));
    }
    for (const auto& [input, slope] : graph.gradient(force, inputs_.u(0), inputs_.u(inputs_.nu())))
      add(C, j, input - inputs_.u(0), -slope);
  }
  std::vector<Expr> outputs;
  const auto append = [&](const Lower& lower, std::vector<int>& places) {
    for (const auto& [where, value] : lower) {
      places.push_back(place_of(where.first, where.second));
      outputs.push_back(value);
    }
  };
  append(K, K_place_);
  append(C, C_place_);
  function_ = program_.add(outputs);
  memory_ = program_.make_memory();
  result_.resize(outputs.size());
}

void ForceLinearization::combine(std::span<const double> M, double of_C, double of_K, double t, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& u, std::vector<double>& values) {
  std::copy_n(q.data(), inputs_.n, memory_.data());
  std::copy_n(u.data(), inputs_.nu(), memory_.data() + inputs_.u(0));
  memory_[static_cast<size_t>(inputs_.t())] = t;
  program_.evaluate(function_, memory_, result_.data());
  values.assign(pattern_.size(), 0.0);
  for (size_t e = 0; e < M.size(); ++e) values[static_cast<size_t>(M_place_[e])] += M[e];
  const double* next = result_.data();
  for (const int entry : K_place_) values[static_cast<size_t>(entry)] += of_K * *next++;
  for (const int entry : C_place_) values[static_cast<size_t>(entry)] += of_C * *next++;
}

}  // namespace tippe
