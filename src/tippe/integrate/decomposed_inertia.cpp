// SPDX-License-Identifier: Apache-2.0
#include "tippe/integrate/decomposed_inertia.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "tippe/expr/program.h"
#include "tippe/integrate/tolerances.h"

namespace tippe {
namespace {

/// The coordinates of T with their velocities, and all that these move.
struct Scope {
  std::set<int> coordinates, velocities;
};

Scope scope_of(const LagrangianDescription& description) {
  ExprGraph& graph = *description.graph;
  const LagrangianInputs inputs = description.inputs();
  Scope scope;
  for (const int input : graph.inputs_of(description.kinetic)) {
    if (input < inputs.t()) scope.coordinates.insert(input % inputs.n);
  }
  for (size_t before = 0; before != scope.coordinates.size();) {
    before = scope.coordinates.size();
    for (const int i : scope.coordinates) {
      for (const auto& [input, entry] :
           graph.gradient(description.rates[static_cast<size_t>(i)], inputs.u(0), inputs.count()))
        scope.velocities.insert(input - inputs.u(0));
    }
    for (int i = 0; i < inputs.n; ++i) {
      for (const auto& [input, entry] :
           graph.gradient(description.rates[static_cast<size_t>(i)], inputs.u(0), inputs.count())) {
        if (scope.velocities.contains(input - inputs.u(0))) scope.coordinates.insert(i);
      }
    }
  }
  return scope;
}

/// M where it is constant: it is evaluated at several places, since cos^2 + sin^2 does not look like 1. Empty if it is not.
std::optional<std::vector<double>> constant_mass(const LagrangianDescription& description,
                                                 const LagrangianEquations& equations) {
  constexpr int kPlaces = 7, kEnough = 3;
  const LagrangianInputs inputs = description.inputs();
  ExprProgram program(inputs.count());
  const int mass = program.add(equations.mass);
  std::vector<double> memory = program.make_memory();
  std::vector<double> first, values(equations.mass.size());
  int finite = 0;
  for (int place = 0; place < kPlaces; ++place) {
    for (int k = 0; k < inputs.count(); ++k)  // anywhere, irrational to each other
      memory[static_cast<size_t>(k)] = std::sin(1.0 + 0.7 * k + 1.9 * place) * (0.3 + place);
    program.evaluate(mass, memory, values.data());
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) continue;
    if (finite++ == 0) first = values;
    double largest = 0.0;
    for (const double value : first) largest = std::max(largest, std::abs(value));
    for (size_t k = 0; k < values.size(); ++k) {
      if (std::abs(values[k] - first[k]) > kZeroOfTerms * largest) return {};
    }
  }
  if (finite < kEnough) return {};
  double largest = 0.0;
  for (const double value : first) largest = std::max(largest, std::abs(value));
  for (double& value : first) {
    if (std::abs(value) <= kZeroOfTerms * largest) value = 0.0;
  }
  return first;
}

/// F' H F, entry by entry.
void add_gyroscopic_terms(ExprGraph& graph, const Scope& scope, const std::map<int, std::map<int, Expr>>& F,
                          const std::map<std::pair<int, int>, Expr>& H, BodyInertia& inertia) {
  for (const int a : scope.velocities) {
    for (const int b : scope.velocities) {
      if (b >= a) continue;
      Expr sum = graph.constant(0.0);
      for (const auto& [place, value] : H) {
        const auto& [i, j] = place;
        const auto entry = [&](int coordinate, int velocity) {
          const auto& row = F.at(coordinate);
          const auto found = row.find(velocity);
          return found == row.end() ? graph.constant(0.0) : found->second;
        };
        sum = sum + value * (entry(i, a) * entry(j, b) - entry(j, a) * entry(i, b));
      }
      if (sum.is_constant(0.0)) continue;
      inertia.gyro.push_back({a, b, sum});
      inertia.gyro.push_back({b, a, -sum});
    }
  }
}

}  // namespace

int curved_coordinate(const LagrangianDescription& description) {
  if (description.velocities.empty()) return -1;
  ExprGraph& graph = *description.graph;
  const LagrangianInputs inputs = description.inputs();
  for (const int input : graph.inputs_of(description.kinetic)) {
    if (input >= inputs.t()) continue;
    const int i = input % inputs.n;
    for (const auto& [velocity, entry] :
         graph.gradient(description.rates[static_cast<size_t>(i)], inputs.u(0), inputs.count())) {
      if (!entry.is_constant()) return i;
    }
  }
  return -1;
}

std::optional<BodyInertia> decomposed_inertia(const LagrangianDescription& description,
                                              const LagrangianEquations& equations) {
  if (curved_coordinate(description) < 0) return {};
  ExprGraph& graph = *description.graph;
  const LagrangianInputs inputs = description.inputs();
  const Scope scope = scope_of(description);
  if (scope.coordinates.size() != scope.velocities.size()) return {};
  for (const int i : scope.coordinates) {
    const std::vector<int> used = graph.inputs_of(description.rates[static_cast<size_t>(i)]);
    if (std::find(used.begin(), used.end(), inputs.t()) != used.end()) return {};
  }
  const std::optional<std::vector<double>> mass = constant_mass(description, equations);
  if (!mass) return {};

  BodyInertia inertia;
  inertia.kinetic = graph.constant(0.0);
  for (size_t k = 0; k < mass->size(); ++k) {
    const auto& [row, column] = equations.mass_pattern[k];
    if (!scope.velocities.contains(row) || (*mass)[k] == 0.0) continue;  // else of bodies
    const double share = row == column ? 0.5 * (*mass)[k] : (*mass)[k];
    inertia.kinetic = inertia.kinetic + graph.constant(share) * graph.input(inputs.u(row)) * graph.input(inputs.u(column));
  }
  // F by columns of the scope, and p.
  Substitution in_velocities = description.rates_by_velocities();
  std::map<int, std::map<int, Expr>> F;  // coordinate -> velocity -> entry
  std::map<int, Expr> p;
  for (const int i : scope.coordinates) {
    for (const auto& [input, entry] : graph.gradient(description.rates[static_cast<size_t>(i)], inputs.u(0), inputs.count()))
      F[i].emplace(input - inputs.u(0), entry);
  }
  for (const auto& [input, momentum] : graph.gradient(description.kinetic, inputs.rate(0), inputs.t()))
    p.emplace(input - inputs.rate(0), in_velocities(momentum));
  std::map<std::pair<int, int>, Expr> H;  // i > j
  const auto slope = [&](int i, int j) {
    const auto found = p.find(i);
    return found == p.end() ? graph.constant(0.0) : graph.partial(found->second, j);
  };
  for (const int i : scope.coordinates) {
    for (const int j : scope.coordinates) {
      if (j >= i) continue;
      const Expr value = slope(i, j) - slope(j, i);
      if (!value.is_constant(0.0)) H.emplace(std::pair{i, j}, value);
    }
  }
  add_gyroscopic_terms(graph, scope, F, H, inertia);
  return inertia;
}

}  // namespace tippe
